"""The records of matches that ship with lifeboard are reported correctly."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from game.engine import TOP
from game.engine.levels import LEVELS
from tests.tools.match.games import read_record
from tests.tools.match.result import Result, elo_interval, result_of

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = sorted((DOCS / "strength").glob("*.jsonl"))
STEP = 150, 250
"""The least and the highest step between two levels of Circle of Life, in Elo."""
WANTED_OF_TOP = 0.85


def record_of(name: str) -> tuple[Any, Result]:
    match, games = read_record(DOCS / "strength" / f"{name}.jsonl")
    return match, result_of(games)


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_record_is_told_as_it_is(record):
    text = (DOCS / "strength.md").read_text(encoding="utf-8")
    match, result = record_of(record.stem)
    assert len(result.games) == 2 * len(result.pairs)
    score = result.score
    assert score is not None
    (row,) = (line for line in text.splitlines() if line.endswith(f"| {record.name} |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:5] == [
        f"`{match['a']}`",
        f"`{match['b']}`",
        str(len(result.pairs)),
        f"{score.value:.1%}",
        f"{score.low:.1%} - {score.high:.1%}",
    ]
    clock_or_fault = result.faults or result.cut
    assert cells[7] == ("no" if clock_or_fault else "yes")
    game = "" if match["game"] == "circle-of-life" else f" --game {match['game']}"
    command = (
        f"{match['a']} {match['b']}{game} --pairs {len(result.pairs)} --seed {match['seed']}"
        f" --opening {match['opening']} --out docs/strength/{record.name}"
    )
    assert f'make match ARGS="{command}"\n' in text


@pytest.mark.parametrize(
    ("below", "level"), list(pairwise(LEVELS)), ids=lambda level: f"level {level.name}"
)
def test_levels_are_even_steps_apart(below, level):
    match, result = record_of(f"{level.name}-{below.name}")
    # It was played at the present strength of the levels; the top one thinks by the clock.
    for side, each in (("a", level), ("b", below)):
        assert match[side].startswith(f"{each.name}@")
        assert match[side].endswith(f"{each.nodes}n") or each.name == TOP
    assert result.score is not None
    step = elo_interval(result.score)
    assert step.low <= STEP[1]
    assert step.high >= STEP[0]


def test_first_level_loses_two_games_of_three_to_a_beginner_who_eats_when_they_can():
    _, result = record_of("1-eater")
    assert result.score is not None
    assert result.score.low < 1 / 3 < result.score.high


@pytest.mark.parametrize("game", ["", "adaptoid-", "azteka-aggressive-"])
def test_top_level_is_clearly_stronger_than_plain_search(game):
    match, result = record_of(f"{game}{TOP}-uct10000")
    assert match["a"].startswith(f"{TOP}@")
    assert match["b"] == "uct:10000"
    assert result.score is not None
    assert result.score.low > WANTED_OF_TOP
