"""How the pages of a guide look as a PDF: measures, colours, styles, and text with marks.

Owns these. Must not know pages nor what is on them.
"""

from collections.abc import Mapping
from html import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm

from hardware.kit.guide.document import Kind, Span, spans

MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
HEIGHT = A4[1] - 2 * MARGIN - 4 * mm

INK, QUIET, ACCENT = HexColor("#1d2326"), HexColor("#5d676b"), HexColor("#8a4210")
LINE, TINT, WARN = HexColor("#cfccc2"), HexColor("#f3f1ea"), HexColor("#fff3d6")
WARN_LINE = HexColor("#d39a1c")

BODY = ParagraphStyle(
    "body",
    fontName="Helvetica",
    fontSize=10,
    leading=14.2,
    textColor=INK,
    alignment=TA_LEFT,
    spaceAfter=6,
    allowWidows=0,
    allowOrphans=0,
)
LEADING = ParagraphStyle("leading", BODY, keepWithNext=1)
ITEM = ParagraphStyle("item", BODY, spaceAfter=4)
TITLE = ParagraphStyle("title", BODY, fontName="Helvetica-Bold", fontSize=26, leading=31)
SUBTITLE = ParagraphStyle("subtitle", BODY, fontSize=12, leading=17, textColor=QUIET, spaceAfter=16)
LABEL = ParagraphStyle("label", BODY, fontName="Helvetica-Bold", fontSize=13, leading=18)
CHAPTER = ParagraphStyle(
    "chapter",
    BODY,
    fontName="Helvetica-Bold",
    fontSize=17,
    leading=21,
    textColor=ACCENT,
    spaceBefore=18,
    spaceAfter=8,
    keepWithNext=1,
)
PART = ParagraphStyle(
    "part",
    BODY,
    fontName="Helvetica-Bold",
    fontSize=12,
    leading=16,
    spaceBefore=12,
    spaceAfter=5,
    keepWithNext=1,
)
CAPTION = ParagraphStyle(
    "caption", BODY, fontSize=9, leading=12, textColor=QUIET, spaceBefore=4, spaceAfter=10
)
TABLE_TITLE = ParagraphStyle(
    "table",
    BODY,
    fontName="Helvetica-Bold",
    fontSize=9.5,
    leading=13,
    spaceAfter=0,
)
CELL = ParagraphStyle("cell", BODY, fontSize=8.5, leading=11, spaceAfter=0)
HEAD = ParagraphStyle("head", CELL, fontName="Helvetica-Bold")
CODE = ParagraphStyle("code", BODY, fontName="Courier", fontSize=8.6, leading=11.6, spaceAfter=0)
CAUTION = ParagraphStyle("caution", BODY, spaceAfter=0)
CONTENTS = (
    ParagraphStyle(
        "contents1", BODY, fontName="Helvetica-Bold", fontSize=9.5, leading=12, spaceAfter=0
    ),
    ParagraphStyle("contents2", BODY, fontSize=9, leading=11, leftIndent=18, spaceAfter=0),
)


def inline(text: str, names: Mapping[str, str]) -> str:
    """Write a text with marks as reportlab has them."""
    return "".join(_span(span) for span in spans(text, names))


def _span(span: Span) -> str:
    text = escape(span.text, quote=False)
    match span.kind:
        case Kind.PLAIN:
            return text
        case Kind.CODE:
            return f'<font name="Courier" backColor="#f3f1ea">{text}</font>'
        case Kind.TERM:
            return f"<b><i>{text}</i></b>"
        case Kind.STRONG:
            return f"<b>{text}</b>"
        case Kind.LINK:
            return f'<a href="#{span.target}" color="#8a4210">{text}</a>'
