/**
 * The pieces of Adaptoid: a body with six sockets, and round it as many legs and pincers as its
 * code says, such as W2L1P. It knows no board.
 */

import { svg } from "/page/dom.js";
import { lit } from "/page/hues.js";

const CODE = /^([WB])(\d)L(\d)P$/;
const LOOKS = {
  W: {
    shell: ["#ffffff", "#e9e4d8", "#a29b8c"], edge: "#3b382f", leg: "#f4efe2",
    mark: "#8b8473",
  },
  B: {
    shell: ["#6d7686", "#2c313b", "#0b0d11"], edge: "#c3cad6", leg: "#aab4c4",
    mark: "#11141a",
  },
};
/** Where limbs stand, in degrees clockwise from the right: pincers from the front, legs behind. */
const FROM_FRONT = [-60, -120, 0, 180, 60, 120];
const FROM_BEHIND = [...FROM_FRONT].reverse();

function hexagon(radius) {
  const points = [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = (Math.PI / 3) * corner + Math.PI / 6;
    return `${(radius * Math.cos(angle)).toFixed(3)},${(radius * Math.sin(angle)).toFixed(3)}`;
  });
  return points.join(" ");
}

function limb(kind, angle, ...children) {
  return svg("g", { class: kind, transform: `rotate(${angle})` }, ...children);
}

function leg(angle, colour) {
  // Knees bend backward on either side.
  const bend = Math.cos((angle * Math.PI) / 180) < 0 ? -1 : 1;
  const d = `M.2 0L.36 ${-0.065 * bend}L.475 ${0.055 * bend}`;
  const line = { d, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return limb("leg", angle,
    svg("path", { ...line, stroke: "#0b0d10", "stroke-width": 0.13 }),
    svg("path", { ...line, stroke: colour, "stroke-width": 0.08 }));
}

function pincer(angle, claw) {
  return limb("pincer", angle, svg("path", {
    d: "M.2-.05H.28C.29-.16 .4-.2 .505-.14C.52-.1 .51-.06 .495-.03C.45-.08 .39-.07 .385 0"
      + "C.39 .07 .45 .08 .495 .03C.51 .06 .52 .1 .505 .14C.4 .2 .29 .16 .28 .05H.2z",
    fill: claw, stroke: "#14161a", "stroke-width": 0.028, "stroke-linejoin": "round",
  }));
}

/**
 * Draw a piece {body, outline} by its code, its pincers in the colour of its side; nothing for a
 * code that is none of an adaptoid.
 */
export function piece(code, hue) {
  const [, colour, legs, pincers] = CODE.exec(code) ?? [];
  if (!colour) return null;
  const look = LOOKS[colour];
  const claw = lit(hue);
  const shell = `shell-${code}`;
  const behind = FROM_BEHIND.slice(0, Number(legs));
  const front = FROM_FRONT.slice(0, Number(pincers));
  const free = FROM_FRONT.filter((angle) => !behind.includes(angle) && !front.includes(angle));
  return {
    body: [
      svg("radialGradient", { id: shell, cx: 0.38, cy: 0.28, r: 0.85 },
        ...look.shell.map((stop, at) =>
          svg("stop", { offset: [0, 0.5, 1][at], "stop-color": stop }))),
      svg("ellipse", { cx: 0.015, cy: 0.045, rx: 0.3, ry: 0.3, fill: "#000", "fill-opacity": 0.5 }),
      ...behind.map((angle) => leg(angle, look.leg)),
      ...front.map((angle) => pincer(angle, claw)),
      svg("polygon", {
        points: hexagon(0.295), fill: `url(#${shell})`, stroke: look.edge, "stroke-width": 0.032,
        "stroke-linejoin": "round",
      }),
      ...free.map((angle) => limb("socket", angle, svg("circle", {
        cx: 0.2, r: 0.036, fill: look.mark, stroke: look.edge, "stroke-width": 0.012,
      }))),
    ],
    outline: [svg("polygon", { points: hexagon(0.32) })],
  };
}
