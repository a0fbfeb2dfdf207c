"""`rp2` of an emulated Pico: assembling PIO programs, state machines and DMA into them.

Owns the encoding of instructions (RP2040 data sheet, section 3.4) and of a DMA channel's control
word (section 2.5.7). The emulation outside executes the words. What goes in, not what comes out:
state machines that read pins are not emulated.
"""

import struct

import asking
import link
from machine import Pin

_STALLS = 0x20
_LAST_INSTRUCTION = 31


class PIO:
    IN_LOW = 0
    IN_HIGH = 1
    OUT_LOW = 2
    OUT_HIGH = 3
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class PIOASMError(Exception):
    pass


class _Instruction:
    """A word, with the label it goes to, its delay and its side-set."""

    def __init__(self, word, label=None):
        self.word = word
        self.label = label
        self.wait = 0
        self.sides = None

    def side(self, value):
        self.sides = value
        return self

    def delay(self, clocks):
        self.wait = clocks
        return self

    def __getitem__(self, clocks):
        return self.delay(clocks)


class _Program:
    """What `asm_pio` makes of a function."""

    def __init__(self, settings):
        self._labels = {}
        self._instructions = []
        self._target = 0
        self._wrap = None
        self.autopull = settings.get("autopull", False)
        self.pull_thresh = settings.get("pull_thresh", 32)
        self.out_shiftdir = settings.get("out_shiftdir", PIO.SHIFT_LEFT)
        self.fifo_join = settings.get("fifo_join", PIO.JOIN_NONE)
        self.sides = _count(settings.get("sideset_init"))
        self.outs = _count(settings.get("out_init"))
        self.sets = _count(settings.get("set_init"))
        allowed = "autopull pull_thresh out_shiftdir fifo_join sideset_init out_init set_init"
        for name in settings:
            if name not in allowed.split():
                raise NotImplementedError(f"asm_pio({name}=) is not emulated")

    def words(self):
        """Give the words, and whether side-sets are optional."""
        optional = any(each.sides is None for each in self._instructions) and self.sides > 0
        bits = self.sides + optional
        words = []
        for each in self._instructions:
            if each.wait > 31 >> bits:
                raise PIOASMError("delay too large")
            if each.sides is not None and each.sides >> self.sides:
                raise PIOASMError("sideset too large" if self.sides else "no sideset")
            word = each.word | each.wait << 8
            if each.label is not None:
                if each.label not in self._labels:
                    raise PIOASMError("unknown label " + each.label)
                word |= self._labels[each.label]
            if each.sides is not None:
                word |= each.sides << 13 - bits
                if optional:
                    word |= 1 << 12
            words.append(word)
        return words, optional

    def wraps(self):
        last = len(self._instructions) - 1
        return self._target, last if self._wrap is None else self._wrap

    def names(self):
        """Give the names that a program may use."""
        names = dict(_VALUES)
        for name in dir(self):
            if name.startswith("do_"):
                names[name[3:]] = getattr(self, name)
        return names

    def _add(self, word, label=None):
        if len(self._instructions) > _LAST_INSTRUCTION:
            raise PIOASMError("too many instructions")
        self._instructions.append(_Instruction(word, label))
        return self._instructions[-1]

    def do_label(self, name):
        if name in self._labels:
            raise PIOASMError("duplicate label " + name)
        self._labels[name] = len(self._instructions)

    def do_wrap_target(self):
        self._target = len(self._instructions)

    def do_wrap(self):
        self._wrap = len(self._instructions) - 1

    def do_nop(self):
        return self._add(0xA042)  # mov(y, y)

    def do_jmp(self, condition, label=None):
        if label is None:
            condition, label = 0, condition
        return self._add(condition << 5, label)

    def do_out(self, target, bits):
        return self._add(0x6000 | (7 if target == _EXEC else target) << 5 | _bits(bits))

    def do_pull(self, *how):
        return self._add(0x8080 | _blocking(how))

    def do_mov(self, target, source):
        return self._add(0xA000 | (4 if target == _EXEC else target) << 5 | source)

    def do_set(self, target, data):
        return self._add(0xE000 | target << 5 | data)

    def do_wait(self, *what):
        raise NotImplementedError("wait of PIO is not emulated")

    def do_in_(self, *what):
        raise NotImplementedError("in_ of PIO is not emulated")

    def do_push(self, *what):
        raise NotImplementedError("push of PIO is not emulated")

    def do_irq(self, *what):
        raise NotImplementedError("irq of PIO is not emulated")


