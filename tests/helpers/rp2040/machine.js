/**
 * A Pico with its flash: an RP2040 that runs by the instruction, with pins, buses, a strip and a USB
 * cable. What is outside of it, `world`, says what the chips on its buses answer, and is told what
 * happens. It does not know what program runs.
 */

import { BasePeripheral, ConsoleLogger, LogLevel, RP2040 } from "./core.js";
import { FLASH_BYTES, callRom, patchSsi, patchedRom } from "./flash.js";
import { I2CBus } from "./i2c.js";
import { Pio } from "./pio.js";
import { UsbHost } from "./usb.js";
import { Pixels } from "./ws2812.js";

const LED = 25;
const PINS = 30;
const STACK = 0x20042000;
const FIRST_CODE = 0x10000000;
const PLLS = [0x40060, 0x40064];
const WATCHDOG = 0x40058;
const RESETS = 0x4000c;
const RESET_I2C0 = 3;
const TIMER_BIT = 1;
const FIFO = [0x50, 0x58];
const NO_FIFO = 0xffffffff;

/** A block whose registers hold what is written. */
class Plain extends BasePeripheral {
  values = {};

  readUint32(offset) {
    return this.values[offset] ?? 0;
  }

  writeUint32(offset, value) {
    this.values[offset] = value;
  }
}

export class Machine {
  /**
   * @param board its buses as {number: [sda, scl]}, and the pin of its strip
   * @param world wires(number), frame(began, ended, bytes), heard(bytes), booted(why), led(on)
   */
  constructor(board, rom, flash, unique, world) {
    Object.assign(this, { board, unique, world, rom: patchedRom(rom) });
    this.flash = new Uint8Array(FLASH_BYTES).fill(0xff);
    this.flash.set(flash);
    this.base = 0; // when the present start was, in ns
    this.low = 0; // pins that something holds low, a bit each
    this.mcu = this.usb = this.watchdog = null;
    this.plugged = true;
    this.hung = false;
    this.waitedNs = 0;
    this.slowness = 1;
    this.times = {};
  }

  get now() {
    return this.base + (this.mcu ? this.mcu.clock.nanos : 0);
  }

  boot(why, watchdog = { reason: 0 }) {
    this.off();
    const mcu = (this.mcu = new RP2040());
    this.hung = false;
    this.reset = null;
    mcu.logger = new ConsoleLogger(LogLevel.Error, false);
    // rp2040js does not set the event register by SEV.
    mcu.logger.info = (_, what) => {
      if (what === "SEV") mcu.core.eventRegistered = true;
    };
    mcu.logger.warn = (who, what) => {
      if (who === "CortexM0Core") throw new Error(what);
    };
    // Reads of the FIFO between the cores, of which rp2040js has one, say so each time.
    const sio = mcu.sio.readUint32.bind(mcu.sio);
    mcu.sio.readUint32 = (offset) => (FIFO.includes(offset) ? NO_FIFO : sio(offset));
    for (const index of [0, 1]) new Pio(mcu, index);
    for (const at of PLLS) mcu.peripherals[at] = new Plain(mcu, "PLL");
    patchSsi(mcu, this.unique);
    mcu.core.connect();
    mcu.loadBootrom(this.rom);
    mcu.flash.set(this.flash);
    mcu.onBreak = (code) => {
      if (!callRom(code, mcu)) throw new Error(`stopped at ${mcu.core.PC.toString(16)}: ${code}`);
    };
    this.#watch(mcu, watchdog);
    this.usb = new UsbHost(mcu, this.world.heard, this.plugged);
    this.#wire(mcu);
    mcu.core.PC = FIRST_CODE;
    mcu.core.SP = STACK;
    mcu.core.LR = 0; // the second stage goes on into flash
    this.world.booted(why);
  }

  /** Take the power away, and keep the flash. */
  off() {
    if (!this.mcu) return;
    this.base = this.now;
    this.flash.set(this.mcu.flash.subarray(0, FLASH_BYTES));
    this.mcu = this.usb = null;
  }

