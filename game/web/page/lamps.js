/**
 * The lamps of the page: which element shows which pixel of the strip, and its colour on a screen.
 * It knows neither what a spot is nor what a light means.
 */

/** Split a colour of the screen into the colour at full light, and how much of it, 0 to 1. */
function appearance(digits) {
  const colour = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
  const brightest = Math.max(...colour);
  if (brightest === 0) return ["#000", 0];
  const full = colour.map((value) => Math.round((255 * value) / brightest));
  return [`rgb(${full.join(" ")})`, (brightest / 255).toFixed(3)];
}

export class Lamps {
  #painters = new Map();
  #pixels = new Map();
  #shown = new Map();
  #frame = "";

  /** Let paint(colour, level) show a spot: a colour at full light, and how much of it, 0 to 1. */
  add(spot, paint) {
    this.#painters.set(spot, paint);
    this.#shown.delete(spot);
    // What is drawn anew shines at once.
    this.show(this.#frame);
  }

  /** Take the pixel of each spot, a record of spot to index. */
  wire(pixels) {
    this.#pixels = new Map(Object.entries(pixels));
    this.#shown.clear();
  }

  /** Show one frame, six hexadecimal digits a pixel; only lamps that changed are painted. */
  show(frame) {
    this.#frame = frame;
    for (const [spot, index] of this.#pixels) {
      const digits = frame.slice(6 * index, 6 * index + 6);
      const paint = this.#painters.get(spot);
      if (!paint || digits.length < 6 || this.#shown.get(spot) === digits) continue;
      this.#shown.set(spot, digits);
      paint(...appearance(digits));
    }
  }
}
