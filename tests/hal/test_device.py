"""The device: when it senses, when it sends frames, when it wants to be called."""

import pytest

from hal.backends.device import Device
from hal.base.faults import Fault, Trouble
from hal.lights import Colour, Glow, Rhythm

BLUE = Colour(0, 0, 255)


@pytest.fixture
def rig(open_rig):
    return open_rig("mock")


def test_device_is_due_for_the_slow_poll_when_idle(open_rig, profile):
    rig = open_rig("sim")
    now = rig.clock.now
    assert rig.device.due(now) == now
    rig.run(1.0)
    now = rig.clock.now
    rig.device.poll(now)
    assert 0.0 < rig.device.due(now) - now <= profile.sensing.poll_ms / 1000


def test_device_sends_a_frame_only_when_it_differs(rig):
    layers = [{"e5": Glow(BLUE, Rhythm.BLINK)}]
    sent = [rig.device.paint(layers, t / 10) for t in range(10)]
    assert sent == [n in (0, 5) for n in range(10)]
    assert len(rig.device.backend.frames) == 2


def test_device_that_is_not_lively_draws_only_when_its_layers_change(rig, profile):
    still = Device(profile, rig.device.backend, lively=False)
    still.poll(0.0)
    flashing = [{"e5": Glow(BLUE, Rhythm.FLASH)}]
    assert still.paint(flashing, 0.0)
    assert not still.paint(flashing, 0.15)
    assert still.due(0.15) > 0.15
    assert still.paint([{"e5": Glow(BLUE.scaled(0.5))}], 0.15)


def test_device_shows_one_glow_on_all_lights_until_it_is_taken_away(rig, profile):
    device, layers, red = rig.device, ({"e5": Glow(BLUE)},), Colour(255, 0, 0)
    device.poll(0.0)
    device.paint(layers, 0.0)
    before = device.backend.lit()
    device.cover(Glow(red, Rhythm.BLINK))
    assert device.due(1.0) == 1.0
    assert device.paint(layers, 1.0)
    assert device.due(1.0) == pytest.approx(1.5)
    shown = device.backend.lit()
    assert {shown[pixel].blue for pixel in profile.pixels.values()} == {0}
    assert all(shown[pixel].red for pixel in profile.pixels.values())
    device.cover(None)
    assert device.paint(layers, 1.1)
    assert device.backend.lit() == before


def test_device_tells_which_keys_are_pressed_as_far_as_they_can_be_felt(rig):
    device, now = rig.device, rig.clock.now
    rig.hands.press("thumb", "resign")
    device.poll(now)
    assert device.pressed == frozenset()
    device.poll(now + 0.020)
    assert device.pressed == {"resign"}
    nothing = frozenset()
    fault = Fault(Trouble.CHIP, "A", nothing, frozenset({"resign"}), "chip A does not answer")
    device.backend.faults = (fault,)
    device.poll(now + 0.040)
    assert device.pressed == frozenset()
    device.backend.faults = ()
    for later in range(1, 100):
        device.poll(now + 0.040 + later / 50)
    assert device.pressed == frozenset()
