/**
 * The borders of printed squares, in the colour of their side. It knows neither pieces nor lights.
 */

import { svg } from "./dom.js";

/**
 * Draw the borders between squares with a print and squares without, one above the other.
 * @param cells record of name to {x, y}
 * @param printed record of name to code
 * @param upright the cells as they are on a board that is not turned
 */
export function borders(cells, printed, upright) {
  return Object.entries(cells).flatMap(([name, { x, y }]) => {
    if (!printed[name]) return [];
    return Object.entries(cells)
      .filter(([other, at]) => !printed[other] && at.x === x && Math.abs(at.y - y) === 1)
      .map(([, at]) => {
        const middle = (y + at.y) / 2;
        // The side that is named first has its squares at the bottom.
        return svg("path", {
          class: "border", "data-side": upright[name].y > 0 ? 1 : 2, d: `M${x - 0.5} ${middle}h1`,
        });
      });
  });
}
