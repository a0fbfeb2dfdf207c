/**
 * The USB host at the other end of the cable: enumerates the serial port as Linux does, sends frame
 * starts, gives packets, and takes them only while a program has the port open. In rp2040js each
 * packet to the Pico is at once answered with an empty one, which keeps it busy with interrupts.
 */

const PACKET_NS = 60e3;
const CONTROL_NS = 50e3;
const STATUS_NS = 200e3;
const APPEARS_NS = 100e6;
const RESET_NS = 2e6;
const SUSPEND_NS = 3e6;
const FRAME_NS = 1e6;

const AVAILABLE = 1 << 10;
const FULL = 1 << 15;
const LENGTH = 0x3ff;
const SOF = 1 << 17;
const SUSPENDED = 1 << 4;
const SUSPEND_INTERRUPT = 1 << 14;
const PULL_UP = 1 << 16;
const ENDPOINTS = [0x80, 0xfc];

const DEVICE = 1;
const CONFIGURATION = 2;
const STRING = 3;
const INTERFACE = 4;
const ENDPOINT = 5;
const CDC_DATA = 10;
const ENGLISH = 0x409;
const CODING = [0, 0xc2, 1, 0, 0, 0, 8]; // 115200 baud, 8N1

export class UsbHost {
  /** @param hear is given the bytes of each packet that comes; @param plugged whether cable is in */
  constructor(mcu, hear, plugged) {
    Object.assign(this, { mcu, hear, plugged, configured: false, open: false, deaf: false, names: [] });
    Object.assign(this, { armed: new Set(), busy: new Set(), out: [], scripts: [], frame: 0 });
    Object.assign(this, { inPoint: -1, outPoint: -1, control: null, script: null, pullUp: false });
    this.suspended = false;
    this.usb = mcu.usbCtrl;
    this.#patch();
  }

