"""The chapters on sheets and plates: printing at true size, the print, cutting.

Owns their sentences. Must not know how they are set.
"""

import re
from collections.abc import Iterator

from hardware.kit.drawing import Box
from hardware.kit.electric.sensing import BOARD_MM
from hardware.kit.files.sheet_marks import JOINING
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
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.materials import BASE_MM, OFF_MM
from hardware.kit.plates.chambers import (
    BASE_HOLE_MM,
    BUTTON_HOLE_MM,
    PIXEL_WIRE_MM,
    SCREW_HOLE_MM,
)
from hardware.kit.plates.copper import WIRE_HOLE_MM
from hardware.kit.plates.kept import BUTTON_BODY_MM
from hardware.kit.plates.laser import AROUND_MM
from hardware.kit.plates.walls import Level
from hardware.kit.tables import Table
from hardware.kit.wiring import Build


def sheets(facts: Facts) -> tuple[Block, ...]:
    """Say how sheets are printed, measured and joined."""
    return (
        Heading("Printing at true size", "print"),
        Paragraph(
            "Templates are larger than a sheet of paper. So they come as several sheets that"
            " overlap by 10 mm. Take the files with `a4` in their names for paper of 210 mm x 297"
            " mm, those with `letter` for paper of 8.5 in x 11 in. [](#sheets) says which you need."
        ),
        TableBlock(
            Table(
                "What to print",
                ("file", "what it is", "you need it"),
                (
                    (
                        "`foil/foil-a4.pdf` or `foil/foil-letter.pdf`",
                        "the template for copper, and for the holes of cover and carrier",
                        _templates(facts),
                    ),
                    (
                        "`top/top-a4.pdf` or `top/top-letter.pdf`",
                        "the printed top on sheets",
                        "if you print it yourself",
                    ),
                    (
                        "`top/top.pdf`",
                        f"the printed top in one piece of {facts.size}",
                        "if a print shop prints it",
                    ),
                ),
            ),
            "sheets",
        ),
        Steps(
            (
                "Open the file and print its second page alone, at 100 % (also called \u201cactual"
                " size\u201d). Switch off everything like \u201cfit to page\u201d.",
                "Measure the line that says 100 mm. It must be 99.7 mm to 100.3 mm long. If it is"
                " not, the printer still scales: find that setting, and print again.",
                "Print all pages. The first one is a map that shows which sheet lies where. Each"
                " sheet has its name in the lower left corner: sheet 1-1 is the first of the top"
                " row, 1-2 is to its right, 2-1 below it.",
                "Measure the 100 mm on each sheet once more.",
                *_joining(),
                f"Measure the edge of the board on the whole: it must be {facts.size}, to within"
                " 1.5 mm. If it is more than that, take the sheets apart and join them anew.",
            )
        ),
    )


def _templates(facts: Facts) -> str:
    tiles = "; for tiles once, to lay them out" if facts.tiled else ""
    return f"for foil twice{tiles}; once more for each, cover and surround, that you make by hand"


def _joining() -> Iterator[str]:
    """Say how sheets are joined, in the words that are printed on their map."""
    for step in re.split(r"(?:^| )\d\. ", " ".join(line.strip() for line in JOINING)):
        if step and not step.startswith("Measure"):
            yield step


def top(facts: Facts) -> tuple[Block, ...]:
    """Say how the print is made."""
    geometry = facts.layout.geometry
    return (
        Heading("The printed top", "top"),
        Paragraph(
            "The *printed top* shows the cells and all that players need to know. It lies right"
            " under the clear cover. Light shines through it, so it is printed on paper or on"
            " translucent film."
        ),
        Steps(
            (
                "Have `top/top.pdf` printed in one piece, at 100 %, on matt paper of 90 to 120"
                " g/m\u00b2 or on translucent polyester film: this looks best, since light shows"
                " every seam. Or print the sheets and join them as in [](#print), with the tape"
                " beneath.",
                "**Nothing in it may conduct**: no metallic ink, no foil. It would join all pads.",
                "Measure the edge of the board in the print: it must be"
                f" {facts.size}, to within 1 mm.",
                "Cut out the holes of the buttons and screws with the knife. Lay the cover on it:"
                " edge and holes must agree. It is laid on the sensing layer in [](#stack).",
            )
        ),
        Paragraph(
            "The diffuser lies under the print. Take tracing paper or opal film of at most 0.2 mm:"
            " whatever lies between cover and copper counts as cover, and"
            f" {geometry.cover_mm:g} mm are planned."
        ),
    )


