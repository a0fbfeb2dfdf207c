"""Circle of Life: placing, feeding, the two ways to win, options, and moves as text."""

from dataclasses import FrozenInstanceError
from random import Random

import pytest

from game.rules.base.errors import BadOption, IllegalMove, RulesError
from game.rules.circle_of_life import GAME, Position
from tests.helpers.games.circle_positions import CLOSING, ORDER, at, cells_of
from tests.oracles.naive_circle import NEIGHBOURS, all_critters, species_of

CRITTERS_OF = {
    name: sorted(
        (sorted(each) for each in all_critters() if species_of(set(each)) == name), key=str
    )
    for name in ORDER
}


def borders(critter: set[str]) -> set[str]:
    return set().union(*(NEIGHBOURS[cell] for cell in critter)) - critter


def test_playing_leaves_the_position_as_it_was() -> None:
    before = at("e5", "e6")
    text = GAME.text(before)
    GAME.play(before, "e4")
    assert GAME.text(before) == text
    with pytest.raises(FrozenInstanceError):
        before.mover = 1  # type: ignore[misc]


@pytest.mark.parametrize("cell", ["e10", "", "E4", "e5x", "z1"])
def test_a_move_that_is_no_cell_is_illegal(cell: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.play(GAME.initial(), cell)
    assert caught.value.message.key == "rules.no_such_cell"


@pytest.mark.parametrize("eater", ORDER)
def test_each_species_eats_its_prey_and_nothing_else(eater: str) -> None:
    rng = Random(eater)
    prey = ORDER[ORDER.index(eater) - 1]
    for ours in rng.sample(CRITTERS_OF[eater], 6):
        for name in ORDER:
            near = [
                each
                for each in CRITTERS_OF[name]
                if borders(set(ours)) & set(each) and not set(ours) & set(each)
            ]
            for theirs in rng.sample(near, min(6, len(near))):
                last = rng.choice(ours)
                standing = " ".join(cell for cell in ours if cell != last)
                before = at(standing, " ".join(theirs))
                after = GAME.play(before, last)
                eaten = set(theirs) if name == prey else set()
                assert cells_of(after, "2") == set(theirs) - eaten, (ours, theirs, last)
                assert cells_of(after, "1") == set(ours)
                assert GAME.score(after) == (len(eaten), 0)
                assert GAME.result(before, last).removed == tuple(sorted(eaten))
                assert GAME.move_text(before, last) == last + ("x" if eaten else "")


def won(position: Position) -> tuple[int | None, str] | None:
    outcome = GAME.outcome(position)
    return outcome and (outcome.winner, outcome.reason)


@pytest.mark.parametrize(
    ("score", "target", "winner"),
    [
        ((19, 19), 20, (1, "stones eaten")),
        ((18, 19), 20, None),
        ((0, 0), 1, (1, "stones eaten")),
        ((19, 0), 21, None),
        ((998, 0), 999, (1, "stones eaten")),
    ],
)
def test_reaching_the_target_wins_at_once(
    score: tuple[int, int], target: int, winner: tuple[int, str] | None
) -> None:
    after = GAME.play(at("e5", "e6", score=score, target=target), "e4")
    assert won(after) == winner
    goals = [(goal.player, goal.reached, goal.wanted) for goal in GAME.goals(after)]
    assert goals == [(1, GAME.score(after)[0], target), (2, GAME.score(after)[1], target)]


def test_the_closing_position_of_the_rules_ends_as_they_say() -> None:
    assert GAME.outcome(CLOSING) is None
    assert GAME.move_text(CLOSING, "i1") == "i1"
    after = GAME.play(CLOSING, "i1")
    assert won(after) == (2, "no legal placement")
    assert GAME.to_move(after) is None
    assert not GAME.legal_moves(after)
    assert GAME.score(after) == (0, 0)


def test_being_stuck_wins_only_at_the_start_of_ones_own_turn() -> None:
    shown = GAME.text(CLOSING)
    stuck = GAME.parse(shown.replace(" 1 0-0", " 2 0-0"))
    assert won(stuck) == (2, "no legal placement")
    assert won(CLOSING) is None


@pytest.mark.parametrize("value", ["0", "1000", "-1", "x", "", "1.5", " 20", "\u0662", "9" * 5000])
def test_a_target_out_of_range_is_refused(value: str) -> None:
    with pytest.raises(BadOption) as caught:
        GAME.initial({"target": value})
    assert caught.value.message.args == {"key": "target", "value": value, "allowed": "1 - 999"}


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadOption) as caught:
        GAME.initial({"size": "5"})
    assert caught.value.message.key == "rules.unknown_option"
    assert caught.value.message.args["allowed"] == "first, target"


@pytest.mark.parametrize("text", ["e4", "e4x", "E3", "E3x"])
def test_a_move_is_read_in_both_notations_with_or_without_x(text: str) -> None:
    assert GAME.parse_move(at("e5", "e6"), text) == "e4"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a1x", "circle_of_life.eats_nothing"),
        ("e4xx", "rules.no_such_cell"),
        ("e4X", "rules.no_such_cell"),
        ("e5", "circle_of_life.occupied"),
        ("E4", "circle_of_life.occupied"),
        ("h4", "circle_of_life.too_big"),
    ],
)
def test_a_move_that_cannot_be_read_or_played_says_why(text: str, key: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_move(at("e5 h1 h2 h3 h5", "e6"), text)
    assert caught.value.message.key == key


def test_every_error_of_the_rules_carries_its_message() -> None:
    with pytest.raises(RulesError, match=r"circle_of_life\.occupied\(cell=e5\)") as caught:
        GAME.play(at("e5"), "e5")
    assert isinstance(caught.value, ValueError)
