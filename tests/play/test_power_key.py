"""The key that switches off: what counts as a hold, what is seen of it, what it leaves alone."""

from contextlib import closing
from dataclasses import replace

import pytest

from game.play.input_mapping import HOLD_S, NOTICE_S, READY_S, SHUTDOWN_KEY, HoldState, PowerKey
from hal.lights import DARK
from hal.profile import Profile, built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.profiles import spare_electrode

# A press or its end counts after a few milliseconds of debouncing.
BELIEVED_S = 0.1


def test_key_is_looked_at_once_more_when_it_may_be_pressed():
    key = PowerKey()
    key.update(False, 0.0)
    # Without that step the first hold of a quiet board would count as a stuck key.
    assert key.due(0.0) == READY_S
    key.update(False, READY_S)
    key.update(True, 60.0)
    assert key.hold is HoldState.HELD


def on_pad(profile: Profile) -> Profile:
    return replace(profile, keys={**profile.keys, SHUTDOWN_KEY: spare_electrode(profile)})


@pytest.fixture(params=["touch, pad", "presence, button"])
def room(request, tmp_path):
    mode, _, key = request.param.partition(", ")
    profile = built_in()
    profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
    with closing(EmulatedGame(on_pad(profile) if key == "pad" else profile, tmp_path)) as room:
        yield room


def dark(room: EmulatedGame) -> bool:
    return set(room.pi.latched()) == {DARK}


def test_holding_the_key_puts_out_all_lights_and_switches_off(room):
    room.pi.press("thumb", SHUTDOWN_KEY)
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


def test_letting_go_brings_all_lights_back_and_says_how_to_switch_off(room):
    before, saved, state = room.pi.latched(), room.saved, room.table.state
    room.pi.press("thumb", SHUTDOWN_KEY)
    room.run(HOLD_S - 0.2)
    assert room.pi.latched() != before
    room.pi.lift("thumb")
    room.run(BELIEVED_S)
    assert room.pi.latched() == before
    assert room.watcher.newest.scene.notice.key == "power.hold"
    assert (room.table.state, room.saved, room.session.switched_off) == (state, saved, False)
    room.run(NOTICE_S)
    assert room.watcher.newest.scene.notice is None


class Stuck(EmulatedGame):
    """A game in which something lies on the key before the first step."""

    def run(self, seconds: float) -> None:
        if not self.now:
            self.pi.press("something", SHUTDOWN_KEY)
        super().run(seconds)


@pytest.mark.parametrize("profile", [built_in(), on_pad(built_in())], ids=["button", "pad"])
def test_key_that_is_stuck_from_the_start_never_switches_off(profile, tmp_path):
    # At the start a pad is sensed only against its saved empty reading.
    EmulatedGame(profile, tmp_path).close()
    with closing(Stuck(profile, tmp_path)) as room:
        assert SHUTDOWN_KEY in room.device.pressed
        room.run(60.0)
        assert not room.session.switched_off
        room.pi.lift("something")
        room.run(1.0)
        room.pi.press("thumb", SHUTDOWN_KEY)
        room.run(HOLD_S + BELIEVED_S)
        assert room.session.switched_off


def test_play_goes_on_while_the_key_is_held_on_a_pad_until_its_chip_goes(tmp_path):
    with closing(EmulatedGame(on_pad(built_in()), tmp_path)) as room:
        (chip,) = (
            each for each in room.profile.chips if each.name == room.profile.keys[SHUTDOWN_KEY].chip
        )
        room.pi.press("thumb", SHUTDOWN_KEY)
        room.run(0.5)
        room.tap("e5")
        assert room.plies == 1
        room.run(HOLD_S - 2.0)
        wires = room.pi.platform.cable(chip)
        emulated = wires.detach(chip.address)
        room.run(1.0)
        assert not dark(room)
        wires.attach(chip.address, emulated)
        room.run(60.0)
        assert not room.session.switched_off
