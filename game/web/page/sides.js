/**
 * Which sides are taken by a device of their own: pages that control see each free side with the
 * link that takes its seat, also as a QR code, and can ask a holder to leave. The server makes the
 * invitations and decides which seats may be freed.
 */

import { byId, html, icon, memory } from "./dom.js";
import { freeSeat } from "./messages.js";
import { invitation } from "./share.js";
import { confirmButton } from "./confirm_button.js";
import { t } from "./words.js";

export class Sides {
  #send;
  #hello = null;
  #seats = [];
  #state = null;
  #isNew = memory();
  #open = null;

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
  }

  /** Take what this page may do; without hidden pieces there are no seats. */
  greet(hello) {
    this.#hello = hello;
    if (!hello.hidden) this.#seats = [];
  }

  /** Take {player, taken, link, qr} of every side. */
  take({ seats }) {
    this.#seats = seats;
    this.#draw();
  }

  /** Show a state: the players' names, and which seats could be freed. */
  show(state) {
    this.#state = state;
    this.#draw();
  }

  #draw() {
    if (this.#state === null) return;
    const { computers, arranging = null, outcome, phase } = this.#state;
    const there = this.#hello.hidden && this.#hello.replay === null && this.#seats.length > 0
      && this.#hello.access === "control" && phase !== "menu";
    byId("sides").hidden = !there;
    if (!there) return;
    const people = this.#seats.filter(({ player }) => !computers[player - 1]);
    // Once play has begun the codes are out of the way.
    const open = arranging !== null && people.some(({ taken }) => !taken);
    if (open !== this.#open) byId("sides-all").open = open;
    this.#open = open;
    const rows = people.map((seat) => ({
      ...seat, ...this.#state.sides[seat.player - 1],
      name: this.#state.names[seat.player - 1] || this.#state.called[seat.player - 1],
      leaves: outcome !== null || !(arranging?.sealed.includes(seat.player) ?? true),
    }));
    if (!this.#isNew(rows, t("page.sides_free"))) return;
    byId("sides-list").replaceChildren(...rows.map((row) => this.#row(row)));
  }

  #row({ player, taken, link, qr, side, token, name, leaves }) {
    const parts = [html(
      "h3", { class: "row" }, icon(`stone-${token}`, "mark"), html("span", {}, name))];
    if (taken) {
      parts.push(html("p", {}, t("page.sides_taken")));
      if (leaves) {
        const free = html("button", { type: "button", class: "quiet" });
        parts.push(confirmButton(free, () => t("page.sides_free"), () =>
          this.#send(freeSeat(player))));
      }
    } else if (link) {
      parts.push(html("p", {}, t("page.sides_open")));
      parts.push(...invitation(link, qr));
    }
    return html("li", { class: "side card", "data-player": player, "data-side": side }, ...parts);
  }
}
