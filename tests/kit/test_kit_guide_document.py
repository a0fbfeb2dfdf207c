"""Guides as blocks: their numbers, their links and the marks inside their texts."""

import pytest

from hardware.kit.drawing import Box, Drawing
from hardware.kit.guide.document import (
    Bullets,
    Caution,
    Code,
    Document,
    Heading,
    Kind,
    Paragraph,
    Picture,
    Span,
    Steps,
    TableBlock,
    plain,
    spans,
)
from hardware.kit.tables import Table

DRAWING = Drawing("Nothing", Box(0, 0, 10, 10))
TABLE = Table("Parts", ("part", "count"), (("wire", "2"), ("pin", "3")))


def document() -> Document:
    return Document(
        "Title",
        "Subtitle",
        (
            Heading("First", "first"),
            Paragraph("One."),
            TableBlock(TABLE, "parts"),
            Heading("Part of it", "part", 2),
            Heading("Other part", "other", 2),
            Picture(DRAWING, "What it shows", "picture"),
            Code(("make play",)),
            Heading("Second", "second"),
            Heading("Its part", "its", 2),
            Steps(("Two.", "Three.")),
            Bullets(("Four.",)),
            Caution("Five."),
            TableBlock(TABLE, "more"),
        ),
    )


def test_document_numbers_chapters_parts_tables_and_pictures():
    assert dict(document().names()) == {
        "first": "chapter 1",
        "parts": "table 1",
        "part": "chapter 1.1",
        "other": "chapter 1.2",
        "picture": "picture 1",
        "second": "chapter 2",
        "its": "chapter 2.1",
        "more": "table 2",
    }


def test_document_gives_its_texts_in_the_order_of_reading_and_no_commands():
    table = ["Parts", "part", "count", "wire", "2", "pin", "3"]
    assert list(document().texts()) == [
        "First",
        "One.",
        *table,
        "Part of it",
        "Other part",
        "What it shows",
        "Second",
        "Its part",
        "Two.",
        "Three.",
        "Four.",
        "Five.",
        *table,
    ]


def test_document_lists_its_headings():
    assert [each.text for each in document().headings()] == [
        "First",
        "Part of it",
        "Other part",
        "Second",
        "Its part",
    ]


def test_document_refuses_an_anchor_twice():
    with pytest.raises(ValueError, match='anchor "a" is there 2 times'):
        Document("T", "S", (Heading("One", "a"), TableBlock(TABLE, "a")))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("plain", [Span(Kind.PLAIN, "plain")]),
        ("`code`", [Span(Kind.CODE, "code")]),
        ("`*`", [Span(Kind.CODE, "*")]),
        ("a *term* b", [Span(Kind.PLAIN, "a "), Span(Kind.TERM, "term"), Span(Kind.PLAIN, " b")]),
        ("**no**.", [Span(Kind.STRONG, "no"), Span(Kind.PLAIN, ".")]),
        ("2 * 3 * 4", [Span(Kind.PLAIN, "2 * 3 * 4")]),
        ("[here](#part)", [Span(Kind.LINK, "here", "part")]),
        ("[chips] of it", [Span(Kind.PLAIN, "[chips] of it")]),
        ("", []),
    ],
)
def test_spans_take_marks_apart(text, kinds):
    assert list(spans(text)) == kinds


def test_spans_name_what_a_link_without_words_leads_to():
    names = {"parts": "table 3"}
    assert plain("see [](#parts) and [these](#parts)", names) == "see table 3 and these"


def test_spans_begin_a_sentence_with_a_capital():
    names = {"parts": "table 3"}
    assert plain("[](#parts) is long. [](#parts) too, as [](#parts).", names) == (
        "Table 3 is long. Table 3 too, as table 3."
    )


def test_plain_leaves_out_all_marks():
    assert plain("a `b` *c* **d** [e](#f)") == "a b c d e"
