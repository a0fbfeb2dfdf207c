/**
 * The slab under board and ring: its outline, and the window through which both are seen, as large
 * as there is room for. It decides how the ring stands round the board, and which side of the board
 * is at the bottom. It knows nothing of a game.
 */

import { byId, svg } from "./dom.js";
import { device } from "./storage.js";

/** How many turns make a whole one: those after which cells stand where cells stood. */
const TURNS = { hexagon: 6, disc: 4 };
/** Cells of this many pixels are large enough for a true circle round them. */
const LARGE_PX = 40;
/** How much larger cells must be without the ring for it to be left out. */
const FAR_LARGER = 1.2;
/** Cells are no smaller where people touch them: what is larger than its room is scrolled. */
const LEAST_PX = 40;
/** A board is scrolled only where it would be smaller than this share of its least size. */
const NEARLY = 0.945;
/** A page that is scrolled anyway leaves room for cells of this many pixels. */
const THUMB_PX = 44;
/** How far a slab extends beyond the cells. */
const RIM = 0.25;
/** The room left between the middle of a round board and its cells. */
const HUB_GAP = 0.17;

/** The room that a board needs besides its cells, for each way in which the ring stands round it. */
const AROUND = {
  circle: ({ reach }) => ({ wide: 2 * (reach + 3.42), high: 2 * (reach + 3.42) }),
  rows: ({ wide, high }) => ({ wide: wide + 2 * RIM, high: high + 3.9 }),
  columns: ({ wide, high }) => ({ wide: wide + 3, high: high + 1 }),
  none: ({ wide, high }) => ({ wide: wide + 2 * RIM, high: high + 2 * RIM }),
};

/** Turn places {x, y} round the middle by a share of a whole turn. */
function turnedBy(cells, share) {
  const [cos, sin] = [Math.cos(2 * Math.PI * share), Math.sin(2 * Math.PI * share)];
  const exact = (value) => Math.round(1e6 * value) / 1e6;
  return Object.fromEntries(Object.entries(cells).map(([name, { x, y, ...others }]) =>
    [name, { ...others, x: exact(x * cos - y * sin), y: exact(x * sin + y * cos) }]));
}

/** Choose how the ring stands, from the size of a cell in each way. */
function ringed(unit) {
  if (unit("circle") >= LARGE_PX) return "circle";
  const way = unit("rows") >= unit("columns") ? "rows" : "columns";
  const small = unit(way) < NEARLY * LEAST_PX;
  return small || unit("none") > FAR_LARGER * unit(way) ? "none" : way;
}

export class BoardFrame {
  #window;
  /** The board's room in pixels, kept: asking for it would lay the page out once more. */
  #space = { width: 0, height: 0 };
  #board;
  #circle;
  #slab = svg("g", { class: "slab" });
  #hello = null;
  #seat = 0;
  #drawn = "";

  /** @param turned called when people have turned the board, whose cells are to be shown again */
  constructor(window, board, circle, turned) {
    this.#window = window;
    this.#board = board;
    this.#circle = circle;
    window.append(this.#slab, board.base, board.glows, circle.root, board.root);
    new ResizeObserver(([{ contentRect }]) => {
      this.#space = contentRect;
      this.#fit();
    }).observe(window.parentElement);
    byId("turn-board").addEventListener("click", () => {
      device.write(this.#key, String((this.#turns + 1) % this.#whole));
      this.#turn();
      turned();
    });
  }

  get #key() {
    return `turned.${this.#hello.game}`;
  }

  get #whole() {
    return TURNS[this.#hello.board.shape] ?? 2;
  }

  get #turns() {
    return (Number(device.read(this.#key)) || 0) % this.#whole;
  }

  /** Draw the board and legend of a hello message, and what is printed on the board. */
  draw(hello) {
    this.#hello = hello;
    this.#drawn = "";
    this.#circle.draw(hello.legend);
    this.#turn();
  }

  /** Turn the side of a player, whose seat this page has, to the bottom; null for no one's. */
  face(player) {
    const seat = player === 2 ? 0.5 : 0;
    if (seat === this.#seat) return;
    this.#seat = seat;
    this.#turn();
  }

  #turn() {
    const { board, printed = {} } = this.#hello;
    const cells = turnedBy(board.cells, this.#seat + this.#turns / this.#whole);
    this.#board.draw({ ...board, cells, upright: board.cells }, printed);
    this.#fit();
  }

  /** Let the board fill its room, with its ring in the way that leaves cells large. */
  #fit() {
    const centres = this.#board.centres();
    const { width, height } = this.#space;
    if (centres.length === 0 || width === 0 || height === 0) return;
    const { left, top, right, bottom } = this.#board.extent();
    const size = {
      wide: right - left, high: bottom - top,
      reach: Math.max(...centres.map(({ x, y }) => Math.hypot(x, y))),
    };
    const unit = (way) => {
      const { wide, high } = AROUND[way](size);
      return Math.min(width / wide, height / high);
    };
    const ringless = this.#hello.legend.length === 0;
    const way = ringless ? "none" : ringed(unit);
    const { wide, high } = AROUND[way](size);
    const fits = unit(way);
    const cell = fits < NEARLY * LEAST_PX ? LEAST_PX : fits;
    // In a column the page is scrolled rather than the board made small.
    const rows = AROUND.rows(size);
    const least = (around) => Math.max(LEAST_PX, Math.min(THUMB_PX, width / around.wide));
    const tall = ringless || width / rows.wide < NEARLY * LEAST_PX ? AROUND.none(size) : rows;
    this.#window.parentElement.style.setProperty("--high", `${Math.ceil(tall.high * least(tall))}px`);
    this.#window.style.width = `${wide * cell}px`;
    this.#window.style.height = `${high * cell}px`;
    this.#window.style.setProperty("--unit", 1 / cell);
    const arranged = JSON.stringify([way, left, top, right, bottom]);
    if (arranged === this.#drawn) return;
    this.#drawn = arranged;
    this.#circle.place(centres, way);
    this.#arrange(way, AROUND[way](size), left, top);
  }

  #arrange(way, { wide, high }, left, top) {
    this.#window.dataset.ring = way;
    this.#slab.replaceChildren();
    const [x, y] = way === "none" ? [left - RIM, top - RIM] : [-wide / 2, -high / 2];
    if (way === "none") this.#cutRound(this.#board.rim());
    else this.#cut(x, y, wide, high, way === "circle" ? wide / 2 : 1.2);
    this.#slab.append(...this.#hub());
    this.#window.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
  }

  /** Make a slab whose edge is as far from the cells everywhere, whatever their shape. */
  #cutRound(corners) {
    const edge = (by, look) => svg("polygon", {
      points: corners.join(" "), "stroke-linejoin": "round", "stroke-width": 2 * by, ...look,
    });
    this.#slab.append(
      edge(RIM, { fill: "url(#rim)", stroke: "url(#rim)" }),
      edge(RIM - 0.11, { class: "groove", stroke: "#08090b" }),
      edge(RIM - 0.14, { fill: "url(#glass)", stroke: "#1d2026" }),
    );
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
    );
  }
}
