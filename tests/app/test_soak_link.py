"""Whole games by fake hands on a Pico that runs the firmware in real MicroPython."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from math import inf
from pathlib import Path
from random import Random

import pytest

from game.app import cli
from game.app.soak.carrier import CarrierError
from game.app.soak.link_mishaps import LONGEST_OUT_S, LinkMishaps
from game.app.soak.sitting import Parts, Plan, Sitting
from game.app.soak.soak import Figures, play_one
from game.rules.circle_of_life import GAME
from hal import built_in
from hal.errors import BackendError
from hal.sim.pico import Cause
from hal.sim.pico.backend import EmulatedCoprocessor
from hal.sim.pico.micropython import VARIABLE

BOARD = "hexagon-61-pico"
SHORT = {"target": "2"}
MODES = ("touch", "presence")


def plan(sensing: str, board: str = BOARD) -> Plan:
    return Plan(board, "clumsy", sensing, "coprocessor")


def why(figures: Figures) -> str:
    return "\n".join(f"{each.why}\n" + "\n".join(each.trace) for each in figures.failures)


@pytest.mark.parametrize("sensing", MODES)
def test_games_through_the_link_end_with_everything_alike(sensing: str):
    found = play_one(plan(sensing), 0, 40, Parts(options=SHORT, mishaps_s=8.0))
    assert not found.failed, why(found)
    assert found.counts["plies"] > 5
    assert sum(count for what, count in found.counts.items() if what.startswith("link.")) > 3


def test_same_seed_is_the_same_game():
    one, again = (play_one(plan("touch"), 0, 7, Parts(options=SHORT, mishaps_s=8.0)) for _ in "12")
    assert not one.failed, why(one)
    assert (one.counts, one.virtual_h) == (again.counts, again.virtual_h)


def test_pixels_that_show_something_else_are_found_out(tmp_path: Path):
    parts = Parts(options=SHORT, mishaps_s=inf)
    with closing(Sitting(plan("touch"), GAME, 9, tmp_path, parts)) as sitting:
        while sitting.now < 1.0:
            sitting._go_on()
        carrier = sitting._live.carrier
        carrier.check()
        carrier.backend.machine.unplug_strip()
        with pytest.raises(CarrierError, match="show what was not sent"):
            carrier.check()


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def move_on(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def board(tmp_path: Path) -> Iterator[tuple[EmulatedCoprocessor, Clock]]:
    clock = Clock()
    backend = EmulatedCoprocessor(
        built_in(BOARD), clock=clock, pass_time=clock.move_on, flash=tmp_path / "flash"
    )
    with closing(backend):
        yield backend, clock


def mishaps(board: tuple[EmulatedCoprocessor, Clock], mean_s: float = inf) -> LinkMishaps:
    return LinkMishaps(
        board[0], Random(1), mean_s, clock=board[1], tell=lambda what: None, counts=Counter()
    )


@pytest.mark.parametrize("what", ["cable", "power", "twice", "watchdog", "noise", "chip"])
def test_each_mishap_is_a_fault_or_none_and_is_over_by_itself(
    board: tuple[EmulatedCoprocessor, Clock], what: str
):
    backend, clock = board
    chance = mishaps(board)
    backend.sense(clock.now)
    chance.let_happen(what)
    end, seen = clock.now + 2 * LONGEST_OUT_S, 0
    while clock.now < end:
        clock.now = min(clock.now + 0.05, max(clock.now, chance.due))
        chance.act()
        seen += bool(backend.sense(clock.now).faults)
    assert chance.due == inf
    assert backend.faults() == ()
    assert bool(seen) is (what != "noise")
    if what in ("power", "watchdog"):
        assert backend.pico.boots[-1] is {"power": Cause.POWER_ON}.get(what, Cause.WATCHDOG)


def test_a_carrier_that_is_calmed_is_whole_at_once_and_has_no_more_mishaps(
    board: tuple[EmulatedCoprocessor, Clock],
):
    backend, clock = board
    chance = mishaps(board, 1.0)
    while backend.pico.plugged:
        clock.now = chance.due
        chance.act()
    chance.calm()
    assert backend.pico.plugged
    assert chance.due == inf


def test_command_plays_on_a_pico_and_tells_what_happened_to_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("game.app.soak.soak.play_one", lambda plan, number, seed: Figures(games=1))
    assert cli.main(["soak", "--games", "1", "--backend", "coprocessor"]) == 0
    told = capsys.readouterr().out
    assert "1 games by clumsy hands, felt by presence: none failed" in told
    assert "bites of its watchdog" in told


def test_command_says_what_to_install_where_there_is_no_micropython(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cli.main(["soak", "--games", "1", "--backend", "coprocessor"]) == 1
    assert "sudo apt install" in capsys.readouterr().err


def test_a_board_without_a_pico_is_refused():
    with pytest.raises(BackendError, match="not wired to a Pico"):
        play_one(plan("touch", "hexagon-61"), 0, 1)
