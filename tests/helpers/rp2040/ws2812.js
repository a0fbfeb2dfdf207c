/**
 * Reads back what pixels of a kind WS2812 would, from the edges of their pin, and keeps the extremes
 * of all times, to be held against data sheets. It does not know what the bytes mean.
 */

const LATCH_NS = 50_000; // the most impatient of them (WS2812, 2012)
const ONE_NS = 490;

export class Pixels {
  /** @param seen is given (when it began, when it ended, its bytes) of each frame */
  constructor(clock, seen) {
    Object.assign(this, { clock, seen, times: {}, level: 0, changed: 0, bits: [], began: 0 });
    this.partial = 0;
    this.latch = clock.createAlarm(() => this.#latch());
  }

  edge(level) {
    const now = this.clock.nanos;
    const lasted = now - this.changed;
    if (level === this.level) return;
    if (!level) {
      const one = lasted > ONE_NS;
      this.#note(one ? "T1H" : "T0H", lasted);
      if (!this.bits.length) this.began = this.changed;
      this.bits.push(one ? 1 : 0);
      this.latch.schedule(LATCH_NS);
    } else if (this.bits.length) this.#note(this.bits.at(-1) ? "T1L" : "T0L", lasted);
    this.level = level;
    this.changed = now;
  }

  #note(name, ns) {
    const [least, most] = this.times[name] ?? [Infinity, 0];
    this.times[name] = [Math.min(least, ns), Math.max(most, ns)];
  }

  #latch() {
    if (this.level || !this.bits.length) return;
    const bytes = Buffer.alloc(this.bits.length >> 3);
    for (let at = 0; at < bytes.length * 8; at++) bytes[at >> 3] |= this.bits[at] << (7 - (at & 7));
    if (this.bits.length % 24) this.partial++;
    this.bits = [];
    this.seen(this.began, this.changed, bytes);
  }
}
