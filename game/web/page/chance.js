/**
 * A random set-up of CirKle Mind, like one that a person might choose: the own target at the back
 * with pieces all round it, black ones first, and most others on squares that shield them.
 */

const TARGET = "X";
const BLACK = "k";
const COLUMNS_BESIDE = [[0, 1], [-1, 0], [1, 0], [0, -1]];
/** Weights of the row and of a shield against chance: few squares at the front stay free. */
const WEIGHT = { row: 0.35, shield: 1.2 };

function shuffled(list, chance) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(chance() * left.length), 1)[0]);
}

/** How many of a piece's shape and colour match its square. */
function shield(code, printed = "") {
  const [ink, shape] = code.slice(1);
  return (shape === printed[1] ? 1 : 0) + (ink === printed[0] || ink === BLACK ? 1 : 0);
}

/**
 * Lay out pieces, as a record of square to code.
 * @param squares list of {cell, row, column}, rows counted from the back
 * @param codes the codes of the pieces, each an army's letter, a colour's, and a shape's
 * @param printed record of square to the letters of colour and shape printed there
 * @param chance function that returns a number from 0 to 1
 */
export function atRandom(squares, codes, printed, chance = Math.random) {
  const laid = {};
  const free = () => squares.filter(({ cell }) => !(cell in laid));
  const left = new Set(shuffled(codes, chance));
  const lay = (square, code) => {
    laid[square.cell] = code;
    left.delete(code);
  };
  const own = codes.find((code) => code[1] === code[0].toLowerCase() && code[2] === TARGET);
  const home = chance() < 0.75 ? 0 : 1;
  const [heart] = shuffled(squares.filter(({ row }) => row === home), chance);
  lay(heart, own);
  const black = [...left].filter((code) => code[1] === BLACK);
  for (const [aside, ahead] of COLUMNS_BESIDE) {
    const guard = free().find(({ row, column }) =>
      row === heart.row + ahead && column === heart.column + aside);
    const rest = [...left].filter((code) => code[2] !== TARGET);
    // One black piece is kept for the front.
    if (guard) lay(guard, black.length > 1 ? black.pop() : rest[0]);
  }
  for (const code of [...left].filter((each) => each[2] === TARGET)) {
    lay(shuffled(free().filter(({ row }) => row < 3), chance)[0], code);
  }
  const luck = new Map(free().map(({ cell, row }) => [cell, chance() - WEIGHT.row * row]));
  const filled = free().sort((one, two) => luck.get(one.cell) - luck.get(two.cell));
  for (const square of filled.slice(0, left.size)) {
    const worth = new Map([...left].map((code) => [
      code, chance() + WEIGHT.shield * shield(code, printed[square.cell])]));
    lay(square, [...left].sort((one, two) => worth.get(two) - worth.get(one))[0]);
  }
  return laid;
}
