/**
 * The page of the maker's tools: the board with a note in each cell, a message, and buttons. It
 * shows the screens that the server sends, and knows no tool.
 */

import { Board } from "./board.js";
import { byId, html, svg, write } from "./dom.js";
import { Fingers } from "./fingers.js";
import { Link, toolAddress } from "./link.js";
import { doAction } from "./messages.js";

const MARGIN = 0.4;
const CORNER = 0.6;
const BAR = { x: -0.3, y: 0.25, height: 0.06, width: 0.6 };
/** A bar shorter than this would only flicker. */
const NOISE = 0.05;
const ASKED_GLOW = ["#fff", "0.55"];

/** The name of a state for screen readers; the others are clear from their text. */
const SAID = { asked: "asked", done: "done", touched: "touched", weak: "weak", dead: "dead" };

/** The label of a cell for screen readers: its name, its text, its state. */
function label(name, { text, state }) {
  return [name, text, text === SAID[state] ? "" : SAID[state]].filter(Boolean).join(", ");
}

/** The cells on the drawing. */
class Notes {
  #window = byId("board");
  #frame = svg("rect", { class: "frame", rx: CORNER });
  #glows = new Map();
  #cells = new Map();
  #board = new Board({ add: (name, paint) => this.#glows.set(name, paint) });

  constructor(send) {
    const { root, base, glows } = this.#board;
    this.#window.append(this.#frame, base, glows, root);
    const board = {
      root,
      walk: (name, key) => this.#board.walk(name, key),
      // The focus may also be on a tile.
      stopAt: (name) => this.has(name) && this.#board.stopAt(name),
    };
    this.fingers = new Fingers(board, (message) => this.#pressable && send(message));
  }

  get #pressable() {
    return "simulated" in this.#window.dataset;
  }

  has(name) {
    return this.#cells.has(name);
  }

  draw({ board, simulated }) {
    this.#window.toggleAttribute("data-simulated", simulated);
    this.#board.draw(board);
    this.#cells.clear();
    for (const cell of this.#board.root.querySelectorAll("[data-cell]")) this.#furnish(cell);
    byId("stage").hidden = this.#cells.size === 0;
    if (this.#cells.size === 0) return;
    const { left, top, right, bottom } = this.#board.extent();
    const window = {
      x: left - MARGIN, y: top - MARGIN,
      width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN,
    };
    for (const [key, value] of Object.entries(window)) this.#frame.setAttribute(key, value);
    // Half the frame's line lies outside of it.
    const [x, y, width, height] = Object.values(window);
    this.#window.setAttribute("viewBox", `${x - 0.1} ${y - 0.1} ${width + 0.2} ${height + 0.2}`);
  }

  #furnish(cell) {
    if (!this.#pressable) {
      // It does nothing when pressed, so it is not a button and has no tab stop.
      cell.setAttribute("role", "img");
      cell.removeAttribute("tabindex");
    }
    cell.querySelectorAll(".note, .track, .fill").forEach((old) => old.remove());
    const note = svg("text", { class: "note", y: 0.13, "aria-hidden": "true" });
    const track = svg("rect", { class: "track", ...BAR, visibility: "hidden" });
    const fill = svg("rect", { class: "fill", ...BAR, width: 0 });
    cell.append(note, track, fill);
    this.#cells.set(cell.dataset.cell, { cell, note, track, fill, shown: "" });
  }

  show(cells) {
    for (const [name, parts] of this.#cells) {
      const state = cells[name] ?? { text: "", state: "plain", level: 0 };
      const look = JSON.stringify(state);
      if (parts.shown === look) continue;
      parts.shown = look;
      const level = Math.max(0, Math.min(1, state.level));
      parts.note.textContent = state.text;
      parts.cell.dataset.state = state.state;
      parts.cell.setAttribute("aria-label", label(name, state));
      parts.track.setAttribute("visibility", level > NOISE ? "visible" : "hidden");
      parts.fill.setAttribute("width", level > NOISE ? BAR.width * level : 0);
      this.#glows.get(name)(...(state.state === "asked" ? ASKED_GLOW : ["#000", "0"]));
    }
  }
}

/** The cells that the drawing lacks, such as keys. A tile that stays keeps its element. */
class Tiles {
  #list = byId("tiles");
  #tiles = new Map();
  #pressable = false;