  plug(on) {
    this.plugged = on;
    if (on) this.usb?.plug();
    else this.usb?.unplug();
  }

  /** Take which pins are held low from outside. */
  hold(low) {
    const changed = low ^ this.low;
    this.low = low;
    if (!this.mcu || !changed) return;
    const is = (pin) => !!((low >>> pin) & 1);
    const wires = new Set(this.buses.flatMap(({ sda, scl }) => [sda, scl]));
    for (let pin = 0; changed >>> pin; pin++) {
      if ((changed >>> pin) & 1 && !wires.has(pin)) this.mcu.gpio[pin].setInputValue(!is(pin));
    }
    for (const bus of this.buses) bus.hold(is(bus.sda), is(bus.scl));
  }

  /** Live up to a time, in ns. */
  run(end) {
    while (this.now < end) {
      if (!this.mcu) this.base = end;
      else this.#run(end - this.base);
      if (this.reset) this.boot(this.reset.why, this.reset);
    }
  }

  #run(end) {
    const { mcu } = this;
    const { core, clock } = mcu;
    while (clock.nanos < end && !this.reset) {
      if (core.waiting || this.hung) {
        const next = Math.min(clock.nextAlarm?.nanos ?? end, end);
        this.waitedNs += next - clock.nanos;
        clock.tick(next - clock.nanos);
      } else this.#compute(end);
    }
  }

  /** Execute instructions up to the next alarm or the end, or one that reaches beyond memory. */
  #compute(end) {
    const { mcu } = this;
    const { core, clock } = mcu;
    const cycleNs = (mcu.cycleNs = (this.slowness * 1e9) / mcu.clkSys);
    const stop = Math.min(end, clock.nextAlarm?.nanos ?? end);
    const most = Math.ceil((stop - clock.nanosCounter) / cycleNs);
    let cycles = core.interruptsUpdated ? 0 : core.compute(most);
    if (cycles < most) {
      clock.nanosCounter += cycles * cycleNs;
      cycles = core.executeInstruction() + core.owed;
      core.owed = 0;
    }
    clock.tick(cycles * cycleNs);
  }

  #watch(mcu, { reason, scratch }) {
    const dog = mcu.peripherals[WATCHDOG];
    if (scratch) dog.scratchData.set(scratch);
    dog.reason = reason;
    dog.onWatchdogTrigger = () => {
      // rp2040js would bite again and again in the same moment.
      dog.alarm.enable = dog.timer.enable = false;
      const why = dog.reason & TIMER_BIT ? "watchdog" : "program";
      this.reset = { why, reason: dog.reason, scratch: dog.scratchData.slice() };
    };
    // The SDK resets the controller of a bus that was held in the middle.
    const resets = mcu.peripherals[RESETS];
    const write = resets.writeUint32.bind(resets);
    resets.writeUint32 = (offset, value) => {
      const old = resets.reset;
      write(offset, value);
      const begun = offset === 0 ? resets.reset & ~old : 0;
      for (const bus of this.buses) if ((begun >>> (RESET_I2C0 + bus.number)) & 1) bus.reset();
    };
  }

  #wire(mcu) {
    for (let pin = 0; pin < PINS; pin++) mcu.gpio[pin].setInputValue(pin !== this.board.strip);
    this.buses = Object.entries(this.board.buses).map(([number, [sda, scl]]) => {
      const bus = new I2CBus(mcu, this.world.wires(+number), sda, scl);
      bus.number = +number;
      bus.attach(mcu.i2c[bus.number]);
      return bus;
    });
    const low = this.low;
    this.low = 0;
    this.hold(low);
    const pixels = new Pixels(mcu.clock, (began, ended, bytes) => {
      this.world.frame(this.base + began, this.base + ended, bytes);
    });
    pixels.times = this.times;
    const strip = mcu.gpio[this.board.strip];
    strip.addListener(() => pixels.edge(strip.outputEnable && strip.outputValue ? 1 : 0));
    const led = mcu.gpio[LED];
    led.addListener(() => this.world.led(!!(led.outputEnable && led.outputValue)));
  }
}
