"""Boards wired at random, for those who learn: every electrode, chip and pixel in another place.

Owns the shuffling. Must not know who learns, nor how.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from hal.profile import ELECTRODES, Electrode, Key, Pin, Profile


def scrambled(profile: Profile, chance: Random) -> Profile:
    """Wire the same cells, lights and keys anew: same chips and strip, spare electrodes anywhere.

    Each chip gets the place of another one. Keys on pins stay where they are.
    """
    places = list(profile.chips)
    chance.shuffle(places)
    names = [chip.name for chip in profile.chips]
    pads = [Electrode(name, number) for name in names for number in range(ELECTRODES)]
    chance.shuffle(pads)
    pixels = list(range(profile.pixel_count))
    chance.shuffle(pixels)
    cells = {cell: pads.pop() for cell in profile.cells}
    keys: Mapping[str, Key] = {
        name: key if isinstance(key, Pin) else pads.pop() for name, key in profile.keys.items()
    }
    return replace(
        profile,
        chips=tuple(replace(each, name=n) for n, each in zip(names, places, strict=True)),
        cells=MappingProxyType(cells),
        keys=MappingProxyType(dict(keys)),
        pixels=MappingProxyType({spot: pixels.pop() for spot in profile.pixels}),
    )
