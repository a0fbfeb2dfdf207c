/**
 * A small picture of a game: its board with some pieces, drawn by the game's own art. It knows no
 * rules, and nothing of the game that is played.
 */

import { drawings } from "./art.js";
import { svg } from "./dom.js";
import { disc, NOBODYS } from "./pieces.js";
import { shapes } from "./shapes.js";

let samples = 0;

/** Draw a game that the server offers, for sighted people only. */
export async function picture({ art: address, hues, shape, cells, printed, pieces }) {
  const art = await drawings(address);
  const { outline, extent: { left, top, right, bottom } } = shapes(shape, cells);
  const drawn = new Map();
  const stone = ({ piece, side }) => {
    if (!drawn.has(piece)) {
      const hue = hues[side - 1] ?? NOBODYS;
      const { body } = art.piece?.(piece, hue) ?? disc(piece, hue);
      // One game may be drawn twice in a document.
      drawn.set(piece, svg("g", { id: `sample-${samples += 1}` }, ...body));
    }
    return svg("use", { href: `#${drawn.get(piece).id}` });
  };
  const places = Object.entries(cells).map(([name, { x, y }]) => svg(
    "g", { transform: `translate(${x} ${y})` }, outline(name, 0.92),
    ...(printed[name] ? art.square?.(printed[name]) ?? [] : []),
    ...(pieces[name] ? [stone(pieces[name])] : []),
  ));
  return svg(
    "svg",
    {
      class: "picture", "aria-hidden": "true", focusable: "false",
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    },
    svg("defs", {}, ...drawn.values()), ...places,
  );
}
