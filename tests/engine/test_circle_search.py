"""The search of Circle of Life keeps every search's promises, in any legal position."""

from random import Random

import pytest

from game.engine.search import new_search
from game.rules.circle_of_life import GAME, Position
from tests.helpers.effort import effort
from tests.helpers.programs import forms

NODES = effort(250, 3_000)
"""Where the engine could not be compiled, a thousand take many seconds."""


def played(plies: int, seed: int) -> Position:
    """Return a position of a random game that is not over after this many plies."""
    rng = Random(seed)
    while True:
        position = GAME.initial()
        for _ in range(plies):
            if GAME.outcome(position) is None:
                position = GAME.play(position, GAME.legal_moves(position).pick(rng))
        if GAME.outcome(position) is None:
            return position


def test_another_seed_finds_otherwise():
    found = []
    for seed in (1, 2):
        search = new_search(GAME, GAME.initial(), seed)
        search.go_on(NODES)
        found.append(search.choices())
    assert found[0] != found[1]


def test_best_comes_first_and_visits_add_up():
    search = new_search(GAME, played(20, 4), 1)
    search.go_on(NODES)
    choices = search.choices()
    open_choices = [choice for choice in choices if not choice.decided]
    visits = [choice.visits for choice in open_choices]
    assert visits == sorted(visits, reverse=True)
    assert sum(choice.visits for choice in choices) == pytest.approx(search.nodes, abs=5)


def test_search_stops_when_it_is_settled():
    won = "2122./112111/.21...1/..2..22./122122..2/.1....2./.....2./.11.../.11.1 2 17-17 20"
    search = new_search(GAME, GAME.parse(won), 1)
    assert not search.settled
    search.go_on(1_000)
    assert search.settled
    assert search.nodes == 1
    before = search.choices()
    search.go_on(1_000)
    assert (search.nodes, search.choices()) == (1, before)
    assert before[0].decided


def test_losses_come_last_and_are_said_to_be_proved():
    text = "2221./21112./1.22212/.11..11./.2..2.122/22.2.22./2..2.1./.11.1./11..1 2 16-19 20"
    search = new_search(GAME, GAME.parse(text), 1)
    search.go_on(800)
    proved = [choice.decided and choice.value == 0.0 for choice in search.choices()]
    assert proved == sorted(proved)
    assert any(proved)


def test_tree_keeps_to_its_bound(monkeypatch: pytest.MonkeyPatch):
    plain = forms.plain()
    monkeypatch.setattr(plain["fast.tree"], "MOST_NODES", 2_048)
    tree = plain["fast.tree"].Tree(plain["circle.board"].CircleBoard(), 1, True)
    tree.go_on(500)
    assert tree.capacity == 2_048
    assert tree.used <= 2_048
    assert tree.nodes == 500


def test_depth_of_the_tree_keeps_to_its_bound(monkeypatch: pytest.MonkeyPatch):
    plain = forms.plain()
    monkeypatch.setattr(plain["fast.tree"], "DEEPEST", 3)
    tree = plain["fast.tree"].Tree(plain["circle.board"].CircleBoard(), 1, True)
    tree.go_on(100)
    assert tree.nodes == 100
    assert all(len(tree.line(child[0])) < 2 for child in tree.children())
