/**
 * The controls of a tutorial: where it is, one step back, and what the step expects, done by
 * itself. The step's text is the message of the state; the server decides what goes on.
 */

import { byId, html, write } from "./dom.js";
import { giveCommand } from "./messages.js";
import { t } from "./words.js";

export class Tutorial {
  #send;
  #play;
  #bar = null;

  /**
   * @param send function that takes a message for the server
   * @param play function that opens a game by its name; null where none can be opened
   */
  constructor(send, play) {
    this.#send = send;
    this.#play = play;
  }

  /** Take a hello message: whether this page shows a tutorial. */
  greet({ replay, game }) {
    document.body.toggleAttribute("data-tutorial", Boolean(replay?.tutorial));
    this.#bar?.remove();
    this.#bar = null;
    if (!replay?.tutorial) return;
    const button = (id, act) => {
      const made = html("button", { type: "button", id });
      made.addEventListener("click", act);
      return made;
    };
    const command = (name) => () => this.#send(giveCommand(name));
    this.#bar = html(
      "div", { class: "lesson", id: "lesson", role: "group", "aria-label": t("page.learn") },
      button("lesson-back", command("take_back")),
      html("progress", { id: "lesson-done" }),
      html("span", { class: "unseen", id: "lesson-step" }),
      button("lesson-again", command("new_game")),
      button("lesson-next", command("confirm")),
      button("lesson-play", () => this.#play(game)),
    );
    byId("board-bar").append(this.#bar);
  }

  /** Show a state: which step of how many, and what can be done. */
  show({ lesson, cells, keys }) {
    if (!this.#bar || !lesson) return;
    const { step, of } = lesson;
    const last = step === of;
    const asks = keys.length > 0 || Object.values(cells).some(({ cue }) => cue === "legal");
    Object.assign(byId("lesson-done"), { value: step, max: of });
    byId("lesson-done").setAttribute("aria-label", t("page.learn"));
    write(byId("lesson-step"), t("page.step_of", { step, of }));
    byId("lesson-done").title = t("page.step_of", { step, of });
    write(byId("lesson-back"), t("page.step_back"));
    write(byId("lesson-again"), t("page.step_again"));
    write(byId("lesson-next"), asks ? t("page.step_show") : t("page.step_next"));
    write(byId("lesson-play"), t("page.new_game"));
    byId("lesson-back").disabled = step === 1;
    byId("lesson-again").hidden = !last;
    byId("lesson-next").hidden = last;
    byId("lesson-play").hidden = !last || !this.#play;
    byId("lesson-next").classList.toggle("primary", !asks);
  }
}
