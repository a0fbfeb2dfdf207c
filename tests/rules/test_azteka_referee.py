"""`lifeboard referee azteka` in conversation, against the naive implementation."""

import json
from random import Random
from typing import Any

import pytest

from game.app.referee import referee
from game.rules.azteka import GAME
from game.rules.errors import BadOption, BadPosition
from tests.helpers.games.azteka_positions import VARIANTS, as_naive, expected, lines, some_positions
from tests.helpers.programs.conversation import Umpire
from tests.oracles.naive_azteka import CELLS, STYLES, NaiveAzteka, naive_start, random_game

KEYS = [
    "ply",
    "move",
    "to_move",
    "pieces",
    "removed",
    "score",
    "legal",
    "moves",
    "outcome",
    "round",
    "roles",
    "birth",
    "first_round",
    "last_actions",
]
GAMES = 12
# Both ways to a variant: by the option, and by its own name.
CALLS = {
    "basic": (["azteka"], ["azteka", "--option=variant=basic"]),
    "aggressive": (["azteka", "--option=variant=aggressive"], ["azteka-aggressive"]),
    "three": (["azteka", "--option=variant=three"], ["azteka-three"]),
}


def answer(naive: NaiveAzteka, ply: int, move: str | None) -> dict[str, Any]:
    """Say what the referee must answer, in the order of its keys."""
    told = {
        **expected(naive),
        "score": list(naive.score),
        "ply": ply,
        "move": move,
        "removed": list(naive.removed) if move else [],
    }
    return {key: told[key] for key in KEYS}


def answers(*read: str, position: Any = None, **options: str) -> list[dict[str, Any]]:
    """Feed lines to the referee; give its answers."""
    told = None if position is None else json.dumps(position)
    return [json.loads(each.text) for each in referee(GAME, options, told, True, read)]


def wrong_line(rng: Random, position: NaiveAzteka) -> str:
    """Draw a line that is no legal move."""
    every = [*CELLS, "T1", "T4", "TT1", "TT3", "-", "T5", "z1", "pass", "a1 a2"]
    return rng.choice([each for each in every if each not in position.legal()])


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_in_conversation_agree_at_every_ply(variant: str) -> None:
    with Umpire() as umpire:
        for seed in range(GAMES):
            rng = Random(seed)
            first = 1 if variant == "three" else rng.choice((1, 2))
            call = [*CALLS[variant][seed % 2], f"--option=first={first}"]
            position = naive_start(variant, first)
            got = umpire.call(["referee", "--legal", *call])
            assert got == answer(position, 0, None)
            assert list(got) == KEYS
            ply = 0
            for _, move, after in random_game(rng, position, STYLES[seed % len(STYLES)]):
                if rng.random() < 0.2:
                    refused = umpire.say(wrong_line(rng, position))
                    assert refused.pop("error")
                    assert refused == got
                position, ply = after, ply + 1
                got = umpire.say(move)
                assert got == answer(position, ply, move)
            refused = umpire.say("c3")
            assert refused.pop("error") == "The game is over."
            assert umpire.end() == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_answer_is_accepted_as_a_position(variant: str) -> None:
    kinds = set()
    for position in some_positions(variant)[::3]:
        naive = as_naive(position)
        told = answer(naive, 7, None)
        [again] = answers(position=told, variant=variant)
        assert again == told
        kinds.add((naive.round, naive.outcome is None, naive.birth))
        if naive.outcome is None:
            move = naive.legal()[0]
            after = naive.play(move)
            assert answers(move, position=told, variant=variant)[1] == answer(after, 8, move)
    wanted = {(1, True, False)}
    wanted |= {(1, False, False)} if variant == "three" else {(2, True, False), (2, False, False)}
    wanted |= {(1, True, True)} if variant == "basic" else set()
    assert wanted <= kinds


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_goes_on_from_an_answer_as_from_its_own_moves(variant: str) -> None:
    for line in lines(variant, 6):
        middle = (len(line) - 1) // 2
        start = answer(as_naive(line[middle][0]), middle, None)
        moves = [move for _, move in line[middle:] if move]
        got = answers(*moves, position=start, variant=variant)
        assert [each["ply"] for each in got] == list(range(middle, len(line)))
        removed = got[-1].pop("removed")
        assert removed == list(GAME.removed(*line[-2]))
        last = answer(as_naive(line[-1][0]), len(line) - 1, moves[-1])
        assert got[-1] == {key: value for key, value in last.items() if key != "removed"}
        assert got[-1]["outcome"] is not None


