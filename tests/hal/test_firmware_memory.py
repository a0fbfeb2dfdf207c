"""The firmware leaves the Pico enough memory, with the largest board there is.

It runs in a MicroPython of 32 bits, whose objects are as large as a Pico's; where the processor has
no 32 bits, in one of 64, whose objects are up to twice as large, with twice the memory.
"""

import subprocess

import pytest

from hal import CellTouch, Colour, KeyTouch, Moment, built_in
from hal.base.errors import LinkFault
from hal.sim.body import Body
from tests.helpers.boards.real_micropython import NoneSmaller, fetched_small
from tests.helpers.pico import Cause, EmulatedPico
from tests.helpers.pico.micropython import find

HEAP_BYTES = 233_024
"""What MicroPython on an RP2040 says of its heap ("GC: total: 233024", micropython.mem_info()).

Of its 264 KB, the stack has 8 KB, and what MicroPython itself keeps is the rest (its linker script,
ports/rp2/memmap_mp_rp2040.ld).
"""
FREE_BYTES = 100 * 1024

MOST_HELD_BYTES = 64_000
"""What it may hold at a time: beside that it makes and drops things in every turn."""

_TABLES = 0.0233  # of a heap's bytes, its own tables take these beside; of large objects fewer

SAY_USED = """
import gc
gc.collect()
with open("used", "w") as file:
    file.write(str(gc.mem_alloc()))
"""
# Beside the firmware: what it holds is measured now and then, and the most of it kept.
MEASURE = """
import gc, machine
class Watchdog(machine.WDT):
    most = turns = 0
    def feed(self):
        super().feed()
        Watchdog.turns += 1
        if Watchdog.turns % 50 == 1:
            gc.collect()
            used = gc.mem_alloc()
            if used > Watchdog.most:
                Watchdog.most = used
                with open("measured", "w") as file:
                    file.write("%d %d" % (used, used + gc.mem_free()))
machine.WDT = Watchdog
"""


@pytest.fixture(scope="module")
def small():
    try:
        return fetched_small()
    except NoneSmaller:
        return find()


@pytest.fixture(scope="module")
def scale(small):
    """How large objects are, compared with a Pico's."""
    said = subprocess.run([*small, "-c", "import sys; print(sys.maxsize)"], capture_output=True)
    return 2 if int(said.stdout) > 1 << 31 else 1


@pytest.fixture(scope="module")
def profile():
    return built_in("rectangle-88-pico")


@pytest.fixture(scope="module")
def below(small, profile, tmp_path_factory):
    """What the emulated modules take of the heap; a Pico has its own in its program memory."""
    flash = tmp_path_factory.mktemp("flash")
    (flash / "main.py").write_text(SAY_USED, encoding="utf-8")
    pico = EmulatedPico(
        profile, Body(profile, 0.0, seed=1), lambda: 1.0, flash=flash, micropython=small
    )
    pico.settle()
    pico.close()
    return int((flash / "used").read_text())


@pytest.fixture
def session(monkeypatch, small, scale, profile, open_desk):
    """Give what opens a board whose Pico has a heap of so many bytes, and the flash of that."""

    def open_with(heap_bytes):
        flashes = []

        def pico(*parts, flash, **settings):
            flashes.append(flash)
            (flash / "boot.py").write_text(MEASURE, encoding="utf-8")
            heap = round(heap_bytes * (1 + _TABLES / scale))
            return EmulatedPico(*parts, flash=flash, heap_bytes=heap, micropython=small, **settings)

        monkeypatch.setattr("tests.helpers.pico.backend.EmulatedPico", pico)
        return open_desk("coprocessor", profile), flashes[0]

    return open_with


def test_heap_of_100_kb_less_is_enough_for_all_that_happens(session, below, scale, profile, clock):
    allowed = scale * (HEAP_BYTES - FREE_BYTES)
    desk, flash = session(allowed + below)
    backend = desk.device.backend
    cells = list(profile.cells)
    key = next(iter(profile.keys))
    for turn in range(12):
        told = []
        touched = [cells[7 * turn], cells[-1 - turn]]
        for cell in touched:
            desk.hands.press(cell, cell)
        desk.hands.press("key", key)
        told += desk.run(0.2)
        frame = tuple(Colour(n + turn, 255 - n, n * 7 % 251) for n in range(profile.pixel_count))
        backend.light(frame)
        for pointer in (*touched, "key"):
            desk.hands.lift(pointer)
        told += desk.run(0.2)
        down = {CellTouch(cell, Moment.DOWN) for cell in touched} | {KeyTouch(key, Moment.DOWN)}
        assert down <= set(told)
        assert backend.latched() == frame
    # The host is silent, and the lights breathe; then it is there again, with a session anew.
    clock.pass_time(10.0)
    backend.pico.settle()
    assert backend.latched() != frame
    desk.run(2.0)
    assert backend.lit() == backend.latched()
    assert backend.pico.boots == [Cause.POWER_ON], backend.pico.log
    used, total = map(int, (flash / "measured").read_text().split())
    assert total - below <= allowed
    assert used - below < scale * MOST_HELD_BYTES


def test_heap_that_is_too_small_is_noticed(session, below):
    with pytest.raises(LinkFault):
        session(below + 20_000)
