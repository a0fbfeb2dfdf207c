"""Kits of boards that ship, whole or without what takes long, and what a guide's text says.

A sketch has circuits without tracks and a dot in place of each drawing: no guide speaks of either.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from unittest.mock import patch

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from hal.profile.geometry import Point
from hardware.kit.build import gather
from hardware.kit.circuit.router import Routing
from hardware.kit.contents import Contents
from hardware.kit.drawing import Box, Circle, Drawing, Style
from hardware.kit.guide.document import Code, Document, Heading, Kind, TableBlock, plain, spans
from hardware.kit.guide.text import assembly
from hardware.kit.kit import make
from hardware.kit.layout import Layout
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.circuits import whole_of
from tests.helpers.kits.shipped_kits import kept
from tests.helpers.shared import built_once

PLATES = ("base", "carrier", "cover", "diffuser", "drawing", "foil", "placement", "section")
PLATES += ("surround", "top", "walls")


def contents_of(name: str) -> Contents:
    """Gather the kit of a board that ships, with its tracks and diagrams, once in a run."""

    def gathered() -> Contents:
        with ExitStack() as patches:
            _without(patches, PLATES)
            patches.enter_context(patch("hardware.kit.build.whole", lambda _: whole_of(name)))
            patches.enter_context(patch("hardware.kit.build.check", lambda *_: ()))
            return _gather(layout_of(name), name, tiled=False)

    return built_once(f"contents-{name}", gathered)


def files_to_keep(name: str) -> dict[str, bytes]:
    """Make what is kept in hardware/kits of a board's kit."""
    return kept(_made(contents_of(name)))


def guide_of(name: str) -> Document:
    """Write the guide of a board that ships, with all its pictures, once in a run."""

    def written() -> Document:
        with ExitStack() as patches:
            _unrouted(patches)
            return assembly(_gather(layout_of(name), name, tiled=False))

    return built_once(f"guide-{name}", written)


def sketch_of(name: str, tiled: bool = False) -> Contents:
    """Sketch the kit of a board that ships, once in a run."""
    return built_once(
        f"sketch-{name}-{tiled}", lambda: sketch_of_layout(layout_of(name), name, tiled=tiled)
    )


def sketch_of_layout(layout: Layout, source: str, *, tiled: bool = False) -> Contents:
    with ExitStack() as patches:
        _without(patches, (*PLATES, "diagram"))
        _unrouted(patches)
        patches.enter_context(patch("hardware.kit.build.gerber.files", lambda _: {}))
        return _gather(layout, source, tiled=tiled)


@cache
def files_of(name: str, tiled: bool = False) -> frozenset[str]:
    """Name the files of a kit."""
    return frozenset(_made(sketch_of(name, tiled)))


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


def _gather(layout: Layout, source: str, *, tiled: bool) -> Contents:
    graph = graph_of(layout.profile)
    assert graph is not None
    return gather(layout, artwork(layout.profile, graph), tiled=tiled, source=source)


def _made(contents: Contents) -> dict[str, bytes]:
    """Make the files of a kit's contents, with no guide and no pictures of its circuits."""
    profile, grid = contents.layout.profile, contents.layout.grid
    graph = graph_of(profile)
    assert graph is not None
    with ExitStack() as patches:
        patches.enter_context(patch("hardware.kit.kit.gather", lambda *_, **__: contents))
        nothing = {"top": "", "bottom": ""}
        patches.enter_context(patch("hardware.kit.kit.pictures", lambda _: nothing))
        patches.enter_context(patch("hardware.kit.kit.to_page", lambda *_: b""))
        patches.enter_context(patch("hardware.kit.kit.guide_pdf.to_pdf", lambda _: b""))
        tiled = bool(contents.tiles)
        return make(
            profile,
            grid,
            graph.centres,
            contents.artwork,
            tiled=tiled,
            source=contents.source,
        )


def _unrouted(patches: ExitStack) -> None:
    nothing = Routing((), ())
    patches.enter_context(patch("hardware.kit.circuit.plan.route", lambda _: nothing))
    patches.enter_context(patch("hardware.kit.build.check", lambda *_: ()))


def _without(patches: ExitStack, drawings: Iterable[str]) -> None:
    for name in drawings:
        patches.enter_context(patch(f"hardware.kit.build.{name}", _dot))


def _dot(*_: object) -> Drawing:
    drawing = Drawing("Dot", Box(0, 0, 20, 10))
    drawing.add(Style("cut"), Circle(Point(10, 5), 2))
    return drawing