  constructor(send) {
    // They stand in no row that arrow keys could walk.
    const board = { root: this.#list, walk: () => false, stopAt: () => {} };
    this.fingers = new Fingers(board, send);
  }

  draw({ simulated }) {
    if (simulated !== this.#pressable) this.show({});
    this.#pressable = simulated;
  }

  show(cells) {
    for (const [name, { row }] of this.#tiles) {
      if (name in cells) continue;
      row.remove();
      this.#tiles.delete(name);
    }
    for (const [name, note] of Object.entries(cells)) {
      if (!this.#tiles.has(name)) this.#add(name);
      const { tile, text, said } = this.#tiles.get(name);
      tile.dataset.state = note.state;
      write(text, note.text);
      write(said, SAID[note.state] ?? "");
    }
    this.#list.hidden = this.#tiles.size === 0;
  }

  #add(name) {
    const text = html("span");
    const said = html("span", { class: "unseen" });
    const parts = [html("b", {}, name), text, said];
    const attributes = { class: "tile row", "data-tile": name };
    const tile = this.#pressable
      ? html("button", { ...attributes, type: "button", "data-cell": name }, ...parts)
      : html("div", attributes, ...parts);
    const row = html("li", {}, tile);
    this.#list.append(row);
    this.#tiles.set(name, { row, tile, text, said });
  }
}

/** A table of every cell's measurements, for tools that show columns. */
class Readings {
  #table = byId("readings");
  #shape = "";
  #rows = new Map();

  show(columns, cells) {
    const shape = JSON.stringify([columns, Object.keys(cells)]);
    if (shape !== this.#shape) this.#draw(columns, Object.keys(cells));
    this.#shape = shape;
    for (const [name, { row, parts }] of this.#rows) {
      row.dataset.state = cells[name].state;
      parts.forEach((part, at) => write(part, cells[name].values[at] ?? ""));
    }
  }

  #draw(columns, names) {
    this.#rows.clear();
    this.#table.replaceChildren();
    this.#table.hidden = columns.length === 0;
    if (columns.length === 0) return;
    const titles = ["cell", ...columns].map((title) => html("th", { scope: "col" }, title));
    for (const name of names) {
      const parts = columns.map(() => html("td"));
      const row = html("tr", { "data-row": name }, html("th", { scope: "row" }, name), ...parts);
      this.#rows.set(name, { row, parts });
    }
    const rows = [...this.#rows.values()].map(({ row }) => row);
    this.#table.append(html("thead", {}, html("tr", {}, ...titles)), html("tbody", {}, ...rows));
  }
}

/** Show the actions; a button that stays keeps its element, and with it the focus. */
function showActions(actions, ask) {
  const list = byId("actions");
  const names = actions.map(({ name }) => name);
  for (const old of [...list.children]) if (!names.includes(old.dataset.action)) old.remove();
  actions.forEach((action, at) => {
    let button = list.querySelector(`[data-action="${CSS.escape(action.name)}"]`);
    if (!button) {
      button = html("button", { type: "button", "data-action": action.name });
      button.addEventListener("click", () => ask(action.name));
    }
    write(button, action.label);
    // The action of Enter on the terminal is the usual one here too.
    button.classList.toggle("primary", action.key === "");
    if (list.children[at] !== button) list.insertBefore(button, list.children[at] ?? null);
  });
}

function showProgress(progress) {
  byId("progress").hidden = !progress;
  if (!progress) return;
  const [done, all] = progress;
  byId("bar").max = all;
  byId("bar").value = done;
  byId("count").textContent = `${done} of ${all}`;
}

const KIND = "tool";
let version = null;

const show = {
  hello(message) {
    // The tool may have ended, and the service serves its page here again; or an upgrade came.
    if (message.page !== KIND || (version !== null && version !== message.version)) {
      location.reload();
      return;
    }
    version = message.version;
    byId("simulated").hidden = !message.simulated;
    notes.draw(message);
    tiles.draw(message);
  },
  screen({ title, message, cells, actions, progress, columns }) {
    write(byId("title"), title);
    if (document.title !== title) document.title = title;
    if (byId("message").textContent !== message) write(byId("refused"), "");
    write(byId("message"), message);
    notes.show(cells);
    const others = Object.entries(cells).filter(([name]) => !notes.has(name));
    tiles.show(Object.fromEntries(others));
    readings.show(columns, cells);
    showActions(actions, (name) => link.send(doAction(name)));
    showProgress(progress);
  },
  error({ text }) {
    write(byId("refused"), text);
  },
};

const link = new Link(
  toolAddress,
  (message) => (show[message.type] ?? show.hello)(message),
  (open) => {
    document.body.dataset.link = open ? "open" : "lost";
    write(byId("link"), open ? "" : "No connection to the tool. It has ended, or it will answer soon.");
    if (open) return;
    notes.fingers.forget();
    tiles.fingers.forget();
  },
);
const notes = new Notes((message) => link.send(message));
const tiles = new Tiles((message) => link.send(message));
const readings = new Readings();
link.open();
