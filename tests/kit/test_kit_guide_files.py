"""The guide as a page and as a PDF: whole, safe to open, and nothing too small to be read."""

import re
from html.parser import HTMLParser

import pytest

from hardware.kit.errors import KitError
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
from hardware.kit.guide.pdf import to_pdf
from hardware.kit.tables import Table
from tests.helpers.kits.guides import files_of, guide_of
from tests.helpers.kits.paper import pages

BOARD = "disc-32-pico"
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


@pytest.fixture(scope="module")
def read() -> tuple[Document, Reader]:
    guide = guide_of(BOARD)
    return guide, Reader(to_page(guide).decode())


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


def test_page_opens_its_pictures_and_files():
    files = files_of(BOARD)
    page = Reader(to_page(guide_of(BOARD), files).decode())
    linked = {link for link in page.all("href") if not link.startswith("#")}
    assert linked <= files
    shown = {block.file for block in guide_of(BOARD).blocks if isinstance(block, Picture)} - {""}
    assert shown <= linked
    assert {"wiring/wiring-foil.svg", "wiring/placement-circuit.svg", "foil/foil-a4.pdf"} <= linked


def test_page_has_each_anchor_once_and_leads_to_no_other(read):
    _, page = read
    anchors = page.all("id")
    assert sorted(set(anchors)) == sorted(anchors)
    for link in (*page.all("href"), *page.all("xlink:href")):
        assert link.removeprefix("#") in anchors


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


@pytest.fixture(scope="module")
def made() -> bytes:
    return to_pdf(guide_of(BOARD))


@pytest.fixture(scope="module")
def words(made) -> list[str]:
    return texts(made)


def texts(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pages(pdf)]


def bare(text: str) -> str:
    """Leave out what lines, hyphens and fonts do to the blanks of a text."""
    return re.sub(r"[\s\u2022]+", "", text)


def pdf_of(*blocks) -> bytes:
    return to_pdf(Document("Title", "Subtitle", blocks))


def test_guide_pdf_says_every_text(words):
    guide = guide_of(BOARD)
    said = bare("".join(words))
    for block in guide.blocks:
        match block:
            case Paragraph() | Caution() | Heading():
                parts = [block.text]
            case Bullets() | Steps():
                parts = list(block.items)
            case Picture():
                parts = [block.caption]
            case Code():
                parts = list(block.lines)
            case TableBlock():
                parts = [cell for row in block.table.rows for cell in row]
        for part in parts:
            for sentence in re.split(r"(?<=[.:;]) ", plain(part, guide.names())):
                # A page may end within a sentence; then each half is there.
                parted = [bare(word) for word in sentence.split()]
                assert bare(sentence) in said or all(word in said for word in parted), sentence


def test_guide_pdf_refuses_signs_that_it_could_not_show():
    with pytest.raises(KitError, match="signs that the fonts of the PDF lack"):
        pdf_of(Heading("H", "h"), Paragraph("10 k\u03a9"))
