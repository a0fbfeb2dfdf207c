"""What to buy for a board: every part with its quantity, what to look for, and the reason.

Owns the list, and the parts that are counted. How wires run and how large supply and fuse must be
is known elsewhere. Must not know files, nor how the list is shown.
"""

from collections.abc import Iterable, Iterator, Sequence

from hardware.kit.circuit.circuit import Circuit
from hardware.kit.electric import Feeding, Figures
from hardware.kit.electric.chain import Kind as Bought
from hardware.kit.electric.chain import pieces
from hardware.kit.layout import BUTTON_MM, Layout
from hardware.kit.materials import (
    Part,
    button_mm,
    metres,
    plates,
    sensing_layer,
    small_parts,
    wires,
)
from hardware.kit.part_names import CLAMP
from hardware.kit.places import CLAMP_WIRES, SHIFTER_MM
from hardware.kit.plates.chambers import BUTTON_HOLE_MM, NUT_MM, SINGLE_MM
from hardware.kit.sockets import SUPPLY_MM
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, Kind, Wiring

_JACK_A = 5.0
"""What the usual plugs of supplies carry."""
_NUT_PLAY_MM = 1.0
"""Around a button's nut; one of 12 mm is 14 mm wide across its flats (APEM, hardware), 16.2 mm
across its corners."""
_MAY_BE_LEFT_OUT = {
    "hint": "hints",
    "cell": "dead cells",
    "confirm": "confirming",
    "shutdown": "switching off",
}
"""Keys without which a board can be played, and what they are for."""


def parts(
    layout: Layout, figures: Figures, wiring: Wiring, circuits: Sequence[Circuit] = ()
) -> Table:
    """List the parts of a board whose sensing layer is built as its wiring says.

    `circuits` are the printed circuits to be ordered for it, if any.
    """
    found = (
        *sensing_layer(layout, wiring, circuits),
        *_electronics(layout, wiring),
        *_pixels(layout),
        *_power(figures.feeding, wiring),
        *wires(figures.feeding.wire_mm2, wiring),
        *plates(layout, wiring.build),
        *small_parts(layout),
    )
    return Table(
        f"Parts of {layout.profile.title}, {_WAYS[wiring.build]}",
        ("for", "part", "quantity", "look for", "where the number comes from"),
        tuple((p.group, p.name, p.quantity, p.look_for, p.source) for p in found),
    )


_WAYS = {
    Build.FOIL: "sensing layer of foil",
    Build.CIRCUIT: "sensing layer as a printed circuit",
    Build.TILES: "sensing layer as tiles",
}


def _left_out(layout: Layout) -> str:
    """Name the buttons of a board that it can do without."""
    found = [use for key, use in _MAY_BE_LEFT_OUT.items() if key in layout.buttons]
    return f"; those for {', '.join(found)} may be left out" if found else ""


def _electronics(layout: Layout, wiring: Wiring) -> Iterator[Part]:
    profile, group = layout.profile, "electronics"
    thread, legs = button_mm(layout)
    muxes = {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}
    yield Part(
        group,
        "MPR121 breakouts",
        str(len(profile.chips)),
        "12 electrodes, 3.3 V, pins for ADDR and IRQ; as Adafruit 1982. Where a trace ties ADDR to"
        " ground, cut it on all but those at 0x5A: measure between ADDR and GND before you wire",
        "[chips] of the profile",
    )
    if muxes:
        yield Part(
            group,
            "TCA9548A breakouts",
            str(len(muxes)),
            "8 channels, pins for A0 to A2 and RST; as Adafruit 2717",
            "mux in [chips]",
        )
    yield Part(
        group,
        "pin strips, 2.54 mm",
        str(len(profile.chips) + len(muxes)),
        "straight, as many pins as the breakout has; those that come with it will do",
        "one a breakout: several wires end on one pin",
    )
    if profile.pico is not None:
        yield Part(
            group,
            "Raspberry Pi Pico",
            "1",
            "a Pico without soldered pins, no Pico H, no Pico 2: its back lies on the board",
            "[pico] of the profile",
        )
        yield Part(
            group,
            "USB cable",
            "1",
            "USB A to micro USB with a straight plug, 1 m or more; one that carries data, since"
            " some only carry power",
            "from the Pico to the computer that plays",
        )
        yield Part(
            group,
            "computer",
            "1",
            "any with Linux and a USB socket; if it is a Raspberry Pi, with its supply and SD card",
            "it plays",
        )
    else:
        yield Part(
            group,
            "Raspberry Pi",
            "1",
            "Zero 2 W, 3, 4 or 5, with header pins: a Zero 2 W may need them soldered",
            "the profile hangs on a Pi",
        )
        yield Part(
            group,
            "supply of the Raspberry Pi",
            "1",
            "that of its model: 5 V and 2.5 A for a Zero 2 W or a 3, 3 A for a 4, 5 A for a 5",
            "it never comes from the strip's",
        )
        yield Part(group, "SD card", "1", "class A1 or A2, 16 GB or more", "for the Raspberry Pi")
    yield Part(
        group,
        "buttons",
        str(len(layout.buttons)),
        f"for a hole of 12 mm; collar at most {BUTTON_MM:g} mm wide, nut and washer at most"
        f" {NUT_MM - _NUT_PLAY_MM:g} mm; all else passes {BUTTON_HOLE_MM:g} mm. Below its collar"
        f" {thread} mm of thread or more, and {legs} mm or more to the ends of its legs. Closes"
        " while it is pressed, opens by itself; nothing that latches",
        f"pins in [keys]{_left_out(layout)}",
    )
    yield Part(
        group,
        "74AHCT125",
        "1",
        "in a DIP with 14 pins, with a socket and perforated board to be cut to"
        f" {SHIFTER_MM[0]:g} x {SHIFTER_MM[1]:g} mm; AHCT or HCT, not HC or AHC; as Adafruit 1787",
        "lifts the data to 5 V",
    )
    yield from _two_legged(wiring)


