"""The chapter on the underside: how it is turned up, and where its parts are.

Owns its sentences. Must not know how they are set.
"""

from collections.abc import Mapping

from hardware.kit.computers import FOAM_MM
from hardware.kit.guide import text_wires
from hardware.kit.guide.document import Block, Heading, Paragraph, Picture, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.guide.wiring_pictures import wiring_pictures
from hardware.kit.materials import FEET_MM, screw_mm
from hardware.kit.part_names import BUTTON, CLAMP, FUSE, SHIFTER, SUPPLY
from hardware.kit.places import SHIFTER_MM, Place, places
from hardware.kit.sockets import Side, inlet_mouth, lie, openings
from hardware.kit.tables import Table
from hardware.kit.wiring import Build

_LEVEL_MM = 1.0
"""Cells that are not farther apart in height are in one row."""


def underside(facts: Facts) -> tuple[Block, ...]:
    """Wire the electronics."""
    name = facts.computer.name
    return (
        Heading("Wiring underneath", "under"),
        Paragraph(
            f"On the underside of the base sit the sensor chips, the {name}, the *level shifter*"
            " (74AHCT125, a chip that lifts data from 3.3 V to 5 V), and the *fuse*, which melts"
            " when too much current flows. There are also clamps, which join wires, and the inlet,"
            " which takes what comes from the supply. Tables and pictures call the inlet"
            f" `{SUPPLY}` and the fuse in its holder `{FUSE}`. All joints of these parts are called"
            " pins, be they holes, legs or clamps. Wire with everything switched off and unplugged,"
            " and ground first."
        ),
        Paragraph(
            "All that follows is also in the kit as files: `wiring/chips.csv`, `wiring/pins.csv`"
            f" and `wiring/power.csv`. The wires of the pads are in {_each(facts, 'pads', 'csv')},"
            f" and all wires in one list in {_each(facts, 'wires', 'csv')}. The pictures are"
            f" {_each(facts, 'wiring', 'svg')} and {_each(facts, 'placement', 'svg')}. Every wire"
            f" is shown in {listed(tuple(f'[](#wiring-{b.value})' for b in facts.builds))}."
        ),
        *_pictures(facts),
        *_turned(facts),
        *text_wires.chip_wires(facts),
        *text_wires.pin_wires(facts),
        *text_wires.shifter(),
    )


def _pictures(facts: Facts) -> tuple[Block, ...]:
    drawings = facts.contents.drawings
    found = []
    for build in facts.builds:
        way = build.value
        found.append(
            Picture(
                drawings[f"placement-{way}"],
                f"The board from below, with {_what(build)}: where the parts are, how they"
                " lie, and how the cables run.",
                f"placement-{way}",
                file=f"wiring/placement-{way}.svg",
                large=True,
            )
        )
        found += wiring_pictures(facts, build, _what(build))
    return tuple(found)


def _turned(facts: Facts) -> tuple[Block, ...]:
    """Hold the board together, turn it over and fix the parts on its underside."""
    shown = listed(tuple(f"[](#placement-{build.value})" for build in facts.builds), "or")
    tiles = ", and so do tiles" if facts.tiled else ""
    return (
        Heading("Hold it together, and turn it over", "turn", 2),
        Steps(
            (
                "Lay the sensing layer on the walls, without glue. Each of its wires goes straight"
                " down, through the hole or slot below it in the base. With foil begin at the far"
                " edge, hold the layer slanting, and pull the wires through row by row."
                f" A printed circuit lies in its surround{tiles}. No wire lies on a wall or over a"
                " pixel.",
                "Lay on it the diffuser, the print and the cover, without glue, too. The cover"
                " keeps its protective film. The holes for the screws lie above each other; cut"
                " out those of print and diffuser.",
                f"Put a screw M3 x {screw_mm(facts.layout)} mm through each screw hole from above."
                f" Below the base put a washer on it, and a spacer of {FEET_MM} mm as its nut,"
                " tight by hand. This holds all layers while the board lies upside down. The"
                " spacers are the board's feet from now on.",
                "Stick a bit of tape on the base at the edge of player 1, the one next to which"
                f" {_nearest(facts)} are. Spread a soft cloth on a table. Turn the board over,"
                " left edge over right, onto the cloth: it lies on its cover now, and the edge"
                " with the tape is towards you again.",
                "Mark the middle of each part on the underside, as [](#spots) says. Nothing that"
                f" was engraved shows on this side. Compare with {shown}.",
                "Solder the header pins that came with them into all breakouts, long ends on the"
                " side of the parts. All wires are soldered to these. Cut a piece of perforated"
                f" board to {SHIFTER_MM[0]:g} mm x {SHIFTER_MM[1]:g} mm, or smaller, and solder"
                f" the socket of the {SHIFTER} into it. The chip itself comes in at the end of"
                " [](#switch-on).",
                f"Fix each part at its mark with double-sided foam tape, {FOAM_MM:g} mm thick,"
                " since joints stand up at its back. The side with the parts is towards you,"
                " turned as the last column of [](#spots) says. Where wires of pads come out"
                " beneath a part, leave them a gap in the tape.",
            )
        ),
        TableBlock(_spots(facts), "spots"),
        _computer_lies(facts),
    )


