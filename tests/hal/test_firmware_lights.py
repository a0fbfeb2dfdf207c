"""The firmware's strip: whole frames only, in order, and the looks without a host."""

import pytest

from firmware.lights import ALONE, GONE, HERE, Lights
from tests.helpers.boards.pico_double import PicoDouble, StripDouble

COUNT = 6
DARK = bytes(COUNT)


class Bench:
    """Lights of six levels. `until` lets them take a step each millisecond."""

    def __init__(self, glow: int = 40) -> None:
        self.pico = PicoDouble()
        self.strip: StripDouble = self.pico.open_strip(2, COUNT)
        self.lights = Lights(self.strip, COUNT, glow)
        self.until(10)
        self.strip.frames.clear()

    def until(self, time_ms: int, look: int = HERE) -> None:
        while self.pico.time_ms < time_ms:
            self.lights.step(self.pico.time_ms, look)
            self.pico.time_ms += 1

    @property
    def frames(self) -> list[tuple[int, bytes]]:
        return self.strip.frames


def test_changes_are_applied_in_order_and_shown_together() -> None:
    bench = Bench()
    bench.lights.change([(0, b"abcdef")], clear=False)
    bench.lights.change([(1, b"XY"), (2, b"Z")], clear=False)
    bench.until(20)
    assert bench.frames == []
    bench.lights.show()
    assert bench.lights.waiting
    bench.until(21)
    assert bench.frames == [(20, b"aXZdef")]


@pytest.mark.parametrize("run", [(6, b"x"), (0, b"abcdefg"), (65535, b"x")])
def test_levels_that_there_are_none_of_are_refused_with_nothing_changed(
    run: tuple[int, bytes],
) -> None:
    bench = Bench()
    bench.lights.change([(0, b"abcdef")], clear=False)
    with pytest.raises(ValueError, match="there are 6, counted from 0"):
        bench.lights.change([(0, b"x"), run], clear=True)
    bench.lights.show()
    bench.until(11)
    assert bench.frames == [(10, b"abcdef")]


def test_an_update_while_the_strip_is_busy_is_shown_right_after() -> None:
    bench = Bench()
    bench.strip.busy_ms = 5
    bench.lights.change([(0, b"a")], clear=False)
    bench.lights.show()
    bench.until(12)
    bench.lights.change([(0, b"b")], clear=False)
    bench.lights.show()
    # What is changed but not shown must not be seen, late as the frame is.
    bench.lights.change([(0, b"c")], clear=False)
    bench.until(30)
    assert bench.frames == [(10, b"a\0\0\0\0\0"), (15, b"b\0\0\0\0\0")]


def test_a_frame_is_sent_again_each_second() -> None:
    bench = Bench()
    bench.lights.change([(0, b"abcdef")], clear=False)
    bench.lights.show()
    bench.until(11)
    bench.lights.change([(0, b"X")], clear=False)
    bench.until(2500)
    assert bench.frames == [(10, b"abcdef"), (1010, b"abcdef"), (2010, b"abcdef")]


def test_alone_all_levels_breathe_alike_over_four_seconds() -> None:
    bench = Bench(glow=40)
    bench.until(10 + 8000, ALONE)
    times = [time_ms - 10 for time_ms, _ in bench.frames]
    assert times == list(range(0, 8000, 40))
    assert all(levels == levels[:1] * COUNT for _, levels in bench.frames)
    breath = [levels[0] for _, levels in bench.frames]
    assert breath[0] == 0
    assert breath[50] == 40
    assert breath[25] == breath[75] == 20
    assert breath[:51] == sorted(breath[:51])
    assert breath[50:100] == sorted(breath[50:100], reverse=True)
    assert breath[100:] == breath[:100]


def test_gone_is_dark_and_stays_so_on_pixels_that_lost_power() -> None:
    bench = Bench()
    bench.lights.change([(0, b"abcdef")], clear=False)
    bench.lights.show()
    bench.until(20)
    bench.strip.frames.clear()
    bench.until(2500, GONE)
    assert bench.frames == [(20, DARK), (1020, DARK), (2020, DARK)]
