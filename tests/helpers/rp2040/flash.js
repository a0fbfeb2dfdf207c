/**
 * Flash that can be erased and written, with the times of a W25Q16JV and its unique number. rp2040js
 * has none of these.
 */

import { BasePeripheral } from "./core.js";

export const FLASH_BYTES = 2 << 20;

// Typical times of a W25Q16JV: sector erase, page program.
const ERASE_NS = 45e6;
const PAGE_NS = 0.4e6;
const SECTOR_BYTES = 4096;
const PAGE_BYTES = 256;
const JEDEC = [0xef, 0x40, 0x15];
const READ_UNIQUE = 0x4b;
const READ_JEDEC = 0x9f;

/** The functions of the ROM that write flash; in its table each becomes a breakpoint. */
const CALLS = { IF: 1, EX: 2, RE: 3, RP: 4, FC: 5, CX: 6 };
const BREAKPOINT = 0xbe00;
const RETURN = 0x4770;

/** Give a boot ROM whose functions for flash are breakpoints. */
export function patchedRom(bytes) {
  const rom = new Uint32Array(new Uint8Array(bytes).buffer);
  const half = new Uint16Array(rom.buffer);
  for (let at = half[0x14 / 2]; half[at / 2]; at += 4) {
    const name = String.fromCharCode(half[at / 2] & 255, half[at / 2] >> 8);
    if (!(name in CALLS)) continue;
    const place = (half[at / 2 + 1] & ~1) / 2;
    half[place] = BREAKPOINT | CALLS[name];
    half[place + 1] = RETURN;
  }
  return rom;
}

/** Do what a function of the ROM does, by the number of its breakpoint; tell whether it is one. */
export function callRom(number, mcu) {
  const [at, size, count] = mcu.core.registers;
  if (number === CALLS.RE) {
    for (let sector = at; sector < at + size; sector += SECTOR_BYTES) {
      mcu.flash.fill(0xff, sector, sector + SECTOR_BYTES);
      mcu.clock.tick(ERASE_NS);
    }
  } else if (number === CALLS.RP) {
    for (let n = 0; n < count; n++) mcu.flash[at + n] &= mcu.readUint8(size + n);
    mcu.clock.tick(PAGE_NS * Math.ceil(count / PAGE_BYTES));
  } else if (number === CALLS.FC) mcu.core.flushCache();
  return Object.values(CALLS).includes(number);
}

/** The pins of the flash chip: its select is all that the SDK drives by hand. */
class QspiPins extends BasePeripheral {
  constructor(mcu, select) {
    super(mcu, "IO_QSPI");
    this.registers = new Uint32Array(64);
    this.select = select;
  }

  readUint32(offset) {
    return this.registers[offset >> 2];
  }

  writeUint32(offset, value) {
    this.registers[offset >> 2] = value;
    if (offset === 0x0c) this.select(((value >>> 8) & 3) === 2);
  }
}

/** Answer what the SDK's flash_do_cmd asks of the chip: its unique number. */
export function patchSsi(mcu, unique) {
  const ssi = mcu.peripherals[0x18000];
  const read = ssi.readUint32.bind(ssi);
  const write = ssi.writeUint32.bind(ssi);
  const queue = [];
  let [selected, sent, command] = [false, 0, 0];
  mcu.peripherals[0x40018] = new QspiPins(mcu, (on) => {
    if (on) [sent, queue.length] = [0, 0];
    selected = on;
  });
  ssi.writeUint32 = (offset, value) => {
    if (offset !== 0x60 || !selected) return write(offset, value);
    if (sent === 0) command = value & 255;
    if (command === READ_UNIQUE && sent >= 5) queue.push(unique[sent - 5] ?? 0);
    else if (command === READ_JEDEC && sent >= 1) queue.push(JEDEC[sent - 1] ?? 0);
    else queue.push(0);
    sent++;
  };
  ssi.readUint32 = (offset) => {
    if (offset === 0x60 && queue.length) return queue.shift();
    if (offset === 0x28 && selected) return 6 | (queue.length ? 8 : 0);
    return read(offset);
  };
}
