"""The first chapters: what the board will be, two ways to it, parts and tools.

Owns their sentences. Must not know how they are set.
"""

from hardware.kit.guide.document import (
    Block,
    Bullets,
    Caution,
    Heading,
    Paragraph,
    Picture,
    TableBlock,
)
from hardware.kit.guide.facts import Facts, listed
from hardware.kit.tables import Table
from hardware.kit.wiring import Build

WAYS = {
    Build.FOIL: "foil by hand",
    Build.CIRCUIT: "a printed circuit",
    Build.TILES: "printed circuits in tiles",
}


def what(facts: Facts) -> tuple[Block, ...]:
    """Say what the board will be, and what of it has been tried."""
    profile, layout, geometry = facts.profile, facts.layout, facts.layout.geometry
    pictures, drawings = facts.contents.pictures, facts.contents.drawings
    felt = "stones that stand on it" if facts.presence else "your fingers"
    rows = [
        ("size", facts.size),
        ("cells", str(len(profile.cells))),
        ("from cell to cell", f"{geometry.pitch_mm:g} mm"),
        ("pads", f"{facts.pads}, {geometry.pad_mm:g} mm wide"),
        ("pixels", str(profile.pixel_count)),
        ("sensor chips", str(len(profile.chips))),
        ("buttons", str(len(layout.buttons))),
        ("computer", facts.computer.name),
        ("strip's current, at most", f"{profile.power.budget_ma} mA at 5 V"),
    ]
    return (
        Heading("What you will have", "what"),
        Paragraph(
            f"A board of {facts.size} with {len(profile.cells)} places for stones, called *cells*."
            f" It feels {felt}, answers with light from below, and knows the rules of its game."
            " [](#board) shows it from above. This guide leads from loose parts to the first"
            " game. You should be able to solder, to drill and to copy commands into a terminal."
            " You need not program."
        ),
        Picture(
            drawings["top"],
            f"{profile.title}, as its players see it. Cells have a letter and a number.",
            "board",
            0.8,
            file="top/top.svg",
        ),
        Paragraph(
            "*lifeboard*, the program that knows the games, made this guide, with all drawings"
            " and tables beside it, for this one board. It read them from the board's *profile*,"
            " a file that says where every part is and what is wired to what; this one is called"
            f" {profile.name}. So each number here is that of your board; [](#numbers) has the"
            " most important ones. All files together are the *kit*. Files are named as they lie"
            " in its folder, such as `parts-circuit.csv`."
        ),
        TableBlock(Table("The board in numbers", ("what", "how much"), tuple(rows)), "numbers"),
        Heading("How it works", "how", 2),
        Paragraph(
            "Under each cell lies a *pad*: a round piece of copper that a finger changes a little"
            " when it comes near, even through a cover. A *sensor chip* (MPR121) measures up to"
            " twelve pads, one at each of its inputs, which are called *electrodes* and numbered 0"
            " to 11. You buy the chip on a *breakout*, a small board with holes for wires, which"
            " are called pins as the legs of a chip are. What an"
            " empty pad reads is its *baseline*; a reading that falls clearly below it is a touch."
        ),
        Paragraph(
            "Around each pad runs a *guard*, a ring of copper that is joined to *ground*, the"
            " common minus of all parts (marked GND). It keeps a pad from feeling its neighbours'"
            " fingers. Pads, guards and what holds them are the *sensing layer*."
        ),
        Paragraph(
            "Below the sensing layer, in the middle of each cell, sits a *pixel*: a light of three"
            " colours with a small chip of its own. All pixels are one chain, the *strip*: each"
            " takes its colour from the data wire and hands on what is left to the next one. Walls"
            " between the cells keep each light in its cell. [](#cell) shows a cell from the side."
        ),
        Picture(
            pictures["cell"],
            "A cell cut through, with the measures of this board.",
            "cell",
        ),
        Heading("What has been tried, and what not", "tried", 2),
        Caution(
            "None of these boards has been built yet. The program has run on emulated chips,"
            " pixels and pins only. What is said of copper, light and wire is computed from the"
            " data of the parts' makers, and [](#figures) shows each figure with its source. So"
            " measure wherever this guide tells you to, and measure before you glue."
        ),
        Paragraph(
            "The files for the printed circuit have been read back and checked by a program: every"
            " pad reaches its own pin and no other, no two pieces of copper come too near to each"
            " other, and all of it agrees with the tables here. If one of these were not so, there"
            " would be no kit. No circuit has been ordered yet."
        ),
    )


