"""The chapter on the underside: how it is turned up, and where its parts are.

Owns its sentences. Must not know how they are set.
"""

from hardware.kit.guide import text_wires
from hardware.kit.guide.document import Block, Heading, Paragraph, Picture, Steps, TableBlock
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.materials import FEET_MM, screw_mm
from hardware.kit.part_names import BUTTON, FUSE, SUPPLY
from hardware.kit.places import places
from hardware.kit.tables import Table
from hardware.kit.wiring import Build


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
                f"The board from below, with {_what(build)}: where the parts are, and how the"
                " cables run.",
                f"placement-{way}",
                file=f"wiring/placement-{way}.svg",
                large=True,
            )
        )
        found.append(
            Picture(
                drawings[f"wiring-{way}"],
                f"Wiring with {_what(build)}, with the length of each wire in mm.",
                f"wiring-{way}",
                file=f"wiring/wiring-{way}.svg",
                large=True,
            )
        )
    return tuple(found)


def _turned(facts: Facts) -> tuple[Block, ...]:
    """Hold the board together, turn it over and fix the parts on its underside."""
    shown = listed(tuple(f"[](#placement-{build.value})" for build in facts.builds), "or")
    return (
        Heading("Hold it together, and turn it over", "turn", 2),
        Steps(
            (
                "Lay the sensing layer on the walls, without glue. Each of its wires goes straight"
                " down, through the hole or slot below it in the base. The printed circuit lies in"
                " its surround. No wire lies on a wall.",
                "Lay on it the diffuser, the print and the cover, without glue, too. The cover"
                " keeps its protective film. The holes for the screws lie above each other; cut"
                " out those of print and diffuser.",
                f"Put a screw M3 x {screw_mm(facts.layout)} mm through each screw hole from above."
                f" Below the base put a washer on it, and a spacer of {FEET_MM} mm as its nut,"
                " tight by hand. This holds all layers while the board lies upside down. The"
                " spacers are the board's feet from now on.",
                "Spread a soft cloth on a table. Turn the board over, left edge over right, onto"
                " the cloth: it lies on its cover now. The edge of player 1, at which the cells"
                " with the lowest numbers are, is towards you again.",
                "Mark the middle of each part on the underside, as [](#spots) says. Nothing that"
                f" was engraved shows on this side. Compare with {shown}.",
                "Fix each part there with double-sided foam tape. If wires come out beneath a part,"
                " put layers of tape on each other, until they pass.",
            )
        ),
        TableBlock(_spots(facts), "spots"),
    )


def _spots(facts: Facts) -> Table:
    """Measure the places of the parts as one does on a board that lies upside down."""
    box = facts.layout.box
    rows = tuple(
        (
            place.part,
            f"{place.width_mm:g} x {place.height_mm:g}",
            f"{box.right - place.at.x:.0f}",
            f"{place.at.y - box.bottom:.0f}",
        )
        for place in places(facts.layout).values()
        if not place.part.startswith(f"{BUTTON} ")
    )
    columns = ("part", "takes mm", "from the left edge mm", "from the edge towards you mm")
    return Table("Middles of the parts, on the board upside down", columns, rows)


def _each(facts: Facts, name: str, ending: str) -> str:
    return listed(tuple(f"`wiring/{name}-{build.value}.{ending}`" for build in facts.builds))


def _what(build: Build) -> str:
    names = {Build.FOIL: "foil", Build.CIRCUIT: "the printed circuit", Build.TILES: "tiles"}
    return names[build]
