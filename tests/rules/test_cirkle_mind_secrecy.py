"""Who sees what: positions that differ only in what a player must not see look the same to them."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import RulesError
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.position import MindPhase, Position
from game.rules.cirkle_mind.squares import CELLS
from tests.helpers.effort import examples
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on

VIEWERS = (None, 1, 2)


def reached(level: str, first: int, seed: int, plies: int) -> Position:
    """Return a position of a random game; -2 and -1 plies are those before the set-ups."""
    if plies >= 0:
        return played_on(arranged(level, seed, first), plies, seed)
    position = GAME.initial({"level": level, "first": str(first)})
    if plies == -1:
        position = GAME.play(position, GAME.legal_moves(position).pick(Random(seed)))
    return position


def hidden_cells(position: Position, viewer: int | None, remembers: bool) -> list[int]:
    """List, by the rules of the game, where faces stand that a viewer must not see."""
    exchanged = position.level.exchanged
    own = None if viewer is None else position.army(viewer - 1)
    hidden = []
    for at in range(len(CELLS)):
        side = next((n for n in (0, 1) if position.armies[n] >> at & 1), None)
        if side is None:
            continue
        if position.phase is MindPhase.SET_UP:
            sees = viewer is not None and side == viewer - 1
        elif viewer is None:
            sees = False
        elif exchanged:
            sees = remembers or (side == own and position.begins is not None)
        else:
            sees = side == own or (remembers and bool(position.shown >> at & 1))
        if not sees:
            hidden.append(at)
    return hidden


def another_world(position: Position, hidden: list[int], rng: Random) -> Position:
    """Exchange faces at random on hidden cells within each army.

    An army that is being set up is laid out again instead: its squares are hidden as well.
    """
    if position.phase is MindPhase.SET_UP and hidden:
        start = replace(position, mover=0, armies=(0, 0), faces=bytes(len(CELLS)))
        return GAME.play(start, GAME.legal_moves(start).pick(rng))
    faces = bytearray(position.faces)
    for army in position.armies:
        cells = [at for at in hidden if army >> at & 1]
        mixed = rng.sample(cells, len(cells))
        for at, other in zip(cells, mixed, strict=True):
            faces[at] = position.faces[other]
    return replace(position, faces=bytes(faces))


def attempt(call: Any, *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except RulesError as error:
        return error.message


def everything(seen: Position) -> dict[str, Any]:
    """Collect all that can be asked about a position."""
    reported: dict[str, Any] = {
        "position": seen,
        "repr": repr(seen),
        "hash": hash(seen),
        "text": GAME.text(seen),
        "pieces": GAME.pieces(seen),
        "score": GAME.score(seen),
        "extras": GAME.extras(seen),
        "to_move": GAME.to_move(seen),
        "outcome": GAME.outcome(seen),
        "goals": GAME.goals(seen),
        "inspect": {cell: GAME.presentation.inspect(seen, cell) for cell in CELLS},
        "sides": [GAME.presentation.side_of(seen, player) for player in (1, 2)],
        "called": [GAME.presentation.called(seen, player) for player in (1, 2)],
        "arranging": [GAME.arranging(seen, player) for player in (1, 2)],
        "threats": [GAME.presentation.threats(seen, player) for player in (1, 2)],
        "asks": GAME.presentation.asks(seen, ()),
        "evaluate": attempt(GAME.evaluate, seen),
        "supposed": GAME.supposed(seen, Random(1)),
    }
    if seen.phase is MindPhase.SET_UP:
        reported["random"] = [attempt(GAME.arranged_at_random, seen, n, Random(1)) for n in (1, 2)]
        reported["refused"] = [GAME.presentation.refusal(seen, (cell,)) for cell in CELLS]
        reported["picked"] = GAME.legal_moves(seen).pick(Random(2))
        return reported
    legal = list(GAME.legal_moves(seen))
    reported["legal"] = legal
    reported["moves"] = [
        (
            GAME.move_text(seen, move),
            GAME.taps(seen, move),
            GAME.result(seen, move).summary,
            GAME.covered_summary(seen, move),
            GAME.faces(seen, move),
            attempt(GAME.play, seen, move),
            attempt(getattr, GAME.result(seen, move), "removed"),
            attempt(getattr, GAME.result(seen, move), "edits"),
        )
        for move in legal
    ]
    reported["refused"] = [
        GAME.presentation.refusal(seen, (cell,)) for cell in CELLS if not seen.over
    ]
    return reported


worlds = st.tuples(
    st.sampled_from(LEVELS),
    st.sampled_from((1, 2)),
    st.integers(0, 40),
    st.sampled_from((-2, -1, 0, 1, 2, 10, 40, 80, 160, 400)),
)


@examples(12, 40)
@given(worlds, st.sampled_from(VIEWERS), st.booleans(), st.integers(0, 9))
def test_worlds_that_differ_only_in_what_is_hidden_look_the_same(world, viewer, remembers, other):
    position = reached(*world)
    hidden = hidden_cells(position, viewer, remembers)
    changed = another_world(position, hidden, Random(other))
    one, two = (GAME.seen_by(each, viewer, remembers) for each in (position, changed))
    if position.phase is MindPhase.PLAY:
        assert list(GAME.legal_moves(one)) == list(GAME.legal_moves(position))
        assert list(GAME.legal_moves(position)) == list(GAME.legal_moves(changed))
    assert everything(one) == everything(two)


@examples(20, 80)
@given(worlds, st.sampled_from(VIEWERS), st.booleans())
def test_a_seen_position_has_unknown_faces_exactly_where_they_are_hidden(world, viewer, remembers):
    position = reached(*world)
    seen = GAME.seen_by(position, viewer, remembers)
    hidden = {CELLS[at] for at in hidden_cells(position, viewer, remembers)}
    true, pieces = GAME.pieces(position), GAME.pieces(seen)
    if position.phase is MindPhase.SET_UP:
        assert pieces == {cell: code for cell, code in true.items() if cell not in hidden}
    else:
        assert pieces == {c: code[0] if c in hidden else code for c, code in true.items()}
    assert GAME.extras(seen) == GAME.extras(position)
    assert GAME.score(seen) == GAME.score(position)
    assert GAME.to_move(seen) == GAME.to_move(position)
    assert GAME.seen_by(seen, viewer, remembers) == GAME.parse(GAME.text(seen)) == seen


@pytest.mark.parametrize("level", LEVELS)
def test_the_true_positions_repr_tells_no_face_and_no_square(level):
    for plies in (-1, 0, 50):
        position = reached(level, 1, 3, plies)
        other = reached(level, 1, 4, plies)
        if plies <= 0:
            assert repr(position) == repr(other)
        assert not any(code in repr(position) for code in GAME.pieces(position).values())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_attack_on_what_is_hidden_cannot_be_played_on_a_seen_position(viewer):
    games = (played_on(arranged("easy", 2), plies, 2) for plies in range(200))
    position = next(each for each in games if any("*" in m for m in GAME.legal_moves(each)))
    seen = GAME.seen_by(position, viewer)
    for move in GAME.legal_moves(seen):
        if "*" in move:
            assert set(GAME.faces(seen, move).values()) & {"G", "M"}
            for part in ("after", "removed", "edits"):
                with pytest.raises(RulesError, match=r"mind\.hidden"):
                    getattr(GAME.result(seen, move), part)
        else:
            after = GAME.seen_by(GAME.play(position, move), viewer)
            assert GAME.play(seen, move) == after


def test_an_attack_on_a_face_that_is_remembered_can_be_played():
    reported = {"pieces": {"D5": "GyC", "D7": "MbC", "A9": "MkT"}, "shown": ["D7"]}
    position = GAME.from_json(reported, {})
    seen = GAME.seen_by(position, 1, remembers=True)
    assert GAME.pieces(seen) == {"D5": "GyC", "D7": "MbC", "A9": "M"}
    assert GAME.pieces(GAME.play(seen, "D5-D6*D7")) == {"D7": "GyC", "A9": "M"}
    with pytest.raises(RulesError, match=r"mind\.hidden"):
        GAME.play(GAME.seen_by(position, 1), "D5-D6*D7")


@pytest.mark.parametrize("level", ["super", "super-easy"])
def test_each_player_sets_up_their_own_army_and_leads_the_other(level):
    start, rng = GAME.initial({"level": level}), Random(1)
    first = GAME.legal_moves(start).pick(rng)
    half = GAME.play(start, first)
    second = GAME.legal_moves(half).pick(rng)
    whole, shown = GAME.play(half, second), GAME.presentation
    assert GAME.arranging(start, 1).pieces[0][0] == "G"
    for position, sides in ((start, [1, 2]), (whole, [2, 1])):
        assert [shown.side_of(position, player) for player in (1, 2)] == sides
    assert shown.called(start, 1) == shown.called(whole, 2) != shown.called(whole, 1)
    # The last set-up says that the board is turned.
    assert GAME.result(start, first).summary.key == "mind.set_up"
    assert GAME.result(half, second).summary.key == "mind.set_up_turned"
