/**
 * The dialog in which people update the service, from a file or a USB stick. It says what changes before, and which
 * version runs after; the server checks and decides.
 */

import { button, closing, dialog, html, icon, write } from "./dom.js";
import { post } from "./pin.js";
import { tab } from "./storage.js";
import { fill, t } from "./words.js";

const PART_BYTES = 2 ** 21;
const PAUSE_MS = 2000;

export class Update {
  /** The button that opens the dialog. */
  root = button({ class: "row", hidden: "" }, () => this.#open(), icon("turn", "icon"),
    html("span", { "data-words": "page.update" }));
  #said = html("p", { role: "status" });
  #changes = html("ul", { lang: "en" });
  #bar = html("progress");
  #file = html("input", { type: "file", accept: ".deb", "data-words-label": "page.update_file" });
  #choice = html("div", {}, html("p", { class: "hint", "data-words": "page.update_file" }), this.#file,
    button({ "data-words": "page.update_stick" }, () => this.#during(this.#check("?stick"))));
  #install = button({ class: "primary" }, () => this.#during(this.#start()));
  #dialog = dialog("update", "page.update", this.#said, this.#changes, this.#bar, this.#choice,
    closing(this.#install));

  constructor() {
    this.#file.addEventListener("change", () => this.#during(this.#upload(this.#file.files[0])));
  }

  /** Offer updates of a service, which alone names a command for its PIN; after one, say how it went. */
  greet({ access, pin_command: command }) {
    this.root.hidden = access === "watch" || !command;
    if (tab.read("update") && !this.#dialog.open) this.#open();
  }

  async #open() {
    this.root.closest("dialog")?.close();
    fill(this.#dialog);
    this.#dialog.showModal();
    await this.#during(this.#wait());
  }

  /** Show a text, and what changes in a version that can be installed. */
  #show(text, { changes = [], version = "" } = {}) {
    write(this.#said, text);
    this.#changes.replaceChildren(...changes.map((each) => html("li", {}, each)));
    this.#install.hidden = !version;
    write(this.#install, t("page.update_install", { version }));
  }

  async #during(work) {
    this.#bar.hidden = !(this.#choice.hidden = true);
    await work;
    this.#bar.hidden = !(this.#choice.hidden = false);
  }

  /** Ask the server; return its answer, or show why it refuses and return null. */
  async #ask(path, content) {
    const answer = await post(`/update${path}`, content);
    if (answer.status === 200) return answer;
    this.#show(answer.text ?? t("page.pin_failed"));
    return null;
  }

  async #upload(file) {
    const upload = Math.random();
    this.#show(t("page.update_sending"));
    for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
      const part = file.slice(at, at + PART_BYTES);
      if (!await this.#ask(`/part?at=${at}&upload=${upload}`, part)) return;
      this.#bar.value = Math.min(1, (at + PART_BYTES) / file.size);
    }
    this.#file.value = "";
    await this.#check("");
  }

  async #check(query) {
    this.#bar.removeAttribute("value");
    this.#show(t("page.update_checking"));
    const offer = await this.#ask(`/check${query}`);
    if (offer) this.#show(t("page.update_new", offer), offer);
  }

  async #start() {
    if (!await this.#ask("/install")) return;
    // The page loads itself again when another version runs.
    tab.write("update", "begun");
    await this.#wait();
  }

  /** Wait until nothing is being installed, and say which version runs. */
  async #wait() {
    for (let waits = true; waits;) {
      const { status, busy, text = t("page.pin_failed") } = await post("/update");
      waits = busy || (!status && tab.read("update"));
      this.#show(waits ? t("page.update_installing") : text);
      if (waits) await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    tab.write("update", null);
  }
}
