"""The chapter on the pixels: cutting, laying and joining the strip, and the walls around it.

Owns its sentences. Must not know how they are set.
"""

from itertools import pairwise
from math import atan2, degrees

from hardware.kit.electric import chain
from hardware.kit.guide.document import Block, Heading, Paragraph, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.plates.chambers import SINGLE_MM
from hardware.kit.tables import Table
from hardware.kit.wiring import pixels_table

_PRESS_KG, _PRESS_H, _PINS_MIN = 5, 12, 15
"""How walls are pressed: wood glue on PVAc wants some hours, and is soft in its first minutes."""
_TO_AND_FRO = " Rows run to and fro, so every other one is turned round."
_TURNED_DEG = 1.0


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
    base = " or, for tiles, [](#base-tiles)" if facts.tiled else ""
    walls = " or, for tiles, [](#walls-tiles-below)" if facts.tiled else ""
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
                f"Glue each piece with hot glue where the base shows it, as in [](#base){base}, so"
                " that each pixel lies on its mark, to within 1 mm. The arrow on the strip"
                " points as the arrow of the mark does."
                + (_TO_AND_FRO if _turns(facts, found) else ""),
                *(
                    [
                        "Lay single pixels on their marks in the same way. The walls leave room"
                        f" for a round board of at most {SINGLE_MM:g} mm."
                    ]
                    if any(piece.kind is chain.Kind.SINGLE for piece in found)
                    else []
                ),
                "Join each piece to the next with three wires, through the holes beside their"
                " ends: DOUT to DIN, 5V to 5V, GND to GND. The column \u201cfrom the one"
                " before\u201d in [](#chain) says how long they are; \u201cstrip\u201d means that"
                " there is nothing to solder. The wires for 5V and GND are thick ones, red and"
                " black.",
                "Make the feeds. A *feed* is a pair of thick wires that brings 5 V and ground to a"
                " pixel, so that those far down the chain get enough. There are"
                f" {many(len(feeds), 'feed')}: at"
                f" {'pixel' if len(feeds) == 1 else 'pixels'} {listed(tuple(map(str, feeds)))}."
                " Cut them as long as the columns \u201cfeed, red\u201d and \u201cfeed,"
                " black\u201d in [](#chain) say, which may differ. Lead each pair through the hole"
                " at the side where data comes in, and solder it to 5V and GND there. Where a wire"
                " of the piece before ends on the same field, twist the bare ends of both together,"
                " tin them, and solder them as one. Leave the other ends for [](#power).",
                "With the ohmmeter, red on 5V and black on GND: more than 100 ohm anywhere on the"
                " chain. Near 0 ohm there is a short: find it by taking joints apart from the end"
                " of the chain.",
                f"From 5V of pixel 0 to 5V of pixel {facts.profile.pixel_count - 1}, the last one:"
                " less than 2 ohm. From GND to GND: the same. Once the walls are closed, no probe"
                " reaches these joints.",
                f"Lay the lower layer of the walls on the base, as in [](#walls-below){walls}. It"
                " has channels for the strips, the single pixels and their wires, so it lies flat:"
                " if it rocks, a wire is not in its channel." + _loose(facts),
                "Set the base on piles of books, all of one height, clear of its wires and screw"
                " holes. Glue this layer onto it with wood glue, thinly. Put a screw down through"
                " each screw hole of both, as a pin that keeps them in line; nothing is tightened."
                f" Lay books on it between the screws. After {_PINS_MIN} minutes, while the glue is"
                " soft, take books and screws off, lay the flat plate on it, and"
                f" {_PRESS_KG} kg of books on this, spread evenly, for {_PRESS_H} hours.",
                "Stick bits of foam tape on the strip where it goes from one cell into the next,"
                " two on each other: the next layer presses them down. Else light creeps along"
                " the strip. Leave the pixels free.",
                "Glue the upper layer, [](#walls), onto the lower one in the same way. Each pixel"
                " lies in its opening. Each connector of a printed circuit has an opening of its"
                " own among the cells, without a pixel: through it its ribbon goes down to the"
                " slot.",
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


def _turns(facts: Facts, found: tuple[chain.Piece, ...]) -> bool:
    """Tell whether the cells' pieces are rows, each turned round against the one before."""
    cells = {light.pixel for light in facts.layout.lights if light.name in facts.layout.cells}
    rows = [p for p in found if p.kind is not chain.Kind.SINGLE and cells.issuperset(p.pixels)]
    ways = [_heading_deg(piece) for piece in rows]
    turns = [(one - other) % 360 for one, other in pairwise(ways)]
    return bool(turns) and all(abs(turn - 180) < _TURNED_DEG for turn in turns)


def _heading_deg(piece: chain.Piece) -> float:
    start, end = piece.places[0], piece.places[-1]
    return degrees(atan2(end.y - start.y, end.x - start.x))


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
