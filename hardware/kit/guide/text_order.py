"""The chapter on ordering printed circuits.

Owns its sentences. Must not know how they are set.
"""

from hardware.kit.circuit.circuit import CLEARANCE_MM, TRACK_MM, VIA_DRILL_MM, Circuit
from hardware.kit.guide.document import Block, Heading, Paragraph, Picture, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.tables import Table


def order(facts: Facts) -> tuple[Block, ...]:
    """Say how circuits are ordered."""
    contents = facts.contents
    name = contents.circuit.name
    thin = min(TRACK_MM, CLEARANCE_MM)
    settings = [
        ("files", f"`circuit/{name}.zip`, as it is: do not unpack it"),
        ("base material", "FR-4"),
        ("layers", "2"),
        ("size", f"{facts.circuit_size}; the page reads it from the file"),
        ("quantity", "the smallest that is offered"),
        ("thickness", "1.6 mm"),
        ("colour (solder mask)", "black, or any other: the print covers it"),
        ("print (silkscreen)", "white"),
        ("surface finish", "HASL, lead-free; any other will do"),
        ("copper", "1 oz, which is 0.035 mm"),
        ("least track and gap", f"{thin:g} mm"),
        ("least drill", f"{VIA_DRILL_MM:g} mm"),
        ("vias", "tented, which means covered with solder mask"),
        ("electrical test", "yes"),
        ("edges", "plain: no castellated holes, no gold fingers, no panel"),
        ("assembly", "no"),
        ("stencil", "no"),
    ]
    tiles: tuple[Block, ...] = ()
    if facts.tiled:
        tiles = _tiles_order(facts.contents.tiles)
    return (
        Heading("Ordering the printed circuit", "order"),
        Paragraph(
            "*Gerber files* say where a circuit has copper, lacquer and print; *drill files* say"
            " where its holes are. Makers of printed circuits take both in one archive. The lacquer"
            " is called *solder mask*. A *via* is a small hole with copper that joins both sides. A"
            " *net* is all copper that is joined: here each pad with its track and its pin is one"
            " net, and all guards together are another."
        ),
        Steps(
            (
                "Open the page of a maker that takes Gerber files and your size. Four of many are"
                " JLCPCB, PCBWay, Aisler and Eurocircuits. The page says at once if a board is too"
                " large for it; then take the next" + (", or the tiles." if facts.tiled else "."),
                f"Upload `circuit/{name}.zip`.",
                f"Compare its preview with [](#circuit-top) and [](#circuit-bottom), and the size"
                f" that it says with {facts.circuit_size}. They must agree.",
                "Set what [](#settings) says, and leave everything else as the page has it.",
                "Order. The maker solders nothing onto it: you do that in [](#circuit).",
            )
        ),
        TableBlock(
            Table("What the page of the maker asks", ("it asks", "say"), tuple(settings)),
            "settings",
        ),
        Picture(
            contents.pictures["circuit-top"],
            "The circuit from above, drawn from the very files that you upload. Pads and guards are"
            " under the solder mask.",
            "circuit-top",
            0.85,
            file="circuit/top.svg",
        ),
        Paragraph("Both pictures are in the kit too: `circuit/top.svg` and `circuit/bottom.svg`."),
        Picture(
            contents.pictures["circuit-bottom"],
            "The circuit from below, as you see it when you turn it over.",
            "circuit-bottom",
            0.85,
            file="circuit/bottom.svg",
        ),
        *tiles,
    )


def _tiles_order(tiles: tuple[Circuit, ...]) -> tuple[Block, ...]:
    names = tuple(f"`tiles/{each.name}/{each.name}.zip`" for each in tiles)
    return (
        Heading("Ordering tiles", "order-tiles", 2),
        Paragraph(
            f"There are {many(len(tiles), 'tile')}, each with an archive of its own:"
            f" {listed(names)}. Order each once, with the settings of [](#settings). Only the size"
            " differs, and the page reads it from the file. Beside each archive lie pictures of"
            " both sides, `top.svg` and `bottom.svg`."
        ),
        Paragraph(
            f"Put all {many(len(tiles), 'archive')} into one cart before you pay, so that they come"
            " in one parcel. Makers sell several pieces of each: keep two. The name, such as"
            f" {tiles[0].connectors[0].name}, is printed on the underside. Print and tracks of all"
            " tiles differ, so none stands in for another. [](#tile-plan) shows their outlines."
        ),
    )
