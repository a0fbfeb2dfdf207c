/**
 * Setting up a position: in place of the players' cards, what the next press sets, the scores, and
 * who moves next. The position itself is on the board; the server decides whether it is valid.
 */

import { button, byId, html, icon, memory, write } from "./dom.js";
import { selectPiece, setPiece, setScore } from "./messages.js";
import { t } from "./words.js";

/** How long the page's own newest count is shown rather than an older one that still arrives. */
const ANSWER_MS = 800;

export class SetUp {
  #send;
  #hello = null;
  #isNew = memory();
  #sides = [];
  #cards = [];
  #brushes = new Map();
  #cells = {};
  #draft = null;
  #tally = null;
  #target = null;
  #told = -Infinity;
  #typing = new Set();

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
  }

  /** Take the players and the palette of a hello message. */
  greet(hello) {
    this.#hello = hello;
  }

  /** Whether a position is being set up. */
  get active() {
    return this.#draft !== null;
  }

  get #watched() {
    return this.#hello.access === "watch";
  }

  /** Put the chosen piece on a cell of a real board, or clear it there; hands follow the lights. */
  lay(cell) {
    const piece = this.#cells[cell].piece ? "" : this.#draft.brush;
    this.#send(setPiece(cell, piece));
  }

  /** Show a state: the cards only while there is a draft. */
  show({ draft, cells, target, names, sides, called }) {
    byId("set-up").hidden = draft === null;
    this.#sides = sides;
    if (this.#hello.palette.length > 0) this.#deal();
    this.#cells = cells;
    this.#target = target;
    this.#draft = draft;
    if (draft === null) {
      this.#tally = null;
      this.#typing.clear();
      for (const { card } of this.#cards) card.classList.remove("on");
      return;
    }
    const said = { score: draft.score, to_move: draft.to_move };
    const answered = JSON.stringify(said) === JSON.stringify(this.#tally);
    if (answered || performance.now() - this.#told > ANSWER_MS) {
      this.#tally = said;
      this.#told = -Infinity;
    }
    for (const [piece, brush] of this.#brushes) brush.checked = piece === draft.brush;
    this.#cards.forEach(({ who }, index) => write(who, names[index] || called[index]));
    this.#count();
  }

  #deal() {
    const { players, palette, access } = this.#hello;
    if (!this.#isNew(players, palette, access, this.#sides)) return;
    this.#brushes.clear();
    this.#cards = players.map((player, index) => this.#card(player, index));
    const nobodys = palette.filter(({ side }) => side === null);
    const shared = nobodys.length === 0 ? [] : [html(
      "div", { class: "brushes shared" }, ...nobodys.map((each) => this.#brush(each)))];
    byId("set-up").replaceChildren(...this.#cards.map(({ card }) => card), ...shared);
    for (const input of byId("set-up").querySelectorAll("input")) input.disabled = this.#watched;
  }

  #card({ number, name }, index) {
    const seat = this.#sides[index];
    const own = this.#hello.palette.filter(({ side }) => side === seat.side);
    const who = html("span", { class: "who" });
    const value = html("input", {
      type: "number", class: "value", min: 0, step: 1, inputmode: "numeric",
      "aria-label": t("page.score_of", { name, what: this.#hello.score_word }),
    });
    const step = (by, label, sign) =>
      button({ class: "step", "aria-label": label }, () => this.#add(index, by), sign);
    const less = step(-1, t("page.one_less", { name }), "−");
    const more = step(1, t("page.one_more", { name }), "+");
    const most = html("span", { class: "most", "aria-hidden": "true" });
    const mover = html("input", {
      type: "radio", name: "mover", value: number,
      "aria-label": t("page.moves_next_of", { name }),
    });
    value.addEventListener("input", () => this.#typing.add(index));
    value.addEventListener("change", () => {
      this.#typing.delete(index);
      this.#add(index, Number(value.value) - this.#tally.score[index]);
    });
    value.addEventListener("blur", () => {
      this.#typing.delete(index);
      if (this.#tally !== null) this.#count();
    });
    mover.addEventListener("change", () => this.#say({ to_move: number }));
    const steps = html("div", { class: "steps" }, less,
      html("label", { class: "tally row" }, value, most), more);
    const card = html(
      "article", { class: "player card", "data-player": number, "data-side": seat.side },
      html("div", { class: "brushes" }, ...own.map((each) => this.#brush(each))),
      html("h2", {}, who),
      html("label", { class: "next row" }, mover, html("span", {}, t("page.to_move"))),
      steps,
    );
    return { card, who, value, most, mover, less, more, steps };
  }

  #brush({ piece, word }) {
    const input = html("input", {
      type: "radio", name: "brush", value: piece, "aria-label": t("page.brush", { piece: word }),
    });
    input.addEventListener("change", () => this.#send(selectPiece(piece)));
    this.#brushes.set(piece, input);
    return html("label", { class: "brush", title: word }, input, icon(`stone-${piece}`, "mark"));
  }

  #add(index, by) {
    const most = this.#target === null ? 9999 : this.#target - 1;
    const wanted = Math.round(this.#tally.score[index] + by) || 0;
    this.#say({
      score: this.#tally.score.with(index, Math.max(0, Math.min(wanted, most))),
    });
  }

  /** Send and show at once a change of the score or of the player to move. */
  #say(change) {
    this.#tally = { ...this.#tally, ...change };
    this.#told = performance.now();
    this.#count();
    this.#send(setScore(this.#tally.score, this.#tally.to_move));
  }

  #count() {
    const { score, to_move } = this.#tally;
    this.#cards.forEach(({ card, value, most, mover, less, more, steps }, index) => {
      const { number } = this.#hello.players[index];
      card.classList.toggle("on", number === to_move);
      mover.checked = number === to_move;
      // Where no score wins it follows from the pieces.
      steps.hidden = this.#target === null;
      // A count that is being typed must not be overwritten.
      if (!this.#typing.has(index)) value.value = score[index];
      write(most, this.#target === null ? "" : `/ ${this.#target}`);
      less.disabled = this.#watched || score[index] === 0;
      more.disabled = this.#watched
        || (this.#target !== null && score[index] >= this.#target - 1);
    });
  }
}
