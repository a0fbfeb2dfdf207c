"""The chapters on power and on the stack: what goes on last, and is switched on first.

Owns their sentences. Must not know how they are set.
"""

from hardware.kit.electric.ladder import INLET_V
from hardware.kit.electric.sensing import BOARD_MM
from hardware.kit.guide.document import Block, Caution, Heading, Paragraph, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.guide.text_play import pressed
from hardware.kit.materials import BASE_MM, FEET_MM, screw_mm
from hardware.kit.places import clamps
from hardware.kit.plates.walls import Level
from hardware.kit.tables import Table
from hardware.kit.wiring import power_table


def power(facts: Facts) -> tuple[Block, ...]:
    """Wire the power and switch it on for the first time."""
    feeding = facts.contents.feeding
    name = facts.computer.name
    own = (
        "The Pico and its chips get their power from the computer's USB socket. Nothing is wired to"
        " its pin VBUS (40). The diode to VSYS in [](#power-wires) is only for a board that is to"
        " breathe light while its computer is off: leave it out at first. **Never join 5 V of the"
        " strip with VBUS or VSYS without it.**"
        if facts.on_pico
        else "The Raspberry Pi has a supply of its own, at its own socket. **Never join 5 V of the"
        " strip with a pin of the Raspberry Pi.** Only their grounds are joined."
    )
    source = (
        "the Pico's USB cable"
        if facts.on_pico
        else "the Raspberry Pi's own supply; it has no card yet, so no more than a light shines"
    )
    return (
        Heading("Power", "power"),
        Paragraph(
            f"The strip has a supply of its own: 5 V and at least {feeding.supply_a:g} A. The fuse"
            f" ({feeding.fuse_a:g} A, time-lag, marked T) sits in the 5 V wire right at the"
            f" supply. All wires for 5 V and ground of the strip have {feeding.wire_mm2:g}"
            f" mm\u00b2. The program never lets the strip draw more than {feeding.budget_ma} mA;"
            " the fuse is for the day on which something else goes wrong."
        ),
        Paragraph(own),
        Paragraph(
            "A *lever clamp* joins all wires that are put into it: lift a lever, push in the wire,"
            " stripped for 11 mm, and close the lever. Which place of a clamp a wire takes does not"
            f" matter. Clamps are called {_clamps(facts)}: those of 5V join 5 V behind the fuse,"
            " those of GND the strip's ground. The feeds made in [](#pixels) end in them. A wire"
            " leads from a clamp to the next one where there is more than one of a kind."
        ),
        TableBlock(power_table(facts.wiring), "power-wires"),
        Paragraph(
            "\u201csupply\u201d is the inlet, which takes what comes from the supply itself:"
            " plug and clamps are used from the sides that [](#spots) names."
            " \u201cfuse, in\u201d is the side of the fuse's holder towards it, \u201cfuse,"
            " out\u201d the other one."
        ),
        Paragraph(
            "The large capacitor (1000 uF) and the resistor in the data wire belong to pixel 0, but"
            " do not fit above the base. Solder them to the wires of pixel 0 below the base, right"
            " at the hole where these come out, and put heat-shrink tube over their legs. The plus"
            " of the capacitor goes to 5V: its minus is marked with a stripe. The capacitor of 100"
            " nF sits at the level shifter, and has no plus or minus."
        ),
        Heading("First switching-on", "switch-on", 2),
        Caution(
            "Do this in just this order, while the board still lies on its cover. At the first"
            " smell or spark pull the plug."
        ),
        Steps(
            (
                "Nothing is plugged in. The fuse is out of its holder. Ohmmeter, red on"
                " \u201cfuse, out\u201d and black on ground: it climbs as the capacitor fills, to"
                " more than 100 ohm.",
                "Ohmmeter from VIN to GND at a breakout: more than 20 ohm, since near 0 is a short."
                " From VIN to \u201cfuse, out\u201d: more than 500 ohm.",
                f"Ohmmeter from ground of the supply to a ground pin of the {name}: less than 1"
                " ohm.",
                "The socket of the 74AHCT125 is still empty, so that the computer and the strip"
                " share ground only"
                + (", and leave the Pico's cable out." if facts.on_pico else "."),
                "Plug in the strip's supply, still without the fuse. Voltmeter from \u201cfuse,"
                f" in\u201d to ground: {INLET_V:g} V to 5.25 V. If there is a minus sign, plus and"
                " minus are exchanged.",
                "Unplug it, put the fuse in, plug it in again. The fuse holds. Pixels may light up"
                " at random, or stay dark.",
                "Voltmeter from 5V to GND at the capacitor of pixel 0, and at the beginning of"
                f" each feed: {INLET_V:g} V to 5.25 V everywhere.",
                "From pin 14 of the level shifter's socket to its pin 7: the same.",
                f"Switch the strip off. Plug in {source}. Voltmeter from VIN to GND at every"
                " breakout: 3.15 V to 3.45 V. Then switch it off again.",
                "Push the 74AHCT125 into its socket, its notch as [](#spots) says. From now on any"
                " order of switching on will do.",
            )
        ),
        Paragraph(
            f"With {INLET_V:g} V at the inlet and the strip as bright as it may be, pixel"
            f" {feeding.worst_pixel} gets least: {feeding.worst_v:.2f} V by computation, of the 4.5"
            " V that it needs. So the inlet is measured once more in [](#play), while the board"
            " plays."
        ),
    )


