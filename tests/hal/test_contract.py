"""The contract of a backend, the same for every one of them."""

import threading
from dataclasses import replace

import pytest

from hal.backends.mock import MockBackend
from hal.base.errors import LightError, SpotError
from hal.base.events import CellTouch, KeyTouch, Moment, Palm
from hal.lights import DARK, Colour
from tests.helpers.boards.emulated_pi import KernelPlatform
from tests.helpers.boards.fake_soc import FakePiPlatform
from tests.helpers.boards.profiles import board_named
from tests.helpers.pico.backend import EmulatedCoprocessor

# Every backend, and a Pi with each way of wiring chips and pixels.
BOARDS = {
    "mock": ("mock", "hexagon-61", {}),
    "sim": ("sim", "hexagon-61", {}),
    "pi": ("pi", "hexagon-61", {}),
    "pi with a multiplexer": ("pi", "hexagon-61-mux", {}),
    "pi with pixels of four colours": ("pi", "hexagon-61", {"order": "GRBW"}),
    "pi above an emulated kernel": ("kernel", "hexagon-61", {}),
    "pi above an emulated kernel, with a multiplexer": ("kernel", "hexagon-61-mux", {}),
    "pi with rpi-ws281x": ("ws281x", "hexagon-61", {"driver": "pwm", "pin": 18}),
    "pi with a coupon": ("pi", "coupon-4", {}),
    "pico": ("coprocessor", "hexagon-61-pico", {}),
    "pi under a disc": ("pi", "disc-32", {}),
    "pico under a disc": ("coprocessor", "disc-32-pico", {}),
    "pi under a rectangle": ("pi", "rectangle-88", {}),
    "pico under a rectangle": ("coprocessor", "rectangle-88-pico", {}),
}
PALMS = {
    "coupon": ("a1", "a2", "b1", "b2"),
    "hexagon": ("d4", "d5", "e5", "e6"),
    "disc": ("c2", "c3", "d2", "d3"),
    "rectangle": ("D5", "D6", "E5", "E6"),
}
"""Cells side by side in the middle of each board."""


@pytest.fixture(params=BOARDS.values(), ids=BOARDS.keys())
def profile(request):
    _, name, strip = request.param
    profile = board_named(name)
    return replace(profile, strip=replace(profile.strip, **strip))


@pytest.fixture
def palm(profile):
    return PALMS[profile.name.partition("-")[0]]


@pytest.fixture
def rig(request, open_rig, profile, tmp_path, monkeypatch):
    name = request.node.callspec.params["profile"][0]
    platform = {"kernel": KernelPlatform, "ws281x": FakePiPlatform}.get(name)

    def make(profile, body):
        return platform(profile, body, tmp_path, monkeypatch)

    return open_rig("pi", profile, make=make) if platform else open_rig(name, profile)


def shown_by(backend):
    """Return what the pixels show, even when the backend is closed and cannot be asked."""
    if isinstance(backend, MockBackend):
        return backend.frames[-1]
    if isinstance(backend, EmulatedCoprocessor):
        return backend.latched()
    return backend.platform.latched()


def test_backend_reports_touches_of_cells_and_keys(rig, profile, palm):
    cell, far = palm[0], next(reversed(profile.cells))
    assert rig.run(1.0) == []
    rig.hands.press("page1.mouse", cell)
    rig.hands.press("page2.mouse", far)
    assert set(rig.run(0.2)) == {CellTouch(cell, Moment.DOWN), CellTouch(far, Moment.DOWN)}
    rig.hands.lift_all("page1.")
    assert rig.run(0.2) == [CellTouch(cell, Moment.UP)]
    rig.hands.lift("page2.mouse")
    assert rig.run(0.2) == [CellTouch(far, Moment.UP)]
    rig.hands.press("finger", "take_back")
    assert rig.run(0.2) == [KeyTouch("take_back", Moment.DOWN)]
    rig.hands.lift("finger")
    assert rig.run(0.2) == [KeyTouch("take_back", Moment.UP)]
    with pytest.raises(SpotError, match="'z9' is unknown"):
        rig.hands.press("finger", "z9")
    assert rig.run(0.2) == []


def test_backend_every_cell_is_felt_as_itself(rig, profile):
    for cell in profile.cells:
        rig.hands.press("finger", cell)
        rig.run(0.15)
        assert rig.device.backend.sense(rig.clock.now).cells == {cell}
        rig.hands.lift("finger")
        rig.run(0.15)


def test_backend_palm_is_told_and_nothing_of_it_felt(rig, palm):
    for cell in palm:
        rig.hands.press(f"palm {cell}", cell)
    assert rig.run(2.0) == [Palm(frozenset(palm))]
    rig.hands.lift_all("palm")
    assert rig.run(0.3) == []


def test_backend_lights_are_read_back_and_frames_of_wrong_length_not_shown(rig, profile):
    frame = tuple(Colour(n, 255 - n, n * 7 % 256) for n in range(profile.pixel_count))
    rig.device.backend.light(frame)
    with pytest.raises(LightError, match=f"allowed is {profile.pixel_count}"):
        rig.device.backend.light((DARK,) * (profile.pixel_count - 1))
    assert rig.device.backend.lit() == frame


def returns(wait) -> bool:
    """Return whether a wait without time-out ends; leave its thread behind if not."""
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(timeout=60.0)
    return not thread.is_alive()


def test_backend_wait_ends_on_a_wake_a_press_and_at_its_time_out(rig, palm):
    backend = rig.device.backend
    rig.run(1.0)
    backend.wait(0.0)
    backend.wake()
    assert returns(lambda: backend.wait(None)), "a wake that came before"
    threading.Timer(0.01, backend.wake).start()
    assert returns(lambda: backend.wait(None))
    rig.hands.press("finger", palm[0])
    assert returns(lambda: backend.wait(None))
    assert returns(lambda: backend.wait(0.001))


def test_backend_close_puts_the_lights_out(rig, profile):
    backend = rig.device.backend
    backend.light((Colour(9, 9, 9),) * profile.pixel_count)
    assert shown_by(backend) != (DARK,) * profile.pixel_count
    backend.close()
    backend.wake()
    backend.close()
    assert shown_by(backend) == (DARK,) * profile.pixel_count
