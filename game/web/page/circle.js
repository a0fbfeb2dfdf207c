/**
 * The ring of species around the board: who eats whom, each lit by its own lamp. It draws the
 * server's legend, as a circle or close round the cells. It knows no species by name.
 */

import { depict, glow, svg } from "./dom.js";
import { t } from "./words.js";

const GLYPH = 0.22;
/** Radius of a token, the gap before an arrow, and the room for a name, by how the ring stands. */
const TOKENS = {
  circle: { token: 0.76, gap: 0.18, label: 0.36 },
  rows: { token: 0.6, gap: 0.07, label: 0.56 },
  columns: { token: 0.46, gap: 0.07, label: 0 },
};
const LINE = 1.05;

/** Places of a wide page: a true circle with the board in it, its first place right of the top. */
function circlePlaces(count, centres) {
  const reach = Math.max(...centres.map(({ x, y }) => Math.hypot(x, y)));
  const radius = reach + 2.3;
  const bend = 1 / Math.cos(Math.PI / count) ** 2;
  const places = Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.5)) / count - Math.PI / 2;
    // Names stay inside the ring, where the rim of the slab leaves them room.
    const side = Math.sin(angle) > 0.5 ? -1 : 1;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), side };
  });
  const control = (one, two) => ({
    x: (bend * (one.x + two.x)) / 2,
    y: (bend * (one.y + two.y)) / 2,
  });
  return { places, control };
}

