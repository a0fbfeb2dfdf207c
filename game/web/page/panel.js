/**
 * The panel beside the board: the message, the commands, the outcome, the help. It shows states as
 * they come and decides nothing.
 */

import { byId, depict, html, onPress, unfold, write } from "./dom.js";
import { OTHER_BOARD } from "./games.js";
import { dismissed, giveCommand } from "./messages.js";
import { fill, t } from "./words.js";

const played = () => ({
  take_back: t("page.take_back"),
  redo: t("page.redo"),
  draw: t("page.draw"),
  resign: t("page.resign"),
});
/** The commands that each phase offers beside the board, and their labels. */
const OFFERED = {
  set_up: () => ({
    take_back: t("page.set_up_leave"),
    set_up: t("page.set_up_clear"),
    new_game: t("page.set_up_done"),
  }),
  // While pieces are laid out, the buttons are at the squares.
  arrange: () => ({ new_game: t("page.new_game") }),
  menu: () => ({ menu: t("page.menu_close") }),
  confirm: ({ rebuilding }) => ({
    confirm: rebuilding ? t("page.done") : t("page.stands_so"),
    new_game: t("page.new_game"),
  }),
  // Game over has its own button for a new game, beside the result.
  over: played,
  play: () => ({ ...played(), new_game: t("page.new_game") }),
};
/** The commands that ask for confirmation, which must not come from a double click. */
const ASKING = ["draw", "resign", "new_game"];
/** The commands that a strict game locks. */
const UNDOING = ["take_back", "redo"];
/** The commands that end a game. */
const ENDING = ["draw", "resign"];
/** The phases in which people can compare the board with the screen. */
const COMPARED = ["tap", "edit"];
/** The command of a phase that people most likely want. */
const FIRST_CHOICE = { set_up: "new_game", confirm: "confirm" };

/** A message with more letters is written smaller where it would need more room than there is. */
const LONG = 110;

export class Panel {
  #hello = null;

  /** @param send function that takes a message for the server */
  constructor(send) {
    for (const button of document.querySelectorAll("[data-command]")) {
      const name = button.dataset.command;
      const act = () => send(giveCommand(name));
      if (ASKING.includes(name)) onPress(button, act);
      else button.addEventListener("click", act);
    }
    unfold(byId("commands-more"));
    byId("no-answer").addEventListener("click", () => send(dismissed()));
    document.addEventListener("keydown", ({ key }) => {
      // In a dialog the key closes that.
      const dialog = document.querySelector("dialog[open]");
      if (key === "Escape" && !dialog && !byId("no-answer").hidden) send(dismissed());
    });
  }

  /** Show a hello message: names, texts, commands. */
  greet(hello) {
    this.#hello = hello;
    fill(document);
    write(byId("title"), hello.title);
    this.#nameReplay(hello);
  }

  /** Say which game is replayed; it looks like a game that is played. */
  #nameReplay({ title, lang, replay }) {
    const day = replay?.day && new Date(`${replay.day}T12:00`).toLocaleDateString(
      lang, { dateStyle: "long" });
    const lessons = { tutorial: "page.tutorial_of", puzzles: "page.puzzles_of" };
    const which = !replay ? "" : replay.lesson ? t(lessons[replay.lesson], { title }) : day
      ? t("page.replay_of", { number: replay.number, day })
      : t("page.replay", { number: replay.number });
    document.title = [which, title, "lifeboard"].filter(Boolean).join(" · ");
    document.body.toggleAttribute("data-replay", Boolean(replay));
    byId("replay").hidden = !replay;
    write(byId("replay"), which);
  }

  #setsUp() {
    return this.#hello.palette.length > 0 && !this.#hello.replay;
  }

  /** Show a state: commands and outcome; the message comes last. */
  show(state) {
    this.#command(state);
    // While a position is being set up, the ended game is not of interest.
    const over = state.outcome !== null && state.phase !== "set_up";
    byId("outcome").hidden = !over;
    if (over) {
      const { winner, text, about } = state.outcome;
      const seat = state.sides[winner - 1];
      depict(byId("winner"), seat ? `stone-${seat.token}` : "");
      byId("winner").parentElement.toggleAttribute("hidden", !seat);
      byId("outcome").dataset.player = winner ?? "";
      byId("outcome").dataset.side = seat?.side ?? "";
      write(byId("verdict"), text);
      write(byId("verdict-about"), about);
    }
    this.#say(state.notice, state.message, state.good_news);
  }

  #say(notice, message, good = false) {
    const line = byId("message");
    const text = [notice, message].filter(Boolean).join(" ");
    if (line.textContent === text) return;
    const news = html("strong", { class: good ? "good" : "alarm" }, notice);
    line.replaceChildren(...(notice ? [news, message && " "] : []), message);
    line.classList.toggle("long", text.length > LONG);
  }

  /** Show an error of the server in the message line, until the next state. */
  complain(text) {
    this.#say(text, "");
  }

  /** Show whether the link is there. */
  connected(open) {
    document.body.dataset.link = open ? "open" : "lost";
    const link = byId("link");
    if (open) {
      link.removeAttribute("data-words");
      write(link, "");
    } else if (this.#hello) {
      // Without a hello there are no texts yet, and the page still says that it is connecting.
      write(link, t("page.connection_lost"));
    }
  }

  #command(state) {
    const { confirm, phase, draft, redo, assistance, computers } = state;
    const offered = (OFFERED[phase] ?? OFFERED.play)(state);
    // The answer no stands where Take back was, which must not be taken for it.
    byId("no-answer").hidden = confirm === null;
    if (confirm !== null && confirm !== "take_back") delete offered.take_back;
    document.body.dataset.phase = phase;
    for (const button of byId("actions").querySelectorAll("[data-command]")) {
      const { command } = button.dataset;
      const asked = confirm === command;
      button.classList.toggle("asked", asked);
      button.classList.toggle("primary", FIRST_CHOICE[phase] === command);
      write(button, asked ? t("page.confirm") : offered[command] ?? "");
      button.hidden = !(command in offered) || !this.#hello.keys.includes(command)
        || (command === "draw" && !this.#hello.agreed_draws);
      if (command === "redo" && !redo) button.hidden = true;
      if (UNDOING.includes(command) && assistance === "strict" && !draft) button.hidden = true;
      button.disabled = (ENDING.includes(command) && phase === "over")
        || (confirm !== null && !asked);
      if (command === "new_game") {
        // It can still be pressed, and the table then explains why not.
        button.setAttribute("aria-disabled", Boolean(draft?.flaw));
      }
    }
    const again = document.querySelector("#outcome [data-command]");
    write(again, t("page.new_game"));
    again.hidden = Boolean(this.#hello.replay);
    byId("enter-set-up").hidden = !this.#setsUp() || computers.includes(OTHER_BOARD);
    // A board that senses its stones compares itself.
    const stones = this.#hello.sensing === "presence";
    byId("compare").hidden = stones || Boolean(this.#hello.replay) || !COMPARED.includes(phase);
  }
}
