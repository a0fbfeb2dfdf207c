"""The table is not made for one game: several taps a move, swaps, and moves by key."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from game.rules.catalogue import all_games
from game.rules.errors import IllegalMove
from game.rules.game import Game
from game.table.entries import Entry, Kind
from game.table.inputs import Asked, Command, Held, Lifted, Touched
from game.table.state import Phase
from game.table.taps import TapWalk
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import begun
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_veil import ToyVeil


def test_taps_are_walked_one_by_one_and_light_what_comes_next(sit):
    sitting = sit(Toy())
    assert sitting.cue("a") == "legal"
    sitting.tap("a")
    assert (sitting.cue("a"), sitting.cue("b")) == ("chosen", "legal")
    sitting.tap("b")
    assert sitting.table.state.standing == {"b": "1", "e": "2"}
    assert sitting.table.state.history[-1].text == "a-b"


def test_a_refused_tap_keeps_the_taps_before_it(sit):
    sitting = sit(Toy())
    sitting.tap("a", "d")
    assert sitting.cue("d") == "wrong"
    assert sitting.table.state.taps == ("a",)
    sitting.tap("b")
    assert sitting.table.state.history[-1].text == "a-b"


def test_takeback_clears_taps_before_it_takes_a_move(sit):
    sitting = sit(Toy())
    sitting.tap("a", "b", "e")
    sitting.give(Asked(Command.TAKE_BACK))
    assert sitting.table.state.taps == ()
    assert len(sitting.table.state.history) == 1


def test_holding_a_piece_that_can_move_inspects_it_and_undoes_the_tap(sit):
    sitting = sit(Toy())
    sitting.give(Touched("a"))
    sitting.give(Held("a"))
    assert (sitting.table.state.taps, sitting.table.state.inspecting) == ((), "a")
    sitting.give(Lifted("a"))
    assert sitting.table.state.inspecting == ""
    assert sitting.notice == ""


def test_a_move_that_no_hand_made_waits_for_hands(sit):
    sitting = sit(Toy())
    sitting.table.resume([Entry(Kind.MOVE, "a-b")], sitting.now)
    edits = {edit.cell: edit.kind.value for edit in sitting.table.state.pending(Toy())}
    assert edits == {"a": "remove", "b": "put"}


def test_a_key_enters_a_move(sit):
    sitting = sit(Toy())
    sitting.give(Touched("key:pass"))
    assert sitting.table.state.history[-1].text == "pass"


def test_a_swap_away_from_the_taps_waits_for_a_hand(sit):
    state = replace(sit(Toy()).table.state, standing={"a": "2"})
    edits = {edit.cell: edit.kind.value for edit in state.pending(Toy())}
    assert edits == {"a": "swap", "e": "put"}


def test_a_draw_names_no_winner(sit):
    sitting = sit(Toy())
    for _ in range(4):
        sitting.tap("key:pass")
    assert sitting.table.state.phase is Phase.OVER
    assert sitting.table.scene().turn is None


def test_default_parsing_refuses_what_is_not_legal():
    toy = Toy()
    start = toy.initial()
    assert toy.parse_move(start, "a-b") == "a-b"
    with pytest.raises(IllegalMove, match="not_legal"):
        toy.parse_move(start, "b-c")


@pytest.mark.parametrize(
    "game", [*all_games().values(), Toy(), ToyVeil()], ids=lambda game: game.name
)
def test_taps_of_every_game_are_prefix_free(game: Game):
    position, rng = begun(game), Random(1)
    for _ in range(effort(12, 60)):
        taps = sorted(game.taps(position, move) for move in game.legal_moves(position))
        for first, second in pairwise(taps):
            assert second[: len(first)] != first
        walk = TapWalk(game, position)
        assert walk.next_taps(()) == {each[0] for each in taps}
        if not taps:
            break
        position = game.play(position, game.legal_moves(position).pick(rng))
