"""Whole games by fake hands, and the checks that detect errors."""

from dataclasses import replace
from typing import Any

import pytest

from game.play import default_board
from game.rules.base.message import Message
from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.store import Journal
from game.table.entries import EntryKind
from game.table.inputs import Input
from game.table.scene import Scene
from game.table.table import Table
from game.table.words import spoken_prompt
from tests.tools.soak import setting_up
from tests.tools.soak import soak as soaking
from tests.tools.soak.__main__ import main
from tests.tools.soak.session import Parts, Plan
from tests.tools.soak.slips import SLIPS
from tests.tools.soak.soak import Figures, play_one, soak
from tests.tools.soak.traits import HANDS

SHORT = {"target": "4"}
QUICK = "capture-go-7"
MODES = ("touch", "presence")
PICO = "hexagon-61-pico"


def plan(sensing: str, hands: str = "clumsy", game: str = GAME.name, by_ear: bool = False) -> Plan:
    return Plan(default_board("sim", find_game(game)).name, hands, sensing, "sim", game, by_ear)


@pytest.mark.parametrize("sensing", MODES)
@pytest.mark.parametrize("hands", sorted(HANDS.keys() - {"wild"}))
def test_games_by_all_kinds_of_hands_end_with_everything_alike(hands, sensing):
    found = play_one(plan(sensing, hands), 0, 40, Parts(options={"target": "10"}))
    assert not found.failed, found.failures
    assert found.counts["plies"] > 10


@pytest.mark.parametrize("help_level", ["1", "3:2,5"])
def test_games_of_people_with_help_end_with_everything_alike(help_level):
    helped = replace(plan("touch"), help_level=help_level)
    found = play_one(helped, 0, 3, Parts(options=SHORT))
    assert not found.failed, found.failures
    assert found.counts["plies"] > 4


def test_each_slip_really_happens_and_is_put_right():
    # Pieces are exchanged too rarely for a wrong one.
    missing = SLIPS.keys() - {"wrong_swap"}
    games = [(GAME.name, each) for each in MODES] + [("azteka", "touch"), ("adaptoid", "touch")]
    for seed in range(1, 6):
        for game, sensing in games if missing else ():
            found = play_one(plan(sensing, "wild", game), 0, seed)
            assert not found.failed, found.failures
            missing -= {slip.removeprefix("slip.") for slip in found.counts}
    assert not missing


@pytest.mark.parametrize("sensing", MODES)
@pytest.mark.parametrize(
    "game", [GAME.name, "azteka", "azteka-aggressive", "adaptoid", "cirkle-mind"]
)
def test_games_of_people_who_only_hear_end_with_everything_alike(game, sensing):
    # Without sight the pieces of an army cannot be told from each other once they are mixed up.
    hands = "careful" if game == "cirkle-mind" else "clumsy"
    found = play_one(plan(sensing, hands, game, by_ear=True), 0, 2)
    assert not found.failed, found.failures


def test_a_voice_that_leaves_out_cells_is_found_out(monkeypatch):
    real = spoken_prompt

    def said(*args: Any) -> tuple[Message, ...]:
        return tuple(
            Message(each.key, {name: arg for name, arg in each.args.items() if name != "cells"})
            for each in real(*args)
        )

    monkeypatch.setattr("game.play.voice.spoken_prompt", said)
    assert play_one(plan("touch", "careful", by_ear=True), 0, 2).failed


@pytest.mark.parametrize(("by_page", "sensing"), [(1.0, "touch"), (0.0, "presence")])
def test_games_with_a_set_up_in_secret_end_with_everything_alike(monkeypatch, by_page, sensing):
    monkeypatch.setattr(setting_up, "BY_PAGE", by_page)
    found = play_one(plan(sensing, "careful", "cirkle-mind"), 0, 2)
    assert not found.failed, found.failures


@pytest.mark.parametrize("sensing", MODES)
def test_games_through_the_link_to_a_pico_end_with_everything_alike(sensing):
    parts = Parts(options={"target": "2"}, mishaps_s=8.0)
    found = play_one(Plan(PICO, "clumsy", sensing, "coprocessor"), 0, 40, parts)
    assert not found.failed, found.failures
    assert sum(count for what, count in found.counts.items() if what.startswith("link.")) > 3


def test_same_seed_is_the_same_game_in_any_number_of_processes():
    games = plan("touch", "hasty", QUICK)
    alone, again, other = (soak(games, 2, *how) for how in ((70, 1), (70, 2), (71, 1)))
    assert (alone.counts, alone.virtual_hours) == (again.counts, again.virtual_hours)
    assert alone.virtual_hours != other.virtual_hours


class Forgetful(Journal):
    """A journal that does not write one of the moves."""

    def append(self, entries, outcome, now):
        if any(entry.kind is EntryKind.MOVE for entry in entries) and not hasattr(self, "forgot"):
            self.forgot = True
            return
        super().append(entries, outcome, now)


class Dark(Table):
    """A table that shows nothing any more after three moves."""

    def scene(self) -> Scene:
        scene = super().scene()
        if len(self.state.history) < 3:
            return scene
        return replace(scene, cells={}, prompt=(), notice=None)


class Broken(Table):
    """A table that raises."""

    def handle(self, event: Input, now: float):
        if len(self.state.history) == 2:
            raise ZeroDivisionError("the table has broken down")
        return super().handle(event, now)


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (Parts(journal=Forgetful, options=SHORT), "IllegalMove"),
        (Parts(table=Dark), "nothing to do for more than 2.0 s"),
        (Parts(table=Broken), "ZeroDivisionError: the table has broken down"),
    ],
    ids=lambda parts: "" if isinstance(parts, Parts) else parts,
)
def test_planted_fault_is_found_out(parts, problem):
    figures = play_one(plan("touch", "careful"), 7, 2, parts)
    (failure,) = figures.failures
    first, *trace, again = failure.splitlines()
    assert first.startswith("game 7 failed at ")
    assert problem in failure
    assert trace
    assert "--sensing touch --seed 2 " in again


def test_command_prints_figures_and_succeeds(capsys):
    assert main(["--games", "1", "--hands", "careful", "--seed", "4", "--game", QUICK]) == 0
    shown = capsys.readouterr().out
    for sensing in MODES:
        assert f"1 games by careful hands, felt by {sensing}: none failed" in shown
    assert "  plies\n" in shown


def test_command_fails_and_names_the_seed_when_a_game_fails(capsys, monkeypatch):
    real = soaking.play_one

    def second_fails(plan: Plan, number: int, seed: int) -> Figures:
        table = Broken if number == 1 else Table
        return real(plan, number, seed, Parts(table=table))

    monkeypatch.setattr(soaking, "play_one", second_fails)
    call = ["--games", "3", "--hands", "careful", "--sensing", "touch", "--seed", "10"]
    assert main([*call, "--game", QUICK]) == 1
    shown = capsys.readouterr().out
    assert "3 games by careful hands, felt by touch: 1 failed" in shown
    again = f"--hands careful --sensing touch --seed 11 --board hexagon-61 --game {QUICK}"
    assert f'make soak ARGS="--games 1 {again}"' in shown