def test_a_birth_is_told_and_declined() -> None:
    got = answers("a1", "e1", "a2", "e2", "a3", "e3", "a4", "T1", "-", "f1")
    assert [each["birth"] for each in got] == [False] * 7 + [True, True, False, False]
    assert got[7]["to_move"] == got[8]["to_move"] == 1
    assert "A birth is to be decided first" in got[8]["error"]
    assert (got[9]["move"], got[9]["to_move"], got[9]["ply"]) == ("-", 2, 8)
    assert (got[10]["move"], got[10]["to_move"]) == ("f1", 1)


def test_a_disintegration_is_told_as_removed() -> None:
    position = {"pieces": {"a1": "L", "e4": "L", "h1": "D", "a2": "D", "b2": "D"}, "to_move": 2}
    _, placed, turned = answers("b1", "T1", position=position)
    assert placed["removed"] == ["a1"]
    assert placed["pieces"]["a1"] == "D"
    assert placed["score"] == [1, 5]
    assert (turned["removed"], turned["pieces"]["c1"]) == ([], "D")


def test_a_whole_match_is_told() -> None:
    got = answers("a1", "c1", "a2", "c2", "b1", "c3", "b2", "c4", "e1", "g1")
    end, begun = got[8], got[9]
    assert (end["pieces"], end["score"], end["removed"]) == ({}, [0, 0], [])
    assert (end["round"], end["roles"], end["to_move"]) == (2, ["D", "L"], 2)
    assert end["first_round"] == {"winner": 2, "pieces": 4}
    assert begun["pieces"] == {"e1": "L"}
    position = {
        "pieces": {"e1": "L", "g1": "D", "g2": "D", "g3": "D"},
        "round": 2,
        "first_round": {"winner": 2, "pieces": 4},
        "to_move": 1,
    }
    _, last, refused = answers("g4", "a1", position=position)
    assert last["outcome"] == {"winner": None, "reason": "equal pieces"}
    assert last["pieces"] == {"e1": "L", "g1": "D", "g2": "D", "g3": "D", "g4": "D"}
    assert (last["to_move"], last["legal"], last["moves"]) == (None, 0, [])
    assert refused == {**last, "error": "The game is over."}


def test_legal_moves_are_sorted_as_plain_text() -> None:
    pieces = {"a1": "L", "a2": "L", "c2": "D"}
    [got] = answers(position={"pieces": pieces}, variant="aggressive")
    assert got["moves"] == sorted(got["moves"])
    assert got["moves"][:5] == ["T1", "T2", "T3", "T4", "TT1"]
    assert got["legal"] == len(got["moves"]) == 34


@pytest.mark.parametrize(
    ("line", "position", "options", "words"),
    [
        ("z9", {}, {}, "'z9' is no cell of this board; cells are a1 to h4."),
        ("T5", {}, {}, "'T5' turns no ring of this board; rings are 1 to 4."),
        ("TT1", {}, {}, "'TT1' turns by two segments, which only the aggressive variant allows."),
        ("-", {}, {}, "There is no birth to decline now."),
        ("hello", {}, {}, "'hello' is no move; moves are written as c3, T2, TT2 or -."),
        ("a1", {"pieces": {"a1": "L"}}, {}, "a1 is taken; place on an empty cell."),
        ("e1", {"pieces": {"a1": "L"}}, {}, "e1 is not beside a piece of this side;"),
        (
            "TT1",
            {"pieces": {"a1": "L", "c1": "D"}},
            {"variant": "aggressive"},
            "Ring 1 turns by two segments only for the one who has more pieces on it.",
        ),
    ],
)
def test_a_refusal_says_why(
    line: str, position: dict[str, Any], options: dict[str, str], words: str
) -> None:
    start, refused = answers(line, position=position, **options)
    assert refused.pop("error").startswith(words)
    assert refused == start


def test_a_wrong_call_is_refused_before_anything_is_answered() -> None:
    with pytest.raises(BadOption):
        answers(variant="three", first="2")
    with pytest.raises(BadOption):
        answers(variant="four")
    with pytest.raises(BadPosition):
        answers(position={"pieces": {"a1": "M"}})
