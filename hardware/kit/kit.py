"""The whole kit of a board: from its profile to the bytes of every file.

Owns which file each part becomes, and in which folder. Must not know the disk, the command line or
games: cells' places and the art of the print are given.
"""

from collections.abc import Iterator, Mapping

from hal.profile import Profile
from hal.profile.writer import write
from hardware.kit.build import gather
from hardware.kit.circuit.circuit import Circuit
from hardware.kit.circuit.gerber import archive
from hardware.kit.circuit.picture import pictures
from hardware.kit.contents import Contents
from hardware.kit.drawing import Drawing
from hardware.kit.electric import figures_table
from hardware.kit.files.dxf import to_dxf
from hardware.kit.files.pdf import to_pdf, to_sheets
from hardware.kit.files.sheets import Paper
from hardware.kit.files.svg import to_svg
from hardware.kit.guide import pdf as guide_pdf
from hardware.kit.guide.page import to_page
from hardware.kit.guide.text import assembly
from hardware.kit.layout import Grid
from hardware.kit.printed.artwork import Artwork
from hardware.kit.scope import check_scope
from hardware.kit.tables import Table, to_csv
from hardware.kit.underside import lay_out
from hardware.kit.wiring import (
    chips_table,
    pads_table,
    pins_table,
    pixels_table,
    power_table,
    wires_table,
)

File = tuple[str, bytes]
_SHEETS = {"a4": Paper.A4, "letter": Paper.LETTER}


def make(
    profile: Profile,
    grid: Grid,
    centres: Mapping[str, tuple[float, float]],
    artwork: Artwork,
    *,
    tiled: bool,
    source: str,
) -> dict[str, bytes]:
    """Make all files of a board's kit, by their paths in its folder.

    `centres` has the middle of each cell in units of the distance between neighbours, x to the
    right and y downward. `tiled` asks for small circuit boards, too; `source` is what commands call
    the board. Raises KitError for a board that cannot be made like this.
    """
    check_scope(profile)
    contents = gather(lay_out(profile, grid, centres), artwork, tiled=tiled, source=source)
    files = dict(_files(contents))
    guide = assembly(contents)
    files["guide.html"] = to_page(guide, files)
    files["guide.pdf"] = guide_pdf.to_pdf(guide)
    return dict(sorted(files.items()))


def _files(contents: Contents) -> Iterator[File]:
    yield "board.toml", write(contents.layout.profile).encode()
    yield "figures.csv", to_csv(figures_table(*contents.figures.values()))
    for build, table in contents.parts.items():
        yield f"parts-{build.value}.csv", to_csv(table)
    for name, table in _wiring_tables(contents):
        yield f"wiring/{name}.csv", to_csv(table)
    yield from _circuit(contents, "circuit", contents.circuit)
    for tile in contents.tiles:
        yield from _circuit(contents, f"tiles/{tile.name}", tile)
    for name, drawing in contents.drawings.items():
        yield from _drawing(name, drawing)


def _wiring_tables(contents: Contents) -> Iterator[tuple[str, Table]]:
    layout = contents.layout
    for build, wiring in contents.wirings.items():
        yield f"pads-{build.value}", pads_table(wiring)
        yield f"wires-{build.value}", wires_table(wiring)
    # What follows is the same however the sensing layer is built.
    wiring = next(iter(contents.wirings.values()))
    yield "pixels", pixels_table(layout, wiring)
    yield "pins", pins_table(layout, wiring)
    yield "chips", chips_table(layout, wiring)
    yield "power", power_table(wiring)


def _circuit(contents: Contents, folder: str, circuit: Circuit) -> Iterator[File]:
    files = contents.gerbers[circuit.name]
    for name, content in files.items():
        yield f"{folder}/{name}", content
    yield f"{folder}/{circuit.name}.zip", archive(files)
    for side, text in pictures(files).items():
        yield f"{folder}/{side}.svg", text.encode()


def _drawing(name: str, drawing: Drawing) -> Iterator[File]:
    """Write a drawing as what its use asks for: paper, a cutter, or a look at it."""
    kind = name.partition("-")[0]
    if kind in ("wiring", "placement"):
        yield f"wiring/{name}.svg", to_svg(drawing).encode()
        return
    folder = name if kind in ("foil", "top") else "laser"
    yield f"{folder}/{name}.svg", to_svg(drawing).encode()
    if kind != "top":
        yield f"{folder}/{name}.dxf", to_dxf(drawing)
    if kind == "top":
        yield f"{folder}/{name}.pdf", to_pdf(drawing)
    if kind in ("foil", "top"):
        for paper, size in _SHEETS.items():
            yield f"{folder}/{name}-{paper}.pdf", to_sheets(drawing, size)
