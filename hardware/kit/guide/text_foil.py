"""The chapter on the sensing layer of foil.

Owns its sentences. Must not know how they are set.
"""

from dataclasses import replace

from hardware.kit.guide.document import (
    Block,
    Bullets,
    Heading,
    Paragraph,
    Picture,
    Steps,
    TableBlock,
)
from hardware.kit.guide.facts import Facts
from hardware.kit.materials import BASE_MM, PAD_TAPE_MM, TAPE_MM
from hardware.kit.plates.copper import WIRE_HOLE_MM
from hardware.kit.plates.foil import electrode_name
from hardware.kit.wiring import Build, Kind, pads_table

OPEN_MOHM = 1
JOINED_OHM = 2


def foil(facts: Facts) -> tuple[Block, ...]:
    """Make the sensing layer by hand."""
    geometry = facts.layout.geometry
    wiring = facts.contents.wirings[Build.FOIL]
    lengths = [wire.length_mm for wire in wiring.of(Kind.PAD, Kind.GUARD)]
    shortest, longest = min(lengths), max(lengths)
    through = geometry.carrier_mm + geometry.air_mm + BASE_MM
    first = next(iter(facts.layout.sensors.values()))
    electrode = electrode_name(first)
    return (
        Heading("The sensing layer of foil", "foil"),
        Paragraph(
            "Skip this chapter if you do not build with foil. You need the carrier, the template"
            " `foil/foil-a4.pdf` printed and joined twice as in [](#print), copper tape, copper"
            " foil and thin wire."
        ),
        Picture(
            facts.contents.drawings["foil"],
            "The template. Red lines are cut: pads are brown, guards are grey. Blue circles are"
            " holes.",
            "template",
            file="foil/foil.svg",
            width=0.7,
        ),
        Heading("Copper", "foil-copper", 2),
        Steps(
            (
                "Look at [](#template): the template shows all copper and all holes. Cut one along"
                " its dashed edge, and glue it onto the carrier, edge on edge, with spray glue,"
                " unless it is there from [](#no-laser). It stays there. The print is on top, and"
                " so is the players' side.",
                "Open all holes in the paper with the point of the knife, or drill them through"
                f" paper and carrier: {geometry.hole_mm:g} mm in the middle of a pad, for its"
                f" light; {WIRE_HOLE_MM:g} mm for a wire.",
                "Part the other template. Cut the paper in the gap around each pad: this gives"
                f" {facts.pads} scraps of paper, each a pad with its *tail*, the short tongue that"
                " leads through the gap in the guard to the hole of the wire. What is left of the"
                " paper, in one piece, is the guards.",
                f"Stick the scraps on the tape of {TAPE_MM} mm with spray glue, each with its tail"
                f" along the tape: one takes {PAD_TAPE_MM} mm of it. Stick the paper of the guards"
                " on the foil. Cut out both along the red lines, each pad in one piece with its"
                " tail, and round off sharp corners. A cutting plotter does all this from"
                " `foil/foil.dxf`.",
                "Take the backing off a pad, lay it on its place on the carrier, and rub it down"
                " from the middle outwards. There must be no bubble and no fold. Do all pads.",
                "Lay the guards: rings, and the links between them. Cut them in one piece, or lay"
                f" strips of {geometry.guard_mm:g} mm. Where two strips overlap, **solder them**:"
                " the glue of the tape does not conduct.",
                "Open the holes in the copper: pierce from above, and press the burr flat.",
            )
        ),
        Bullets(
            (
                f"Between a pad and its guard {geometry.gap_mm:g} mm stay free, and half of that at"
                " the very least.",
                "No ring is closed: each has a gap where the tail passes. Leave it so.",
            )
        ),
        Heading("Wires", "foil-wires", 2),
        Steps(
            (
                "Cut a wire for each pad to the length in [](#pads-foil), and strip 4 mm at both"
                f" ends. The longest has {longest} mm. Lengths hold 40 mm to spare.",
                "Write chip and electrode on a flag of tape at the far end: a wire for"
                f" {first.name} says {electrode}, which is chip"
                f" {first.electrode.chip} and its electrode {first.electrode.electrode}.",
                "Push the wire from below through the hole in its tail, bend the bare end flat onto"
                " the copper, and solder it all round the hole. Be quick: heat loosens the glue.",
                "Cut and file the joint until it stands out by less than 0.3 mm. What stands out"
                " keeps the cover from lying flat.",
                "Solder the one wire to ground at the hole that the template marks for it in a"
                " guard. All guards hang together, so one is enough.",
                "Lead the wires away from each other where you can, and cross them at right"
                " angles. Fix them with tape: a wire that moves by a millimetre changes what its"
                " pad reads.",
                f"In [](#turn) all {facts.pads + 1} wires go down through the base, which has a"
                " hole below each. Do not force them all at once. Prop up its edge of player 1"
                " on a book, so that it slants and its far edge is just above the walls. Push the"
                " wires of the farthest row through their holes, and pull them down as you lower"
                " the layer by a row. Go on row by row, towards player 1. The shortest wire has"
                f" {shortest} mm, of which carrier, walls and base take {through:g} mm.",
            )
        ),
        Heading("Tests with the ohmmeter", "foil-tests", 2),
        Paragraph("Do this now. Under the cover nothing can be mended."),
        Steps(
            (
                f"From the end of each wire to its pad: less than {JOINED_OHM} ohm. If it is more,"
                " solder the joint again.",
                f"From each wire to the wire to ground: more than {OPEN_MOHM} Mohm (1,000,000"
                " ohm). Else copper touches between pad and guard: look at the gap with a lamp"
                " behind it.",
                f"From each wire to those of all pads beside it: more than {OPEN_MOHM} Mohm.",
                f"From the wire to ground to each guard: less than {JOINED_OHM} ohm. Else a link"
                " is not soldered.",
            )
        ),
        TableBlock(replace(pads_table(wiring), title="Wires of the pads of foil"), "pads-foil"),
    )
