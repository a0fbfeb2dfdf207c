/**
 * rp2040js, made fast enough. Its own core takes an instruction at a time through eighty comparisons:
 * here is one loop for those that programs are mostly made of (ARMv6-M reference manual, A5.2), with
 * rp2040js's cycles. Other instructions, and all that reach beyond memory, are left to its own core.
 * Flash is read through the XIP cache, which it lacks (16 KB, two ways, lines of 8 bytes: RP2040 data
 * sheet, 2.6.3). A process emulates one Pico.
 */

import { createRequire } from "node:module";
import path from "node:path";

// NODE_PATH names the folder with rp2040js.
const require = createRequire(import.meta.url);
const dist = path.dirname(require.resolve("rp2040js"));
const { CortexM0Core } = require(path.join(dist, "cortex-m0-core.js"));

const MISS_CYCLES = 60;

// ROM, flash and RAM lie at 0, 1 << 28 and 2 << 28: here 16 MB apart in one piece.
const MEMORY = new ArrayBuffer(4 << 24);
const [BYTES, HALVES, WORDS] = [new Uint8Array(MEMORY), new Uint16Array(MEMORY), new Int32Array(MEMORY)];
const R = new Int32Array(new ArrayBuffer(128)); // its registers
const place = (address) => ((address >>> 4) & 0x3000000) | (address & 0xffffff);
const BEYOND = 0xcf000000; // one of these bits is set in all other addresses
const FLASH = 0x10000000;
const RAM = 0x20000000;
const RAM_BYTES = 0x42000;
const ROM_BYTES = 0x4000;

const TAGS = new Int32Array(2048);
const RECENT = new Uint8Array(1024);

/** Have a line of flash in the cache; return the cycles that takes. */
function cached(line) {
  const set = line & 1023;
  const at = set << 1;
  if (TAGS[at] === line) RECENT[set] = 0;
  else if (TAGS[at + 1] === line) RECENT[set] = 1;
  else {
    RECENT[set] ^= 1;
    TAGS[at + RECENT[set]] = line;
    return MISS_CYCLES;
  }
  return 0;
}

// Loads and stores by the number that they have where the offset is a register; LDRSH is 7.
const [STR, STRH, STRB, LDRSB, LDR, LDRH, LDRB, ADD, SUB] = [0, 1, 2, 3, 4, 5, 6, 8, 9];
const ODD = [3, 1, 0, 0, 3, 1, 0, 1];
const SCALES = [2, 1, 0, 0, 2, 1, 0];
const KINDS = { 12: STR, 13: LDR, 14: STRB, 15: LDRB, 16: STRH, 17: LDRH };

const COUNT = new Uint8Array(256); // of bits
for (let list = 1; list < 256; list++) COUNT[list] = COUNT[list >> 1] + (list & 1);

const SP = 13;
const LR = 14;
const PC = 15;
const NOWHERE = 16; // for a result that only sets flags

/** What is added to the processor. */
class Added {
  connect() {
    const { rp2040 } = this;
    rp2040.bootrom = new Uint32Array(MEMORY, 0, ROM_BYTES / 4);
    rp2040.flash = new Uint8Array(MEMORY, place(FLASH), 1 << 24);
    rp2040.flash16 = new Uint16Array(MEMORY, place(FLASH), 1 << 23);
    rp2040.flashView = new DataView(MEMORY, place(FLASH), 1 << 24);
    rp2040.sram = new Uint8Array(MEMORY, place(RAM), RAM_BYTES);
    rp2040.sramView = new DataView(MEMORY, place(RAM), RAM_BYTES);
    this.registers = new Uint32Array(R.buffer, 0, 16);
    this.flushCache();
    this.show();
    rp2040.sram.fill(0);
    this.registers.fill(0);
    this.APSR = 0;
    this.flushCache();
  }

  /** Execute instructions of each kind: what V8 compiles before it has seen them it throws away. */
  show() {
    for (const values of [[RAM], [FLASH], [0xf0000000, 7]]) {
      for (let op = 0; op < 0xf000; op += 19) {
        for (let which = 0; which < PC; which++) R[which] = values[which % values.length];
        R[PC] = FLASH;
        HALVES[place(FLASH) >> 1] = op;
        this.line = -1;
        this.compute(1);
      }
    }
  }

