"""Matches between engines: games, other programs, the record that goes on, and the result."""

import multiprocessing
import shlex
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

import pytest

from game.common import AppError
from game.rules.circle_of_life import GAME
from tests.helpers.programs.odd_rig import Rig, wait_for_end
from tests.tools import even
from tests.tools.match.__main__ import main
from tests.tools.match.engines import (
    ChosenMove,
    OwnEngine,
    Player,
    PlayerError,
    UgiProgram,
    read_spec,
)
from tests.tools.match.games import Fixture, Plan, Played, play_game, play_match
from tests.tools.match.result import elo_interval, report_lines, score_interval, wilson

START = GAME.initial({})


class Script(Player):
    """A player that makes the moves it was given."""

    def __init__(self, *moves: str):
        self._moves = list(moves)

    def choose(self, position: object) -> ChosenMove:
        if not self._moves:
            raise PlayerError("died of SIGKILL")
        return ChosenMove(self._moves.pop(0), 10, 0.5, cut=True)


@pytest.mark.parametrize(
    ("opening", "a", "b", "result", "fault"),
    [
        ((), ("a1", "a3"), ("a2", "a4"), (None, "too long"), ""),
        (("a3", "a4"), ("a1", "e5"), ("a2", "i5"), (None, "too long"), ""),
        ((), ("z9",), (), (2, "illegal move"), "'z9'"),
        ((), ("a1",), (), (1, "no move"), "died of SIGKILL"),
    ],
)
def test_game_is_drawn_or_lost_by_a_fault(monkeypatch, opening, a, b, result, fault):
    monkeypatch.setattr("tests.tools.match.games.MOST_PLIES", 4)
    played = play_game(GAME, START, Fixture(0, opening), Script(*a), Script(*b), seed=1)
    assert (played.winner, played.reason) == result
    assert fault in played.fault


def test_search_keeps_to_its_nodes_and_other_engines_are_refused():
    with pytest.raises(AppError, match="engine is 'uct:5@7n'"):
        read_spec("uct:5@7n")
    assert OwnEngine(GAME, read_spec("uct:77")).choose(START).nodes == 77


def untimed(games: Iterable[Played]) -> list[Played]:
    """The games in order, without their times."""
    games = sorted(games, key=lambda each: each.game)
    return [replace(each, seconds=(0.0, 0.0)) for each in games]


def test_match_broken_off_goes_on_with_the_same_games_and_leaves_no_process(tmp_path):
    record = tmp_path / "record"
    plan = Plan(GAME.name, {"target": "3"}, read_spec("uct:30"), read_spec("random@1n"), 1, 4)
    games = play_match(plan, 3, record, 2)
    assert len([*islice(games, 3)]) == 3
    games.close()
    assert multiprocessing.active_children() == []
    alone = untimed(play_match(plan, 3, None))
    assert untimed(play_match(plan, 3, record)) == alone
    assert len({tuple(each.opening) for each in alone}) == 3
    other = replace(plan, seed=2)
    assert untimed(play_match(other, 3, None)) != alone
    with pytest.raises(AppError, match="another match"):
        next(play_match(other, 3, record))


def test_program_plays_and_is_given_up_with_the_reason_and_started_again(tmp_path):
    rig = Rig(tmp_path)
    player = UgiProgram(GAME, shlex.join(rig.command("dies", "fine")))
    with pytest.raises(PlayerError, match="has failed"):
        player.choose(START)
    assert player.choose(START).move == "a1"
    player.close()
    assert rig.heard[-1] == "go movetime 3000"
    wait_for_end(rig.pids[-1])


def test_wilson_gives_the_published_intervals():
    # R. Newcombe, "Two-sided confidence intervals for the single proportion", Statist. Med. 17
    # (1998), table I, method 3.
    for wins, trials, low, high in ((81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611)):
        found = wilson(wins / trials, trials)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_score_and_elo_of_many_pairs_are_those_of_fastchess():
    # Ptnml(0-2): [4, 3, 34, 42, 117], 83.12 %, Elo: 277.00 +/- 40.90, as fastchess printed it
    # (https://chess.stackexchange.com/questions/45881).
    counts = {0.0: 4, 0.25: 3, 0.5: 34, 0.75: 42, 1.0: 117}
    pairs = [score for score, count in counts.items() for _ in range(count)]
    score = score_interval(pairs)
    gap = elo_interval(score)
    assert score.value == pytest.approx(0.83125)
    assert gap.value == pytest.approx(277.00, abs=0.01)
    assert (gap.high - gap.low) / 2 == pytest.approx(40.90, rel=0.02)
    alike = score_interval([1.0] * 10)
    assert (round(alike.low, 4), alike.high) == (0.7225, 1.0)


def test_command_plays_tells_and_shows_again(tmp_path, capsys):
    record = tmp_path / "match.jsonl"
    main(["uct:30", "random@1n", "--pairs", "2", "--option", "target=3", "--out", str(record)])
    played = capsys.readouterr().out
    assert "A uct:30 against B random@1n" in played
    main(["--show", str(record)])
    assert capsys.readouterr().out == played


def test_result_counts_whole_pairs_and_tells_of_the_first_player_length_and_endings():
    games = [
        Played(n, ["e5"], ["a1", "a2", "a3"], winner, "stones eaten", "", [], [], [], [])
        for n, winner in enumerate((1, None, 2, 1, 1))
    ]
    games[3] = replace(games[3], moves=["a1"] * 9, reason="no legal placement")
    about = {"game": GAME.name, "options": {"first": "2"}}
    shown = "\n".join(report_lines(about, games))
    # Of two whole pairs player 2 got half a point, then one and nothing.
    assert shown.startswith("first player: 37.5% (95%: ")
    assert "plies: 4 to 10, half of the games 4 to 4, median 4" in shown
    assert "\nstones eaten: 80.0% of the games, of which the first player won 25.0%" in shown
    assert "\nno legal placement: 20.0% of the games, of which the first player won 0.0%" in shown


@pytest.mark.parametrize(("people", "at_first"), [(("random", "0.5"), "0"), (("random",), "1")])
def test_an_even_match_follows_from_the_games_before(people, at_first):
    games = list(even.points(people, 8, 1))
    assert games[0][1] == at_first
    assert len({means for _, means in games}) > 1
    assert {score for score, _ in games} <= {0.0, 0.5, 1.0}
