"""Signals: the data of the strip, from 3.3 V to 5 V and along its wire, and the lines of the buses.

Owns levels, rise times, pull-ups and the current at 3.3 V. Must not know pads, nor the drop of 5 V.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from hal.measuring.charge import SUPPLY_V
from hal.profile import Chip, Profile
from hal.profile.geometry import Point
from hardware.kit.computers import Computer, computer_of
from hardware.kit.electric.chain import Kind, links, places, way_mm
from hardware.kit.electric.figure import Figure
from hardware.kit.electric.ladder import STRIP_V
from hardware.kit.layout import Layout

HIGH_SHARE = 0.7
"""What the pixels take for high, of their supply (WS2812B data sheet)."""
SHIFTER_HIGH_V = 2.0
"""What the 74AHCT125 takes for high (TI data sheet, VIH)."""
LEAST_HIGH_V = 2.6
"""What a computer gives at least: 3.3 V less 0.7 (RP2040 data sheet; a Pi gives more)."""
SHIFTER_OUT_V = 4.4
"""What the 74AHCT125 gives at 4.5 V to an input that takes no current (TI data sheet, VOH)."""

RESISTORS_OHM = (330.0, 470.0)
PIXEL_PF = 15.0
"""A pixel's input (WS2812B data sheet, CI)."""
DATA_PF_MM = 0.1
"""A wire beside its ground: a rule of thumb, and the upper end of it."""
TOLERANCE_NS = 150.0
"""By how much a bit's high time may be off (WS2812B data sheet)."""
RISE = 2.2
"""From a tenth to nine tenths, in units of R x C."""

SINK_MA, LOW_V = 3.0, 0.4
LEAST_OHM = (SUPPLY_V - LOW_V) / SINK_MA * 1000
"""A chip need not sink more than 3 mA at 0.4 V (UM10204, section 7.1)."""
RISE_BUS = 0.8473
"""From 0.3 to 0.7 of the supply, in units of R x C (UM10204, section 7.1)."""
FAST_KHZ, FAST_NS = 400, 300.0
SLOW_KHZ, SLOW_NS = 100, 1000.0
"""Clocks, and how long a line may take to rise at each (UM10204, table 10)."""
BREAKOUT_OHM = 10_000.0
"""What breakouts bring at each line, as those of Adafruit."""
OURS_OHM = 4_700.0
"""What a bus without resistors of its computer gets."""
INTERRUPT_OHM = 10_000.0
NODE_PF = 15.0
"""A chip at a bus: 10 pF a pin (UM10204, table 9), and the tracks of its breakout."""
BUS_PF_MM = 0.1
"""A wire beside others: a rule of thumb, and the upper end of it."""

CHIP_MA = 1.0
"""A breakout: the MPR121 takes 0.4 mA when it measures every millisecond (data sheet, section 4);
its regulator takes the rest."""
MOST_3V3_MA = 50.0
"""What a Pi's pins of 3.3 V gave from the first one on; those of a Pico give 300."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Say how long wires are: each bus ("bus 1") and each channel ("channel 0"), the data's,
    together those from the inlet to fuse and clamps, and from clamp to clamp, and the longest of
    a feed."""

    buses: Mapping[str, float]
    data_mm: float
    trunk_mm: float = 0.0
    feed_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """The two lines of a bus, or of a multiplexer's channel with that bus: what loads each.

    `resistors_ohm` are the pull-ups, in parallel; `chips` those that are heard at once.
    """

    name: str
    chips: int
    muxes: int
    resistors_ohm: tuple[float, ...]
    wire_mm: float
    clock_khz: int

    @property
    def pull_up_ohm(self) -> float:
        """Give what the resistors make together."""
        return 1 / sum(1 / each for each in self.resistors_ohm)

    @property
    def load_pf(self) -> float:
        """Give the capacitance of one line, its computer's pin included."""
        return (1 + self.chips + self.muxes) * NODE_PF + self.wire_mm * BUS_PF_MM

    @property
    def most_pf(self) -> float:
        """Give the capacitance at which a line rises just soon enough."""
        limit_ns = FAST_NS if self.clock_khz >= FAST_KHZ else SLOW_NS
        return limit_ns * 1000 / (RISE_BUS * self.pull_up_ohm)


def lines(layout: Layout, lengths: Lengths | None = None) -> tuple[Line, ...]:
    """List the buses of a board, and each channel of a multiplexer as it is when it is joined.

    Without lengths the wires are taken to go from chip to chip, the nearest next.
    """
    profile = layout.profile
    computer = computer_of(profile)
    return tuple(
        line
        for bus, chips in groupby(sorted(profile.chips, key=_order), key=lambda chip: chip.bus)
        for line in _lines(layout, computer, bus, tuple(chips), lengths)
    )


def level_figures(layout: Layout, lengths: Lengths | None = None) -> tuple[Figure, ...]:
    """List the figures of all signals, with what they may be."""
    found = lines(layout, lengths)
    return (*_data(layout, lengths), *_buses(found), _current(layout.profile, found))


def data_wire_mm(layout: Layout) -> float:
    """Give the length of the data wire, from a 74AHCT125 beside the computer to the first pixel."""
    return way_mm(layout.geometry.computer, places(layout)[0])


