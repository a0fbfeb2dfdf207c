/**
 * A Pico as a program: a line of JSON on its standard input is a command, a line on its standard
 * output answers it. Meanwhile it asks by lines of its own what is on the Pico's buses, and waits.
 * Nothing happens between commands, and no time passes but the Pico's own.
 */

import fs from "node:fs";

import { Machine } from "./machine.js";

const STDIN = 0;
const STDOUT = 1;
const CHUNK = Buffer.alloc(1 << 16);
let kept = "";

function hear() {
  let end;
  while ((end = kept.indexOf("\n")) < 0) {
    const size = fs.readSync(STDIN, CHUNK, 0, CHUNK.length, null);
    if (!size) process.exit(0);
    kept += CHUNK.toString("latin1", 0, size);
  }
  const line = kept.slice(0, end);
  kept = kept.slice(end + 1);
  return JSON.parse(line);
}

function say(what) {
  const line = Buffer.from(`${JSON.stringify(what)}\n`);
  for (let at = 0; at < line.length; ) at += fs.writeSync(STDOUT, line, at);
}

let news = {};
let machine;

function ask(what) {
  say({ ...what, at: machine.now });
  const answer = hear();
  machine.hold(answer.low);
  return answer;
}

const list = (name, item) => (news[name] ??= []).push(item);
const hex = (bytes) => Buffer.from(bytes).toString("hex");

const world = {
  wires: (bus) => ({
    begin: (address, reading) => ask({ ask: "begin", bus, address, reading }).acknowledged,
    write: (bytes) => ask({ ask: "write", bus, data: hex(bytes) }),
    read: (count) => [...Buffer.from(ask({ ask: "read", bus, count }).data, "hex")],
    clocked: () => ask({ ask: "clocked", bus }),
  }),
  frame: (began, ended, bytes) => list("frames", [began, ended, hex(bytes)]),
  heard: (bytes) => list("output", [machine.now, hex(bytes)]),
  booted: (why) => list("boots", why),
  led: (on) => (news.led = on),
};

const commands = {
  make({ board, rom, flash, unique }) {
    const [code, content] = [rom, flash].map((file) => fs.readFileSync(file));
    machine = new Machine(board, code, content, Buffer.from(unique, "hex"), world);
  },
  boot: () => machine.boot("power on"),
  off: () => machine.off(),
  plug: ({ on }) => machine.plug(on),
  slow: ({ by }) => (machine.slowness = by),
  hang: () => (machine.hung = true),
  run({ to, low, open, deaf, input }) {
    machine.hold(low);
    machine.usb?.line(open, deaf);
    machine.usb?.send(Buffer.from(input, "hex"));
    machine.run(to);
  },
  save({ path }) {
    const { mcu, flash } = machine;
    fs.writeFileSync(path, mcu ? mcu.flash.subarray(0, flash.length) : flash);
  },
};

for (;;) {
  const command = hear();
  news = {};
  commands[command.do](command);
  const { now, usb, waitedNs, times } = machine;
  say({ ...news, now, configured: usb?.configured ?? false, waited: waitedNs, times });
}
