/**
 * The players' clocks, on their cards. The server tells the time that is left; between its messages
 * the clock that runs counts down here. It decides nothing: the server says when time is up.
 */

import { write } from "./dom.js";
import { OTHER_BOARD } from "./games.js";
import { t } from "./words.js";

const TICK_MS = 200;
/** From so many seconds on the time is short. */
const SHORT_S = 10;

/** Write seconds as minutes and seconds, and hours where there are any; 0:00 only when none is left. */
export function written(seconds) {
  const whole = Math.ceil(seconds - 0.05);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => `${number}`.padStart(2, "0");
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Return the seconds that each player has left, some seconds after the server has told them. */
export function leftAfter({ left, running }, seconds) {
  return left.map((each, at) => (at + 1 === running ? Math.max(0, each - seconds) : each));
}

export class Clock {
  #told = null;
  #at = 0;
  #replayed = false;
  #timer = null;

  /** Take whether a game is replayed: then no clock runs. */
  greet({ replay }) {
    this.#replayed = replay !== null;
  }

  /** Show a state: whose clock runs, and the time of all who have one. */
  show({ clock, computers, names, called }) {
    this.#at = performance.now();
    this.#told = clock === null || this.#replayed ? null
      : { ...clock, computers, names: called.map((name, at) => names[at] || name) };
    const runs = this.#told !== null && this.#told.running !== null;
    if (runs !== (this.#timer !== null)) {
      clearInterval(this.#timer);
      this.#timer = runs ? setInterval(() => this.#count(), TICK_MS) : null;
    }
    this.#count();
  }

  #count() {
    const told = this.#told;
    const left = told && leftAfter(told, (performance.now() - this.#at) / 1000);
    for (const card of document.querySelectorAll("#players .player")) {
      const at = Number(card.dataset.player) - 1;
      const timed = told !== null && ["", OTHER_BOARD].includes(told.computers[at]);
      const shown = card.querySelector(".clock");
      card.classList.toggle("timed", timed);
      shown.hidden = !timed;
      if (!timed) continue;
      const time = written(left[at]);
      shown.classList.toggle("running", told.running === at + 1);
      shown.classList.toggle("short", left[at] < SHORT_S);
      write(shown, time);
      shown.setAttribute("aria-label", t("page.clock_left", { name: told.names[at], time }));
    }
  }
}
