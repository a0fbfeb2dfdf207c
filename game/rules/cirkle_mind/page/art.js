/**
 * The pieces of CirKle Mind, and what is printed on its squares. A piece is a disc whose back says
 * which army it is of, and which way that goes; a face shows a shape, or the rings of a target.
 * Every colour has a letter as well, the one by which records name it. It knows no board.
 */

import { svg } from "/page/dom.js";
import { mix } from "/page/hues.js";

const CODE = /^([GM])(?:([ygbmk])([TSCOX]))?$/;
const INKS = { y: "#ffcf24", g: "#43c163", b: "#5a9bff", m: "#cb7bea", k: "#1b1c20" };
const PAPER = "#f8f4ea";
const EDGE = "#191a1d";
const SHAPES = {
  T: "M0-.225 .235 .185H-.235z",
  S: "M-.185-.185H.185V.185H-.185z",
  C: "M-.088-.22H.088V-.088H.22V.088H.088V.22H-.088V.088H-.22V-.088H-.088z",
  O: "M0-.205A.205 .205 0 1 1 0 .205 .205 .205 0 1 1 0-.205z",
};
/** Where the letter stands on a shape, from the middle down. */
const BASE = { T: 0.12, X: 0.04 };
/** Which way an army goes: up the board, or down. */
const FORWARD = { G: "M-.15 .07 0-.11 .15 .07", M: "M-.15-.07 0 .11 .15-.07" };

function letter(ink, shape) {
  return svg("text", {
    y: BASE[shape] ?? 0.055, "text-anchor": "middle", "font-size": shape === "X" ? 0.13 : 0.19,
    "font-weight": 700, fill: ink === "k" ? "#ffffff" : EDGE,
  }, ink);
}

function target(ink) {
  return [
    svg("circle", { r: 0.245, fill: INKS[ink], stroke: EDGE, "stroke-width": 0.02 }),
    svg("circle", { r: 0.17, fill: PAPER, stroke: EDGE, "stroke-width": 0.015 }),
    svg("circle", { r: 0.1, fill: INKS[ink], stroke: EDGE, "stroke-width": 0.015 }),
    letter(ink, "X"),
  ];
}

/** Draw a shape in its colour, with the colour's letter on it: `yC`, a yellow cross. */
function sign(ink, shape, edge) {
  return [
    svg("path", {
      d: SHAPES[shape], fill: INKS[ink], stroke: edge, "stroke-width": 0.022,
      "stroke-linejoin": "round",
    }),
    letter(ink, shape),
  ];
}

/** Draw a piece {body, outline} by its code, in the colour of its side; nothing for other codes. */
export function piece(code, hue) {
  const [, army, ink, shape] = CODE.exec(code) ?? [];
  if (!army) return null;
  const dark = mix(hue, "#000000", 0.55);
  const disc = [
    svg("ellipse", { cx: 0.015, cy: 0.05, rx: 0.37, ry: 0.36, fill: "#000", "fill-opacity": 0.5 }),
    svg("circle", { r: 0.365, fill: dark }),
    svg("circle", { r: 0.35, fill: hue }),
  ];
  const back = [
    svg("circle", { r: 0.27, fill: mix(hue, "#000000", 0.22) }),
    svg("circle", {
      r: 0.27, fill: "none", stroke: mix(hue, "#ffffff", 0.55), "stroke-width": 0.018,
    }),
    svg("path", {
      d: FORWARD[army], fill: "none", stroke: mix(hue, "#ffffff", 0.8), "stroke-width": 0.06,
      "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  ];
  const face = () => [
    svg("circle", { r: 0.295, fill: PAPER, stroke: dark, "stroke-width": 0.02 }),
    ...(shape === "X" ? target(ink) : sign(ink, shape, EDGE)),
  ];
  return {
    body: [...disc, ...(ink ? face() : back)],
    outline: [svg("circle", { r: 0.36 })],
  };
}

/**
 * Draw what is printed on a square, such as `yC`: its ground in the colour, and a sign for which
 * there is another place while a piece covers the middle. Nothing for other codes.
 */
export function square(code) {
  const [ink, shape] = code;
  if (!Object.hasOwn(SHAPES, shape)) return [];
  return [
    svg("rect", {
      class: "ground", x: -0.455, y: -0.455, width: 0.91, height: 0.91, fill: INKS[ink],
    }),
    svg("g", { class: "printed-sign" }, ...sign(ink, shape, "#0b0c0f")),
  ];
}
