"""For which boards there are kits, and how the others are refused."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from hal.profile import Chip, Profile, built_in
from hardware.kit.errors import KitError
from hardware.kit.scope import check_scope


def test_scope_refuses_the_other_spi():
    profile = built_in("hexagon-37")
    with pytest.raises(KitError, match=r"pin is 20, .* allowed with a kit is 10"):
        check_scope(replace(profile, strip=replace(profile.strip, pin=20)))


@pytest.mark.parametrize("bus", [0, 4])
def test_scope_refuses_buses_that_the_guide_does_not_set_up(bus: int):
    profile = built_in("hexagon-37")
    wrong = replace(profile, chips=(*profile.chips, Chip("X", bus, 0x5A)))
    with pytest.raises(KitError, match=rf"chip X is on bus {bus}, .*allowed with a kit are buses"):
        check_scope(wrong)


def unlit(count: int) -> Profile:
    profile = built_in("hexagon-37")
    kept = dict(list(profile.pixels.items())[count:])
    return replace(profile, pixels=MappingProxyType(kept))


def test_scope_takes_a_few_dead_pixels_and_refuses_many():
    check_scope(unlit(10))
    with pytest.raises(
        KitError, match=r"pixels is 51, of which 11 light nothing, .* up to 10 such"
    ):
        check_scope(unlit(11))
