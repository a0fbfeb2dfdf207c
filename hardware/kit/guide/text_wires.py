"""The chapters on the wires of chips, computer and level shifter.

Owns their sentences. Must not know how they are set.
"""

from collections.abc import Iterable

from hardware.kit.electric.levels import BREAKOUT_OHM, OURS_OHM
from hardware.kit.guide.document import Block, Heading, Paragraph, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.part_names import BUTTON
from hardware.kit.sockets import lie
from hardware.kit.tables import Table
from hardware.kit.wiring import Kind, Wire, chips_table, pins_table
from hardware.kit.wiring.runs import STRAP_MM

BREAKOUT_KOHM, OWN_KOHM = BREAKOUT_OHM / 1000, OURS_OHM / 1000
LEAST_KOHM = (3.3 - 0.4) / 3
"""I2C specification UM10204: a chip need not sink more than 3 mA at 0.4 V."""
_TOLERANCE = 0.1


def chip_wires(facts: Facts) -> tuple[Block, ...]:
    """Wire the sensor chips."""
    wiring = facts.wiring
    mux: tuple[Block, ...] = ()
    if facts.muxes:
        mux = (
            Paragraph(
                "A *multiplexer* (TCA9548A) is a switch for buses: the chips behind its channels"
                " may have the same address. Channel 0 is its SD0 and SC0, channel 1 its SD1 and"
                " SC1, and so on. IRQ does not go through it."
            ),
        )
    return (
        Heading("Sensor chips", "chip-wires", 2),
        Paragraph(
            "A *bus* (I2C) is two wires that many chips share: SDA for data and SCL for the clock."
            " Each chip on it has an *address*, which its pin ADDR sets. VIN gets 3.3 V, **never 5"
            " V**. IRQ is the wire by which a chip says that something has changed; all chips share"
            " one. The letter of a chip is only its name: write it on the breakout."
        ),
        *mux,
        TableBlock(chips_table(facts.layout, wiring), "chips"),
        Steps(
            (
                "All wires are soldered to the header pins of the breakouts. Where several go to"
                " one pin, slip heat-shrink tube over all of them, lay them side by side along the"
                " pin, solder them together, and push the tube over the joint.",
                f"Solder a wire of {STRAP_MM} mm from ADDR on each breakout, as the column"
                " \u201caddress pins\u201d in [](#chips) says.",
                "Run the cable from part to part, as the column \u201ccable from\u201d says: 3.3"
                " V (VIN), ground (GND), SDA, SCL. Lengths are for each of its wires. At the"
                f" {facts.computer.name} they begin at the pins of [](#pins); how these are"
                " counted says [](#pin-wires).",
                "Solder the resistors in the last column. Each goes from one pin of that breakout"
                " to another one. Such a resistor is a *pull-up*: it lifts a line to 3.3 V while"
                " no chip pulls it down.",
                "Join IRQ of all chips in a chain, as [](#irq-wires) says. Bind these wires to the"
                " cable where both go the same way.",
                "Solder the far ends of the pads' wires to the electrodes: for foil as"
                " [](#pads-foil), for the circuit as [](#pads-circuit)"
                + (", for tiles as [](#pads-tiles)" if facts.tiled else "")
                + " says. Ground goes to GND.",
                "Measure as [](#pull-ups) says.",
            )
        ),
        TableBlock(_chained("Wires of IRQ", wiring.of(Kind.INTERRUPT)), "irq-wires"),
        TableBlock(_pull_ups(facts), "pull-ups"),
        Paragraph(
            f"The table holds for breakouts with {BREAKOUT_KOHM:g} kohm at SDA and at SCL, as most"
            f" have. The least that is allowed is {LEAST_KOHM:.2f} kohm. If you measure less, some"
            " breakouts have smaller resistors: take those off two breakouts of that bus, and"
            " measure again."
        ),
    )


