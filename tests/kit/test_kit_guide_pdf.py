"""The PDF of a guide: pages of A4 that say what the page says, and how to find it."""

import re
from io import BytesIO
from itertools import groupby, pairwise
from math import hypot

import pytest
from pypdf import PdfReader

from hal.geometry import Point
from hardware.kit.drawing import Box, Circle, Drawing, Label, Style
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


def led_to(reader: PdfReader, page: int) -> list[int]:
    """Give the pages, from 0 on, to which the links of a page lead."""
    numbers = {each.indirect_reference.idnum: n for n, each in enumerate(reader.pages)}
    notes = [note.get_object() for note in reader.pages[page].get("/Annots", [])]
    return [numbers[note["/Dest"][0].idnum] for note in notes if "/Dest" in note]


def test_guide_pdf_lists_all_headings_with_their_pages(made):
    reader = PdfReader(BytesIO(made))
    words = texts(made)
    headings = guide_of(BOARD).headings()
    # reportlab makes a link of each entry and one more of the number beside it.
    leads = [page for page, _ in groupby(led_to(reader, 0))]
    for heading in headings:
        assert bare(heading.text) in bare(words[0])
    there = [n for n, text in enumerate(words) if n in leads]
    assert there == sorted(set(leads))
    for heading in headings:
        assert any(bare(heading.text) in bare(words[n]) for n in leads), heading
    listed = {int(n) for n in re.findall(r"(?:\. ?)+(\d+)\b", words[0])}
    assert {n + 1 for n in leads} <= listed


def test_guide_pdf_leads_from_page_to_page(made):
    reader = PdfReader(BytesIO(made))
    links = [led_to(reader, n) for n in range(1, len(reader.pages))]
    assert sum(map(len, links)) > 30


def test_guide_pdf_draws_pictures_as_lines():
    drawing = Drawing("D", Box(0, 0, 100, 50))
    drawing.add(Style("cut"), Circle(Point(50, 25), 20))
    (page,) = pages(pdf_of(Heading("H", "h"), Picture(drawing, "C", "c")))[1:]
    content = page.get_contents().get_data()
    assert b" c" in content
    assert b"Do" not in content.replace(b"Done", b"")


def test_guide_pdf_shrinks_a_command_that_is_too_long_for_a_line():
    long = "printf " + "x" * 150
    *_, text = texts(pdf_of(Heading("H", "h"), Code((long, "short"))))
    assert long in text


@pytest.mark.parametrize("rows", [1, 18, 19, 60, 200])
@pytest.mark.parametrize("wide", [True, False])
def test_guide_pdf_shows_all_rows_of_a_table(rows, wide):
    cells = tuple((f"n{n}e", "words " * 8 if wide else "w") for n in range(rows))
    made = pdf_of(Heading("H", "h"), TableBlock(Table("T", ("a", "b"), cells), "t"))
    said = "\n".join(texts(made))
    for name, _ in cells:
        assert said.count(name) == 1


def drawing_of(width: float, height: float) -> Drawing:
    drawing = Drawing("D", Box(0, 0, width, height))
    drawing.add(Style("cut"), Circle(Point(width / 2, height / 2), height / 4))
    drawing.add(Style("words", stroke=None, fill="#000000"), Label("words", Point(5, 5), 4))
    return drawing


def test_guide_pdf_gives_a_large_picture_a_page_that_is_sideways_if_it_is_wide():
    wide, high = drawing_of(400, 260), drawing_of(260, 400)
    blocks = [Heading("H", "h"), Picture(wide, "Wide", "w", large=True), Paragraph("Later.")]
    blocks += [Picture(high, "High", "k", large=True), Heading("Next", "n"), Paragraph("Last.")]
    found = pages(pdf_of(*blocks))[1:]
    said = [page.extract_text() for page in found]
    assert len(said) == 4
    assert "Later." in said[0]
    assert ["Wide" in said[1], "High" in said[2], "Last." in said[3]] == [True] * 3
    sizes = [size_mm(page) for page in found]
    assert [wide > high for wide, high in sizes] == [False, True, False, False]
    # Where the words stand says which way up they are, and how large.
    for page in found[1:3]:
        matrix = matrix_of(page, "words")
        assert matrix[0] > 1.7
        assert matrix[1] == pytest.approx(0, abs=1e-6)


def test_guide_pdf_parts_a_large_picture_whose_words_are_small():
    drawing = drawing_of(800, 500)
    drawing.add(Style("words", stroke=None, fill="#000000"), Label("far", Point(780, 480), 4))
    blocks = (Heading("H", "h"), Picture(drawing, "Much.", "m", large=True), Paragraph("See."))
    said = texts(pdf_of(*blocks))[2:]
    assert [re.findall(r"Picture 1, (.*?)\.", text) for text in said] == [
        [f"{row} {side} quarter"] for row in ("upper", "lower") for side in ("left", "right")
    ]
    assert ["Much." in text for text in said] == [True, False, False, False]
    assert ["far" in text for text in said] == [False, True, False, False]
    assert ["words" in text for text in said] == [False, False, True, False]


@pytest.mark.parametrize(("file", "where"), [("a/b.svg", ": a/b.svg has them."), ("", ".")])
def test_guide_pdf_leaves_small_words_out_of_a_picture_among_text_and_says_so(file, where):
    drawing = drawing_of(400, 300)
    drawing.add(Style("words", stroke=None, fill="#000000"), Label("tall", Point(200, 20), 14))
    (page,) = pages(pdf_of(Heading("H", "h"), Picture(drawing, "Seen.", "s", file=file)))[1:]
    said = " ".join(page.extract_text().split())
    assert f"Seen. Words that would be too small here are left out{where}" in said
    matrix_of(page, "tall")
    assert said.count("words") == 0


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


def matrix_of(page, words: str) -> list[float]:
    found = []

    def see(text, matrix, *_):
        if words in text:
            found.append(matrix)

    page.extract_text(visitor_text=see)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("lines", range(38, 48))
def test_guide_pdf_leaves_no_first_step_and_no_command_alone(lines):
    filling = Paragraph("Sentence. " * 11 * lines)
    steps = Steps(("One one.", "Two two.", "Three three."))
    for page in texts(pdf_of(Heading("H", "h"), filling, steps))[1:]:
        assert ("One one." in page) == ("Two two." in page)
    blocks = (Heading("H", "h"), filling, Paragraph("Type this:"), Code(("make",)))
    for page in texts(pdf_of(*blocks)):
        assert ("Type this:" in page) == ("make" in page)


@pytest.mark.parametrize("lines", range(43, 53))
def test_guide_pdf_takes_no_single_line_to_the_next_page(lines):
    line = " ".join(["word"] * 20)
    made = texts(pdf_of(Heading("H", "h"), Paragraph(" ".join([line] * lines))))
    for page in made[2:]:
        assert page.count("word") > 20


def test_guide_pdf_refuses_signs_that_it_could_not_show():
    with pytest.raises(KitError, match="signs that the fonts of the PDF lack"):
        pdf_of(Heading("H", "h"), Paragraph("10 k\u03a9"))


def test_guide_pdf_refuses_a_picture_that_is_no_drawing():
    with pytest.raises(KitError, match="picture c is a text"):
        pdf_of(Heading("H", "h"), Picture("<svg/>", "C", "c"))
