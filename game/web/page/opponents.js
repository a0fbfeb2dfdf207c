/**
 * The players: for each a person, or the computer at one of its levels. People choose in a dialog,
 * for the present game or for a new one; the server stores it.
 */

import { byId, html, icon, write } from "./dom.js";
import { setOpponents } from "./messages.js";
import { t } from "./words.js";

const PERSON = "";

/** Return a level's name within a sentence; its plain name where the server has no word. */
export function worded(level, levels) {
  return levels.find((each) => each.level === level)?.text ?? level;
}

export class Opponents {
  #send;
  #hello = null;
  #state = null;
  #chosen = [];
  #seats = [];

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    const dialog = byId("opponents");
    byId("who-plays").addEventListener("click", () => this.#open());
    byId("opponents-no").addEventListener("click", () => dialog.close(""));
    dialog.addEventListener("close", () => {
      const how = dialog.returnValue;
      if (how) send(setOpponents(this.#chosen, how === "new"));
    });
  }

  /** Take the players and levels of a hello message. */
  greet(hello) {
    this.#hello = hello;
    if (byId("opponents").open) this.#deal();
  }

  /** Take a state: who plays now, and what can be changed. */
  show(state) {
    this.#state = state;
    // An ended game has no more moves, and a set-up is not a game yet.
    byId("opponents-on").hidden = state.outcome !== null && state.draft === null;
    byId("opponents-new").hidden = state.draft !== null;
    this.#call();
  }

  #open() {
    this.#chosen = [...this.#state.computers];
    this.#deal();
    byId("opponents").returnValue = "";
    byId("opponents").showModal();
  }

  #deal() {
    this.#seats = this.#hello.players.map((player, index) => this.#seat(player, index));
    byId("seats").replaceChildren(...this.#seats.map(({ seat }) => seat));
    this.#call();
  }

  #call() {
    this.#seats.forEach(({ who }, index) => {
      write(who, this.#state.names[index] || this.#state.called[index]);
    });
  }

  #seat({ number }, index) {
    const { side, token } = this.#state.sides[index];
    const who = html("span", { class: "who" });
    const said = html("p", { class: "said", "aria-hidden": "true" });
    const say = () => write(said, this.#describe(this.#chosen[index]));
    const choices = [PERSON, ...this.#hello.levels.map(({ level }) => level)].map((level) => {
      const input = html("input", {
        type: "radio", name: `seat-${number}`, value: level, "aria-label": this.#describe(level),
      });
      input.checked = level === this.#chosen[index];
      input.addEventListener("change", () => {
        this.#chosen = this.#chosen.with(index, level);
        say();
      });
      return html("label", { class: "choice", title: this.#describe(level) }, input,
        this.#picture(level));
    });
    say();
    const seat = html(
      "fieldset", { class: "seat", "data-player": number, "data-side": side },
      html("legend", {}, icon(`stone-${token}`, "mark"), who), said,
      html("div", { class: "choices" }, ...choices),
    );
    return { seat, who };
  }

  #picture(level) {
    if (level === PERSON) return icon("person", "icon");
    return /^\d+$/.test(level) ? html("span", {}, level) : icon("dice", "icon");
  }

  #describe(level) {
    if (level === PERSON) return t("page.person");
    const known = this.#hello.levels.find((each) => each.level === level);
    const computer = t("page.computer", { level: worded(level, this.#hello.levels) });
    return !known || known.name === known.text ? computer
      : t("page.computer_named", { computer, name: known.name });
  }
}
