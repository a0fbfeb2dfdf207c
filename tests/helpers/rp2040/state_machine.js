/**
 * One state machine of a PIO block, on the emulated clock, with fractional dividers, side-set, delays
 * and autopull (RP2040 data sheet, chapter 3): what drives pixels. rp2040js runs its own beside the
 * clock and without dividers, so that nothing could be said of the timing of a pin. Reading pins
 * (WAIT, IN, PUSH) and IRQ are not emulated, and throw.
 */

const FORCED = 0x80000000;
const reversed = (value) => {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) result |= ((value >>> bit) & 1) << (31 - bit);
  return result >>> 0;
};
const field = (value, from, bits) => (value >>> from) & ((1 << bits) - 1);

export class StateMachine {
  constructor(pio, index) {
    Object.assign(this, { pio, index, clkdiv: 1 << 16, execctrl: 0x1f << 12 });
    Object.assign(this, { shiftctrl: 3 << 18, pinctrl: 5 << 26, enabled: false, tx: [] });
    Object.assign(this, { x: 0, y: 0, osr: 0, osrCount: 32, pc: 0, parts: 0, delay: 0 });
    Object.assign(this, { stalled: false, edge: 0, forced: -1, waiting: false });
    this.alarm = pio.mcu.clock.createAlarm(() => this.#tick());
  }

  get depth() {
    return field(this.shiftctrl, 30, 1) ? 8 : field(this.shiftctrl, 31, 1) ? 0 : 4;
  }

  get threshold() {
    return field(this.shiftctrl, 25, 5) || 32;
  }

  // Asked of each machine by rp2040js's pins.
  checkWait() {}

  enable(on) {
    if (on === this.enabled) return;
    this.enabled = on;
    this.edge = this.pio.mcu.clock.nanos;
    if (on) this.#schedule();
    else this.alarm.cancel();
  }

  restart() {
    Object.assign(this, { osrCount: 32, delay: 0, stalled: false, forced: -1 });
  }

  /** Take a word for its queue; tell whether there was room. */
  put(word) {
    if (this.tx.length >= this.depth) return;
    this.tx.push(word >>> 0);
    this.pio.request(this);
    if (!this.stalled || !this.enabled) return;
    // It goes on at its next clock.
    this.stalled = false;
    const behind = this.pio.mcu.clock.nanos - this.edge;
    const clock = ((this.clkdiv >>> 8) / 256) * this.#systemNs;
    if (behind > 0) this.edge += Math.floor(behind / clock) * clock;
    this.#schedule();
  }

  read(offset) {
    const forced = this.forced >= 0 ? FORCED : 0;
    const values = [this.clkdiv, (this.execctrl & ~FORCED) | forced, this.shiftctrl, this.pc];
    return ([...values, this.pio.code[this.pc], this.pinctrl][offset >> 2] ?? 0) >>> 0;
  }

  write(offset, value) {
    if (offset === 0x00) this.clkdiv = value;
    else if (offset === 0x04) this.execctrl = value & ~FORCED;
    else if (offset === 0x08) {
      // A change of how its queues are joined empties them.
      if ((value ^ this.shiftctrl) >>> 30) this.tx = [];
      this.shiftctrl = value;
      this.pio.request(this);
    } else if (offset === 0x10) {
      const { stalled } = this;
      if (!this.#execute(value & 0xffff, true)) this.forced = value & 0xffff;
      Object.assign(this, { stalled, delay: 0 });
    } else if (offset === 0x14) this.pinctrl = value;
  }

  get #systemNs() {
    return 1e9 / this.pio.mcu.clkSys;
  }

  #schedule() {
    this.parts += field(this.clkdiv, 8, 8);
    const clocks = (this.clkdiv >>> 16 || 65536) + (this.parts >> 8);
    this.parts &= 255;
    this.edge += clocks * this.#systemNs;
    this.alarm.schedule(this.edge - this.pio.mcu.clock.nanos);
  }

