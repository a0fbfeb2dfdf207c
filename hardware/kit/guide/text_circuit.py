"""The chapters on the sensing layer as a printed circuit: its connectors, in one piece, in tiles.

Owns their sentences. Must not know how they are set.
"""

from collections.abc import Iterable
from dataclasses import replace

from hardware.kit.circuit.circuit import GROUND, Connector
from hardware.kit.circuit.tiling import GAP_MM
from hardware.kit.guide.document import (
    Block,
    Caution,
    Heading,
    Paragraph,
    Picture,
    Steps,
    TableBlock,
)
from hardware.kit.guide.facts import Facts, listed, many
from hardware.kit.guide.text_foil import JOINED_OHM, OPEN_MOHM
from hardware.kit.plates.slots import PLUG_MM
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, Kind, Wiring, pads_table

PARTED_MM = 25
"""How far the wires of a ribbon are parted to reach the pins, which are twice as far apart."""
JOINT_MM = 3
"""What may stand up on a pin."""
TAPE_MM = 0.05
"""Of the tape that joins tiles: it lies between them and the walls, and under the diffuser."""


def connector(facts: Facts) -> tuple[Block, ...]:
    """Describe how wires are soldered to a circuit, in one piece or in tiles."""
    pins = {len(each.pins) for each in facts.contents.circuit.connectors}
    circuit = "the circuit" + (" or a tile" if facts.tiled else "")
    lengths = "[](#ribbons)" + (" or [](#pads-tiles)" if facts.tiled else "")
    own = "[](#circuit)" + (" or [](#tiles)" if facts.tiled else "")
    tile = "; on a tile it has fewer" if facts.tiled else ""
    return (
        Heading("Soldering to a connector", "connector"),
        Paragraph(
            "Skip this chapter if you have made the layer of foil. On the bottom of"
            f" {circuit} are flat fields of bare copper in a row, called a *connector*. Each field"
            " is called a pin here, though nothing stands up, and nothing is plugged on. Pin 1 has"
            " a small triangle beside it; the last pin is ground."
            f" Read this chapter now, and do what it says when {own} sends you here."
        ),
        Heading("Inspect it", "connector-inspect", 2),
        Steps(
            (
                "Hold it against a lamp: light falls through the hole of every pad that has a"
                " light.",
                "Look at the top for scratches through the solder mask. Cover one with a drop of"
                " nail varnish.",
                "With the ohmmeter: from the last pin of a connector to each other pin of it more"
                f" than {OPEN_MOHM} Mohm (1,000,000 ohm), and between pins side by side too.",
            )
        ),
        Paragraph(
            "The pads themselves lie under the solder mask, where no probe reaches them. Whether a"
            " pad is joined to its pin was tested by the maker, and `lifeboard monitor` shows it in"
            " [](#first)."
        ),
        Heading("Solder its wires", "connector-wires", 2),
        Paragraph(
            "A *ribbon* is a flat cable of wires side by side, soldered straight to the pins: a"
            f" plug would be higher than the walls. Here it has {listed(_numbers(pins), 'or')}"
            f" wires{tile}. Its slot in the base is straight below the row of pins, and a wall"
            f" stands {PLUG_MM / 2:g} mm beside them all round."
        ),
        Steps(
            (
                f"Cut a ribbon for each connector, as long as {lengths} says. It has as many wires"
                " as the connector has pins: tear off those that are too many, not at its marked"
                " edge. The wire at the marked edge goes to pin 1.",
                f"Part its wires for {PARTED_MM} mm at this end. Strip {JOINT_MM} mm of each, twist"
                " and tin them.",
                "Tin the pins of the connector thinly.",
                "Lay wire after wire flat on its pin, along the pin, and solder it. Nothing may"
                f" stand up by more than {JOINT_MM} mm. Nothing at all may come through to the"
                " top.",
                "Bend the wires away from the circuit right beside the pins, and lead them together"
                " over the middle of the row: there they go down through the slot.",
                f"Fix them with hot glue on the pins themselves: not higher than {JOINT_MM} mm, and"
                f" not farther than {PLUG_MM / 2:g} mm beside the pins, where the walls are.",
                "Measure again as above: each wire to its neighbours and to ground more than"
                f" {OPEN_MOHM} Mohm, for all pads.",
            )
        ),
    )


def circuit(facts: Facts) -> tuple[Block, ...]:
    """Prepare the printed circuit and solder its ribbons."""
    contents = facts.contents
    wiring = contents.wirings[Build.CIRCUIT]
    connectors = contents.circuit.connectors
    names = tuple(each.name for each in connectors)
    pins = len(connectors[0].pins)
    return (
        Heading("The sensing layer as a printed circuit", "circuit"),
        Paragraph(
            "Skip this chapter if you have made the layer of foil"
            + (" or take tiles" if facts.tiled else "")
            + f". The circuit has {many(len(names), 'connector')}: {listed(names)}, one for each"
            " sensor chip. Pin 1 belongs to electrode 0, pin 2 to electrode 1 and so on;"
            f" pin {pins} is ground. [](#pads-circuit) says which pad is on which pin."
        ),
        Steps(
            (
                f"Measure the circuit: {facts.circuit_size}, to within 0.5 mm.",
                "Inspect it as in [](#connector-inspect).",
                f"Between pins {pins} of two connectors measure less than {JOINED_OHM} ohm. All"
                " guards and all these pins are one net.",
                "Solder a ribbon to each connector as in [](#connector-wires)."
                + _unused(connectors),
                "Write the connector's name on the far end of its ribbon. This end stays as it is"
                " until [](#chip-wires). The same name is engraved beside its slot on the base.",
            )
        ),
        TableBlock(_ribbons(wiring), "ribbons"),
        TableBlock(_pads(connectors), "pads-circuit"),
    )