def plates(facts: Facts) -> tuple[Block, ...]:
    """List the plates and say how they are cut."""
    return (
        Heading("Cutting the plates", "plates"),
        Paragraph(
            "Every plate has the same edge and the same screw holes, so they stack without"
            " measuring. Each file is there as DXF, for shops and laser cutters, and as SVG, with"
            " the same name and the ending `.svg`. Both are in millimetres at true size."
            " [](#plate-list) says which you need, and [](#walls), [](#walls-below) and [](#base)"
            " show three of them. The *diffuser* is a thin sheet that spreads the light of"
            " a pixel over its cell."
        ),
        TableBlock(_plates(facts), "plate-list"),
        Paragraph(
            "[](#hole-list) says what every round hole is for. Where you drill, it says with which"
            " bit."
        ),
        TableBlock(_holes(facts), "hole-list"),
        Bullets(
            (
                "Red lines (layer `cut`) go through. Black lines (layer `engrave`) are engraved"
                " lightly: on the base they show where pixels lie. Blue lines (layer `underside`)"
                " show what is fixed underneath; leave them out, or engrave them too. Words have"
                " layers and colours of their own: green (`engrave words`) and purple (`underside"
                " words`). Engrave them, or leave them out.",
                "The gap that a laser burns is its *kerf*, 0.1 mm to 0.2 mm wide. The lines are the"
                " true edges, and nothing here fits tightly, so no correction is needed.",
                "A sheet must be larger than its plate, so that the machine can hold it. Measure"
                " how thick it is: [](#plate-list) says what the screws have room for.",
                "**Test before you cut all.** Cut the holes of one screw and one button into scrap,"
                " and put a screw and a button through.",
                "No plate may conduct or be painted with metallic paint.",
                "Acrylic can be cut by laser. Never cut PVC (vinyl): its smoke is poisonous and"
                " ruins the machine.",
            )
        ),
        Picture(
            facts.contents.drawings["walls-circuit-upper"],
            "The upper layer of the walls for the printed circuit: an opening for each cell,"
            " button and light. Each connector has an opening of its own, without a pixel; for foil"
            " there are none" + (", for tiles others." if facts.tiled else "."),
            "walls",
            0.62,
            file="laser/walls-circuit-upper.svg",
        ),
        Picture(
            facts.contents.drawings["walls-circuit-lower"],
            "The lower layer: it also has channels for strips, single pixels and wires.",
            "walls-below",
            0.62,
            file="laser/walls-circuit-lower.svg",
        ),
        Picture(
            facts.contents.drawings["base-circuit"],
            "The base for the printed circuit: where each pixel lies, and the holes for wires. That"
            " for foil has a small hole for each pad's wire in place of slots.",
            "base",
            file="laser/base-circuit.svg",
            large=True,
        ),
        Heading("Without a laser", "no-laser", 2),
        Paragraph(
            "Walls and base have many openings that must fit each other, and there is no template"
            " of them on paper. Have these cut by a shop with a laser: send it the DXF files in"
            f" {listed(('[](#plate-list)', '[](#hole-list)'))}, and say what material and thickness"
            " each one has. The other plates can be made by hand:"
        ),
        Bullets(
            (
                "**Carrier, for foil.** It needs one template, which stays on it for [](#foil)."
                " Stick it on with spray glue, saw along the dashed edge, and smooth the sides with"
                " sandpaper. Blue circles are holes: drill those that [](#hole-list) has for this"
                " plate. Drill acrylic slowly, on a piece of wood. For the buttons take the step"
                f" drill to 12 mm, then the round file to {BUTTON_HOLE_MM:g} mm.",
                "**Cover.** Print a template for it, and make it in the same way. Take the paper"
                " off again.",
                _surround(facts),
                "**Diffuser.** Lay the cover on it, mark edge and holes, and cut with the knife.",
            )
        ),
        Caution(
            "Protective film on acrylic comes off last, when you stack. Dust and fingerprints below"
            " the cover stay for ever."
        ),
    )


