/**
 * The dialog in which people choose a game, who plays it, and on what terms. It can begin a game,
 * go on with one, or change who plays the present one. The server decides, and stores it.
 */

import { button, dialog, html, LONGEST_NAME, write } from "./dom.js";
import { worded } from "./games.js";
import { asking } from "./link.js";
import { openActivity, setHelp, setNames, setOpponents, startGame } from "./messages.js";
import { picture } from "./game_picture.js";
import { answered } from "./start.js";
import { fill, t } from "./words.js";

const [PERSON, EVEN] = ["", "even"];
const [CLOCK, HELP] = ["clock", "assistance"];
const HELPS = { casual: "page.help_casual", strict: "page.help_strict", chances: "page.help_chances" };

const HELP_LEVELS = [
  "page.help_0", "page.help_1", "page.help_2", "page.help_3", "page.help_4", "page.help_5",
];

/** List the amounts of help, with the number of looks of those that have one. */
function helps() {
  const text = (level, looks = "") => t("page.help_level", { level: looks ? `${level} · ${looks}` : level });
  return ["0", "1", "2", "3:1", "3:2", "3:3", "3:4", "3:5", "3:6", "4", "5"].map((value) =>
    ({ value, text: text(...value.split(":")) }));
}

const NOTHING = { games: [], clock: [], assistance: [] };

const minutes = (seconds) => (seconds % 60 ? `${seconds} s` : `${seconds / 60} min`);

/** Describe a clock, such as "fischer:300+3", in words. */
function clockWords(text) {
  const [kind, time = ""] = text.split(":");
  const [first, more] = time.split("+").map((each) => minutes(Number(each)));
  return t({ move: "page.clock_move", fischer: "page.clock_fischer" }[kind] ?? "page.clock_none",
    { time: first, more });
}

/** Make a choice of one among some, each with a value and a text. */
function select(name, label, choices, chosen) {
  const list = html("select", { name, "aria-label": label }, ...choices.map(({ value, text }) =>
    html("option", { value }, text)));
  list.value = choices.some(({ value }) => value === chosen) ? chosen : choices[0].value;
  return list;
}

/** Write beside an entry what it is for. */
function labelled(label, entry) {
  return html("label", {}, html("span", {}, label), entry);
}

/** Make an entry for a whole number. */
function number(name, label, most, value) {
  return html("input", {
    type: "number", name, min: 1, max: most, required: "", value, "aria-label": label,
  });
}

export class Dialog {
  #send;
  #hello = null;
  #state = null;
  #offer = null;
  #chosen = null;
  #games = html("div", { class: "offered" });
  #game = html("summary");
  #others = html("details", { class: "game-chosen" }, this.#game, this.#games);
  #sides = html("div", { class: "who-plays" });
  #terms = html("div", { class: "terms" });
  #hint = html("p", { class: "hint", role: "status" });
  #apply = html("button", { value: "apply", "data-words": "page.apply" });
  #resume = html("button", { value: "resume", "data-words": "page.resume_game" });
  #start = html("button", { value: "start", class: "primary" });
  #dialog;

