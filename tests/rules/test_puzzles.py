"""The puzzles that ship: each has one solution, proved by all legal moves; bad ones are refused."""

import tomllib

import pytest

from game.rules.base.puzzles import FILE, BadPuzzle, Kind, Puzzle, daily, puzzles, read
from game.rules.base.refutation import Wins, refuted
from game.rules.base.registry import all_games
from game.rules.base.tutorial import LANGUAGES
from tests.helpers.effort import effort
from tests.helpers.games.puzzle_proof import proved, solutions
from tests.tools.puzzles import difficulty

LEAST = {"adaptoid": 25, "azteka": 25, "capture-go": 25, "circle-of-life": 100}
GAMES = {name: game for name, game in all_games().items() if puzzles(game)}
MOST_MISSED = 60
"""Of 100 tries at the first puzzle of a game, by the weakest level."""
GO, CIRCLE, AZTEKA = (all_games()[name] for name in ("capture-go", "circle-of-life", "azteka"))
ASK = "[ask.win]\n" + "\n".join(f'{language} = "{{count}}"' for language in LANGUAGES)
MOST_LETTERS = 125
"""Longest text, in letters: it must fit beside the board of a phone, under the players."""


def test_open_games_ship_puzzles_of_all_grades_in_every_language():
    for name in LEAST:
        found = puzzles(GAMES[name])
        assert len(found) >= LEAST[name]
        assert len({each.key for each in found}) == len(found)
        assert {each.grade for each in found} >= {1, 2, 3}
        assert [each.grade for each in found] == sorted(each.grade for each in found)
        texts = {text for each in found for asked in each.texts for text in asked.values()}
        assert [text for text in texts if len(text) > MOST_LETTERS] == []


@pytest.mark.parametrize("name", LEAST)
def test_puzzles_begin_with_those_that_beginners_find(name: str):
    game = GAMES[name]
    text = (game.presentation.folder / FILE).read_text("utf-8")
    lines = tomllib.loads(text)["puzzles"].split("\n")[:3]
    measured = [difficulty(game, each) for each in lines]
    assert measured == sorted(measured)
    assert measured[0][2] <= MOST_MISSED


@pytest.mark.parametrize("part", range(effort(1, 4)))
@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_has_one_solution_by_the_rules(name: str, part: int):
    some = puzzles(GAMES[name])[part :: effort(30, 4)]
    assert [each for each in some if not proved(GAMES[name], each)] == []


def go_puzzle(kind: str, count: int, line: str, position: str) -> Puzzle:
    text = f'game = "capture-go"\npuzzles = "1 {kind} {count} {line} {position}"\n{ASK}'
    return read(GO, text.replace("[ask.win]", f"[ask.{kind}]"))[0]


@pytest.mark.parametrize(
    ("kind", "count", "right", "position"),
    [
        # White has two of three stones, and Black's a1 can be taken.
        ("win", 1, "b1", "12..2.............. 2 0-2 3"),
        ("save", 1, "b1", "12..2.............. 1 0-2 3"),
        # Two white stones in corners: one move takes nothing, the other one stone.
        ("most", 1, "b1", "21..1.............. 1 0-0 3"),
        ("safe", 0, "b1", "12..2.............. 1 0-0 3"),
    ],
)
def test_kinds_ask_what_they_say(kind: str, count: int, right: str, position: str):
    start = GO.parse(position)
    assert list(solutions(GO, Kind(kind), count, start)) == [GO.parse_move(start, right)]
    assert proved(GO, go_puzzle(kind, count, right, position))
    assert not proved(GO, go_puzzle(kind, count, "c3", position))
    assert not proved(GO, go_puzzle(kind, count + 1, right, position))


@pytest.mark.parametrize("name", GAMES)
def test_wrong_move_is_refuted_by_an_answer(name: str):
    game = GAMES[name]
    for puzzle in puzzles(game)[:: effort(12, 4)]:
        position, player = puzzle.position, game.to_move(puzzle.position) or 0
        wins, score = Wins(game, position), game.score(position)
        right = game.parse_move(position, puzzle.line[0])
        wrong = next(move for move in game.legal_moves(position) if move != right)
        text, *answers = refuted(game, puzzle, 0, position, wrong)
        assert game.parse_move(position, text) == wrong
        then = game.play(position, wrong)
        if puzzle.kind is Kind.MOST or game.to_move(then) in (player, None):
            assert not answers
            continue
        after = game.play(then, game.parse_move(then, answers[0]))
        match puzzle.kind:
            case Kind.WIN:
                assert not wins.forced(after, player, puzzle.count - 1)
            case Kind.SAVE:
                assert wins.forced(after, 3 - player, puzzle.count - 1)
            case Kind.SAFE:
                gained = game.score(after)[2 - player] - score[2 - player]
                assert gained > puzzle.count or wins.winner(after) == 3 - player


def test_game_without_a_placement_is_won_by_the_answer_too():
    lines = [each for each in puzzles(CIRCLE) if each.kind is Kind.WIN and len(each.line) % 2 == 0]
    assert lines
    for puzzle in lines:
        position = puzzle.position
        for move in puzzle.line:
            assert CIRCLE.outcome(position) is None
            position = CIRCLE.play(position, CIRCLE.parse_move(position, move))
        outcome = CIRCLE.outcome(position)
        assert outcome is not None
        assert outcome.winner == CIRCLE.to_move(puzzle.position)
        assert outcome.reason == "no legal placement"


def test_round_of_a_match_is_won_though_the_game_goes_on():
    first = [
        each
        for each in puzzles(AZTEKA)
        if each.kind is Kind.WIN and AZTEKA.text(each.position).endswith("-")
    ]
    assert first
    for puzzle in first:
        position = puzzle.position
        for move in puzzle.line:
            position = AZTEKA.play(position, AZTEKA.parse_move(position, move))
        assert AZTEKA.outcome(position) is None
        assert Wins(AZTEKA, puzzle.position).winner(position) == AZTEKA.to_move(puzzle.position)


@pytest.mark.parametrize("count", [1, 2, 3, 25, 30, 120])
def test_each_puzzle_is_the_daily_one_once_in_as_many_days(count: int):
    assert {daily(count, 700_000 + day) for day in range(count)} == set(range(count))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1 win 1 b1", "allowed: grade kind count moves position"),
        ("1 draw 1 b1 12................. 2 0-2 3", "'draw' is not a valid Kind"),
        ("1 win 1 b1 12 2 0-2 3", "bad_text"),
        ("9 win 1 b1 12................. 2 0-2 3", "grade is 9; allowed: 1 to 4"),
        ("1 save 1 b1 12................. 2 0-2 3", "nothing asks for save 1 in 'en'"),
    ],
)
def test_bad_puzzle_is_refused_with_its_number(line: str, why: str):
    with pytest.raises(BadPuzzle, match=f"puzzle 1 of capture-go.*{why}"):
        read(GO, f'game = "capture-go"\npuzzles = "{line}"\n{ASK}')


def test_variant_has_no_puzzles_of_its_own():
    assert puzzles(all_games()["capture-go-7"]) == ()