def _numbers(counts: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(str, sorted(counts)))


def _unused(connectors: Iterable[Connector]) -> str:
    """Say what becomes of the wires of pins that no pad is on."""
    if all(pin.net for each in connectors for pin in each.pins):
        return ""
    return (
        " Solder the wires of the pins without a pad too, here and later at the chip: so none hangs"
        " loose, and each keeps its place in the ribbon."
    )


def _ribbons(wiring: Wiring) -> Table:
    """List the ribbons of the whole circuit: one row a connector."""
    found: dict[str, tuple[str, int]] = {}
    for wire in wiring.of(Kind.RIBBON, Kind.GUARD):
        longest = max(wire.length_mm, found.get(wire.start.part, ("", 0))[1])
        found[wire.start.part] = (wire.end.name, longest)
    rows = tuple((name, chip, str(length)) for name, (chip, length) in found.items())
    return Table("Ribbons of the printed circuit", ("connector", "to chip", "ribbon mm"), rows)


def _pads(connectors: tuple[Connector, ...]) -> Table:
    """List the pads of all connectors side by side: one row a pin."""
    rows = tuple(
        (
            str(pins[0].number),
            GROUND if pins[0].net == GROUND else str(pins[0].number - 1),
            *(_pad(pin.net) for pin in pins),
        )
        for pins in zip(*(each.pins for each in connectors), strict=True)
    )
    columns = ("pin", "electrode", *(each.name for each in connectors))
    return Table("Pads on the pins of the printed circuit", columns, rows)


def tiles(facts: Facts) -> tuple[Block, ...]:
    """Join tiles to a sensing layer."""
    contents = facts.contents
    loose = any(contents.loose[Build.TILES].values())
    wiring = contents.wirings[Build.TILES]
    rows = tuple(
        (connector.name, listed(tuple(_pad(pin.net) for pin in connector.pins)))
        for tile in contents.tiles
        for connector in tile.connectors
    )
    first = contents.tiles[0].connectors[0].name
    return (
        Heading("The sensing layer in tiles", "tiles"),
        Paragraph(
            "Skip this chapter if you have one circuit, or foil. Each tile holds some of the"
            f" cells and one connector, which has the name of the tile, such as {first}. This name"
            " is printed on the bottom of the tile. [](#tile-plan) shows how they lie, each in its"
            " shape. [](#tile-list) says which pad is on which pin."
        ),
        Picture(
            contents.pictures["tile-plan"],
            "The tiles from above, as they lie on the walls. Connectors are on their bottom and are"
            " drawn as if seen through; pin 1 is black. Below each lies its slot in the base.",
            "tile-plan",
        ),
        TableBlock(Table("Tiles", ("tile", "pads, from pin 1 on"), rows), "tile-list"),
        Steps(
            (
                "Inspect each tile as in [](#connector-inspect).",
                "Print and join `foil/foil-a4.pdf` as in [](#print), and fix it on a flat table.",
                "Lay the tiles on it as [](#tile-plan) shows, with the side on which the names of"
                " tiles are printed below, so that each hole for light lies on its blue circle.",
                f"Between two tiles a gap of about {GAP_MM:g} mm stays open. If two of them touch"
                " and a hole is not on its circle, file their edges.",
                f"Join them from above with clear tape, at most {TAPE_MM:g} mm thick, over all"
                " gaps. Turn the whole over onto the flat plate, and tape the gaps from below too,"
                " but no pin and no hole. Nothing thicker will do: the walls are right below the"
                " gaps.",
                "Solder a ribbon to each connector as in [](#connector-wires), as long as its"
                " longest wire in [](#pads-tiles). Part it over its whole length: its wires go to"
                " several chips. Cut each to its own length, measured from its pin, and write chip"
                " and electrode on its far end.",
                "The last pin of every tile goes to ground: else its guards do nothing.",
            )
        ),
        Caution("Tiles can shift. Do not bend the layer; carry it on a plate until it is stacked."),
        TableBlock(replace(pads_table(wiring), title="Wires of the tiles"), "pads-tiles"),
        Picture(
            contents.drawings["walls-tiles-lower"],
            "The lower walls for tiles: a wall around each connector"
            + (", and loose pieces where the channels part them." if loose else "."),
            "walls-tiles-below",
            0.62,
            file="laser/walls-tiles-lower.svg",
        ),
        Picture(
            contents.drawings["base-tiles"],
            "The base for tiles: a slot for each connector, with its name"
            + (", and the outlines of loose pieces of the walls." if loose else "."),
            "base-tiles",
            file="laser/base-tiles.svg",
            large=True,
        ),
    )


def _pad(net: str) -> str:
    return {GROUND: "ground", "": "no pad"}.get(net, net)
