"""The records of matches that ship with lifeboard are reported correctly."""

from itertools import pairwise
from pathlib import Path

import pytest

from game.engine import TOP
from game.engine.levels import LEVELS
from tests.tools.match.engines import read_spec
from tests.tools.match.games import read_record
from tests.tools.match.result import elo_interval, pairs_of, score_interval

DOCS = Path(__file__).parents[2] / "docs"
RECORDS = {path.stem: read_record(path) for path in sorted((DOCS / "strength").glob("*.jsonl"))}
SCORES = {name: score_interval(pairs_of(games)) for name, (_, games) in RECORDS.items()}
STEP = 150, 250
"""The least and the highest step between two levels of Circle of Life, in Elo."""
WANTED_OF_TOP = 0.85


@pytest.mark.parametrize("name", RECORDS)
def test_record_is_told_as_it_is(name):
    text = (DOCS / "strength.md").read_text(encoding="utf-8")
    (match, games), score = RECORDS[name], SCORES[name]
    pairs = len(games) // 2
    for engine in (match["a"], match["b"]):
        assert str(read_spec(engine)) == engine
    (row,) = (line for line in text.splitlines() if line.endswith(f"| {name}.jsonl |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:5] == [
        f"`{match['a']}`",
        f"`{match['b']}`",
        str(pairs),
        f"{score.value:.1%}",
        f"{score.low:.1%} - {score.high:.1%}",
    ]
    clock_or_fault = any(each.fault or sum(each.cut) for each in games)
    assert cells[7] == ("no" if clock_or_fault else "yes")
    game = "" if match["game"] == "circle-of-life" else f" --game {match['game']}"
    command = (
        f"{match['a']} {match['b']}{game} --pairs {pairs} --seed {match['seed']}"
        f" --opening {match['opening']} --out docs/strength/{name}.jsonl"
    )
    assert f'make match ARGS="{command}"\n' in text


@pytest.mark.parametrize(
    ("below", "level"), list(pairwise(LEVELS)), ids=lambda level: f"level {level.name}"
)
def test_levels_are_even_steps_apart(below, level):
    name = f"{level.name}-{below.name}"
    # It was played at the present strength of the levels; the top one thinks by the clock.
    for side, each in (("a", level), ("b", below)):
        played = RECORDS[name][0][side]
        assert played.startswith(f"{each.name}@")
        assert played.endswith(f"{each.nodes}n") or each.name == TOP
    step = elo_interval(SCORES[name])
    assert step.low <= STEP[1]
    assert step.high >= STEP[0]


def test_first_level_loses_two_games_of_three_to_a_beginner_who_eats_when_they_can():
    assert SCORES["1-eater"].low < 1 / 3 < SCORES["1-eater"].high


@pytest.mark.parametrize("game", ["", "adaptoid-", "azteka-aggressive-"])
def test_top_level_is_clearly_stronger_than_plain_search(game):
    match, _ = RECORDS[f"{game}{TOP}-uct10000"]
    assert match["a"].startswith(f"{TOP}@")
    assert match["b"] == "uct:10000"
    assert SCORES[f"{game}{TOP}-uct10000"].low > WANTED_OF_TOP
