/**
 * The fingers on the board: every pointer and the keyboard press a cell and lift from it. It turns
 * browser events into presses and moves the focus; it knows no game. Of a cell's state it knows
 * only whether it is masked.
 */

import { lift, press, touchCell } from "./messages.js";

const KEY = "key";
const ASSISTANT = "assistant";

export class Fingers {
  #board;
  #send;
  #suspect;
  #held = new Map();

  /** Whether the board is simulated, so that it senses this page's fingers. */
  felt = true;

  /** Whether this page only watches: then fingers scroll on the board as elsewhere. */
  watching = false;

  /**
   * @param board the Board whose cells are pressed
   * @param send function that takes a message and returns whether it went
   * @param suspect function that takes the cell of a real board that is pressed here
   */
  constructor(board, send, suspect = () => {}) {
    this.#board = board;
    this.#send = send;
    this.#suspect = suspect;
    this.#listenToPointers(board.root);
    this.#listenToKeys(board.root);
    window.addEventListener("blur", () => this.#liftAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.#liftAll());
  }

  /** Forget every finger without a message: the server lifts them itself when the link is lost. */
  forget() {
    for (const pointer of [...this.#held.keys()]) this.#release(pointer);
  }

  #press(pointer, cell) {
    this.#lift(pointer);
    if (cell.dataset.trouble === "masked") {
      // A masked cell senses no finger, so the touch itself is sent, on a real board too.
      this.#send(touchCell(cell.dataset.cell));
      return;
    }
    if (!this.felt) {
      this.#suspect(cell.dataset.cell);
      return;
    }
    if (!this.#send(press(pointer, cell.dataset.cell))) return;
    this.#held.set(pointer, cell);
    cell.classList.add("pressed");
  }

  #lift(pointer) {
    if (this.#release(pointer)) this.#send(lift(pointer));
  }

  #release(pointer) {
    const cell = this.#held.get(pointer);
    this.#held.delete(pointer);
    if (cell && ![...this.#held.values()].includes(cell)) cell.classList.remove("pressed");
    return cell;
  }

  #liftAll() {
    for (const pointer of [...this.#held.keys()]) this.#lift(pointer);
  }

  #listenToPointers(root) {
    root.addEventListener("pointerdown", (event) => {
      const cell = this.#cellOf(event);
      if (!cell || event.button !== 0 || this.watching) return;
      cell.setPointerCapture(event.pointerId);
      this.#press(`pointer${event.pointerId}`, cell);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      root.addEventListener(end, (event) => this.#lift(`pointer${event.pointerId}`));
    }
    // A long touch would otherwise scroll, select or open a menu instead of holding the stone;
    // touch-action alone does not reach SVG children in every browser.
    root.addEventListener(
      "touchstart",
      (event) => !this.watching && this.#cellOf(event) && event.preventDefault(),
      { passive: false },
    );
    root.addEventListener("contextmenu", (event) => {
      if (this.#cellOf(event)) event.preventDefault();
    });
    // Screen readers activate a button by a click that no pointer made.
    root.addEventListener("click", (event) => {
      const cell = this.#cellOf(event);
      if (!cell || (event.detail !== 0 && !this.watching)) return;
      this.#press(ASSISTANT, cell);
      this.#lift(ASSISTANT);
    });
  }

  #listenToKeys(root) {
    root.addEventListener("keydown", (event) => {
      const cell = this.#cellOf(event);
      if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === " " || event.key === "Enter") {
        if (!event.repeat) this.#press(KEY, cell);
      } else if (!this.#board.walk(cell.dataset.cell, event.key)) {
        return;
      }
      event.preventDefault();
    });
    root.addEventListener("keyup", (event) => {
      if (event.key === " " || event.key === "Enter") this.#lift(KEY);
    });
    // On the document, since Chromium lets the tab key stop at an SVG group that listens to focus.
    document.addEventListener("focusin", (event) => {
      const cell = this.#cellOf(event);
      if (cell) this.#board.stopAt(cell.dataset.cell);
    });
    document.addEventListener("focusout", () => this.#lift(KEY));
  }

  #cellOf(event) {
    return event.target.closest("[data-cell]");
  }
}
