/**
 * The switch of a simulated board's hands: automatic, or those of people. What was chosen
 * is kept in the browser, and asked for once when its page is opened again.
 */

import { html } from "./dom.js";
import { device } from "./storage.js";
import { switchHands } from "./messages.js";

const KEPT = "hands";
const HANDS = ["automatic", "mine"];

export class HandsSwitch {
  #send;
  #inputs;
  #wanted = device.read(KEPT);
  #watching = false;

  /** What holds the switch; the page's settings have a place for it. */
  root;

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    const words = ["page.hands_automatic", "page.hands_mine"];
    this.#inputs = HANDS.map((value) => html("input", { type: "radio", name: "hands", value }));
    this.root = html(
      "fieldset", { class: "hands row wraps", id: "hands", hidden: "" },
      html("legend", { "data-words": "page.hands" }),
      ...this.#inputs.map((input, at) =>
        html("label", {}, input, html("span", { "data-words": words[at] }))),
      html("p", { class: "hint", "data-words": "page.hands_how" }));
    this.root.addEventListener("change", ({ target }) => {
      device.write(KEPT, target.value);
      this.#switch(target.value);
    });
  }

  /** Take what this page may do. */
  greet({ access }) {
    this.#watching = access === "watch";
  }

  /** Show whose hands play; a real board has no such switch. */
  show({ hands }) {
    document.body.dataset.hands = hands ?? "";
    this.root.hidden = hands === null || this.#watching;
    for (const input of this.#inputs) input.checked = input.value === hands;
    if (this.root.hidden) return;
    const wanted = this.#wanted;
    this.#wanted = null;
    if (HANDS.includes(wanted) && wanted !== hands) this.#switch(wanted);
  }

  #switch(hands) {
    this.#send(switchHands(hands === HANDS[0]));
  }
}
