/**
 * The dialog in which people play with another board: one offers a game, the other one enters its
 * link or code; boards far apart name a broker too. In a room it shows code and link, also as a QR
 * code, and lets people leave. The server decides.
 */

import { confirmButton } from "./confirm_button.js";
import { button, dialog, html, write } from "./dom.js";
import { OTHER_BOARD } from "./games.js";
import { enterRoom, leaveRoom } from "./messages.js";
import { copyButton, isLocal, qrCode } from "./share.js";
import { fill, t } from "./words.js";

const NEW = "new";
/** The address of a room, as it stands in a QR code. */
const ADDRESS = /^\s*(mqtts?):\/\/([^/@\s]+)\/(\w+)\s*$/i;

export class Dialog {
  #send;
  #state = null;
  #isIn = null;
  #draws = false;
  #asked = false;
  #broker = this.#entry("broker", { spellcheck: "false", autocapitalize: "off" });
  #tls = html("input", { type: "checkbox", name: "tls" });
  #user = this.#entry("user", { spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  #password = this.#entry("password", { type: "password", autocomplete: "off" });
  #name = this.#entry("name", {});
  #code = this.#entry("code", {
    spellcheck: "false", autocapitalize: "off", autocomplete: "off", "data-words-label": "page.room_code",
  });
  #far = html("details", {}, html("summary", { "data-words": "page.room_far" }),
    html("p", { class: "hint", "data-words": "page.room_far_about" }),
    this.#labelled("page.room_broker", this.#broker),
    html("label", { class: "row" }, this.#tls, html("span", { "data-words": "page.room_tls" })),
    this.#labelled("page.room_user", this.#user), this.#labelled("page.room_password", this.#password));
  #wrong = html("p", { class: "wrong", role: "alert" });
  #outside = html("form", { novalidate: "" },
    html("p", { class: "hint", "data-words": "page.room_about" }),
    this.#labelled("page.room_name", this.#name),
    html("div", { class: "ways row wraps" },
      button({ class: "primary", "data-words": "page.room_new" }, () => this.#enter(NEW)),
      this.#code, html("button", { "data-words": "page.room_join" })),
    this.#wrong, this.#far);
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

  /** Take what is played now, and what became of a wish; a room that was drawn here is shown. */
  show(_, state) {
    const isIn = state.computers.includes(OTHER_BOARD);
    const changed = isIn !== this.#isIn;
    [this.#state, this.#isIn] = [state, isIn];
    if (changed && this.#asked && !this.#draws) this.#dialog.close();
    else if (changed && (this.#dialog.open || this.#asked)) this.open();
    else if (this.#asked && state.notice) this.#tell(state.notice, state.good_news);
    if (changed) this.#asked = false;
  }

  /** Ask for link or code, or show the room in which this board plays. */
  async open() {
    this.#asked = false;
    const answer = await fetch("/room").catch(() => null);
    const told = answer?.ok ? await answer.json() : { broker: "" };
    const { room } = told;
    fill(this.#dialog);
    this.#tell("");
    this.#outside.hidden = Boolean(room);
    this.#inside.hidden = !room;
    if (room) this.#describe(room);
    else this.#offer(told);
    if (!this.#dialog.open) this.#dialog.showModal();
    if (room) this.#dialog.firstChild.focus();
    else this.#code.focus();
  }

  #offer({ broker, tls = false, user = "", password = false, name = "" }) {
    [this.#broker.value, this.#user.value, this.#name.value] = [broker, user, name];
    [this.#password.value, this.#code.value] = ["", ""];
    this.#tls.checked = tls;
    this.#code.placeholder = t("page.room_code");
    this.#password.placeholder = password ? t("page.room_saved") : "";
    this.#far.open = Boolean(broker);
  }

  #describe({ code, link, qr }) {
    const leave = html("button", { type: "button" });
    const direct = link.startsWith("http"), here = direct && isLocal(link);
    const parts = [
      html("p", { class: "room-code" }, code),
      html("p", { class: "hint" }, t(
        here ? "page.link_local" : direct ? "page.room_give_direct" : "page.room_give")),
      here ? "" : qrCode(qr, t("page.room_qr")),
      html("p", { class: "address" }, link), copyButton(link),
      confirmButton(leave, () => t("page.room_leave"), () => this.#leave(),
        () => t("page.room_sure")),
    ];
    this.#inside.replaceChildren(...parts);
  }

  /** Take a whole address out of the place for the code. */
  #takeAddress() {
    const [, scheme, broker, code] = this.#code.value.match(ADDRESS) ?? [];
    if (!code) return;
    [this.#broker.value, this.#code.value, this.#far.open] = [broker, code, true];
    this.#tls.checked = scheme.toLowerCase() === "mqtts";
  }

  #enter(code) {
    const broker = this.#broker.value.trim();
    if (!code) {
      this.#tell(t("page.room_missing"));
      this.#code.focus();
      return;
    }
    // Who begins is drawn.
    const { first, ...options } = this.#state.options;
    const [user, name] = [this.#user.value.trim(), this.#name.value];
    this.#draws = code === NEW;
    this.#asked = this.#send(enterRoom(
      broker, this.#tls.checked, user, this.#password.value, code, name, options));
  }

  /** Show why the server has refused the wish; return whether there was one. */
  complain(text) {
    if (this.#asked) this.#tell(text);
    return this.#asked;
  }

  #tell(text, good = false) {
    this.#wrong.className = good ? "hint" : "wrong";
    write(this.#wrong, text);
  }

  #leave() {
    if (this.#send(leaveRoom())) this.#dialog.close();
  }

  #entry(name, more) {
    return html("input", { type: "text", class: "text", name, ...more });
  }

  #labelled(words, entry) {
    return html("label", {}, html("span", { "data-words": words }), entry);
  }
}
