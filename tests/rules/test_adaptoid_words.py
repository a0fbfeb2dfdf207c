"""What Adaptoid tells people: names, summaries, what inspecting shows, and threats."""

from dataclasses import replace

import pytest

from game.common import words
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import NEAREST, Position
from game.rules.base.message import Message
from game.rules.base.values import Role
from tests.helpers.effort import effort
from tests.helpers.games.adaptoid_positions import FULL, SCENE, after, at, positions

WALKS = effort(3, 12)


def english(message: Message) -> str:
    return words("en").text(message)


def test_sides_are_colours_and_players_have_the_one_they_chose() -> None:
    assert (
        GAME.presentation.side("W2L1P"),
        GAME.presentation.side("B0L0P"),
        GAME.presentation.side(""),
    ) == (1, 2, None)
    before = GAME.initial()
    assert [GAME.presentation.side_of(before, player) for player in (1, 2)] == [1, 2]
    assert english(GAME.presentation.called(before, 2)) == "Second player"
    swapped = at(SCENE, colours=["B", "W"])
    assert [GAME.presentation.side_of(swapped, player) for player in (1, 2)] == [2, 1]
    assert [english(GAME.presentation.called(swapped, player)) for player in (1, 2)] == [
        "Black",
        "White",
    ]
    assert [english(GAME.presentation.called(at(SCENE), player)) for player in (1, 2)] == [
        "White",
        "Black",
    ]
    assert len(GAME.presentation.hues) == 2
    assert [GAME.presentation.token(side) for side in (1, 2)] == ["W2L2P", "B2L2P"]


def test_five_captured_are_the_goal_of_each() -> None:
    goals = GAME.goals(at(SCENE, score=[2, 3]))
    assert [(goal.player, goal.reached, goal.wanted) for goal in goals] == [(1, 2, 5), (2, 3, 5)]


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        ("W0L0P", "bare white adaptoid"),
        ("B1L0P", "black adaptoid with 1 leg"),
        ("B0L2P", "black adaptoid with 2 pincers"),
        ("W2L1P", "white adaptoid with 2 legs and 1 pincer"),
        ("odd", "adaptoid"),
    ],
)
def test_a_piece_is_named_with_its_limbs(piece: str, word: str) -> None:
    assert english(GAME.presentation.piece_word(piece)) == word


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("/+d5", "White: new adaptoid on d5."),
        ("d4-d5/c3L", "White: d4 moved to d5, leg for c3."),
        ("d4xe4/e4P", "White: d4 captured e4, pincer for e4."),
        ("d4xd6/c3L", "White: d4 attacked d6 and was captured, leg for c3."),
        ("d4xe2/c3P", "White: d4 attacked e2: both were captured, pincer for c3."),
    ],
)
def test_a_summary_tells_what_a_turn_did(text: str, reported: str) -> None:
    scene = at(SCENE)
    assert english(GAME.result(scene, GAME.parse_move(scene, text)).summary) == reported


def test_a_summary_tells_who_starved_and_that_nothing_grew() -> None:
    hungry = at({"a1": "B3L0P", "a2": "B4L0P", "d4": "W0L0P", "g4": "B0L0P"})
    summary = GAME.result(hungry, GAME.parse_move(hungry, "/d4L")).summary
    assert english(summary) == "White: leg for d4, 2 enemies starved (a1, a2)."
    full = at(FULL)
    assert (
        english(GAME.result(full, GAME.parse_move(full, "/")).summary)
        == "White: nothing could grow."
    )


def test_a_summary_tells_how_a_game_began() -> None:
    start = GAME.initial()
    placing = GAME.parse_move(start, "W:d4 B:a1")
    reported = "First player placed white on d4 and black on a1."
    assert english(GAME.result(start, placing).summary) == reported
    choosing = after(start, "W:d4 B:a1")
    chosen = GAME.result(choosing, GAME.parse_move(choosing, "black")).summary
    assert english(chosen) == "Second player plays Black."


# Inspecting


