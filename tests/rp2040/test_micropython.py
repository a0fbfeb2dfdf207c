"""The firmware's modules in real MicroPython: the same bytes, enough memory, and a slow host."""

from ast import literal_eval
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware.framing import MARK, MOST_PAYLOAD, Frame, encode
from hal.backends.coprocessor.flash import PicoPort
from hal.backends.device import Device
from hal.base.events import CellTouch, KeyTouch, Moment
from hal.lights import Colour
from hal.profile import built_in
from hal.sim.body import Body
from tests.helpers.boards import protocol_vectors
from tests.helpers.boards.clocked_board import ClockedBoard
from tests.helpers.boards.pixel_receiver import PIXELS
from tests.helpers.boards.protocol_vectors import LINES, PAYLOADS, WRITTEN, answer
from tests.helpers.pico import Pico
from tests.helpers.pico.backend import EmulatedCoprocessor, LockstepPort
from tests.helpers.rp2040.flashed import ready_pico

BATCH = 40
PROGRAM_S = 60.0
TURNS = 6
MOST_IMPORTED = 60_000
LEAST_FREE = 80_000
"""Least free memory in bytes, counting garbage as taken; MicroPython has about 230 KB."""

SLOW = """
from firmware.pico import Pico
class SlowHost:
    def __init__(self):
        self.sizes = []
        self.room = 1
    def write(self, data):
        self.sizes.append(len(data))
        return min(self.room, len(data))
pico, host = Pico(), SlowHost()
pico._write = host
pico.write(bytes(100))
host.sizes.append(0)
pico.write(bytes(3))
host.room = 64
pico.write(bytes(100))
print(host.sizes)
"""
CHIPS = """
import machine
from firmware.pico import Pico, pixel_clock_hz, watchdog_reason
for name in ("Raspberry Pi Pico with RP2040", "Raspberry Pi Pico2 with RP2350"):
    print(hex(watchdog_reason(name)))
for hz in (125_000_000, 133_000_000, 150_000_000, 200_000_000):
    print(hz, pixel_clock_hz(hz))
Pico()
print(machine.freq(), hex(machine.mem32[0x40064000]))
"""
MEASURED = """
import gc
import firmware.pico
least = [1 << 30]
collect = firmware.pico.Pico.tidy
def tidy(pico):
    if gc.mem_free() < least[0]:
        least[0] = gc.mem_free()
        with open("least", "w") as file:
            file.write(str(least[0]))
    collect(pico)
firmware.pico.Pico.tidy = tidy
from firmware.run import run
run()
"""


class Prompt:
    """Bring a Pico to its prompt, away from our firmware, and let it run programs."""

    def __init__(self, pico, clock) -> None:
        self._pico = pico
        self._clock = clock
        while not pico.plugged:
            clock.pass_time(0.01)
            pico.settle()
        port = PicoPort("", clock, lambda _: self._open(), clock.pass_time)
        if port.ident():
            port.stop()
        self._port = self._open()
        self._port.write(b"\r\x03\x01")
        self._until(b"raw REPL; CTRL-B to exit\r\n>")

    def run(self, program: str, *, follow: bool = True) -> str:
        """Run a program; return what it has printed, with the error that ended it, if any."""
        self._port.write(program.encode() + b"\x04")
        self._until(b"OK")
        if not follow:
            self._port.close()
            return ""
        said = self._until(b"\x04") + self._until(b"\x04>")
        return said.replace(b"\x04", b"").removesuffix(b">").replace(b"\r\n", b"\n").decode()

    def _open(self) -> LockstepPort:
        return LockstepPort(self._pico, self._clock.pass_time)

    def _until(self, mark: bytes) -> bytes:
        end_s, said = self._clock() + PROGRAM_S, b""
        while mark not in said:
            assert self._clock() < end_s, f"{said!r} is all that came"
            self._port.wait(0.01)
            said += self._port.read()
        said, _, rest = said.partition(mark)
        # Put back what came after the mark, to be read again.
        self._pico.usb.to_host[:0] = rest
        return said + mark


@pytest.fixture
def hexagon():
    return built_in("hexagon-61-pico")


@pytest.fixture
def pico(clock, hexagon, tmp_path):
    body = Body(hexagon, clock(), seed=1)
    with closing(ready_pico()(hexagon, body, clock, flash=tmp_path)) as pico:
        yield pico


