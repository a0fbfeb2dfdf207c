"""Faults in play: each is found within a second, shown, healed, and causes no move."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from errno import ENODEV
from math import inf
from typing import Any

import pytest

from game.play.input_mapping import CELL_KEY
from game.table import Cue, Phase
from game.table.inputs import Touched
from hal.base.errors import PinInUse
from hal.base.events import Trouble
from hal.profile import Pin, built_in
from hal.sensing.sensor_array import LONGEST_RETRY_S
from hal.sim.body import CUT_PF
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.bad_wires import garble, heal
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.profiles import board_named
from tests.helpers.pico.backend import EmulatedCoprocessor

FOUND_S = 1.0
HEALED_S = LONGEST_RETRY_S + 1.0


@pytest.fixture(params=["hexagon-61", "hexagon-61-mux", "hexagon-61-pico"])
def profile(request):
    return board_named(request.param)


@pytest.fixture
def room(profile, tmp_path):
    with closing(EmulatedGame(profile, tmp_path)) as room:
        for cell in ("e5", "a1", "i5"):
            room.tap(cell)
        assert room.plies == 3
        yield room


Mend = Callable[[], None]


def chip_of(room: EmulatedGame, cell: str):
    name = room.profile.cells[cell].chip
    return next(chip for chip in room.profile.chips if chip.name == name)


def detached_chip(room: EmulatedGame) -> Mend:
    chip = chip_of(room, "e4")
    wires = room.pi.platform.cable(chip)
    emulated = wires.detach(chip.address)
    return lambda: wires.attach(chip.address, emulated)


def zeros(room: EmulatedGame) -> Mend:
    """A chip that answers only zeros: the status looks like an empty board."""
    chip = chip_of(room, "e4")
    wires = room.pi.platform.cable(chip)
    garble(wires, chip.address, b"\x00")
    return lambda: heal(wires, chip.address)


def power_cycled_chip(room: EmulatedGame) -> Mend:
    room.pi.body.chips[chip_of(room, "e4").name].power_cycle()
    return lambda: None


def lost_line(room: EmulatedGame) -> Mend:
    """A Pi loses the strip's device; a Pico, which has none, loses its cable but not its power."""
    if isinstance(room.pi, EmulatedCoprocessor):
        room.pi.pico.unplug(power=False)
        return room.pi.pico.plug
    strip = room.pi.platform.strip
    strip.failing = ENODEV
    return lambda: setattr(strip, "failing", 0)


def lost_power(room: EmulatedGame) -> Mend:
    """A Pico loses its cable and power; a Pi loses the strip's device."""
    if isinstance(room.pi, EmulatedCoprocessor):
        room.pi.pico.unplug(power=True)
        return room.pi.pico.plug
    return lost_line(room)


def shorted_electrode(room: EmulatedGame) -> Mend:
    room.pi.body.damage("e4", inf)
    return lambda: room.pi.body.damage("e4", None)


FAULTS = {
    detached_chip: Trouble.CHIP,
    power_cycled_chip: Trouble.CHIP,
    lost_line: Trouble.STRIP,
    lost_power: Trouble.STRIP,
    shorted_electrode: Trouble.SHORT,
}


@pytest.mark.parametrize("break_it", FAULTS, ids=lambda each: each.__name__)
def test_fault_in_play_is_shown_and_pauses_it_until_it_is_mended(room, break_it):
    before, saved = room.text, len(room.saved)
    mend = break_it(room)
    pauses, end = [], room.now + FOUND_S
    while room.now < end:
        room.run(0.02)
        pauses += [fault.trouble for fault in room.device.faults]
    wanted = FAULTS[break_it]
    is_link = wanted is Trouble.STRIP and room.profile.pico is not None
    assert (Trouble.LINK if is_link else wanted) in pauses
    if break_it is not power_cycled_chip:
        assert room.has_faults
        faulty = frozenset().union(*(fault.cells for fault in room.device.faults))
        assert all(room.cue(cell) is Cue.FAULT for cell in faulty)
        assert wanted is Trouble.STRIP or "e4" in faulty
        for cell in ("e4", "d5", "b2", "h3"):
            room.tap(cell)
        assert room.text == before
    mend()
    room.run(HEALED_S)
    assert room.device.faults == ()
    assert not room.has_faults
    assert room.text == before
    assert len(room.saved) == saved
    assert room.light("i5") != (0, 0, 0)
    room.tap("e4")
    assert room.plies == 4


def test_dead_cells_are_masked_by_key_and_touched_by_key_or_page(profile, tmp_path):
    keys = {**profile.keys, CELL_KEY: Pin(5 if profile.pico is None else 13)}
    with closing(EmulatedGame(replace(profile, keys=keys), tmp_path)) as room:
        room.tap("e5")
        room.pi.body.damage("e4", inf)
        room.pi.body.damage("c2", CUT_PF)
        room.run(FOUND_S)
        assert room.has_faults
        room.tap(CELL_KEY, 1.0)
        assert not room.has_faults
        assert room.device.masked == {"e4", "c2"}
        assert room.cue("c2") is Cue.CURSOR
        room.tap(CELL_KEY)
        assert room.cue("e4") is Cue.CURSOR
        room.tap(CELL_KEY, 1.0)
        # Of cells that are not masked the sensor decides.
        for cell in ("d5", "c2"):
            room.session.give(Touched(cell))
            room.run(0.1)
        assert [ply.text for ply in room.table.state.history] == ["e5", "e4", "c2"]


def put(room: EmulatedGame, cell: str) -> None:
    room.pi.body.put(cell)
    room.run(1.0)


@pytest.mark.parametrize(
    "break_it",
    [detached_chip, zeros, power_cycled_chip, lost_line, shorted_electrode],
    ids=lambda each: each.__name__,
)
def test_fault_under_standing_stones_moves_nothing(profile, tmp_path, break_it):
    sensed = replace(profile, sensing=replace(profile.sensing, mode="presence"))
    with closing(EmulatedGame(sensed, tmp_path)) as room:
        room.run(3.0)
        for cell in ("e4", "a1", "i5"):
            put(room, cell)
        assert room.plies == 3
        before = room.text
        mend = break_it(room)
        room.run(FOUND_S)
        mend()
        room.run(HEALED_S)
        assert not room.has_faults
        assert room.text == before
        assert room.table.state.phase is Phase.TAP
        put(room, "c3")
        assert room.plies == 4


def test_pins_in_use_are_named_while_play_goes_on_without_them(tmp_path, monkeypatch):
    holders, open_line = ["GPIO4 (dtoverlay=w1-gpio)"], EmulatedPlatform.line

    def line(*arguments: Any) -> object:
        if holders:
            raise PinInUse(*holders)
        return open_line(*arguments)

    monkeypatch.setattr(EmulatedPlatform, "line", line)
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        said = room.table.scene().prompt
        assert [each.args for each in said if each.key == "fault.line_pin"] == [{"pin": holders[0]}]
        assert not room.has_faults
        room.tap("e5")
        assert room.plies == 1
        holders.clear()
        room.run(HEALED_S)
        assert "fault.line_pin" not in {each.key for each in room.table.scene().prompt}
