"""What the log says of a board's faults, and of the start and end of a game."""

import logging
from contextlib import closing

import pytest

from game.common import LANGUAGES, Words
from game.play import FaultLog
from game.play.input_mapping import CALM_S, reason
from hal.base.events import Fault, Trouble
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame

NONE: frozenset[str] = frozenset()
CHIP = Fault(Trouble.CHIP, "C", frozenset({"b2", "a1"}), NONE, "chip C does not answer")
LOOSE = Fault(Trouble.FLAPPING, "e5", frozenset({"e5"}), NONE, "cell e5 comes and goes")
STRIP = Fault(Trouble.STRIP, "strip", NONE, NONE, "no strip")


@pytest.mark.parametrize("trouble", Trouble, ids=lambda trouble: trouble.value)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_words_for_people(trouble, language):
    said = reason(Fault(trouble, "e5", NONE, NONE, "in English"))
    assert Words(language).text(said) not in ("", said.key)


@pytest.fixture
def faults(caplog):
    caplog.set_level(logging.INFO, "game.play")
    return FaultLog()


def test_end_is_told_once_it_has_lasted(faults, caplog):
    faults.take((CHIP, STRIP), NONE, 0.0)
    caplog.clear()
    faults.take((STRIP,), NONE, 5.0)
    faults.take((STRIP,), NONE, 5.0 + CALM_S - 0.1)
    assert caplog.messages == []
    for later in range(20):
        faults.take((STRIP,), NONE, 5.0 + CALM_S + later)
    (record,) = caplog.records
    assert record.getMessage() == "no longer: chip C does not answer"


def test_contact_that_comes_and_goes_all_day_fills_no_log(faults, caplog):
    """The contact recovers for a little longer than the report's delay, over and over for a day."""
    for now in range(24 * 3600):
        faults.take((LOOSE,) if now % 13 < 2 else (), NONE, float(now))
    assert len(caplog.messages) <= 4
    caplog.clear()
    faults.take((), NONE, 24 * 3600.0)
    faults.take((), NONE, 24 * 3600.0 + CALM_S)
    assert caplog.messages == [f"no longer: {LOOSE.detail}"]


def test_fault_that_is_masked_is_not_called_well(faults, caplog):
    faults.take((LOOSE,), NONE, 0.0)
    for now in range(1, 60):
        faults.take((), frozenset({"e5"}), float(now))
    assert caplog.messages == [LOOSE.detail, f"played without: {LOOSE.detail}"]
    faults.take((LOOSE,), NONE, 60.0)
    assert caplog.messages[2:] == [LOOSE.detail]


@pytest.fixture
def room(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        yield room


def shown(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name.startswith("game.play")]


def test_game_tells_its_begin_and_end_and_no_move(room, caplog):
    started = [each.getMessage() for each in caplog.get_records("setup")]
    assert started == ["a game of circle-of-life begins"]
    for cell in ("e5", "a1", "i5"):
        room.tap(cell)
    assert shown(caplog) == []
    for _ in range(2):
        room.tap("resign")
        room.run(1.0)
    (line,) = caplog.records
    assert line.getMessage().startswith("the game ends after 3 moves: ")
    room.tap("take_back")
    assert shown(caplog)[1:] == ["the end of the game was taken back"]


def test_resumed_game_tells_how_far_it_is(room, caplog):
    for cell in ("e5", "a1", "i5"):
        room.tap(cell)
    room.close()
    caplog.clear()
    with closing(EmulatedGame(room.profile, room.data)):
        (line,) = caplog.records
    assert line.getMessage() == "a game of circle-of-life goes on after 3 moves"
