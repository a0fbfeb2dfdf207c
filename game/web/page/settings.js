/**
 * The page's own settings, behind a button in its head: sound, vibration, full screen, the switch of
 * a simulated board's hands, and the link for spectators. It also keeps the screen awake during a game. Nothing here reaches the board.
 */

import { byId, html, icon } from "./dom.js";
import { invitation, passOn } from "./share.js";
import { t } from "./words.js";

/** The phases in which nobody waits for a player. */
const RESTING = ["over", "set_up", "menu"];

export class Settings {
  #sounds;
  #dialog = html("dialog", { class: "settings", id: "settings", "aria-labelledby": "settings-title" });
  #open = html("button", { type: "button", class: "round", "aria-haspopup": "dialog" },
    icon("settings", "icon"));
  #hands;
  #lock = null;
  #playing = false;

  /**
   * @param sounds the Sounds that are switched here
   * @param hands the element of the switch of hands
   */
  constructor(sounds, hands) {
    this.#sounds = sounds;
    this.#hands = hands;
    document.body.append(this.#dialog);
    byId("head-tools").append(this.#open);
    this.#open.addEventListener("click", () => this.#dialog.showModal());
    // The browser lets go of the lock whenever the page is hidden.
    document.addEventListener("visibilitychange", () => this.#stayAwake());
  }

  /** Take the words and the link of a hello message. */
  greet({ share }) {
    this.#open.setAttribute("aria-label", t("page.settings"));
    const close = html("button", { type: "button", class: "primary" }, t("page.close"));
    close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.replaceChildren(
      html("h2", { id: "settings-title" }, t("page.settings")),
      this.#box("on", t("page.sound")),
      this.#volume(),
      ...(navigator.vibrate ? [this.#box("vibrate", t("page.vibrate"))] : []),
      ...(document.fullscreenEnabled ? [this.#fullScreen()] : []),
      this.#hands,
      ...this.#watchers(share),
      html("div", { class: "arrange-keys" }, close),
    );
  }

  /** Show a state: while it is played, the screen stays awake. */
  show({ phase }) {
    this.#playing = !RESTING.includes(phase);
    this.#stayAwake();
  }

  #box(name, text) {
    const box = html("input", { type: "checkbox" });
    box.checked = this.#sounds.settings[name];
    box.addEventListener("change", () => this.#sounds.set({ [name]: box.checked }));
    return html("label", {}, box, text);
  }

  #fullScreen() {
    const button = html("button", { type: "button" },
      icon("full-screen", "icon"), t("page.full_screen"));
    button.addEventListener("click", () => {
      this.#dialog.close();
      (document.fullscreenElement
        ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
    });
    return button;
  }

  #volume() {
    const bar = html("input", { type: "range", min: "0", max: "1", step: "0.1" });
    bar.value = this.#sounds.settings.volume;
    bar.addEventListener("change", () => {
      this.#sounds.set({ volume: Number(bar.value) });
      this.#sounds.play("move");
    });
    return html("label", {}, t("page.volume"), bar);
  }

  #watchers(share) {
    if (!share) return [];
    const { link, reach, qr } = share;
    const how = { open: t("page.share_open"), pin: t("page.share_pin") }[reach];
    return [
      html("h3", {}, t("page.share")),
      ...(how ? [html("p", {}, how)] : []),
      ...invitation(link, qr),
      ...(reach === "none" ? [] : [passOn(link)]),
    ];
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
