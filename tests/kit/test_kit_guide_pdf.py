"""The PDF of a guide: pages of A4 that say what the page says, and how to find it."""

import re
from io import BytesIO
from itertools import pairwise
from math import hypot

import pytest
from pypdf import PdfReader

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
from hardware.kit.guide.pdf import to_pdf
from hardware.kit.tables import Table
from tests.helpers.kits.guides import guide_of
from tests.helpers.kits.paper import pages, size_mm

BOARD = "disc-32"
MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def made() -> bytes:
    return to_pdf(guide_of(BOARD))


def texts(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pages(pdf)]


def bare(text: str) -> str:
    """Leave out what lines, hyphens and fonts do to the blanks of a text."""
    return re.sub(r"[\s\u2022]+", "", text)


def pdf_of(*blocks) -> bytes:
    return to_pdf(Document("Title", "Subtitle", blocks))


def test_guide_pdf_is_on_a4_with_page_numbers(made):
    found = pages(made)
    assert len(found) > 10
    for number, page in enumerate(found, 1):
        assert sorted(size_mm(page)) == pytest.approx([210, 297], abs=0.1)
        assert str(number) in page.extract_text().split()


def test_guide_pdf_is_small_and_the_same_each_time(made):
    assert len(made) < MOST_BYTES
    assert to_pdf(guide_of(BOARD)) == made


def test_guide_pdf_says_every_text(made):
    guide = guide_of(BOARD)
    said = bare("".join(texts(made)))
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
                words = [bare(word) for word in sentence.split()]
                assert bare(sentence) in said or all(word in said for word in words), sentence


def test_guide_pdf_has_bookmarks_in_the_order_of_its_pages(made):
    reader = PdfReader(BytesIO(made))
    guide = guide_of(BOARD)
    marks = []

    def follow(outline, level):
        for each in outline:
            if isinstance(each, list):
                follow(each, level + 1)
            else:
                marks.append((level, each.title, reader.get_destination_page_number(each)))

    follow(reader.outline, 1)
    numbers = [guide.names()[h.anchor].removeprefix("chapter ") for h in guide.headings()]
    wanted = [(h.level, f"{n}  {h.text}") for h, n in zip(guide.headings(), numbers, strict=True)]
    assert [(level, title) for level, title, _ in marks] == wanted
    assert all(a[2] <= b[2] for a, b in pairwise(marks))
    words = texts(made)
    for _, title, page in marks:
        assert bare(title.split("  ")[1]) in bare(words[page])


@pytest.mark.parametrize("rows", [1, 18, 19, 60, 200])
@pytest.mark.parametrize("wide", [True, False])
def test_guide_pdf_shows_all_rows_of_a_table(rows, wide):
    cells = tuple((f"n{n}e", "words " * 8 if wide else "w") for n in range(rows))
    made = pdf_of(Heading("H", "h"), TableBlock(Table("T", ("a", "b"), cells), "t"))
    said = "\n".join(texts(made))
    for name, _ in cells:
        assert said.count(name) == 1


def smallest_pt(page) -> float:
    """Give the size of the smallest letters of a page."""
    sizes = []

    def see(text, own, line, _, size):
        if text.strip():
            sizes.append(size * hypot(own[0], own[1]) * hypot(line[0], line[1]))

    page.extract_text(visitor_text=see)
    return min(sizes)


def test_guide_pdf_has_no_letters_that_are_too_small_where_a4_is_printed_on_letter(made):
    on_letter = min(215.9 / 210, 279.4 / 297)
    for number, page in enumerate(pages(made), 1):
        assert smallest_pt(page) * on_letter > 5 - 1e-3, number


def test_guide_pdf_refuses_signs_that_it_could_not_show():
    with pytest.raises(KitError, match="signs that the fonts of the PDF lack"):
        pdf_of(Heading("H", "h"), Paragraph("10 k\u03a9"))
