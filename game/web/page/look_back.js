/**
 * Looking back: the position that this page shows in place of the present one, and the buttons, the
 * slider and the arrow keys that lead to it. It knows neither board nor game.
 */

import { button, byId, html, svg, write } from "./dom.js";
import { asking } from "./link.js";
import { giveCommand, look } from "./messages.js";
import { fill, t } from "./words.js";

/** The buttons: what each does in words, and its icon. */
const BUTTONS = {
  first: ["page.look_first", "M-.3-.28V.28M.3-.28-.16 0 .3.28z"],
  back: ["page.look_back", "M.2-.28-.26 0 .2.28z"],
  forward: ["page.look_forward", "M-.2-.28.26 0-.2.28z"],
  last: ["page.look_last", "M.3-.28V.28M-.3-.28.16 0-.3.28z"],
};
/** Elements with a use of their own for arrow keys. */
const WALKED = "input, select, textarea, dialog, [data-cell], [role=slider]";

export class LookBack {
  #send;
  #changed;
  #hello = null;
  #live = null;
  #at = null;
  #from = 0;
  #stale = false;
  #bar = html("section", { class: "look", id: "look", "data-words-label": "page.moves" });
  #slider = html("input", { type: "range", min: 0, "data-words-label": "page.look_slider" });
  #count = html("span", { class: "look-count", "aria-hidden": "true" });
  #buttons = {};
  #leave = button({ class: "primary look-leave", "data-words": "page.look_leave" },
    () => this.leave());
  #news = html("span", { class: "look-news", role: "status" });
  #takeBack = button({ class: "quiet", "data-words": "page.look_take_back" }, () => this.#ask());

  /** The message of the server about the position that is shown; null where it is the present. */
  past = null;

  /**
   * @param send function that takes a message for the server, also without control
   * @param changed called when another position is to be shown
   */
  constructor(send, changed) {
    this.#send = send;
    this.#changed = changed;
    const ways = {
      first: () => 0, back: () => this.#here - 1, forward: () => this.#here + 1,
      last: () => this.#end,
    };
    for (const [name, [words, path]] of Object.entries(BUTTONS)) {
      this.#buttons[name] = button({ "data-words-label": words },
        () => this.to(ways[name]()),
        svg("svg", { class: "icon", viewBox: "-.5 -.5 1 1", "aria-hidden": "true" },
          svg("path", { d: path })));
    }
    this.#slider.addEventListener("input", () => this.to(Number(this.#slider.value)));
    byId("ask").addEventListener("close", ({ target }) => {
      if (target.returnValue !== "yes" || this.past === null) return;
      for (let time = 0; time < this.past.take_backs; time += 1) send(giveCommand("take_back"));
      this.leave();
    });
    this.#bar.append(
      html("div", { class: "look-way row" }, this.#slider, this.#count),
      html("div", { class: "look-keys row" }, ...Object.values(this.#buttons)),
      html("div", { class: "look-ends row wraps" }, this.#leave, this.#news, this.#takeBack));
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Take a hello message: the words, and whether a stored game is shown. */
  greet(hello) {
    this.#hello = hello;
    // What was told of the past was in another language.
    this.past = null;
    this.#stale = true;
    byId("board-bar").append(this.#bar);
    fill(byId("board-bar"));
  }

  /** The number of moves after which the game is shown; null for the present game. */
  get at() {
    return this.#at ?? (this.#hello?.replay ? this.#live.ply : null);
  }

  get #end() {
    return this.#live.moves.length;
  }

  get #here() {
    return this.at ?? this.#end;
  }

  /**
   * Look at the game after a number of moves. The last one leads back to the present game, unless
   * people stay to look at what is said of it.
   */
  to(ply, stay = false) {
    const to = Math.max(0, Math.min(ply, this.#end));
    if (to === this.#end && !stay && !this.#hello.replay) {
      if (this.#at !== null) this.leave();
      return;
    }
    if (to === this.#here && this.#at !== null) return;
    if (this.#at === null) this.#from = this.#end;
    this.#at = to;
    this.#send(look(to));
    this.#changed();
  }

  /** Go back to the present game. */
  leave() {
    if (this.#hello.replay?.number) {
      location.assign(asking("/"));
      return;
    }
    this.#at = this.past = null;
    this.#changed();
  }

  /** Ask again for what is shown: more is known of it. */
  refresh() {
    if (this.#at !== null) this.#send(look(this.#at));
  }

  /** Take a Look message. */
  take(message) {
    if (this.#at === null) return;
    this.past = message;
    this.#changed();
  }

  /** Follow the present game: it goes on meanwhile, or what is shown is taken back. */
  show(live) {
    const before = this.#live ?? live;
    this.#live = live;
    if (this.#hello.replay) {
      if (before !== live) this.#at = null;
    } else if (this.#at !== null) {
      const gone = this.#at > this.#end || before.moves.slice(0, this.#at)
        .some(({ text }, ply) => text !== live.moves[ply].text);
      if (gone || live.draft !== null) this.#at = this.past = null;
      else if (this.#stale || live.ply !== before.ply) this.refresh();
      if (live.ply !== before.ply && byId("ask").open) byId("ask").close("");
    }
    this.#stale = false;
    this.#draw();
  }

  #draw() {
    const [here, end, looking] = [this.#here, this.#end, this.#at !== null];
    const { replay, access } = this.#hello;
    // An empty bar takes no room.
    if (replay ? replay.lesson : !looking) this.#bar.remove();
    else if (!this.#bar.isConnected) byId("board-bar").append(this.#bar);
    document.body.toggleAttribute("data-looking", looking && !replay);
    this.#slider.max = end;
    this.#slider.value = here;
    const move = this.#live.moves[here - 1]?.text ?? t("page.course_start");
    this.#slider.setAttribute("aria-valuetext", `${here} / ${end}: ${move}`);
    write(this.#count, `${here} / ${end}`);
    for (const [name, button] of Object.entries(this.#buttons)) {
      const idle = ["first", "back"].includes(name) ? here === 0 : here === end && !looking;
      // A disabled button would lose the focus.
      button.setAttribute("aria-disabled", idle);
    }
    this.#leave.hidden = !replay && !looking;
    const count = looking && !replay ? Math.max(0, end - this.#from) : 0;
    write(this.#news, count > 0 ? t("page.look_news", { count }) : "");
    this.#takeBack.hidden = !looking || access === "watch" || !this.past?.take_backs
      || this.#live.assistance === "strict";
  }

  #ask() {
    write(byId("question"), t("page.take_back_ask", { move: this.#live.moves[this.#at].text }));
    write(byId("ask-yes"), t("page.take_back"));
    byId("ask").returnValue = "";
    byId("ask").showModal();
  }

  #press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.#live || this.#end === 0 || this.#live.draft !== null) return;
    const away = this.at !== null;
    if (key === "Escape" && this.#at !== null && !target.closest("dialog, input:not([type=range])")) {
      this.leave();
    } else if (target.closest(WALKED)) {
      return;
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      this.to(this.#here + (key === "ArrowLeft" ? -1 : 1));
    } else if (away && (key === "Home" || key === "End")) {
      this.to(key === "Home" ? 0 : this.#end);
    } else {
      return;
    }
    event.preventDefault();
  }
}
