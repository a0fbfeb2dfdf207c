"""The key that switches off: what counts as a hold, what is seen of it, what it leaves alone."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from game.play.power_key import GAP_S, HOLD_S, KEY, NOTICE_S, READY_S, HoldState, PowerKey
from game.table.phases import Phase
from hal.lights import DARK
from hal.profile import Profile, built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.profiles import spare_electrode

# A press or its end counts after a few milliseconds of debouncing.
BELIEVED_S = 0.1


class Clocked:
    """A key alone, polled every 20 ms on a clock of the test."""

    def __init__(self, pressed: bool = False) -> None:
        self.now = 50.0
        self.key = PowerKey()
        self.run(READY_S + 0.1, pressed)

    def run(self, seconds: float, pressed: bool) -> HoldState:
        for _ in range(round(seconds / 0.02)):
            self.key.update(pressed, self.now)
            self.now += 0.02
        return self.key.hold


def test_key_switches_off_after_three_seconds_and_not_before():
    clocked = Clocked()
    assert clocked.run(HOLD_S - 0.1, True) is HoldState.HELD
    assert clocked.run(0.2, True) is HoldState.OFF
    assert clocked.run(5.0, False) is HoldState.OFF
    assert clocked.key.notice.key == "power.off"


def test_key_that_is_let_go_begins_anew():
    clocked = Clocked()
    for _ in range(3):
        assert clocked.run(HOLD_S - 0.1, True) is HoldState.HELD
        assert clocked.run(0.1, False) is HoldState.IDLE
        assert clocked.key.share == 0.0


def test_time_between_steps_is_no_hold():
    clocked = Clocked()
    clocked.run(0.1, True)
    clocked.key.update(True, clocked.now + 10 * HOLD_S)
    assert clocked.key.hold is HoldState.HELD
    assert clocked.key.share <= (0.1 + GAP_S) / HOLD_S


def on_pad(profile: Profile) -> Profile:
    return replace(profile, keys={**profile.keys, KEY: spare_electrode(profile)})


@pytest.fixture(params=["touch, pad", "presence, button"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmulatedGame]:
    mode, _, key = request.param.partition(", ")
    profile = built_in()
    profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
    with closing(EmulatedGame(on_pad(profile) if key == "pad" else profile, tmp_path)) as room:
        yield room


@pytest.fixture
def padded(tmp_path: Path) -> Iterator[EmulatedGame]:
    with closing(EmulatedGame(on_pad(built_in()), tmp_path)) as room:
        yield room


def dark(room: EmulatedGame) -> bool:
    return set(room.pi.latched()) == {DARK}


def test_holding_the_key_puts_out_all_lights_and_switches_off(room: EmulatedGame):
    room.pi.press("thumb", KEY)
    counts = []
    for _ in range(6):
        room.run(HOLD_S / 6 - 0.01)
        assert not room.session.switched_off
        counts.append(sum(colour == DARK for colour in room.pi.latched()))
    assert counts == sorted(counts)
    assert counts[-1] > max(counts[0] + 20, 0.95 * room.profile.pixel_count)
    room.run(BELIEVED_S + 0.1)
    assert room.session.switched_off
    assert dark(room)
    assert room.watcher.newest.scene.notice.key == "power.off"
    room.pi.lift("thumb")
    room.run(5.0)
    assert room.session.switched_off
    assert dark(room)


def test_letting_go_brings_all_lights_back_at_once(room: EmulatedGame):
    before = room.pi.latched()
    state = room.table.state
    room.pi.press("thumb", KEY)
    room.run(HOLD_S - 0.2)
    assert room.pi.latched() != before
    room.pi.lift("thumb")
    room.run(BELIEVED_S)
    assert room.pi.latched() == before
    assert (room.table.state, room.session.switched_off) == (state, False)


def test_short_touch_says_how_to_switch_off_and_changes_nothing(room: EmulatedGame):
    saved, before = room.saved, room.table.state
    room.tap(KEY)
    assert room.watcher.newest.scene.notice.key == "power.hold"
    assert (room.table.state, room.saved) == (before, saved)
    room.run(NOTICE_S)
    assert room.watcher.newest.scene.notice is None


def held(room: EmulatedGame) -> bool:
    room.pi.press("thumb", KEY)
    room.run(HOLD_S + BELIEVED_S)
    return room.session.switched_off


def test_key_works_while_who_begins_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("game.table.players.DRAW_S", 60.0)
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        assert room.table.state.phase is Phase.DRAW
        assert held(room)


def test_key_works_while_play_is_paused_by_a_fault(room: EmulatedGame):
    chip = room.profile.chips[-1]
    room.pi.platform.cable(chip).detach(chip.address)
    room.pi.platform.unplug_strip()
    room.run(2.0)
    assert room.has_faults
    assert held(room)


def test_chip_that_goes_while_the_key_is_held_cancels(padded: EmulatedGame):
    (chip,) = (each for each in padded.profile.chips if each.name == padded.profile.keys[KEY].chip)
    padded.pi.press("thumb", KEY)
    padded.run(HOLD_S - 0.5)
    wires = padded.pi.platform.cable(chip)
    emulated = wires.detach(chip.address)
    padded.run(1.0)
    assert not dark(padded)
    wires.attach(chip.address, emulated)
    padded.run(60.0)
    assert not padded.session.switched_off
    padded.pi.lift("thumb")
    padded.run(1.0)
    assert held(padded)


class Stuck(EmulatedGame):
    """A game in which something lies on the key before the first step."""

    def run(self, seconds: float) -> None:
        if not self.now:
            self.pi.press("something", KEY)
        super().run(seconds)


@pytest.mark.parametrize("profile", [built_in(), on_pad(built_in())], ids=["button", "pad"])
def test_key_that_is_stuck_from_the_start_never_switches_off(profile: Profile, tmp_path: Path):
    # At the start a pad is sensed only against its saved empty reading.
    with closing(EmulatedGame(profile, tmp_path)) as room:
        room.run(60.0)
    with closing(Stuck(profile, tmp_path)) as room:
        assert KEY in room.device.pressed
        room.run(60.0)
        assert not room.session.switched_off
        room.pi.lift("something")
        room.run(1.0)
        assert held(room)


def test_play_goes_on_while_the_key_is_held(padded: EmulatedGame):
    padded.pi.press("thumb", KEY)
    padded.run(0.5)
    padded.tap("e5")
    assert padded.plies == 1
    padded.pi.lift("thumb")
    padded.run(BELIEVED_S)
    assert not padded.session.switched_off
