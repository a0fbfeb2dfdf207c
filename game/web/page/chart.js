/**
 * A chart of who was ahead after each move: a curve between the first player at the top and the
 * second at the bottom, the marks of faults, and a cursor that people walk along it.
 * It knows no words and no game.
 */

import { depict, svg } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 168;
const LEFT = 27;
const RIGHT = 354;
const TOP = 9;
const BOTTOM = 141;
const MIDDLE = (TOP + BOTTOM) / 2;
/** Where a mark stands from its point of the curve, by player: on the side that is free. */
const OFF = [14, -6];
/** Moves between two ticks; the first of these that gives few enough is used. */
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const MOST_TICKS = 7;

const height = (value) => TOP + (1 - value) * (BOTTOM - TOP);

export class Chart {
  #window;
  #walked;
  #count = 1;
  #at = 0;
  #stops = [];
  #curves = svg("g", { class: "curves" });
  #axis = svg("g", { class: "axis" });
  #faults = svg("g");
  #cursor = svg("line", { class: "cursor", y1: TOP, y2: BOTTOM });
  #dot = svg("circle", { class: "dot", r: 4.5 });
  #names = [TOP + 11, BOTTOM - 11].map((y) =>
    svg("use", { transform: `translate(11 ${y}) scale(23)` }));
  #sides = [];

  /**
   * @param window the SVG element to draw in, which becomes a slider
   * @param walked called with the position to which people have walked, counted in moves
   */
  constructor(window, walked) {
    this.#window = window;
    this.#walked = walked;
    for (const [name, value] of Object.entries({
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "slider", tabindex: 0, "aria-valuemin": 0,
    })) window.setAttribute(name, value);
    const half = (id, y) => svg("clipPath", { id },
      svg("rect", { x: 0, y, width: WIDTH, height: MIDDLE }));
    window.append(
      svg("defs", {}, half("course-above", 0), half("course-below", MIDDLE)),
      svg("rect", {
        class: "field", x: LEFT, y: TOP, width: RIGHT - LEFT, height: BOTTOM - TOP, rx: 4,
      }),
      ...this.#names,
      this.#axis, this.#curves,
      svg("line", { class: "even", x1: LEFT, x2: RIGHT, y1: MIDDLE, y2: MIDDLE }),
      this.#cursor, this.#faults, this.#dot,
    );
    window.addEventListener("keydown", (event) => this.#press(event));
    window.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      window.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    window.addEventListener("pointermove", (event) => {
      if (window.hasPointerCapture(event.pointerId)) this.#point(event);
    });
  }

  /** Take over the {side, token} of the two players. */
  name(sides) {
    this.#sides = sides;
    this.#names.forEach((use, index) => depict(use, `stone-${sides[index].token}`));
  }

  /**
   * Draw a game of so many moves: the first player's known scores, 0 to 1, by position, the
   * {ply, player, mark} of faults, and where keys stop: before the moves that turned the game.
   */
  draw(count, scores, faults, stops) {
    this.#count = count;
    this.#stops = stops;
    this.#window.setAttribute("aria-valuemax", count);
    const points = scores.map((score, at) => `${this.#x(at)} ${height(score)}`);
    const line = `M${points.join("L")}`;
    const area = `${line}L${this.#x(scores.length - 1)} ${MIDDLE}L${this.#x(0)} ${MIDDLE}z`;
    this.#curves.replaceChildren(...(scores.length === 0 ? [] : [
      ...["above", "below"].map((half, index) => svg("path", {
        class: "area", "data-player": index + 1, "data-side": this.#sides[index].side, d: area,
        "clip-path": `url(#course-${half})`,
      })),
      svg("path", { class: "line", d: line }),
    ]));
    this.#faults.replaceChildren(...faults.filter(({ ply }) => ply + 1 < scores.length)
      .map(({ ply, player, mark }) => svg("text", {
        class: "fault", "data-mark": mark, x: this.#x(ply + 1),
        y: Math.max(TOP + 9, Math.min(height(scores[ply + 1]) + OFF[player - 1], BOTTOM - 3)),
      }, mark)));
    const every = TICKS.find((each) => count / each <= MOST_TICKS) ?? count;
    const ticks = Array.from({ length: Math.floor(count / every) }, (_, n) => (n + 1) * every);
    this.#axis.replaceChildren(...ticks.flatMap((at) => [
      svg("line", { x1: this.#x(at), x2: this.#x(at), y1: TOP, y2: BOTTOM }),
      svg("text", { x: this.#x(at), y: BOTTOM + 17 }, `${at}`),
    ]));
  }

  /** Put the cursor after a number of moves; `words` describe the first player's score there. */
  place(at, score, words) {
    this.#at = at;
    const x = this.#x(at);
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, x);
    this.#dot.setAttribute("cx", x);
    this.#dot.setAttribute("cy", height(score));
    this.#window.setAttribute("aria-valuenow", at);
    this.#window.setAttribute("aria-valuetext", words);
  }

  #x(at) {
    return LEFT + (at / this.#count) * (RIGHT - LEFT);
  }

  #point({ clientX, clientY }) {
    const place = new DOMPoint(clientX, clientY).matrixTransform(
      this.#window.getScreenCTM().inverse());
    this.#walk(Math.round(((place.x - LEFT) / (RIGHT - LEFT)) * this.#count));
  }

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = {
      ArrowLeft: () => this.#at - 1,
      ArrowDown: () => this.#at - 1,
      ArrowRight: () => this.#at + 1,
      ArrowUp: () => this.#at + 1,
      Home: () => 0,
      End: () => this.#count,
      PageUp: () => this.#stops.find((stop) => stop > this.#at) ?? this.#count,
      PageDown: () => this.#stops.findLast((stop) => stop < this.#at) ?? 0,
    };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    this.#walk(steps[event.key]());
  }

  #walk(at) {
    this.#walked(Math.max(0, Math.min(at, this.#count)));
  }
}