_LOOK_FOR = {
    "resistor 4.7 kohm": "0.25 W or less",
    "resistor 10 kohm": "0.25 W or less",
    "resistor 330 to 470 ohm": "0.25 W or less",
    "capacitor 100 nF": "ceramic",
    "capacitor 1000 uF": "electrolytic, 6.3 V or more",
    "Schottky diode 1 A": "as 1N5817; only if the strip's supply is to feed the Pico too",
}
_NAMES = {
    "capacitor 1000 uF": "capacitor 1000 uF, 6.3 V or more",
    "Schottky diode 1 A": "Schottky diode, 1 A",
}


def _two_legged(wiring: Wiring) -> Iterator[Part]:
    """List the parts with two legs that the wiring has."""
    signals = [wire.signal for wire in wiring.of(Kind.PART) if wire.signal in _LOOK_FOR]
    for signal in _LOOK_FOR:
        count = signals.count(signal)
        if count:
            notes = {w.note for w in wiring.of(Kind.PART) if w.signal == signal and w.note}
            name = _NAMES.get(signal, signal)
            why = "; ".join(sorted(notes))
            yield Part("electronics", name, str(count), _LOOK_FOR[signal], why)


def _pixels(layout: Layout) -> Iterator[Part]:
    group, profile = "light", layout.profile
    colours = "of four colours, " if "W" in profile.strip.order else ""
    kind = f"SK6812 RGBW, {colours}5 V" if colours else "WS2812B, 5 V, one data wire"
    chain = pieces(layout)
    for bought, name in (
        (Bought.STRIP_30, "strip with 30 pixels a metre"),
        (Bought.STRIP_60, "strip with 60 pixels a metre"),
    ):
        own = [piece for piece in chain if piece.kind is bought]
        if own:
            count = sum(len(piece.places) for piece in own)
            length = metres(sum(piece.length_mm for piece in own), 0.1, spare=1.0)
            yield Part(
                group,
                name,
                f"{count} pixels, {length}",
                f"{kind}; bare, 10 mm wide, not in a tube of silicone; a pixel each"
                f" {bought.spacing_mm:.1f} mm, cut between any two",
                f"pieces of {_counted(len(piece.places) for piece in own)}",
            )
    singles = sum(len(piece.places) for piece in chain if piece.kind is Bought.SINGLE)
    if singles:
        yield Part(
            group,
            "single pixels",
            f"{singles} pixels",
            f"{kind}; each on a round board of at most {SINGLE_MM:g} mm, since the walls leave no"
            " more room: nothing that is cut from a strip",
            "pixels that have no neighbour as far away as a strip has it",
        )


def _power(feeding: Feeding, wiring: Wiring) -> Iterator[Part]:
    group = "light"
    plugged = feeding.fuse_a <= _JACK_A
    carries = f"carries {feeding.fuse_a:g} A or more"
    inlet = (
        f"for its plug, mostly 5.5 x 2.1 mm; with solder tags or screw terminals; {carries}, as"
        " not every one does; the plug goes in from the side"
        if plugged
        else f"screw terminals; {carries}"
    )
    inlet += f"; at most {SUPPLY_MM[0]:g} x {SUPPLY_MM[1]:g} mm"
    leads = "a plug" if plugged else "two leads or terminals"
    yield Part(
        group,
        "supply for the strip, 5 V",
        f"{feeding.supply_a:g} A",
        f"regulated, 4.9 V or more at this current, in a case of its own with {leads}",
        f"{feeding.budget_ma} mA x 1.25, next common size",
    )
    yield Part(group, "inlet for the supply", "1", inlet, "one for the supply")
    yield Part(
        group,
        "fuse, time-lag (T)",
        f"{feeding.fuse_a:g} A",
        "5 x 20 mm, and a few to spare",
        f"{feeding.budget_ma} mA x 1.25, next common size",
    )
    yield Part(group, "fuse holder", "1", "for 5 x 20 mm, in the wire or screwed on", "one a fuse")
    ends = [end for wire in wiring.wires for end in (wire.start, wire.end) if end.sort == CLAMP]
    yield Part(
        group,
        f"lever clamps for {CLAMP_WIRES} wires",
        str(len(set(ends))),
        "joined inside, for stranded wires of 0.2 to 1.5 mm2 and more; as Wago 221-415",
        f"join {len(ends)} ends of wires of 5 V and ground, at most {CLAMP_WIRES} in each",
    )


def _counted(sizes: Iterable[int]) -> str:
    """Say how many pieces have how many pixels: "2 x 5, 9"."""
    ordered = sorted(sizes)
    counts = {size: ordered.count(size) for size in ordered}
    return ", ".join(f"{n} x {size}" if n > 1 else str(size) for size, n in counts.items())
