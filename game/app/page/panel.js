/**
 * Everything beside the board: players and scores, the message, the last moves, the commands,
 * the outcome, the language, the help. It shows states as they come and decides nothing.
 */

import { portrait } from "./circle.js";
import { depict, html, icon, svg } from "./dom.js";
import { fill, t } from "./words.js";

const COMMANDS = () => ({
  new_game: t("page.new_game"),
  take_back: t("page.take_back"),
  resign: t("page.resign"),
});

const byId = (id) => document.getElementById(id);

function write(element, text) {
  // Writing the same text again would make screen readers say it again.
  if (element.textContent !== text) element.textContent = text;
}

export class Panel {
  #lamps;
  #hello = null;
  #cards = [];

  /**
   * @param lamps the Lamps that score and turn lights join
   * @param send function that takes a message for the server
   */
  constructor(lamps, send) {
    this.#lamps = lamps;
    for (const button of document.querySelectorAll("[data-command]")) {
      button.addEventListener("click", () =>
        send({ do: "command", name: button.dataset.command }));
    }
    byId("language").addEventListener("change", (event) =>
      send({ do: "language", lang: event.target.value }));
  }

  /** Show what a hello message says: names, texts, languages, commands. */
  greet(hello) {
    this.#hello = hello;
    document.documentElement.lang = hello.lang;
    document.title = `${hello.title} · lifeboard`;
    fill(document);
    write(byId("title"), hello.title);
    byId("simulated").hidden = !hello.simulated;
    const stones = hello.sensing === "presence";
    write(byId("simulated"), stones ? t("page.simulated_stones") : t("page.simulated"));
    this.#offerLanguages(hello);
    byId("rules").replaceChildren(...hello.rules.map((rule) => html("li", {}, rule)));
    byId("cues").replaceChildren(...hello.cues.map(({ name, text }) =>
      html("li", {}, icon(`cue-${name}`, "sign"), html("span", {}, text))));
    this.#listEaters(hello.legend);
  }

  #offerLanguages({ langs, lang }) {
    const select = byId("language");
    select.disabled = false;
    select.replaceChildren(...Object.entries(langs).map(([code, name]) =>
      html("option", { value: code, lang: code }, name)));
    select.value = lang;
  }

  #listEaters(legend) {
    byId("food").hidden = legend.length === 0;
    byId("eaters").replaceChildren(...legend.map(({ name, shape, eats }) =>
      html(
        "li", {},
        svg("svg", { class: "sign", viewBox: "-1 -1 2 2", "aria-hidden": "true" },
          portrait(shape, 1)),
        html("span", {}, t("page.eats", { eater: name, prey: legend[eats].name })),
      )));
  }

  /** Show a state: scores, turn, moves, commands, outcome; the message comes last. */
  show(state) {
    this.#deal();
    this.#hello.players.forEach((player, index) => this.#count(player, index, state));
    this.#listMoves(state.moves);
    this.#command(state);
    byId("outcome").hidden = !state.outcome;
    if (state.outcome) {
      const { winner, text } = state.outcome;
      depict(byId("winner"), winner ? `stone-${winner}` : "cue-draw");
      byId("outcome").dataset.player = winner ?? "";
      write(byId("verdict"), text);
    }
    this.#say(state.notice, state.message, state.good_news);
  }

  #say(notice, message, good = false) {
    const line = byId("message");
    const text = [notice, message].filter(Boolean).join(" ");
    if (line.textContent === text) return;
    const alarm = notice ? [html("strong", { class: good ? "good" : "alarm" }, notice), message && " "] : [];
    line.replaceChildren(...alarm, message);
  }

  /** Show an error of the server in the message line, until the next state. */
  complain(text) {
    this.#say(text, "");
  }

  /** Show whether the link is there. */
  connected(open) {
    document.body.dataset.link = open ? "open" : "lost";
    const link = byId("link");
    if (open) {
      link.removeAttribute("data-words");
      write(link, "");
    } else if (this.#hello) {
      // Without a hello there are no texts yet, and the page still says that it is connecting.
      write(link, t("page.connection_lost"));
    }
  }

  /** Make the players' cards anew where the players or the target changed. */
  #deal() {
    const dealt = JSON.stringify([this.#hello.players, this.#hello.pixels]);
    const holder = byId("players");
    if (holder.dataset.dealt === dealt) return;
    holder.dataset.dealt = dealt;
    this.#cards = this.#hello.players.map(({ number, name }) => {
      const turn = html("span", { class: "lamp turn" });
      const bar = Object.keys(this.#hello.pixels).filter((spot) =>
        spot.startsWith(`score${number}.`));
      const lights = bar.map(() => html("span", { class: "lamp" }));
      this.#light(`turn${number}.0`, turn);
      lights.forEach((light, index) => this.#light(`score${number}.${index}`, light));
      const move = html("span", { class: "to-move" });
      const count = html("span", { class: "count", "aria-hidden": "true" });
      const spoken = html("span", { class: "unseen" });
      const card = html(
        "article", { class: "player", "data-player": number },
        icon(`stone-${number}`, "mark"),
        html("h2", {}, name), move, count, spoken,
        html("div", { class: "lamps", "aria-hidden": "true" }, turn,
          html("div", { class: "bar" }, ...lights)),
      );
      return { card, move, count, spoken };
    });
    holder.replaceChildren(...this.#cards.map(({ card }) => card));
  }

  #light(spot, element) {
    this.#lamps.add(spot, (colour, level) => {
      element.style.setProperty("--light", colour);
      element.style.setProperty("--level", level);
    });
  }

  #count({ number, name }, index, { scores, target, to_move, phase }) {
    const { card, move, count, spoken } = this.#cards[index];
    const turn = to_move === number && phase !== "over";
    card.classList.toggle("on", turn);
    write(move, turn ? t("page.to_move") : "");
    write(count, `${scores[index]} / ${target}`);
    write(spoken, t("page.score", { name, score: scores[index], target }));
  }

  #listMoves(moves) {
    byId("no-moves").hidden = moves.length > 0;
    byId("moves").replaceChildren(...moves.map(({ ply, player, text, label }) =>
      html(
        "li", { title: label, "data-player": player },
        html("span", { class: "unseen" }, label),
        html("span", { class: "ply", "aria-hidden": "true" }, `${ply}`),
        icon(`stone-${player}`, "mark"),
        html("span", { "aria-hidden": "true" }, text),
      )));
  }

  #command({ confirm, phase }) {
    const names = COMMANDS();
    for (const button of document.querySelectorAll("[data-command]")) {
      const { command } = button.dataset;
      const asked = confirm === command;
      button.classList.toggle("asked", asked);
      write(button, asked ? t("page.confirm") : names[command]);
      // Game over has its own button for a new game, beside the result.
      const elsewhere = phase === "over" && command === "new_game";
      if (button.parentElement.id === "actions") {
        button.hidden = elsewhere || !this.#hello.keys.includes(command);
      }
      if (command === "resign") button.disabled = phase === "over";
    }
  }
}
