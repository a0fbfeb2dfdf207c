/**
 * The squares on which a player lays out pieces, and the tray with the rest: by dragging, by
 * choosing a piece and then a square, or by keys. It changes a Draft and knows neither the server
 * nor the storage.
 */

import { square } from "./art.js";
import { byId, depict, html, svg, write } from "./dom.js";
import { Drag } from "./drag.js";
import { t } from "./words.js";

const AHEAD = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};
/** Extra cost of a step sideways. */
const ASIDE = 3;

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Find the next element in the direction of an arrow key, if there is one. */
function beside(element, others, key) {
  const [dx, dy] = AHEAD[key];
  const [x, y] = middle(element);
  let [best, least] = [null, Infinity];
  for (const other of others) {
    const [to, down] = middle(other);
    const ahead = (to - x) * dx + (down - y) * dy;
    const aside = Math.abs((to - x) * dy) + Math.abs((down - y) * dx);
    const cost = ahead + ASIDE * aside;
    if (ahead > 1 && aside <= ahead && cost < least) [best, least] = [other, cost];
  }
  return best;
}

/** The square or the piece of the tray to which an element belongs, if any. */
function buttonOf(element) {
  return element.closest("[data-square], [data-slot]");
}

export class SetUpSquares {
  #changed;
  #squares = new Map();
  #slots = [];
  #draft = null;
  #words = [];
  #printed = {};
  #fixed = false;
  #picked = null;
  #drag;

  /** @param changed called when something has been laid out otherwise */
  constructor(changed) {
    this.#changed = changed;
    const places = [byId("plots"), byId("tray")];
    for (const place of places) {
      place.addEventListener("click", (event) => this.#click(event));
      place.addEventListener("keydown", (event) => this.#key(event, place));
      // The tab stop is the element that had the focus last.
      place.addEventListener("focusin", ({ target }) => this.#stopAt(place, target));
    }
    this.#drag = new Drag(places, {
      held: (element) => this.#held(element),
      begin: () => {
        this.#pick(null);
        byId("arrange").classList.add("dragging");
      },
      over: (x, y) => this.#showOver(this.#under(x, y)),
      end: () => {
        byId("arrange").classList.remove("dragging");
        this.#showOver(null);
      },
      drop: (from, x, y) => this.#drop(buttonOf(from), this.#under(x, y)),
      press: (element) => this.#pressOn(element, false),
    });
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#letGo());
  }

  /**
   * Show squares and tray anew.
   * @param squares list of {cell, printed}, row by row as the player sees them
   * @param columns how many of them stand side by side
   * @param pieces list of {piece, word} in the order of the tray
   */
  deal(squares, columns, pieces) {
    this.#letGo();
    this.#words = pieces.map(({ word }) => word);
    const wordOf = (printed) =>
      pieces.find(({ piece }) => piece.slice(1) === printed)?.word ?? "";
    this.#printed = Object.fromEntries(squares.map(({ cell, printed }) =>
      [cell, wordOf(printed)]));
    this.#squares = new Map(squares.map(({ cell, printed }) =>
      [cell, this.#square(cell, printed)]));
    this.#slots = pieces.map(({ piece }, number) => this.#slot(piece, number));
    byId("plots").style.setProperty("--columns", columns);
    byId("plots").replaceChildren(...[...this.#squares.values()].map(({ button }) => button));
    byId("tray").replaceChildren(...this.#slots);
    for (const [place, first] of [["plots", squares[0]?.cell], ["tray", "0"]]) {
      const button = [...byId(place).children].find(({ dataset }) =>
        (dataset.square ?? dataset.slot) === first);
      if (button) this.#stopAt(byId(place), button);
    }
  }

  #square(cell, printed) {
    const stone = svg("use", { class: "stone" });
    const name = svg("text", { class: "name", "aria-hidden": "true" }, cell);
    const picture = svg(
      "svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true", focusable: "false" },
      svg("rect", { class: "well", x: -0.46, y: -0.46, width: 0.92, height: 0.92 }),
      ...square(printed), stone, name,
    );
    const button = html("button", {
      type: "button", class: "plot", "data-square": cell, "data-laid": "", tabindex: "-1",
    }, picture);
    return { button, stone };
  }

  #slot(piece, number) {
    return html(
      "button", {
        type: "button", class: "slot-of-tray", "data-slot": number, "data-code": piece,
        tabindex: "-1",
      },
      svg("svg", { viewBox: "-.4 -.4 .8 .8", "aria-hidden": "true", focusable: "false" },
        svg("use", { href: `#stone-${piece}` })),
    );
  }

