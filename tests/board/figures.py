"""How well a board senses fingers, and the supply voltage left at its LEDs, by formula.

`hal.measuring.margins` converts capacitance into the chip's counts. Units: mm, pF, mA, V.
"""

from collections.abc import Iterable
from math import log, pi, sqrt

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

from hal.measuring.margins import TARGET_COUNTS
from hardware.board import cell
from hardware.board.circuit import circuit, led_spot
from hardware.board.kinds import POLYFUSE
from hardware.board.plan import Plan
from hardware.board.supply import sections

VACUUM_PF_MM = 8.854e-3
ACRYLIC, FR4 = 3.0, 4.4
"""Relative permittivity; FR4 as the maker states it for the prepreg 7628 of its 4 layers."""
PREPREG_MM = 0.21
"""From an outer to the next inner layer (JLCPCB's stack-up JLC04161H-7628: 0.2104 mm)."""
TRACK_MM = 0.2
CHIP_PF = 5.0
"""Our estimate for the chip's pin; NXP's data sheet of the MPR121 states none."""

SUPPLY_V = 4.9
"""Lowest voltage at the board's power input at full current; the guide has makers measure it.
(Raspberry Pi's supply of 15 W: 5.1 V.)"""
LEAST_V = 4.5
"""Lowest voltage for an LED: blue takes up to 3.4 V (WS2812B data sheet), its current source the
rest; the controller needs less (WS2812B-2020: 3.7 V)."""
LED_MA = 36.0
"""All three channels of a WS2812B-2020."""
PLUG_OHM, FUSE_OHM = 0.02, 0.05
"""Plug and socket, there and back; and a time-lag fuse, 0.1 to 0.15 V at its own 3 A by makers."""
POLYFUSE_OHM, HOLDS_MA = 0.11, 1500.0
"""The most that a section's polyfuse may have (Littelfuse 16R160B, 1.6 A: 0.030 to 0.110), and what
it holds at 20 degrees."""
PLANE_OHM = 0.98e-3
"""Sheet resistance of the inner copper: 0.5 oz, 17.5 um at 0.0172 ohm mm2/m."""
_GRID_MM = 1.0


def pad_pf() -> float:
    """Return a pad's capacitance to the guard around it, as two strips in a plane.

    Conformal mapping (Wen 1969) with infinitely thick materials above and below, and without the
    holes: both overestimate.
    """
    around = 2 * pi * (cell.PAD_RADIUS_MM + cell.GUARD_GAP_MM / 2)
    pad, gap = cell.PAD_RADIUS_MM, cell.GUARD_GAP_MM
    guard = cell.PITCH_MM - 2 * (pad + gap)
    k = sqrt(gap * (pad + guard + gap) / ((pad + gap) * (guard + gap)))
    # K(k') / K(k), by the arithmetic-geometric mean.
    ratio = _mean(1.0, sqrt(1 - k * k)) / _mean(1.0, k)
    return around * VACUUM_PF_MM * (ACRYLIC + FR4) * ratio


def track_pf(track_mm: float) -> float:
    """Return a track's capacitance, as if a plane ran beneath all of it (an overestimate).

    Microstrip, Hammerstad's formula for narrow tracks.
    """
    flat = TRACK_MM / PREPREG_MM
    narrow = 1 / sqrt(1 + 12 / flat) + 0.04 * max(0.0, 1 - flat) ** 2
    material = (FR4 + 1) / 2 + (FR4 - 1) / 2 * narrow
    return track_mm * 2 * pi * VACUUM_PF_MM * material / log(8 / flat + flat / 4)


def finger_pf() -> float:
    """Return what a fingertip adds above a pad's middle: two discs of 8 mm with acrylic between.

    Kirchhoff's formula, within a fifth of a simulated field: the pad is larger than the disc, but
    at the rim the field goes through air too. The finger's disc is Microchip's "Touch Capacitance
    Model".
    """
    radius, gap = cell.FINGER_RADIUS_MM, cell.COVER_MM
    rim = 2 * gap / (pi * radius) * (log(pi * radius / (2 * gap)) + 1.7726)
    return ACRYLIC * VACUUM_PF_MM * pi * radius**2 / gap * (1 + rim)


def counts(track_mm: float) -> float:
    """Return by how many counts a finger lowers the reading of a pad with this track."""
    empty, finger = CHIP_PF + pad_pf() + track_pf(track_mm), finger_pf()
    return TARGET_COUNTS * finger / (empty + finger)


def neighbour_share(aside_mm: float = 0.0) -> float:
    """Return the next pad's response to a finger, as a share of its own pad's response.

    Uses image charges: a point at the cover's top, `aside_mm` from the middle toward the neighbour,
    induces charge in each disc of a plane. Sums over rings and sectors.
    """
    return _induced(cell.PITCH_MM - aside_mm) / _induced(aside_mm)


