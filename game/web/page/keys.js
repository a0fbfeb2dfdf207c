/**
 * The game's keys beside the board: one for each ring that can be turned, and those for choices.
 * They can be pressed on a real board too.
 */

import { byId, html, memory, onPress, svg, write } from "./dom.js";
import { pressKey } from "./messages.js";
import { turnArrow } from "./shapes.js";
import { t } from "./words.js";

const ICON = 0.45;
const HUB = 0.06;
/** Where the arrow of a ring begins and ends, in radians clockwise from the top. */
const [FROM, TO] = [-2.3, 2.5];

function picture(rings, at) {
  const radius = (index) => HUB + ((ICON - HUB) * (index + 1)) / (rings + 0.4);
  const circles = Array.from({ length: rings }, (_, index) =>
    svg("circle", { class: "orbit", r: radius(index) }));
  return svg(
    "svg", { class: "ring-icon", viewBox: "-.5 -.5 1 1", "aria-hidden": "true" }, ...circles,
    svg("path", { class: "turn", d: turnArrow(radius(at), FROM, TO, 0.11, 0.12) }),
  );
}

export class Keys {
  #send;
  #trace;
  #rings = {};
  #buttons = new Map();
  #choices = [];
  #isNew = memory();
  #replayed = false;

  /**
   * @param send function that takes a message for the server
   * @param trace function that takes the cells of the ring whose key people are about to press
   */
  constructor(send, trace) {
    this.#send = send;
    this.#trace = trace;
  }

  /** Take the keys and rings of a hello message; a replayed game has no keys. */
  greet({ keys_of_game: keys, rings, replay, lang }) {
    this.#rings = rings;
    this.#replayed = replay !== null && !replay.lesson;
    if (!this.#isNew(keys, rings, lang)) return;
    this.#buttons.clear();
    const turning = keys.filter((key) => Object.hasOwn(rings, key));
    this.#choices = keys.filter((key) => !Object.hasOwn(rings, key));
    byId("game-keys").replaceChildren(
      ...turning.map((key, at) => this.#button(key, "ring", picture(turning.length, at),
        html("span", { class: "number" }, key.replace(/^ring/, "")))),
      ...this.#choices.map((key) => html("span", { class: "slot" },
        this.#button(key, "choose", html("span", {})))),
    );
  }

  #button(key, kind, ...inside) {
    const button = html(
      "button", { type: "button", class: kind, "data-key": key, "data-cue": "" }, ...inside);
    // The second click of a double click would turn the ring once more.
    onPress(button, () => this.#send(pressKey(key)));
    const ring = this.#rings[key];
    if (ring) {
      for (const begin of ["pointerenter", "focus"]) {
        button.addEventListener(begin, () => this.#trace(ring));
      }
      for (const end of ["pointerleave", "blur"]) {
        button.addEventListener(end, () => this.#trace([]));
      }
    }
    this.#buttons.set(key, button);
    return button;
  }

  /** Show a state: which keys continue a move, what they do, and which ring hands must turn. */
  show({ keys, todo, to_move: player, sides }) {
    byId("board-keys").hidden = this.#buttons.size === 0 || this.#replayed;
    byId("board-keys").dataset.side = sides[player - 1]?.side ?? "";
    const next = new Map(keys.map((each) => [each.key, each]));
    const turned = todo.filter(({ kind }) => kind === "turn").map(({ cell }) => cell);
    for (const [key, button] of this.#buttons) {
      const told = next.get(key);
      button.dataset.cue = told?.cue ?? (turned.includes(key) ? "put" : "");
      if (!this.#choices.includes(key)) {
        const ring = key.replace(/^ring/, "");
        const does = told?.text ?? t("page.ring_turn", { ring });
        const label = told ? t("page.can_press", { key: does }) : does;
        button.setAttribute("aria-label", label);
        button.title = does;
        continue;
      }
      // A choice's key is visible only while there is something to choose; its room stays.
      button.classList.toggle("absent", !told);
      write(button.firstChild, told?.text ?? "");
    }
    write(byId("choices-said"), keys.filter(({ key }) => this.#choices.includes(key))
      .map(({ text }) => t("page.can_press", { key: text })).join(" "));
  }
}
