/**
 * The board as a drawing: its cells at the places the server names, what stands on them, their
 * cues and their lamps. It knows neither rules nor fingers nor where the cells' data come from.
 */

import { depict, glow, svg, write } from "./dom.js";

const HEXAGON = [0, 1, 2, 3, 4, 5].map((corner) => {
  const angle = (Math.PI / 3) * corner + Math.PI / 6;
  return [Math.cos(angle) / Math.sqrt(3), Math.sin(angle) / Math.sqrt(3)];
});
const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

const SAME_ROW = 0.25;
const GLOW_RADIUS = 0.8;

const UNKNOWN = "?";

/** What hands must still do where two pieces differ, as an icon for cells without a cue. */
const ICON_OF_EDIT = { "": "", take: "remove", put: "put", swap: "remove" };

function outline(shape, scale) {
  if (shape === "disc") return svg("circle", { r: 0.5 * scale });
  const corners = shape === "hexagon" ? HEXAGON : SQUARE;
  const points = corners.map(([x, y]) => `${x * scale},${y * scale}`).join(" ");
  return svg("polygon", { points });
}

function edit({ piece, standing }) {
  if (piece === standing) return "";
  if (!piece) return "take";
  return standing ? "swap" : "put";
}

export class Board {
  #geometry = "";
  #places = {};
  #cells = new Map();
  #stop = null;
  #column = null;
  #lamps;

  /** @param lamps the Lamps that every cell's glow joins */
  constructor(lamps) {
    this.#lamps = lamps;
    // Screen readers hand the arrow keys to the page inside an application only.
    this.root = svg("g", { class: "cells", role: "application" });
    this.base = svg("g", { class: "base" });
    this.glows = svg("g", { class: "glows" });
  }

  /** Draw the cells of {shape, cells}; the same board drawn again keeps its elements and focus. */
  draw({ shape, cells }) {
    const geometry = JSON.stringify([shape, cells]);
    if (geometry === this.#geometry) return;
    this.#geometry = geometry;
    this.#places = cells;
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
      for (const [group, scale] of [[inlay, 1.34], [wells, 0.93]]) {
        const shapeOf = outline(shape, scale);
        shapeOf.setAttribute("transform", at);
        group.append(shapeOf);
      }
      this.#addCell(name, shape, at);
    }
    this.stopAt(names[Math.floor(names.length / 2)]);
  }

  #addCell(name, shape, at) {
    const { x, y } = this.#places[name];
    const { parts, paint } = glow(`glow-${name}`, x, y, GLOW_RADIUS);
    this.glows.append(...parts);
    this.#lamps.add(name, paint);

    const edge = outline(shape, 0.9);
    edge.setAttribute("class", "edge");
    const hatch = outline(shape, 0.86);
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
      edge, hatch, label, stone, halo, cue,
    );
    this.root.append(cell);
    this.#cells.set(name, { cell, hatch, label, stone, halo, cue, shown: "", stands: "" });
  }

  /**
   * Show {piece, standing, cue, label} of every cell, all at once, and which cells cannot be felt:
   * those that are lost, and those that are masked. Some are marked by a {sign, text, player}, in
   * place of the sign of their cue and of their name.
   */
  show(cells, lost, masked, marks) {
    for (const [name, state] of Object.entries(cells)) {
      const parts = this.#cells.get(name);
      const trouble = lost.includes(name) ? "lost" : masked.includes(name) ? "masked" : "";
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
      });
      write(label, mark.text ?? name);
      hatch.setAttribute("fill", trouble ? `url(#hatch-${trouble})` : "none");
      this.#stand(parts, state);
      // The cell key does what is to be done there, which matters more than that it is there.
      const icon = ICON_OF_EDIT[todo];
      const own = state.cue === "cursor" ? icon || "cursor" : state.cue || icon;
      const sign = mark.sign ?? own;
      for (const use of [halo, cue]) depict(use, sign && `cue-${sign}`);
    }
  }

  #stand(parts, { piece, standing }) {
    const stands = standing === UNKNOWN ? "unknown" : standing;
    const symbol = stands ? `stone-${stands}` : piece && `outline-${piece}`;
    if (parts.stands === symbol) return;
    parts.stands = symbol;
    // A new element, so that the style's entrance plays for this stone and no other.
    const stone = svg("use", { class: "stone" });
    depict(stone, symbol);
    parts.stone.replaceWith(stone);
    parts.stone = stone;
  }

  /** Make a cell the board's one stop for the tab key. */
  stopAt(name) {
    this.#cells.get(this.#stop)?.cell.setAttribute("tabindex", "-1");
    this.#cells.get(name)?.cell.setAttribute("tabindex", "0");
    this.#stop = name;
  }

  /** Move the focus from a cell by an arrow key, Home or End; return whether the key is one. */
  walk(name, key) {
    const { x, y } = this.#places[name];
    const row = this.#others((place) => Math.abs(place.y - y) < SAME_ROW);
    const column = this.#column?.at === name ? this.#column.x : x;
    const climb = (side) => this.#nearest(
      this.#others((place) => side * (place.y - y) > SAME_ROW),
      (place) => Math.abs(place.y - y) + Math.abs(place.x - column) / 2,
    );
    const along = (side) => this.#nearest(
      row.filter((other) => side * (this.#places[other].x - x) > 0),
      (place) => Math.abs(place.x - x),
    );
    const steps = {
      ArrowLeft: () => along(-1),
      ArrowRight: () => along(1),
      ArrowUp: () => climb(-1),
      ArrowDown: () => climb(1),
      Home: () => this.#nearest(row, (place) => place.x),
      End: () => this.#nearest(row, (place) => -place.x),
    };
    if (!Object.hasOwn(steps, key)) return false;
    const next = steps[key]();
    if (next !== undefined) this.#cells.get(next).cell.focus();
    // Rows are staggered: without a remembered column, up and down would drift to one side.
    const upright = key === "ArrowUp" || key === "ArrowDown";
    this.#column = upright && next !== undefined ? { at: next, x: column } : null;
    return true;
  }

  #others(accept) {
    return Object.keys(this.#places).filter((name) => accept(this.#places[name]));
  }

  #nearest(names, cost) {
    const costs = names.map((name) => cost(this.#places[name]));
    return names[costs.indexOf(Math.min(...costs))];
  }

  /** Return the rectangle {left, top, right, bottom} that the cells fill, in board units. */
  extent() {
    const places = Object.values(this.#places);
    const xs = places.map((place) => place.x);
    const ys = places.map((place) => place.y);
    return {
      left: Math.min(...xs) - 0.5,
      top: Math.min(...ys) - 0.58,
      right: Math.max(...xs) + 0.5,
      bottom: Math.max(...ys) + 0.58,
    };
  }

  /** Return the centres {x, y} of all cells. */
  centres() {
    return Object.values(this.#places);
  }
}
