/** The stones of Eat Your Neighbor: scales, six-sided, so that those side by side make one body. */

import { svg } from "/page/dom.js";
import { lit } from "/page/hues.js";

const CORNERS = [0, 1, 2, 3, 4, 5].map((corner) => (Math.PI / 3) * corner + Math.PI / 6);

function hexagon(radius) {
  return CORNERS.map((angle) =>
    `${(radius * Math.cos(angle)).toFixed(3)},${(radius * Math.sin(angle)).toFixed(3)}`).join(" ");
}

/** The stones are plain: a cue in the middle of one hides nothing. */
export const plain = true;

/** Draw a stone {body, outline} by its code, the second side's with a ridge; nothing for others. */
export function piece(code, hue) {
  if (code !== "1" && code !== "2") return null;
  const scale = `scale-${code}`;
  const ridge = code === "1" ? [] : [{ points: hexagon(0.24) }];
  const round = { "stroke-linejoin": "round", "stroke-width": 0.09 };
  return {
    body: [
      svg("linearGradient", { id: scale, x1: 0, y1: 0, x2: 0.3, y2: 1 },
        svg("stop", { offset: 0, "stop-color": lit(hue) }),
        svg("stop", { offset: 1, "stop-color": hue })),
      svg("polygon", {
        points: hexagon(0.4), fill: "#000", "fill-opacity": 0.5, transform: "translate(.01 .05)",
      }),
      svg("polygon", {
        points: hexagon(0.36), fill: `url(#${scale})`, stroke: `url(#${scale})`, ...round,
      }),
      ...ridge.map((points) => svg("polygon", {
        ...points, ...round, fill: "none", stroke: "#eaf4ff", "stroke-opacity": 0.88,
        "stroke-width": 0.05,
      })),
      svg("polygon", {
        points: hexagon(0.39), fill: "none", stroke: "#000", "stroke-opacity": 0.35,
        "stroke-linejoin": "round", "stroke-width": 0.025,
      }),
    ],
    outline: [svg("polygon", { points: hexagon(0.39) })],
  };
}
