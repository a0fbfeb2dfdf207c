/**
 * A player's pieces while they are laid out: which are on which square, and which are still in the
 * tray. Each change can be undone. It knows no element and no rule.
 */

const MOST_UNDONE = 100;
const PAIR = /^([A-Za-z]+[0-9]+)=([A-Za-z0-9]+)$/;

function commonStart(codes) {
  let start = codes[0] ?? "";
  for (const code of codes) while (!code.startsWith(start)) start = start.slice(0, -1);
  return start;
}

export class Draft {
  #cells;
  #codes;
  #start;
  #laid = new Map();
  #past = [];

  /**
   * @param cells the names of the squares
   * @param codes the codes of the pieces, in the order of the tray
   */
  constructor(cells, codes) {
    this.#cells = cells;
    this.#codes = codes;
    this.#start = codes.length > 1 ? commonStart(codes) : "";
  }

  /** The codes of the pieces, in the order of the tray. */
  get codes() {
    return this.#codes;
  }

  /** How many pieces are placed. */
  get count() {
    return this.#laid.size;
  }

  get full() {
    return this.#laid.size === this.#codes.length;
  }

  get undoable() {
    return this.#past.length > 0;
  }

  /** Return the tray number of the piece on a square, undefined if there is none. */
  at(cell) {
    return this.#laid.get(cell);
  }

  /** Return the square of a piece by its tray number, undefined if it is in the tray. */
  where(number) {
    return [...this.#laid.keys()].find((cell) => this.#laid.get(cell) === number);
  }

  /** Put a piece on a square; a piece there swaps places with it, or goes to the tray. */
  lay(number, cell) {
    const from = this.where(number);
    if (from === cell) return;
    this.#remember();
    const other = this.#laid.get(cell);
    if (from !== undefined) this.#laid.delete(from);
    if (from !== undefined && other !== undefined) this.#laid.set(from, other);
    this.#laid.set(cell, number);
  }

  /** Put the piece on a square back into the tray. */
  take(cell) {
    if (!this.#laid.has(cell)) return;
    this.#remember();
    this.#laid.delete(cell);
  }

  /** Put all pieces back into the tray. */
  clear() {
    if (this.#laid.size === 0) return;
    this.#remember();
    this.#laid.clear();
  }

  /** Move every piece to another square, which a function returns. */
  map(to) {
    this.#remember();
    this.#laid = new Map([...this.#laid].map(([cell, number]) => [to(cell), number]));
  }

  /** Lay out pieces, a record of square to code; what does not fit stays in the tray. */
  fill(pieces) {
    this.#remember();
    this.#laid.clear();
    for (const [cell, code] of Object.entries(pieces)) {
      const held = new Set(this.#laid.values());
      const number = this.#codes.findIndex((each, at) => each === code && !held.has(at));
      if (number >= 0 && this.#cells.includes(cell)) this.#laid.set(cell, number);
    }
  }

  /**
   * Lay out all pieces by chance: any piece on any square with the same probability, so that the
   * squares that the opponent sees tell nothing. `Math.random` could be predicted from set-ups that
   * were shown after earlier games.
   */
  scatter() {
    this.#remember();
    const left = [...this.#cells];
    const draw = () =>
      left.splice(crypto.getRandomValues(new Uint32Array(1))[0] % left.length, 1)[0];
    this.#laid = new Map(this.#codes.map((_, number) => [draw(), number]));
  }

  /** Undo the last change. */
  undo() {
    this.#laid = new Map(this.#past.pop() ?? this.#laid);
  }

  /** Forget what could be undone. */
  settle() {
    this.#past = [];
  }

  #remember() {
    this.#past = [...this.#past, [...this.#laid]].slice(-MOST_UNDONE);
  }

  /** Return the placed pieces, a record of square to code. */
  get pieces() {
    return Object.fromEntries(this.#cells.filter((cell) => this.#laid.has(cell))
      .map((cell) => [cell, this.#codes[this.#laid.get(cell)]]));
  }

  /** Write the placed pieces as a line, as records do: `A1=yC B2=kT`. */
  get line() {
    return Object.entries(this.pieces)
      .map(([cell, code]) => `${cell}=${code.slice(this.#start.length)}`).join(" ");
  }

  /**
   * Parse such a line; return {pieces}, or {wrong} with its invalid part. Squares of the other
   * player are mapped by the function `across`.
   */
  read(line, across) {
    const parts = line.trim().split(/[\s,;]+/).filter((part) => part && part !== "setup");
    const pairs = parts.map((part) => [part, ...(PAIR.exec(part) ?? []).slice(1)]);
    const own = pairs.some(([, cell]) => this.#cells.includes(cell?.toUpperCase()));
    const free = [...this.#codes];
    const pieces = {};
    for (const [part, name, code] of pairs) {
      const cell = name && (own ? name.toUpperCase() : across(name.toUpperCase()));
      const at = free.findIndex((each) => each === code || each.slice(this.#start.length) === code);
      if (!this.#cells.includes(cell) || at < 0 || cell in pieces) return { wrong: part };
      [pieces[cell]] = free.splice(at, 1);
    }
    return { pieces };
  }
}
