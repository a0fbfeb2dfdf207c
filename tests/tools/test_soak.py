"""Whole games by fake hands, and the checks that detect errors."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from game.rules.base.message import Message
from game.rules.circle_of_life import GAME
from game.store import Journal
from game.table.entries import EntryKind
from game.table.scene import Scene
from game.table.table import Table
from game.table.words import spoken_prompt
from tests.tools.soak import pico_mishaps, session, setting_up
from tests.tools.soak.__main__ import main, soak
from tests.tools.soak.session import Plan, Played, play_one
from tests.tools.soak.slips import SLIPS

QUICK = "capture-go-7"
by_touch_and_presence = pytest.mark.parametrize("sensing", ["touch", "presence"])


def played_well(plan: Plan, seed: int) -> Played:
    found = play_one(plan, seed)
    assert not found.failure, found.failure
    return found


@by_touch_and_presence
@pytest.mark.parametrize("hands", ["careful", "clumsy", "hasty"])
def test_games_by_all_kinds_of_hands_end_with_everything_alike(hands, sensing):
    found = played_well(Plan(sensing, hands, options={"target": "10"}), 40)
    assert found.counts["plies"] > 10


@pytest.mark.parametrize(("help_level", "seed"), [("1", 3), ("3:2,5", 8)])
def test_games_of_people_with_help_end_with_everything_alike(help_level, seed):
    found = played_well(Plan("touch", help_level=help_level, options={"target": "2"}), seed)
    assert found.counts["plies"] > 4


def test_each_slip_really_happens_and_is_put_right():
    # Pieces are exchanged too rarely for a wrong one.
    missing = SLIPS.keys() - {"wrong_swap"}
    games = (("adaptoid", "presence"), ("azteka", "touch"), (GAME.name, "touch"))
    for seed, (game, sensing) in product(range(1, 6), games):
        if missing:
            found = played_well(Plan(sensing, "wild", game), seed)
            missing -= {slip.removeprefix("slip.") for slip in found.counts}
    assert not missing


@pytest.mark.parametrize(
    ("game", "sensing", "seed"),
    [
        (GAME.name, "touch", 2),
        (GAME.name, "presence", 2),
        ("azteka", "presence", 2),
        ("adaptoid", "touch", 2),
        # Seeds of short games, after the armies have been set up.
        ("cirkle-mind", "touch", 1),
        ("cirkle-mind", "presence", 2),
    ],
)
def test_games_of_people_who_only_hear_end_with_everything_alike(game, sensing, seed):
    # Without sight the pieces of an army cannot be told from each other once they are mixed up.
    hands = "careful" if game == "cirkle-mind" else "clumsy"
    options = {"target": "10"} if game == GAME.name else {}
    played_well(Plan(sensing, hands, game, by_ear=True, options=options), seed)


def test_a_voice_that_leaves_out_cells_is_found_out(monkeypatch):
    def said(*args: Any) -> tuple[Message, ...]:
        return tuple(
            Message(each.key, {name: arg for name, arg in each.args.items() if name != "cells"})
            for each in spoken_prompt(*args)
        )

    monkeypatch.setattr("game.play.voice.spoken_prompt", said)
    assert play_one(Plan("touch", "careful", by_ear=True), 2).failure


@pytest.mark.parametrize(("by_page", "sensing"), [(1.0, "touch"), (0.0, "presence")])
def test_games_with_a_set_up_in_secret_end_with_everything_alike(monkeypatch, by_page, sensing):
    monkeypatch.setattr(setting_up, "BY_PAGE", by_page)
    played_well(Plan(sensing, "careful", "cirkle-mind"), 2)


@pytest.mark.parametrize(("sensing", "seed"), [("touch", 41), ("presence", 40)])
def test_games_through_the_link_to_a_pico_end_with_everything_alike(monkeypatch, sensing, seed):
    monkeypatch.setattr(pico_mishaps, "MEAN_S", 8.0)
    found = played_well(Plan(sensing, backend="coprocessor", options={"target": "1"}), seed)
    assert sum(count for what, count in found.counts.items() if what.startswith("link.")) > 3


def test_same_seed_is_the_same_game_in_any_number_of_processes():
    alone, again, other = (
        soak(Plan("touch", "hasty", QUICK), 2, *how) for how in ((70, 1), (70, 2), (71, 1))
    )
    assert alone == again != other


class Forgetful(Journal):
    """A journal that does not write moves."""

    def append(self, entries, outcome, now):
        super().append([each for each in entries if each.kind is not EntryKind.MOVE], outcome, now)


class Dark(Table):
    """A table that shows nothing any more after three moves."""

    def scene(self, viewer: int | None = None) -> Scene:
        scene = super().scene(viewer)
        if len(self.state.history) < 3:
            return scene
        return replace(scene, cells={}, prompt=(), notice=None)


@pytest.mark.parametrize(
    ("fault", "problem"),
    [(Forgetful, "the journal comes to "), (Dark, "nothing to do for more than 2.0 s")],
)
def test_command_finds_a_planted_fault_and_names_the_seed(capsys, monkeypatch, fault, problem):
    monkeypatch.setattr(session, fault.__base__.__name__, fault)
    call = ["--games", "1", "--hands", "careful", "--sensing", "touch", "--seed", "10"]
    assert main([*call, "--game", QUICK]) == 1
    shown = capsys.readouterr().out
    assert "1 games by careful hands, felt by touch: 1 failed" in shown
    assert problem in shown
    again = f"--hands careful --sensing touch --seed 10 --backend sim --game {QUICK}"
    assert f'again: make soak ARGS="--games 1 {again}"' in shown
