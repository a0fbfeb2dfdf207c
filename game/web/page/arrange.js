/**
 * Where a player lays out their pieces in secret: squares and tray, tools for filling them, and
 * the button that submits. The tab stores the draft, also without a connection; the server decides
 * whether it is valid.
 */

import { byId, write } from "./dom.js";
import { Draft } from "./draft.js";
import { tab } from "./storage.js";
import { arrange } from "./messages.js";
import { SetUpSquares } from "./set_up_squares.js";
import { SetUps } from "./set_ups.js";
import { confirmButton } from "./confirm_button.js";
import { t } from "./words.js";

const DRAFT = "draft";

export class Arrange {
  #send;
  #plots = new SetUpSquares(() => this.#note());
  #setUps = new SetUps(() => this.#draft?.line ?? "", (line) => this.#load(line));
  #hello = null;
  #own = null;
  #dealt = "";
  #draft = null;
  #sealed = null;
  #waiting = false;
  #linked = false;

  /** @param send function that takes a message for the server, also of those who only watch */
  constructor(send) {
    this.#send = send;
    const change = (id, action) => byId(id).addEventListener("click", () => {
      action();
      this.#note();
    });
    change("arrange-random", () => this.#draft.scatter());
    change("arrange-mirror", () => this.#draft.map(this.#across(-1, 1)));
    change("arrange-undo", () => this.#draft.undo());
    confirmButton(byId("arrange-clear"), () => t("page.arrange_clear"), () => {
      this.#draft.clear();
      this.#note();
    });
    byId("arrange-seal").addEventListener("click", () => this.#seal());
    byId("arrange-change").addEventListener("click", () =>
      this.#ask(arrange(null)));
  }

  /** Take the board of a hello message, and what is printed on it. */
  greet(hello) {
    this.#hello = hello;
    this.#waiting = false;
    write(byId("arrange-clear"), t("page.arrange_clear"));
  }

  /** Take whether there is a connection. */
  connected(open) {
    this.#linked = open;
    this.#waiting = false;
    if (this.#own) this.#draw();
  }

  /** Show why the server has refused the set-up; return whether one was submitted. */
  complain(text) {
    if (!this.#waiting) return false;
    this.#waiting = false;
    write(byId("arrange-wrong"), text);
    this.#draw();
    return true;
  }

  /** Forget the draft: the next holder of the seat must not see it. */
  forget() {
    byId("arrange").hidden = true;
    this.#own = null;
    this.#draft = null;
    this.#dealt = "";
    tab.write(DRAFT, null);
    this.#plots.deal([], 0, []);
  }

  /** Show a state: squares and tray while this page's player has to lay out pieces. */
  show({ arranging = null, sides }) {
    const own = arranging?.own ?? null;
    this.#own = own;
    byId("arrange").hidden = own === null;
    document.body.toggleAttribute("data-arranges", own !== null);
    if (arranging === null) {
      // Play has begun, and the next game starts with an empty board.
      this.#draft = null;
      tab.write(DRAFT, null);
    }
    if (own === null) {
      // What is hidden must not be anywhere on the page.
      if (this.#dealt !== "") this.#plots.deal([], 0, []);
      this.#dealt = "";
      return;
    }
    byId("arrange").dataset.side = sides[own.player - 1].side;
    this.#deal(own);
    const sealed = own.laid && JSON.stringify(own.laid);
    if (sealed !== this.#sealed) {
      this.#sealed = sealed;
      this.#waiting = false;
      write(byId("arrange-wrong"), "");
      if (own.laid) this.#stand(own.laid);
    }
    this.#draw();
  }

  #deal(own) {
    const { cells } = this.#hello.board;
    const { printed = {}, game } = this.#hello;
    const dealt = JSON.stringify(
      [own.player, own.cells, own.pieces, printed, t("page.arrange_on")]);
    this.#setUps.show(game);
    if (dealt === this.#dealt) return;
    const anew = this.#draft === null || this.#draft.player !== own.player;
    this.#dealt = dealt;
    // Players sit on their own side: the top of the board is turned to them.
    const turn = own.cells.reduce((sum, cell) => sum + cells[cell].y, 0) < 0 ? -1 : 1;
    const places = own.cells.map((cell) => ({
      cell, x: turn * cells[cell].x, y: turn * cells[cell].y,
    }));
    const left = Math.min(...places.map(({ x }) => x));
    const bottom = Math.max(...places.map(({ y }) => y));
    const squares = places.map(({ cell, x, y }) => ({
      cell, column: Math.round(x - left), row: Math.round(bottom - y), printed: printed[cell],
    })).sort((one, two) => two.row - one.row || one.column - two.column);
    const columns = Math.max(...squares.map(({ column }) => column)) + 1;
    if (anew) {
      this.#draft = new Draft(own.cells, own.pieces.map(({ piece }) => piece));
      this.#draft.player = own.player;
      this.#sealed = null;
      const kept = tab.object(DRAFT);
      if (kept?.player === own.player && kept.pieces) this.#stand(kept.pieces);
    }
    this.#plots.deal(squares, columns, own.pieces);
  }

  /** Place pieces without an animation of the last move. */
  #stand(pieces) {
    this.#draft.fill(pieces);
    this.#draft.settle();
    this.#keep();
  }

  #keep() {
    tab.write(DRAFT, JSON.stringify({ player: this.#draft.player, pieces: this.#draft.pieces }));
  }

  /** Return the name of the square opposite one. */
  #across(aside, down) {
    const { cells } = this.#hello.board;
    return (cell) => Object.keys(cells).find((other) =>
      cells[cell] && cells[other].x === aside * cells[cell].x
        && cells[other].y === down * cells[cell].y);
  }

  /** Load a line; return what is wrong with it. */
  #load(line) {
    // Both sides have the same squares, mirrored.
    const { pieces, wrong } = this.#draft.read(line, this.#across(1, -1));
    if (wrong !== undefined) return t("page.arrange_bad_line", { part: wrong });
    if (Object.keys(pieces).length === 0) return t("page.arrange_nothing");
    this.#draft.fill(pieces);
    this.#note();
    return "";
  }

  #note() {
    write(byId("arrange-wrong"), "");
    this.#keep();
    this.#draw();
  }

  #ask(message) {
    this.#waiting = this.#send(message);
    this.#draw();
  }

  #seal() {
    this.#ask(arrange(this.#draft.pieces));
    // The button disappears once the set-up is submitted.
    byId("arrange-title").focus();
  }

  #draw() {
    const sealed = this.#own.laid !== null;
    const { count, codes, full, undoable } = this.#draft;
    byId("arrange").toggleAttribute("data-sealed", sealed);
    write(byId("arrange-count"), sealed ? t("page.arrange_is_sealed")
      : t("page.arrange_count", { count, of: codes.length }));
    byId("tray-part").hidden = sealed;
    byId("arrange-open").hidden = sealed;
    byId("arrange-how").hidden = sealed;
    byId("arrange-closed").hidden = !sealed;
    const still = this.#waiting || !this.#linked;
    byId("arrange-seal").disabled = !full || still;
    byId("arrange-change").disabled = still;
    byId("arrange-undo").disabled = !undoable;
    byId("arrange-clear").disabled = count === 0;
    byId("arrange-mirror").disabled = count === 0;
    this.#plots.show(this.#draft, sealed);
    this.#setUps.allow(!sealed);
  }
}
