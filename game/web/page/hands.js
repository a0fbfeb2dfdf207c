/**
 * The switch of a simulated board's hands: automatic, or those of people. What somebody has chosen
 * is kept in the browser, and asked for once when its page is opened again.
 */

import { html, write } from "./dom.js";
import { device } from "./storage.js";
import { switchHands } from "./messages.js";
import { t } from "./words.js";

const KEPT = "hands";
const [AUTOMATIC, MINE] = ["automatic", "mine"];

export class HandsSwitch {
  #send;
  #choices;
  #legend = html("legend");
  #how = html("p", { class: "hint" });
  /** What holds the switch; the page's settings have a place for it. */
  root = html("fieldset", { class: "hands", id: "hands", hidden: "" });
  #wanted = device.read(KEPT);
  #watching = false;

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    this.#choices = [AUTOMATIC, MINE].map((value) => {
      const input = html("input", { type: "radio", name: "hands", value });
      const text = html("span");
      input.addEventListener("change", () => this.#choose(value));
      return { value, input, text };
    });
    this.root.append(this.#legend,
      ...this.#choices.map(({ input, text }) => html("label", {}, input, text)), this.#how);
  }

  /** Take what this page may do, and its language. */
  greet({ access }) {
    this.#watching = access === "watch";
    write(this.#how, t("page.hands_how"));
    write(this.#legend, t("page.hands"));
    const words = [t("page.hands_automatic"), t("page.hands_mine")];
    this.#choices.forEach(({ text }, at) => write(text, words[at]));
  }

  /** Show whose hands play; a real board has no such switch. */
  show({ hands }) {
    document.body.dataset.hands = hands ?? "";
    this.root.hidden = hands === null || this.#watching;
    for (const { value, input } of this.#choices) input.checked = value === hands;
    if (hands === null || this.#watching) return;
    const other = [AUTOMATIC, MINE].includes(this.#wanted) && this.#wanted !== hands;
    const wanted = this.#wanted;
    this.#wanted = null;
    if (other) this.#send(switchHands(wanted === AUTOMATIC));
  }

  #choose(value) {
    device.write(KEPT, value);
    this.#send(switchHands(value === AUTOMATIC));
  }
}