def longest_data_mm() -> float:
    """Give how long a data wire may be with the larger resistor."""
    return (TOLERANCE_NS * 1000 / (RISE * RESISTORS_OHM[1]) - PIXEL_PF) / DATA_PF_MM


def _data(layout: Layout, lengths: Lengths | None) -> Iterator[Figure]:
    length = data_wire_mm(layout) if lengths is None else lengths.data_mm
    rise_ns = RISE * RESISTORS_OHM[1] * (length * DATA_PF_MM + PIXEL_PF) / 1000
    between = max((e.length_mm for e in links(layout) if e.kind is Kind.SINGLE), default=0.0)
    yield Figure(
        "data at the 74AHCT125, high",
        LEAST_HIGH_V,
        "V",
        SHIFTER_HIGH_V,
        None,
        "3.3 V less what a pin loses",
        "74AHCT125 data sheet, VIH",
        1,
    )
    yield Figure(
        "data at the first pixel, high",
        SHIFTER_OUT_V,
        "V",
        HIGH_SHARE * STRIP_V,
        None,
        "74AHCT125 data sheet, VOH",
        "WS2812B data sheet: 0.7 of the supply, and 3.3 V would not do",
        1,
    )
    yield Figure(
        "data wire to the first pixel",
        length,
        "mm",
        None,
        longest_data_mm(),
        "along the sides, and 55 mm",
        f"rises in {TOLERANCE_NS:g} ns",
        0,
    )
    yield Figure(
        "rise of the data",
        rise_ns,
        "ns",
        None,
        TOLERANCE_NS,
        f"{RISE:g} x {RESISTORS_OHM[1]:g} ohm x (wire of {DATA_PF_MM * 1000:g} pF/m and pixel)",
        "WS2812B data sheet",
        0,
    )
    yield Figure(
        "longest data wire between pixels",
        between,
        "mm",
        None,
        longest_data_mm(),
        "along the sides, and 55 mm",
        "ours: as the first, though a pixel drives it without a resistor",
        0,
    )


def _buses(found: tuple[Line, ...]) -> Iterator[Figure]:
    for line in found:
        yield Figure(
            f"{line.name}: pull-up",
            line.pull_up_ohm / 1000,
            "kohm",
            LEAST_OHM / 1000,
            None,
            " || ".join(f"{each / 1000:g}k" for each in line.resistors_ohm),
            f"UM10204: {SINK_MA:g} mA at {LOW_V:g} V",
        )
        yield Figure(
            f"{line.name}: capacitance",
            line.load_pf,
            "pF",
            None,
            line.most_pf,
            f"{line.wire_mm:g} mm of wire, {NODE_PF:g} pF for each that hangs on it",
            f"UM10204: rises in time at {line.clock_khz} kHz",
            0,
        )


def _current(profile: Profile, found: tuple[Line, ...]) -> Figure:
    pulled = sum(2 * SUPPLY_V / line.pull_up_ohm * 1000 for line in found)
    interrupt = SUPPLY_V / INTERRUPT_OHM * 1000 * (1 + len(profile.chips))
    total = pulled + interrupt + CHIP_MA * (len(profile.chips) + len(_muxes(profile)))
    return Figure(
        "current at 3.3 V",
        total,
        "mA",
        None,
        MOST_3V3_MA,
        "all lines low at once, and chips that measure",
        "the first Pi's pins",
        0,
    )


def _lines(
    layout: Layout,
    computer: Computer,
    bus: int,
    chips: tuple[Chip, ...],
    lengths: Lengths | None,
) -> Iterator[Line]:
    own = float(computer.pull_up_ohm) if bus in computer.pulled_up else OURS_OHM
    # Bus 3 of a Pi is made of plain pins, and slow by itself.
    fast = bus in computer.pulled_up or layout.profile.pico is not None
    direct = [chip for chip in chips if chip.mux is None]
    channels: dict[tuple[int, int], list[Chip]] = {}
    for chip in chips:
        if chip.mux is not None:
            channels.setdefault((chip.mux, chip.channel or 0), []).append(chip)
    muxes = len({mux for mux, _ in channels})

    def line(name: str, heard: list[Chip], parts: tuple[str, ...]) -> Line:
        wire_mm = (
            _length_mm(layout, heard)
            if lengths is None
            else sum(lengths.buses[part] for part in parts)
        )
        pulls = (own, *[BREAKOUT_OHM] * (muxes + len(heard)))
        return Line(name, len(heard), muxes, pulls, wire_mm, FAST_KHZ if fast else SLOW_KHZ)

    if not channels:
        yield line(f"bus {bus}", direct, (f"bus {bus}",))
    for (_, channel), behind in sorted(channels.items(), key=lambda entry: entry[0]):
        names = (f"bus {bus}", f"channel {channel}")
        yield line(", ".join(names), [*direct, *behind], names)


def _length_mm(layout: Layout, chips: list[Chip]) -> float:
    """Give the wire of one line that goes from chip to chip, the nearest next."""
    here: Point = layout.geometry.computer
    left = [layout.chips[chip.name] for chip in chips]
    length = 0.0
    while left:
        there = min(left, key=here.distance)
        left.remove(there)
        length += way_mm(here, there)
        here = there
    return length


def _muxes(profile: Profile) -> set[tuple[int, int]]:
    return {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}


def _order(chip: Chip) -> int:
    return chip.bus
