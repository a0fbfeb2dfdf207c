/**
 * The drawings that the game of this page brings: a module of its own, at an address that the
 * server names. It may export `piece(code, hue)`, which returns {body, outline} or null,
 * `square(code)`, which returns elements, and `plain`, if a cue on a piece hides nothing of it.
 */

let address = null;
let art = {};

/** Tell whether the drawings at an address, or none for null, are in use. */
export function has(wanted) {
  return wanted === address;
}

/** Return the drawings at an address; a game whose drawings fail is shown without. */
export async function drawings(wanted) {
  try {
    return wanted ? await import(wanted) : {};
  } catch (error) {
    console.error(error);
    return {};
  }
}

/** Load the drawings of this page's game. */
export async function load(wanted) {
  address = wanted;
  art = await drawings(wanted);
}

/** Draw a piece {body, outline}, or null if the game does not. */
export function piece(code, hue) {
  return art.piece?.(code, hue) ?? null;
}

/** Draw what is printed on a square, by its code; an empty list for nothing. */
export function square(code) {
  return (code && art.square?.(code)) || [];
}

/** Tell whether pieces have something in their middle that a cue would hide. */
export function hasFaces() {
  return !art.plain;
}
