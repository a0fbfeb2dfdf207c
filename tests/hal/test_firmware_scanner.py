"""The firmware's watch over chips: what is read when, and who is believed."""

import pytest

from firmware.messages import ASLEEP, HELD, RESET, SILENT, WATCHED
from firmware.scanner import QUIET_MS, Chip, Scanner
from tests.helpers.boards.pico_double import EIO, ETIMEDOUT, ChipDouble, InputDouble, PicoDouble

MODE = 0x0F
BLOCKS = [(0x5E, b"\x00"), (0x41, bytes([10, 5] * 12)), (0x5E, bytes([MODE]))]
LINE = 8
POLL_MS = 50


class Bench:
    """A scanner over chips that share bus 0, at 0x5A and on, with an interrupt line."""

    def __init__(
        self, chips: int = 2, *, line: bool = True, ready: bool = True, poll_ms: int = POLL_MS
    ) -> None:
        self.now = 0
        self.pico = PicoDouble()
        bus = self.pico.open_bus(0, 4, 5, 400)
        self.chips = [ChipDouble() for _ in range(chips)]
        for number, chip in enumerate(self.chips):
            self.pico.chips[0, 0x5A + number] = chip
        self.scanner = Scanner(
            [Chip(bus, 0x5A + number) for number in range(chips)],
            InputDouble(self.pico, LINE) if line else None,
            poll_ms,
            8,
            800,
        )
        if ready:
            for number in range(chips):
                assert self.set_up(number) == 0
            # The first poll is over, and with it the first look at each.
            self.steps(poll_ms + 1)
            self.forget()

    def steps(self, time_ms: int) -> None:
        """Let the scanner make a step each millisecond."""
        for _ in range(time_ms):
            self.scanner.step(self.now)
            self.now += 1

    def forget(self) -> None:
        self.scanner.changed = False
        for chip in self.chips:
            chip.reads.clear()
            chip.writes.clear()

    def set_up(self, number: int) -> int:
        return self.scanner.set_up(self.pico, number, MODE, BLOCKS)

    def pull(self, low: bool) -> None:
        self.pico.low = {LINE} if low else set()

    def says(self, number: int = 0) -> tuple[int, int, int]:
        chip = self.scanner.chips[number]
        return chip.health, chip.touched, chip.odd

    def reads(self) -> list[int]:
        return [chip.touch_reads for chip in self.chips]


def test_set_up_resets_checks_writes_in_order_and_checks_the_mode() -> None:
    bench = Bench(ready=False)
    chip = bench.chips[0]
    assert bench.set_up(0) == 0
    assert chip.writes == [(0x80, b"\x63"), *BLOCKS]
    assert chip.reads == [(0x5D, 1), (0x5E, 1)]
    assert bench.says(0) == (WATCHED, 0, 0)
    assert bench.says(1) == (ASLEEP, 0, 0)
    assert bench.scanner.changed
    assert bench.scanner.watching


def test_set_up_of_a_chip_that_is_not_as_after_a_reset_fails_with_nothing_written() -> None:
    bench = Bench(ready=False)
    chip = bench.chips[0]
    chip.answers_reset = False
    assert bench.set_up(0) == EIO
    assert chip.writes == [(0x80, b"\x63")]
    assert bench.says(0) == (SILENT, 0, 0)
    assert not bench.scanner.watching


@pytest.mark.parametrize("at", [0, 3, 5])
def test_set_up_tells_a_chip_that_does_not_acknowledge(at: int) -> None:
    bench = Bench(ready=False)
    bench.chips[0].errors.extend([0] * at + [EIO])
    assert bench.set_up(0) == EIO
    assert bench.says(0) == (SILENT, 0, 0)
    assert bench.pico.recovered == []


def test_set_up_on_a_held_bus_recovers_it_and_tries_once_more() -> None:
    bench = Bench(ready=False)
    bench.pico.held = {0}
    bench.pico.recoverable = {0}
    assert bench.set_up(0) == 0
    assert bench.pico.recovered == [0]
    assert bench.says(0) == (WATCHED, 0, 0)


def test_set_up_on_a_bus_that_stays_held_says_so_in_linux_numbers() -> None:
    bench = Bench(ready=False)
    bench.pico.held = {0}
    assert bench.set_up(0) == ETIMEDOUT
    assert bench.pico.recovered == [0]
    assert bench.says(0) == (HELD, 0, 0)


def test_each_chip_is_read_once_a_poll_and_never_two_at_a_time() -> None:
    bench = Bench(3)
    for _ in range(4):
        together = 0
        for _ in range(POLL_MS):
            before = sum(bench.reads())
            bench.steps(1)
            together = max(together, sum(bench.reads()) - before)
        assert together == 1
        assert bench.reads() == [1, 1, 1]
        bench.forget()
    assert not bench.scanner.changed


def test_a_line_that_stays_low_is_read_three_rounds_and_then_every_20_ms() -> None:
    bench = Bench(poll_ms=1000)
    bench.pull(True)
    for _ in range(3):
        assert bench.scanner.patience(2) == 0
        bench.steps(1)
    assert bench.reads() == [3, 3]
    assert bench.scanner.patience(2) == 2
    bench.steps(19)
    assert bench.reads() == [3, 3]
    bench.steps(1)
    assert bench.reads() == [4, 4]
    bench.steps(19)
    assert bench.reads() == [4, 4]
    bench.steps(1)
    assert bench.reads() == [5, 5]


