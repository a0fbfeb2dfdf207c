"""The assembly guide of a board: which chapters it has, in the order in which one builds.

Owns the order. What each chapter says is in the modules beside this one.
"""

from hardware.kit.contents import Contents
from hardware.kit.guide import (
    text_circuit,
    text_end,
    text_foil,
    text_order,
    text_pixels,
    text_plates,
    text_play,
    text_power,
    text_software,
    text_start,
    text_stones,
    text_under,
)
from hardware.kit.guide.document import Block, Document
from hardware.kit.guide.facts import Facts


def assembly(contents: Contents) -> Document:
    """Write the guide of a kit."""
    facts = Facts(contents)
    chapters = [
        text_start.what,
        text_start.ways,
        text_start.parts,
        text_stones.stones,
        text_order.order,
        text_plates.sheets,
        text_plates.plates,
        text_plates.top,
        text_foil.foil,
        text_circuit.connector,
        text_circuit.circuit,
        *([text_circuit.tiles] if facts.tiled else []),
        text_pixels.pixels,
        text_under.underside,
        text_power.power,
        text_software.software,
        text_play.first,
        text_power.stack,
        text_software.service,
        text_play.game,
        text_end.wrong,
        text_end.figures,
        text_end.sources,
    ]
    blocks: list[Block] = []
    for chapter in chapters:
        blocks += chapter(facts)
    return Document(
        f"Build {facts.profile.name}",
        f"{facts.profile.title}: from loose parts to the first game.",
        tuple(blocks),
    )
