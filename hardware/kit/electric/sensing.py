"""How a pad is felt: its capacitance, the charge that suits it, what a finger or a stone changes.

Owns the capacitances of copper, wire and cover, in pF and mm, and their limits. How the chip
measures is known to `hal.measuring.charge`. Must not know how wires and tracks run.

Where the field goes partly through a layer and partly through air, it is taken to go through the
layer alone: that makes the empty pad too large rather than too small, and a finger's share too low.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, pi, sqrt

from hal.measuring.charge import (
    LARGEST,
    LOWEST_COUNTS,
    SATURATED_COUNTS,
    SMALLEST,
    TARGET_COUNTS,
    TOP_COUNTS,
    Charge,
    better_charge,
    fits,
)
from hal.measuring.margins import LEAST_CHANGE
from hal.profile import PRESENCE
from hal.profile.geometry import Geometry
from hardware.kit.circuit.circuit import EDGE_MM, TRACK_MM
from hardware.kit.electric.figure import Figure
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout, Sensor

VACUUM_PF_MM = 8.854e-3
ACRYLIC, FR4, AIR = 3.0, 4.4, 1.0
"""How much better than vacuum a material carries the field."""
BOARD_MM = 1.6
"""The thickness of a printed circuit."""

FINGER_MM = 8.0
"""A fingertip, as a disc (Microchip)."""
FOOT_MM = 10.0
"""The opening in the ring of metal under a stone; the ring reaches to the edge of the guard."""

CHIP_PF = 5.0
"""The chip's pin and the track of its breakout: ours, so that a pad wired shortly has 10 pF."""
WIRE_PF_MM = 0.05
"""Flat cable of 1.27 mm, between neighbours that the chip holds at ground: makers say 45 to 50 pF a
metre. A wire by itself has less."""

SMALLEST_PF = SMALLEST.capacitance_pf(TOP_COUNTS)
LARGEST_PF = LARGEST.capacitance_pf(LOWEST_COUNTS)
"""What the chip can measure at 3.3 V, by its data sheet's equation."""

LONGEST_MM = 300.0
"""For a pad's wire and for its track (Cypress KBA227570)."""
THINNEST_COVER_MM = 0.9
"""Of acrylic, against a spark of 12 kV (Cypress 001-64846)."""
GAPS_MM = (0.5, 2.0)
"""From pad to guard (Cypress 001-64846)."""
LEAST_AIR_MM = 10.0
"""From the pads to what lies under them: nearer, it takes much of their sensitivity (Microchip)."""


@dataclass(frozen=True, slots=True)
class Run:
    """Say how a pad is joined to its chip, in mm: by a wire, and on a printed circuit by a track.

    A pad of foil has no track. `crossed_mm` is the length of other pads' tracks under this one.
    """

    wire_mm: float
    track_mm: float = 0.0
    crossed_mm: float = 0.0

    @property
    def printed(self) -> bool:
        """Tell whether the pad is on a printed circuit."""
        return self.track_mm > 0


@dataclass(frozen=True, slots=True)
class PadFigures:
    """Hold what was computed of one pad: capacitances in pF, readings in counts.

    `change` is by how much a finger lowers the reading, `stone` a stone that no hand holds; None
    where stones are not felt.
    """

    sensor: str
    run: Run
    guard_pf: float
    below_pf: float
    lead_pf: float
    empty_pf: float
    finger_pf: float
    charge: Charge
    counts: float
    change: float
    stone_pf: float | None
    stone: float | None


def plate_pf(outer_mm: float, inner_mm: float, gap_mm: float, material: float = ACRYLIC) -> float:
    """Give the capacitance of two rings that face each other: plate capacitor."""
    area = max(0.0, pi / 4 * (outer_mm**2 - inner_mm**2))
    return material * VACUUM_PF_MM * area / gap_mm


def beside_pf_mm(
    width_mm: float, other_mm: float, gap_mm: float, above: float, below: float
) -> float:
    """Give the capacitance a mm of two strips beside each other in a plane: conformal mapping.

    The materials above and below reach endlessly far.
    """
    k = sqrt(gap_mm * (width_mm + other_mm + gap_mm) / ((width_mm + gap_mm) * (other_mm + gap_mm)))
    return VACUUM_PF_MM * (above + below) * _elliptic(sqrt(1 - k * k)) / _elliptic(k)


