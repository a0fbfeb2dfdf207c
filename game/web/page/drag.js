/**
 * Dragging by finger or mouse: a picture of the dragged thing follows the pointer. It tells a drag
 * from a press, and knows neither what is dragged nor what it does.
 */

import { html, svg } from "./dom.js";

/** How far a pressing finger may slip without dragging. */
const SLIP_PX = 7;
const LEAST_PX = 48;

function slip({ x, y }, { clientX, clientY }) {
  return Math.hypot(clientX - x, clientY - y);
}

export class Drag {
  #hooks;
  #held = null;

  /** Whether the newest click is of a finger that was handled already. */
  told = false;

  /**
   * @param places the elements in which things are held
   * @param hooks functions: `held` returns {element, symbol} of what an element belongs to, null
   *   if that cannot be taken away; `begin` and `end` are told of a drag, `over` at which point it
   *   is; `drop` takes the element from which and the point where something is let fall, and
   *   `press` an element that was only pressed
   */
  constructor(places, hooks) {
    this.#hooks = hooks;
    for (const place of places) {
      place.addEventListener("pointerdown", (event) => this.#hold(event));
      place.addEventListener("pointermove", (event) => this.#move(event));
      place.addEventListener("pointerup", (event) => this.#drop(event));
      // The finger scrolls.
      place.addEventListener("pointercancel", () => this.cancel());
      place.addEventListener("contextmenu", (event) => event.preventDefault());
    }
  }

  /** Cancel the drag. */
  cancel() {
    if (this.#held?.ghost) {
      this.#putAway(this.#held);
      this.told = true;
    }
    this.#held = null;
  }

  #hold(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.told = false;
    const { target, pointerId: pointer, clientX: x, clientY: y } = event;
    const what = this.#hooks.held(target);
    this.#held = { what, target, pointer, x, y, ghost: null };
    what?.element.setPointerCapture(pointer);
  }

  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId || held.what === null) return;
    if (held.ghost === null) {
      if (slip(held, event) < SLIP_PX) return;
      this.#lift(held);
    }
    held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    this.#hooks.over(event.clientX, event.clientY);
  }

  #lift(held) {
    const { element, symbol } = held.what;
    const { width } = element.getBoundingClientRect();
    held.ghost = html("div", { class: "ghost", "aria-hidden": "true" },
      svg("svg", { viewBox: "-.5 -.5 1 1" }, svg("use", { href: `#${symbol}` })));
    held.ghost.style.setProperty("--wide", `${Math.max(width, LEAST_PX)}px`);
    document.body.append(held.ghost);
    element.classList.add("lifted");
    this.#hooks.begin();
  }

  #drop(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId) return;
    this.told = true;
    this.#held = null;
    if (held.ghost === null) {
      // Browsers omit some clicks, so they are not waited for.
      if (slip(held, event) < SLIP_PX) this.#hooks.press(held.target);
      return;
    }
    this.#putAway(held);
    this.#hooks.drop(held.what.element, event.clientX, event.clientY);
  }

  #putAway({ ghost, what }) {
    ghost.remove();
    what.element.classList.remove("lifted");
    this.#hooks.end();
  }
}
