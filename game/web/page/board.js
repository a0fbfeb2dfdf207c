/**
 * The board as a drawing: its cells at the places the server names, their pieces, cues and lamps.
 * It knows neither rules nor fingers nor where the cells' data come from.
 */

import { square } from "./art.js";
import { depict, glow, memory, svg, write } from "./dom.js";
import { borders } from "./printed.js";
import { polar, shapes } from "./shapes.js";
import { isArrowKey, paths } from "./arrow_keys.js";

const GLOW_RADIUS = 0.8;
const TRAVEL_MS = 900;
const FRAMES = 12;
const STILL = "(prefers-reduced-motion: reduce)";

const UNKNOWN = "?";

/** The icon of an edit where two pieces differ, for cells without a cue. */
const ICON_OF_EDIT = { "": "", take: "remove", put: "put", swap: "swap", turn: "" };
const TURNED = "turned";

function edit({ piece, standing, cue }) {
  if (piece === standing) return "";
  // A whole ring must be turned, rather than each of its cells corrected.
  if (cue === TURNED) return "turn";
  if (!piece) return "take";
  return standing ? "swap" : "put";
}

/** The frames of a path along a ring: clockwise where steps are above 0. */
function path(from, to, steps) {
  const { radius, angle } = polar(from);
  const turn = 2 * Math.PI * Math.sign(steps);
  const way = (polar(to).angle - angle + turn) % turn || turn;
  return Array.from({ length: FRAMES + 1 }, (_, frame) => {
    const at = angle + (way * frame) / FRAMES;
    const [x, y] = [radius * Math.sin(at) - to.x, -radius * Math.cos(at) - to.y];
    return { transform: `translate(${x.toFixed(4)}px, ${y.toFixed(4)}px)` };
  });
}

export class Board {
  #isNew = memory();
  #places = {};
  #cells = new Map();
  #stop = null;
  #shapes = null;
  #ways = null;
  #shape = "";
  #lamps;

  /** @param lamps the Lamps that every cell's glow joins */
  constructor(lamps) {
    this.#lamps = lamps;
    // Screen readers pass the arrow keys to the page inside an application only.
    this.root = svg("g", { class: "cells", role: "application" });
    this.base = svg("g", { class: "base" });
    this.glows = svg("g", { class: "glows" });
  }

  /**
   * Draw the cells of {shape, cells}, and what is printed on some, by its codes; the same board
   * drawn again keeps its elements and focus. `upright` are the cells of a board that is turned as
   * they were before.
   */
  draw({ shape, cells, upright = cells }, printed = {}) {
    if (!this.#isNew(shape, cells, printed)) return;
    this.#places = cells;
    this.#shapes = shapes(shape, cells);
    this.#ways = paths(shape, cells);
    this.#shape = shape;
    this.#cells.clear();
    for (const group of [this.root, this.base, this.glows]) group.replaceChildren();
    const inlay = svg("g", { class: "inlay" });
    const wells = svg("g", { class: "wells", fill: "url(#well)" });
    this.base.append(inlay, wells);
    // Read row by row, as a screen reader should.
    const names = Object.keys(cells).sort(
      (one, two) => cells[one].y - cells[two].y || cells[one].x - cells[two].x,
    );
    for (const name of names) {
      const at = `translate(${cells[name].x} ${cells[name].y})`;
      for (const [group, scale] of [[inlay, 1.2], [wells, 0.93]]) {
        const shapeOf = this.#shapes.outline(name, scale);
        shapeOf.setAttribute("transform", at);
        group.append(shapeOf);
      }
      this.#addCell(name, at, square(printed[name]));
    }
    this.base.append(...borders(cells, printed, upright));
    this.stopAt(names[Math.floor(names.length / 2)]);
  }

  #addCell(name, at, signs) {
    const { parts, paint } = glow(`glow-${name}`, 0, 0, GLOW_RADIUS);
    this.glows.append(
      svg("g", { transform: `${at} ${this.#shapes.spread(name)}` }, ...parts));
    this.#lamps.add(name, paint);

    // Nothing between two cells is out of reach.
    const ground = this.#shapes.outline(name, 1);
    ground.setAttribute("class", "reach");
    const edge = this.#shapes.outline(name, 0.9);
    edge.setAttribute("class", "edge");
    const hatch = this.#shapes.outline(name, 0.86);
    hatch.setAttribute("class", "hatch");
    hatch.setAttribute("fill", "none");
    const label = svg("text", { class: "name", y: 0.085, "aria-hidden": "true" }, name);
    const stone = svg("use", { class: "stone" });
    const halo = svg("use", { class: "cue-halo" });
    const cue = svg("use", { class: "cue" });
    const cell = svg(
      "g",
      {
        class: "cell",
        transform: at,
        role: "button",
        tabindex: "-1",
        "aria-label": name,
        "data-cell": name,
        "data-piece": "",
        "data-cue": "",
        "data-trouble": "",
      },
      ground, ...signs, edge, hatch, label, stone, halo, cue,
    );
    cell.classList.toggle("printed", signs.length > 0);
    this.root.append(cell);
    this.#cells.set(name, { cell, hatch, label, stone, halo, cue, shown: "", stands: "" });
  }