@pytest.mark.parametrize("line", [True, False])
def test_a_change_is_read_twice_and_no_more(line: bool) -> None:
    bench = Bench(line=line)
    bench.chips[0].touch(1)
    bench.pull(line)
    bench.steps(1 if line else POLL_MS)
    assert bench.says() == (WATCHED, 1, 0)
    assert bench.reads() == [2, 1]


def test_nothing_but_touches_is_read_while_a_light_follows_a_touch() -> None:
    bench = Bench(poll_ms=100)
    bench.chips[0].touch(1)
    bench.pull(True)
    bench.steps(1)
    bench.pull(False)
    bench.forget()
    bench.steps(QUIET_MS - 1)
    assert bench.chips[0].reads == bench.chips[1].reads == []
    # Nor do touches without an end keep it from ever being read.
    for turn in range(20):
        bench.chips[0].touch(turn % 2)
        bench.pull(True)
        bench.steps(1)
        bench.pull(False)
        bench.steps(QUIET_MS // 2)
    assert (0x5E, 1) in bench.chips[1].reads


class Flickering(ChipDouble):
    """A chip whose touches are another thing at each look, for a while."""

    looks = 0

    def read(self, register: int, count: int) -> bytes:
        if register == 0 and self.looks:
            self.looks -= 1
            return bytes([self.looks + 1, 0])
        return super().read(register, count)


@pytest.mark.parametrize("line", [True, False])
@pytest.mark.parametrize(
    ("looks", "says"),
    [(2, (WATCHED, 0, 0)), (4, (SILENT, 0, 0))],
)
def test_a_change_that_two_looks_disagree_about_is_a_failed_read(
    looks: int, says: tuple[int, int, int], line: bool
) -> None:
    bench = Bench(line=line)
    chip = Flickering()
    chip.registers[:] = bench.chips[0].registers
    chip.looks = looks
    bench.pico.chips[0, 0x5A] = chip
    bench.pull(line)
    bench.steps(1 if line else POLL_MS)
    assert bench.says() == says


@pytest.mark.parametrize("line", [True, False])
@pytest.mark.parametrize("error", [EIO, ETIMEDOUT])
def test_a_read_that_fails_once_is_tried_again(error: int, line: bool) -> None:
    bench = Bench(line=line)
    bench.chips[0].touch(1)
    bench.chips[0].errors.append(error)
    bench.pull(line)
    bench.steps(1 if line else POLL_MS)
    assert bench.says() == (WATCHED, 1, 0)


@pytest.mark.parametrize("line", [True, False])
@pytest.mark.parametrize(("error", "health"), [(EIO, SILENT), (ETIMEDOUT, HELD)])
def test_a_chip_that_fails_twice_is_left_alone_until_it_is_set_up(
    error: int, health: int, line: bool
) -> None:
    bench = Bench(line=line)
    bench.chips[0].touch(1)
    bench.steps(POLL_MS)
    bench.forget()
    bench.chips[0].errors.extend([error, error])
    bench.pull(line)
    bench.steps(1 if line else POLL_MS)
    assert bench.says(0) == (health, 0, 0)
    assert bench.says(1) == (WATCHED, 0, 0)
    assert bench.scanner.changed
    bench.forget()
    bench.pull(True)
    bench.steps(300)
    assert bench.chips[0].reads == []
    assert bench.reads()[1] > 0
    bench.pull(False)
    assert bench.set_up(0) == 0
    bench.chips[0].touch(2)
    bench.steps(POLL_MS)
    assert bench.says(0) == (WATCHED, 2, 0)


def test_a_chip_that_was_reset_is_found_within_a_poll() -> None:
    for when in range(POLL_MS):
        bench = Bench()
        bench.steps(when)
        bench.chips[0].reset()
        bench.steps(POLL_MS)
        assert bench.says() == (RESET, 0, 0)
        assert bench.says(1) == (WATCHED, 0, 0)


def test_a_chip_that_is_not_watched_is_not_measured() -> None:
    bench = Bench(2)
    bench.chips[0].error = EIO
    bench.steps(POLL_MS)
    bench.chips[0].error = 0
    bench.forget()
    bench.steps(4 * POLL_MS)
    assert bench.chips[0].reads == []
    assert bench.chips[1].reads.count((0x04, 24)) == 4


@pytest.mark.parametrize(("raw", "odd"), [(8, True), (9, False), (799, False), (800, True)])
def test_measures_that_no_touch_makes_are_odd(raw: int, odd: bool) -> None:
    bench = Bench(1)
    bench.chips[0].measure({11: raw})
    bench.steps(POLL_MS)
    assert bench.says() == (WATCHED, 0, 0b1000_0000_0000 if odd else 0)
    assert bench.scanner.changed == odd


def test_a_chip_without_any_result_yet_is_not_odd() -> None:
    bench = Bench(1)
    bench.chips[0].measure(dict.fromkeys(range(12), 0))
    bench.steps(POLL_MS)
    assert bench.says() == (WATCHED, 0, 0)
