/**
 * Navigation from cell to cell by the arrow keys, Home and End: along rows, or on a disc along its
 * rings. It knows only the places of cells.
 */

import { polar } from "./shapes.js";

const SAME_ROW = 0.25;
const SAME_RING = 0.25;
const TURN = 2 * Math.PI;

function nearest(names, cost) {
  const costs = names.map((name) => cost(name));
  return names[costs.indexOf(Math.min(...costs))];
}

class Rows {
  #places;
  #column = null;

  constructor(places) {
    this.#places = places;
  }

  #others(accept) {
    return Object.keys(this.#places).filter((name) => accept(this.#places[name]));
  }

  step(name, key) {
    const places = this.#places;
    const { x, y } = places[name];
    const row = this.#others((place) => Math.abs(place.y - y) < SAME_ROW);
    const column = this.#column?.at === name ? this.#column.x : x;
    const climb = (side) => nearest(
      this.#others((place) => side * (place.y - y) > SAME_ROW),
      (other) => Math.abs(places[other].y - y) + Math.abs(places[other].x - column) / 2,
    );
    const along = (side) => nearest(
      row.filter((other) => side * (places[other].x - x) > 0),
      (other) => Math.abs(places[other].x - x),
    );
    const next = {
      ArrowLeft: () => along(-1),
      ArrowRight: () => along(1),
      ArrowUp: () => climb(-1),
      ArrowDown: () => climb(1),
      Home: () => nearest(row, (other) => places[other].x),
      End: () => nearest(row, (other) => -places[other].x),
    }[key]();
    // Rows are staggered: without a remembered column, up and down would drift to one side.
    const upright = key === "ArrowUp" || key === "ArrowDown";
    this.#column = upright && next !== undefined ? { at: next, x: column } : null;
    return next;
  }
}

class Rings {
  #places;

  constructor(places) {
    this.#places = Object.fromEntries(
      Object.entries(places).map(([name, place]) => [name, polar(place)]));
  }

  step(name, key) {
    const places = this.#places;
    const here = places[name];
    const ring = Object.keys(places).filter((other) =>
      Math.abs(places[other].radius - here.radius) < SAME_RING);
    const on = (angle) => (((angle - here.angle) % TURN) + TURN) % TURN;
    const others = ring.filter((other) => other !== name);
    const apart = (other) => Math.min(on(places[other].angle), TURN - on(places[other].angle));
    const across = (side) => nearest(
      Object.keys(places).filter((other) =>
        side * (places[other].radius - here.radius) > SAME_RING),
      (other) => Math.abs(places[other].radius - here.radius) + apart(other),
    );
    const fromTop = (other) => ((places[other].angle % TURN) + TURN + 1e-6) % TURN;
    return {
      ArrowLeft: () => nearest(others, (other) => TURN - on(places[other].angle)),
      ArrowRight: () => nearest(others, (other) => on(places[other].angle)),
      ArrowUp: () => across(1),
      ArrowDown: () => across(-1),
      Home: () => nearest(ring, fromTop),
      End: () => nearest(ring, (other) => -fromTop(other)),
    }[key]();
  }
}

const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** Whether a key of the keyboard leads from cell to cell. */
export const isArrowKey = (key) => KEYS.includes(key);

/** Return the paths between the cells of a board, a record of name to {x, y}. */
export function paths(shape, places) {
  return shape === "disc" ? new Rings(places) : new Rows(places);
}
