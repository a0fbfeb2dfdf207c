"""The rules of Azteka for two that oracles do not hold: refusals, rounds, records and variants."""

from random import Random
from typing import NoReturn

import pytest

from game.rules.azteka import GAME
from game.rules.base import registry
from game.rules.base.errors import BadOption
from game.rules.base.registry import all_games, find_game
from tests.helpers.games.azteka_cases import (
    AGGRESSIVE,
    ALL,
    BASIC,
    THREE,
    after,
    at,
    extras,
    legal,
    placements,
    second_round,
    standing,
    why_not,
)

# Two players, basic: turns.


def test_a_piece_is_placed_beside_one_of_its_own_side() -> None:
    position = at("c3", "d3", to_move=2)
    assert placements(position) == {"d2", "d4", "e3"}
    assert why_not(position, "b3") == "azteka.not_beside"
    assert why_not(position, "c3") == "azteka.occupied"


# Births.


def test_a_birth_follows_the_rules_of_placement_and_turns_nothing() -> None:
    position = after(at("a1 a2 a3", "c1 b1"), "a4")
    assert why_not(position, "e1") == "azteka.not_beside"
    assert why_not(position, "b1") == "azteka.occupied"
    assert why_not(position, "T1") == "azteka.birth_first"


# The match.


def test_first_names_the_player_who_is_life_in_round_1() -> None:
    start = GAME.initial({"first": "2"})
    assert (GAME.to_move(start), extras(start)["roles"]) == (2, ["D", "L"])
    position = after(start, "a1", "c1", "a2", "c2", "a3", "c3", "b1", "c4")
    assert (GAME.to_move(position), extras(position)["roles"]) == (1, ["L", "D"])
    assert extras(position)["first_round"] == {"winner": 1, "pieces": 4}


def test_the_final_board_stays() -> None:
    position = after(second_round(9), "c4")
    assert standing(position, "D") == {"c1", "c2", "c3", "c4"}
    assert GAME.score(position) == (4, 1)
    assert (extras(position)["round"], extras(position)["roles"]) == (2, ["D", "L"])
    assert why_not(position, "d1") == "rules.game_over"


def test_a_position_may_come_again_and_passing_is_illegal() -> None:
    start = at("a1", "c1")
    position = after(start, *["T1", "T2"] * 8)
    assert position == start
    assert GAME.outcome(position) is None
    assert why_not(start, "-") == "azteka.nothing_to_decline"
    assert why_not(start, "pass") == "azteka.no_such_move"


@pytest.mark.parametrize("variant", ALL)
def test_players_may_agree_on_a_draw(variant: str) -> None:
    assert find_game("azteka", {"variant": variant}).agreed_draws


# Record, variants and the legal moves as a view.


def test_moves_are_written_as_the_record_does() -> None:
    position = at("a1 b1", "c2", variant=AGGRESSIVE)
    for move in ("c3", "T2", "TT1"):
        assert GAME.move_text(position, move) == GAME.plain_text(position, move) == move
        assert GAME.parse_move(position, move) == move
    birth = after(at("a1 a2 a3", "c1"), "a4")
    assert GAME.parse_move(birth, "-") == "-"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "azteka.no_such_move"),
        ("c", "azteka.no_such_move"),
        ("t1", "rules.no_such_cell"),
        ("C3", "rules.no_such_cell"),
        ("T0", "azteka.no_such_ring"),
        ("T5", "azteka.no_such_ring"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(text: str, key: str) -> None:
    assert why_not(GAME.initial(), text) == key


def test_variants_are_games_of_their_own() -> None:
    games = all_games()
    assert [game.name for game in (GAME, *GAME.variants.values())] == [
        "azteka",
        "azteka-aggressive",
        "azteka-three",
    ]
    for variant, game in GAME.variants.items():
        assert games[game.name] is game
        assert find_game("azteka", {"variant": variant}) is game
        assert game.initial() == GAME.initial({"variant": variant})
        assert game.initial({"variant": variant}) == game.initial()
        assert len(game.players) == len(game.score(game.initial()))
        with pytest.raises(BadOption):
            game.initial({"variant": BASIC})


@pytest.mark.parametrize("variant", ALL)
def test_every_game_of_azteka_goes_by_the_variant_of_a_position(variant: str) -> None:
    own = GAME.initial({"variant": variant})
    for game in (GAME, *GAME.variants.values()):
        assert set(game.legal_moves(own)) == legal(own)
        assert game.to_move(game.play(own, "a1")) == 2
        assert len(game.score(own)) == (3 if variant == THREE else 2)


def test_legal_moves_are_a_view() -> None:
    moves = GAME.legal_moves(at("a1 b1", "c2", variant=AGGRESSIVE))
    listed = list(moves)
    assert len(listed) == len(set(listed)) == len(moves) == 29 + 5
    assert moves
    assert all(move in moves for move in listed)
    assert not any(move in moves for move in ("a1", "TT2", "-", "", 3, None))
    drawn = {moves.pick(Random(seed)) for seed in range(1000)}
    assert drawn == set(listed)


def test_picking_a_move_after_the_end_is_a_lookup_error() -> None:
    with pytest.raises(LookupError):
        GAME.legal_moves(after(second_round(9), "c4")).pick(Random(0))


def test_game_is_found_by_its_folder_without_importing_the_others(monkeypatch: pytest.MonkeyPatch):
    def fail() -> NoReturn:
        raise AssertionError("all games are imported")

    monkeypatch.setattr(registry, "_found", fail)
    assert [find_game(name).name for name in ("azteka", "cirkle-mind")] == ["azteka", "cirkle-mind"]
