"""The records of matches that ship with lifeboard are reported correctly."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from game.engine import TOP
from game.engine.levels import LEVELS
from tests.tools.match.games import read_record
from tests.tools.match.result import Result, result_of

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = sorted((DOCS / "strength").glob("*.jsonl"))
WANTED_OF_LEVELS = 0.65
WANTED_OF_TOP = 0.85


def record_of(name: str) -> tuple[Any, Result]:
    match, games = read_record(DOCS / "strength" / f"{name}.jsonl")
    return match, result_of(games)


def lowest(result: Result) -> float:
    assert result.score is not None
    return result.score.low


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_record_is_told_as_it_is(record: Path):
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


@pytest.mark.parametrize("game", ["", "adaptoid-", "azteka-", "azteka-aggressive-"])
@pytest.mark.parametrize(
    ("below", "level"), list(pairwise(LEVELS[:-1])), ids=lambda level: f"level {level.name}"
)
def test_each_level_is_clearly_stronger_than_the_one_below(below: Any, level: Any, game: str):
    match, result = record_of(f"{game}{level.name}-{below.name}")
    # It was played at the present strength of the levels.
    for side, each in (("a", level), ("b", below)):
        assert match[side] == f"{each.name}@{each.seconds:g}s,{each.nodes}n"
    assert lowest(result) > WANTED_OF_LEVELS


@pytest.mark.parametrize("game", ["", "adaptoid-", "azteka-aggressive-"])
def test_top_level_is_clearly_stronger_than_the_one_below_and_than_plain_search(game: str):
    below = LEVELS[-2]
    match, result = record_of(f"{game}{TOP}-{below.name}")
    assert match["a"].startswith(f"{TOP}@")
    assert match["b"] == f"{below.name}@{below.seconds:g}s,{below.nodes}n"
    assert lowest(result) > WANTED_OF_LEVELS
    match, result = record_of(f"{game}{TOP}-uct10000")
    assert match["a"].startswith(f"{TOP}@")
    assert match["b"] == "uct:10000"
    assert lowest(result) > WANTED_OF_TOP
