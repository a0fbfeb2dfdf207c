/**
 * The controls of a tutorial: where it is, one step back, and what the step expects, done by
 * itself. The step's text is the message of the state; the server decides what goes on.
 */

import { button, byId, html, write } from "./dom.js";
import { giveCommand } from "./messages.js";
import { fill, t } from "./words.js";

export class Tutorial {
  #send;
  #play;
  #bar = null;

  /**
   * @param send function that takes a message for the server
   * @param play function that goes back to the game
   */
  constructor(send, play) {
    this.#send = send;
    this.#play = play;
  }

  /** Take a hello message: whether this page shows a tutorial. */
  greet({ replay }) {
    document.body.toggleAttribute("data-lesson", Boolean(replay?.lesson));
    this.#bar?.remove();
    this.#bar = null;
    if (replay?.lesson !== "tutorial") return;
    const command = (id, words, name) => button({ id, "data-words": words },
      () => this.#send(giveCommand(name)));
    this.#bar = html(
      "div", { class: "lesson row", id: "lesson", role: "group", "data-words-label": "page.learn" },
      command("lesson-back", "page.step_back", "take_back"),
      html("progress", { id: "lesson-done", "data-words-label": "page.learn" }),
      html("span", { class: "unseen", id: "lesson-step" }),
      command("lesson-again", "page.step_again", "new_game"),
      command("lesson-next", "page.step_next", "confirm"),
      button({ id: "to-game", "data-words": "page.to_game" }, this.#play),
    );
    byId("board-bar").append(this.#bar);
    fill(byId("board-bar"));
  }

  /** Show a state: which step of how many, and what can be done. */
  show({ lesson, cells, keys }) {
    if (!this.#bar || !lesson) return;
    const { step, of } = lesson;
    const last = step === of;
    const asks = keys.length > 0 || Object.values(cells).some(({ cue }) => cue === "legal");
    Object.assign(byId("lesson-done"), { value: step, max: of });
    write(byId("lesson-step"), t("page.step_of", { step, of }));
    byId("lesson-done").title = t("page.step_of", { step, of });
    write(byId("lesson-next"), asks ? t("page.step_show") : t("page.step_next"));
    byId("lesson-back").disabled = step === 1;
    byId("lesson-again").hidden = !last;
    byId("lesson-next").hidden = last;
    byId("to-game").classList.toggle("primary", last);
    byId("lesson-next").classList.toggle("primary", !asks);
  }
}
