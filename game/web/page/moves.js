/**
 * The moves of the game: pressing one shows the position after it. The one that is shown is marked
 * and in sight.
 */

import { button, byId, html, icon, write } from "./dom.js";

const MARGIN = 4;

export class Moves {
  #look;
  #moves = [];
  #current = null;

  /** @param look function that takes the number of moves after which to show the game */
  constructor(look) {
    this.#look = look;
  }

  /** Show the moves of a state; `at` is the one that is shown, null for the newest; and `marks` of some. */
  show({ moves }, at, marks) {
    const list = byId("moves");
    const pressed = list.contains(document.activeElement);
    const same = moves.findIndex((move, index) => move !== this.#moves[index]);
    const kept = same < 0 ? moves.length : same;
    this.#moves = moves;
    while (list.children.length > kept) list.lastChild.remove();
    list.append(...moves.slice(kept).map((move) => this.#item(move)));
    for (const { firstChild: button } of list.children) {
      const mark = marks[button.dataset.ply] ?? "";
      if (button.lastChild.textContent !== mark) {
        button.setAttribute("aria-label", `${button.title} ${mark}`);
        write(button.lastChild, mark);
      }
    }
    byId("no-moves").hidden = moves.length > 0;
    this.#mark(list, list.children[(at ?? moves.length) - 1]?.firstChild ?? null);
    if (pressed && !list.contains(document.activeElement)) {
      this.#current?.focus({ preventScroll: true });
    }
  }

  #item({ ply, player, side, token, text, label }) {
    return html("li", { "data-player": player, "data-side": side }, button(
      { class: "row", "aria-label": label, title: label, "data-ply": ply }, () => this.#look(ply),
      html("span", { class: "ply" }, `${ply}`), icon(`stone-${token}`, "mark"),
      html("span", {}, text), html("b"),
    ));
  }

  #mark(list, button) {
    if (button === this.#current && button?.isConnected !== false) return;
    this.#current?.removeAttribute("aria-current");
    this.#current = button;
    button?.setAttribute("aria-current", "true");
    if (button === null) {
      list.scrollTop = 0;
      return;
    }
    // Only the list scrolls, never the page.
    const [around, here] = [list, button].map((each) => each.getBoundingClientRect());
    list.scrollTop += Math.min(0, here.top - around.top - MARGIN)
      + Math.max(0, here.bottom - around.bottom + MARGIN);
  }
}