def track_pf_mm(width_mm: float = TRACK_MM, board_mm: float = BOARD_MM) -> float:
    """Give the capacitance a mm of a track with copper all over the other side: microstrip.

    Wheeler's and Hammerstad's formula for a track that is narrower than the board is thick.
    """
    narrow = width_mm / board_mm
    material = (FR4 + 1) / 2 + (FR4 - 1) / 2 / sqrt(1 + 12 / narrow)
    return 2 * pi * VACUUM_PF_MM * material / log(8 / narrow + narrow / 4)


def finger_pf(copper_inner_mm: float, cover_mm: float) -> float:
    """Give what a fingertip adds to a pad, right above its middle."""
    return plate_pf(FINGER_MM, copper_inner_mm, cover_mm)


def stone_pf(geometry: Geometry, copper_inner_mm: float, foot_mm: float = FOOT_MM) -> float:
    """Return the effect of an untouched stone: from the pad to its foot, and on to the guard."""
    inner = max(foot_mm, copper_inner_mm)
    pad = plate_pf(geometry.pad_mm, inner, geometry.cover_mm)
    guard = plate_pf(geometry.guard_outer_mm, geometry.guard_inner_mm, geometry.cover_mm)
    return pad * guard / (pad + guard) if pad and guard else 0.0


def fall(empty_pf: float, added_pf: float, counts: float = TARGET_COUNTS) -> float:
    """Give by how many counts a reading falls when a capacitance is added."""
    return counts * added_pf / (empty_pf + added_pf)


def charge_for(empty_pf: float) -> Charge:
    """Choose the charge that `lifeboard calibrate` would, for an empty pad."""
    charge = SMALLEST
    for _ in range(20):
        counts = charge.counts(empty_pf)
        if fits(counts, charge):
            break
        charge = better_charge(counts, charge)
    return charge


def pad_figures(layout: Layout, sensor: Sensor, run: Run) -> PadFigures:
    """Work out one pad, whatever comes of it."""
    geometry = layout.geometry
    inner = copper_inner_mm(geometry, sensor, run)
    below = FR4 if run.printed else ACRYLIC
    ring = (geometry.pad_mm - inner) / 2
    around = pi * (geometry.pad_mm + geometry.gap_mm)
    guard = around * beside_pf_mm(ring, geometry.guard_mm, geometry.gap_mm, ACRYLIC, below)
    under = plate_pf(geometry.pad_mm, inner, geometry.air_mm, AIR)
    under += run.crossed_mm * track_pf_mm()
    lead = run.wire_mm * WIRE_PF_MM + run.track_mm * track_pf_mm()
    empty = CHIP_PF + guard + under + lead
    finger = finger_pf(inner, geometry.cover_mm)
    charge = charge_for(empty)
    counts = charge.counts(empty)
    presence = layout.profile.sensing.mode == PRESENCE and sensor.name in layout.cells
    stone = stone_pf(geometry, inner) if presence else None
    return PadFigures(
        sensor.name,
        run,
        guard,
        under,
        lead,
        empty,
        finger,
        charge,
        counts,
        fall(empty, finger, counts),
        stone,
        None if stone is None else fall(empty, stone, counts),
    )


def copper_inner_mm(geometry: Geometry, sensor: Sensor, run: Run) -> float:
    """Give the diameter of the hole in a pad's copper; on a circuit it keeps off that for light."""
    if not sensor.lit:
        return 0.0
    return geometry.hole_mm + (2 * EDGE_MM if run.printed else 0.0)


def sensing(layout: Layout, runs: Mapping[str, Run]) -> dict[str, PadFigures]:
    """Work out all pads of a board; raise KitError for the first that cannot be felt.

    `runs` has each sensor by its name.
    """
    for figure in measure_figures(layout):
        figure.checked()
    found = {}
    for name, sensor in layout.sensors.items():
        if name not in runs:
            raise KitError(f"pad {name} is joined to nothing: allowed is a run for each pad")
        found[name] = pad_figures(layout, sensor, runs[name])
        for figure in figures_of_pad(found[name]):
            figure.checked()
    return found


