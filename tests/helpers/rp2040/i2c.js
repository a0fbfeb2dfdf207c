/**
 * An I2C bus at a controller of the RP2040: bits take their time, chips may not acknowledge, lines
 * may be held. While its pins are plain ones, their levels are those of the wires, so that clocking
 * a held bus free by hand works. In rp2040js all of this happens in no time. What the chips answer
 * is asked of `wires`: begin(address, reading), write(bytes), read(count) and clocked(), each at a
 * time. A read asks at once for as many bytes as the like one took last.
 */

const EMPTY = 1 << 4;
const RAW_INTERRUPTS = 0x34;
const RECEIVED = 0x78;
const I2C_SIO = 5;
const BYTE_BITS = 9;

export class I2CBus {
  constructor(mcu, wires, sda, scl) {
    Object.assign(this, { mcu, wires, sda, scl });
    this.controller = null;
    this.low = [false, false];
    this.written = [];
    this.ahead = []; // what was read and not yet taken
    this.taken = 0;
    this.lengths = {}; // of reads, by address and what was written before
    this.clockWasLow = false;
  }

  attach(controller) {
    this.controller = controller;
    let then = null;
    const alarm = this.mcu.clock.createAlarm(() => {
      const what = then;
      then = null;
      what?.();
    });
    // On a held bus the controller waits until its program gives up.
    const after = (bits, what) => {
      then = this.low[0] || this.low[1] ? null : what;
      if (then) alarm.schedule(bits * this.bitNs);
    };
    const told = controller.setInterrupts.bind(controller);
    const abort = controller.abort.bind(controller);
    // The SDK sets TX_EMPTY_CTRL: the flag comes when the byte has left, not when it is taken.
    controller.setInterrupts = (mask) => {
      if (mask !== EMPTY || !controller.busy) told(mask);
    };
    // A program that asks in a loop whether a byte has gone by sees nothing before the next alarm.
    const read = controller.readUint32.bind(controller);
    controller.readUint32 = (offset) => {
      const value = read(offset);
      const { clock, core, cycleNs } = this.mcu;
      if (then && (offset === RECEIVED ? !value : offset === RAW_INTERRUPTS && !(value & EMPTY))) {
        const ns = Math.min(clock.nextAlarm.nanos - clock.nanos, BYTE_BITS * this.bitNs);
        core.owed += Math.max(0, Math.floor(ns / cycleNs));
      }
      return value;
    };
    controller.abort = (why) => {
      abort(why);
      told(EMPTY);
    };
    controller.onStart = () => after(1, () => this.#end(() => controller.completeStart()));
    controller.onConnect = (address, reading) =>
      after(BYTE_BITS, () => {
        this.what = `${address} ${this.register}`;
        controller.completeConnect(this.wires.begin(address, !!reading));
      });
    controller.onWriteByte = (value) =>
      after(BYTE_BITS, () => {
        this.written.push(value);
        if (controller.txFIFO.empty) told(EMPTY);
        controller.completeWrite(true);
      });
    controller.onReadByte = () =>
      after(BYTE_BITS, () => {
        const like = this.taken ? 0 : this.lengths[this.what];
        if (!this.ahead.length) this.ahead = this.wires.read(like || 1);
        this.taken++;
        controller.completeRead(this.ahead.shift());
        if (controller.txFIFO.empty && !controller.busy) told(EMPTY);
      });
    controller.onStop = () =>
      after(1, () => {
        this.#end(() => controller.completeStop());
        told(EMPTY);
      });
    this.reset = () => {
      alarm.cancel();
      then = null;
      [this.written, this.ahead, this.taken] = [[], [], 0];
      const idle = { state: 0, busy: false, stop: false, pendingRestart: false, enable: 0 };
      Object.assign(controller, idle, { intRaw: EMPTY, abortSource: 0 });
      controller.txFIFO.reset();
      controller.rxFIFO.reset();
    };
    controller.intRaw |= EMPTY;
    this.mcu.gpio[this.sda].addListener(() => this.#level());
    this.mcu.gpio[this.scl].addListener(() => this.#clock());
    this.#level();
  }

  /** Take which of its lines something outside holds low. */
  hold(sda, scl) {
    this.low = [sda, scl];
    this.#level();
  }

  get bitNs() {
    const { sclLowPeriod, sclHighPeriod } = this.controller;
    // Data sheet 4.3.14: plus spike suppression and synchronisation.
    return ((sclLowPeriod + sclHighPeriod + 12) * 1e9) / this.mcu.clkSys;
  }

  #end(then) {
    if (this.written.length) this.wires.write(this.written);
    if (this.taken) this.lengths[this.what] = this.taken;
    this.register = this.written[0];
    [this.written, this.ahead, this.taken] = [[], [], 0];
    then();
  }

  #drivenLow(pin) {
    const gpio = this.mcu.gpio[pin];
    return gpio.functionSelect === I2C_SIO && gpio.outputEnable && !gpio.outputValue;
  }

  #clock() {
    const low = this.#drivenLow(this.scl);
    if (low && !this.clockWasLow && this.low[0]) this.wires.clocked();
    this.clockWasLow = low;
    this.#level();
  }

  #level() {
    this.mcu.gpio[this.sda].setInputValue(!(this.#drivenLow(this.sda) || this.low[0]));
    this.mcu.gpio[this.scl].setInputValue(!(this.#drivenLow(this.scl) || this.low[1]));
  }
}
