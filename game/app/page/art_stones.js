/**
 * The stones of Circle of Life: domes of glass, the second side's with a ring. It knows no board.
 */

import { svg } from "./dom.js";

/** Draw a stone {body, outline} by its code; nothing for a code that is none. */
export function stones(code) {
  if (code !== "1" && code !== "2") return null;
  const ring = code === "1" ? [] : [svg("circle", { r: 0.235 })];
  return {
    body: [svg("use", { href: `#glass-stone-${code}` })],
    outline: [svg("circle", { r: 0.36 }), ...ring],
  };
}
