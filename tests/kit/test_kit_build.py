"""A kit is made of circuits that are the profile's, whatever they are planned to be."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from hal.profile import Profile
from hardware.kit import build
from hardware.kit.circuit.circuit import Circuit
from hardware.kit.contents import Contents
from hardware.kit.errors import KitError
from tests.helpers.kits.boards import layout_of_profile, permuted, seven_cells


def gathered(profile: Profile, *, tiled: bool = False) -> Contents:
    graph = graph_of(profile)
    assert graph is not None
    layout = layout_of_profile(profile)
    return build.gather(layout, artwork(profile, graph), tiled=tiled, source=profile.name)


def test_build_refuses_a_circuit_that_is_wired_for_another_profile(
    monkeypatch: pytest.MonkeyPatch,
):
    other = layout_of_profile(permuted(seven_cells(), 1))
    real = build.whole
    monkeypatch.setattr(build, "whole", lambda layout: real(other))
    with pytest.raises(KitError, match=r"the circuit seven cannot be made: .*(pad|pin)"):
        gathered(seven_cells())


def fewer(made: Sequence[Circuit]) -> tuple[Circuit, ...]:
    """Leave out the last tile."""
    return tuple(made[:-1])


def larger(made: Sequence[Circuit]) -> tuple[Circuit, ...]:
    """Make the first tile wider than tiles may be, with nothing on what is more."""
    first, *others = made
    right = max(at.x for at in first.outline)
    outline = tuple(at.moved(60) if at.x > right - 1 else at for at in first.outline)
    return (replace(first, outline=outline), *others)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(fewer, r"the circuits lack the pads \["), (larger, r"seven-t1 cannot be made: board is")],
)
def test_build_refuses_tiles_that_are_not_all_or_too_large(
    spoil: Callable[[Sequence[Circuit]], tuple[Circuit, ...]],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
):
    real = build.tiles
    monkeypatch.setattr(build, "tiles", lambda layout: spoil(real(layout)))
    with pytest.raises(KitError, match=message):
        gathered(seven_cells(), tiled=True)
