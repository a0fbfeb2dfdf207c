/**
 * rp2040js, made fast enough. Its own core finds what an instruction does by some eighty comparisons
 * in a row: here their text is cut into a function for each, and which one an instruction wants is
 * looked up in a table. It knows nothing of what is around the chip.
 */

import fs from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";

// NODE_PATH names the folder with rp2040js.
const require = createRequire(import.meta.url);
const dist = path.dirname(require.resolve("rp2040js"));

const NONE = 255;
const WIDE = 0xe800;

/** Cut the chain of comparisons into conditions and what each does. */
function cut(chain) {
  const blocks = chain.split(/^ {8}(?:else )?if \((.*)\) \{\n/m);
  const cases = [];
  for (let at = 1; at < blocks.length; at += 2) {
    const body = blocks[at + 1].replace(/^ {8}\}\n[\s\S]*$/m, "");
    cases.push({ condition: blocks[at], body, name: `op${(at - 1) / 2}` });
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
        const opcode = this.rp2040.readUint16(opcodePC);
        let deltaCycles = 1;
        this.registers[15] += 2;
        if (opcode < ${WIDE}) {
            switch (TABLE[opcode]) {
${short.map(({ name }, at) => `case ${at}: ${call(name, "0")}; break;`).join("\n")}
                default: this.rp2040.onBreak("no such instruction: " + opcode.toString(16));
            }
        } else {
            const opcode2 = this.rp2040.readUint16(opcodePC + 2);
            ${wide.map(({ condition, name }) => `if (${condition}) ${call(name, "opcode2")};`).join("\nelse ")}
            else this.rp2040.onBreak("no such instruction: " + opcode.toString(16));
        }
        this.cycles += deltaCycles;
        return deltaCycles;
    }
${cases.map(({ name, body }) => `${name}(opcode, opcode2, opcodePC, deltaCycles) {\n${body}\nreturn deltaCycles;\n}`).join("\n")}
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
}

speedUp();
export const { RP2040, ConsoleLogger, LogLevel } = require("rp2040js");
export const { BasePeripheral } = require(path.join(dist, "peripherals/peripheral.js"));
