/**
 * Faults: a banner while play pauses or the game is not saved, and the cells that cannot be
 * sensed. It offers to play without such cells, and to sense them again; the server reports them,
 * or people who press a cell of a real board here because it senses nothing there.
 */

import { byId, html, unfold } from "./dom.js";
import { maskChanged } from "./messages.js";
import { t } from "./words.js";

export class Trouble {
  #missing = [];
  #masked = [];
  #dead = "";
  #ply = 0;
  #stones = false;

  /** @param send function that takes a message for the server */
  constructor(send) {
    unfold(byId("unsaved-more"));
    // The message has all cells that are masked from now on.
    byId("mask").addEventListener("click", () =>
      send(maskChanged([...this.#masked, ...this.#missing])));
    byId("unmask").addEventListener("click", () => send(maskChanged([])));
    byId("mask-dead").addEventListener("click", () =>
      send(maskChanged([...this.#masked, this.#dead])));
  }

  /** Take whether the board senses standing stones, else touches. */
  greet({ sensing }) {
    this.#stones = sensing === "presence";
  }

  /** Offer to play without a cell that people pressed here although the board is a real one. */
  suspect(cell) {
    this.#dead = cell;
    byId("dead").hidden = false;
    byId("dead-cell").textContent = t(this.#stones ? "page.dead_stones" : "page.dead", { cell });
    byId("mask-dead").textContent = t("page.mask_one", { cell });
  }

  /** Show why play pauses or is not saved, the cells that are missing, and those that are masked. */
  show({ unsaved, faults, missing, masked, ply }) {
    byId("unsaved").hidden = unsaved === null;
    this.#say(byId("unsaved-why"), unsaved === null ? [] : [unsaved]);
    this.#missing = missing;
    this.#masked = masked;
    // Play has gone on, or goes on without the cell: the offer is obsolete.
    if (masked.includes(this.#dead) || ply !== this.#ply) byId("dead").hidden = true;
    this.#ply = ply;
    byId("trouble").hidden = faults.length === 0;
    byId("mask").hidden = missing.length === 0;
    this.#say(byId("reasons"), faults);
    byId("unfelt").hidden = masked.length === 0;
    this.#say(byId("unfelt-cells"), masked.length === 0 ? [] : [
      t("page.unfelt", { cells: masked.join(", ") }),
    ]);
  }

  #say(element, texts) {
    // Unchanged text is left alone: screen readers would say it again.
    const said = [...element.children].map((line) => line.textContent);
    if (JSON.stringify(said) === JSON.stringify(texts)) return;
    element.replaceChildren(...texts.map((text) => html("p", {}, text)));
  }
}
