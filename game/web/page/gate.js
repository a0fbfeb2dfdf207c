/**
 * What this device may do: nothing while the page is locked, watch, or control. Shows the card for
 * the PIN, and offers to give up control. The server decides.
 */

import { Devices } from "./devices.js";
import { byId, html, write } from "./dom.js";
import { Pin, post } from "./pin.js";
import { fill, t } from "./words.js";

const NUDGE_MS = 1500;

/** Take the PIN of a link that was scanned out of the address, or "": it is entered once. */
function scanned() {
  const here = new URL(location), told = new URLSearchParams(here.hash.slice(1));
  const pin = told.get("pin") ?? "";
  told.delete("pin");
  here.hash = told;
  if (pin) history.replaceState(history.state, "", here);
  return pin;
}

export class Gate {
  #pin;
  #devices;
  #reopen;
  #nudged = 0;

  #never = false;

  /** Whether the page only watches. */
  watching = false;

  /** Settles when the PIN of a link was answered; null without one. */
  entered = null;

  /**
   * @param reopen called when the server must decide again what this device may do
   * @param complain called with a text that people should read
   */
  constructor(reopen, complain) {
    this.#reopen = reopen;
    this.#pin = new Pin(reopen);
    this.#devices = new Devices(complain);
    byId("enter-pin").addEventListener("click", () => {
      byId("pin-dialog").showModal();
      this.#pin.focus();
    });
    byId("pin-cancel").addEventListener("click", () => byId("pin-dialog").close());
    byId("pin-dialog").addEventListener("close", () => this.#pin.clear());
    byId("forget").addEventListener("click", async () => {
      const { status } = await post("/forget");
      if (status >= 200 && status < 300) this.#reopen();
      else complain(t("page.pin_failed"));
    });
  }

  /** Show only the card for the PIN, on a page that has shown nothing of a game yet. */
  lock(message) {
    const first = byId("locked").hidden;
    document.body.dataset.access = "locked";
    byId("page").hidden = true;
    byId("locked").hidden = false;
    if (first) {
      byId("locked").append(byId("pin-card"));
      byId("pin-languages").append(byId("languages"));
    }
    fill(byId("locked"));
    write(byId("pin-title"), t("page.locked"));
    document.title = `${t("page.locked")} · lifeboard`;
    this.#pin.greet(message);
    if (first) this.#pin.focus();
    this.entered = this.#pin.enter(scanned());
  }

  /** Show what a Hello allows this device. */
  greet(message) {
    const { access, share } = message;
    const before = document.body.dataset.access;
    this.watching = access === "watch";
    document.body.dataset.access = this.watching ? "watch" : "control";
    byId("watching").hidden = !this.watching;
    // By a link for watching only no PIN lets play.
    byId("enter-pin").hidden = this.#never = share.play === null;
    const devices = !this.watching && share.reach !== "none";
    // The board's own computer is told the PIN and needs none.
    byId("forget").hidden = !devices || share.pin !== "";
    this.#devices.show(devices);
    if (before === "locked") this.#unlock();
    // The focused element may be gone; a name that was being edited stays as it was.
    if (this.watching && before === "control") document.activeElement.blur();
    write(byId("pin-title"), t("page.pin_title"));
    const given = scanned();
    if (this.watching) {
      this.#pin.greet(message);
      if (given && !this.#never) byId("enter-pin").click();
      this.entered = this.#pin.enter(given);
      return;
    }
    this.#pin.clear();
    if (!byId("pin-dialog").open) return;
    byId("pin-dialog").close();
    byId("title").focus();
  }

  #unlock() {
    byId("head").append(byId("languages"));
    byId("pin-dialog").append(byId("pin-card"));
    byId("locked").hidden = true;
    byId("page").hidden = false;
    this.#pin.clear();
    byId("title").focus();
  }

  /** Tell people who only watch how to play. */
  hint() {
    const said = byId("watching-said");
    // A screen reader repeats the same text only for another element.
    const how = this.#never ? "" : ` ${t("page.enter_pin")}`;
    said.replaceChildren(html("span", {}, `${t("page.watching")}${how}`));
    byId("watching").classList.add("nudged");
    clearTimeout(this.#nudged);
    this.#nudged = setTimeout(() => byId("watching").classList.remove("nudged"), NUDGE_MS);
  }

  /** Show on the card whether there is a connection. */
  connected(open) {
    // Without a first message there are no words yet.
    const spoken = "access" in document.body.dataset;
    write(byId("pin-link"), open || !spoken ? "" : t("page.connection_lost"));
  }
}
