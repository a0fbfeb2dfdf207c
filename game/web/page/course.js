/**
 * The analysis of a game that is over: its chart, what was better than each move, and its turning
 * points. It requests this only when people press for it, and shows as much as the server has
 * computed.
 */

import { Chart } from "./chart.js";
import { button, byId, html, icon, write } from "./dom.js";
import { analyse } from "./messages.js";
import { t } from "./words.js";

const percent = (value) => t("page.percent", { percent: Math.round(100 * value) });

export class Course {
  #send;
  #look;
  #chart;
  #hello = null;
  #state = null;
  #known = { moves: 0, points: [], turning: [], done: false, final: null, trouble: null };
  #at = null;
  #looked = null;
  #asked = false;
  #shown = "";

  /**
   * @param send function that takes a message for the server
   * @param look function that takes the number of moves after which to show the game
   */
  constructor(send, look) {
    this.#send = send;
    this.#look = look;
    this.#chart = new Chart(byId("chart"), look);
    byId("ask-course").addEventListener("click", () => {
      this.#asked = this.#send(analyse());
      this.#show();
    });
  }

  /** Take the players of a hello message, and whether a stored game can be judged. */
  greet(hello) {
    this.#hello = hello;
    byId("chart").setAttribute("aria-label", t("page.course_chart"));
    this.#shown = "";
  }

  /** Take the server's results so far; no moves before the analysis was requested. */
  learn(message) {
    this.#known = message;
  }

  /** The marks of faults by the number of their move, of the game whose analysis is shown. */
  get marks() {
    if (byId("course").hidden) return {};
    return Object.fromEntries(this.#known.points.map(({ ply, mark }) => [ply + 1, mark]));
  }

  /** Show a state: only a game that is over has an analysis. `at` is the move that is shown. */
  show(state, at) {
    this.#state = state;
    this.#looked = at;
    this.#show();
  }

  #show() {
    const { outcome, phase, names, called, moves: { length: ply } } = this.#state;
    const { moves, points, done, trouble } = this.#known;
    const { levels, players, hidden, replay } = this.#hello;
    const over = replay ? replay.judged : outcome !== null && phase !== "set_up";
    const there = over && moves > 0 && moves === ply;
    const judged = levels.length > 0 && players.length === 2 && !hidden;
    byId("ask-course").hidden = !over || there || ply === 0 || !judged;
    byId("ask-course").classList.toggle("busy", this.#asked && !there);
    const first = there && byId("course").hidden;
    byId("course").hidden = !there;
    if (!there) {
      this.#at = null;
      this.#shown = "";
      if (!over) this.#asked = false;
      return;
    }
    const shown = JSON.stringify([this.#known, names, called]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#draw();
      byId("course-working").hidden = done;
      write(byId("course-done"), t("page.course_working", { done: points.length, count: moves }));
      byId("course-progress").max = moves;
      byId("course-progress").value = points.length;
      byId("course-trouble").hidden = trouble === null;
      write(byId("course-trouble"), trouble ?? "");
    }
    // Who goes back to the game after looking sees its end.
    const at = this.#looked ?? (this.#at === null ? null : moves);
    if (at !== this.#at) {
      this.#at = at;
      this.#point();
    }
    if (first && this.#asked) this.#turnTo();
  }

  /**
   * Move the focus of those who asked to the result, since the button that they pressed
   * disappears.
   */
  #turnTo() {
    this.#asked = false;
    byId("course-title").focus({ preventScroll: true });
    byId("course").scrollIntoView({ block: "nearest" });
  }

  /** Return the first player's score after a number of moves; undefined while it is not known. */
  #score(at) {
    const { moves, points, final } = this.#known;
    if (at < points.length) return points[at].value;
    if (at < moves || points.length < moves) return undefined;
    const last = points[at - 1];
    return final ?? (last.player === 1 ? last.move_value : 1 - last.move_value);
  }

  #draw() {
    const { moves, points, turning, done } = this.#known;
    const scores = points.map(({ value }) => value);
    if (points.length === moves) scores.push(this.#score(moves));
    const turns = points.filter(({ ply }) => turning.includes(ply));
    this.#chart.name(this.#state.sides);
    this.#chart.draw(moves, scores, points.filter(({ mark }) => mark), turning);
    byId("turning-title").hidden = turns.length === 0 && (!done || points.length < moves);
    byId("no-turning").hidden = !done || turns.length > 0 || points.length < moves;
    byId("turning").replaceChildren(...turns.map((point) => this.#turn(point)));
    this.#point();
  }

  #turn(point) {
    const { ply, player } = point;
    const { token, side } = this.#state.moves[ply];
    return html("li", { "data-player": player, "data-side": side },
      button({ "data-ply": ply }, () => this.#look(ply), icon(`stone-${token}`, "mark"),
        html("span", { class: "what" }, this.#move(point)),
        html("span", { class: "instead" }, this.#better(point))));
  }

  /** Point at the position that people have selected, at first that before the worst move. */
  #point() {
    const { points, turning } = this.#known;
    const worst = points.filter(({ ply }) => turning.includes(ply))
      .reduce((most, point) => (most && most.loss >= point.loss ? most : point), null);
    const at = this.#at ?? worst?.ply ?? 0;
    const said = this.#say(at);
    this.#chart.place(at, this.#score(at) ?? 0.5, said.map(({ text }) => text).join(" "));
    byId("course-at").replaceChildren(...said.map(({ text, mark, name }) =>
      html("p", { class: `${name} row` },
        ...(mark ? [icon(mark, "mark")] : []), html("span", {}, text))));
    for (const button of byId("turning").querySelectorAll("button")) {
      const here = Number(button.dataset.ply) === at;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Describe a position: the move that led there, who is ahead, what was better than the next. */
  #say(at) {
    const score = this.#score(at);
    const ahead = score === undefined ? t("page.course_not_yet") : t("page.course_ahead", {
      player: this.#called(score >= 0.5 ? 1 : 2), percent: percent(Math.max(score, 1 - score)),
    });
    const { [at - 1]: made, [at]: next } = this.#known.points;
    const better = next?.mark ? `${this.#move(next)} ${this.#better(next)}`
      : made?.mark ? this.#better(made) : made?.loss < 0.005 ? t("page.course_best") : "";
    return [
      made ? { name: "what", mark: `stone-${this.#state.moves[made.ply].token}`, text: this.#move(made) + (made.mark ? "" : ".") }
        : { name: "what", text: at === 0 ? t("page.course_start") : "" },
      { name: "ahead", text: ahead },
      { name: "better", text: better },
    ].filter(({ text }) => text);
  }

  #move({ ply, player, move, mark }) {
    return t("page.course_move", { ply: ply + 1, player: this.#called(player), move }) + mark;
  }

  #better({ best, best_value, move_value }) {
    return t("page.course_better", {
      best, better: percent(best_value), worse: percent(move_value),
    });
  }

  #called(player) {
    return this.#state.names[player - 1] || this.#state.called[player - 1];
  }
}
