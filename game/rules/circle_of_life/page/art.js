/**
 * The stones of Circle of Life: domes of glass, the second side's with a ring. It knows no board.
 */

import { svg } from "/page/dom.js";

const STOPS = [0, 0.38, 0.8, 1];
const GLASS = {
  1: ["#ffd29a", "#f59b3c", "#d2691a", "#8f3f0c"],
  2: ["#b9dcff", "#4d97ea", "#2263bd", "#123a7c"],
};

/** The stones are plain: a cue in the middle of one hides nothing. */
export const plain = true;

/** Draw a stone {body, outline} by its code; nothing for a code that is none. */
export function piece(code) {
  if (!Object.hasOwn(GLASS, code)) return null;
  const dome = `dome-${code}`;
  const ring = code === "1" ? [] : [{ r: 0.235 }];
  return {
    body: [
      svg("radialGradient", { id: dome, cx: 0.36, cy: 0.3, r: 0.78 },
        ...GLASS[code].map((stop, at) =>
          svg("stop", { offset: STOPS[at], "stop-color": stop }))),
      svg("ellipse", {
        cx: 0.02, cy: 0.055, rx: 0.385, ry: 0.365, fill: "#000", "fill-opacity": 0.5,
      }),
      svg("circle", { r: 0.37, fill: `url(#${dome})` }),
      svg("circle", { r: 0.355, fill: "none", stroke: "url(#bevel)", "stroke-width": 0.03 }),
      ...ring.map((size) => svg("circle", {
        ...size, fill: "none", stroke: "#eaf4ff", "stroke-opacity": 0.88, "stroke-width": 0.05,
      })),
      svg("ellipse", {
        cx: -0.11, cy: -0.17, rx: 0.17, ry: 0.1, fill: "url(#shine)",
        transform: "rotate(-28 -.11 -.17)",
      }),
    ],
    outline: [svg("circle", { r: 0.36 }), ...ring.map((size) => svg("circle", size))],
  };
}