def ways(facts: Facts) -> tuple[Block, ...]:
    """Compare the ways to make the sensing layer, and say which to take."""
    contents = facts.contents
    pins = sum(len(c.pins) for c in contents.circuit.connectors)
    columns = ["", WAYS[Build.FOIL], WAYS[Build.CIRCUIT]]
    rows = [
        ["you order", "no circuit", f"one board of {facts.circuit_size}"],
        [
            "you make",
            f"cut {facts.pads} pads and their guards, and glue them",
            "nothing: pads, guards and wires of copper come with it",
        ],
        [
            "you solder",
            f"{facts.pads} wires to pads, and one or more to the guards",
            f"{pins} wires of flat cable to its pins",
        ],
        [
            "it is for",
            "trying things out at once, with a steady hand",
            "a board that is to last, and all pads alike",
        ],
    ]
    if facts.tiled:
        pins = sum(len(c.pins) for each in contents.tiles for c in each.connectors)
        columns.append(WAYS[Build.TILES])
        for row, cell in zip(
            rows,
            (
                f"{len(contents.tiles)} boards of at most 100 mm x 100 mm",
                "lay the tiles side by side, and tape them",
                f"{pins} wires to their pins",
                "makers that ask far less for small boards",
            ),
            strict=True,
        ):
            row.append(cell)
    table = Table("Ways to make the sensing layer", tuple(columns), tuple(map(tuple, rows)))
    tiles = " If a large board costs too much, take the tiles." if facts.tiled else ""
    return (
        Heading(f"{'Three' if facts.tiled else 'Two'} ways to make it", "ways"),
        Paragraph(
            "The sensing layer can be made in"
            f" {'three' if facts.tiled else 'two'} ways, which [](#compare) compares. All else is"
            " the same, and so is the program."
        ),
        *(
            [
                Paragraph(
                    "A *tile* is a printed circuit of at most 100 mm x 100 mm that holds some of"
                    " the cells. Together they are as large as the one circuit."
                )
            ]
            if facts.tiled
            else []
        ),
        TableBlock(table, "compare"),
        Paragraph(
            "**Take the printed circuit unless you want to begin today.** Its pads are all alike"
            f" and its wires cannot move, and a wire that moves changes what its pad reads.{tiles}"
            " [](#chapters) says which chapters are yours; skip the others. Where a table or a"
            f" file has {listed(tuple(f'`-{build.value}`' for build in facts.builds), 'or')} in its"
            " name, it is for that way only."
        ),
        TableBlock(_chapters(facts), "chapters"),
    )


_CHAPTERS = (
    ("parts", "parts and tools", tuple(Build)),
    ("stones", "stones", tuple(Build)),
    ("order", "ordering circuits", (Build.CIRCUIT, Build.TILES)),
    ("print", "printing", tuple(Build)),
    ("plates", "plates", tuple(Build)),
    ("top", "printed top", tuple(Build)),
    ("foil", "foil", (Build.FOIL,)),
    ("connector", "soldering to a connector", (Build.CIRCUIT, Build.TILES)),
    ("circuit", "printed circuit", (Build.CIRCUIT,)),
    ("tiles", "tiles", (Build.TILES,)),
    ("pixels", "pixels, walls", tuple(Build)),
    ("under", "wiring", tuple(Build)),
    ("power", "power", tuple(Build)),
    ("software", "software", tuple(Build)),
    ("first", "first start", tuple(Build)),
    ("stack", "stacking", tuple(Build)),
    ("service", "starting by itself", tuple(Build)),
    ("game", "first game", tuple(Build)),
)
"""Each chapter in which something is made, and the ways that need it."""


