"""Changes of a strip's levels, as they go to a Pico."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.framing import MOST_PAYLOAD, Frame, encode
from firmware.messages import unpack_pixels
from hal.backends.coprocessor.client import Report
from hal.backends.coprocessor.platform import MOST_UNDER_WAY, PicoPlatform, updates
from hal.lights import DARK, Colour, levels
from hal.profile import built_in


def applied(old: bytes, payloads: list[bytes]) -> tuple[bytes, list[bool]]:
    """Do what a Pico does with payloads of PIXELS; give its levels, and which were shown."""
    levels, shows = bytearray(old), []
    for payload in payloads:
        runs, show, clear = unpack_pixels(payload)
        if clear:
            levels[:] = bytes(len(levels))
        for offset, run in runs:
            levels[offset : offset + len(run)] = run
        assert len(levels) == len(old)
        shows.append(show)
    return bytes(levels), shows


@st.composite
def pairs(draw, size=414):
    """Draw two rows of levels that share long stretches, as frames do."""
    old = bytes(draw(st.lists(st.sampled_from([0, 10, 255]), min_size=size, max_size=size)))
    new = bytearray(old)
    for at in draw(st.lists(st.integers(0, size - 1), max_size=300)):
        new[at] ^= 7
    return old, bytes(new)


@settings(max_examples=30)
@given(pairs(), st.booleans())
def test_updates_bring_the_new_levels_and_show_them_once_at_the_end(rows, clear):
    old, new = rows
    payloads = updates(bytes(len(old)) if clear else old, new, clear=clear)
    levels, shows = applied(old, payloads)
    assert levels == new
    assert shows == [False] * (len(shows) - 1) + [True]
    assert all(len(payload) <= MOST_PAYLOAD for payload in payloads)


@pytest.mark.parametrize("level", range(0, 256, 5))
def test_updates_full_frame_of_112_pixels_is_at_most_400_bytes_on_the_wire(level):
    new = bytes((level + n) % 256 or 1 for n in range(336))
    wire = b"".join(
        encode(Frame(19, 1, 1, 1, each)) for each in updates(bytes(336), new, clear=True)
    )
    assert len(wire) <= 400


def test_updates_of_one_pixel_are_short():
    old = bytes(336)
    new = old[:30] + b"\x10\x20\x30" + old[33:]
    assert updates(old, new, clear=False) == [b"\x01\x1e\x00\x03\x10\x20\x30"]


class Line:
    """A client that records what it is given, and acknowledges what the test tells it to."""

    sessions = 1

    def __init__(self) -> None:
        self.refusals = 0
        self.posted: list[bytes] = []
        self.known: set[int] = set()

    def post(self, kind: int, payload: bytes) -> int:
        self.posted.append(payload)
        return len(self.posted)

    def has(self, number: int) -> bool:
        return number in self.known

    def states(self) -> list[Report]:
        return []


def test_frame_that_waited_for_the_pico_is_sent_as_soon_as_it_has_caught_up():
    profile, line = built_in("hexagon-61-pico"), Line()
    machine = PicoPlatform(profile, line)  # type: ignore[arg-type]
    strip = machine.pixels(profile.strip)
    dark = (DARK,) * profile.strip.pixels
    frames = [(Colour(level, 0, 0), *dark[1:]) for level in (1, 2, 3, 4)]
    for frame in frames:
        strip.show(frame)
    assert len(line.posted) == MOST_UNDER_WAY
    machine.advance(0.0)
    assert len(line.posted) == MOST_UNDER_WAY, "it has not caught up"
    line.known.add(1)
    machine.advance(0.0)
    shown, _ = applied(bytes(3 * profile.strip.pixels), line.posted)
    assert shown == levels(frames[-1], profile.strip.order)
    machine.advance(0.0)
    assert len(line.posted) == MOST_UNDER_WAY + 1


def test_frame_that_the_pico_could_not_follow_is_sent_whole_again():
    profile, line = built_in("hexagon-61-pico"), Line()
    strip = PicoPlatform(profile, line).pixels(profile.strip)  # type: ignore[arg-type]
    frame = (Colour(7, 8, 9),) * profile.strip.pixels
    strip.show(frame)
    line.known = {1}
    strip.show((DARK, *frame[1:]))
    line.known, line.refusals = {1, 2}, 1
    strip.show((DARK, *frame[1:]))
    whole = unpack_pixels(line.posted[-1])
    assert whole[2], "it begins with a strip that is cleared"
    assert sum(len(run) for _, run in whole[0]) >= 3 * (profile.strip.pixels - 1)
    strip.show((DARK, *frame[1:]))
    assert len(line.posted) == 3