def _count(init):
    return 0 if init is None else 1 if isinstance(init, int) else len(init)


def _bits(count):
    if not 1 <= count <= 32:
        raise PIOASMError(f"invalid bit count {count}")
    return count & 31


def _blocking(how):
    word = _STALLS
    for each in how:
        word = word & ~_STALLS if each == _NOBLOCK else word | each
    return word


_EXEC = 8
_NOBLOCK = 1
_VALUES = {
    "pins": 0,
    "x": 1,
    "y": 2,
    "null": 3,
    "pindirs": 4,
    "pc": 5,
    "status": 5,
    "isr": 6,
    "osr": 7,
    "exec": _EXEC,
    "invert": lambda source: source | 8,
    "reverse": lambda source: source | 16,
    "not_x": 1,
    "x_dec": 2,
    "not_y": 3,
    "y_dec": 4,
    "x_not_y": 5,
    "pin": 6,
    "not_osre": 7,
    "noblock": _NOBLOCK,
    "block": _STALLS,
    "ifempty": 0x40,
}


def asm_pio(**settings):
    """Make a program of a function that calls the instructions."""

    def assemble(function):
        program = _Program(settings)
        names = function.__globals__
        kept = dict(names)
        names.update(program.names())
        try:
            function()
        finally:
            names.clear()
            names.update(kept)
        return program

    return assemble


class StateMachine:
    """One of eight."""

    def __init__(self, id, program=None, freq=-1, **settings):
        if not 0 <= id < 8:
            raise ValueError("invalid StateMachine")
        self._id = id
        if program is not None:
            self.init(program, freq, **settings)

    def init(
        self,
        program,
        freq=-1,
        *,
        sideset_base=None,
        out_base=None,
        set_base=None,
        out_shiftdir=None,
        pull_thresh=None,
    ):
        words, optional = program.words()
        target, wrap = program.wraps()
        hz = 125_000_000 if freq == -1 else freq
        if not 125_000_000 / 65536 < hz <= 125_000_000:
            raise ValueError("freq out of range")
        settings = struct.pack(
            asking.PROGRAM,
            program.sides,
            optional,
            _number(sideset_base, program.sides),
            program.outs,
            _number(out_base, program.outs),
            program.sets,
            _number(set_base, program.sets),
            target,
            wrap,
            program.autopull,
            program.pull_thresh if pull_thresh is None else pull_thresh,
            program.out_shiftdir if out_shiftdir is None else out_shiftdir,
            hz,
        )
        join = 8 if program.fifo_join == PIO.JOIN_TX else 4
        packed = struct.pack(f"<{len(words)}H", *words)
        link.ask(asking.STATE_MACHINE, self._id, join, 0, settings + packed)

    def active(self, on=None):
        if on is not None:
            link.ask(asking.ACTIVE, self._id, 1 if on else 0)
            self._on = bool(on)
        return getattr(self, "_on", False)

    def restart(self):
        link.ask(asking.ACTIVE, self._id, 2)

    def put(self, value, shift=0):
        values = (value,) if isinstance(value, int) else value
        words = b"".join([struct.pack("<I", each << shift & 0xFFFFFFFF) for each in values])
        link.wait(_run(self._id, words, 2), False)

    def tx_fifo(self):
        return struct.unpack(asking.FED, link.ask(asking.RUN, self._id))[1]

    def exec(self, instruction):
        raise NotImplementedError("exec of StateMachine is not emulated")


