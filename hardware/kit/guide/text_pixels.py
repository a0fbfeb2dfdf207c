"""The chapter on the pixels: cutting, laying and joining the strip, and the walls around it.

Owns its sentences. Must not know how they are set.
"""

from hardware.kit.electric import chain
from hardware.kit.guide.document import Block, Heading, Paragraph, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.tables import Table
from hardware.kit.wiring import pixels_table


def pixels(facts: Facts) -> tuple[Block, ...]:
    """Lay the strip."""
    wiring = facts.wiring
    found = chain.pieces(facts.layout)
    kinds = [
        (
            f"{many(len(piece.places), 'pixel')} of {piece.kind.value} a metre"
            if piece.kind is not chain.Kind.SINGLE
            else "single pixel"
        )
        for piece in found
    ]
    rows = tuple((kind, str(kinds.count(kind))) for kind in dict.fromkeys(kinds))
    feeds = facts.contents.feeding.feeds
    groups = _groups(facts)
    first = facts.layout.lights[0]
    return (
        Heading("The pixels", "pixels"),
        Paragraph(
            "All pixels lie on the upper side of the base and are one chain, numbered from 0. Pixel"
            f" 0 lights {first.name}. An arrow on each strip says which way data runs: from DIN (or"
            " DI) to DOUT (or DO). Each pixel also has 5V and GND."
        ),
        TableBlock(Table("Pieces to cut", ("piece", "how many"), rows), "pieces"),
        Steps(
            (
                "Cut the strips on the lines across their copper, as [](#pieces) says.",
                "Glue each piece with hot glue where the base shows it, as in [](#base), so"
                " that each pixel lies on its mark, to within 1 mm. The arrow on the strip"
                " points as the arrow of the mark does. Rows run to and fro, so every"
                " other one is turned round.",
                "Lay single pixels on their marks in the same way.",
                "Join each piece to the next with three wires, through the holes beside their"
                " ends: DOUT to DIN, 5V to 5V, GND to GND. The column \u201cfrom the one"
                " before\u201d in [](#chain) says how long they are; \u201cstrip\u201d means that"
                " there is nothing to solder. The wires for 5V and GND are thick ones, red and"
                " black.",
                "Make the feeds. A *feed* is a pair of thick wires that brings 5 V and ground to a"
                " pixel, so that those far down the chain get enough. There are"
                f" {many(len(feeds), 'feed')}: at"
                f" {'pixel' if len(feeds) == 1 else 'pixels'} {listed(tuple(map(str, feeds)))}."
                " Solder each pair to 5V and GND on the side where data comes in. Leave the other"
                " ends for [](#power).",
                "With the ohmmeter, red on 5V and black on GND: more than 100 ohm anywhere on the"
                " chain. Near 0 ohm there is a short: find it by taking joints apart from the end"
                " of the chain.",
                f"From 5V of pixel 0 to 5V of pixel {facts.profile.pixel_count - 1}, the last one:"
                " less than 2 ohm. From GND to GND: the same. Once the walls are closed, no probe"
                " reaches these joints.",
                "Lay the lower layer of the walls on the base, as in [](#walls-below). It"
                " has channels for the strips, the single pixels and their wires, so it lies flat:"
                " if it rocks, a wire is not in its channel. Fix it with wood glue, and"
                " a screw through every corner until it is dry." + _loose(facts),
                "Stick bits of foam tape on the strip where it goes from one cell into the next,"
                " one on the other until they are as high as the layer. Else light creeps along"
                " the strip. Leave the pixels free.",
                "Glue the upper layer, [](#walls), onto the lower one, with screws through the"
                " corners again. Each pixel lies in its opening. Beside a connector of a printed"
                " circuit a wall is left out. When its cable lies there, close the gap"
                " around it with scraps.",
            )
        ),
        Paragraph(
            "[](#chain) has all pixels in the order of the chain, also in `wiring/pixels.csv`."
            " Places are measured from the middle of all cells, on the upper side: numbers with a"
            " minus lie to the left of it, or nearer to player 1."
            + (" [](#lights) explains names that are not those of cells." if groups else "")
        ),
        *groups,
        TableBlock(pixels_table(facts.layout, wiring), "chain"),
    )


def _loose(facts: Facts) -> str:
    """Name the pieces of the walls that fall out of their plates."""
    said = []
    for build in facts.builds:
        for level, count in facts.contents.loose[build].items():
            if count:
                said.append(f"{count} in `walls-{build.value}-{level.value}`")
    if not said:
        return " No piece of these walls is loose."
    return (
        " Where cables and strips part the walls, some pieces are loose:"
        f" {listed(tuple(said))}. Glue those of the lower layer onto their outlines on the base,"
        " and later those of the upper layer on top of them."
    )


_GROUPS = {
    "circle": "the circle of species around the cells, clockwise from the top",
    "score": "the score bar of player {}, from its beginning",
    "turn": "shows that it is the turn of player {}",
    "choice": "in the key for choice {}",
    "ring": "in the key of ring {}, counted from the middle",
}


def _groups(facts: Facts) -> tuple[Block, ...]:
    rows = []
    for group, count in facts.profile.lights.items():
        word = group.rstrip("0123456789")
        said = _GROUPS.get(word, "a group of its own").format(group[len(word) :])
        named = f"{group}.0" if count == 1 else f"{group}.0 to {group}.{count - 1}"
        rows.append((named, said))
    if not rows:
        return ()
    columns = ("in the next table", "means")
    return (TableBlock(Table("Lights beside the cells", columns, tuple(rows)), "lights"),)
