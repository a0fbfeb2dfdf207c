/**
 * The page's own settings, behind a button in its head: look, sound, voice, vibration, full screen, the links for
 * others, and what other parts put there. It also keeps the screen awake during a game. Nothing here reaches the board.
 */

import { button, byId, closing, dialog, html, icon } from "./dom.js";
import { shared } from "./share.js";
import { namesSwitch, themeSwitch } from "./theme.js";
import { canSpeak } from "./voice.js";
import { t } from "./words.js";

/** The phases in which no player is waited for. */
const RESTING = ["over", "set_up", "menu"];

export class Settings {
  #sounds;
  #share = html("section");
  #lock = null;
  #playing = false;

  /**
   * @param sounds the Sounds that are switched here
   * @param more elements of other parts, at the end
   */
  constructor(sounds, more) {
    this.#sounds = sounds;
    const made = dialog("settings", "page.settings",
      themeSwitch(),
      namesSwitch(),
      this.#box("on", "page.sound"),
      this.#volume(),
      ...(canSpeak ? [this.#box("voice", "page.voice")] : []),
      ...(navigator.vibrate ? [this.#box("vibrate", "page.vibrate")] : []),
      ...(document.fullscreenEnabled ? [button({ class: "row" }, () => {
        made.close();
        (document.fullscreenElement
          ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
      }, icon("full-screen", "icon"), html("span", { "data-words": "page.full_screen" }))] : []),
      ...more, this.#share, closing());
    byId("head-tools").append(button(
      { class: "round", "aria-haspopup": "dialog", "data-words-label": "page.settings" },
      () => made.showModal(), icon("settings", "icon")));
    // The browser lets go of the lock whenever the page is hidden.
    document.addEventListener("visibilitychange", () => this.#stayAwake());
  }

  /** Take the links of a hello message for others. */
  greet({ share }) {
    this.#share.replaceChildren(...(share ? shared(share) : []));
  }

  /** Show a state: while it is played, the screen stays awake. */
  show({ phase }) {
    this.#playing = !RESTING.includes(phase);
    this.#stayAwake();
  }

  #box(name, words) {
    const box = html("input", { type: "checkbox" });
    box.checked = this.#sounds.settings[name];
    box.addEventListener("change", () => this.#sounds.set({ [name]: box.checked }));
    return html("label", { class: "row" }, box, html("span", { "data-words": words }));
  }

  #volume() {
    const bar = html("input", { type: "range", min: "0", max: "1", step: "0.1" });
    bar.value = this.#sounds.settings.volume;
    bar.addEventListener("change", () => {
      this.#sounds.set({ volume: Number(bar.value) });
      this.#sounds.play("move");
    });
    return html("label", { class: "row" }, html("span", { "data-words": "page.volume" }), bar);
  }

  async #stayAwake() {
    if (!this.#playing) {
      this.#lock?.release();
      this.#lock = null;
    } else if (navigator.wakeLock && !document.hidden && (this.#lock?.released ?? true)) {
      try {
        this.#lock = { released: false };
        this.#lock = await navigator.wakeLock.request("screen");
      } catch {
        // With a low battery the device decides otherwise.
        this.#lock = null;
      }
    }
  }
}
