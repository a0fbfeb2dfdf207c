/**
 * The sounds of a game, and how they are made. There are no sound files; a sound is a few notes,
 * which `game/play/voice.py` has too, for a board's loudspeaker.
 */

import { device } from "./storage.js";

/** Each sound's notes: pitch in Hz, begin and length in seconds. */
const NOTES = {
  move: [[523, 0, 0.09]],
  tap: [[587, 0, 0.06]],
  back: [[440, 0, 0.08], [330, 0.07, 0.1]],
  eating: [[392, 0, 0.08], [294, 0.07, 0.14]],
  turn: [[659, 0, 0.08], [880, 0.09, 0.12]],
  win: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.3]],
  refusal: [[196, 0, 0.16]],
};
/** How long each sound lets a phone vibrate and pause, in ms. */
const BUZZ = {
  move: [15], tap: [10], back: [15, 30, 15], eating: [25, 30, 25], turn: [30], win: [60, 60, 120],
  refusal: [80],
};
const ATTACK_S = 0.008;
const SILENCE = 0.0001;

export class Sounds {
  #context = null;

  /**
   * Whether sounds are on, how loud they are from 0 to 1, whether a phone vibrates, and whether the
   * page speaks.
   */
  settings = { on: true, volume: 0.5, vibrate: true, voice: false, ...device.object("sounds") };

  /** Called when the voice is switched on or off. */
  onVoice = () => {};

  constructor() {
    // Browsers let a page sound only after a first touch.
    for (const gesture of ["pointerdown", "keydown"]) {
      addEventListener(gesture, () => this.#start(), { capture: true });
    }
  }

  #start() {
    if (!this.settings.on || !window.AudioContext) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
  }

  /** Change and keep settings. */
  set(change) {
    Object.assign(this.settings, change);
    device.write("sounds", JSON.stringify(this.settings));
    this.#start();
    if ("voice" in change) this.onVoice();
  }

  /** Let what a state asks for be heard and felt. */
  show({ heard }) {
    for (const name of heard) this.play(name);
  }

  /** Make one sound. */
  play(name) {
    const { on, volume, vibrate } = this.settings;
    if (vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ[name]);
    const context = this.#context;
    if (!on || context?.state !== "running") return;
    for (const [pitch, begin, length] of NOTES[name]) {
      const [start, end] = [context.currentTime + begin, context.currentTime + begin + length];
      const gain = new GainNode(context, { gain: SILENCE });
      gain.gain.exponentialRampToValueAtTime(Math.max(SILENCE, volume / 2), start + ATTACK_S);
      gain.gain.exponentialRampToValueAtTime(SILENCE, end);
      const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
      tone.connect(gain).connect(context.destination);
      tone.start(start);
      tone.stop(end);
    }
  }
}
