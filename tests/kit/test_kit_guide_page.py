"""The page of a guide: whole, safe to open, and with nothing beside it."""

import re
from html.parser import HTMLParser

import pytest

from hardware.kit.guide.document import (
    Bullets,
    Caution,
    Code,
    Document,
    Heading,
    Paragraph,
    Picture,
    Steps,
    TableBlock,
    plain,
)
from hardware.kit.guide.page import to_page
from hardware.kit.tables import Table
from tests.helpers.kits.guides import files_of, guide_of

# The smallest and the largest board.
BOARDS = ("disc-32", "rectangle-88-pico")
EMPTY = {"meta", "br", "hr", "img", "link", "input", "wbr"}


class Reader(HTMLParser):
    """Read a page: its elements, attributes and texts, and each element that is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"{tag} is closed in {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts.setdefault(tag, []).append(data)

    def all(self, name: str) -> list[str]:
        return [a[name] or "" for _, a in self.elements if name in a]


def page_of(*blocks) -> str:
    return to_page(Document("A <title>", "A & B", blocks)).decode()


@pytest.fixture(scope="module", params=BOARDS)
def read(request) -> tuple[Document, Reader]:
    guide = guide_of(request.param)
    return guide, Reader(to_page(guide).decode())


def test_page_closes_all_that_it_opens(read):
    _, page = read
    assert page.faults == []


def test_page_runs_nothing_and_reaches_for_nothing(read):
    guide, page = read
    names = {tag for tag, _ in page.elements}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for name in ("href", "src", "xlink:href"):
        assert all(link.startswith("#") for link in page.all(name)), page.all(name)
    text = to_page(guide).decode()
    assert "@import" not in text
    assert re.findall(r"url\((?!#)", text) == []
    assert not [name for _, a in page.elements for name in a if name.startswith("on")]


@pytest.mark.parametrize("board", BOARDS)
def test_page_opens_its_pictures_and_files(board):
    files = files_of(board)
    page = Reader(to_page(guide_of(board), files).decode())
    assert page.faults == []
    linked = {link for link in page.all("href") if not link.startswith("#")}
    assert linked <= files
    shown = {block.file for block in guide_of(board).blocks if isinstance(block, Picture)} - {""}
    assert shown <= linked
    assert {"wiring/wiring-foil.svg", "wiring/placement-circuit.svg", "foil/foil-a4.pdf"} <= linked


def test_page_has_each_anchor_once_and_leads_to_no_other(read):
    _, page = read
    anchors = page.all("id")
    assert sorted(set(anchors)) == sorted(anchors)
    for link in (*page.all("href"), *page.all("xlink:href")):
        assert link.removeprefix("#") in anchors


def test_page_shows_every_picture_table_and_step(read):
    guide, page = read
    tags = [tag for tag, _ in page.elements]
    blocks = guide.blocks
    assert tags.count("svg") == sum(isinstance(b, Picture) for b in blocks)
    assert tags.count("table") == sum(isinstance(b, TableBlock) for b in blocks)
    assert tags.count("pre") == sum(isinstance(b, Code) for b in blocks)
    rows = sum(len(b.table.rows) + 1 for b in blocks if isinstance(b, TableBlock))
    assert tags.count("tr") == rows


def test_page_says_every_text(read):
    guide, page = read
    said = re.sub(r"\s+", " ", "".join(page.texts["body"]))
    for text in guide.texts():
        assert re.sub(r"\s+", " ", plain(text, guide.names())) in said


def test_page_writes_signs_that_mean_something_in_html():
    page = page_of(
        Heading("<h> & more", "h"),
        Paragraph("a <b> & `c < d`"),
        Caution("<i>"),
        Bullets(("<j>",)),
        Steps(("<k>",)),
        Code(("<l> & 'm'",)),
        TableBlock(Table("<n>", ("<o>",), (("<p>",),)), "t"),
    )
    read = Reader(page)
    assert read.faults == []
    assert not {tag for tag, _ in read.elements} & set("ijkno")
    said = "".join(read.texts["body"])
    for text in ("a <b> & c < d", "<i>", "<j>", "<k>", "<l> & 'm'", "<n>", "<o>", "<p>"):
        assert text in said
