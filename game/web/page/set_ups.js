/**
 * Set-ups that a device stores by name, and the line in which one can be written down. It knows
 * how they are stored, but not what they mean.
 */

import { button, byId, html, LONGEST_NAME, memory, write } from "./dom.js";
import { device } from "./storage.js";
import { confirmButton } from "./confirm_button.js";
import { t } from "./words.js";

const KEPT = "set_ups";
const MOST = 50;

export class SetUps {
  #line;
  #load;
  #game = "";
  #isNew = memory();

  /**
   * @param line function that returns the line of what stands
   * @param load function that takes a line, and returns what is wrong with it
   */
  constructor(line, load) {
    this.#line = line;
    this.#load = load;
    byId("set-up-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(byId("set-up-name").value.trim());
    });
    byId("set-up-read").addEventListener("click", () => this.#read(byId("set-up-line").value));
    byId("set-up-write").addEventListener("click", () => {
      byId("set-up-line").value = this.#line();
      byId("set-up-line").select();
      this.#say("");
    });
    byId("set-up-name").maxLength = LONGEST_NAME;
  }

  /** Show the stored ones of a game. */
  show(game) {
    this.#game = game;
    const names = Object.keys(this.#all()).sort((one, two) => one.localeCompare(two));
    if (!this.#isNew(game, names, t("page.arrange_load"))) return;
    byId("set-up-none").hidden = names.length > 0;
    byId("set-up-list").replaceChildren(...names.map((name) => this.#row(name)));
  }

  /** Allow saving and loading, or only saving. */
  allow(loading) {
    byId("set-up-read").disabled = !loading;
    for (const button of byId("set-up-list").querySelectorAll(".load")) button.disabled = !loading;
  }

  #all() {
    const kept = device.object(KEPT)?.[this.#game];
    return kept && typeof kept === "object" ? kept : {};
  }

  #keep(all) {
    const kept = { ...device.object(KEPT), [this.#game]: all };
    this.#say(device.write(KEPT, JSON.stringify(kept)) ? "" : t("page.arrange_not_kept"));
    this.show(this.#game);
  }

  #save(name) {
    const line = this.#line();
    if (name === "" || line === "") {
      this.#say(name ? t("page.arrange_nothing") : t("page.arrange_no_name"));
      return;
    }
    const all = { ...this.#all(), [name]: line };
    if (Object.keys(all).length > MOST) {
      this.#say(t("page.arrange_too_many", { most: MOST }));
      return;
    }
    this.#keep(all);
    byId("set-up-name").value = "";
  }

  #row(name) {
    const load = button({ class: "load", "aria-label": t("page.arrange_load_one", { name }) },
      () => this.#read(this.#all()[name] ?? ""), t("page.arrange_load"));
    const drop = html("button", { type: "button", class: "quiet" });
    confirmButton(drop, () => t("page.arrange_delete"), () => {
      const { [name]: _, ...others } = this.#all();
      this.#keep(others);
    });
    return html("li", { class: "row", "data-name": name },
      html("span", { class: "who" }, name), load, drop);
  }

  #read(line) {
    this.#say(this.#load(line));
  }

  #say(text) {
    write(byId("set-up-said"), text);
  }
}
