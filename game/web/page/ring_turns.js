/**
 * Turns of a ring: its pieces arrive a number of cells further on, as the server has announced. It
 * knows no board.
 */

const NOTHING = "";

export class RingTurns {
  #rings = {};
  #standing = null;
  #told = "";
  #awaited = null;

  /** Take the rings of a hello message, a record of name to cells in clockwise order. */
  greet({ rings }) {
    this.#rings = rings;
  }

  /**
   * Take a state; return {cells, steps} of the ring that has turned since the last one, null if
   * none has. An announced turn happens later, when hands have made it.
   */
  follow({ cells, travel, todo, ply }) {
    const before = this.#standing;
    this.#standing = Object.fromEntries(
      Object.entries(cells).map(([name, { standing }]) => [name, standing]));
    const told = travel ? JSON.stringify([travel, ply]) : NOTHING;
    if (told !== this.#told && travel) this.#awaited = travel;
    this.#told = told;
    const awaited = this.#awaited;
    const task = todo.find(({ kind }) => kind === "turn");
    if (task) this.#awaited = { ring: task.cell, steps: task.steps };
    else if (!travel) this.#awaited = null;
    if (before === null || awaited === null) return null;
    const { ring, steps } = awaited;
    const names = this.#rings[ring] ?? [];
    const turned = names.every((name, at) =>
      this.#standing[name] === before[names.at((at - steps) % names.length)]);
    if (!turned) return null;
    if (!task) this.#awaited = null;
    return { cells: names, steps };
  }
}
