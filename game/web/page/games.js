/**
 * The buttons for games: New game, Players, Rematch, Past games and another board. What all but
 * Rematch open is loaded when it is first wanted.
 */

import { byId, onPress } from "./dom.js";
import { startGame } from "./messages.js";
import { t } from "./words.js";

/** Stands among the computer players for a player at another board. */
export const OTHER_BOARD = "board";
/** The phases in which New game means something else. */
const OTHERWISE = ["set_up", "menu"];

/** Return a level's name within a sentence; its plain name where the server has no word. */
export function worded(level, levels) {
  return levels.find((each) => each.level === level)?.text ?? level;
}

/** Return who plays for somebody: another board, or a computer at a level. */
export function played(level, levels) {
  return level === OTHER_BOARD ? t("page.other_board") : t("page.computer", { level: worded(level, levels) });
}

export class Games {
  #send;
  #hello = null;
  #state = null;
  #opened = new Map();

  /** @param send function that takes a message for the server, and returns whether it went */
  constructor(send) {
    this.#send = send;
    byId("who-plays").addEventListener("click", () => this.#open("./chooser.js", true));
    byId("past-games").addEventListener("click", () => this.#open("./past_games.js"));
    byId("other-board").addEventListener("click", () => this.#open("./room.js"));
    onPress(byId("rematch"), () => this.#rematch());
  }

  /** Take the game of a hello message: a replay offers no other. */
  greet(hello) {
    this.#hello = hello;
    byId("past-games").hidden = hello.replay !== null;
    // Another board would know what is hidden, and a room has two boards.
    byId("other-board").hidden = hello.replay !== null || hello.access === "watch" || hello.hidden
      || hello.players.length !== 2;
  }

  /** Take a state: what a new game would begin with. */
  show(state) {
    this.#state = state;
    byId("rematch").hidden = state.outcome === null || this.#hello.replay !== null
      || this.#hello.access === "watch";
    for (const dialog of this.#opened.values()) dialog.show(this.#hello, state);
  }

  /** Show why the server has refused a room; return whether one was asked for. */
  complain(text) {
    return this.#opened.get("./room.js")?.complain(text) ?? false;
  }

  /** Open the chooser in place of sending a command; return whether the command meant that. */
  takes({ do: what, name }) {
    if (what !== "command" || name !== "new_game" || this.#hello.replay !== null) return false;
    // The key of the board asks for confirmation, which the same button gives.
    if (OTHERWISE.includes(this.#state.phase) || this.#state.confirm === name) return false;
    if (this.#hello.access === "watch") return false;
    // What is agreed with another board is asked of it.
    if (this.#state.computers.includes(OTHER_BOARD)) return false;
    this.#open("./chooser.js", false);
    return true;
  }

  async #open(module, ...how) {
    if (!this.#opened.has(module)) {
      const { Dialog } = await import(module);
      this.#opened.set(module, new Dialog(this.#send));
    }
    const dialog = this.#opened.get(module);
    dialog.show(this.#hello, this.#state);
    await dialog.open(...how);
  }

  /** Begin again with sides exchanged: the players change places, or where they hold seats, begin. */
  #rematch() {
    const { game, hidden } = this.#hello;
    const { options, computers, names } = this.#state;
    const next = (list) => [...list.slice(1), list[0]];
    const first = hidden ? String((Number(options.first) % names.length) + 1) : options.first;
    const [whose, who] = hidden ? [computers, names] : [next(computers), next(names)];
    this.#send(startGame(game, { ...options, first }, whose, who));
  }
}
