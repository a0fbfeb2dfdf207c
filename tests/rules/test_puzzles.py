"""The puzzles that ship: each has one solution, proved by all legal moves; bad ones are refused."""

import pytest

from game.rules.base.lessons import (
    LANGUAGES,
    PUZZLES,
    Kind,
    Puzzle,
    Theme,
    daily,
    forced,
    puzzles,
    read_puzzles,
    refuted,
    winner,
)
from game.rules.base.registry import all_games
from tests.helpers.effort import effort
from tests.oracles.puzzle_judge import flaws
from tests.tools.puzzle_themes import themes
from tests.tools.puzzles import holds, solutions

LEAST = {"adaptoid": 25, "azteka": 25, "capture-go": 25, "circle-of-life": 100}
GAMES = {name: game for name, game in all_games().items() if puzzles(game)}
GO = all_games()["capture-go"]
ASK = "[ask.win]\n" + "\n".join(f'{language} = "{{count}}"' for language in LANGUAGES)
MOST_LETTERS = 125
"""Longest text, in letters: it must fit beside the board of a phone, under the players."""


def test_open_games_ship_puzzles_of_several_grades_in_every_language():
    for name in LEAST:
        found = puzzles(GAMES[name])
        assert len(found) >= LEAST[name]
        assert len({each.key for each in found}) == len(found)
        assert len({each.grade for each in found}) >= 3
        assert [each.rating for each in found] == sorted(each.rating for each in found)
        texts = {text for each in found for asked in each.texts for text in asked.values()}
        assert [text for text in texts if len(text) > MOST_LETTERS] == []
    # A variant has no puzzles of its own.
    assert "capture-go-7" not in GAMES


@pytest.mark.parametrize("part", range(effort(1, 4)))
@pytest.mark.parametrize("name", GAMES)
def test_each_puzzle_is_what_it_says_by_a_judge_of_its_own(name, part):
    file = GAMES[name].presentation.folder / PUZZLES
    assert list(flaws(file, 1 + part, effort(30, 4))) == []


@pytest.mark.parametrize(
    ("kind", "count", "right", "position", "theme"),
    [
        # White has two of three stones, and Black's a1 can be taken.
        ("win", 1, "b1", "12..2.............. 2 0-2 3", Theme.TAKE),
        ("save", 1, "b1", "12..2.............. 1 0-2 3", Theme.BLOCK),
        # Two white stones in corners: one move takes nothing, the other one stone.
        ("most", 1, "b1", "21..1.............. 1 0-0 3", Theme.TAKE),
        ("safe", 0, "b1", "12..2.............. 1 0-0 3", Theme.BLOCK),
    ],
)
def test_kinds_ask_what_they_say(kind, count, right, position, theme):
    def asking(line: str) -> Puzzle:
        puzzle = f'puzzles = "1:quiet {kind} {count} {line} {position}"\n{ASK}'
        return read_puzzles(
            GO, f'game = "capture-go"\n{puzzle}'.replace("[ask.win]", f"[ask.{kind}]")
        )[0]

    start = GO.parse(position)
    assert list(solutions(GO, Kind(kind), count, start)) == [GO.parse_move(start, right)]
    assert holds(GO, asking(right))
    assert not holds(GO, asking("c3"))
    assert themes(GO, asking(right)) == (theme,)


@pytest.mark.parametrize("name", GAMES)
def test_wrong_move_is_refuted_by_an_answer(name):
    game = GAMES[name]
    for puzzle in puzzles(game)[:: effort(12, 4)]:
        position, player = puzzle.position, game.to_move(puzzle.position) or 0
        score = game.score(position)
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
                assert not forced(game, after, player, puzzle.count - 1)
            case Kind.SAVE:
                assert winner(game, after) == 3 - player
            case Kind.SAFE:
                gained = game.score(after)[2 - player] - score[2 - player]
                assert gained > puzzle.count or winner(game, after) == 3 - player


@pytest.mark.parametrize("name", GAMES)
def test_themes_are_those_of_the_position_and_its_solution(name):
    for puzzle in puzzles(GAMES[name])[:: effort(20, 2)]:
        assert themes(GAMES[name], puzzle) == puzzle.themes


@pytest.mark.parametrize("count", [1, 2, 3, 25, 30, 120])
def test_each_puzzle_is_the_daily_one_once_in_as_many_days(count):
    assert {daily(count, 700_000 + day) for day in range(count)} == set(range(count))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1:turn win 1 b1", "not enough values to unpack"),
        ("1:turn draw 1 b1 12................. 2 0-2 3", "'draw' is not a valid Kind"),
        ("1:turn win 1 b1 12 2 0-2 3", "bad_text"),
        ("1:luck win 1 b1 12................. 2 0-2 3", "'LUCK'"),
        ("1:turn save 1 b1 12................. 2 0-2 3", "'save'"),
    ],
)
def test_bad_puzzle_is_refused_with_its_number(line, why):
    with pytest.raises(ValueError, match=f"puzzle 1 of capture-go.*{why}"):
        read_puzzles(GO, f'game = "capture-go"\npuzzles = "{line}"\n{ASK}')