def _number(pin, count):
    if pin is None:
        if count:
            raise ValueError("missing base pin")
        return 0
    return Pin(pin).number


def _run(machine, data, size):
    """Put data of a size (0 bytes, 1 halves, 2 words) into a state machine as it takes them.

    Give when the last one is in.
    """
    return struct.unpack(asking.FED, link.ask(asking.RUN, machine, size, 0, data))[0]


# A field of the control word: its place and how many bits it has.
_FIELDS = {
    "enable": (0, 1),
    "high_pri": (1, 1),
    "size": (2, 2),
    "inc_read": (4, 1),
    "inc_write": (5, 1),
    "ring_size": (6, 4),
    "ring_sel": (10, 1),
    "chain_to": (11, 4),
    "treq_sel": (15, 6),
    "irq_quiet": (21, 1),
    "bswap": (22, 1),
    "sniff_en": (23, 1),
    "busy": (24, 1),
    "write_err": (29, 1),
    "read_err": (30, 1),
    "ahb_err": (31, 1),
}
_DEFAULT = 1 | 2 << 2 | 1 << 4 | 1 << 5 | 0x3F << 15 | 1 << 21
_FIFOS = 0x50200010, 0x50300010


_channels = set()


class DMA:
    """A channel; it carries from memory into state machines only."""

    def __init__(self):
        free = [number for number in range(12) if number not in _channels]
        if not free:
            raise OSError(16)
        self.channel = free[0]
        _channels.add(self.channel)
        self.read, self.write, self.count = 0, 0, 0
        self.ctrl = _DEFAULT | self.channel << 11
        self._done_us = 0

    def pack_ctrl(self, default=None, **fields):
        word = _DEFAULT | self.channel << 11 if default is None else default
        for name in fields:
            place, bits = _FIELDS[name]
            value = int(fields[name])
            if value >> bits:
                raise ValueError("bad field value")
            word = word & ~((1 << bits) - 1 << place) | value << place
        return word

    def unpack_ctrl(self, word):
        return {name: word >> at & (1 << bits) - 1 for name, (at, bits) in _FIELDS.items()}

    def config(self, *, read=None, write=None, count=None, ctrl=None, trigger=False):
        self._check()
        self.read = self.read if read is None else read
        self.write = self.write if write is None else write
        self.count = self.count if count is None else count
        self.ctrl = self.ctrl if ctrl is None else ctrl
        if trigger:
            self._start()

    def active(self, on=None):
        self._check()
        if on:
            self._start()
        elif on is not None:
            # What is on its way goes through: the emulation does not stop a transfer.
            link.wait(self._done_us, False)
        link.spend(1)
        return link.now_us < self._done_us

    def close(self):
        _channels.discard(self.channel)
        self.channel = -1

    def _check(self):
        if self.channel < 0:
            raise ValueError("channel closed")

    def _start(self):
        machine = self._machine()
        fields = self.unpack_ctrl(self.ctrl)
        if not fields["enable"]:
            return
        # What a Pico would do wrong without a word is said here.
        if fields["inc_write"] or not fields["inc_read"]:
            raise ValueError("DMA into a FIFO goes on in memory, and stays at the FIFO")
        if fields["treq_sel"] != (machine & 4) * 2 + (machine & 3):
            raise ValueError("DMA into a FIFO goes by the state machine's requests")
        size = fields["size"]
        data = memoryview(self.read)[: self.count << size]
        if len(data) < self.count << size:
            raise ValueError("DMA reads past its buffer")
        self._done_us = _run(machine, data, size)

    def _machine(self):
        """Give the state machine into which it writes."""
        if isinstance(self.write, StateMachine):
            return self.write._id
        for block, first in enumerate(_FIFOS):
            machine = (self.write - first) // 4
            if 0 <= machine < 4 and self.write == first + 4 * machine:
                return 4 * block + machine
        raise NotImplementedError("DMA to elsewhere than a FIFO is not emulated")