  /** @param send function that takes a message for the server */
  constructor(send) {
    this.#send = send;
    const cancel = button({ "data-words": "page.cancel" }, () => this.#dialog.close(""));
    const legend = (key) => html("legend", { "data-words": key });
    this.#dialog = dialog("chooser", "page.new_game", html(
      "form", { method: "dialog" },
      html("fieldset", {}, legend("page.choose_game"), this.#others),
      html("fieldset", {}, legend("page.who_plays"), this.#sides), this.#terms,
      html("div", { class: "ends row wraps" },
        this.#hint, cancel, this.#apply, this.#resume, this.#start),
    ));
    this.#dialog.addEventListener("close", () => this.#do(this.#dialog.returnValue));
  }

  /** Take what is played now. */
  show(hello, state) {
    [this.#hello, this.#state] = [hello, state];
    if (this.#dialog.open) this.#weigh();
  }

  /** Let people choose; at first the present game, or only who plays it. */
  async open(players) {
    this.#offer = players ? NOTHING : await this.#ask();
    const { games } = this.#offer;
    this.#chosen = games.find(({ game }) => game === this.#hello.game) ?? this.#present();
    this.#others.parentElement.hidden = players || games.length === 0;
    this.#others.open = false;
    this.#terms.hidden = players;
    fill(this.#dialog);
    const title = this.#dialog.firstChild;
    write(title, t(players ? "page.who_plays" : "page.new_game"));
    write(this.#start, t(players ? "page.new_game" : "page.start_game"));
    // The title says the same.
    this.#sides.previousSibling.classList.toggle("unseen", players);
    this.#games.replaceChildren(...await Promise.all(games.map((each) => this.#card(each))));
    if (games.length > 0) await this.#name();
    this.#deal();
    this.#dialog.returnValue = "";
    if (!this.#dialog.open) this.#dialog.showModal();
    if (players) this.#sides.querySelector("input, select").focus();
    else if (games.length > 0) this.#game.focus();
    else title.focus();
  }

  /** Describe the present game as the server would, where that offers none. */
  #present() {
    const { game, title, players, hues, hidden } = this.#hello;
    const called = players.map(({ name }) => name);
    return { game, title, players: called, hues, hidden, options: [], firsts: [] };
  }

  async #ask() {
    const answer = await fetch(asking("/choices", { lang: document.documentElement.lang })).catch(() => null);
    return answer?.ok ? answer.json() : NOTHING;
  }

  async #card(choice) {
    const { game, title, about } = choice;
    const input = html("input", { type: "radio", name: "game", value: game });
    input.checked = choice === this.#chosen;
    input.addEventListener("change", async () => {
      this.#chosen = choice;
      this.#deal();
      await this.#name();
    });
    // Arrow keys walk through the games; a tap or a click has chosen.
    input.addEventListener("click", ({ detail }) => {
      if (detail > 0) this.#others.open = false;
    });
    return html("label", { class: "offer" }, input, await picture(choice),
      html("strong", {}, title), html("span", { class: "about" }, about));
  }

  /** Write which game is chosen into the row that opens all. */
  async #name() {
    this.#game.replaceChildren(await picture(this.#chosen), html("strong", {}, this.#chosen.title),
      html("span", { class: "change" }, t("page.change_game")));
  }

  get #here() {
    return this.#chosen.game === this.#hello.game;
  }

  /** Show who can play the chosen game, and its terms. */
  #deal() {
    const { players, hues, firsts, options, hidden } = this.#chosen;
    const { names, computers, options: now, assistance } = this.#state;
    const strict = assistance === "strict";
    const levels = [PERSON, ...this.#hello.levels.map(({ level }) => level)].map((value) =>
      ({ value, text: this.#describe(value) }));
    this.#sides.replaceChildren(...players.map((called, index) => {
      const name = html("input", {
        type: "text", class: "text", name: "name", maxlength: LONGEST_NAME, autocomplete: "off",
        placeholder: called, "aria-label": t("page.name_of", { name: called }),
      });
      name.value = names[index] ?? "";
      const dot = html("span", { class: "dot", "aria-hidden": "true" });
      dot.style.setProperty("--side", hues[index] ?? "");
      const level = select("level", called, levels, computers[index] ?? PERSON);
      const about = html("p", { class: "hint about-level" });
      const tell = () => write(about, this.#level(level.value)?.about ?? "");
      level.addEventListener("change", tell);
      tell();
      const help = select("help", t("page.help_of", { name: called }), helps(), this.#state.help[index] ?? "0");
      const tells = () => write(meaning, t(HELP_LEVELS[help.value[0]]));
      const meaning = html("p", { class: "hint about-help" });
      help.addEventListener("change", tells);
      tells();
      const shown = () => {
        for (const each of [help, meaning]) each.hidden = level.value !== PERSON || strict;
      };
      level.addEventListener("change", shown);
      shown();
      return html("div", { class: "chosen" }, dot, name, level, about, meaning, help);
    }));
    const before = this.#here ? now : {};
    const begins = [{ value: "", text: t("page.begins_draw") },
      ...firsts.map((value) => ({ value, text: players[value - 1] }))];
    const clocks = this.#offer.clock.map((value) => ({ value, text: clockWords(value) }));
    const help = this.#offer.assistance.map((value) => ({ value, text: t(HELPS[value]) }));
    const evened = [{ value: "", text: t("page.help_chosen") }, { value: EVEN, text: t("page.help_evened") }];
    const terms = [
      ...options.map((each) => [each.name, each.text, each.choices, each.default, each.most]),
      ["first", t("page.begins"), firsts.length > 1 ? begins : [], ""],
      [CLOCK, t("page.clock"), clocks],
      // Where pieces are hidden there is no help anyway.
      [HELP, t("page.help_agreed"), hidden ? [] : help],
      ["help", t("page.help_even"), players.length === 2 && this.#level(EVEN) ? evened : [], ""],
    ];
    this.#terms.replaceChildren(
      ...terms.filter(([, , choices, , most]) => choices.length > 1 || most).map(
        ([name, label, choices, usual, most]) => labelled(label, most
          ? number(name, label, most, before[name] ?? usual)
          : select(name, label, choices, name === "first" ? usual : before[name] ?? usual))),
    );
    this.#weigh();
  }

  /** Offer what can be done with the chosen game. */
  #weigh() {
    const { outcome, draft, ply } = this.#state;
    this.#apply.hidden = !this.#terms.hidden || (outcome !== null && draft === null);
    this.#resume.hidden = this.#here || !this.#chosen.unfinished;
    this.#start.hidden = draft !== null;
    const over = outcome !== null || ply === 0 || draft !== null;
    const ends = over ? "" : t(this.#here ? "page.start_ends" : "page.start_waits");
    write(this.#hint, this.#resume.hidden ? ends : t("page.resume_hint"));
  }

  #describe(level) {
    if (level === PERSON) return t("page.person");
    const name = worded(level, this.#hello.levels);
    // Commands and settings name a level by its number.
    return t("page.computer_plays", { name: /^\d$/.test(level) ? `${name} (${level})` : name });
  }

  #level(level) {
    return this.#hello.levels.find((each) => each.level === level);
  }

  #do(how) {
    const { game } = this.#chosen;
    const all = (name) => [...this.#sides.querySelectorAll(`[name="${name}"]`)]
      .map(({ value }) => value.trim());
    const [names, computers] = [all("name"), all("level")];
    const differs = (one, other) => JSON.stringify(one) !== JSON.stringify(other);
    if (how === "resume") this.#send(openActivity("game", game));
    if (how === "apply" && differs(computers, this.#state.computers)) {
      this.#send(setOpponents(computers));
    }
    if (how === "apply" && differs(names, this.#state.names)) this.#send(setNames(names));
    const help = all("help");
    const helped = how === "apply" || (how === "start" && this.#here);
    if (helped && differs(help, this.#state.help)) this.#send(setHelp(help));
    if (how === "start") {
      const terms = [...this.#terms.querySelectorAll("[name]")]
        .map(({ name, value }) => [name, value]);
      // What is usual is not said: no one asked for a clock then.
      const usual = { first: "", help: "", [CLOCK]: this.#offer.clock[0], [HELP]: this.#offer.assistance[0] };
      const options = Object.fromEntries(terms.filter(([name, value]) => value !== usual[name]));
      answered();
      this.#send(startGame(game, this.#terms.hidden ? null : options, computers, names));
    }
  }
}
