"""Guides for the tests, of boards that ship, and what a text says to a program that reads it.

Nothing here waits for what takes long and what no guide speaks of: the tracks of the circuits, and
for a guide that is only read the drawings too.
"""

from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

from game.app.fitting import graph_of
from game.app.kit.artwork import artwork
from hal.geometry import Point
from hardware.kit.circuit.router import Routing
from hardware.kit.contents import Contents
from hardware.kit.drawing import Box, Circle, Drawing, Style
from hardware.kit.gathering import gather
from hardware.kit.guide.document import Code, Document, Heading, Kind, TableBlock, plain, spans
from hardware.kit.guide.text import assembly
from hardware.kit.kit import make
from hardware.kit.layout import Layout
from tests.helpers.kits.boards import layout_of

_NOT_DRAWN = ("base", "carrier", "cover", "diagram", "diffuser", "drawing", "foil", "placement")
_NOT_DRAWN += ("section", "surround", "top", "walls")


@cache
def guide_of(name: str, tiled: bool = False) -> Document:
    """Write the guide of a board that ships, with all its pictures."""
    return assembly(_contents(layout_of(name), name, tiled=tiled))


@cache
def sketch_of(name: str, tiled: bool = False) -> Contents:
    """Gather the kit of a board that ships, with a dot in the place of each drawing."""
    return sketch_of_layout(layout_of(name), name, tiled=tiled)


def sketch_of_layout(layout: Layout, source: str, *, tiled: bool = False) -> Contents:
    dots = [patch(f"hardware.kit.gathering.{name}", _dot) for name in _NOT_DRAWN]
    dots.append(patch("hardware.kit.gathering.gerber.files", lambda _: {}))
    for each in dots:
        each.start()
    try:
        return _contents(layout, source, tiled=tiled)
    finally:
        for each in dots:
            each.stop()


@cache
def files_of(name: str, tiled: bool = False) -> frozenset[str]:
    """Name the files of a kit."""
    contents = sketch_of(name, tiled)
    layout = contents.layout
    graph = graph_of(layout.profile)
    assert graph is not None
    centres = graph.centres
    with (
        patch("hardware.kit.kit.gather", lambda *_, **__: contents),
        patch("hardware.kit.kit.pictures", lambda _: {"top": "", "bottom": ""}),
    ):
        made = make(
            layout.profile, layout.grid, centres, contents.artwork, tiled=tiled, source=name
        )
    return frozenset(made)


def chapter(document: Document, anchor: str) -> Document:
    """Give one chapter, its heading first."""
    found, inside = [], False
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 1:
            inside = block.anchor == anchor
        if inside:
            found.append(block)
    assert found, anchor
    return Document("", "", tuple(found))


def said(document: Document) -> str:
    return "\n".join(plain(text, document.names()) for text in document.texts())


def rows(document: Document, anchor: str) -> list[tuple[str, ...]]:
    """Give the rows of the one table of that name."""
    (found,) = (b for b in document.blocks if isinstance(b, TableBlock) and b.anchor == anchor)
    return list(found.table.rows)


def code(document: Document) -> Iterator[str]:
    """Give each line of the commands, and each piece of code in the texts."""
    for block in document.blocks:
        if isinstance(block, Code):
            yield from block.lines
    for text in document.texts():
        yield from (span.text for span in spans(text) if span.kind is Kind.CODE)


def _contents(layout: Layout, source: str, *, tiled: bool) -> Contents:
    graph = graph_of(layout.profile)
    assert graph is not None
    with (
        patch("hardware.kit.circuit.plan.route", lambda _: Routing((), ())),
        patch("hardware.kit.gathering.check", lambda *_: ()),
    ):
        return gather(layout, artwork(layout.profile, graph), tiled=tiled, source=source)


def _dot(*_: object) -> Drawing:
    drawing = Drawing("Dot", Box(0, 0, 20, 10))
    drawing.add(Style("cut"), Circle(Point(10, 5), 2))
    return drawing
