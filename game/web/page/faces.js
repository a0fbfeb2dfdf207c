/**
 * The two faces of an attack, large, with its result, until they are covered. It looks like a
 * dialog but is not modal: the board, too, can cover them.
 */

import { byId, html, icon, write } from "./dom.js";
import { t } from "./words.js";

export class Faces {
  #watched = true;
  #shown = "";

  /** Take whether this page only watches. */
  greet({ access }) {
    this.#watched = access === "watch";
  }

  /** Show a state: the faces of {cells, text}, or nothing. */
  show({ faces = null, phase, draft }) {
    const there = faces !== null && draft === null && phase !== "menu";
    byId("faces").hidden = !there;
    if (!there) {
      this.#shown = "";
      byId("faces-list").replaceChildren();
      write(byId("faces-result"), "");
      return;
    }
    byId("cover-faces").hidden = this.#watched;
    write(byId("cover-faces"), t("page.faces_cover"));
    const shown = JSON.stringify(faces.cells);
    if (shown !== this.#shown) {
      this.#shown = shown;
      byId("faces-list").replaceChildren(...Object.entries(faces.cells).map(
        ([cell, { piece, word, side }]) => html(
          "li", { "data-side": side, "data-face": piece },
          icon(`stone-${piece}`, "mark"),
          html("span", {}, t("page.faces_at", { cell, piece: word })),
        )));
    }
    write(byId("faces-result"), faces.text);
  }
}