def _nearest(facts: Facts) -> str:
    """Name the cells that are nearest to player 1."""
    cells = facts.layout.cells.values()
    lowest = min(cell.at.y for cell in cells)
    names = tuple(cell.name for cell in cells if cell.at.y < lowest + _LEVEL_MM)
    if len(names) == 1:
        return f"the cell {names[0]} and its neighbours"
    return (
        f"the cells {listed(names)}" if len(names) < 4 else f"the cells {names[0]} to {names[-1]}"
    )


def _computer_lies(facts: Facts) -> Paragraph:
    """Say what must stay in reach at the computer."""
    if facts.on_pico:
        return Paragraph(
            "The Pico lies on its back, so take one without pins, and solder its wires from the"
            " side of its parts. Its button BOOTSEL stays in reach, and its cable leaves the board"
            " between the feet: use one with a straight plug."
        )
    return Paragraph(
        "The power socket of the Raspberry Pi has room for a straight plug, and its card can be"
        " drawn out: lead no cable before them. Its USB sockets are not used. A Zero 2 W is"
        " smaller: lay it so that its pins and its card are where the picture has them. Its power"
        " socket is the one farthest from the card."
    )


def _spots(facts: Facts) -> Table:
    """Measure the places of the parts as one does on a board that lies upside down."""
    box = facts.layout.box
    found = places(facts.layout)
    rows = tuple(
        (
            place.part,
            f"{place.width_mm:g} x {place.height_mm:g}",
            f"{box.right - place.at.x:.0f}",
            f"{place.at.y - box.bottom:.0f}",
            _lies(facts, name, found),
        )
        for name, place in found.items()
        if not place.part.startswith(f"{BUTTON} ")
    )
    columns = (
        "part",
        "takes mm, left to right x towards you",
        "from the left edge mm",
        "from the edge towards you mm",
        "how it lies",
    )
    return Table("Middles of the parts, on the board upside down", columns, rows)


def _lies(facts: Facts, name: str, found: Mapping[str, Place]) -> str:
    layout = facts.layout
    if name == SUPPLY:
        return f"mouth {inlet_mouth(layout).value}"
    if name.startswith(CLAMP):
        others = (other.box for part, other in found.items() if part != name)
        return f"openings {openings(found[name].box, others, layout.box).value}"
    if name == SHIFTER:
        return f"notch {Side.LEFT.value}"
    if name != facts.computer.name:
        return "either way"
    lying = lie(layout)
    said = [f"{socket.name} {lying.side(socket).value}" for socket in facts.computer.sockets]
    if not facts.on_pico:
        said.insert(0, f"rows of pins {lying.pins.value}")
    return ", ".join(said)


def _each(facts: Facts, name: str, ending: str) -> str:
    return listed(tuple(f"`wiring/{name}-{build.value}.{ending}`" for build in facts.builds))


def _what(build: Build) -> str:
    names = {Build.FOIL: "foil", Build.CIRCUIT: "the printed circuit", Build.TILES: "tiles"}
    return names[build]
