/**
 * The slab on which board and ring lie: its outline, and the window through which both are seen.
 * It decides between the wide and the narrow arrangement and knows nothing of a game.
 */

import { svg } from "./dom.js";

// The same width at which style.css puts everything into one narrow column.
const NARROW = "(max-width: 620px)";

export class Stage {
  #window;
  #board;
  #circle;
  #slab = svg("g", { class: "slab" });
  #narrow = matchMedia(NARROW);
  #ringed = false;

  constructor(window, board, circle) {
    this.#window = window;
    this.#board = board;
    this.#circle = circle;
    window.append(this.#slab, board.base, board.glows, circle.root, board.root);
    this.#narrow.addEventListener("change", () => this.#arrange());
  }

  /** Draw the board and legend of a hello message. */
  draw({ board, legend }) {
    this.#board.draw(board);
    this.#circle.draw(legend);
    this.#ringed = legend.length > 0;
    this.#arrange();
  }

  #arrange() {
    const centres = this.#board.centres();
    if (centres.length === 0) return;
    const narrow = this.#narrow.matches;
    this.#circle.place(centres, narrow);
    const { left, top, right, bottom } = this.#board.extent();
    if (this.#ringed && !narrow) {
      const reach = Math.max(...centres.map(({ x, y }) => Math.hypot(x, y))) + 3.42;
      this.#cut(-reach, -reach, 2 * reach, 2 * reach, reach);
    } else {
      const [beside, above] = this.#ringed ? [0.55, 1.95] : [0.5, 0.5];
      this.#cut(left - beside, top - above, right - left + 2 * beside,
        bottom - top + 2 * above, this.#ringed ? 1.2 : 0.6);
    }
  }

  #cut(x, y, width, height, corner) {
    const inset = (by) => ({
      x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by, rx: corner - by,
    });
    this.#slab.replaceChildren(
      svg("rect", { ...inset(0.02), fill: "url(#rim)" }),
      svg("rect", { ...inset(0.16), class: "groove" }),
      svg("rect", { ...inset(0.2), fill: "url(#glass)" }),
    );
    this.#window.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }
}