def shown(position: Position, cell: str, role: Role) -> list[str]:
    inspection = GAME.presentation.inspect(position, cell)
    assert inspection is not None
    return [near for near, its in inspection.cells.items() if its is role]


def test_nearest_cells_go_clockwise_from_the_upper_right_ring_by_ring() -> None:
    assert NEAREST["d4"][:6] == ("e4", "d5", "c4", "c3", "d3", "e3")
    assert NEAREST["d4"][6:9] == ("f4", "e5", "d6")
    assert NEAREST["a1"][:3] == ("b2", "a2", "b1")
    assert all(len(set(cells)) == 36 for cells in NEAREST.values())


def test_inspecting_counts_legs_then_pincers_on_the_nearest_cells() -> None:
    lonely = at({"d4": "W2L1P", "g4": "B0L0P"})
    assert shown(lonely, "d4", Role.INSPECTED) == ["d4"]
    assert shown(lonely, "d4", Role.MARK) == ["e4", "d5"]
    assert shown(lonely, "d4", Role.OTHER_MARK) == ["c4"]
    assert shown(lonely, "d4", Role.VICTIM) == []


def test_inspecting_shows_the_enemies_it_could_capture_and_counts_elsewhere() -> None:
    scene = at(SCENE)
    assert set(shown(scene, "d4", Role.VICTIM)) == {"e4", "e2"}
    assert shown(scene, "d4", Role.MARK) == ["d5", "c4"]
    assert shown(scene, "d4", Role.OTHER_MARK) == ["c3"]
    assert shown(scene, "e4", Role.VICTIM) == []


def test_inspecting_tells_limbs_and_room() -> None:
    inspection = GAME.presentation.inspect(at(SCENE), "d4")
    assert inspection is not None
    reported = english(inspection.message)
    assert reported == "white adaptoid: 2 legs, 1 pincer, 4 empty cells around it."
    corner = GAME.presentation.inspect(at({"a1": "B3L1P", "d4": "W0L0P"}), "a1")
    assert corner is not None
    assert english(corner.message).startswith(
        "black adaptoid: 3 legs, 1 pincer, 3 empty cells around it. It needs room"
    )


# Threats


def takeable(position: Position, player: int) -> set[str]:
    """Find what a player could take on their turn, by trying all turns."""
    turn = replace(position, mover=player - 1)
    colour = "WB"[GAME.presentation.side_of(position, player) - 1]
    pieces = GAME.pieces(position)
    gone = {cell for move in GAME.legal_moves(turn) for cell in GAME.result(turn, move).removed}
    return {cell for cell in gone if pieces[cell][0] != colour}


def test_threats_are_what_some_turn_could_take() -> None:
    found = 0
    for position in [each for seed in range(WALKS) for each in list(positions(seed))[2::5]]:
        for player in (1, 2):
            threats = GAME.presentation.threats(position, player)
            if GAME.outcome(position) is not None:
                assert not threats.edible | threats.endangered
                continue
            assert threats.edible == takeable(position, player)
            assert threats.endangered == takeable(position, 3 - player)
            found += len(threats.edible)
    assert found > 20 * WALKS


def test_legs_and_pincers_are_explained_where_a_piece_is_chosen() -> None:
    asks = GAME.presentation.asks
    for taps, key in (
        ((), "adaptoid.ask_turn"),
        (("d4",), "adaptoid.ask_way"),
        (("d4", "d5"), "adaptoid.ask_growth"),
        (("d4", "d5", "d5"), "adaptoid.ask_limb"),
    ):
        asked = asks(at(SCENE), taps)
        assert asked is not None
        assert asked.key == key
    bare = after(after(GAME.initial(), "W:d4 B:e4"), "white")
    asked = asks(bare, ("d4",))
    assert asked is not None
    assert "a leg takes it one cell farther, a pincer lets it fight" in english(asked)
    # Six limbs are the most: nothing more grows on it.
    assert asks(at(SCENE), ("b4",)) is None
    assert asks(at(FULL), ()) is None
