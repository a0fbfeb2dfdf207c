"""Boards for the tests of the kit: those that ship, and the same with their wiring permuted."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random
from types import MappingProxyType
from typing import TypeVar

from game.play.board_mapping import graph_of
from hal.profile import Electrode, Profile, built_in
from hal.profile.geometry import Point
from hardware.kit.electric.chain import pieces
from hardware.kit.layout import Grid, Layout, upper_side
from hardware.kit.underside import lay_out

T = TypeVar("T")

KINDS = ("hexagon-61", "hexagon-37", "disc-32", "rectangle-88")
"""One board of each form: the others have the same parts there, but chips elsewhere."""
VARIED = ("hexagon-61", "hexagon-61-mux", "disc-32-pico", "rectangle-88")
"""Each form, two buses, a multiplexer, and a Pico."""


@cache
def layout_of(name: str) -> Layout:
    """Lay out a board that ships."""
    return layout_of_profile(built_in(name))


def layout_of_profile(profile: Profile) -> Layout:
    graph = graph_of(profile)
    assert graph is not None, profile.name
    return lay_out(profile, Grid(graph.shape), graph.centres)


def permuted(profile: Profile, seed: int) -> Profile:
    """Exchange the electrodes of each chip among each other, the chips' names, and the pixels.

    So the pads of a chip stay near each other, as they must, and all else changes. Pieces of strip
    are joined in another order, and some turned round, so that their wires stay where they were.
    """
    chance = Random(seed)
    names = [chip.name for chip in profile.chips]
    renamed = dict(zip(names, mixed(chance, names), strict=True))
    numbers = {name: mixed(chance, range(12)) for name in names}
    graph = graph_of(profile)
    assert graph is not None, profile.name
    chain = mixed(chance, pieces(upper_side(profile, Grid(graph.shape), graph.centres)))
    order = [n for each in chain for n in each.pixels[:: chance.choice((1, -1))]]
    places = {old: new for new, old in enumerate(order)}

    def moved(pad: Electrode) -> Electrode:
        return Electrode(renamed[pad.chip], numbers[pad.chip][pad.electrode])

    return replace(
        profile,
        cells=MappingProxyType({cell: moved(pad) for cell, pad in profile.cells.items()}),
        keys=MappingProxyType(
            {
                key: moved(on) if isinstance(on, Electrode) else on
                for key, on in profile.keys.items()
            }
        ),
        pixels=MappingProxyType({spot: places[n] for spot, n in profile.pixels.items()}),
    )


def with_pixels_mixed(layout: Layout, seed: int) -> Layout:
    """Light all places with other pixels; nothing is laid out anew, so all has room as before."""
    numbers = mixed(Random(seed), [light.pixel for light in layout.lights])
    pairs = zip(layout.lights, numbers, strict=True)
    return replace(layout, lights=tuple(replace(light, pixel=number) for light, number in pairs))


def mixed(chance: Random, things: Iterable[T]) -> list[T]:
    ordered = list(things)
    return chance.sample(ordered, len(ordered))


def seven_cells() -> Profile:
    """Give the smallest hexagon, on two chips: quickly made, and with one of everything."""
    whole = built_in("hexagon-37")
    assert whole.geometry is not None
    rows = {"a": 2, "b": 3, "c": 2}
    cells = [f"{row}{n + 1}" for row, count in rows.items() for n in range(count)]
    pads = {cell: Electrode("AB"[n % 2], n // 2) for n, cell in enumerate(cells)}
    pads |= {"choice1": Electrode("A", 11), "choice2": Electrode("B", 7)}
    beside = {"score1": 3, "turn1": 1, "choice1": 1}
    lit = [*cells, *(f"{group}.{n}" for group, count in beside.items() for n in range(count))]
    places = {f"score1.{n}": Point(-16.7 + 16.7 * n, -80.0) for n in range(3)}
    places |= {"turn1.0": Point(-50.0, -80.0), "choice1.0": Point(-66.6, 0.0)}
    keys = {"choice1": Point(-66.6, 0.0), "choice2": Point(66.6, 0.0)}
    buttons = {"new_game": Point(60.0, -80.0), "resign": Point(84.0, -80.0)}
    return replace(
        whole,
        name="seven",
        title="Seven cells",
        chips=whole.chips[:2],
        cells=MappingProxyType({cell: pads[cell] for cell in cells}),
        keys=MappingProxyType(
            {key: whole.keys[key] for key in buttons} | {key: pads[key] for key in keys}
        ),
        pixels=MappingProxyType({spot: pixel for pixel, spot in enumerate(lit)}),
        pixel_count=len(lit),
        strip=replace(whole.strip, pixels=len(lit)),
        lights=MappingProxyType(beside),
        power=replace(whole.power, budget_ma=800),
        geometry=replace(
            whole.geometry,
            margin_mm=60.0,
            computer=Point(0.0, 69.0),
            supply=Point(-80.0, 60.0),
            lights=MappingProxyType(places),
            keys=MappingProxyType(keys | buttons),
        ),
    )


@cache
def seven_laid() -> Layout:
    """Lay out that small board."""
    return layout_of_profile(seven_cells())