def _chapters(facts: Facts) -> Table:
    return Table(
        "Chapters to read, in this order",
        ("chapter", "about", *(WAYS[build] for build in facts.builds)),
        tuple(
            (f"[](#{anchor})", about, *("yes" if build in ways else "-" for build in facts.builds))
            for anchor, about, ways in _CHAPTERS
            if anchor != "tiles" or facts.tiled
        ),
    )


def _own(facts: Facts) -> str:
    return listed(tuple(f"[](#parts-{build.value}) for {WAYS[build]}" for build in facts.builds))


_TOOLS = (
    ("soldering iron with a fine tip, solder with flux", "all wires and connectors"),
    ("multimeter: it is the ohmmeter and the voltmeter here", "every test in this guide"),
    ("wire cutters, wire stripper", "wires"),
    ("sockets for header pins (Dupont, 2.54 mm), or solder", "wires at the computer"),
    ("drill, with bits as [](#hole-list) says; a step drill to 12 mm; a round file", "holes"),
    ("fine saw, sandpaper", "plates by hand"),
    ("sharp knife, steel ruler of 300 mm or more, cutting mat", "sheets, copper and film"),
    ("flat file", "soldered joints that stand out"),
    ("screwdriver for the M3 screws", "the stack and its feet"),
    ("spanner for the nuts of the buttons", "the buttons"),
    ("wood glue, and some books or other weights", "walls and base"),
    ("clear tape, marker", "sheets, wires and their names"),
    ("spray glue for paper", "the template on copper or plates"),
    ("hot glue, nail varnish", "strips, the sensing layer"),
    ("a cloth, and a flat plate as large as the board", "pressing, and turning things over"),
    ("printer for A4 or Letter", "templates at their true size"),
    ("laser cutter, or a shop that cuts from your files", "the plates"),
    ("another computer, with a terminal and a reader for SD cards", "the program"),
)


def parts(facts: Facts) -> tuple[Block, ...]:
    """List parts and tools."""
    contents = facts.contents
    lists = [contents.parts[build] for build in facts.builds]
    common = [row for row in lists[0].rows if all(row in each.rows for each in lists)]
    columns = lists[0].columns
    tables = [TableBlock(Table("Parts for every way", columns, tuple(common)), "parts-common")]
    for build, each in zip(facts.builds, lists, strict=True):
        own = tuple(row for row in each.rows if row not in common)
        title = f"Parts that only {WAYS[build]} needs"
        tables.append(TableBlock(Table(title, columns, own), f"parts-{build.value}"))
    return (
        Heading("Parts and tools", "parts"),
        Paragraph(
            "[](#parts-common) lists what each way needs. To this comes what only yours needs:"
            f" {_own(facts)}. [](#tools) lists the tools. Whole lists, one for each way, are in"
            f" the kit as {listed(tuple(f'`parts-{build.value}.csv`' for build in facts.builds))},"
            " to be opened as a spreadsheet."
        ),
        *tables,
        TableBlock(Table("Tools, and what a workshop has", ("tool", "for"), _TOOLS), "tools"),
        Heading("Before you buy", "buy", 2),
        Bullets(
            (
                "**Breakouts.** The tables mean the breakout with 12 electrodes that has the pins"
                " VIN, 3Vo, GND, ADDR, SDA, SCL and IRQ. Others will do if they have these pins."
                " On some of them ADDR is tied to ground by a trace on the back. Measure from ADDR"
                " to GND with the ohmmeter: near 0 ohm means that it is tied. Such a trace must be"
                " cut on each breakout whose ADDR does not go to GND in [](#chips).",
                "**Pixels.** They must be of the type WS2812B, for 5 V, with one data wire. A strip"
                " of 30 pixels a metre has one every 33.3 mm, one of 60 every 16.7 mm.",
            )
        ),
    )
