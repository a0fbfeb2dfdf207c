"""Score, interval and Elo of a match, against published figures."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.app.opponent.match.result import as_json, as_text, result_of
from game.app.opponent.match.score import elo, elo_interval, pair_counts, score_interval, wilson
from tests.helpers.programs.match_examples import a_game


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(wins, trials, low, high):
    # R. Newcombe, "Two-sided confidence intervals for the single proportion", Statist. Med. 17
    # (1998), table I, method 3.
    found = wilson(wins / trials, trials)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_score_and_elo_of_many_pairs_are_those_of_fastchess():
    # Ptnml(0-2): [4, 3, 34, 42, 117], 83.12 %, Elo: 277.00 +/- 40.90, as fastchess printed it
    # (https://chess.stackexchange.com/questions/45881).
    counts = {0.0: 4, 0.25: 3, 0.5: 34, 0.75: 42, 1.0: 117}
    pairs = [score for score, count in counts.items() for _ in range(count)]
    score = score_interval(pairs)
    gap = elo_interval(score)
    assert pair_counts(pairs) == (4, 3, 34, 42, 117)
    assert score.value == pytest.approx(0.83125)
    assert gap.value == pytest.approx(277.00, abs=0.01)
    assert (gap.high - gap.low) / 2 == pytest.approx(40.90, rel=0.02)


@pytest.mark.parametrize(("score", "difference"), [(0.5, 0), (0.76, 200), (10 / 11, 400)])
def test_elo_of_a_score_is_the_usual_one(score, difference):
    assert elo(score) == pytest.approx(difference, abs=0.5)
    assert elo(1 - score) == pytest.approx(-difference, abs=0.5)


def test_elo_of_nothing_but_wins_is_infinite():
    assert elo(1.0) == float("inf")
    assert elo(0.0) == float("-inf")


@pytest.mark.parametrize("score", [0.0, 0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("count", [1, 2, 10, 100])
def test_interval_of_pairs_that_are_all_alike_has_a_width(score, count):
    found = score_interval([score] * count)
    assert found.value == score
    assert 0 <= found.low <= score <= found.high <= 1
    assert found.high - found.low > 0.5 / count


def test_interval_of_ten_pairs_won_is_that_of_ten_trials():
    found = score_interval([1.0] * 10)
    assert (round(found.low, 4), found.high) == (0.7225, 1.0)


def test_pairs_that_always_split_say_more_than_games_that_just_as_well_come_in_doubles():
    split = score_interval([0.5] * 50)
    double = score_interval([0.0] * 25 + [1.0] * 25)
    assert split.value == double.value == 0.5
    assert split.high - split.low < 0.5 * (double.high - double.low)


@pytest.mark.parametrize(
    "chances",
    [(0.25, 0.5, 0.25), (0.04, 0.32, 0.64), (0.05, 0.9, 0.05), (0.18, 0.04, 0.78)],
    ids=["even", "strong", "split", "double"],
)
@pytest.mark.parametrize("count", [10, 40])
def test_interval_covers_the_truth_as_often_as_it_says(chances, count):
    rng = Random(1)
    truth = sum(score * chance for score, chance in zip((0.0, 0.5, 1.0), chances, strict=True))
    hits = 0
    for _ in range(1000):
        found = score_interval(rng.choices((0.0, 0.5, 1.0), chances, k=count))
        hits += found.low <= truth <= found.high
    assert hits >= 930


def test_a_score_without_pairs_is_refused():
    with pytest.raises(ValueError, match="no pair"):
        score_interval([])


def test_result_counts_whole_pairs_only_and_all_games_by_player():
    games = [a_game(number, score) for number, score in enumerate((1.0, 0.5, 0.0, 0.0, 1.0))]
    result = result_of(games)
    assert result.games == 5
    assert result.pairs == (0.75, 0.0)
    assert result.score is not None
    assert result.score.value == 0.375
    assert result.by_player == ((2, 1, 0), (0, 1, 1))
    assert result.plies == 4
    assert (result.efforts[0].nodes, result.efforts[0].seconds) == (100, 0.25)


def test_result_of_the_second_games_alone_has_no_score():
    result = result_of([a_game(1, 1.0), a_game(3, 1.0)])
    assert (result.games, result.pairs, result.score) == (2, (), None)


DESCRIBED = {"game": "none", "options": {}, "a": "6@9n", "b": "1@9n", "seed": 1, "opening": 4}
FOREIGN = "ugi:./other --deep@9n"


@pytest.mark.parametrize(
    ("engines", "change", "why"),
    [
        ({}, {}, ""),
        ({"b": "uct:9"}, {}, ""),
        ({}, {"cut": (1, 0)}, "the clock cut moves"),
        ({}, {"cut": (0, 1)}, "the clock cut moves"),
        # Another time it may answer, and nobody knows when the clock ends it.
        ({}, {"fault": "gave no answer in time"}, "games were lost by a fault"),
        ({"a": FOREIGN}, {}, "of another program nobody knows"),
        ({"b": FOREIGN}, {}, "of another program nobody knows"),
    ],
)
def test_a_match_is_deterministic_only_where_nothing_else_had_a_part_in_it(
    engines: dict[str, str], change: dict[str, Any], why: str
):
    games = [a_game(0, 1.0), replace(a_game(1, 1.0), **change)]
    described, result = DESCRIBED | engines, result_of(games)
    told = as_text(described, result)
    assert ("\ndeterministic: the clock cut no move" in told) is (not why)
    assert f"\nnot deterministic: {why}" in told or not why
    assert json.loads(as_json(described, result))["repeatable"] is (not why)
