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
LOOSE = Fault(Trouble.FLAPPING, "e5", frozenset({"e5"}), NONE, "cell e5 comes and goes")


@pytest.mark.parametrize("trouble", Trouble, ids=lambda trouble: trouble.value)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_words_for_people(trouble, language):
    said = reason(Fault(trouble, "e5", NONE, NONE, "in English"))
    assert Words(language).text(said) not in ("", said.key)


def test_contact_that_comes_and_goes_all_day_fills_no_log(caplog):
    """The contact recovers for a little longer than the report's delay, over and over for a day."""
    faults = FaultLog()
    for now in range(24 * 3600):
        faults.take((LOOSE,) if now % 13 < 2 else (), float(now))
    assert caplog.messages == [LOOSE.detail]
    caplog.clear()
    faults.take((LOOSE,), 24 * 3600.0)
    faults.take((), 24 * 3600.0 + CALM_S - 0.1)
    assert caplog.messages == []
    faults.take((), 24 * 3600.0 + CALM_S)
    assert caplog.messages == [f"no longer: {LOOSE.detail}"]


def test_game_logs_its_start_end_and_resumption_and_no_move(tmp_path, caplog):
    caplog.set_level(logging.INFO, "game.play")
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        for cell in ("e5", "a1", "i5"):
            room.tap(cell)
        assert caplog.messages == ["a game of circle-of-life begins"]
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        assert caplog.messages[1:] == ["a game of circle-of-life goes on after 3 moves"]
        room.tap("e5")
        for _ in range(2):
            room.tap("resign")
            room.run(1.0)
        room.tap("take_back")
    ended, taken_back = caplog.messages[2:]
    assert ended.startswith("the game ends after 3 moves: ")
    assert taken_back == "the end of the game was taken back"
