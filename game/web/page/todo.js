/**
 * The edits that hands must still make on the board, in words: each disappears once it is done. It
 * knows no rule; the server lists the edits.
 */

import { byId, html, icon, memory } from "./dom.js";
import { t } from "./words.js";

const HEADS = {
  remove: () => t("page.todo_remove"),
  put: () => t("page.todo_put"),
  swap: () => t("page.todo_swap"),
  turn: () => t("page.todo_turn"),
};
const UNKNOWN = "?";
/** How many entries are visible at once; scrolling shows more. */
const SEEN = 6;

export class Todo {
  #isNew = memory();

  /** Show the list of {cell, kind, piece, taken, text}, one group a kind. */
  show(todo) {
    if (!this.#isNew(todo, HEADS.put())) return;
    byId("todo").hidden = todo.length === 0;
    const groups = byId("groups");
    groups.classList.toggle("many", todo.length > SEEN);
    // Only a scrolling list needs a tab stop.
    groups.tabIndex = todo.length > SEEN ? 0 : -1;
    groups.replaceChildren(...Object.entries(HEADS).flatMap(([kind, head]) => {
      const tasks = todo.filter((task) => task.kind === kind);
      return tasks.length === 0 ? [] : [this.#group(kind, head(), tasks)];
    }));
  }

  #group(kind, head, tasks) {
    return html(
      "section", { "data-kind": kind },
      html("h3", { class: "caption row" },
        head, html("span", { class: "number" }, `${tasks.length}`)),
      html("ul", {}, ...tasks.map((task) =>
        html("li", { class: "row", "data-for": task.cell }, ...this.#pictures(task),
          html("span", {}, task.text)))),
    );
  }

  #pictures({ kind, piece, taken, steps }) {
    if (kind === "turn") return [icon("cue-turned", steps < 0 ? "mark turn back" : "mark turn")];
    const stone = (each) =>
      icon(each === UNKNOWN ? "stone-unknown" : `stone-${each}`, "mark");
    return taken ? [stone(taken), html("span", { class: "then", "aria-hidden": "true" }, "→"),
      stone(piece)] : [stone(piece)];
  }
}
