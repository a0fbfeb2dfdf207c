/**
 * The registers of a PIO block, in place of rp2040js's own: four state machines, the pins that they
 * drive, and their requests to DMA.
 */

import { BasePeripheral } from "./core.js";
import { StateMachine } from "./state_machine.js";

const CODE = 0x48;
const MACHINES = 0xc8;
const MACHINE_BYTES = 0x18;
const BASES = [0x50200, 0x50300];

export class Pio extends BasePeripheral {
  constructor(mcu, index) {
    super(mcu, `PIO${index}`);
    Object.assign(this, { mcu, index, pinValues: 0, pinDirections: 0 });
    this.code = new Uint32Array(32);
    this.machines = [0, 1, 2, 3].map((number) => new StateMachine(this, number));
    for (const machine of this.machines) this.request(machine);
    mcu.pio[index] = this;
    mcu.peripherals[BASES[index]] = this;
  }

  /** Let DMA know whether a machine has room. */
  request(machine) {
    const number = this.index * 8 + machine.index;
    if (machine.tx.length < machine.depth) this.mcu.dma?.setDREQ(number);
    else this.mcu.dma?.clearDREQ(number);
  }

  drive(what, value, base, count) {
    const old = this[what];
    for (let at = 0; at < count; at++) {
      const bit = 1 << ((base + at) & 31);
      this[what] = (value >>> at) & 1 ? this[what] | bit : this[what] & ~bit;
    }
    const changed = this[what] ^ old;
    for (let pin = 0; changed >>> pin; pin++) {
      if ((changed >>> pin) & 1) this.mcu.gpio[pin].checkForUpdates();
    }
  }

  readUint32(offset) {
    if (offset >= MACHINES && offset < MACHINES + 4 * MACHINE_BYTES) {
      return this.#machine(offset).read((offset - MACHINES) % MACHINE_BYTES);
    }
    const each = (bits) => this.machines.reduce((all, one, at) => all | (bits(one) << at), 0) >>> 0;
    if (offset === 0x00) return each((one) => (one.enabled ? 1 : 0));
    if (offset === 0x04) {
      const full = (one) => (one.tx.length >= one.depth ? 0x10000 : 0);
      return each((one) => full(one) | (one.tx.length ? 0x100 : 0x1000100));
    }
    if (offset === 0x0c) {
      return this.machines.reduce((all, one, at) => all | (one.tx.length << (8 * at)), 0) >>> 0;
    }
    if (offset === 0x3c) return this.pinValues >>> 0;
    if (offset === 0x40) return this.pinDirections >>> 0;
    return 0;
  }

  writeUint32(offset, value) {
    if (offset >= CODE && offset < MACHINES) this.code[(offset - CODE) >> 2] = value & 0xffff;
    else if (offset >= MACHINES && offset < MACHINES + 4 * MACHINE_BYTES) {
      this.#machine(offset).write((offset - MACHINES) % MACHINE_BYTES, value);
    } else if (offset >= 0x10 && offset < 0x20) this.machines[(offset - 0x10) >> 2].put(value);
    else if (offset === 0x00) {
      for (const [at, machine] of this.machines.entries()) {
        if ((value >>> (4 + at)) & 1) machine.restart();
        if ((value >>> (8 + at)) & 1) machine.parts = 0;
        machine.enable(!!((value >>> at) & 1));
      }
    }
  }

  #machine(offset) {
    return this.machines[Math.floor((offset - MACHINES) / MACHINE_BYTES)];
  }
}
