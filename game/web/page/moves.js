/**
 * The moves of the game: pressing one takes it back, with all later ones, and with the person's
 * move before it if a computer made it. If the table must be asked more than once, people confirm
 * first. The server says how many times to ask the table.
 */

import { byId, html, icon, write } from "./dom.js";
import { giveCommand } from "./messages.js";
import { t } from "./words.js";

export class Moves {
  #send;
  #shown = "";
  #asked = 0;
  #fixed = false;

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    byId("ask").addEventListener("close", () => {
      if (byId("ask").returnValue === "yes") this.#takeBack(this.#asked);
      this.#asked = 0;
    });
  }

  /** Take whether a game is replayed, or people only watch: then nothing is taken back. */
  greet({ replay, access }) {
    this.#fixed = replay !== null || access === "watch";
    byId("take-back-hint").hidden = this.#fixed;
  }

  /** Show the moves of a state, the newest in sight; a question about older ones is dropped. */
  show({ moves }) {
    const shown = JSON.stringify([moves, t("page.take_back_from"), this.#fixed]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (byId("ask").open) byId("ask").close("");
    const list = byId("moves");
    const pressed = list.contains(document.activeElement);
    byId("no-moves").hidden = moves.length > 0;
    list.replaceChildren(...moves.map((move) => this.#item(move, moves)));
    list.scrollTop = list.scrollHeight;
    if (pressed) list.querySelector("li:last-child button")?.focus({ preventScroll: true });
  }

  #item({ ply, player, side, token, text, label, take_backs }, moves) {
    const parts = [
      html("span", { class: "unseen" }, label),
      html("span", { class: "ply", "aria-hidden": "true" }, `${ply}`),
      icon(`stone-${token}`, "mark"),
      html("span", { "aria-hidden": "true" }, text),
    ];
    if (this.#fixed) {
      const move = html("span", { class: "move", "data-ply": ply, title: label }, ...parts);
      return html("li", { "data-player": player, "data-side": side }, move);
    }
    // While the table takes nothing back there is no button.
    const button = html(
      "button",
      { type: "button", "aria-describedby": "take-back-hint", "data-ply": ply },
      ...parts,
    );
    button.disabled = take_backs === 0;
    button.title = `${label}\n${t("page.take_back_from")}`;
    button.addEventListener("click", () => {
      const gone = moves.filter((each) => each.take_backs > 0 && each.take_backs <= take_backs);
      if (take_backs > moves.at(-1).take_backs) this.#ask(take_backs, gone.length, gone[0].text);
      else this.#takeBack(take_backs);
    });
    return html("li", { "data-player": player, "data-side": side }, button);
  }

  #ask(times, count, move) {
    this.#asked = times;
    write(byId("question"), t("page.take_back_ask", { count, move }));
    write(byId("ask-yes"), t("page.take_back_many", { count }));
    byId("ask").returnValue = "";
    byId("ask").showModal();
  }

  #takeBack(times) {
    for (let time = 0; time < times; time += 1) {
      this.#send(giveCommand("take_back"));
    }
  }
}