  /**
   * Show {piece, standing, cue, label} and a {ghost} to be set of every cell, all at once, and which cells cannot be
   * sensed: those that are missing, and those that are masked. Some are marked by {sign, text,
   * player, side}, in place of the sign of their cue and of their name; from some their piece was
   * taken, whose ghost is there.
   */
  show(cells, missing, masked, marks, taken) {
    for (const [name, told] of Object.entries(cells)) {
      const state = { ghost: taken[name], ...told };
      const parts = this.#cells.get(name);
      const trouble = missing.includes(name) ? "missing" : masked.includes(name) ? "masked" : "";
      const mark = marks[name] ?? {};
      const look = JSON.stringify([state, trouble, mark]);
      if (!parts || parts.shown === look) continue;
      parts.shown = look;
      const { cell, hatch, label, halo, cue } = parts;
      const todo = edit(state);
      cell.setAttribute("aria-label", state.label);
      Object.assign(cell.dataset, {
        piece: state.piece,
        standing: state.standing,
        cue: state.cue,
        edit: todo,
        trouble,
        player: mark.player ?? "",
        side: mark.side ?? "",
      });
      write(label, mark.text ?? name);
      hatch.setAttribute("fill", trouble ? `url(#hatch-${trouble})` : "none");
      this.#stand(parts, state);
      // The icon shows what to do on the cell, which matters more than its piece.
      const icon = ICON_OF_EDIT[todo];
      const own = state.cue === "cursor" ? icon || "cursor" : state.cue || icon;
      const sign = mark.sign ?? own;
      for (const use of [halo, cue]) depict(use, sign && `cue-${sign}`);
    }
  }

  #stand(parts, { piece, standing, cue, ghost = "" }) {
    const stands = standing === UNKNOWN ? "unknown" : standing;
    const wanted = piece && cue !== TURNED ? `outline-${piece}` : "";
    const symbol = stands ? `stone-${stands}` : ghost ? `stone-${ghost}` : wanted;
    if (parts.stands === symbol + ghost) return;
    parts.stands = symbol + ghost;
    // A new element, so that the style's entrance plays for this stone only.
    const stone = svg("use", { class: ghost ? "stone ghost" : "stone" });
    depict(stone, symbol);
    const before = parts.stone;
    before.replaceWith(stone);
    if (before.matches('[href^="#stone-"]') && !stands && !matchMedia(STILL).matches) {
      before.setAttribute("class", "stone leaving");
      before.addEventListener("animationend", () => before.remove());
      stone.before(before);
    }
    parts.stone = stone;
  }

  /** Make a cell the board's only tab stop. */
  stopAt(name) {
    this.#cells.get(this.#stop)?.cell.setAttribute("tabindex", "-1");
    this.#cells.get(name)?.cell.setAttribute("tabindex", "0");
    this.#stop = name;
  }

  /** Move the focus from a cell by an arrow key, Home or End; return whether the key is one. */
  walk(name, key) {
    if (!isArrowKey(key)) return false;
    const next = this.#ways.step(name, key);
    if (next !== undefined) this.#cells.get(next).cell.focus();
    return true;
  }

  /** Mark the cells of a ring by their names, or none. */
  trace(names) {
    for (const [name, { cell }] of this.#cells) {
      cell.classList.toggle("traced", names.includes(name));
    }
  }

  /**
   * Move the pieces on a ring to its cells, in clockwise order, along the ring from `steps` cells
   * before them; below 0, from after them.
   */
  travel(names, steps) {
    // What has gone to another cell does not vanish.
    for (const name of names) this.#cells.get(name).stone.parentElement.querySelector(".leaving")?.remove();
    if (matchMedia(STILL).matches) return;
    names.forEach((name, index) => {
      const from = this.#places[names[(index - steps + 2 * names.length) % names.length]];
      const stone = this.#cells.get(name)?.stone;
      if (!from || !stone?.hasAttribute("href")) return;
      stone.style.animation = "none";
      stone.animate(path(from, this.#places[name], steps), {
        duration: TRAVEL_MS * Math.abs(steps) ** 0.5, easing: "ease-in-out",
      });
    });
  }

  /** Return the rectangle {left, top, right, bottom} that the cells fill, in board units. */
  extent() {
    return this.#shapes.extent;
  }

  /** Return the corners [x, y] of what is round all cells. */
  rim() {
    return this.#shapes.rim;
  }

  /** Return the radius of the room in the middle of a round board. */
  hollow() {
    return Math.min(...this.centres().map((place) => polar(place).radius)) - 0.5;
  }

  /** The shape of the board: `disc`, `hexagon`, or another. */
  get shape() {
    return this.#shape;
  }

  /** Return the centres {x, y} of all cells. */
  centres() {
    return Object.values(this.#places);
  }
}
