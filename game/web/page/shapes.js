/**
 * The outlines of cells: hexagons, sectors of a disc, or squares, at the places the server names.
 * It knows neither pieces nor lights.
 */

import { svg } from "./dom.js";

const HEXAGON = [0, 1, 2, 3, 4, 5].map((corner) => {
  const angle = (Math.PI / 3) * corner + Math.PI / 6;
  return [Math.cos(angle) / Math.sqrt(3), Math.sin(angle) / Math.sqrt(3)];
});
const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
/** The share of a sector's width that light fills, as it fills the height. */
const SPREAD = 0.62;
/** The corners that make a circle. */
const ROUND = 90;
const HALF = { hexagon: 1 / Math.sqrt(3), square: 0.5 };

/** The place of a cell of a disc: distance from the middle, and angle clockwise from the top. */
export function polar({ x, y }) {
  return { radius: Math.hypot(x, y), angle: Math.atan2(x, -y) };
}

/**
 * Return the path of an arrow clockwise round the origin, with angles from the top; its barbs reach
 * `aside` from the line and `back` along it.
 */
export function turnArrow(radius, from, to, aside, back) {
  const point = (reach, angle) =>
    `${(reach * Math.sin(angle)).toFixed(3)} ${(-reach * Math.cos(angle)).toFixed(3)}`;
  const barb = (side) => point(radius + side * aside, to - back / radius);
  return `M${point(radius, from)}A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 1 `
    + `${point(radius, to)}M${barb(1)}L${point(radius, to)}L${barb(-1)}`;
}

function sector(place, width, scale) {
  const inset = (1 - scale) / 2;
  const { radius, angle } = polar(place);
  const [inner, outer] = [radius - 0.5 + inset, radius + 0.5 - inset];
  const corner = (reach, side) => {
    // Sides of neighbours are parallel, so that the gap between two has an even width.
    const to = angle + side * (width / 2 - Math.asin(inset / reach));
    return `${(reach * Math.sin(to) - place.x).toFixed(4)} ${
      (-reach * Math.cos(to) - place.y).toFixed(4)}`;
  };
  return svg("path", {
    d: `M${corner(outer, -1)}A${outer} ${outer} 0 0 1 ${corner(outer, 1)}`
      + `L${corner(inner, 1)}A${inner} ${inner} 0 0 0 ${corner(inner, -1)}z`,
  });
}

/** Return the corners of the convex hull of points [x, y], in order round it (Andrew's chain). */
function hull(points) {
  const left = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const half = (sorted) => sorted.reduce((chain, point) => {
    while (chain.length > 1 && left(chain.at(-2), chain.at(-1), point) <= 1e-9) chain.pop();
    return [...chain, point];
  }, []).slice(0, -1);
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  return [...half(sorted), ...half(sorted.toReversed())];
}

/**
 * Return the geometry of a board's cells, a record of name to {x, y}: `outline` draws that of a
 * name at a scale, round the origin, `spread` is how light lies in it, as a transform there,
 * `extent` the rectangle that all of them fill, and `rim` the corners of what is round them all.
 */
export function shapes(shape, cells) {
  const places = Object.values(cells);
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  if (shape === "disc") {
    const radii = new Set(places.map((place) => polar(place).radius.toFixed(3)));
    const width = (2 * Math.PI * radii.size) / places.length;
    const reach = Math.max(...places.map((place) => polar(place).radius)) + 0.5;
    return {
      outline: (name, scale) => sector(cells[name], width, scale),
      spread: (name) => {
        const { radius, angle } = polar(cells[name]);
        const wide = Math.max(1, SPREAD * radius * width).toFixed(3);
        return `rotate(${((180 * angle) / Math.PI).toFixed(2)}) scale(${wide} 1)`;
      },
      extent: { left: -reach, top: -reach, right: reach, bottom: reach },
      rim: Array.from({ length: ROUND }, (_, at) => (2 * Math.PI * at) / ROUND)
        .map((at) => [reach * Math.cos(at), reach * Math.sin(at)]),
    };
  }
  const corners = shape === "hexagon" ? HEXAGON : SQUARE;
  const high = shape === "hexagon" ? HALF.hexagon : HALF.square;
  return {
    outline: (_, scale) => svg("polygon", {
      points: corners.map(([x, y]) => `${x * scale},${y * scale}`).join(" "),
    }),
    spread: () => "",
    extent: {
      left: Math.min(...xs) - 0.5, top: Math.min(...ys) - high,
      right: Math.max(...xs) + 0.5, bottom: Math.max(...ys) + high,
    },
    rim: hull(places.flatMap(({ x, y }) => corners.map(([dx, dy]) => [x + dx, y + dy]))),
  };
}