  unplug() {
    if (!this.plugged) return;
    this.plugged = this.configured = false;
    [this.out, this.scripts, this.script, this.control] = [[], [], null, null];
    this.#later(SUSPEND_NS, () => {
      if (this.plugged) return;
      this.suspended = true;
      this.usb.sieStatus |= SUSPENDED;
      this.usb.intRaw |= SUSPEND_INTERRUPT;
      this.usb.checkInterrupts();
    });
  }

  plug() {
    if (this.plugged) return;
    this.plugged = true;
    this.suspended = false;
    this.armed.clear();
    this.#appear();
  }

  /** Take whether a program has opened the port, as DTR tells the Pico, and reads nothing. */
  line(open, deaf) {
    this.deaf = deaf;
    if (this.open === open) return;
    this.open = open;
    if (!open) this.out = [];
    if (this.configured) this.#begin(this.#tellLine());
  }

  send(bytes) {
    if (this.configured && bytes.length) this.out.push(bytes);
    this.poke();
  }

  poke() {
    for (const offset of [...this.armed]) this.#serve(offset);
  }

  #patch() {
    const { usb } = this;
    const write = usb.writeUint32.bind(usb);
    const read = usb.readUint32.bind(usb);
    const updated = usb.sieStatusUpdated.bind(usb);
    usb.DPRAMUpdated = (offset, value) => {
      if (offset < ENDPOINTS[0] || offset > ENDPOINTS[1]) return;
      if (!(value & (AVAILABLE | (AVAILABLE << 16)))) return;
      this.armed.add(offset);
      this.#serve(offset);
    };
    usb.writeUint32 = (offset, value) => {
      if (offset === 0x60) {
        for (let bit = 0; bit < 32; bit++) if ((value >>> bit) & 1) this.armed.delete(0x80 + 4 * bit);
      }
      if (offset === 0x50 && usb.rawWriteValue & SUSPENDED) {
        usb.sieStatus &= ~SUSPENDED;
        usb.intRaw &= ~SUSPEND_INTERRUPT;
        usb.checkInterrupts();
      }
      write(offset, value);
      if (offset === 0x4c && !!(usb.sieCtrl & PULL_UP) !== this.pullUp) {
        this.pullUp = !this.pullUp;
        if (this.pullUp) this.#appear();
      }
      if (offset === 0x90) this.#frames();
    };
    usb.readUint32 = (offset) => {
      if (offset !== 0x48) return read(offset);
      usb.intRaw &= ~SOF;
      usb.checkInterrupts();
      return this.frame & 0x7ff;
    };
    usb.sieStatusUpdated = () => {
      const suspend = usb.intRaw & SUSPEND_INTERRUPT;
      updated();
      usb.intRaw = (usb.intRaw & ~SUSPEND_INTERRUPT) | suspend;
      usb.checkInterrupts();
    };
    usb.onUSBEnabled = () => {};
    usb.onResetReceived = () => this.#later(RESET_NS, () => this.#begin(this.#enumerate()));
    this.frameAlarm = this.mcu.clock.createAlarm(() => {
      this.frame++;
      usb.intRaw |= SOF;
      usb.checkInterrupts();
      this.#frames();
    });
  }

  #frames() {
    const wanted = this.usb.intEnable & SOF && this.plugged && !this.suspended;
    if (wanted) this.frameAlarm.schedule(FRAME_NS);
    else this.frameAlarm.cancel();
  }

  #later(ns, what) {
    this.mcu.clock.createAlarm(what).schedule(ns);
  }

  #appear() {
    if (!this.plugged) return;
    this.#later(APPEARS_NS, () => {
      if (!this.plugged || !this.pullUp) return;
      [this.scripts, this.script] = [[], null];
      this.usb.resetDevice();
    });
  }

  /** Run a script of control transfers after those that run; it yields each, and gets its data. */
  #begin(script) {
    this.scripts.push(script);
    if (!this.script) this.#next();
  }

  #next(data) {
    this.script ??= this.scripts.shift();
    if (!this.script) return;
    const { value, done } = this.script.next(data);
    if (!done) return this.#setup(...value);
    this.script = null;
    this.#next();
  }

  #setup(type, request, value, index, length, data = []) {
    const packet = Buffer.from([type, request, 0, 0, 0, 0, 0, 0]);
    packet.writeUInt16LE(value, 2);
    packet.writeUInt16LE(index, 4);
    packet.writeUInt16LE(length, 6);
    const stage = length ? "data" : "status";
    this.control = { inward: !!(type & 0x80), data: Buffer.from(data), got: [], length, stage };
    this.armed.delete(0x80);
    this.armed.delete(0x84);
    this.usb.sendSetupPacket(packet);
  }

  *#tellLine() {
    yield [0x21, 0x22, this.open ? 3 : 0, 0, 0];
    this.poke();
  }

  *#enumerate() {
    const get = (kind, index, length) => {
      return [0x80, 6, (kind << 8) | index, kind === STRING ? ENGLISH : 0, length];
    };
    const device = yield get(DEVICE, 0, 18);
    yield [0x00, 5, 7, 0, 0];
    const head = yield get(CONFIGURATION, 0, 9);
    const found = yield get(CONFIGURATION, 0, head.readUInt16LE(2));
    this.names = [];
    for (const index of device.subarray(14, 17)) {
      const name = index ? yield get(STRING, index, 255) : Buffer.alloc(2);
      this.names.push(name.subarray(2).toString("utf16le"));
    }
    for (let at = 0, data = false; at < found.length; at += found[at]) {
      if (found[at + 1] === INTERFACE) data = found[at + 5] === CDC_DATA;
      if (found[at + 1] !== ENDPOINT || !data) continue;
      if (found[at + 2] & 0x80) this.inPoint = found[at + 2] & 15;
      else this.outPoint = found[at + 2];
    }
    yield [0x00, 9, 1, 0, 0];
    yield [0x21, 0x20, 0, 0, CODING.length, CODING];
    this.configured = true;
    yield* this.#tellLine();
  }

  #serve(offset) {
    const point = (offset - ENDPOINTS[0]) >> 3;
    const outward = !!(offset & 4);
    if (this.busy.has(offset) || !this.#ready(point, outward)) return;
    this.busy.add(offset);
    this.#later(point === 0 ? CONTROL_NS : PACKET_NS, () => {
      this.busy.delete(offset);
      if (this.armed.has(offset) && this.#ready(point, outward)) this.#transact(offset, point, outward);
    });
  }

  #ready(point, outward) {
    if (!this.plugged) return false;
    if (point === 0) return !!this.control;
    if (outward) return point === this.outPoint && this.out.length > 0;
    return point === this.inPoint && this.open && !this.deaf;
  }

  #transact(offset, point, outward) {
    const { usbDPRAMView: view, usbDPRAM: ram } = this.mcu;
    let value = view.getUint32(offset, true);
    const half = value & AVAILABLE ? 0 : 1;
    const shift = 16 * half;
    const where = view.getUint32(8 * point + (outward ? 4 : 0), true) & 0xffc0;
    const base = point === 0 ? 0x100 : where + 64 * half;
    const length = (value >>> shift) & LENGTH;
    value &= ~((outward ? LENGTH | AVAILABLE : AVAILABLE | FULL) << shift);
    if (outward) {
      const data = this.#outward(point, length);
      ram.set(data, base);
      value |= (data.length | FULL) << shift;
    }
    view.setUint32(offset, value >>> 0, true);
    const taken = outward ? null : Buffer.from(ram.slice(base, base + length));
    if (value & (AVAILABLE << 16) && half === 0) this.#serve(offset);
    else {
      this.armed.delete(offset);
      this.usb.indicateBufferReady(point, outward);
    }
    if (point === 0) this.#controlled(outward, taken);
    else if (!outward) this.hear(taken);
  }

  #outward(point, length) {
    if (point === 0) {
      return this.control.stage === "data" ? this.control.data.subarray(0, length) : Buffer.alloc(0);
    }
    const data = this.out.shift();
    if (data.length > length) this.out.unshift(data.subarray(length));
    return data.subarray(0, length);
  }

  #controlled(outward, taken) {
    const { control } = this;
    const size = () => control.got.reduce((sum, part) => sum + part.length, 0);
    if (control.stage === "data" && control.inward && !outward) {
      control.got.push(taken);
      if (taken.length < 64 || size() >= control.length) control.stage = "status";
    } else if (control.stage === "data" && !control.inward && outward) control.stage = "status";
    else {
      this.control = null;
      return this.#later(STATUS_NS, () => this.#next(Buffer.concat(control.got)));
    }
    this.poke();
  }
}
