"""The chapters on the sensing layer as a printed circuit, in one piece and in tiles.

Owns their sentences. Must not know how they are set.
"""

from dataclasses import replace

from hardware.kit.circuit.circuit import GROUND, Connector
from hardware.kit.guide.document import (
    Block,
    Caution,
    Heading,
    Paragraph,
    Steps,
    TableBlock,
)
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.guide.text_foil import JOINED_OHM, OPEN_MOHM
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, pads_table

PARTED_MM = 25
"""How far the wires of a ribbon are parted to reach the pins, which are twice as far apart."""


def circuit(facts: Facts) -> tuple[Block, ...]:
    """Prepare the printed circuit and solder its ribbons."""
    contents = facts.contents
    wiring = contents.wirings[Build.CIRCUIT]
    names = tuple(connector.name for connector in contents.circuit.connectors)
    first = contents.circuit.connectors[0]
    pins = len(first.pins)
    return (
        Heading("The sensing layer as a printed circuit", "circuit"),
        Paragraph(
            "Skip this chapter if you have made the layer of foil"
            + (" or take tiles" if facts.tiled else "")
            + f". On its bottom the circuit has {many(len(names), 'row')} of flat fields of"
            f" bare copper, called *connectors*: {listed(names)}, one for each sensor chip. Each of"
            f" their {pins} fields is called a pin here, though nothing stands up, and nothing is"
            " plugged on. Pin 1 has a small triangle beside it and belongs to electrode 0, pin 2 to"
            f" electrode 1 and so on; pin {pins} is ground."
        ),
        Heading("Inspect it", "circuit-inspect", 2),
        Steps(
            (
                f"Measure it: {facts.circuit_size}, to within 0.5 mm.",
                "Hold it against a lamp: light falls through the hole of every pad that has a"
                " light.",
                "Look at the top for scratches through the solder mask. Cover one with a drop of"
                " nail varnish.",
                f"With the ohmmeter, on each connector: from pin {pins} to every other pin more"
                f" than {OPEN_MOHM} Mohm (1,000,000 ohm), and between pins that are side by side"
                " too.",
                f"Between pins {pins} of two connectors: less than {JOINED_OHM} ohm. All guards"
                " and all these pins are one net.",
            )
        ),
        Paragraph(
            "The pads themselves lie under the solder mask, where no probe reaches them. Whether a"
            " pad is joined to its pin was tested by the maker, and `lifeboard monitor` shows it in"
            " [](#first)."
        ),
        Heading("Ribbons", "ribbons", 2),
        Paragraph(
            f"A *ribbon* is a flat cable of wires side by side; here it has {pins}. It is soldered"
            " straight to the pins, since a plug would be higher than the walls."
        ),
        Steps(
            (
                "Cut a ribbon for each connector to the length in [](#pads-circuit). Its marked"
                " edge is pin 1.",
                f"Part its wires for {PARTED_MM} mm at this end. Strip 3 mm of each, twist and tin"
                " them. The far end stays as it is until [](#chip-wires).",
                "Tin the pins of the connector thinly.",
                "Lay wire after wire flat on its pin, along the pin, and solder it. Nothing may"
                " stand up by more than 3 mm. Nothing at all may come through to the top.",
                "Fix the ribbon to the circuit with a drop of hot glue, where its wires part.",
                "Measure again as above: each wire to its neighbours and to ground more than"
                f" {OPEN_MOHM} Mohm, for all pads.",
                "Write the connector's name on the far end.",
            )
        ),
        TableBlock(
            replace(pads_table(wiring), title="Ribbons of the printed circuit"), "pads-circuit"
        ),
    )


def tiles(facts: Facts) -> tuple[Block, ...]:
    """Join tiles to a sensing layer."""
    contents = facts.contents
    wiring = contents.wirings[Build.TILES]
    rows = tuple(
        (
            each.name,
            listed(tuple(connector.name for connector in each.connectors)),
            listed(tuple(_nets(connector) for connector in each.connectors)),
        )
        for each in contents.tiles
    )
    return (
        Heading("The sensing layer in tiles", "tiles"),
        Paragraph(
            "Skip this chapter if you have one circuit, or foil. Each tile holds some of the"
            " cells. On its bottom it has a connector, a row of flat fields of bare copper, which"
            " are called pins: one for each of its pads; the last one is ground. Pin 1 has a small"
            " triangle beside it. [](#tile-list) says which pads are on which tile."
        ),
        TableBlock(Table("Tiles", ("tile", "connector", "pads, from pin 1 on"), rows), "tile-list"),
        Steps(
            (
                "Test each tile with the ohmmeter: its last pin to every other more than"
                f" {OPEN_MOHM} Mohm (1,000,000 ohm), and pins side by side too.",
                "Print and join `foil/foil-a4.pdf` as in [](#print), and fix it on a flat table.",
                "Lay the tiles on it, print upwards, so that each hole for light lies on its blue"
                " circle. Between tiles there is a gap of up to 1 mm.",
                "Join them from above with clear tape over all gaps. Turn the whole over on a"
                " second plate. Glue strips of card over the gaps from below, clear of pins and"
                " holes.",
                "Solder a wire to each pin, as long as [](#pads-tiles) says, and write chip and"
                " electrode on its far end. The last pin of every tile goes to ground: else its"
                " guards do nothing.",
                "Fix the wires of each connector with a drop of hot glue, 10 mm from the pins.",
                f"Measure again: each wire to ground, and to its neighbours, more than {OPEN_MOHM}"
                " Mohm.",
            )
        ),
        Caution("Tiles can shift. Do not bend the layer; carry it on a plate until it is stacked."),
        TableBlock(replace(pads_table(wiring), title="Wires of the tiles"), "pads-tiles"),
    )


def _nets(connector: Connector) -> str:
    return ", ".join("ground" if pin.net == GROUND else pin.net or "none" for pin in connector.pins)