def questions() -> list[tuple[str, bytes]]:
    """Return frames and payloads: valid ones, corrupted ones, and noise."""
    chance = Random(6)
    asked = [("frame", line.strip(MARK)) for line in LINES.values()]
    for size in (0, 1, 243, 244, 245, 254, MOST_PAYLOAD):
        for payload in (b"\n" * size, (bytes(range(256)) * 2)[:size]):
            asked.append(("frame", encode(Frame(*chance.randbytes(4), payload)).strip(MARK)))
    lines = [line for _, line in asked]
    for _ in range(40):
        spoilt = bytearray(chance.choice(lines))
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        asked.append(("frame", bytes(spoilt)))
        asked.append(("frame", chance.randbytes(chance.randrange(30))))
    sound = [(name.split(",")[0], payload) for name, payload in PAYLOADS.items()]
    asked += sound
    for name, payload in sound:
        for _ in range(8):
            changed = bytearray(payload)
            # Text stays ASCII: MicroPython takes some bytes for UTF-8 that CPython does not.
            changed[chance.randrange(len(changed))] = chance.randrange(128)
            asked.append((name, bytes(changed[: chance.randint(0, 2 * len(changed))])))
    return asked


def assert_clocks_of_both_chips(said: list[str]) -> None:
    # SDK of the Pico, hardware/regs: WATCHDOG_BASE and WATCHDOG_REASON_OFFSET of each chip.
    assert said[:2] == ["0x40058008", "0x400d8008"]
    # At 200 MHz its data sheet asks for 1.15 V (section 2.15.3): 12 in VSEL, enabled.
    assert said[-1] == "200000000 0xc1"
    for line in said[2:-1]:
        system_hz, clock_hz = map(int, line.split())
        bit_ns = 1e9 * round(system_hz / clock_hz) / system_hz
        for sheet in PIXELS:
            for high_ns, (least, most) in (
                (bit_ns, sheet.zero_high_ns),
                (2 * bit_ns, sheet.one_high_ns),
            ):
                assert least < high_ns < most, (sheet.name, system_hz)


def test_micropython_does_with_programs_what_is_expected(pico, clock):
    prompt = Prompt(pico, clock)
    free = "import gc\ngc.collect()\nprint(gc.mem_free())"
    before = int(prompt.run(free))
    # The rest of a frame is useless when a part of it was lost.
    assert prompt.run(SLOW) == "[64, 0, 1, 1, 1, 64, 36]\n"
    assert before - int(prompt.run("from firmware.run import Loop\n" + free)) < MOST_IMPORTED
    prompt.run(Path(protocol_vectors.__file__).read_text(encoding="utf-8"))
    assert literal_eval(prompt.run("print(WRITTEN)")) == WRITTEN
    asked = questions()
    for at in range(0, len(asked), BATCH):
        batch = [(name, data.hex()) for name, data in asked[at : at + BATCH]]
        said = prompt.run(f"for n, d in {batch!r}: print(answer(n, bytes.fromhex(d)))")
        assert said.split() == [answer(name, data) for name, data in asked[at : at + BATCH]]
    assert_clocks_of_both_chips(prompt.run(CHIPS).splitlines())


def test_largest_board_leaves_memory_in_all_that_happens(clock, tmp_path):
    profile = built_in("rectangle-88-pico")

    def started(*parts, flash) -> Pico:
        pico = ready_pico()(*parts, flash=flash)
        Prompt(pico, clock).run(MEASURED, follow=False)
        return pico

    timed = {"clock": clock, "pass_time": clock.pass_time}
    backend = EmulatedCoprocessor(profile, **timed, flash=tmp_path, seed=7, make=started)
    pico = backend.pico
    rig = ClockedBoard(Device(profile, backend), clock)
    cells, key = list(profile.cells), next(iter(profile.keys))
    for turn in range(TURNS):
        touched = [cells[14 * turn], cells[-1 - turn]]
        for cell in touched:
            rig.hands.press(cell, cell)
        rig.hands.press("key", key)
        reported = rig.run(0.2)
        frame = tuple(Colour(n + turn, 255 - n, n * 7 % 251) for n in range(profile.pixel_count))
        backend.light(frame)
        for pointer in (*touched, "key"):
            rig.hands.lift(pointer)
        reported += rig.run(0.2)
        down = {CellTouch(cell, Moment.DOWN) for cell in touched} | {KeyTouch(key, Moment.DOWN)}
        assert down <= set(reported)
        assert backend.latched() == frame
    # The host is silent, and the lights breathe; then it returns with a new session.
    clock.pass_time(5.0)
    pico.settle()
    assert backend.latched() != frame
    rig.run(2.0)
    assert backend.lit() == backend.latched()
    # A Pico that is slow keeps its pace after garbage has come, and its host has stood still.
    pico.slow(3)
    clock.pass_time(0.6)
    pico.noise(b"garbage\n", b"garbage\n")
    for _ in range(2):
        shown, end = len(pico.shown), clock() + 2.0
        while clock() < end:
            green = round(25 * clock()) % 256
            backend.light(tuple(Colour(n, green, 255 - n) for n in range(profile.pixel_count)))
            rig.run(0.04)
    assert len(pico.shown) - shown > 10
    pico.slow(1)
    # The STOP is written by hand: the session's own port is closed by then.
    backend._client.close()
    least = Prompt(pico, clock).run("print(open('least').read())")
    backend.drop()
    assert int(least) > LEAST_FREE