  #stopAt(place, target) {
    const button = buttonOf(target);
    if (!button) return;
    for (const other of place.children) other.tabIndex = other === button ? 0 : -1;
  }

  /** Show the pieces of a draft; `fixed` disables moving. */
  show(draft, fixed) {
    this.#draft = draft;
    this.#fixed = fixed;
    if (fixed) this.#letGo();
    for (const [cell, { button, stone }] of this.#squares) {
      const number = draft.at(cell);
      const code = draft.codes[number] ?? "";
      const values = { cell, piece: this.#words[number], printed: this.#printed[cell] };
      const label = number === undefined ? t("page.arrange_empty", values)
        : t("page.arrange_on", values);
      button.dataset.laid = code;
      button.setAttribute("aria-label", label);
      button.setAttribute("aria-disabled", fixed);
      if (stone.getAttribute("href") !== (code ? `#stone-${code}` : null)) {
        depict(stone, code && `stone-${code}`);
      }
    }
    this.#slots.forEach((slot, number) => {
      const cell = draft.where(number);
      const piece = this.#words[number];
      slot.dataset.at = cell ?? "";
      slot.title = piece;
      slot.setAttribute("aria-label", cell === undefined ? piece
        : t("page.arrange_stands", { piece, cell }));
      slot.setAttribute("aria-disabled", fixed || cell !== undefined);
    });
    this.#mark();
  }

  #mark() {
    const picked = this.#picked === null ? null : this.#draft?.where(this.#picked) ?? "";
    for (const [cell, { button }] of this.#squares) {
      button.setAttribute("aria-pressed", this.#picked !== null && picked === cell);
    }
    this.#slots.forEach((slot, number) =>
      slot.setAttribute("aria-pressed", this.#picked === number && picked === ""));
    byId("arrange").toggleAttribute("data-picked", this.#picked !== null);
    write(byId("arrange-said"), this.#picked === null ? ""
      : t("page.arrange_picked", { piece: this.#words[this.#picked] }));
  }

  #pick(number) {
    this.#picked = number;
    this.#mark();
  }

  #letGo() {
    this.#drag.cancel();
    if (this.#picked !== null) this.#pick(null);
  }

  #lay(number, cell) {
    this.#letGo();
    this.#draft.lay(number, cell);
    this.#changed();
  }

  #take(cell) {
    this.#letGo();
    this.#draft.take(cell);
    this.#changed();
  }

  #click(event) {
    const byKey = event.detail === 0;
    if (!byKey && this.#drag.told) return;
    this.#pressOn(event.target, byKey);
  }

  #pressOn(target, byKey) {
    if (this.#fixed) return;
    const button = buttonOf(target);
    const cell = button?.dataset.square;
    if (cell) this.#press(cell, byKey);
    else this.#pressTray(button, byKey);
  }

  /** Handle a press on a square: move the chosen piece there, or choose its piece. */
  #press(cell, byKey) {
    const number = this.#picked;
    const from = number === null ? undefined : this.#draft.where(number);
    if (number === null) this.#pick(this.#draft.at(cell) ?? null);
    else if (from === cell) this.#letGo();
    else {
      this.#lay(number, cell);
      // With the keyboard, go on with the next piece.
      const next = this.#left()[0];
      if (byKey && from === undefined && next) next.focus();
    }
  }

  #pressTray(slot, byKey) {
    const number = slot ? Number(slot.dataset.slot) : null;
    const picked = this.#picked === null ? undefined : this.#draft.where(this.#picked);
    if (picked !== undefined) this.#take(picked);
    else if (number === null || number === this.#picked) this.#letGo();
    else if (slot.dataset.at) this.#squares.get(slot.dataset.at).button.focus();
    else {
      this.#pick(number);
      if (byKey) byId("plots").querySelector('[tabindex="0"]').focus();
    }
  }

  /** List the slots of the tray whose pieces are still there. */
  #left() {
    return this.#slots.filter((slot) => !slot.dataset.at);
  }

  #key(event, place) {
    const button = buttonOf(event.target);
    if (!button) return;
    const { key } = event;
    if (key in AHEAD) {
      event.preventDefault();
      const others = place === byId("tray") ? this.#left() : [...place.children];
      beside(button, others, key)?.focus();
    } else if (event.repeat && (key === "Enter" || key === " ")) {
      event.preventDefault();
    } else if (["Delete", "Backspace"].includes(key) && button.dataset.laid && !this.#fixed) {
      event.preventDefault();
      this.#take(button.dataset.square);
    }
  }

  /** Return the number of the piece on a square or in the tray, undefined if none is there. */
  #numberAt({ dataset: { square, slot, at } }) {
    if (square) return this.#draft.at(square);
    return at ? undefined : Number(slot);
  }

  #held(element) {
    const button = buttonOf(element);
    const number = button && !this.#fixed ? this.#numberAt(button) : undefined;
    if (number === undefined) return null;
    return { element: button, symbol: `stone-${this.#draft.codes[number]}` };
  }

  /** Return the square, or the tray, that is at a point of the window. */
  #under(x, y) {
    return document.elementFromPoint(x, y)?.closest("[data-square], #tray");
  }

  #showOver(under) {
    for (const { button } of this.#squares.values()) {
      button.classList.toggle("over", button === under);
    }
  }

  #drop(from, under) {
    const to = under?.dataset.square;
    if (to) this.#lay(this.#numberAt(from), to);
    else if (under && from.dataset.square) this.#take(from.dataset.square);
  }
}
