"""Our own errors in a game that hides things: they reveal kind and place, not the game."""

import traceback
from contextlib import closing

import pytest

from game.common import AppError, redact_errors
from game.common.errors import HiddenFault
from game.rules.base.errors import IllegalMove
from game.rules.base.message import say
from game.rules.circle_of_life import GAME as OPEN
from game.rules.cirkle_mind import GAME
from game.store import BOARD, JournalLine, Store
from game.table.entries import Entry, EntryKind, options_text, seal_text
from game.table.inputs import SubmitSetup
from hal.base.errors import HalError
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.programs.mind_listener import found_in

MIND_BOARD = built_in("rectangle-88")
FAULTS = [
    KeyError("GyC"),
    ValueError("setup A1=yC"),
    IllegalMove(say("rules.not_legal", text="setup A1=yC")),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_in_a_hidden_game_tells_kind_and_place_alone(fault):
    with pytest.raises(HiddenFault) as shown, redact_errors(GAME):
        raise fault
    whole = "".join(traceback.format_exception(shown.value))
    assert found_in(whole.replace("raise fault", "")) == set()
    assert type(fault).__name__ in str(shown.value)
    assert "test_error_redaction.py" in str(shown.value)


@pytest.mark.parametrize(
    ("fault", "game"),
    [(FAULTS[0], OPEN), (AppError("the disk"), GAME), (HalError("the strip"), GAME)],
)
def test_fault_of_an_open_game_or_of_files_and_boards_is_told_as_it_is(fault, game):
    with pytest.raises(type(fault)) as shown, redact_errors(game):
        raise fault
    assert shown.value is fault


def test_session_whose_table_fails_says_nothing_of_the_game(tmp_path, monkeypatch):
    with closing(EmulatedGame(MIND_BOARD, tmp_path, game=GAME)) as room:

        def fail(event: object, now: float) -> None:
            raise KeyError("GyC")

        monkeypatch.setattr(room.table, "handle", fail)
        room.session.give(SubmitSetup(1, {"A1": "GyC"}))
        with pytest.raises(HiddenFault) as shown:
            room.run(0.1)
    assert found_in("".join(traceback.format_exception(shown.value))) == set()


def test_game_that_cannot_be_taken_up_is_told_of_without_its_set_ups(tmp_path, caplog):
    entries = [
        Entry(EntryKind.START, options_text({"first": "1", "level": "easy"})),
        Entry(EntryKind.SEAL, seal_text(1, "setup A1=yC A2=yC")),
    ]
    with Store(tmp_path) as store:
        lines = [JournalLine(each, "2026-11-21T08:00:00.000+00:00", 0.0) for each in entries]
        store.begin(GAME.name, BOARD, lines, None)
    EmulatedGame(MIND_BOARD, tmp_path, game=GAME).close()
    assert found_in(caplog.text) == set()
    assert "it is kept in the history, and a new game begins" in caplog.text
