/**
 * Help: hints, what could be taken, and why the computer does not play at the moment. It shows
 * what the server found and searches nothing itself.
 */

import { byId, html, icon, memory, write } from "./dom.js";
import { describe, explained } from "./explain.js";
import { OTHER_BOARD } from "./games.js";
import { t } from "./words.js";

/** The phases with moves to give hints for. */
const PLAYED = ["draw", "tap", "edit"];

/** Describe the value of a move to the player who moves, from 0 to 1. */
function worth({ value, decided }) {
  if (decided && value === 1) return t("page.idea_wins");
  if (decided && value === 0) return t("page.idea_loses");
  return t("page.percent", { percent: Math.round(100 * value) });
}

function valued(text) {
  const made = explained("worth", text);
  describe(made, text, t("page.about_percent"));
  return made;
}

export class Help {
  #hello = null;
  #isNew = memory();

  /** Take what a hello message offers: a replayed game has no help. */
  greet(hello) {
    this.#hello = hello;
  }

  /** Show a state: which help there is, which is shown, and the best moves in words. */
  show({ phase, hints, hinting, coaching, engine_failed, to_move, sides, assistance, computers }) {
    const { levels, replay, hidden = false } = this.#hello;
    byId("tools").hidden = replay !== null || phase === "menu";
    const setUp = phase === "set_up";
    // With hidden pieces, help would reveal them to the other player.
    const helped = !setUp && !hidden && assistance !== "strict";
    for (const [id, there, on] of [
      ["hint", levels.length > 0 && helped, hinting || hints.length > 0],
      ["coach", !setUp && assistance !== "strict", coaching],
      ["who-plays", levels.length > 0 && !computers.includes(OTHER_BOARD), null],
    ]) {
      const button = byId(id);
      button.hidden = !there;
      if (on === null) continue;
      button.setAttribute("aria-pressed", on);
      button.disabled = !PLAYED.includes(phase);
    }
    byId("hint").classList.toggle("busy", hinting);
    byId("engine-failed").hidden = engine_failed === null;
    write(byId("engine-failed-why"), engine_failed ?? "");
    byId("ideas").dataset.side = sides[to_move - 1]?.side ?? "";
    this.#list(hints, to_move);
  }

  #list(hints, player) {
    if (!this.#isNew(hints, player, t("page.idea_wins"))) return;
    byId("ideas").hidden = hints.length === 0;
    byId("ideas").dataset.player = player ?? "";
    byId("idea-list").replaceChildren(...hints.map((hint, rank) => {
      const bar = html("span", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", hint.value);
      return html(
        "li", {},
        icon(rank === 0 ? "cue-hint" : `cue-hint-${rank + 1}`, "sign"),
        html("span", { class: "move" }, hint.move),
        valued(worth(hint)),
        bar,
      );
    }));
  }
}
