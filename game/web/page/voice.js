/**
 * The page says aloud what happens and what people are asked, by the speech of the browser, where
 * that is switched on. `game/play/voice.py` does the same on a board's loudspeaker.
 */

import { t } from "./words.js";

/** Sentences that wait for the one that is spoken; of more the oldest are left out. */
const MOST_WAITING = 12;
const speech = window.speechSynthesis;

/** Whether this browser can speak. */
export const canSpeak = Boolean(speech);

export class Voice {
  #sounds;
  #asked = [];
  #waiting = [];
  #saying = null;

  /** @param sounds the Sounds whose settings tell whether the page speaks, and how loud */
  constructor(sounds) {
    this.#sounds = sounds;
    sounds.onVoice = () => this.#switch();
  }

  /** Begin anew after a first message. */
  greet() {
    this.#asked = [];
  }

  /** Say what is new of a state; what is no longer asked is left out or broken off. */
  show({ aloud: { news, asked } }) {
    const before = this.#asked;
    this.#asked = asked;
    if (!this.#sounds.settings.voice || !canSpeak) return;
    const late = this.#waiting.filter((each) => each.request).map(({ text }) => text);
    this.#waiting = this.#waiting.filter((each) => !each.request);
    if (this.#saying?.request && !asked.includes(this.#saying.text)) speech.cancel();
    this.#wait(news, asked.filter((text) => !before.includes(text) || late.includes(text)));
  }

  #wait(news, requests) {
    const more = requests.map((text) => ({ text, request: true }));
    this.#waiting = [...this.#waiting, ...news.map((text) => ({ text })), ...more];
    this.#waiting = this.#waiting.slice(-MOST_WAITING);
    this.#next();
  }

  /** Say what holds now when the voice is switched on; be silent when it is switched off. */
  #switch() {
    this.#waiting = [];
    speech?.cancel();
    if (!this.#sounds.settings.voice) return;
    this.#wait([t("page.voice_on")], this.#asked);
  }

  #next() {
    if (this.#saying !== null || this.#waiting.length === 0) return;
    const saying = this.#saying = this.#waiting.shift();
    const utterance = new SpeechSynthesisUtterance(saying.text);
    utterance.lang = document.documentElement.lang;
    utterance.volume = this.#sounds.settings.volume;
    // An utterance that is broken off ends by an error.
    utterance.onend = utterance.onerror = () => {
      if (this.#saying !== saying) return;
      this.#saying = null;
      this.#next();
    };
    speech.speak(utterance);
  }
}
