/**
 * The card on which the PIN is entered: sends it to the server, and shows why it was refused and
 * how long to wait. Must not know what the PIN unlocks, nor where the card is.
 */

import { byId, html, write } from "./dom.js";
import { wanted } from "./link.js";
import { t } from "./words.js";

const DIGITS = 6;
const PATIENCE_MS = 10_000;
const SECOND_MS = 1000;

/** Post an object or a Blob to the server; return the status and the answer, status 0 where there is none. */
export async function post(path, content = {}) {
  try {
    const response = await fetch(`${path}${path.includes("?") ? "&" : "?"}lang=${encodeURIComponent(wanted())}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: content instanceof Blob ? content : JSON.stringify(content),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const told = response.headers.get("Content-Type")?.startsWith("application/json");
    return { ...(told ? await response.json() : {}), status: response.status };
  } catch {
    return { status: 0 };
  }
}

export class Pin {
  #field = byId("pin");
  #onRight;
  #asking = false;
  #right = false;
  #until = 0;

  /** @param onRight called when the server has taken the PIN */
  constructor(onRight) {
    this.#onRight = onRight;
    byId("pin-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.#field.addEventListener("input", () => {
      if (this.#waiting) return;
      // What is pasted may have spaces, or the digits of another keyboard.
      const digits = this.#field.value.normalize("NFKC").replace(/\D/g, "").slice(0, DIGITS);
      if (digits !== this.#field.value) this.#field.value = digits;
      this.#complain("");
      if (digits.length === DIGITS) this.#ask();
    });
  }

  /**
   * Write all texts anew, and let the PIN be entered, at each first message of the server.
   * @param message a Locked or Hello, which tells about the PIN
   */
  greet({ pin_command: command }) {
    const [before, after] = t("page.pin_where").split("{command}");
    const where = command
      ? [before, html("code", {}, command), after ?? ""]
      : [t("page.pin_where_terminal")];
    byId("pin-where").replaceChildren(...where);
    // The server's refusal was in the previous language.
    if (!this.#waiting) this.#complain(this.#right ? t("page.pin_no_cookie") : "");
    this.#right = false;
    this.#count();
  }

  /** Clear the input and its error. */
  clear() {
    this.#right = false;
    this.#field.value = "";
    if (!this.#waiting) this.#complain("");
    this.#count();
  }

  /** Enter a PIN that was scanned, if there is one; return when it is answered. */
  enter(pin) {
    if (!pin) return null;
    this.#field.value = pin;
    return this.#ask();
  }

  /** Focus the field. */
  focus() {
    this.#field.focus();
  }

  get #waiting() {
    return this.#until > Date.now();
  }

  async #ask() {
    if (this.#asking || this.#right || this.#waiting) return;
    const pin = this.#field.value;
    // The last digit submits by itself; an Enter after it must not hide the answer.
    if (pin === "" && byId("pin-wrong").textContent !== "") return;
    if (pin.length < DIGITS) {
      this.#complain(t("page.pin_short"));
      this.#field.focus();
      return;
    }
    this.#asking = true;
    this.#count();
    const { status, text, wait_s: wait = 0 } = await post("/pin", { pin });
    this.#asking = false;
    if (status >= 200 && status < 300) {
      this.#right = true;
      this.#count();
      this.#onRight();
      return;
    }
    this.#until = Date.now() + SECOND_MS * wait;
    this.#complain(text ?? t("page.pin_failed"));
    // Where the server did not answer, the PIN may be right.
    if (text !== undefined) this.#field.value = "";
    this.#count();
    this.#field.focus();
  }

  #complain(text) {
    write(byId("pin-wrong"), text);
    this.#field.setAttribute("aria-invalid", text !== "");
  }

  /** Show whether the PIN can be typed now, and count the seconds until it can. */
  #count() {
    const left = Math.ceil((this.#until - Date.now()) / SECOND_MS);
    const waited = this.#field.disabled && left <= 0;
    this.#field.disabled = left > 0;
    this.#field.readOnly = this.#asking || this.#right;
    byId("pin-enter").disabled = left > 0 || this.#asking || this.#right;
    write(byId("pin-enter"), left > 0
      ? t("page.pin_wait", { seconds: left })
      : t("page.pin_enter"));
    if (left > 0) setTimeout(() => this.#count(), SECOND_MS / 4);
    if (!waited) return;
    this.#complain("");
    // A disabled field loses the focus; it is not taken from another element.
    if (document.activeElement === document.body) this.#field.focus();
  }
}