def _induced(aside_mm: float) -> float:
    r, turn = np.meshgrid(
        (np.arange(100) + 0.5) * cell.PAD_RADIUS_MM / 100, np.arange(180) * pi / 90
    )
    square = (r * np.cos(turn) - aside_mm) ** 2 + (r * np.sin(turn)) ** 2 + cell.COVER_MM**2
    return float((r * cell.COVER_MM / (2 * pi * square**1.5)).sum())


def _mean(a: float, b: float) -> float:
    while abs(a - b) > 1e-12 * a:
        a, b = (a + b) / 2, sqrt(a * b)
    return a


def lowest_v(plan: Plan, budget_ma: float, brightness: float) -> float:
    """Return the voltage at a board's worst LED: one section fully white, at this brightness.

    The program dims frames of more than the budget. Slits for data make planes five times worse.
    Raises ValueError for a section that its polyfuse does not carry.
    """
    parts = [part for part in circuit(plan) if part.kind is POLYFUSE]
    feeds = {part.nets["2"]: (part.spot.x, part.spot.y) for part in parts}
    middles = [(at.x, at.y) for at in plan.pads.values()]
    lowest = SUPPLY_V
    spots = {each: led_spot(plan, each) for each in plan.pixels}
    section = sections(plan, spots)
    for name, feed in feeds.items():
        leds = [spot for each, spot in spots.items() if section[each] == name]
        section_ma = min(len(leds) * LED_MA * brightness, budget_ma)
        if section_ma > HOLDS_MA:
            raise ValueError(f"{name} draws {section_ma:.0f} mA; its fuse holds {HOLDS_MA:.0f} mA")
        loads = [(led.x, led.y, section_ma / len(leds)) for led in leds]
        drop = (PLUG_OHM + FUSE_OHM) * budget_ma / 1000 + POLYFUSE_OHM * section_ma / 1000
        lowest = min(lowest, SUPPLY_V - drop - 5 * plane_drop_v(middles, loads, feed))
    return lowest


def plane_drop_v(
    middles: Iterable[tuple[float, float]],
    loads: Iterable[tuple[float, float, float]],
    feed: tuple[float, float],
) -> float:
    """Return the drop, there and back, from a feed to the worst of its loads: x, y, mA.

    A plane is what is left around the cells, `middles`, as resistors on a grid of 1 mm; ground
    has no more copper than +5 V, and slits for data are not taken off. Raises ValueError for a load
    or a feed where no plane is.
    """
    spots, drawn = np.reshape(list(middles), (-1, 2)), np.array(list(loads))
    ends = np.vstack((spots, drawn[:, :2], [feed]))
    low = ends.min(axis=0) - cell.PITCH_MM / 2
    wide, high = np.ceil((ends.max(axis=0) + cell.PITCH_MM / 2 - low) / _GRID_MM).astype(int) + 1
    x, y = low[0] + np.arange(wide) * _GRID_MM, low[1] + np.arange(high)[:, None] * _GRID_MM
    copper = np.ones((high, wide), bool)
    for middle in spots:
        copper &= np.hypot(x - middle[0], y - middle[1]) >= cell.INNER_KEEP_MM
    number = np.cumsum(copper).reshape(copper.shape) - 1

    def node(at_x: float, at_y: float) -> int:
        column, row = round((at_x - low[0]) / _GRID_MM), round((at_y - low[1]) / _GRID_MM)
        if not copper[row, column]:
            raise ValueError(f"no plane at {at_x:.1f}, {at_y:.1f}")
        return int(number[row, column])

    pairs = [
        np.column_stack((number[one][both], number[other][both]))
        for one, other in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:]))
        for both in [copper[one] & copper[other]]
    ]
    a, b = np.vstack(pairs).T
    nodes = int(copper.sum())
    siemens = np.full(len(a), 1 / PLANE_OHM)
    meeting = np.bincount(a, siemens, nodes) + np.bincount(b, siemens, nodes)
    source = node(*feed)
    meeting[source] += 1e9
    every = np.arange(nodes)
    matrix = coo_array(
        (
            np.concatenate((meeting, -siemens, -siemens)),
            (np.concatenate((every, a, b)), np.concatenate((every, b, a))),
        ),
        shape=(nodes, nodes),
    )
    amperes = np.zeros(nodes)
    for at_x, at_y, drawn_ma in drawn:
        amperes[node(at_x, at_y)] += drawn_ma / 1000
    return 2 * float(spsolve(matrix.tocsc(), amperes).max())
