/**
 * The sounds of a game: which ones a new state asks for, and how they are made. There are no sound
 * files; a sound is a few notes, which `game/play/loudspeaker.py` has too, for a board's loudspeaker.
 */

import { device } from "./storage.js";

/** Each sound's notes: pitch in Hz, begin and length in seconds. */
const NOTES = {
  move: [[523, 0, 0.09]],
  eating: [[392, 0, 0.08], [294, 0.07, 0.14]],
  turn: [[659, 0, 0.08], [880, 0.09, 0.12]],
  win: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.3]],
  refusal: [[196, 0, 0.16]],
};
/** How long each sound lets a phone vibrate and pause, in ms. */
const BUZZ = { move: [15], eating: [25, 30, 25], turn: [30], win: [60, 60, 120], refusal: [80] };
const ATTACK_S = 0.008;
const SILENCE = 0.0001;

/** Tell which sounds the way from one state to the next asks for. */
export function heard(before, after) {
  if (before === null) return [];
  const sounds = [];
  const last = after.moves.at(-1);
  const moved = after.ply === before.ply + 1;
  if (moved) sounds.push(last?.removed.length ? "eating" : "move");
  if (after.notice && after.notice !== before.notice && !after.good_news) sounds.push("refusal");
  if (after.outcome && !before.outcome) sounds.push("win");
  // Who plays at the board sees whose turn it is, but not when the computer has finished.
  else if (moved && after.computers[last?.player - 1] && !after.computers[after.to_move - 1]) {
    sounds.push("turn");
  }
  return sounds;
}

export class Sounds {
  #context = null;
  #before = null;

  /** Whether sounds are on, how loud they are from 0 to 1, and whether a phone vibrates. */
  settings = { on: true, volume: 0.5, vibrate: true, ...device.object("sounds") };

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
  }

  /** Begin anew after a first message: what is shown then has not just happened. */
  greet() {
    this.#before = null;
  }

  /** Let a state be heard and felt. */
  show(state) {
    const sounds = heard(this.#before, state);
    this.#before = state;
    for (const name of sounds) this.play(name);
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
