/** A thin bar of who stands better, where players agreed to see it. The server judges it. */

import { byId, html, icon, repicture, write } from "./dom.js";
import { describe, explained } from "./explain.js";
import { t } from "./words.js";

const CLEAR = 55; // percent: below, another search may say the opposite

export class Chances {
  #marks = [icon("", "mark"), icon("", "mark")];
  #balance = html("span", { class: "balance" });
  #percent = html("span", {});
  #bar = explained("chances row", this.#marks[0], this.#balance, this.#marks[1], this.#percent);
  #hues = [];

  constructor() {
    byId("players").after(this.#bar);
  }

  greet({ hues }) {
    this.#hues = hues;
  }

  /** Show the first player's chances of a state, from 0 to 1, and the name of who is ahead. */
  show({ chances, sides, names, called }) {
    this.#bar.hidden = chances === null;
    if (chances === null) return;
    const ahead = chances < 0.5 ? 1 : 0;
    const percent = Math.round(100 * Math.max(chances, 1 - chances));
    this.#marks.forEach((mark, index) => {
      repicture(mark, `stone-${sides[index].token}`);
      this.#balance.style.setProperty(`--of${index + 1}`, this.#hues[sides[index].side - 1]);
    });
    this.#balance.style.setProperty("--share", `${100 * chances}%`);
    write(this.#percent, t("page.percent", { percent }));
    this.#bar[ahead ? "append" : "prepend"](this.#percent);
    const what = percent < CLEAR ? "page.chances_even" : "page.chances";
    describe(this.#bar, t(what, { name: names[ahead] || called[ahead], percent }), t("page.about_chances"));
  }
}
