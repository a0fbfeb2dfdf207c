"""`rp2` of an emulated Pico, as far as the firmware uses it: one PIO program, fed by DMA.

Owns the encoding of JMP, OUT and NOP with a side-set of one pin and autopull (RP2040 data sheet,
section 3.4) and of a DMA channel's control word (section 2.5.7). The emulation outside executes the
words.
"""

import struct

import link
import link_format
from machine import Pin

_LAST_INSTRUCTION = 31


class PIO:
    OUT_LOW = 2
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1


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
    """A function assembled by `asm_pio`."""

    def __init__(self, settings):
        self._labels = {}
        self._instructions = []
        self._target = 0
        self._wrap = None
        self.pull_thresh = settings.get("pull_thresh", 32)
        self.out_shiftdir = settings.get("out_shiftdir", PIO.SHIFT_LEFT)
        self.fifo_join = settings.get("fifo_join", PIO.JOIN_NONE)
        for name in settings:
            if name not in _SETTINGS:
                raise NotImplementedError(f"asm_pio({name}=) is not emulated")
        if not settings.get("autopull") or settings.get("sideset_init") != PIO.OUT_LOW:
            raise NotImplementedError("a program without autopull and side-set is not emulated")

    def words(self):
        words = []
        for each in self._instructions:
            if each.wait > 15 or each.sides not in (0, 1):
                raise PIOASMError("delay too large, or no side-set")
            word = each.word | each.wait << 8 | each.sides << 12
            if each.label is not None:
                if each.label not in self._labels:
                    raise PIOASMError("unknown label " + each.label)
                word |= self._labels[each.label]
            words.append(word)
        return words

    def wraps(self):
        last = len(self._instructions) - 1
        return self._target, last if self._wrap is None else self._wrap

    def names(self):
        """Return the names that a program may use."""
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
        if not 1 <= bits <= 32:
            raise PIOASMError(f"invalid bit count {bits}")
        return self._add(0x6000 | target << 5 | bits & 31)


_SETTINGS = ("autopull", "pull_thresh", "out_shiftdir", "fifo_join", "sideset_init")
_VALUES = {
    "x": 1,
    "y": 2,
    "null": 3,
    "not_x": 1,
    "x_dec": 2,
    "not_y": 3,
    "y_dec": 4,
    "x_not_y": 5,
    "not_osre": 7,
}


def asm_pio(**settings):
    """Assemble a function that calls the instructions."""

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
    """One of eight state machines."""

    def __init__(self, id, program=None, freq=-1, **settings):
        if not 0 <= id < 8:
            raise ValueError("invalid StateMachine")
        self._id = id
        if program is not None:
            self.init(program, freq, **settings)

    def init(self, program, freq=-1, *, sideset_base=None):
        words = program.words()
        target, wrap = program.wraps()
        hz = 125_000_000 if freq == -1 else freq
        if not 125_000_000 / 65536 < hz <= 125_000_000:
            raise ValueError("freq out of range")
        if sideset_base is None:
            raise ValueError("missing base pin")
        pin, bits, right = Pin(sideset_base).number, program.pull_thresh, program.out_shiftdir
        settings = struct.pack(link_format.PROGRAM, pin, target, wrap, bits, right, hz)
        join = 8 if program.fifo_join == PIO.JOIN_TX else 4
        packed = struct.pack(f"<{len(words)}H", *words)
        link.ask(link_format.STATE_MACHINE, self._id, join, 0, settings + packed)

    def active(self, on=None):
        if on is not None:
            link.ask(link_format.ACTIVE, self._id, 1 if on else 0)
            self._on = bool(on)
        return getattr(self, "_on", False)


def _run(machine, data, size):
    """Feed data of a size (0 bytes, 1 halves, 2 words) into a state machine as it takes them.

    Return when the last one is in.
    """
    return struct.unpack(link_format.FED, link.ask(link_format.RUN, machine, size, 0, data))[0]


# Fields of the control word: offset and width in bits.
_FIELDS = {
    "enable": (0, 1),
    "size": (2, 2),
    "inc_read": (4, 1),
    "inc_write": (5, 1),
    "treq_sel": (15, 6),
}
_DEFAULT = 1 | 2 << 2 | 1 << 4 | 1 << 5 | 0x3F << 15 | 1 << 21
_FIFOS = 0x50200010, 0x50300010


_channels = set()


class DMA:
    """A DMA channel; it copies from memory into state machines only."""

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
            # A transfer under way is completed: the emulation does not stop it.
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
        # What a real Pico would silently do wrong raises here.
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
        """Return the state machine into which it writes."""
        if isinstance(self.write, StateMachine):
            return self.write._id
        for block, first in enumerate(_FIFOS):
            machine = (self.write - first) // 4
            if 0 <= machine < 4 and self.write == first + 4 * machine:
                return 4 * block + machine
        raise NotImplementedError("DMA to elsewhere than a FIFO is not emulated")
