/**
 * The card of the first screen: play the computer, play together, or learn. It stands in the place
 * of the message and the buttons until somebody has chosen, or a stone is set.
 */

import { button, byId, html, icon } from "./dom.js";
import { giveCommand, setOpponents } from "./messages.js";
import { isLocal, qrCode, typed } from "./share.js";
import { tab } from "./storage.js";
import { fill, t } from "./words.js";

const CHOSEN = "started";
let asks = tab.read(CHOSEN) === null;

/** Ask no more how to play in this tab, as people have chosen. */
export function answered() {
  asks = false;
  tab.write(CHOSEN, "yes");
  byId("start").hidden = true;
  document.body.removeAttribute("data-start");
}

/** The level that is chosen at first: an easy one. */
const EASY = "1";

export class Start {
  #levels = html("div", { class: "levels", role: "radiogroup", "data-words-label": "page.start_level" });
  #computer = html("form", {}, this.#levels, html("button", { class: "primary", "data-words": "page.start_computer" }));
  #people;
  #learn;
  #join = html("div", { class: "row join", hidden: "" });
  #card;
  #send;
  #offered = false;
  #lesson = "";
  #players = 0;
  #menu = false;
  #plays = false;

  /**
   * @param send function that takes a message for the server, and returns whether it went
   * @param learn function that opens the tutorial of a game by its name
   */
  constructor(send, learn) {
    this.#send = send;
    this.#people = button({}, () => {
      // A real board offers the same on its cells.
      if (this.#menu) this.#send(giveCommand("menu"));
      answered();
    });
    this.#learn = button({ "data-words": "page.start_learn" }, () => learn(this.#lesson));
    this.#card = html(
      "section", { class: "start card", id: "start", "aria-labelledby": "start-title", hidden: "" },
      html("h2", { id: "start-title", "data-words": "page.start" }), this.#computer,
      html("div", { class: "row" }, this.#people, this.#learn),
      html("button", { type: "button", class: "quiet", "data-command": "new_game", "data-words": "page.start_other" }),
      this.#join);
    this.#computer.addEventListener("submit", (event) => {
      event.preventDefault();
      const level = new FormData(this.#computer).get("level");
      if (this.#send(setOpponents([...Array(this.#players - 1).fill(""), level]))) answered();
    });
    document.querySelector(".news").prepend(this.#card);
  }

  /** Take the game of a hello message, with the levels of its computer. */
  greet({ access, hidden, levels, players, replay, share }) {
    this.#players = players.length;
    this.#plays = replay === null;
    this.#offered = !hidden && this.#plays && access !== "watch";
    this.#people.textContent = t(players.length === 2 ? "page.start_two" : "page.start_three");
    this.#levels.replaceChildren(...levels.filter(({ level }) => byId(`face-${level}`)).map(({ level, text, about }) => {
      const input = html("input", { type: "radio", name: "level", value: level, "aria-description": about });
      input.checked = level === EASY;
      return html("label", { title: about }, input, icon(`face-${level}`, "face"), html("span", {}, text));
    }));
    this.#computer.hidden = this.#levels.childElementCount === 0;
    this.#invite(share);
    fill(this.#card);
  }

  /** Invite phones, on the page of the board's own computer. */
  #invite({ play, pin }) {
    this.#join.hidden = !pin || isLocal(play.link);
    if (this.#join.hidden) return;
    this.#join.replaceChildren(qrCode(play.qr, t("page.sides_code")),
      html("p", {}, t("page.start_join", { link: typed(play.link), pin })));
  }

  /** Take which tutorial teaches the game. */
  take({ tutorial }) {
    this.#lesson = tutorial;
    this.#learn.hidden = !tutorial;
  }

  /** Show a state: nothing is offered once anything was chosen or set in a game, not in a lesson. */
  show({ computers, draft, names, outcome, phase, ply }) {
    this.#menu = phase === "menu";
    const begun = ply > 0 || outcome !== null || draft !== null || [...computers, ...names].some(Boolean);
    if (begun && this.#plays) answered();
    this.#card.hidden = !this.#offered || !asks;
    document.body.toggleAttribute("data-start", !this.#card.hidden);
  }
}
