"""The chapter on the stones: how many, of what kinds, of what size and material.

Owns its sentences. Must not know how they are set, nor the games: what they need is given.
"""

from math import floor

from hardware.kit.electric.sensing import FINGER_MM, FOOT_MM
from hardware.kit.guide.document import Block, Bullets, Heading, Paragraph, TableBlock
from hardware.kit.guide.facts import Facts
from hardware.kit.tables import Table

LEAST_MM = 8
"""Smaller ones are hard to grasp."""


def stones(facts: Facts) -> tuple[Block, ...]:
    """Say what must stand beside the board before the first game."""
    needed = facts.contents.artwork.stones
    if not needed:
        return (
            Heading("Stones", "stones"),
            Paragraph("No game of lifeboard has just these cells, so no stones are listed here."),
            Bullets(_size(facts)),
        )
    rows = tuple((s.game, s.side, s.kind, str(s.count), s.look) for s in needed)
    return (
        Heading("Stones", "stones"),
        Paragraph(
            "What stands on the board is called a stone here, whatever the game calls it. None are"
            " in the lists of parts: buy them, make them of wood, or take them from another game."
            " [](#stone-list) has all that the games of this board need. You need those of the"
            " games that you play."
        ),
        TableBlock(
            Table("Stones", ("game", "whose", "kind", "how many", "what it looks like"), rows),
            "stone-list",
        ),
        Bullets((*_size(facts), *_notes(facts))),
    )


def widest_mm(facts: Facts) -> int:
    """Give the widest foot that leaves room for a fingertip on the pad.

    Pushed to the edge of its cell the stone leaves that much of the pad free at its other side.
    """
    geometry = facts.layout.geometry
    return floor(geometry.pitch_mm / 2 + geometry.pad_mm / 2 - FINGER_MM)


def _size(facts: Facts) -> tuple[str, ...]:
    geometry = facts.layout.geometry
    if facts.presence:
        outer = geometry.guard_outer_mm
        return (
            f"**Size.** The foot is {outer:g} mm wide, and nothing is wider than"
            f" {geometry.pitch_mm:g} mm, which is from cell to cell.",
            "**Material.** This board feels stones by metal at their foot: a flat ring of copper"
            f" tape, or a washer, from {FOOT_MM:g} mm to {outer:g} mm. It lies flat on the cover,"
            " covers pad and guard, and lets the light through its middle.",
        )
    return (
        f"**Size.** The foot is {LEAST_MM} mm to {widest_mm(facts)} mm wide, round or square. A"
        " fingertip must find the cover beside the stone, above the pad. A stone of"
        f" {floor(geometry.pad_mm - FINGER_MM)} mm may stand in the middle of its cell; push a"
        f" wider one to the cell's edge. No part is wider than {geometry.pitch_mm:g} mm, which is"
        " from cell to cell.",
        "**Material.** Wood, glass or plastic: nothing that conducts. A stone with metal in it"
        " would be taken for a finger that never lets go.",
    )


_NOTES = {
    "Circle of Life": (
        "**How many for Circle of Life.** More can never stand on the board, since no more than"
        " four of one colour may hang together. Games that were tried never had 30 of one"
        " colour. Eaten stones go back to their owner: the program counts them."
    ),
    "Adaptoid": (
        "**Limbs of Adaptoid.** Legs and pincers stick in their body and move with it. They may"
        " have any form, as long as both players tell them apart and can count them. The board"
        " shows them too, while a finger is held on a body."
    ),
    "Azteka": "**Sides of Azteka.** In the game for three each side uses {least} pieces only.",
    "CirKle Mind": (
        "**Faces of CirKle Mind.** Each is a block that stands upright: its face looks at its"
        " player, and its back, in the colour of the army, at the other one. Print the faces or"
        " draw them, and glue them on. All backs look alike. Cut a screen of card, 20 cm high, to"
        " stand between the players while they lay out their armies."
    ),
}


def _notes(facts: Facts) -> tuple[str, ...]:
    least: dict[str, int] = {}
    for stone in facts.contents.artwork.stones:
        least[stone.game] = min(stone.count, least.get(stone.game, stone.count))
    return tuple(
        _NOTES[game].format(least=count) for game, count in least.items() if game in _NOTES
    )
