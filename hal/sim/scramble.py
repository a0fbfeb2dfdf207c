"""Boards wired at random, to be learned: all electrodes, chips and pixels are shuffled."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from hal.profile import ELECTRODES, Electrode, Key, Pin, Profile


def scrambled(profile: Profile, chance: Random) -> Profile:
    """Rewire the same cells, lights and keys: same chips and strip, spare electrodes anywhere.

    The chips swap places. Keys on pins stay where they are.
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
