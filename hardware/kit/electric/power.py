"""How the pixels are fed: where 5 V goes in, and through what supply, fuse and wires.

Owns these choices and their limits. What is left of 5 V at a pixel, `ladder` knows.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from hal.lights.frame import CHANNEL_MA, IDLE_MA
from hal.profile import Profile
from hardware.kit.electric.chain import Kind, Link, links, pieces, places, way_mm
from hardware.kit.electric.figure import Figure
from hardware.kit.electric.ladder import INLET_V, STRIP_V, TRUNK_MM, Ladder
from hardware.kit.electric.levels import Lengths
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout

LEAST_V = 4.5
"""Blue takes up to 3.4 V (WS2812B data sheet), and the pixel's current source what is above it.
With less colours fade before the pixel's controller fails, at 3.5 V."""
HEADROOM = 1.25
"""By how much fuse and supply exceed the budget: they carry 80 % of what is printed on them."""
FUSES_A = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
SUPPLIES_A = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
CARRIES_A = {0.75: 6.0, 1.0: 10.0, 1.5: 16.0}
"""What a wire carries, by its cross-section in mm2 (IEC 60335-1, as for cords of appliances)."""
MOST_UNFED = 60
"""A chain of more pixels is fed at both ends."""
FARTHEST_MM = 1000.0
"""Adafruit asks for a feed within this distance of each pixel of a strip."""
_OURS = "ours"
_AIR_W_M2K = 10.0
"""What a flat board gives to still air, radiation included; from both of its faces."""
_WARMER_K = 20.0


@dataclass(frozen=True, slots=True)
class Feeding:
    """Say how the strip is fed: what to buy, where 5 V goes in, and what is left at the worst.

    `feeds` are the numbers of the pixels before which 5 V and ground go in, `wire_mm2` is the
    cross-section of all their wires, also of those between two pieces of the chain.
    """

    budget_ma: int
    fuse_a: float
    supply_a: float
    wire_mm2: float
    feeds: tuple[int, ...]
    worst_pixel: int
    worst_v: float


def fuse_a(profile: Profile) -> float:
    """Choose the fuse: the next common size from 1.25 times the budget on."""
    return _next(FUSES_A, HEADROOM * profile.power.budget_ma / 1000, profile)


def supply_a(profile: Profile) -> float:
    """Choose the supply: as the fuse, and not below it. It limits itself before the fuse blows,
    which is there for supplies that give more."""
    return _next(
        SUPPLIES_A, max(HEADROOM * profile.power.budget_ma / 1000, fuse_a(profile)), profile
    )


def wire_mm2(profile: Profile) -> float:
    """Choose the cross-section of the wires for 5 V and ground: the least that carries the fuse."""
    return next(area for area, amperes in CARRIES_A.items() if amperes >= fuse_a(profile))


def feeds(layout: Layout) -> tuple[int, ...]:
    """Give the numbers of the pixels before which 5 V and ground go in, the first always.

    Raises KitError when that cannot keep every pixel at 4.5 V.
    """
    return feeding(layout).feeds


def feeding(layout: Layout) -> Feeding:
    """Work out how the strip of a board is fed; raise KitError when it cannot be."""
    profile = layout.profile
    fuse, wire = fuse_a(profile), wire_mm2(profile)
    ladder = Ladder(layout, fuse, wire)
    firsts = [piece.first for piece in pieces(layout)]
    chosen = _feeds_by_length(layout)
    while True:
        volts = ladder.voltages(chosen)
        worst = min(range(len(volts)), key=lambda pixel: volts[pixel])
        if volts[worst] >= LEAST_V:
            break
        # A piece has pads to solder to at its beginning; between two of its pixels it is fiddly.
        first = max(each for each in firsts if each <= worst)
        new = worst if first in chosen else first
        if new in chosen:
            raise KitError(
                f"voltage at pixel {worst} is {volts[worst]:.2f} V when"
                f" {profile.power.budget_ma} mA flow, wherever 5 V goes in: allowed are"
                f" {LEAST_V:.2f} V and more; bring the supply nearer, or lower budget_ma"
            )
        chosen.add(new)
    return Feeding(
        profile.power.budget_ma,
        fuse,
        supply_a(profile),
        wire,
        tuple(sorted(chosen)),
        worst,
        volts[worst],
    )


def power_figures(
    layout: Layout, found: Feeding, lengths: Lengths | None = None
) -> tuple[Figure, ...]:
    """List the figures of power, with what they may be.

    Without `lengths` the wires from inlet to clamps are taken to be as long as they may be, and
    those of feeds to begin at the inlet.
    """
    return (
        *_current_figures(layout.profile, found),
        *_feed_figures(layout, found, lengths),
        *_heat_figures(layout, found),
    )