  #tick() {
    if (!this.enabled) return;
    if (this.delay > 0) {
      this.delay--;
      this.#refill();
      this.#schedule();
      return;
    }
    const forced = this.forced >= 0;
    const done = this.#execute(forced ? this.forced : this.pio.code[this.pc], forced);
    if (done && forced) this.forced = -1;
    if (done || !this.stalled) this.#schedule();
  }

  #refill() {
    const auto = field(this.shiftctrl, 17, 1);
    if (auto && this.osrCount >= this.threshold && this.tx.length) this.#pull();
  }

  #pull() {
    this.osr = this.tx.shift();
    this.osrCount = 0;
    this.pio.request(this);
  }

  /** Tell whether it is done; if not, it is tried again, or stalls until a word comes. */
  #execute(code, forced) {
    const sides = field(this.pinctrl, 29, 3);
    const optional = field(this.execctrl, 30, 1);
    const delayBits = 5 - sides;
    const high = field(code, 8, 5);
    if (sides && (!optional || high & 16)) {
      const value = (high & (optional ? 15 : 31)) >> delayBits;
      const what = field(this.execctrl, 29, 1) ? "pinDirections" : "pinValues";
      this.pio.drive(what, value, field(this.pinctrl, 10, 5), sides - optional);
    }
    const last = this.pc === field(this.execctrl, 12, 5);
    const next = last ? field(this.execctrl, 7, 5) : (this.pc + 1) & 31;
    const argument = code & 31;
    const what = field(code, 5, 3);
    this.stalled = false;
    let target = -1;
    switch (code >> 13) {
      case 0:
        if (this.#condition(what)) target = argument;
        break;
      case 3:
        if (!this.#out(what, argument || 32)) return false;
        break;
      case 4:
        if (!(what & 4)) throw new Error("PUSH is not emulated");
        if (what & 2 && this.osrCount < this.threshold) break;
        if (this.tx.length) this.#pull();
        else if (what & 1) return !(this.stalled = true);
        else [this.osr, this.osrCount] = [this.x, 0];
        break;
      case 5:
        this.#move(what, argument);
        break;
      case 7:
        this.#set(what, argument, field(this.pinctrl, 5, 5), field(this.pinctrl, 26, 3));
        break;
      default:
        throw new Error(`PIO instruction ${code.toString(16)} is not emulated`);
    }
    if (!forced || target >= 0) this.pc = target >= 0 ? target : next;
    this.delay = high & ((1 << delayBits) - 1);
    return true;
  }

  #condition(what) {
    const { x, y } = this;
    if (what === 2) this.x = (x - 1) >>> 0;
    if (what === 4) this.y = (y - 1) >>> 0;
    if (what === 6) throw new Error("JMP PIN is not emulated");
    return [true, !x, x, !y, y, x !== y, false, this.osrCount < this.threshold][what];
  }

  #out(what, bits) {
    const auto = field(this.shiftctrl, 17, 1);
    if (auto && this.osrCount >= this.threshold) {
      if (this.tx.length) this.#pull();
      else this.stalled = true;
      return false;
    }
    const right = field(this.shiftctrl, 19, 1);
    const mask = 2 ** bits - 1;
    const value = (right ? this.osr & mask : this.osr >>> (32 - bits)) >>> 0;
    this.osr = bits === 32 ? 0 : (right ? this.osr >>> bits : this.osr << bits) >>> 0;
    this.osrCount = Math.min(32, this.osrCount + bits);
    this.#set(what, value, field(this.pinctrl, 0, 5), field(this.pinctrl, 20, 6));
    this.#refill();
    return true;
  }

  #move(what, argument) {
    const sources = [0, this.x, this.y, 0, 0, 0, 0, this.osr];
    const value = sources[argument & 7];
    const made = [value, ~value >>> 0, reversed(value)][argument >> 3] ?? value;
    if (what === 7) [this.osr, this.osrCount] = [made, 0];
    else this.#set(what, made, field(this.pinctrl, 0, 5), field(this.pinctrl, 20, 6));
  }

  #set(what, value, base, count) {
    if (what === 0) this.pio.drive("pinValues", value, base, count);
    else if (what === 1) this.x = value;
    else if (what === 2) this.y = value;
    else if (what === 4) this.pio.drive("pinDirections", value, base, count);
    else if (what !== 3) throw new Error(`PIO destination ${what} is not emulated`);
  }
}