def _clamps(facts: Facts) -> str:
    return listed(tuple(f"`{name}`" for name in clamps(facts.layout)))


def stack(facts: Facts) -> tuple[Block, ...]:
    """Stack the board."""
    layout, geometry = facts.layout, facts.layout.geometry
    half = geometry.air_mm / len(Level)
    layers = (
        ("cover", f"{geometry.cover_mm:g} mm", "its protective film taken off"),
        ("printed top", "0.1 mm", "print upwards"),
        ("diffuser", "0.1 mm to 0.2 mm", ""),
        ("sensing layer of foil", f"{geometry.carrier_mm:g} mm", "copper upwards, on its carrier"),
        (
            "or a printed circuit" + (", or tiles" if facts.tiled else "") + ", in its surround",
            f"{BOARD_MM:g} mm",
            "print with the cells' names upwards",
        ),
        ("walls", f"{len(Level)} x {half:g} mm", "upper and lower, glued to the base"),
        ("base", f"{BASE_MM:g} mm", "pixels upwards, electronics underneath"),
        ("feet", f"{FEET_MM} mm", "the spacers on the screws"),
    )
    return (
        Heading("Stacking it", "stack"),
        Paragraph(
            "You have come here after [](#first), so all pads and pixels work. [](#layers) lists"
            " what lies on what. Switch everything off and unplug it. Now the cover is glued on,"
            " and after that nothing above the walls can be mended."
        ),
        TableBlock(
            Table("The stack, from the top", ("layer", "thickness", "note"), layers), "layers"
        ),
        Steps(
            (
                f"Set the board on two piles of books, higher than {FEET_MM} mm and clear of all"
                " parts and screws underneath, so that it rests on its base. Hold each spacer, and"
                " take out"
                " its screw. Take off cover, print and diffuser.",
                "Stick four screws up through the base and all layers at its corners, from below,"
                " as pins: each layer and film goes onto them, so that all holes stay above each"
                " other. Pull them out when the cover is on.",
                "Peel the film off the cover. Wipe copper, print and"
                " cover with a dry cloth. Lay glue film on the sensing layer, then the diffuser,"
                " glue film, the print, glue film, and the cover. Rub each down from the middle"
                " outwards. **There must be no air between cover and copper**: 0.1 mm of air costs"
                " as much as 0.3 mm of acrylic.",
                "Cut the films out of the holes for buttons and screws.",
                *_buttons(facts),
                f"Put an M3 screw of {screw_mm(layout)} mm through each of the {len(layout.screws)}"
                " holes from above, with a washer and a spacer below the base, as before. Tighten"
                " them evenly until nothing rattles, and no further: acrylic cracks.",
                *_soldered(facts),
                "Take the books away. The board stands on its spacers only, and nothing underneath"
                " touches the table. Plugs and cables go out between them.",
                "Switch it on and play as in [](#first)."
                + _tried(facts)
                + " Look at the board in the dark: each pixel lights"
                " its own cell only. A bright line in a neighbour means that the walls do not touch"
                " the layer above: tighten the screws beside it. Where a connector has"
                " taken the place of a wall, some light passes, and that is no fault.",
            )
        ),
        Paragraph(
            "The cover lies closer now, so all pads want to be measured once more. [](#service)"
            " does that, so go on there. Only if you do not want the board to start by itself,"
            " calibrate it here, with the command of [](#calibrate)."
        ),
    )


def _buttons(facts: Facts) -> tuple[str, ...]:
    """Mount the buttons."""
    if not facts.layout.buttons:
        return ()
    return (
        "Test each button with the ohmmeter on its two legs: less than 2 ohm while it is pressed,"
        " and nothing else. Lift the layer at its edge by what the wires have to spare, put each"
        " button through from above, and tighten its nut below the layer. The nut lies in an"
        " opening of the walls.",
        "If the legs of a button are so short that they end inside, pull its wires up through the"
        " hole in the base, and solder them now. Lower the layer again.",
    )


def _soldered(facts: Facts) -> tuple[str, ...]:
    """Join the buttons with their wires."""
    if not facts.layout.buttons:
        return ()
    return (
        "Turn the board over onto the piles of books, with the cloth on them and the buttons"
        " hanging free between. Solder the wires to the buttons' legs, by the names on the tape,"
        " and then those of [](#button-grounds) from button to button. Turn it back.",
    )


def _tried(facts: Facts) -> str:
    return f" Press each button once: {pressed(facts)}." if facts.layout.buttons else ""
