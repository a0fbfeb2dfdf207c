/**
 * The slab under board and ring: its outline, and the window through which both are seen. It
 * decides between the wide and the narrow arrangement and knows nothing of a game.
 */

import { svg } from "./dom.js";

// The same width at which style.css puts everything into one narrow column.
const NARROW = "(max-width: 620px)";
/** The same of a six-sided slab at its corners, and how much of that its round edge is. */
const HEXAGON_RIM = { wide: 0.62, narrow: 0.5 };
const ROUND_EDGE = 0.34;
/** The room left between the middle of a round board and its cells. */
const HUB_GAP = 0.17;
/** How far a round slab extends beyond the cells. */
const ROUND_RIM = { wide: 0.5, narrow: 0.4 };

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

  /** Draw the board and legend of a hello message, and what is printed on the board. */
  draw({ board, legend, printed = {} }) {
    this.#board.draw(board, printed);
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
    this.#slab.replaceChildren();
    if (this.#board.shape === "hexagon" && !this.#ringed) {
      this.#cutHexagon(right + (narrow ? HEXAGON_RIM.narrow : HEXAGON_RIM.wide));
    } else if (this.#board.shape === "disc" && !this.#ringed) {
      const reach = right + (narrow ? ROUND_RIM.narrow : ROUND_RIM.wide);
      this.#cut(-reach, -reach, 2 * reach, 2 * reach, reach);
    } else if (this.#ringed && !narrow) {
      const reach = Math.max(...centres.map(({ x, y }) => Math.hypot(x, y))) + 3.42;
      this.#cut(-reach, -reach, 2 * reach, 2 * reach, reach);
    } else {
      const [beside, above] = this.#ringed ? [0.55, 1.95] : [0.5, 0.5];
      this.#cut(left - beside, top - above, right - left + 2 * beside,
        bottom - top + 2 * above, this.#ringed ? 1.2 : 0.6);
    }
  }

  #cutHexagon(reach) {
    const polygon = (by, look) => {
      const radius = reach - ROUND_EDGE - by;
      const points = [0, 1, 2, 3, 4, 5].map((corner) => {
        const angle = (Math.PI / 3) * corner;
        return `${radius * Math.cos(angle)},${radius * Math.sin(angle)}`;
      });
      return svg("polygon", {
        points: points.join(" "), "stroke-linejoin": "round", "stroke-width": 2 * ROUND_EDGE,
        ...look,
      });
    };
    this.#slab.append(
      polygon(0, { fill: "url(#rim)", stroke: "url(#rim)" }),
      polygon(0.16, { class: "groove", stroke: "#08090b" }),
      polygon(0.2, { fill: "url(#glass)", stroke: "#1d2026" }),
    );
    const high = (reach - ROUND_EDGE) * Math.sin(Math.PI / 3) + ROUND_EDGE;
    this.#look(-reach, -high, 2 * reach, 2 * high);
  }

  /** Make the centre of a round board. */
  #hub() {
    const radius = this.#board.shape === "disc" ? this.#board.hollow() - HUB_GAP : 0;
    if (radius <= 0) return [];
    return [
      svg("circle", { r: radius, fill: "url(#rim)" }),
      svg("circle", { r: 0.86 * radius, class: "groove" }),
      svg("circle", { r: 0.8 * radius, fill: "url(#glass)" }),
    ];
  }

  #cut(x, y, width, height, corner) {
    const inset = (by) => ({
      x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by, rx: corner - by,
    });
    this.#slab.append(
      svg("rect", { ...inset(0.02), fill: "url(#rim)" }),
      svg("rect", { ...inset(0.16), class: "groove" }),
      svg("rect", { ...inset(0.2), fill: "url(#glass)" }),
      ...this.#hub(),
    );
    this.#look(x, y, width, height);
  }

  #look(x, y, width, height) {
    this.#window.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }
}
