/**
 * Colours: mixtures, and readable variants of each side's colour for both themes and the dark
 * board. It knows neither games nor players.
 */

const BLACK = "#000000";
const WHITE = "#ffffff";
/** The background of words on a card of either theme, and of signs on the board. */
const PAPER = { light: "#fffdf8", dark: "#1c1e22", board: "#262a31" };
const READABLE = 4.5;
const STEP = 0.05;

const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** Mix two colours `#rrggbb`: `share` of the second, 0 to 1. */
export function mix(one, other, share) {
  const to = parts(other);
  return `#${parts(one)
    .map((from, at) => Math.round(from + share * (to[at] - from)).toString(16).padStart(2, "0"))
    .join("")}`;
}

function brightness(colour) {
  const [red, green, blue] = parts(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Return a colour, moved towards black or white until words in it are readable on a background. */
export function readable(colour, paper) {
  const end = brightness(paper) > 0.4 ? BLACK : WHITE;
  for (let share = 0; share < 1; share += STEP) {
    const tried = mix(colour, end, share);
    if (contrast(tried, paper) >= READABLE) return tried;
  }
  return end;
}

/** Return a side's colour as lines in it show on the board. */
export function lit(hue) {
  return readable(mix(hue, WHITE, 0.3), PAPER.board);
}

/** The sheet that gives each element with a data-side the colours of that side. */
export class Hues {
  #sheet = new CSSStyleSheet();

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** Take the colours of the sides of a hello message, a list of `#rrggbb`. */
  greet({ hues }) {
    this.#sheet.replaceSync(hues.map((hue, index) => {
      const of = `[data-side="${index + 1}"]`;
      return `${of} { --hue: ${hue}; --lit: ${lit(hue)};
        --colour: light-dark(${readable(hue, PAPER.light)}, ${readable(hue, PAPER.dark)}); }`;
    }).join("\n"));
  }
}
