"""Ratings of people by their games, and the level that makes an even match."""

from contextlib import closing
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from game.engine import LEVEL_NAMES
from game.opponent import EvenMatch
from game.opponent.ratings import (
    BEGINNER,
    LEVEL_RATINGS,
    Rating,
    even_help,
    even_helps,
    helped,
    rated,
    ratings,
    suiting,
)
from game.rules.base.grades import Help
from game.rules.circle_of_life import GAME
from game.store import Journal
from game.table.entries import EVEN, HELP_LEVELS
from game.table.inputs import Asked, Command, Input, Lifted, SetNames, StartGame, Touched
from game.table.table import Table


def ended(
    names: tuple[str, ...], computers: tuple[str, ...], winner: int, helps: tuple[Help, ...] = ()
) -> Any:
    """Return what the ratings read of a stored game."""
    options = {HELP_LEVELS: ",".join(each.text for each in helps)}
    return SimpleNamespace(
        names=names, computers=computers, winner=winner, options=options, is_set_up=False
    )


def test_a_game_changes_a_rating_as_glickman_computes_it():
    # His example (www.glicko.net/glicko/glicko.pdf) rates three games at once.
    rating = Rating(1500, 200)
    for value, deviation, score in ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0)):
        rating = rated(rating, Rating(value, deviation), score)
    assert rating.value == pytest.approx(1464, abs=6)
    assert rating.deviation == pytest.approx(151.4, abs=1)


def test_twenty_even_matches_come_to_the_level_of_a_player_or_near_it():
    off = []
    for seed in range(5):
        for at, strength in enumerate(LEVEL_RATINGS.values()):
            rng, games = Random(f"{seed} {at}"), list[Any]()
            for _ in range(20):
                level = suiting(ratings(games).get("ann", Rating()))
                chance = 1 / (1 + 10 ** ((LEVEL_RATINGS[level] - strength) / 400))
                games.append(ended(("Ann", ""), ("", EVEN), 1 if rng.random() < chance else 2))
            found = suiting(ratings(games)["ann"])
            off.append(abs(LEVEL_NAMES.index(found) - at))
    assert sum(off) / len(off) < 0.6
    assert max(off) <= 2


@pytest.mark.parametrize("gap", [0, 200, 400, 800])
def test_help_evens_the_games_of_two_people_after_twenty(gap):
    names, true, scores = ("Ann", "Bo"), (BEGINNER, BEGINNER + gap), []
    for seed in range(30):
        rng, games = Random(seed), list[Any]()
        for _ in range(21):
            helps = even_helps(ratings(games), names)
            ann, bo = (helped(*each) for each in zip(true, helps, strict=True))
            chance = 1 / (1 + 10 ** ((ann - bo) / 400))
            games.append(ended(names, ("", ""), 2 if rng.random() < chance else 1, helps))
        scores.append(chance)
    assert 0.4 < sum(scores) / len(scores) < 0.6


def test_only_the_weaker_of_two_people_is_helped_and_by_more_for_a_wider_gap():
    given = [even_help(BEGINNER, BEGINNER + gap) for gap in range(0, 1100, 50)]
    lifts = [helped(BEGINNER, help_) for help_ in given]
    assert lifts == sorted(lifts)
    assert (given[0], given[-1]) == (Help(), Help(5, None))
    assert even_help(BEGINNER + 500, BEGINNER) == Help()


def test_games_that_say_nothing_of_a_name_count_for_none():
    for computers in (("", "ugi:stones"), ("", "board"), ("3", "4"), ("", "", "3")):
        assert ratings([ended(("Ann", "Bo"), computers, 1)]) == {}
    assert ratings([ended((), ("", ""), 1)]) == {}
    both = ratings([ended(("Ann", "Bo"), ("", ""), 2)])
    assert both["bo"].value > both["ann"].value
    # A game that was won with help says less of who won it.
    eased = ratings([ended(("Ann", "Bo"), ("", ""), 2, (Help(), Help(4)))])
    assert BEGINNER < eased["bo"].value < both["bo"].value


def test_level_follows_from_the_games_that_are_kept(tmp_path):
    table = Table(GAME, {"first": "1"}, Random(1), levels=(EVEN,))
    with closing(Journal(tmp_path, GAME.name, threaded=False)) as journal:
        now, found, match = 0.0, [], EvenMatch(tmp_path, GAME.name)

        def give(*events: Input) -> None:
            nonlocal now
            for event in events:
                now += 3.0
                if entries := table.handle(event, now):
                    journal.append(entries, table.state.outcome, now)

        journal.append(table.start(now), None, now)
        give(SetNames(("Ann", "")))
        for _ in range(4):
            give(StartGame(computers=("", EVEN)), Touched("e5"), Lifted("e5"))
            found.append(match.level(table.state, journal.number))
            give(Asked(Command.TAKE_BACK))
            # The level stays the same within a game.
            assert match.level(table.state, journal.number) == found[-1]
            give(Asked(Command.RESIGN), Asked(Command.RESIGN))
    assert (found[0], found[-1]) == ("1", "random")
