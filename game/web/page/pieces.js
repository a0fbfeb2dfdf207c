/**
 * The pictures of pieces: for every piece's code a symbol of how it looks, and one of its outline,
 * where it must be put. A game without drawings gets discs in the colours of their sides, with the
 * code on them.
 */

import { hasFaces, piece as drawing } from "./art.js";
import { byId, memory, svg } from "./dom.js";
import { lit, mix } from "./hues.js";

export const NOBODYS = "#9a9ea6";
const LONGEST = 4;

/** Draw a disc in the colour of a side, with a code on it. */
export function disc(code, hue) {
  const letters = code.slice(0, LONGEST);
  const bright = parseInt(hue.slice(1, 3), 16) + 2 * parseInt(hue.slice(3, 5), 16)
    + parseInt(hue.slice(5, 7), 16) > 500;
  const text = svg("text", {
    y: 0.075 + 0.05 / letters.length, "text-anchor": "middle", "font-weight": 700,
    "font-size": [0.42, 0.34, 0.25, 0.19][letters.length - 1] ?? 0.3,
    fill: bright ? "#1b1a17" : "#ffffff",
  }, letters);
  return {
    body: [
      svg("ellipse", {
        cx: 0.02, cy: 0.055, rx: 0.385, ry: 0.365, fill: "#000", "fill-opacity": 0.5,
      }),
      svg("circle", { r: 0.37, fill: mix(hue, "#000000", 0.35) }),
      svg("circle", { r: 0.34, cy: -0.012, fill: hue }),
      svg("circle", { r: 0.355, fill: "none", stroke: "url(#bevel)", "stroke-width": 0.03 }),
      text,
    ],
    outline: [svg("circle", { r: 0.36 })],
  };
}

export class Pieces {
  #hues = [];
  #isNew = memory();
  #drawn = new Set();

  /** Take the game and the colours of a hello message. */
  greet({ game, hues, palette }) {
    if (this.#isNew(game, hues)) {
      this.#hues = hues;
      this.#drawn.clear();
      byId("pieces").replaceChildren();
      byId("board").toggleAttribute("data-faces", hasFaces());
    }
    for (const { piece, side } of palette) this.#draw(piece, side);
  }

  /** Draw pieces that a state shows for the first time. */
  show({ pieces, sides, moves, arranging = null, faces = null }) {
    for (const [piece, side] of Object.entries(pieces)) this.#draw(piece, side);
    for (const { piece, side } of Object.values(faces?.cells ?? {})) this.#draw(piece, side);
    const { own, covering } = arranging ?? {};
    for (const { piece } of own?.pieces ?? []) this.#draw(piece, sides[own.player - 1].side);
    if (covering?.next) this.#draw(covering.next, sides[covering.player - 1].side);
    for (const { token, side } of [...sides, ...moves]) this.#draw(token, side);
  }

  /** Draw pieces {piece, side} of pictures. */
  add(pieces) {
    for (const { piece, side } of pieces) if (piece) this.#draw(piece, side);
  }

  #draw(code, side) {
    // A player whose side is still open has no piece.
    if (!code || this.#drawn.has(code)) return;
    this.#drawn.add(code);
    const hue = this.#hues[side - 1] ?? NOBODYS;
    const { body, outline } = drawing(code, hue) ?? disc(code, hue);
    byId("pieces").append(
      svg("g", { id: `stone-${code}` }, ...body),
      svg("g", {
        id: `outline-${code}`, fill: "none", stroke: lit(hue), "stroke-width": 0.05,
        "stroke-dasharray": ".13 .1", "stroke-linejoin": "round",
      }, ...outline),
    );
  }
}