/** Places half above and half below the cells, as close as their edge allows. */
function rowPlaces(count, centres, clear = 1.34) {
  // Long names stay inside the rim.
  const reach = Math.max(...centres.map(({ x }) => Math.abs(x))) - 0.12;
  const half = Math.ceil(count / 2);
  const height = (x) => Math.max(0, ...centres
    .filter((cell) => Math.abs(cell.x - x) < clear)
    .map((cell) => cell.y + Math.sqrt(clear ** 2 - (cell.x - x) ** 2)));
  const places = Array.from({ length: count }, (_, index) => {
    const above = index < half;
    const step = above ? index : count - 1 - index;
    const x = reach * ((2 * step) / (half - 1) - 1);
    const side = above ? -1 : 1;
    return { x, y: side * height(x), side };
  });
  const control = (one, two) => {
    const middle = { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
    if (one.y * two.y < 0) return { x: Math.sign(one.x) * (reach + 1.3), y: 0 };
    // Between two places that are far apart an arrow bends round the cells.
    const inside = height(middle.x) - Math.abs(middle.y);
    return inside < 1 ? middle : { x: middle.x, y: middle.y + 2 * inside * Math.sign(middle.y) };
  };
  return { places, control };
}

/** Places half right and half left of the cells: the rows, turned by a quarter. */
function columnPlaces(count, centres) {
  const turn = ({ x, y, ...others }) => ({ ...others, x: -y, y: x });
  const back = ({ x, y, ...others }) => ({ ...others, x: y, y: -x });
  const { places, control } = rowPlaces(count, centres.map(back), 1.08);
  return { places: places.map(turn), control: (one, two) => turn(control(back(one), back(two))) };
}

const PLACES = { circle: circlePlaces, rows: rowPlaces, columns: columnPlaces };

/** Break a name of several words after the first half of them. */
function lines(name) {
  const words = name.split(" ");
  const first = words.splice(0, Math.ceil(words.length / 2)).join(" ");
  return words.length > 0 ? [first, words.join(" ")] : [first];
}

/** Offset a token towards a point by a distance, and by up to `name` more where its name is. */
function leave(place, to, distance, name) {
  const length = Math.hypot(to.x - place.x, to.y - place.y);
  const across = Math.max(0, (place.side * (to.y - place.y)) / length);
  const part = (distance + across * name) / length;
  return { x: place.x + part * (to.x - place.x), y: place.y + part * (to.y - place.y) };
}

/** Make the picture of a species from its [x, y] centres, fitted into a disc of a radius. */
export function portrait(shape, radius) {
  const xs = shape.map(([x]) => x);
  const ys = shape.map(([, y]) => y);
  const middle = [xs, ys].map((values) => (Math.min(...values) + Math.max(...values)) / 2);
  const spread = Math.max(...shape.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
  const scale = Math.min((0.86 * radius) / (spread + 0.5), 0.5 * radius);
  const stones = shape.map(([x, y]) => svg("circle", {
    cx: (x - middle[0]) * scale,
    cy: (y - middle[1]) * scale,
    r: 0.46 * scale,
  }));
  return svg("g", { class: "portrait" }, ...stones);
}

export class Circle {
  #tokens = [];
  #arrows = [];
  #legend = [];
  #lamps;

  /** @param lamps the Lamps that every token's glow joins */
  constructor(lamps) {
    this.#lamps = lamps;
    this.root = svg("g", { class: "circle", role: "group" });
  }

  /** Draw the legend, a list of {name, shape, arrow_to, text}; a game without one has no ring. */
  draw(legend) {
    this.#legend = legend;
    this.#arrows = legend.map(() =>
      svg("path", { class: "arrow", "marker-end": "url(#arrowhead)" }));
    this.#tokens = legend.map((species, index) => this.#token(species, index));
    this.root.replaceChildren(
      ...this.#arrows,
      ...this.#tokens.map(({ token }) => token),
    );
    this.root.setAttribute("aria-label", t("page.circle"));
  }

  #token({ name, shape, text }, index) {
    const { parts, paint } = glow(`glow-circle-${index}`, 0, 0, 1.5);
    this.#lamps.add(`circle.${index}`, paint);
    const label = svg("text", { class: "species", "aria-hidden": "true" },
      ...lines(name).map((line) => svg("tspan", { x: 0 }, line)));
    const sign = svg("use", { class: "cue" });
    const badge = svg("g", { class: "badge" }, svg("circle", { r: 0.27 }), sign);
    const disc = svg(
      "g", {},
      svg("circle", { class: "face", r: 1 }),
      ...parts,
      svg("circle", { class: "bezel", r: 1 }),
      portrait(shape, 1),
    );
    const token = svg(
      "g",
      { class: "token", role: "img", "aria-label": text, "data-species": index },
      svg("title", {}, text), disc, label, badge,
    );
    return { token, disc, label, badge, sign };
  }

  /** Place the ring round the cells: as a circle, in rows or columns, or none of it. */
  place(centres, way) {
    this.root.toggleAttribute("hidden", way === "none");
    if (this.#legend.length === 0 || way === "none") return;
    const { places, control } = PLACES[way](this.#legend.length, centres);
    const { token: radius, gap, label: name } = TOKENS[way];
    this.#legend.forEach(({ arrow_to: to }, index) => {
      const { x, y, side } = places[index];
      const { token, disc, label, badge } = this.#tokens[index];
      token.setAttribute("transform", `translate(${x} ${y})`);
      disc.setAttribute("transform", `scale(${radius})`);
      label.setAttribute("y", side * (radius + 0.08) + (side > 0 ? GLYPH : 0));
      label.toggleAttribute("hidden", name === 0);
      // A long name stands in two lines, the second one nearer to the edge.
      [...label.children].forEach((line, at, { length }) =>
        line.setAttribute("dy", at > 0 ? `${LINE}em` : side < 0 ? `${LINE * (1 - length)}em` : 0));
      badge.setAttribute("transform", `translate(${0.72 * radius} ${-0.72 * side * radius})`);
      if (to === null) return;
      const bend = control(places[index], places[to]);
      const start = leave(places[index], bend, radius + gap / 2, name);
      const end = leave(places[to], bend, radius + gap, name);
      this.#arrows[index].setAttribute(
        "d", `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`);
    });
  }

  /** Show the cue of each species, a list of cue names or empty texts in the legend's order. */
  show(cues) {
    cues.forEach((cue, index) => {
      const parts = this.#tokens[index];
      if (!parts || parts.token.dataset.shows === cue) return;
      parts.token.dataset.shows = cue;
      depict(parts.sign, cue && `cue-${cue}`);
    });
  }
}
