/**
 * What this board can say to another one with which it plays: a few phrases, each in the language
 * of who reads it.
 */

import { OTHER_BOARD } from "./games.js";
import { button, byId, html } from "./dom.js";
import { say } from "./messages.js";

const PHRASES = {
  hello: "page.phrase_hello",
  one_moment: "page.phrase_one_moment",
  well_played: "page.phrase_well_played",
  good_game: "page.phrase_good_game",
  thank_you: "page.phrase_thank_you",
};

export class Phrases {
  #watching = false;
  #root = html("section", { class: "phrases", hidden: "" },
    html("h2", { class: "caption", "data-words": "page.phrases" }));

  /** @param send function that takes a message for the server */
  constructor(send) {
    const said = Object.entries(PHRASES).map(([name, words]) =>
      button({ "data-words": words }, () => send(say(name))));
    this.#root.append(html("div", { class: "row wraps" }, ...said));
    byId("past-games").before(this.#root);
  }

  /** Take whether this page only watches. */
  greet({ access }) {
    this.#watching = access === "watch";
  }

  /** Show a state: another board plays, or none. */
  show({ computers }) {
    this.#root.hidden = this.#watching || !computers.includes(OTHER_BOARD);
  }
}
