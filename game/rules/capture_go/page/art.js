/** The stones of Capture Go: lentils of slate and shell. It knows no board. */

import { svg } from "/page/dom.js";

const LOOKS = {
  1: ["#7a7a80", "#2c2c32", "#0a0a0e"],
  2: ["#ffffff", "#f1ece1", "#b8b0a0"],
};
const STOPS = [0, 0.5, 1];

/** The stones are plain: a cue in the middle of one hides nothing. */
export const plain = true;

/** Draw a stone {body, outline} by its code; nothing for a code that is none. */
export function piece(code) {
  if (!Object.hasOwn(LOOKS, code)) return null;
  const lentil = `lentil-${code}`;
  return {
    body: [
      svg("radialGradient", { id: lentil, cx: 0.36, cy: 0.3, r: 0.78 },
        ...LOOKS[code].map((colour, at) =>
          svg("stop", { offset: STOPS[at], "stop-color": colour }))),
      svg("ellipse", { cx: 0.02, cy: 0.05, rx: 0.385, ry: 0.365, "fill-opacity": 0.5 }),
      svg("circle", { r: 0.37, fill: `url(#${lentil})` }),
    ],
    outline: [svg("circle", { r: 0.36 })],
  };
}
