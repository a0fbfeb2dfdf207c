"""Circle of Life: critters, placing, the ways to win, inspections, and positions in writing."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import BadOption, BadPosition, IllegalMove
from game.rules.base.message import Message
from game.rules.base.values import Role
from game.rules.circle_of_life import GAME, Position
from game.rules.circle_of_life.game import CIRCLE, WEB
from game.rules.food_web.position import draw_cell
from tests.helpers.effort import effort, examples
from tests.oracles.agreement import agree, read
from tests.oracles.naive_circle import (
    CELLS,
    LARGEST,
    NaivePosition,
    all_critters,
    critter_at,
    species_of,
)


def at(
    ours: str = "",
    theirs: str = "",
    *,
    to_move: int = 1,
    score: tuple[int, int] = (0, 0),
    target: int = 20,
) -> Position:
    """Set up stones of player 1 and of player 2."""
    pieces = {**dict.fromkeys(ours.split(), "1"), **dict.fromkeys(theirs.split(), "2")}
    shown = {"pieces": pieces, "to_move": to_move, "score": list(score)}
    return GAME.from_json(shown, {"target": str(target)})


def naive_start(rng: Random) -> NaivePosition:
    """Draw where a game begins: at its start, or amid stones as no game may have them."""
    mover = rng.choice((1, 2))
    if rng.random() < 0.6:
        return NaivePosition(to_move=mover, target=rng.choice((1, 2, 7, 20, 40, 999)))
    stones = dict[str, int]()
    position = NaivePosition(stones, mover)
    for cell in rng.sample(CELLS, rng.randint(0, len(CELLS))):
        position = NaivePosition(stones, rng.choice((1, 2)))
        if position.is_legal(cell):
            stones[cell] = position.to_move
    score = (rng.randint(0, 60), rng.randint(0, 60))
    return replace(position, to_move=mover, score=score, target=999)


def test_random_games_agree_at_every_ply():
    ends = set()
    for seed in range(effort(30, 60)):
        rng = Random(seed)
        start = naive_start(rng)
        *_, last = agree(GAME, start, read(GAME, start, {"target": str(start.target)}), rng)
        ends.add(last.outcome[1])
    assert ends == {"stones eaten", "no legal placement"}


@pytest.mark.parametrize("cells", [2, 12, 61])
def test_draw_cell_gives_each_cell_the_same_chance(cells):
    rng = Random(cells)
    chosen = rng.sample(range(61), cells)
    mask = sum(WEB.tables.bit[cell] for cell in chosen)
    drawn = [draw_cell(mask, rng) for _ in range(400 * cells)]
    # Five standard deviations around 400.
    assert all(300 <= drawn.count(cell) <= 500 for cell in chosen)


@pytest.mark.parametrize("value", ["0", "1000", "-1", "1.5", "\u0662", "9" * 5000])
def test_a_target_out_of_range_is_refused(value):
    with pytest.raises(BadOption) as caught:
        GAME.initial({"target": value})
    assert caught.value.message.args == {"key": "target", "value": value, "allowed": "1 - 999"}


@pytest.mark.parametrize("text", ["e4", "e4x", "E3", "E3x"])
def test_a_move_is_read_in_both_notations_with_or_without_x(text):
    assert GAME.parse_move(at("e5", "e6"), text) == "e4"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a1x", "rules.no_such_cell"),
        ("e4xx", "rules.no_such_cell"),
        ("e5", "circle_of_life.occupied"),
        ("h4", "circle_of_life.too_big"),
    ],
)
def test_a_move_that_cannot_be_read_or_played_is_refused_and_its_touch_says_why(text, key):
    position = at("e5 h1 h2 h3 h5", "e6")
    for refuse in (GAME.play, GAME.parse_move):
        with pytest.raises(IllegalMove, match="not_legal"):
            refuse(position, text)
    assert GAME.presentation.refusal(position, (text,)).key == key


def test_critters_are_those_of_the_naive_rules():
    shown = {
        frozenset(WEB.board.cells[index] for index in each.cells): CIRCLE[each.species].name
        for each in WEB.tables.critters.values()
    }
    assert shown == {critter: species_of(set(critter)) for critter in all_critters()}


def test_legend_draws_the_circle_with_its_arrows():
    assert [entry.arrow_to for entry in GAME.presentation.legend] == [11, *range(11)]
    for entry, each in zip(GAME.presentation.legend, CIRCLE, strict=True):
        assert entry.name == each.word
        assert len(entry.shape) == len(each.shape)


def test_summary_tells_what_a_placement_makes_and_eats_and_a_refusal_how_big_it_would_be():
    who = {"player": GAME.players[0], "cell": "e4", "species": CIRCLE[1].word}
    made = Message("circle_of_life.placed", who)
    assert GAME.result(at("e5", "e7"), "e4").summary == made
    prey = {"count": 2, "prey": Message("species.singleton", {"count": 2})}
    ate = Message("circle_of_life.ate", who | prey)
    assert GAME.result(at("e5", "e3 d5 f6"), "e4").summary == ate
    refused = Message("circle_of_life.too_big", {"cell": "e5", "stones": 5, "most": 4})
    assert GAME.presentation.refusal(at("e3 e4 e6 e7"), ("e5",)) == refused


def test_inspecting_shows_the_critter_its_prey_and_its_predators_on_the_board():
    # A pair, with its prey near and far, a bend that would eat it, and bystanders.
    position = at("e4 e5 i5", "e6 a1 h1 h2 g3 c1 c2")
    shown = GAME.presentation.inspect(position, "e5")
    assert shown.cells == {
        **dict.fromkeys(("e4", "e5"), Role.INSPECTED),
        **dict.fromkeys(("e6", "a1"), Role.VICTIM),
        **dict.fromkeys(("h1", "h2", "g3"), Role.THREAT),
    }
    assert shown.legend == {1: Role.INSPECTED, 0: Role.VICTIM, 2: Role.THREAT}
    assert shown.message.key == "circle_of_life.inspected"
    assert shown.message.args["species"] == CIRCLE[1].word


def test_inspecting_wraps_round_the_circle():
    shown = GAME.presentation.inspect(at("a1", "e4 e5 e6 e7 i1 i2"), "a1")
    assert shown.legend == {0: Role.INSPECTED, 11: Role.VICTIM, 1: Role.THREAT}


def eatable(text: str, player: int) -> set[str]:
    """Find by playing every move what a player could eat on their turn."""
    board, _, score, target = text.split()
    position = GAME.parse(f"{board} {player} {score} {target}")
    moves = GAME.legal_moves(position)
    return {cell for move in moves for cell in GAME.result(position, move).removed}


@pytest.mark.parametrize("seed", range(effort(2, 6)))
def test_threats_are_what_playing_every_move_would_eat(seed):
    rng, position, seen = Random(seed), GAME.initial({"first": "1"}), 0
    while GAME.outcome(position) is None:
        text = GAME.text(position)
        for player in (1, 2):
            threats = GAME.presentation.threats(position, player)
            assert threats.edible == eatable(text, player)
            assert threats.endangered == eatable(text, 3 - player)
            pieces = GAME.pieces(position)
            assert {pieces[cell] for cell in threats.endangered} <= {str(player)}
            seen += len(threats.edible)
        position = GAME.play(position, GAME.legal_moves(position).pick(rng))
    assert seen


EMPTY = "...../....../......./......../........./......../......./....../....."


def test_text_draws_rows_from_the_top():
    shown = {"pieces": {"i1": "1", "a5": "2", "e5": "1"}, "to_move": 2, "score": [3, 14]}
    position = GAME.from_json(shown, {"target": "15"})
    drawn = "1..../....../......./......../....1..../......../......./....../....2"
    assert GAME.text(position) == f"{drawn} 2 3-14 15"
    assert GAME.text(GAME.initial()) == f"{EMPTY} 1 0-0 20"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{EMPTY} 1 0-0 0",
        f"{EMPTY[1:]} 1 0-0 20",
        f"3{EMPTY[1:]} 1 0-0 20",
        f"11111{EMPTY[5:]} 1 0-0 20",
        f"{EMPTY} 1 0-\u0661 20",
        # A minus sign or an overlong number must not pass for anything else.
        f"{EMPTY} 1 0--5 20",
        pytest.param(f"{EMPTY} 1 0-{'9' * 5000} 20", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text):
    with pytest.raises(BadPosition):
        GAME.parse(text)


FIVE = dict.fromkeys(("a1", "a2", "a3", "a4", "a5"), "1")


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": FIVE}, "circle_of_life.impossible"),
        ({"pieces": {"e5": "1", "E4": "1"}}, "rules.cell_twice"),
        ({"score": [0, 0, 0]}, "rules.bad_key"),
        ({"score": [20, 20]}, "rules.both_won"),
        ({"to_move": True}, "rules.bad_key"),
        ({"to_move": None}, "rules.not_over"),
        ({"to_move": None, "outcome": {"winner": 1}}, "rules.not_over"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown, key):
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_position_may_name_cells_in_the_other_notation():
    shown = {"pieces": {"E4": "1", "I4": 2}}
    assert GAME.pieces(GAME.from_json(shown, {})) == {"a1": "2", "e5": "1"}


# Many stones on few cells, so that critters of five come about as often as not.
CORNER = [cell for cell in CELLS if cell[0] in "abc"]
PIECES = st.one_of(
    st.dictionaries(st.sampled_from(CELLS), st.sampled_from("12"), max_size=40),
    st.dictionaries(st.sampled_from(CORNER), st.sampled_from("12"), max_size=9),
)


@examples(40, 120)
@given(PIECES)
def test_pieces_can_be_set_up_unless_a_critter_is_too_big(pieces):
    stones = {cell: int(piece) for cell, piece in pieces.items()}
    too_big = [critter for cell in stones if len(critter := critter_at(stones, cell)) > LARGEST]
    if not too_big:
        position = GAME.from_json({"pieces": pieces}, {})
        assert GAME.pieces(GAME.parse(GAME.text(position))) == pieces
        return
    with pytest.raises(BadPosition) as refused:
        GAME.from_json({"pieces": pieces}, {})
    assert refused.value.cells in too_big
    assert refused.value.message.args["stones"] == len(refused.value.cells)
