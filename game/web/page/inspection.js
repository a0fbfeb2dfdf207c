/**
 * The card that says what is under a finger that rests on a cell, and what the board then tells of
 * it. It knows no game.
 */

import { html, write } from "./dom.js";

const MARGIN_PX = 8;

export class Inspection {
  #cell = null;
  #before = "";
  #message = "";
  #card = html("div", { class: "inspection", hidden: "" },
    html("strong", {}), html("p", {}));

  constructor() {
    document.body.append(this.#card);
  }

  /**
   * Show the card of a cell, hide it for null.
   * @returns whether the cell is to be pressed too: a piece that stays there is inspected by that
   */
  show(cell) {
    this.#cell = cell;
    this.#card.hidden = cell === null;
    if (cell === null) return false;
    this.#before = this.#message;
    this.#write();
    return Boolean(cell.dataset.standing) && !cell.dataset.edit;
  }

  /** Take a state's message: what it says of the piece stands on the card too. */
  follow({ message }) {
    this.#message = message;
    if (this.#cell !== null) this.#write();
  }

  #write() {
    write(this.#card.firstChild, this.#cell.getAttribute("aria-label"));
    write(this.#card.lastChild, this.#message === this.#before ? "" : this.#message);
    const { left, right, top, bottom } = this.#cell.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#card;
    const x = Math.min(Math.max(MARGIN_PX, (left + right - width) / 2),
      document.documentElement.clientWidth - width - MARGIN_PX);
    // Above the finger, where it covers nothing.
    const above = top - height - 4 * MARGIN_PX;
    this.#card.style.left = `${x}px`;
    this.#card.style.top = `${above > MARGIN_PX ? above : bottom + 4 * MARGIN_PX}px`;
  }
}