def pin_wires(facts: Facts) -> tuple[Block, ...]:
    """Wire the computer."""
    name = facts.computer.name
    if facts.on_pico:
        numbers = (
            "A pin of the Pico has two numbers. GP numbers are those of the program. The other ones"
            f" count the pins round the edge. As the Pico lies, {_corners(facts)}. No pin may see"
            " more than 3.3 V. Pins 30 and 37 stay free."
        )
    else:
        numbers = (
            "A pin of the Raspberry Pi has two numbers: that of the signal, such as GPIO17, and"
            " its place in the two rows of pins. Pin 1 is at the end of the rows towards the card,"
            " in the row farther from the edge, and has a square joint; 2 lies beside it, towards"
            " the edge; odd numbers are in the row of 1. GPIO7, 8, 9 and 11 stay free."
        )
    return (
        Heading(f"Pins of the {name}", "pin-wires", 2),
        Paragraph(f"[](#pins) lists what is wired to the {name}. {numbers}"),
        TableBlock(pins_table(facts.layout, facts.wiring), "pins"),
        *_button_wires(facts),
    )


def _button_wires(facts: Facts) -> tuple[Block, ...]:
    """Lead the wires of the buttons to where these will be."""
    if not facts.layout.buttons:
        return ()
    names = (*facts.layout.buttons, "ground")
    grounds = [wire for wire in facts.wiring.of(Kind.GROUND) if wire.end.sort == BUTTON]
    return (
        Paragraph(
            "Buttons need no resistors. One leg of each goes to its pin, the other one to ground,"
            " from button to button. Solder their wires, and the first one of"
            " [](#button-grounds), at the computer now, and lead the other ends to the buttons'"
            " holes. Put tape over each bare end and write its name on it:"
            f" {listed(names)}. It stays there until the buttons come, in [](#stack); the wires"
            " from button to button are soldered there, too. **An end without tape that touches 5"
            " V destroys the computer.**"
        ),
        TableBlock(_chained("Ground of the buttons", grounds), "button-grounds"),
    )


def _chained(title: str, wires: Iterable[Wire]) -> Table:
    """List wires that go from part to part."""
    rows = tuple((str(wire.start), str(wire.end), str(wire.length_mm)) for wire in wires)
    return Table(title, ("from", "to", "mm"), rows)


def _corners(facts: Facts) -> str:
    """Say where pins 1, 20 and 40 of a Pico are, seen by one who sits at the edge of player 1."""
    far, near, left, right = "farthest from you", "nearest to you", "left", "right"
    if lie(facts.layout).turned:
        far, near, left, right = near, far, right, left
    return f"1 is in the {left} row, {far}, 20 in the {left} row, {near}, and 40 opposite of 1"


def shifter() -> tuple[Block, ...]:
    """Wire the level shifter."""
    return (
        Heading("Level shifter", "shifter", 2),
        Paragraph(
            "Pixels want data of 3.5 V and more, and the computer gives 3.3 V: hence the level"
            " shifter. As it lies, with its notch to the left, pin 1 is at the lower left, 7"
            " at the lower right, 8 at the upper right, 14 at the upper left. [](#power-wires)"
            " has its wires, and the bridges to ground on its other pins."
        ),
    )


def pull_up_kohm(facts: Facts, bus: int, channel_chips: int | None = None) -> float:
    """Work out what is between a line of a bus and 3.3 V, all breakouts in parallel."""
    own = 1 / OWN_KOHM
    if bus in facts.computer.pulled_up:
        own = 1000 / facts.computer.pull_up_ohm
    if channel_chips is not None:
        return BREAKOUT_KOHM / channel_chips
    muxes = sum(chip.bus == bus for chip in facts.muxes)
    return 1 / (own + (len(facts.chips_on(bus)) + muxes) / BREAKOUT_KOHM)


def _pull_ups(facts: Facts) -> Table:
    rows = []
    for bus in facts.buses:
        for line in ("SDA", "SCL"):
            rows.append((f"{line} of bus {bus}", *_range(pull_up_kohm(facts, bus))))
    behind = [chip for chip in facts.profile.chips if chip.mux is not None]
    for channel in sorted({chip.channel or 0 for chip in behind}):
        count = sum(chip.channel == channel for chip in behind)
        for line in ("SDA", "SCL"):
            kohm = pull_up_kohm(facts, behind[0].bus, count)
            rows.append((f"{line} of channel {channel}", *_range(kohm)))
    return Table(
        "What the ohmmeter says from a line to 3.3 V, with everything off",
        ("line", "computed", "allowed"),
        tuple(rows),
    )


def _range(kohm: float) -> tuple[str, str]:
    low = max(kohm * (1 - _TOLERANCE), LEAST_KOHM)
    return f"{kohm:.2f} kohm", f"{low:.2f} kohm to {kohm * (1 + _TOLERANCE):.2f} kohm"
