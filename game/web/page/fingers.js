/**
 * The fingers on the board: every pointer and the keyboard press a cell and lift from it. It turns
 * browser events into presses and moves the focus; it knows no game. Of a cell's state it knows
 * only whether it is masked. On a touch screen a tap presses, a swipe scrolls, and a finger that
 * rests inspects.
 */

import { lift, press, touched } from "./messages.js";

const KEY = "key";
const ASSISTANT = "assistant";
/** All taps are of one finger, so that the board feels one after the other. */
const TAP = "tap";
/** So long does a finger rest before it inspects, and so far may it stray, in pixels. */
const REST_MS = 450;
const STRAY_PX = 10;

export class Fingers {
  #board;
  #send;
  #suspect;
  #inspect;
  #held = new Map();
  #resting = null;

  /** Whether the board is simulated, so that it senses this page's fingers. */
  felt = true;

  /** Whether this page only watches: then fingers scroll on the board as elsewhere. */
  watching = false;

  /**
   * @param board the Board whose cells are pressed
   * @param send function that takes a message and returns whether it went
   * @param suspect function that takes the cell of a real board that is pressed here
   * @param inspect function that takes the cell on which a finger rests, later null, and returns
   *   whether it is to be pressed too; without it fingers press at once, as a maker's tool needs it
   */
  constructor(board, send, suspect = () => {}, inspect = null) {
    this.#board = board;
    this.#inspect = inspect;
    this.#send = send;
    this.#suspect = suspect;
    this.#listenToPointers(board.root);
    this.#listenToKeys(board.root);
    window.addEventListener("blur", () => this.#liftAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.#liftAll());
  }

  /** Forget every finger without a message: the server lifts them itself when the link is lost. */
  forget() {
    this.#leave();
    for (const pointer of [...this.#held.keys()]) this.#release(pointer);
  }

  #press(pointer, cell) {
    this.#lift(pointer);
    if (cell.dataset.trouble === "masked") {
      // A masked cell senses no finger, so the touch itself is sent, on a real board too.
      this.#send(touched(cell.dataset.cell));
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
    this.#leave();
    for (const pointer of [...this.#held.keys()]) this.#lift(pointer);
  }

  /** Wait whether a finger that has come down on a screen taps, rests, or goes on. */
  #rest(cell, { pointerId, clientX: x, clientY: y }) {
    const timer = setTimeout(() => {
      this.#resting.inspects = true;
      if (this.#inspect(cell) && this.felt) this.#press(TAP, cell);
    }, REST_MS);
    this.#resting = { pointerId, cell, x, y, timer, inspects: false };
    cell.classList.add("pressed");
  }

  /** Forget the finger that taps or rests; return it. */
  #leave() {
    const finger = this.#resting;
    if (finger === null) return null;
    this.#resting = null;
    clearTimeout(finger.timer);
    finger.cell.classList.remove("pressed");
    if (finger.inspects) {
      this.#inspect(null);
      this.#lift(TAP);
    }
    return finger;
  }

  #listenToPointers(root) {
    root.addEventListener("pointerdown", (event) => {
      const cell = this.#cellOf(event);
      // With a second finger both of them zoom.
      if (this.#resting !== null) this.#leave();
      if (!cell || event.button !== 0 || this.watching) return;
      if (event.pointerType === "touch" && this.#inspect) {
        if (event.isPrimary) this.#rest(cell, event);
        return;
      }
      cell.setPointerCapture(event.pointerId);
      this.#press(`pointer${event.pointerId}`, cell);
    });
    const resting = (event) => this.#resting?.pointerId === event.pointerId;
    root.addEventListener("pointermove", (event) => {
      if (!resting(event) || this.#resting.inspects) return;
      const { x, y } = this.#resting;
      if (Math.hypot(event.clientX - x, event.clientY - y) > STRAY_PX) this.#leave();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      root.addEventListener(end, (event) => {
        const finger = resting(event) ? this.#leave() : null;
        if (finger && end === "pointerup" && !finger.inspects) {
          this.#press(TAP, finger.cell);
          this.#lift(TAP);
        }
        this.#lift(`pointer${event.pointerId}`);
      });
    }
    // A finger that presses at once must not scroll, select or open a menu instead; touch-action
    // alone does not reach SVG children in every browser.
    root.addEventListener(
      "touchstart",
      (event) => !this.watching && !this.#inspect && this.#cellOf(event) && event.preventDefault(),
      { passive: this.#inspect !== null },
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
      if (!cell) return;
      this.#board.stopAt(cell.dataset.cell);
      // Chromium scrolls to SVG downward only.
      if (cell.matches(":focus-visible")) cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    document.addEventListener("focusout", () => this.#lift(KEY));
  }

  #cellOf(event) {
    return event.target.closest("[data-cell]");
  }
}
