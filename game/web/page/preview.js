/**
 * Previews: what a stone would make and take on the cell that a mouse, the focus or a resting finger
 * is on, and how good that is for a player who may look. The server answers by the rules and its
 * search; this module asks once a cell rests, and keeps what people chose in the browser.
 */

import { byId } from "./dom.js";
import { device } from "./storage.js";
import { preview } from "./messages.js";

const KEPT = "previews";
/** How long a cell must be pointed at, so that a path over the board and a tap ask nothing. */
const REST_MS = { mouse: 120, pen: 120, touch: 250 };
/** The same where a look costs one of a few. */
const LOOK_MS = 600;
/** The level of help from which moves are graded. */
const LOOKS = 3;

export class Previews {
  #send;
  #show;
  #offered = false;
  #state = null;
  #cell = "";
  #wanted = 0;
  #rest = REST_MS.mouse;
  #told = null;
  #looks = false;
  #controls = false;

  /**
   * @param root the element that holds the cells
   * @param send function that takes a message for the server
   * @param show function that shows the last state again
   */
  constructor(root, send, show) {
    this.#send = send;
    this.#show = show;
    const choice = byId("previews");
    choice.checked = device.read(KEPT) !== "off";
    choice.addEventListener("change", () => {
      device.write(KEPT, choice.checked ? "on" : "off");
      this.#point("");
    });
    const cellOf = (event) => event.target.closest?.("[data-cell]")?.dataset.cell ?? "";
    for (const begin of ["pointerover", "pointerdown"]) {
      root.addEventListener(begin, (event) => this.#point(cellOf(event), event.pointerType));
    }
    root.addEventListener("pointerleave", () => this.#point(""));
    for (const end of ["pointerup", "pointercancel"]) {
      // A lifted finger points at nothing any more.
      root.addEventListener(end, (event) => event.pointerType !== "mouse" && this.#point(""));
    }
    document.addEventListener("focusin", (event) => {
      if (cellOf(event) && event.target.matches(":focus-visible")) this.#point(cellOf(event));
    });
    root.addEventListener("focusout", () => this.#point(""));
  }

  /** Take a hello message: whether the game has previews, and this page may ask for them. */
  greet({ previews, replay, access }) {
    this.#controls = replay === null && access === "control";
    this.#offered = previews && this.#controls;
    byId("previews-part").hidden = !this.#offered;
    this.#point("");
  }

  /** Take the answer to a question, if it is still of interest. */
  take(answer) {
    if (answer.cell !== this.#cell || answer.ply !== this.#state?.ply) return;
    this.#told = answer.text ? answer : null;
    this.#show();
  }

  /**
   * Return a state with the preview in it: the cues of cells and legend, and what it says. A cell
   * that shows something else keeps it.
   */
  add(state) {
    if (this.#state?.ply !== state.ply || state.phase !== "tap") this.#told = null;
    const fresh = this.#state !== state;
    this.#state = state;
    if (fresh && this.#cell && !this.#told) this.#ask();
    const told = this.#told;
    if (!told) return state;
    const own = state.sides[state.to_move - 1]?.token ?? "";
    const cells = { ...state.cells };
    for (const [name, cue] of Object.entries(told.cells)) {
      const ghost = name === told.cell ? { ghost: own } : {};
      cells[name] = { ...cells[name], ...(name === told.cell && state.graded ? {} : { cue }), ...ghost };
    }
    const message = `${state.graded} ${told.text}`.trim();
    return { ...state, cells, legend: told.legend, message, previewed: told.cell };
  }

  #point(cell, pointer = "mouse") {
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.#rest = REST_MS[pointer] ?? REST_MS.mouse;
    clearTimeout(this.#wanted);
    if (this.#looks) {
      this.#looks = false;
      this.#send(preview(""));
    }
    if (this.#told) {
      this.#told = null;
      this.#show();
    }
    this.#ask();
  }

  #ask() {
    clearTimeout(this.#wanted);
    const { phase, cells, assistance, help, to_move } = this.#state ?? {};
    const open = ["legal", "hint"].includes(cells?.[this.#cell]?.cue);
    const [level, few] = (help?.[to_move - 1] ?? "0").split(":");
    const graded = this.#controls && level >= LOOKS;
    const shown = this.#offered && byId("previews").checked;
    if (!open || phase !== "tap" || assistance === "strict" || !(shown || graded)) return;
    const cell = this.#cell;
    this.#wanted = setTimeout(() => {
      this.#looks = graded;
      this.#send(preview(cell));
    }, graded && few ? LOOK_MS : this.#rest);
  }
}
