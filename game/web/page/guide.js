/**
 * How to play: a dialog with the rules and their pictures, the notation and the signs. It shows
 * what the server tells of the level that is played, and opens from everywhere on the page.
 */

import { portrait } from "./circle.js";
import { button, byId, closing, dialog, html, icon, svg, write } from "./dom.js";
import { describe, explained } from "./explain.js";
import { picture } from "./rule_picture.js";
import { t } from "./words.js";

const worded = (tag, words, attributes = {}) =>
  html(tag, { ...attributes, "data-words": words });

function dialogue() {
  return dialog(
    "guide", "page.how_to_play",
    html("p", { class: "hint", id: "guide-level" }),
    html("div", { class: "row wraps" },
      worded("button", "page.learn", { type: "button", class: "primary", id: "learn" }),
      worded("button", "page.puzzles", { type: "button", id: "solve" })),
    html("ol", { class: "rules", id: "rules" }),
    html("section", { id: "food" },
      worded("h3", "page.who_eats_whom"), html("ol", { class: "food", id: "eaters" })),
    html("section", { id: "notation" },
      worded("h3", "page.about_notation"), html("p", { id: "notation-how" })),
    worded("h3", "page.cues"),
    html("ul", { class: "cues", id: "cues" }),
    html("label", { class: "row", id: "previews-part" },
      html("input", { type: "checkbox", id: "previews" }), worded("span", "page.previews")),
    html("p", { class: "hint", id: "simulated" }),
    worded("p", "page.keys", { class: "hint", id: "keys" }),
    worded("p", "page.menu_key", { class: "hint", id: "menu-key" }),
    worded("p", "page.letters", { class: "hint", id: "letters" }),
    closing(),
  );
}

export class Guide {
  #pieces;
  #open;
  #hello = null;
  #told = null;
  #level = html("p", { class: "level", hidden: "" });
  #notation = explained("notation", "?");

  /**
   * @param pieces the Pieces that draw what stands in the pictures
   * @param open function that opens "tutorial" or "puzzles" of a game by its name
   */
  constructor(pieces, open) {
    this.#pieces = pieces;
    this.#open = open;
    const guide = dialogue();
    byId("moves-title").after(this.#notation);
    byId("title").after(this.#level);
    byId("head-tools").prepend(button({
      class: "round", id: "how-to-play", "aria-haspopup": "dialog",
      "data-words-label": "page.how_to_play",
    }, () => guide.showModal(), icon("book", "icon")));
    // A click beside the dialog closes it.
    guide.addEventListener("click", (event) => event.target === guide && guide.close());
    const lesson = (id, kind, game) => byId(id).addEventListener("click", () => {
      guide.close();
      this.#open(kind, game());
    });
    lesson("learn", "tutorial", () => this.#told.tutorial);
    lesson("solve", "puzzles", () => this.#hello.game);
  }

  /** Take what a hello message tells that does not change with the level. */
  greet(hello) {
    // What was told of another game does not fit this one.
    if (hello.game !== this.#hello?.game) this.#told = null;
    this.#hello = hello;
    const stones = hello.sensing === "presence";
    byId("simulated").hidden = !hello.simulated || hello.access === "watch";
    write(byId("simulated"), stones ? t("page.simulated_stones") : t("page.simulated"));
    byId("cues").replaceChildren(...hello.cues.map(({ name, text }) =>
      html("li", { class: "row" }, icon(`cue-${name}`, "sign"), html("span", {}, text))));
    const has = (key) => hello.board_keys.includes(key) && hello.replay === null;
    byId("keys").hidden = hello.palette.length === 0 || !has("resign");
    byId("letters").hidden = Object.keys(hello.printed ?? {}).length === 0;
    byId("menu-key").hidden = hello.levels.length === 0 || !has("new_game");
    byId("food").hidden = hello.legend.length === 0;
    byId("eaters").replaceChildren(...hello.legend.map(({ shape, text }) => html(
      "li", { class: "row" },
      svg("svg", { class: "sign", viewBox: "-1 -1 2 2", "aria-hidden": "true" },
        portrait(shape, 1)),
      html("span", {}, text),
    )));
    if (this.#told) this.take(this.#told);
  }

  /** Take how the game is played at its level. */
  take(guide) {
    this.#told = guide;
    const { level, rules, notation, tutorial, puzzles } = guide;
    const shown = level ? t("page.level_played", { level }) : "";
    for (const element of [this.#level, byId("guide-level")]) {
      element.hidden = !level;
      write(element, shown);
    }
    byId("learn").hidden = !tutorial || this.#hello.replay !== null;
    byId("solve").hidden = !puzzles || this.#hello.replay !== null;
    byId("notation").hidden = !notation;
    write(byId("notation-how"), notation ?? "");
    this.#notation.hidden = !notation;
    describe(this.#notation, t("page.about_notation"), notation ?? "");
    byId("rules").replaceChildren(...rules.map(({ text, pictures }) => {
      for (const { pieces, edits } of pictures) {
        this.#pieces.add([...Object.values(pieces), ...Object.values(edits)]);
      }
      return html("li", {}, html("span", {}, text),
        ...pictures.map((each) => picture(each, this.#hello)));
    }));
  }
}
