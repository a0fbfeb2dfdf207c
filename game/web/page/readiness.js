/**
 * While players lay out their pieces: which have finished, visible to all, and the progress of a
 * player who does it on the board itself, under a cover. It never shows where a piece is.
 */

import { byId, html, icon, memory, repicture, write } from "./dom.js";
import { t } from "./words.js";

export class Readiness {
  #watched = true;
  #isNew = memory();

  /** Take whether this page only watches. */
  greet({ access }) {
    this.#watched = access === "watch";
  }

  /** Show a state. */
  show(state) {
    const { arranging = null, computers, sides, names, called, draft } = state;
    byId("readiness").hidden = arranging === null || draft !== null;
    if (arranging === null) return;
    const { sealed, covering } = arranging;
    const rows = sides.map(({ side, token }, index) => ({
      side, token, name: names[index] || called[index], ready: sealed.includes(index + 1),
      covered: covering?.player === index + 1,
    }));
    if (this.#isNew(rows, computers, t("page.arrange_ready"))) {
      byId("readiness-list").replaceChildren(...rows.map((row, at) => this.#row(row, at + 1)));
    }
    this.#cover(covering, rows);
    const all = rows.every(({ ready }) => ready);
    byId("cover-start").hidden = this.#watched || covering !== null || all;
    write(byId("cover-start"), t("page.cover_start"));
  }

  #row({ side, token, name, ready, covered }, player) {
    const says = ready ? t("page.arrange_ready")
      : covered ? t("page.arrange_covered") : t("page.arrange_not_ready");
    return html(
      "li", { class: "row", "data-player": player, "data-side": side, "data-ready": ready },
      icon(`stone-${token}`, "mark"), html("span", { class: "who" }, name),
      html("span", { class: "says" }, says),
    );
  }

  #cover(covering, rows) {
    byId("covering").hidden = covering === null;
    if (covering === null) return;
    const { player, count, of, next, word } = covering;
    const done = count >= of;
    const { name, side } = rows[player - 1];
    byId("covering").dataset.side = side;
    write(byId("covering-who"), t("page.cover_who", { name }));
    write(byId("covering-next"), done ? t("page.cover_done", { of })
      : t("page.cover_next", { piece: word, number: count + 1, of }));
    byId("covering-mark").toggleAttribute("hidden", done);
    if (!done) repicture(byId("covering-mark"), `stone-${next}`);
    const seal = byId("cover-seal");
    seal.disabled = !done;
    for (const button of [seal, byId("cover-back")]) button.hidden = this.#watched;
    write(seal, t("page.cover_seal"));
    write(byId("cover-back"), count > 0 ? t("page.cover_back") : t("page.cover_leave"));
  }
}
