/**
 * rp2040js, made fast enough. Its own core finds what an instruction does by some eighty comparisons
 * in a row: here their text is cut into a function for each, and which one an instruction wants is
 * looked up in a table. Memory is read the short way, and flash through the XIP cache, which it lacks
 * (16 KB, two ways, lines of 8 bytes: RP2040 data sheet, 2.6.3).
 */

import fs from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";

// NODE_PATH names the folder with rp2040js.
const require = createRequire(import.meta.url);
const dist = path.dirname(require.resolve("rp2040js"));

const FLASH = 0x10000000;
const FLASH_BYTES = 0x1000000;
const RAM = 0x20000000;
const RAM_BYTES = 0x42000;
const MISS_CYCLES = 60;
const NONE = 255;
const WIDE = 0xe800;

/** Cut the chain of comparisons into conditions and what each does. */
function cut(chain) {
  const blocks = chain.split(/^ {8}(?:else )?if \((.*)\) \{\n/m);
  const cases = [];
  for (let at = 1; at < blocks.length; at += 2) {
    const body = blocks[at + 1].replace(/^ {8}\}\n[\s\S]*$/m, "");
    const condition = blocks[at];
    cases.push({ condition, body, name: `op${(at - 1) / 2}` });
  }
  return cases;
}

/** Say for each short instruction which of the cases it is. */
function tabulate(cases) {
  const tests = cases.map(({ condition }, at) => `if (${condition}) return ${at};`);
  const decide = new Function("opcode", `${tests.join("\n")}\nreturn ${NONE};`);
  const table = new Uint8Array(65536).fill(NONE);
  for (let opcode = 0; opcode < WIDE; opcode++) table[opcode] = decide(opcode);
  return table;
}

/** Read and write memory and flash by arrays of that many bits; the rest is for the chip. */
const memory = (bits) => {
  const [shift, odd] = [bits >> 4, bits / 8 - 1];
  return `
    readUint${bits}(signed) {
        const address = signed >>> 0, ram = address - ${RAM}, flash = address - ${FLASH};
        if (ram >= 0 && ram < ${RAM_BYTES} && !(ram & ${odd})) return this.ram${bits}[ram >> ${shift}];
        if (flash < 0 || flash >= ${FLASH_BYTES} || flash & ${odd}) return this.rp2040.readUint${bits}(address);
        this.touch(flash);
        return this.flash${bits}[flash >> ${shift}];
    }
    writeUint${bits}(signed, value) {
        const address = signed >>> 0, ram = address - ${RAM};
        if (ram >= 0 && ram < ${RAM_BYTES} && !(ram & ${odd})) this.ram${bits}[ram >> ${shift}] = value;
        else this.rp2040.writeUint${bits}(address, value);
    }`;
};

function rewritten(text) {
  const begin = text.indexOf("    executeInstruction() {");
  const chain = text.indexOf("        // ADCS\n", begin);
  const last = text.indexOf("        else {\n            this.logger.warn(LOG_NAME, `Warning:", chain);
  const stop = text.indexOf("        this.cycles += deltaCycles;", last);
  if (begin < 0 || chain < 0 || last < 0 || stop < 0) throw new Error("rp2040js has another core");
  const cases = cut(text.slice(chain, last));
  const wide = cases.filter(({ condition }) => condition.includes("opcode2"));
  const short = cases.filter(({ condition }) => !condition.includes("opcode2"));
  globalThis.thumbTable = tabulate(short);
  const call = (name, second) => `deltaCycles = this.${name}(opcode, ${second}, opcodePC, 1)`;
  const fast = `    executeInstruction() {
        if (this.interruptsUpdated && this.checkForInterrupts()) this.waiting = false;
        const opcodePC = this.registers[15] & ~1;
        const opcode = this.readUint16(opcodePC);
        let deltaCycles = 1;
        this.registers[15] += 2;
        if (opcode < ${WIDE}) {
            switch (TABLE[opcode]) {
${short.map(({ name }, at) => `case ${at}: ${call(name, "0")}; break;`).join("\n")}
                default: this.rp2040.onBreak("no such instruction: " + opcode.toString(16));
            }
        } else {
            const opcode2 = this.readUint16(opcodePC + 2);
            ${wide.map(({ condition, name }) => `if (${condition}) ${call(name, "opcode2")};`).join("\nelse ")}
            else this.rp2040.onBreak("no such instruction: " + opcode.toString(16));
        }
        return deltaCycles;
    }
${cases.map(({ name, body }) => `${name}(opcode, opcode2, opcodePC, deltaCycles) {\n${body}\nreturn deltaCycles;\n}`).join("\n")}
${[8, 16, 32].map(memory).join("")}
`;
  return text.slice(0, begin) + fast + text.slice(text.indexOf("    }\n", stop) + 6);
}

/** Put the rewritten core in place of rp2040js's own, before that is loaded. */
function speedUp() {
  const file = path.join(dist, "cortex-m0-core.js");
  const made = new Module(file, null);
  made.filename = file;
  made.paths = Module._nodeModulePaths(dist);
  made.loaded = true;
  require.cache[file] = made;
  const table = '"use strict"; const TABLE = globalThis.thumbTable;';
  made._compile(rewritten(fs.readFileSync(file, "utf8")).replace('"use strict";', table), file);
  Object.defineProperties(made.exports.CortexM0Core.prototype, Object.getOwnPropertyDescriptors(Added.prototype));
}

/** What is added to the processor: the cache through which it reads flash, and short ways. */
class Added {
  connect() {
    const { sram, flash } = this.rp2040;
    [this.ram8, this.ram16, this.ram32] = [sram, new Uint16Array(sram.buffer), new Uint32Array(sram.buffer)];
    [this.flash8, this.flash16, this.flash32] = [flash, this.rp2040.flash16, new Uint32Array(flash.buffer)];
    this.flushCache();
  }

  flushCache() {
    this.tags = new Int32Array(2048).fill(-1);
    this.recent = new Uint8Array(1024);
    this.line = -1;
    this.owed = 0; // cycles of misses
  }

  touch(offset) {
    const line = offset >>> 3;
    if (line === this.line) return;
    this.line = line;
    const set = line & 1023;
    const at = set << 1;
    const tags = this.tags;
    if (tags[at] === line) this.recent[set] = 0;
    else if (tags[at + 1] === line) this.recent[set] = 1;
    else {
      const way = this.recent[set] ^ 1;
      tags[at + way] = line;
      this.recent[set] = way;
      this.owed += MISS_CYCLES;
    }
  }

  addUpdateFlags(left, right) {
    const sum = left + right;
    const result = sum | 0;
    this.N = result < 0;
    this.Z = result === 0;
    this.C = sum > 0xffffffff;
    this.V = (~(left ^ right) & (left ^ result)) < 0;
    return result;
  }

  substractUpdateFlags(left, right) {
    const result = (left - right) | 0;
    this.N = result < 0;
    this.Z = result === 0;
    this.C = left >= right;
    this.V = ((left ^ right) & (left ^ result)) < 0;
    return result;
  }
}

speedUp();
export const { RP2040, ConsoleLogger, LogLevel } = require("rp2040js");
export const { BasePeripheral } = require(path.join(dist, "peripherals/peripheral.js"));
