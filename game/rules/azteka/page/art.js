/**
 * The pieces of Azteka: Life, a sun with a sprout on it; Death, the mask of a skull; Mummies,
 * figures in their wrappings. They differ in outline as well as in colour. It knows no board.
 */

import { svg } from "/page/dom.js";
import { mix } from "/page/hues.js";

const RAYS = 12;

function sun() {
  const points = Array.from({ length: 2 * RAYS }, (_, at) => {
    const angle = (Math.PI * at) / RAYS;
    const reach = at % 2 === 0 ? 0.43 : 0.345;
    return `${(reach * Math.sin(angle)).toFixed(3)} ${(-reach * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}z`;
}

const SHAPES = {
  L: sun(),
  D: "M0-.42C.22-.42 .36-.27 .36-.08C.36 .07 .27 .12 .25 .19L.24 .31C.23 .38 .15 .4 0 .4"
    + "S-.23 .38-.24 .31L-.25 .19C-.27 .12-.36 .07-.36-.08C-.36-.27-.22-.42 0-.42z",
  M: "M0-.44C.14-.44 .2-.34 .19-.22C.19-.18 .2-.16 .23-.14C.31-.08 .31 .04 .28 .13L.19 .4"
    + "C.17 .44 .1 .45 0 .45S-.17 .44-.19 .4L-.28 .13C-.31 .04-.31-.08-.23-.14"
    + "C-.2-.16-.19-.18-.19-.22C-.2-.34-.14-.44 0-.44z",
};

function life(light, hue, dark) {
  return [
    svg("circle", { r: 0.285, fill: dark }),
    svg("circle", { r: 0.262, fill: mix(hue, "#ffffff", 0.12) }),
    svg("path", {
      d: "M0 .2C0 .08 0 .02 0-.04", fill: "none", stroke: light, "stroke-width": 0.055,
      "stroke-linecap": "round",
    }),
    svg("path", {
      d: "M0 .06C-.02-.1-.1-.17-.22-.15C-.22-.02-.13 .06 0 .06z"
        + "M0-.02C0-.16 .08-.23 .2-.21C.21-.09 .13-.02 0-.02z",
      fill: light, stroke: dark, "stroke-width": 0.02, "stroke-linejoin": "round",
    }),
  ];
}

function death(light, hue, dark) {
  const night = mix(hue, "#000000", 0.82);
  return [
    svg("path", {
      d: "M-.16-.16C-.06-.16-.05-.08-.06-.02C-.07 .05-.2 .07-.23 0C-.25-.07-.24-.16-.16-.16z"
        + "M.16-.16C.06-.16 .05-.08 .06-.02C.07 .05 .2 .07 .23 0C.25-.07 .24-.16 .16-.16z"
        + "M0 .03 .05 .13H-.05z",
      fill: night,
    }),
    svg("path", {
      d: "M-.19 .2H.19M-.11 .2V.32M0 .2V.33M.11 .2V.32", fill: "none", stroke: night,
      "stroke-width": 0.035, "stroke-linecap": "round",
    }),
    svg("path", {
      d: "M-.2-.28C-.1-.35 .1-.35 .2-.28M0-.33V-.24M-.12-.32-.1-.24M.12-.32 .1-.24", fill: "none",
      stroke: dark, "stroke-width": 0.03, "stroke-linecap": "round",
    }),
  ];
}

function mummy(light, hue, dark) {
  return [
    svg("path", {
      d: "M-.185-.3 .19-.36M-.2-.12 .21-.1M-.28-.03 .28-.12M-.29 .1 .29 .02M-.25 .21 .26 .14"
        + "M-.22 .31 .23 .25M-.19 .4 .19 .36",
      fill: "none", stroke: dark, "stroke-width": 0.03, "stroke-linecap": "round",
    }),
    svg("path", {
      d: "M-.27 .02 .2-.13M-.24 .16 .28 .08M-.2 .36 .24 .2", fill: "none", stroke: light,
      "stroke-width": 0.022, "stroke-linecap": "round", "stroke-opacity": 0.8,
    }),
    svg("path", { d: "M-.16-.27H.16V-.17H-.16z", fill: mix(hue, "#000000", 0.82) }),
    svg("circle", { cx: -0.07, cy: -0.22, r: 0.034, fill: light }),
    svg("circle", { cx: 0.07, cy: -0.22, r: 0.034, fill: light }),
  ];
}

const FACES = { L: life, D: death, M: mummy };

/** Draw a piece {body, outline} by its code, in the colour of its side; nothing for other codes. */
export function piece(code, hue) {
  if (!Object.hasOwn(SHAPES, code)) return null;
  const d = SHAPES[code];
  const light = mix(hue, "#fffbe8", 0.78);
  const dark = mix(hue, "#000000", 0.5);
  const sheen = `sheen-${code}`;
  const stop = (offset, colour) => svg("stop", { offset, "stop-color": colour });
  return {
    body: [
      svg("radialGradient", { id: sheen, cx: 0.38, cy: 0.28, r: 0.8 },
        stop(0, mix(hue, "#ffffff", 0.5)), stop(0.45, hue), stop(1, mix(hue, "#000000", 0.45))),
      svg("path", { d, transform: "translate(.02 .05)", fill: "#000", "fill-opacity": 0.5 }),
      svg("path", {
        d, fill: `url(#${sheen})`, stroke: dark, "stroke-width": 0.03, "stroke-linejoin": "round",
      }),
      ...FACES[code](light, hue, dark),
    ],
    outline: [svg("path", { d })],
  };
}
