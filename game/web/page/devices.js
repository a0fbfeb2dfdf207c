/**
 * The dialog with the devices that have entered the PIN, in which each can be removed. The server
 * keeps them, and says what they are called.
 */

import { button, byId, closing, dialog, html } from "./dom.js";
import { post } from "./pin.js";
import { t } from "./words.js";

export class Devices {
  #complain;
  #list = html("ul", { class: "devices" });
  #dialog = dialog("known-devices", "page.devices", this.#list, closing());

  /** @param complain called with a text that people should read */
  constructor(complain) {
    this.#complain = complain;
    byId("devices").addEventListener("click", () => this.#ask());
  }

  /** Show whether this device may see the list. */
  show(allowed) {
    byId("devices").hidden = !allowed;
    if (!allowed) this.#dialog.close();
  }

  /** Ask for the list, after one of the devices was removed. */
  async #ask(remove = "") {
    const { devices } = await post("/devices", { remove });
    if (devices === undefined) {
      this.#dialog.close();
      this.#complain(t("page.pin_failed"));
      return;
    }
    this.#list.replaceChildren(...devices.map((each) => this.#line(...each)));
    if (devices.length === 0) this.#list.append(t("page.devices_none"));
    if (!this.#dialog.open) this.#dialog.showModal();
    // The button that was pressed is gone.
    this.#dialog.firstChild.focus();
  }

  #line(name, text, seen, own) {
    const shape = { dateStyle: "medium", timeStyle: "short" };
    const time = new Date(1000 * seen).toLocaleString(document.documentElement.lang, shape);
    const when = own ? t("page.device_own") : t("page.device_seen", { time });
    const remove = button({ "aria-label": `${t("page.device_remove")}: ${text}` },
      () => this.#ask(name), t("page.device_remove"));
    remove.hidden = own;
    return html("li", { class: "row" }, html("span", {}, text, html("small", {}, when)), remove);
  }
}
