/**
 * The dialog in which people play with another board: a broker, and a room by its code. In a room
 * it shows the code and its address, also as a QR code, and lets people leave. The server decides.
 */

import { confirmButton } from "./confirm_button.js";
import { button, dialog, html, write } from "./dom.js";
import { OTHER_BOARD } from "./games.js";
import { enterRoom, leaveRoom } from "./messages.js";
import { copyButton, qrCode } from "./share.js";
import { fill, t } from "./words.js";

const NEW = "new";
/** The address of a room, as it stands in a QR code. */
const ADDRESS = /^\s*(mqtts?):\/\/([^/@\s]+)\/(\w+)\s*$/i;

export class Dialog {
  #send;
  #state = null;
  #isIn = null;
  #draws = false;
  #broker = this.#entry("broker", { required: "", spellcheck: "false", autocapitalize: "off" });
  #tls = html("input", { type: "checkbox", name: "tls" });
  #user = this.#entry("user", { spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  #password = this.#entry("password", { type: "password", autocomplete: "off" });
  #name = this.#entry("name", {});
  #code = this.#entry("code", {
    spellcheck: "false", autocapitalize: "off", autocomplete: "off", "data-words-label": "page.room_code",
  });
  #more = html("details", {}, html("summary", { "data-words": "page.room_access" }),
    html("label", { class: "row" }, this.#tls, html("span", { "data-words": "page.room_tls" })),
    this.#labelled("page.room_user", this.#user), this.#labelled("page.room_password", this.#password));
  #wrong = html("p", { class: "wrong", role: "alert" });
  #outside = html("form", { novalidate: "" },
    html("p", { class: "hint", "data-words": "page.room_about" }),
    this.#labelled("page.room_broker", this.#broker), this.#more,
    this.#labelled("page.room_name", this.#name), this.#wrong,
    html("div", { class: "ways row wraps" },
      button({ class: "primary", "data-words": "page.room_new" }, () => this.#enter(NEW)),
      this.#code, html("button", { "data-words": "page.room_join" })));
  #inside = html("div", { class: "inside" });
  #dialog = dialog("other-board-dialog", "page.room", this.#outside, this.#inside,
    html("form", { class: "row wraps", method: "dialog" },
      html("button", { "data-words": "page.close" })));

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    this.#outside.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter(this.#code.value.trim());
    });
    this.#code.addEventListener("input", () => this.#takeAddress());
  }

  /** Take what is played now; a room that was drawn here shows its code. */
  show(_, state) {
    const isIn = state.computers.includes(OTHER_BOARD);
    const changed = isIn !== this.#isIn;
    [this.#state, this.#isIn] = [state, isIn];
    if (changed && (this.#dialog.open || (isIn && this.#draws))) this.open();
  }

  /** Ask for the broker, or show the room in which this board plays. */
  async open() {
    this.#draws = false;
    const answer = await fetch("/room").catch(() => null);
    const told = answer?.ok ? await answer.json() : { broker: "" };
    const { room } = told;
    fill(this.#dialog);
    write(this.#wrong, "");
    this.#outside.hidden = Boolean(room);
    this.#inside.hidden = !room;
    if (room) this.#describe(room);
    else this.#offer(told);
    if (!this.#dialog.open) this.#dialog.showModal();
    if (room) this.#dialog.firstChild.focus();
    else (told.broker ? this.#code : this.#broker).focus();
  }

  #offer({ broker, tls = false, user = "", password = false, name = "" }) {
    [this.#broker.value, this.#user.value, this.#name.value] = [broker, user, name];
    [this.#password.value, this.#code.value] = ["", ""];
    this.#tls.checked = tls;
    this.#code.placeholder = t("page.room_code");
    this.#password.placeholder = password ? t("page.room_saved") : "";
    this.#more.open = Boolean(broker) && tls && !password;
  }

  #describe({ code, link, qr }) {
    const leave = html("button", { type: "button" });
    const parts = [
      html("p", { class: "room-code" }, code),
      html("p", { class: "hint" }, t("page.room_give")),
      qrCode(qr, t("page.room_qr")), html("p", { class: "address" }, link), copyButton(link),
      confirmButton(leave, () => t("page.room_leave"), () => this.#act(leaveRoom()),
        () => t("page.room_sure")),
    ];
    this.#inside.replaceChildren(...parts);
  }

  /** Take a whole address out of the place for the code. */
  #takeAddress() {
    const [, scheme, broker, code] = this.#code.value.match(ADDRESS) ?? [];
    if (!code) return;
    [this.#broker.value, this.#code.value] = [broker, code];
    this.#tls.checked = scheme.toLowerCase() === "mqtts";
  }

  #enter(code) {
    const broker = this.#broker.value.trim();
    if (!broker || !code) {
      write(this.#wrong, t("page.room_missing"));
      (broker ? this.#code : this.#broker).focus();
      return;
    }
    // Who begins is drawn.
    const { first, ...options } = this.#state.options;
    const [user, name] = [this.#user.value.trim(), this.#name.value];
    this.#draws = code === NEW;
    this.#act(enterRoom(
      broker, this.#tls.checked, user, this.#password.value, code, name, options));
  }

  #act(message) {
    if (this.#send(message)) this.#dialog.close();
  }

  #entry(name, more) {
    return html("input", { type: "text", class: "text", name, ...more });
  }

  #labelled(words, entry) {
    return html("label", {}, html("span", { "data-words": words }), entry);
  }
}
