/**
 * Small pictures of rules: a part of the board with pieces on it, what a move puts and takes, and
 * which way it goes. They are drawn from the board's own geometry; it knows no game.
 */

import { square } from "./art.js";
import { svg } from "./dom.js";
import { polar, shapes, turnArrow } from "./shapes.js";

/** What an edit adds to its cell: a ring, or a cross; a new piece is in a dashed ring. */
const SIGNS = {
  mark: () => svg("circle", { class: "ring", r: 0.43 }),
  put: () => svg("circle", { class: "ring new", r: 0.44 }),
  swap: () => svg("circle", { class: "ring new", r: 0.44 }),
  remove: () => svg("path", { class: "cross", d: "M-.28-.28 .28 .28M.28-.28-.28 .28" }),
};
const MARGIN = 0.55;
/** How far the cells around what is shown are, and the pieces that belong to a change. */
const [NEAR, BESIDE] = [1.45, 2.1];

/** How far an arrow stops from the middle of a cell, and how far its barbs reach. */
const [GAP, BARB] = [0.3, 0.16];

function arrow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [to.x - GAP * ux, to.y - GAP * uy];
  const barb = (side) => `${x - BARB * (ux + side * uy)} ${y - BARB * (uy - side * ux)}`;
  return svg("path", {
    class: "way",
    d: `M${from.x + GAP * ux} ${from.y + GAP * uy}L${x} ${y}M${barb(1)}L${x} ${y}L${barb(-1)}`,
  });
}

/** Draw that a ring turns clockwise: an arc with an arrow through the cells from the top. */
function turn(cells) {
  const { radius } = polar(cells[0]);
  return svg("path", { class: "way", d: turnArrow(radius, -0.75, 0.75, BARB, 1.4 * BARB) });
}

/** Choose the cells to draw: those near what is shown, or all where most are. */
function near(cells, pieces, changed) {
  const within = (names, reach) => (name) => names.some((other) =>
    Math.hypot(cells[name].x - cells[other].x, cells[name].y - cells[other].y) < reach);
  const stand = Object.keys(pieces);
  const named = changed.length > 0
    ? [...changed, ...stand.filter(within(changed, BESIDE))] : stand;
  const some = Object.keys(cells).filter(within(named, NEAR));
  return some.length > 0.7 * Object.keys(cells).length ? Object.keys(cells) : some;
}

/**
 * Draw a picture {pieces, edits, way} of a board {shape, cells} with its printed codes and rings.
 */
export function picture({ pieces, edits, way }, { board, printed = {}, rings }) {
  const { shape, cells } = board;
  const steps = way.filter((name) => Object.hasOwn(cells, name));
  const changed = [...new Set([...Object.keys(edits), ...steps])]
    .filter((name) => Object.hasOwn(cells, name));
  const drawn = shape === "disc" ? Object.keys(cells) : near(cells, pieces, changed);
  const { outline } = shapes(shape, cells);
  const parts = drawn.map((name) => {
    const edge = outline(name, 0.92);
    edge.setAttribute("class", "well");
    const edit = edits[name];
    const piece = edit?.piece || pieces[name]?.piece;
    const stone = piece && svg("use", { href: `#stone-${piece}` });
    const sign = SIGNS[edit?.kind]?.();
    const { x, y } = cells[name];
    const cell = svg("g", { transform: `translate(${x} ${y})` },
      edge, ...square(printed[name]), ...[stone, sign].filter(Boolean));
    cell.classList.toggle("printed", Boolean(printed[name]));
    cell.classList.toggle("leaves", ["remove", "leave"].includes(edit?.kind));
    return cell;
  });
  const ways = steps.slice(1).map((name, at) => arrow(cells[steps[at]], cells[name]));
  const turns = Object.keys(edits).filter((name) => Object.hasOwn(rings, name))
    .map((name) => turn(rings[name].map((cell) => cells[cell])));
  const xs = drawn.map((name) => cells[name].x);
  const ys = drawn.map((name) => cells[name].y);
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN - 0.05];
  const [wide, high] = [
    Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN + 0.05 - top];
  const view = svg("svg", {
    class: "rule-picture", viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true",
  }, ...parts, ...ways, ...turns);
  // Cells of all pictures are of one size, as far as there is room.
  view.style.setProperty("--cells", wide.toFixed(2));
  return view;
}
