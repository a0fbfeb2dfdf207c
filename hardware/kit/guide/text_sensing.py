"""The chapters on the sensing layer: of foil, as a printed circuit, in tiles.

Owns their sentences. Must not know how they are set.
"""

from dataclasses import replace

from hardware.kit.circuit.circuit import GROUND, Connector
from hardware.kit.guide.document import (
    Block,
    Bullets,
    Caution,
    Heading,
    Paragraph,
    Picture,
    Steps,
    TableBlock,
)
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.plates.copper import WIRE_HOLE_MM
from hardware.kit.plates.foil import electrode_name
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, Kind, Wiring, pads_table

_OPEN_MOHM = 1
_JOINED_OHM = 2
PARTED_MM = 25
"""How far the wires of a ribbon are parted to reach the pins, which are twice as far apart."""


def foil(facts: Facts) -> tuple[Block, ...]:
    """Make the sensing layer by hand."""
    geometry = facts.layout.geometry
    wiring = facts.contents.wirings[Build.FOIL]
    longest = max(wire.length_mm for wire in wiring.of(Kind.PAD))
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
            large=True,
        ),
        Heading("Copper", "foil-copper", 2),
        Steps(
            (
                "Look at [](#template): the template shows all copper and all holes. Glue one onto"
                " the carrier, edge on edge, with spray glue. It stays there."
                " The print is on top, and so is the players' side.",
                "Open all holes in the paper with the point of the knife, or drill them through"
                f" paper and carrier: {geometry.hole_mm:g} mm in the middle of a pad, for its"
                f" light; {WIRE_HOLE_MM:g} mm for a wire.",
                "Fix the other template on the copper with clear tape, pads on the tape of 20 mm"
                " and guards on the foil, or give `foil/foil.dxf` to a cutting plotter. Cut out"
                " each pad in one piece with its *tail*, the short tongue that leads through the"
                " gap in the guard to the hole of the wire. Round off sharp corners.",
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
            )
        ),
        Heading("Tests with the ohmmeter", "foil-tests", 2),
        Paragraph("Do this now. Under the cover nothing can be mended."),
        Steps(
            (
                f"From the end of each wire to its pad: less than {_JOINED_OHM} ohm. If it is more,"
                " solder the joint again.",
                f"From each wire to the wire to ground: more than {_OPEN_MOHM} Mohm (1,000,000"
                " ohm). Else copper touches between pad and guard: look at the gap with a lamp"
                " behind it.",
                f"From each wire to those of all pads beside it: more than {_OPEN_MOHM} Mohm.",
                f"From the wire to ground to each guard: less than {_JOINED_OHM} ohm. Else a link"
                " is not soldered.",
            )
        ),
        TableBlock(_wires(wiring), "pads-foil"),
    )


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
                f" than {_OPEN_MOHM} Mohm (1,000,000 ohm), and between pins that are side by side"
                " too.",
                f"Between pins {pins} of two connectors: less than {_JOINED_OHM} ohm. All guards"
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
                f" {_OPEN_MOHM} Mohm, for all pads.",
                "Write the connector's name on the far end.",
            )
        ),
        TableBlock(_wires(wiring), "pads-circuit"),
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
                f" {_OPEN_MOHM} Mohm (1,000,000 ohm), and pins side by side too.",
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
                f"Measure again: each wire to ground, and to its neighbours, more than {_OPEN_MOHM}"
                " Mohm.",
            )
        ),
        Caution("Tiles can shift. Do not bend the layer; carry it on a plate until it is stacked."),
        TableBlock(_wires(wiring), "pads-tiles"),
    )


def _wires(wiring: Wiring) -> Table:
    """List the wires of the pads, under a title of their own for each way."""
    titles = {
        Build.FOIL: "Wires of the pads of foil",
        Build.CIRCUIT: "Ribbons of the printed circuit",
        Build.TILES: "Wires of the tiles",
    }
    return replace(pads_table(wiring), title=titles[wiring.build])


def _nets(connector: Connector) -> str:
    return ", ".join("ground" if pin.net == GROUND else pin.net or "none" for pin in connector.pins)