def _surround(facts: Facts) -> str:
    """Say how the surround is cut out of card, and where its opening is."""
    board, circuit = facts.layout.box, Box.around(facts.contents.circuit.outline)
    tiles = ", or the tiles side by side," if facts.tiled else ""
    return (
        "**Surround, for a printed circuit.** Take card as thick as the circuit. Print a template"
        " for it, and stick it on. Cut along the dashed edge, and cut out the blue circles of"
        f" screws and buttons, and those of lights beside the cells. Lay the circuit{tiles} on it,"
        " so that blue circles lie in the middle of its holes for light. Where it comes nearest,"
        f" it is {circuit.left - board.left:.1f} mm from the left edge of the board then, and"
        f" {circuit.bottom - board.bottom:.1f} mm from that of player 1. Draw round it, and cut"
        f" {AROUND_MM:g} mm outside of the line."
    )


def _plates(facts: Facts) -> Table:
    """List what is cut, of what, and for which way of building."""
    geometry = facts.layout.geometry
    half = geometry.air_mm / len(Level)
    base = f"{BASE_MM - OFF_MM:g} to {BASE_MM + OFF_MM:g} mm"
    rows = [
        ("cover", "cover", "clear acrylic", f"{geometry.cover_mm:g} mm", "1", "every way"),
        ("diffuser", "diffuser", "tracing paper or opal film", "0.1 to 0.2 mm", "1", "every way"),
        ("carrier", "carrier", "acrylic or plywood", f"{geometry.carrier_mm:g} mm", "1", "foil"),
        (
            "surround",
            "surround",
            "acrylic, plywood or card",
            f"1.5 to {BOARD_MM:g} mm",
            "1",
            listed(tuple(build.value for build in facts.builds if build is not Build.FOIL)),
        ),
    ]
    for build in facts.builds:
        way = build.value
        rows += [
            *(
                (
                    f"{level.value} walls",
                    f"walls-{way}-{level.value}",
                    "MDF or foam board",
                    f"{half - OFF_MM:g} to {half + OFF_MM:g} mm",
                    "1",
                    way,
                )
                for level in Level
            ),
            ("base", f"base-{way}", "MDF or plywood", base, "1", way),
        ]
    return Table(
        "Plates",
        ("plate", "file", "material", "thickness", "how many", "for"),
        tuple((plate, f"`laser/{file}.dxf`", *rest) for plate, file, *rest in rows),
    )


def _holes(facts: Facts) -> Table:
    """List all round holes that the plates have, with their diameters."""
    geometry = facts.layout.geometry
    ways = listed(tuple(build.value for build in facts.builds if build is not Build.FOIL))
    rows = [
        ("all", "screws M3", SCREW_HOLE_MM),
        ("base-foil", "the wire of a pad", BASE_HOLE_MM),
        ("each base", "wires of the strip, at the ends of its pieces", PIXEL_WIRE_MM),
        ("carrier", "the wire of a pad", WIRE_HOLE_MM),
        ("carrier", "light: in the middle of a pad, or beside the cells", geometry.hole_mm),
        ("surround", f"light beside the cells ({ways})", geometry.hole_mm),
    ]
    if facts.layout.buttons:
        rows += [
            ("cover, diffuser, carrier, surround", "buttons", BUTTON_HOLE_MM),
            ("each base", "buttons, whose bodies reach through it", BUTTON_BODY_MM),
        ]
    return Table(
        "Round holes",
        ("plate", "for", "diameter"),
        tuple((plate, use, f"{mm:g} mm") for plate, use, mm in rows),
    )
