/**
 * The controls of puzzles: which one is on the board, a hint, the next one, and the list of all by
 * grade with that of the day. The server decides what is right, and what is solved.
 */

import { button, byId, closing, dialog, html, icon, write } from "./dom.js";
import { giveCommand, look } from "./messages.js";
import { fill, t } from "./words.js";

const GRADES = ["page.puzzle_grade1", "page.puzzle_grade2", "page.puzzle_grade3", "page.puzzle_grade4"];

export class Puzzles {
  #send;
  #play;
  #bar = null;
  #own = html("span");
  #dialog = null;
  #told = null;

  /**
   * @param send function that takes a message for the server
   * @param play function that goes back to the game
   */
  constructor(send, play) {
    this.#send = send;
    this.#play = play;
  }

  /** Take a hello message: whether this page shows puzzles. */
  greet({ replay }) {
    this.#bar?.remove();
    this.#own.remove();
    this.#bar = null;
    document.body.toggleAttribute("data-puzzles", replay?.lesson === "puzzles");
    if (replay?.lesson !== "puzzles") {
      this.#dialog?.close();
      return;
    }
    const command = (id, name, ...inside) =>
      button({ id, class: "row" }, () => this.#send(giveCommand(name)), ...inside);
    this.#bar = html(
      "div", { class: "lesson row", role: "group", "data-words-label": "page.puzzles" },
      // Until the first puzzle is shown there is no list of them.
      button({ id: "puzzle-list", "aria-haspopup": "dialog", disabled: "" }, () => this.#open()),
      command("puzzle-hint", "hint", icon("bulb", "icon"), html("span", { "data-words": "page.hint" })),
      command("puzzle-next", "confirm", html("span", { "data-words": "page.step_next" })),
      button({ id: "to-game", "data-words": "page.to_game" }, this.#play),
    );
    byId("replay").append(this.#own);
    byId("board-bar").append(this.#bar);
    fill(byId("board-bar"));
  }

  /** Show a state: which puzzle is on the board, its rating, and one's own. */
  show({ lesson, puzzles, cells }) {
    if (!this.#bar || !puzzles) return;
    this.#told = { at: lesson.step, ...puzzles };
    const { rating, own } = puzzles;
    byId("puzzle-list").disabled = false;
    write(byId("puzzle-list"), t("page.puzzle_at", { number: lesson.step, rating }));
    write(this.#own, own ? ` · ${t("page.puzzle_rating", { rating: own })}` : "");
    const done = Object.values(cells).some(({ cue }) => cue === "win");
    byId("puzzle-hint").disabled = done;
    byId("puzzle-next").classList.toggle("primary", done);
  }

  #open() {
    this.#dialog ??= dialog("puzzles", "page.puzzles",
      html("p", { id: "puzzle-count" }), html("p", { id: "puzzle-streak" }),
      button({ id: "puzzle-daily" }, () => this.#choose(giveCommand("new_game"))),
      html("div", { id: "puzzle-grades" }), closing());
    fill(this.#dialog);
    this.#list();
    this.#dialog.showModal();
    this.#dialog.firstChild.focus();
  }

  #choose(message) {
    this.#send(message);
    this.#dialog.close();
  }

  #list() {
    const { at, grades, solved, daily, streak } = this.#told;
    const done = (number) => solved[number - 1];
    write(byId("puzzle-count"),
      t("page.puzzles_solved", { count: solved.filter(Boolean).length, of: grades.length }));
    write(byId("puzzle-streak"), streak ? t("page.puzzle_streak", { count: streak }) : "");
    write(byId("puzzle-daily"), done(daily) ? t("page.puzzle_daily_solved") : t("page.puzzle_daily"));
    byId("puzzle-daily").classList.toggle("primary", !done(daily));
    const numbers = grades.map((_, index) => index + 1);
    byId("puzzle-grades").replaceChildren(...GRADES.flatMap((grade, index) => {
      const those = numbers.filter((number) => grades[number - 1] === index + 1);
      return those.length === 0 ? [] : [
        html("h3", { class: "caption" }, t(grade)),
        html("div", { class: "numbers" }, ...those.map((number) => button(
          {
            class: done(number) ? "solved" : "",
            "aria-label": t(done(number) ? "page.puzzle_solved" : "page.puzzle", { number }),
            ...(number === at && { "aria-current": "true" }),
          }, () => this.#choose(look(number)), String(number)))),
      ];
    }));
  }
}
