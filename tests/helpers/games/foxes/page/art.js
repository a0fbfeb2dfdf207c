/** A fox: a disc with two ears, in the colour of its side. */

import { svg } from "/page/dom.js";

const EARS = "M-.3-.1-.28-.42-.06-.28zM.3-.1 .28-.42 .06-.28z";

export function piece(code, hue) {
  const head = { cy: 0.02, r: 0.32 };
  return {
    body: [
      svg("path", { class: "fox-ears", d: EARS, fill: hue }),
      svg("circle", { ...head, fill: hue }),
    ],
    outline: [svg("circle", head)],
  };
}
