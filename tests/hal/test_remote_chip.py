"""What the host reports of a chip that a Pico watches."""

import errno

import pytest

from firmware.messages import (
    DATA,
    DONE,
    HELD,
    SILENT,
    WATCHED,
    ChipState,
    State,
    pack_data,
    pack_done,
)
from hal.backends.coprocessor.chip import LOOK_S, NEWS_S, Playback, RemoteChip
from hal.backends.coprocessor.client import Answer, Report
from hal.base.errors import LinkFault, SensorFault
from hal.profile import BoardMemory, built_in
from hal.sensing.chip_watch import ChipWatch
from hal.sensing.touch import WEIGHED_S

BOARD = built_in("hexagon-61-pico")


class Line:
    """A client with prepared answers."""

    def __init__(self) -> None:
        self.sessions = 1
        self.fault: LinkFault | None = None
        self.answers: list[Answer] = []

    def call(self, kind, payload, timeout_s):
        if self.fault is not None:
            raise self.fault
        return self.answers.pop(0)


@pytest.fixture
def line():
    return Line()


@pytest.fixture
def playback():
    return Playback()


@pytest.fixture
def chip(line, playback):
    """A chip that is set up; its DONE is message 10."""
    chip = RemoteChip(BOARD.chips[0], 0, line, playback)
    line.answers.append(Answer(10, DONE, pack_done(1, 0)))
    chip.set_up(BOARD.measuring, {}, {})
    return chip


def tell(playback, place, *, touched=0, health=WATCHED, odd=0):
    playback.add([Report(place, State(place, 0, 0, [ChipState(health, touched, odd)]))])
    while not playback.advance(place):
        pass


def data(counts=300):
    return Answer(20, DATA, pack_data(1, 0, bytes([counts & 255, counts >> 8] * 13 + [75] * 12)))


def test_chip_that_was_set_up_forgets_what_was_told_before(chip, playback):
    tell(playback, 9, touched=0b101, health=SILENT)
    assert chip.touched() == frozenset()
    chip.check()


def test_chip_that_is_unwell_is_a_fault_as_on_a_bus_of_the_host(chip, playback):
    tell(playback, 11, health=HELD)
    with pytest.raises(SensorFault) as caught:
        chip.check()
    assert caught.value.__cause__.errno == errno.ETIMEDOUT


def test_chip_behind_a_line_that_is_down_says_so(chip, line):
    line.fault = LinkFault("it is gone")
    for ask in (chip.touched, chip.check, lambda: chip.readings(frozenset())):
        with pytest.raises(SensorFault, match="it is gone"):
            ask()


def test_new_touch_is_measured_after_its_light_and_before_it_is_believed(chip, line, playback):
    watch = ChipWatch(chip, BOARD.measuring, BoardMemory(), keeps_stones=False)
    tell(playback, 11, touched=0b1)
    line.answers.append(data(300))
    watch.refresh(100.0)
    assert len(line.answers) == 1
    assert 100.0 < watch.due() < 100.0 + WEIGHED_S
    watch.weigh(watch.due())
    assert watch.readings[0].raw == 300


def test_chip_is_looked_at_while_there_is_news_and_then_rarely(chip, line, playback):
    line.answers += [data(300)] * 10
    assert chip.suspect(100.0)
    chip.readings(frozenset())
    assert chip.suspect(100.0 + NEWS_S - 0.1)
    chip.readings(frozenset())
    quiet_s = 100.0 + NEWS_S + 0.1
    assert not chip.suspect(quiet_s)
    tell(playback, 11, odd=0b10)
    assert chip.suspect(quiet_s)
    chip.readings(frozenset())
    assert not chip.suspect(quiet_s + LOOK_S - 1.0)
    assert chip.suspect(quiet_s + LOOK_S + 1.0)
