"""A computer opponent on the board alone: chosen, played against and asked for hints by keys."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random

import pytest

from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.entries import EntryKind
from game.table.hands import SearchRequest
from game.table.inputs import EngineUnavailable, Input, ScoredMove, SearchResult
from game.table.phases import Phase
from game.table.scene import Cue
from game.table.table import DRAW_S
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame

LEVELS = ("random", "1", "2", "3", "4", "5", "6")


class Chance:
    """A computer player that answers at once with random moves, until it is made unavailable."""

    def __init__(self) -> None:
        self.rng = Random(5)
        self.asked: list[SearchRequest] = []
        self.engine_failed = False

    def follow(self, wanted: SearchRequest | None, now: float) -> tuple[Input, ...]:
        if wanted is None or wanted in self.asked[-1:]:
            return ()
        self.asked.append(wanted)
        if self.engine_failed:
            return (EngineUnavailable(say("fault.link")),)
        moves = [
            GAME.plain_text(wanted.position, each) for each in GAME.legal_moves(wanted.position)
        ]
        drawn = self.rng.sample(moves, min(wanted.count, len(moves)))
        return (
            SearchResult(
                wanted.position, wanted.level, tuple(ScoredMove(each, 0.5) for each in drawn)
            ),
        )

    def due(self, now: float) -> float:
        return inf


class Board(EmulatedGame):
    """A game with a computer player, and hands that set and take stones."""

    def __init__(self, data: Path, mode: str) -> None:
        profile = built_in()
        sensing = replace(profile.sensing, mode=mode)
        self.chance = Chance()
        super().__init__(
            replace(profile, sensing=sensing), data, computer=self.chance, levels=LEVELS
        )

    def hand(self, cell: str) -> None:
        """Set or take one stone, as the board senses it."""
        if self.profile.sensing.mode == "touch":
            self.tap(cell)
        else:
            self.pi.press("hand", cell)
            self.run(1.0)

    def hold(self, key: str) -> None:
        self.tap(key, 1.0)

    def lit(self, *cues: Cue) -> list[str]:
        return [cell for cell in GAME.board.cells if self.cue(cell) in cues]


@pytest.fixture(params=["touch", "presence"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    with closing(Board(tmp_path, request.param)) as board:
        yield board


def choose(board: Board, cell: str) -> None:
    """Choose from the menu, and wait for the draw; take back the stone that chose."""
    board.hold("new_game")
    assert board.table.state.phase is Phase.MENU
    board.hand(cell)
    assert board.table.state.phase is Phase.DRAW
    board.run(DRAW_S)
    if board.table.state.phase is Phase.EDIT:
        board.hand(cell)
    assert board.table.state.phase is Phase.TAP


def test_a_game_against_the_computer_needs_no_screen(board):
    choose(board, "g3")
    assert board.table.state.computers == ("", "2")
    hands = Random(2)
    for _ in range(24):
        if changes := board.lit(Cue.REMOVE, Cue.PUT):
            board.hand(changes[0])
        elif wanted := board.lit(Cue.PROPOSED):
            assert len(wanted) == 1
            board.hand(wanted[0])
        else:
            board.hand(hands.choice(board.lit(Cue.LEGAL)))
    assert board.plies > 15
    assert {wanted.level for wanted in board.chance.asked} == {"2"}
    assert [entry.kind for entry in board.saved[:2]] == [EntryKind.START, EntryKind.COMPUTERS]
    players = [played.player for played in board.table.state.history]
    assert players == [1, 2] * (len(players) // 2) + [1] * (len(players) % 2)


def test_the_computers_move_glows_twice_in_its_colour(board):
    choose(board, "c3")
    (cell,) = board.lit(Cue.PROPOSED)
    glows = []
    for _ in range(48):
        red, _, blue = board.light(cell)
        assert red >= blue, "orange is the computer"
        glows.append(red > 40)
        board.run(0.1)
    assert sum(later and not earlier for earlier, later in pairwise(glows)) in (5, 6, 7)
    assert board.lit(Cue.LEGAL) == []


def test_who_is_the_computer_is_there_again_after_a_power_cut(board, tmp_path):
    choose(board, "c7")
    assert board.lit(Cue.PROPOSED)
    board.pull_plug()
    with closing(Board(tmp_path, board.profile.sensing.mode)) as again:
        assert again.table.state.computers == ("6", "")
        assert [wanted.level for wanted in again.chance.asked] == ["6"]
        assert again.lit(Cue.PROPOSED)


def test_a_computer_without_an_answer_leaves_the_board_playable(board):
    board.chance.engine_failed = True
    choose(board, "c1")
    assert board.table.state.engine.unavailable is not None
    for cell in ("e5", "a1", "i5"):
        board.hand(cell)
    assert [played.text for played in board.table.state.history] == ["e5", "a1", "i5"]


def test_the_hint_key_shows_hints_and_held_it_calls_the_coach(board):
    board.tap("hint")
    assert len(board.lit(Cue.HINT)) == 3
    board.tap("hint")
    assert board.lit(Cue.HINT) == []
    assert not board.table.state.coached
    board.hold("hint")
    assert board.table.state.coached
    assert board.lit(Cue.HINT) == []
    for cell in ("e5", "d4"):
        board.hand(cell)
    assert board.cue("d4") is Cue.EDIBLE
