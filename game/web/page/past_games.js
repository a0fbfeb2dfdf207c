/**
 * The dialog with the games that were played: who, when and how they ended, fifty at a time. Each
 * can be looked at, saved as a file, gone on with, or deleted, as far as the server allows it.
 */

import { button, closing, dialog, html, write } from "./dom.js";
import { played } from "./games.js";
import { asking } from "./link.js";
import { openActivity } from "./messages.js";
import { confirmButton } from "./confirm_button.js";
import { fill, t } from "./words.js";

export class Dialog {
  #send;
  #hello = null;
  #last = null;
  #said = html("p", { class: "hint", role: "status" });
  #list = html("ul");
  #more = button({ "data-words": "page.past_more" }, async () => {
    const shown = this.#list.children.length;
    await this.#read(this.#last);
    this.#list.children[shown]?.querySelector("h3").focus();
  });
  #dialog = dialog("past", "page.past", this.#said, this.#list, closing(this.#more));

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
  }

  /** Take what is played now. */
  show(hello) {
    this.#hello = hello;
  }

  /** Show the newest games. */
  async open() {
    fill(this.#dialog);
    this.#list.replaceChildren();
    await this.#read();
    this.#dialog.showModal();
    this.#dialog.firstChild.focus();
  }

  /** Add the games before a number. */
  async #read(before = "") {
    const { lang } = document.documentElement;
    const answer = await fetch(asking("/past", { lang, before })).catch(() => null);
    const { games, more } = answer?.ok ? await answer.json() : { games: [], more: false };
    this.#list.append(...games.map((each) => this.#line(each)));
    this.#last = games.at(-1)?.number;
    this.#more.hidden = !more;
    const none = this.#list.children.length === 0 ? t("page.past_none") : "";
    write(this.#said, answer?.ok ? none : t("page.past_failed"));
  }

  #line(past) {
    const { number, title, started, plies, closed, playing, resumes, game } = past;
    const players = past.players.map(({ name, level }) =>
      (level ? `${name} (${played(level, this.#hello.levels)})` : name));
    // Names from right to left change no order.
    const apart = players.flatMap((name, at) => [at > 0 ? " – " : "", html("bdi", {}, name)]);
    const shape = { dateStyle: "medium", timeStyle: "short" };
    const when = new Date(started).toLocaleString(this.#hello.lang, shape);
    const moves = t("page.past_moves", { count: plies });
    const named = t("page.past_game", { number, title, players: players.join(" – ") });
    const line = html("li", {},
      html("h3", { tabindex: "-1", "aria-label": named }, ...apart),
      html("p", {}, [title, when, moves, this.#result(past)].join(" · ")));
    const ways = [];
    if (!closed) ways.push(html("a", { href: asking("/", { game: number }) }, t("page.past_look")));
    const controls = this.#hello.access !== "watch";
    if (resumes && controls) {
      ways.push(button({}, () => {
        this.#send(openActivity("game", game));
        this.#dialog.close();
      }, t("page.resume_game")));
    }
    const file = { href: asking(`/past/${number}`, { json: "" }), download: "" };
    if (!closed) ways.push(html("a", file, t("page.past_export")));
    if (!playing && controls) {
      ways.push(confirmButton(html("button", { type: "button" }), () => t("page.past_delete"),
        () => this.#delete(number, line), () => t("page.past_sure", { number })));
    }
    line.append(html("div", { class: "ways row wraps" }, ...ways));
    return line;
  }

  #result({ over, winner, playing, players }) {
    if (!over) return t(playing ? "page.past_playing" : "page.past_unfinished");
    return winner === null ? t("page.past_draw")
      : t("page.past_won", { player: players[winner - 1].name });
  }

  async #delete(number, line) {
    const options = { method: "DELETE" };
    const answer = await fetch(`/past/${number}?lang=${this.#hello.lang}`, options).catch(() => null);
    if (!answer?.ok) {
      write(this.#said, answer?.status === 409 ? await answer.text() : t("page.past_failed"));
      return;
    }
    line.remove();
    this.#dialog.firstChild.focus();
  }
}