def _current_figures(profile: Profile, found: Feeding) -> tuple[Figure, ...]:
    white_ma = profile.pixel_count * (3 * CHANNEL_MA + IDLE_MA)
    idle_ma = profile.pixel_count * IDLE_MA
    return (
        Figure(
            "current, all pixels white",
            white_ma / 1000,
            "A",
            None,
            None,
            f"{profile.pixel_count} pixels x (3 x {CHANNEL_MA:g} + {IDLE_MA:g} mA), data sheet",
            "the program dims it to the budget",
            2,
        ),
        Figure(
            "current of the strip",
            found.budget_ma,
            "mA",
            idle_ma,
            None,
            "budget_ma in [power], kept by the program",
            "all pixels dark",
            0,
        ),
        Figure(
            "fuse, time-lag",
            found.fuse_a,
            "A",
            HEADROOM * found.budget_ma / 1000,
            None,
            f"current x {HEADROOM:g}, next common size",
            "80 % of what is printed",
            2,
        ),
        Figure(
            "supply, 5 V",
            found.supply_a,
            "A",
            found.fuse_a,
            None,
            f"current x {HEADROOM:g}, next common size",
            "the fuse; a supply limits itself at its current, the fuse is for one that gives more",
            1,
        ),
        Figure(
            "wires for 5 V and ground",
            found.wire_mm2,
            "mm2",
            wire_mm2(profile),
            None,
            "carries the fuse",
            "IEC 60335-1",
            2,
        ),
    )


def _feed_figures(layout: Layout, found: Feeding, lengths: Lengths | None) -> tuple[Figure, ...]:
    at = places(layout)
    longest = max(way_mm(layout.geometry.supply, at[pixel]) for pixel in found.feeds)
    trunk_mm = TRUNK_MM
    if lengths is not None:
        longest, trunk_mm = lengths.feed_mm, lengths.trunk_mm
    return (
        Figure(
            "places where 5 V goes in",
            len(found.feeds),
            "",
            1,
            None,
            "before pixels " + ", ".join(map(str, found.feeds)),
            _OURS,
            0,
        ),
        Figure(
            "voltage at the inlet, at least",
            INLET_V,
            "V",
            None,
            None,
            "the guide has it measured, before and while the board plays",
            "ours: 5 V less 2 %; pixels stand 3.5 to 5.3 V (WS2812B data sheet)",
            1,
        ),
        Figure(
            "wires of inlet, fuse and clamps",
            trunk_mm,
            "mm",
            None,
            TRUNK_MM,
            "together, without those to pixels",
            "ours: so much is in the least voltage",
            0,
        ),
        Figure(
            "longest wire of a feed",
            longest,
            "mm",
            None,
            None,
            "along the sides, and 55 mm; from its clamp",
            _OURS,
            0,
        ),
        Figure(
            f"least voltage, at pixel {found.worst_pixel}",
            found.worst_v,
            "V",
            LEAST_V,
            None,
            f"{INLET_V:g} V at the inlet less fuse, clamps, wires and strip; the budget where it"
            " draws most",
            "ours: 3.4 V for blue (WS2812B data sheet), and its current source",
        ),
    )


def _heat_figures(layout: Layout, found: Feeding) -> tuple[Figure, ...]:
    area_m2 = 2 * layout.box.width * layout.box.height / 1e6
    watts = STRIP_V * found.budget_ma / 1000
    warmer = watts / area_m2 / _AIR_W_M2K
    return (
        Figure("heat of the strip", watts, "W", None, None, "5 V x current", _OURS, 1),
        Figure(
            "board warmer than air by",
            warmer,
            "K",
            None,
            _WARMER_K,
            f"heat / (both faces x {_AIR_W_M2K:g} W/m2K)",
            "ours: acrylic bends from 80 C on",
            1,
        ),
    )


def _next(sizes: Iterable[float], least: float, profile: Profile) -> float:
    ordered = tuple(sizes)
    for size in ordered:
        if size >= least - 1e-9:
            return size
    most = int(ordered[-1] / HEADROOM * 1000)
    raise KitError(f"budget_ma is {profile.power.budget_ma}: allowed is up to {most} mA for a kit")


def _feeds_by_length(layout: Layout) -> set[int]:
    """Feed the first pixel, the last of many, and each strip so that no pixel is far from it."""
    count = layout.profile.pixel_count
    chosen = {0}
    if count > MOST_UNFED:
        chosen.add(count - 1)
    all_links = links(layout)
    firsts = [piece.first for piece in pieces(layout)]
    while True:
        far = _distances(all_links, chosen, count)
        worst = max(range(count), key=lambda pixel: far[pixel])
        if far[worst] <= FARTHEST_MM + 1e-6:
            return chosen
        first = max(each for each in firsts if each <= worst)
        chosen.add(worst if first in chosen else first)


def _distances(all_links: tuple[Link, ...], chosen: Collection[int], count: int) -> list[float]:
    """Give how much strip is between each pixel and the nearest feed; thick wires count as none."""
    lengths = [0.0 if link.kind is Kind.SINGLE else link.length_mm for link in all_links]
    far = [0.0 if pixel in chosen else float("inf") for pixel in range(count)]
    for pixel in range(1, count):
        far[pixel] = min(far[pixel], far[pixel - 1] + lengths[pixel - 1])
    for pixel in range(count - 2, -1, -1):
        far[pixel] = min(far[pixel], far[pixel + 1] + lengths[pixel])
    return far
