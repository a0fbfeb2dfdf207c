"""The last chapters: what to do when something is wrong, all figures, and where facts come from.

Owns their sentences. Must not know how they are set.
"""

from hardware.kit.electric import figures_table
from hardware.kit.guide.document import Block, Bullets, Heading, Paragraph, TableBlock
from hardware.kit.guide.facts import Facts
from hardware.kit.tables import Table


def wrong(facts: Facts) -> tuple[Block, ...]:
    """Say what helps."""
    rows = [
        (
            "nothing lights up",
            "5 V at pixel 0? Grounds joined? Data at the end that the arrow leaves? Pins 1 and 7 of"
            " the level shifter at ground, 14 at 5 V?",
        ),
        (
            "lights up to one pixel, then dark or wild",
            "that pixel, or the joint before it: solder it anew, or replace it",
        ),
        ("the wrong cell glows", "the chain is in another order: compare it with [](#chain)"),
        (
            "red and green are exchanged",
            'write `order = "RGB"` in `[strip]` of the profile, in the place of `"GRB"`',
        ),
        ("flicker", "ground of the strip, level shifter, a shorter data wire"),
        (
            "far pixels turn yellow or red",
            "a feed is missing or loose: measure 5 V at each of them",
        ),
        ("a chip does not answer", "its four wires and ADDR: `doctor` names the place"),
        (
            "no chip of a bus answers",
            "SDA and SCL exchanged, or a short: measure as [](#pull-ups) says",
        ),
        (
            "a cell is never felt",
            "its wire: from the electrode to the pad less than 2 ohm? Then calibrate",
        ),
        (
            "all cells are weak",
            "air under the cover; a cover that is too thick; ground of the guards missing",
        ),
        (
            "a cell is felt through its neighbour",
            "two wires side by side: part them; is the guard at ground?",
        ),
        (
            "false touches",
            "wires of pads beside those of the strip: part them; then calibrate",
        ),
        (
            "all is well until lights change",
            "supply and ground of the strip, the capacitor of 1000 uF",
        ),
        (
            "the fuse blows",
            "a short from 5V to GND: take feeds off one by one, with the ohmmeter. Never put in a"
            " larger one",
        ),
    ]
    if facts.layout.buttons:
        rows.append(
            (
                "a button does nothing",
                "with everything off, from its pin in [](#pins) to a ground pin less than 2 ohm"
                " while it is pressed? Else its wire, its ground ([](#button-grounds)), or the"
                " button itself",
            )
        )
    if facts.on_pico:
        rows.append(
            (
                "no Pico is found",
                "the cable carries power only: take another one; else flash it anew",
            )
        )
    return (
        Heading("When something is wrong", "wrong"),
        Paragraph(
            "Begin with the doctor ([](#doctor)), then with `monitor` ([](#monitor)): the first"
            " sees chips and settings, the second sees pads. While a game runs it pauses at a"
            " fault, the cells concerned limp in violet, and the page says why. Play goes on by"
            " itself when all is well. [](#help) says what to look at."
        ),
        TableBlock(Table("What helps", ("what you see", "look at"), tuple(rows)), "help"),
        Paragraph(
            "More messages and their meanings are in `hardware/README.md` of lifeboard, for depth."
        ),
    )


def figures(facts: Facts) -> tuple[Block, ...]:
    """Show all figures."""
    return (
        Heading("All figures", "figures"),
        Paragraph(
            "Each figure in [](#figure-list) was computed from the profile and the wires of this"
            " kit, and is within its limit; otherwise there would be no kit. None has been"
            " measured. The same table is in the kit as `figures.csv`."
        ),
        TableBlock(figures_table(*facts.contents.figures.values()), "figure-list"),
    )


_SOURCES = (
    "MPR121 data sheet, NXP, revision 4; application notes AN3889 (charge) and AN3944 (settings)",
    "74AHCT125 and TCA9548A data sheets, Texas Instruments",
    "WS2812B data sheets, Worldsemi",
    "I2C specification UM10204, NXP: pull-ups and capacitance",
    "Getting Started with CapSense, Cypress 001-64846; KBA227570: length of traces",
    "Capacitive Touch Sensor Design Guide, Microchip: finger, cover, ground behind pads",
    "ESP32 data sheet, Espressif, on touch sensors: distances between pads",
    "NeoPixel Überguide, Adafruit: capacitor, resistor, level, feeds",
    "IEC 60228 and IEC 60335-1: resistance and current of wires",
    "Raspberry Pi documentation: pins, config.txt; Raspberry Pi Pico Datasheet",
    "The Gerber Layer Format Specification, Ucamco",
)


def sources(_: Facts) -> tuple[Block, ...]:
    """Name the sources."""
    return (
        Heading("Sources", "sources"),
        Paragraph("You need none of these to build the board. They are where its facts come from."),
        Bullets(_SOURCES),
    )
