/**
 * The players' cards: each one's side, whether it is a computer, whose turn it is, the scores, the
 * goals and their lights. Names are edited in place; the server stores them.
 */

import { button, byId, html, icon, LONGEST_NAME, repicture, write } from "./dom.js";
import { describe, explained } from "./explain.js";
import { OTHER_BOARD, played, worded } from "./games.js";
import { setNames } from "./messages.js";
import { t } from "./words.js";

/** How many letters of a name fit in a card beside its pencil. */
const SHORT_NAME = 8;

export class Players {
  #lamps;
  #send;
  #hello = null;
  #cards = [];
  #names = [];

  /**
   * @param lamps the Lamps that score and turn lights join
   * @param send function that takes a message for the server
   */
  constructor(lamps, send) {
    this.#lamps = lamps;
    this.#send = send;
  }

  /** Take the players and lights of a hello message. */
  greet(hello) {
    this.#hello = hello;
  }

  /** Show scores, names and whose turn it is; other cards replace these during a set-up. */
  show(state) {
    this.#deal();
    this.#names = state.names;
    byId("players").hidden = state.draft !== null;
    byId("players").dataset.count = this.#hello.players.length;
    this.#hello.players.forEach((player, index) => this.#count(player, index, state));
  }

  /** Rebuild the cards where the players or the target changed. */
  #deal() {
    const dealt = JSON.stringify([this.#hello.players, this.#hello.pixels]);
    const holder = byId("players");
    if (holder.dataset.dealt === dealt) return;
    holder.dataset.dealt = dealt;
    this.#cards = this.#hello.players.map(({ number, name }, index) => {
      const turn = html("span", { class: "lamp turn" });
      const bar = Object.keys(this.#hello.pixels).filter((spot) =>
        spot.startsWith(`score${number}.`));
      const lights = bar.map(() => html("span", { class: "lamp" }));
      this.#light(`turn${number}.0`, turn);
      lights.forEach((light, at) => this.#light(`score${number}.${at}`, light));
      const row = html("div", { class: "bar" }, ...lights);
      row.style.setProperty("--half", Math.ceil(lights.length / 2));
      const colour = html("span", { class: "colour" });
      const whole = html("span", { class: "whole" });
      const brief = html("span", {});
      const kind = explained("kind", whole,
        html("span", { class: "brief", "aria-hidden": "true" }, icon("computer", "icon"), brief));
      const move = html("span", { class: "to-move" });
      const clock = html("span", { class: "clock", role: "timer", hidden: "" });
      const count = explained("count");
      const spoken = html("span", { class: "unseen" });
      const goals = html("ul", { class: "goals" });
      const mark = icon("", "mark");
      const { heading, who, rename } = this.#heading(name, index);
      const card = html(
        "article", { class: "player card", "data-player": number },
        heading, mark, kind,
        html("div", { class: "of-player" }, clock, colour, move), count, spoken, goals,
        html("div", { class: "lamps row", "aria-hidden": "true" }, turn, row),
      );
      return { card, mark, move, count, spoken, who, colour, kind, whole, brief, rename, goals };
    });
    holder.replaceChildren(...this.#cards.map(({ card }) => card));
  }

  /** Make the line of a card that shows the name, and where it is edited. */
  #heading(name, index) {
    const who = html("span", { class: "who", dir: "auto" });
    // What is cut is whole at a touch.
    who.addEventListener("click", () => who.classList.toggle("whole"));
    const rename = button({ class: "rename" }, () => {
      entry.value = this.#names[index];
      shown.hidden = true;
      entry.hidden = false;
      entry.select();
    }, icon("pencil", "pencil"));
    const entry = html("input", {
      type: "text", class: "entry", maxlength: LONGEST_NAME, autocomplete: "off", dir: "auto",
      "aria-label": t("page.name_of", { name }), placeholder: name, hidden: "",
    });
    const shown = html("span", { class: "shown" }, who, rename);
    const heading = html("h2", {}, shown, entry);
    const close = (keep) => {
      if (entry.hidden) return;
      entry.hidden = true;
      shown.hidden = false;
      if (keep) this.#rename(index, entry.value);
    };
    entry.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      // Otherwise the same key press would go on to the button, and open it again.
      event.preventDefault();
      close(event.key === "Enter");
      rename.focus();
    });
    entry.addEventListener("blur", () => close(true));
    return { heading, who, rename };
  }

  #rename(index, text) {
    const names = this.#names.with(index, text.trim());
    if (names[index] !== this.#names[index]) this.#send(setNames(names));
  }

  #light(spot, element) {
    this.#lamps.add(spot, (colour, level) => {
      element.style.setProperty("--light", colour);
      element.style.setProperty("--level", level);
    });
  }

  #count({ number, name }, index, state) {
    const { scores, target, to_move, phase, names, computers, thinking, sides, called, you } = state;
    const { card, mark, move, count, spoken, who, colour, rename, ...shown } = this.#cards[index];
    // All players make their set-ups at the same time.
    const turn = to_move === number && !["over", "arrange"].includes(phase);
    const named = names[index] || called[index];
    const seat = you === number ? t("page.you") : called[index] === name ? "" : name;
    const role = names[index] ? called[index] : seat;
    card.dataset.side = sides[index].side;
    repicture(mark, `stone-${sides[index].token}`);
    const computer = computers[index] !== "";
    const elsewhere = computers[index] === OTHER_BOARD;
    const level = elsewhere ? t("page.other_board") : worded(computers[index], this.#hello.levels);
    card.classList.toggle("on", turn);
    card.classList.toggle("computer", computer);
    card.classList.toggle("thinking", turn && thinking);
    const kind = computer ? played(computers[index], this.#hello.levels) : "";
    write(shown.whole, kind);
    write(shown.brief, level);
    if (computer && !elsewhere) {
      const about = this.#hello.levels.find((each) => each.level === computers[index])?.about;
      describe(shown.kind, kind, [about, t("page.about_levels")].filter(Boolean).join(" "));
    }
    write(who, named);
    who.classList.toggle("long", named.length > SHORT_NAME);
    write(colour, computer ? "" : role);
    who.title = role ? t("page.called", { name: named, called: role }) : named;
    rename.setAttribute("aria-label", t("page.rename", { name: named }));
    const doing = thinking && !elsewhere ? t("page.thinks") : t("page.to_move");
    write(move, turn ? doing : "");
    const score = scores[index];
    const what = this.#hello.score_word;
    write(count, target === null ? `${score}` : `${score} / ${target}`);
    describe(count, what, this.#hello.score_about);
    write(spoken, target === null ? t("page.score_bare", { name: named, score, what })
      : t("page.score", { name: named, score, target, what }));
    this.#aim(shown.goals, named, state.goals.filter(({ player }) => player === number), target);
  }

  /** Show how near the ends are, if there are others than the winning score. */
  #aim(list, name, goals, target) {
    const shown = goals.length > 1 || target === null ? goals : [];
    const same = JSON.stringify([name, shown]);
    if (list.dataset.shown === same) return;
    list.dataset.shown = same;
    // The lines keep their room once shown: the board below them must not move.
    const lines = Math.max(shown.length, Number(list.dataset.lines ?? 0));
    list.dataset.lines = lines;
    list.style.setProperty("--lines", lines);
    list.hidden = lines === 0;
    list.replaceChildren(...shown.map(({ text, about, reached, wanted }) => {
      const bar = html("span", { class: "reach", "aria-hidden": "true" });
      bar.style.setProperty("--share", Math.min(1, reached / wanted));
      const named = explained("what", text);
      describe(named, text, about);
      return html(
        "li", { class: reached >= wanted ? "reached" : "" },
        html("span", { class: "unseen" }, t("page.goal", { name, goal: text, reached, wanted })),
        named,
        html("span", { class: "of", "aria-hidden": "true" }, `${reached}/${wanted}`),
        bar,
      );
    }));
  }
}