def measure_figures(layout: Layout) -> tuple[Figure, ...]:
    """List the measures that all pads have in common."""
    geometry = layout.geometry
    cover = geometry.cover_mm
    at = [sensor.at for sensor in layout.sensors.values()]
    nearest = min(
        (here.distance(there) for n, here in enumerate(at) for there in at[:n]),
        default=geometry.pitch_mm,
    )
    return (
        Figure(
            "pad, diameter",
            geometry.pad_mm,
            "mm",
            FINGER_MM + 2 * cover,
            None,
            "pad_mm",
            "Microchip: finger of 8 mm and twice the cover",
            1,
            key="pad_mm",
        ),
        Figure(
            "cover of acrylic",
            cover,
            "mm",
            THINNEST_COVER_MM,
            None,
            "cover_mm",
            "Cypress: spark of 12 kV",
            1,
            key="cover_mm",
        ),
        Figure(
            "gap from pad to guard",
            geometry.gap_mm,
            "mm",
            *GAPS_MM,
            "gap_mm",
            "Cypress: as wide as the cover is thick, within these",
            1,
        ),
        Figure(
            "gap between neighbouring pads",
            nearest - geometry.pad_mm,
            "mm",
            2 * cover,
            None,
            "distance of middles less pad_mm",
            "Espressif: twice the cover",
            1,
        ),
        Figure(
            "air under the pads",
            geometry.air_mm,
            "mm",
            LEAST_AIR_MM,
            None,
            "air_mm",
            "Microchip: no ground right under a pad",
            1,
            key="air_mm",
        ),
    )


def figures_of_pad(pad: PadFigures) -> tuple[Figure, ...]:
    """List the figures of one pad, with what they may be."""
    name = f"pad {pad.sensor}"
    found = [
        Figure(
            f"{name}: wire",
            pad.run.wire_mm,
            "mm",
            None,
            LONGEST_MM,
            "as the wiring table has it",
            "Cypress",
            0,
        ),
        Figure(
            f"{name}: capacitance, empty",
            pad.empty_pf,
            "pF",
            SMALLEST_PF,
            LARGEST_PF,
            f"chip {CHIP_PF:.1f}, guard {pad.guard_pf:.1f}, below {pad.below_pf:.1f},"
            f" lead {pad.lead_pf:.1f} pF",
            "MPR121 data sheet, at 3.3 V",
            1,
        ),
        Figure(
            f"{name}: reading, empty",
            pad.counts,
            "counts",
            LOWEST_COUNTS,
            SATURATED_COUNTS,
            f"{pad.charge} by the data sheet's equation",
            "MPR121 data sheet: 0.7 V to VDD - 0.7 V",
            0,
        ),
        Figure(
            f"{name}: change by a finger",
            pad.change,
            "counts",
            LEAST_CHANGE,
            None,
            f"finger of {FINGER_MM:g} mm, {pad.finger_pf:.2f} pF through the cover",
            "calibrate calls less weak: a thinner cover or shorter wires help",
            1,
        ),
    ]
    if pad.run.printed:
        found.insert(
            1,
            Figure(
                f"{name}: track",
                pad.run.track_mm,
                "mm",
                None,
                LONGEST_MM,
                "as the printed circuit has it",
                "Cypress",
                0,
            ),
        )
    if pad.stone is not None:
        found.append(
            Figure(
                f"{name}: change by a stone",
                pad.stone,
                "counts",
                LEAST_CHANGE,
                None,
                f"foot from {FOOT_MM:g} mm to the guard's edge, {pad.stone_pf:.2f} pF",
                "calibrate calls less weak: a wider guard or a thinner cover helps",
                1,
            )
        )
    return tuple(found)


def _elliptic(k: float) -> float:
    """Give the complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, sqrt(1 - k * k)
    while abs(a - b) > 1e-12:
        a, b = (a + b) / 2, sqrt(a * b)
    return pi / (2 * a)