  flushCache() {
    TAGS.fill(-1);
    RECENT.fill(0);
    this.line = -1;
    this.owed = 0; // cycles of misses
  }

  touch(address) {
    const line = address >>> 3;
    if (address >>> 24 !== FLASH >>> 24 || line === this.line) return;
    this.line = line;
    this.owed += cached(line);
  }

  readUint32(address) {
    this.touch(address);
    return this.rp2040.readUint32(address);
  }

  readUint16(address) {
    this.touch(address);
    return this.rp2040.readUint16(address);
  }

  readUint8(address) {
    this.touch(address);
    return this.rp2040.readUint8(address);
  }

  /**
   * Execute instructions until so many cycles are over, or one comes that is left to
   * executeInstruction; return the cycles.
   */
  compute(limit) {
    let pc = R[PC] & ~1;
    let cycles = 0;
    let line = this.line;
    let c = this.C ? 1 : 0;
    // Z is whether it is 0, N its sign; V is the sign of v.
    let result = this.Z ? 0 : this.N ? -1 : 1;
    let v = this.V ? -1 : 0;

    loop: for (; cycles < limit; cycles = (cycles + 1) | 0, pc = (pc + 2) | 0) {
      if (pc & FLASH && pc >>> 3 !== line) cycles = (cycles + cached((line = pc >>> 3))) | 0;
      const op = HALVES[place(pc) >> 1];
      const low = op & 7;
      const middle = (op >> 3) & 7;
      const high = (op >> 8) & 7;
      const five = (op >> 6) & 31;
      const eight = op & 255;
      let address = 0;
      let kind = STR;
      let register = low;
      let left = 0;
      let right = 0;

      switch (op >> 11) {
        case 0: // LSLS
          if (five) c = (R[middle] >>> (32 - five)) & 1;
          R[low] = result = R[middle] << five;
          continue;
        case 1: // LSRS
          c = (R[middle] >>> (five ? five - 1 : 31)) & 1;
          R[low] = result = five ? (R[middle] >>> five) | 0 : 0;
          continue;
        case 2: // ASRS
          c = (R[middle] >> (five ? five - 1 : 31)) & 1;
          R[low] = result = R[middle] >> (five || 31);
          continue;
        case 3: // ADDS, SUBS
          left = R[middle];
          right = op & 0x400 ? five & 7 : R[five & 7];
          kind = op & 0x200 ? SUB : ADD;
          break;
        case 4: R[high] = result = eight; continue; // MOVS
        case 5: // CMP, ADDS, SUBS
        case 6:
        case 7:
          left = R[high];
          right = eight;
          kind = op & 0x800 ? SUB : ADD;
          register = op & 0x1000 ? high : NOWHERE;
          break;
        case 8: {
          if (op & 0x400) {
            const to = low | ((op >> 4) & 8);
            const from = (op >> 3) & 15;
            const value = from === PC ? pc + 4 : R[from];
            if (high === 4 || high === 6) {
              // ADD, MOV
              const sum = high === 6 ? value : value + (to === PC ? pc + 4 : R[to]);
              if (to === PC) {
                pc = ((sum & ~1) - 2) | 0;
                cycles = (cycles + 1) | 0;
              } else R[to] = to === SP ? sum & ~3 : sum;
            } else if (high === 5) {
              // CMP
              left = R[to];
              right = value;
              kind = SUB;
              register = NOWHERE;
              break;
            } else {
              // BX, BLX; the highest addresses return from an exception
              if (value >>> 28 === 15) break loop;
              if (op & 0x80) R[LR] = (pc + 2) | 1;
              pc = ((value & ~1) - 2) | 0;
              cycles = (cycles + 1) | 0;
            }
            continue;
          }
          left = R[low];
          right = R[middle];
          const shift = right & 255;
          switch ((op >> 6) & 15) {
            case 0: R[low] = result = left & right; continue; // ANDS
            case 1: R[low] = result = left ^ right; continue; // EORS
            case 2: // LSLS
              if (shift) c = shift > 32 ? 0 : (left >>> (32 - shift)) & 1;
              R[low] = result = shift > 31 ? 0 : left << shift;
              continue;
            case 3: // LSRS
              if (shift) c = shift > 32 ? 0 : (left >>> (shift - 1)) & 1;
              R[low] = result = shift > 31 ? 0 : (left >>> shift) | 0;
              continue;
            case 4: // ASRS
              if (shift) c = (left >> Math.min(shift - 1, 31)) & 1;
              R[low] = result = left >> Math.min(shift, 31);
              continue;
            case 5: // ADCS
              result = (left + right + c) | 0;
              c = result >>> 0 < left >>> 0 || (c && result === left) ? 1 : 0;
              v = (left ^ result) & (right ^ result);
              R[low] = result;
              continue;
            case 6: // SBCS
              result = (left - right - 1 + c) | 0;
              c = left >>> 0 > right >>> 0 || (c && left === right) ? 1 : 0;
              v = (left ^ right) & (left ^ result);
              R[low] = result;
              continue;
            case 8: result = left & right; continue; // TST
            case 9: // RSBS
              left = 0;
              kind = SUB;
              break;
            case 10: // CMP
              kind = SUB;
              register = NOWHERE;
              break;
            case 12: R[low] = result = left | right; continue; // ORRS
            case 13: R[low] = result = Math.imul(left, right); continue; // MULS
            case 14: R[low] = result = left & ~right; continue; // BICS
            case 15: R[low] = result = ~right; continue; // MVNS
            default:
              break loop;
          }
          break;
        }
        case 9: // LDR
          address = (((pc + 4) & ~3) + 4 * eight) | 0;
          kind = LDR;
          register = high;
          break;
        case 10:
        case 11:
          address = (R[middle] + R[five & 7]) | 0;
          kind = (op >> 9) & 7;
          break;
        case 12: // STR, LDR, STRB, LDRB, STRH, LDRH
        case 13:
        case 14:
        case 15:
        case 16:
        case 17:
          kind = KINDS[op >> 11];
          address = (R[middle] + (five << SCALES[kind])) | 0;
          break;
        case 18: // STR, LDR
        case 19:
          address = (R[SP] + 4 * eight) | 0;
          kind = op & 0x800 ? LDR : STR;
          register = high;
          break;
        case 20: R[high] = ((pc + 4) & ~3) + 4 * eight; continue; // ADR
        case 21: R[high] = R[SP] + 4 * eight; continue; // ADD
        case 22:
          if (high === 0) R[SP] += (op & 0x80 ? -4 : 4) * (op & 127);
          else if (high === 2) {
            // SXTH, SXTB, UXTH, UXTB
            const value = R[middle];
            const way = (op >> 6) & 3;
            if (way === 0) R[low] = (value << 16) >> 16;
            else if (way === 1) R[low] = (value << 24) >> 24;
            else R[low] = value & (way === 2 ? 0xffff : 0xff);
          } else if (high === 4 || high === 5) {
            // PUSH
            let to = R[SP];
            if (to >>> 24 !== RAM >>> 24) break loop;
            if (op & 0x100) WORDS[place((to = (to - 4) | 0)) >> 2] = R[LR];
            for (let list = eight, at; list; list ^= 1 << at) {
              at = 31 - Math.clz32(list);
              WORDS[place((to = (to - 4) | 0)) >> 2] = R[at];
              cycles = (cycles + 1) | 0;
            }
            R[SP] = to;
          } else break loop;
          continue;
        case 23: {
          // POP
          if (high !== 4 && high !== 5) break loop;
          let from = R[SP];
          if (from >>> 24 !== RAM >>> 24) break loop;
          const target = WORDS[(place(from) >> 2) + COUNT[eight]];
          if (op & 0x100 && target >>> 28 === 15) break loop;
          for (let list = eight; list; list &= list - 1) {
            R[31 - Math.clz32(list & -list)] = WORDS[place(from) >> 2];
            from = (from + 4) | 0;
            cycles = (cycles + 1) | 0;
          }
          if (op & 0x100) {
            pc = ((target & ~1) - 2) | 0;
            from = (from + 4) | 0;
            cycles = (cycles + 2) | 0;
          }
          R[SP] = from;
          continue;
        }
        case 24: // STMIA
        case 25: {
          // LDMIA
          let at = R[high];
          const load = op & 0x800;
          if (at & (BEYOND | 3) || !(load || at & RAM)) break loop;
          for (let list = eight; list; list &= list - 1) {
            const which = 31 - Math.clz32(list & -list);
            if (at & FLASH && at >>> 3 !== line) cycles = (cycles + cached((line = at >>> 3))) | 0;
            if (load) R[which] = WORDS[place(at) >> 2];
            else WORDS[place(at) >> 2] = R[which];
            at = (at + 4) | 0;
            cycles = (cycles + 1) | 0;
          }
          if (!(eight & (1 << high))) R[high] = at;
          continue;
        }
        case 26:
        case 27: {
          const which = (op >> 9) & 7;
          if (which === 7) break loop;
          const holds =
            which === 0 ? result === 0 // EQ
            : which === 1 ? c !== 0 // CS
            : which === 2 ? result < 0 // MI
            : which === 3 ? v < 0 // VS
            : which === 4 ? c !== 0 && result !== 0 // HI
            : which === 5 ? (result ^ v) >= 0 // GE
            : (result ^ v) >= 0 && result !== 0; // GT
          if (holds === !(op & 0x100)) {
            pc = (pc + ((op << 24) >> 23) + 2) | 0;
            cycles = (cycles + 1) | 0;
          }
          continue;
        }
        case 28: // B
          pc = (pc + ((op << 21) >> 20) + 2) | 0;
          cycles = (cycles + 1) | 0;
          continue;
        case 30: {
          // BL
          address = (pc + 2) | 0;
          if (address & FLASH && address >>> 3 !== line) cycles = (cycles + cached((line = address >>> 3))) | 0;
          const second = HALVES[place(address) >> 1];
          if ((second & 0xd000) !== 0xd000) break loop;
          const s = (op << 21) >> 31;
          const i1 = ~((second >> 13) ^ s) & 1;
          const i2 = ~((second >> 11) ^ s) & 1;
          R[LR] = (pc + 4) | 1;
          const far = (s << 24) | (i1 << 23) | (i2 << 22);
          pc = (pc + 2 + (far | ((op & 0x3ff) << 12) | ((second & 0x7ff) << 1))) | 0;
          cycles = (cycles + 2) | 0;
          continue;
        }
        default:
          break loop;
      }

      if (kind >= ADD) {
        if (kind === SUB) {
          result = (left - right) | 0;
          c = left >>> 0 >= right >>> 0 ? 1 : 0;
          v = (left ^ right) & (left ^ result);
        } else {
          result = (left + right) | 0;
          c = result >>> 0 < left >>> 0 ? 1 : 0;
          v = (left ^ result) & (right ^ result);
        }
        R[register] = result;
        continue;
      }
      if (kind <= STRB) {
        if (address >>> 24 !== RAM >>> 24 || address & ODD[kind]) break loop;
        const at = place(address);
        if (kind === STR) WORDS[at >> 2] = R[register];
        else if (kind === STRB) BYTES[at] = R[register];
        else HALVES[at >> 1] = R[register];
      } else {
        if (address & (BEYOND | ODD[kind])) break loop;
        if (address & FLASH && address >>> 3 !== line) cycles = (cycles + cached((line = address >>> 3))) | 0;
        const at = place(address);
        if (kind === LDR) R[register] = WORDS[at >> 2];
        else if (kind === LDRB) R[register] = BYTES[at];
        else if (kind === LDRH) R[register] = HALVES[at >> 1];
        else if (kind === LDRSB) R[register] = (BYTES[at] << 24) >> 24;
        else R[register] = (HALVES[at >> 1] << 16) >> 16; // LDRSH
      }
      cycles = (cycles + 1) | 0;
    }

    R[PC] = pc;
    this.line = line;
    this.N = result < 0;
    this.Z = result === 0;
    this.C = c !== 0;
    this.V = v < 0;
    return cycles;
  }
}

Object.defineProperties(CortexM0Core.prototype, Object.getOwnPropertyDescriptors(Added.prototype));
export const { RP2040, ConsoleLogger, LogLevel } = require("rp2040js");
export const { BasePeripheral } = require(path.join(dist, "peripherals/peripheral.js"));
