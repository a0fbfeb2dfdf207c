/**
 * Marks of cells besides their cue: hints, choices in the menu, the move that a computer wants
 * there. It knows no board and makes no element.
 */

/** Levels without a number of their own get a sign of chance. */
const CHANCE = "?";

function ofChoice({ player, level, chosen }, side) {
  if (player === null && level) return { sign: "hint", text: "" };
  if (player === null) return { sign: chosen ? "menu-people-chosen" : "menu-people", text: "" };
  const text = /^\d/.test(level) ? level : CHANCE;
  return { sign: chosen ? "menu-chosen" : "", text, player, side };
}

/**
 * Return, by cell, the {sign, text, player, side} that replace the cue's own sign and the cell's
 * name; only for cells whose cue is still that of a hint, a choice or a wanted move.
 */
export function marks({ cells, hints, menu, proposed, to_move, sides }) {
  const sideOf = (player) => sides[player - 1]?.side;
  const mover = { player: to_move, side: sideOf(to_move) };
  const marked = {};
  const mark = (cell, cues, made) => {
    if (cues.includes(cells[cell]?.cue)) marked[cell] ??= made;
  };
  hints.forEach(({ cell }, rank) =>
    mark(cell, ["hint"], { sign: rank === 0 ? "hint" : `hint-${rank + 1}`, ...mover }));
  for (const choice of menu) {
    mark(choice.cell, ["legal", "chosen"], ofChoice(choice, sideOf(choice.player)));
  }
  for (const cell of proposed?.cells ?? []) {
    mark(cell, ["proposed"], { sign: "proposed", ...mover });
  }
  return marked;
}
