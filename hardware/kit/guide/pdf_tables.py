"""Tables of a guide in its PDF: columns as wide as they must be, heads on each page.

Owns how a table is set. Must not know what it lists.
"""

from collections.abc import Iterator, Mapping

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid
from reportlab.platypus.flowables import AnchorFlowable

from hardware.kit.guide.document import Kind, spans
from hardware.kit.guide.pdf_look import CELL, HEAD, LINE, QUIET, TABLE_TITLE, WIDTH, inline
from hardware.kit.tables import Table

_CELL_PADDING = 8.0
_LEAST_OF_TABLE = 35 * mm
_LONG_TABLE = 26
"""Rows from which on a narrow table is set twice beside itself."""
_LONG_COLUMN = 38
"""Rows of such a table on a page."""
_UNBROKEN_ROWS = 10
_BETWEEN = 5 * mm
_FAIR = 0.6
"""Of an equal share of the width: what a column has before wide ones get more."""
_WIDEST_HEAD = 62.0


def set_table(table: Table, anchor: str, names: Mapping[str, str]) -> Iterator[Flowable]:
    """Set a table under its number and title, where `anchor` leads to it."""
    number = names[anchor].capitalize()
    title = f"{number}. {inline(table.title, names)}"
    widths = _widths(table, names)
    rows = [[Text(inline(each, names), CELL) for each in row] for row in table.rows]
    heads = [Text(inline(each, names), HEAD) for each in table.columns]
    yield CondPageBreak(_LEAST_OF_TABLE)
    # The head comes again on each page, so the anchor stands apart from it.
    yield AnchorFlowable(anchor)
    if len(rows) > _LONG_TABLE and 2 * sum(widths) + _BETWEEN <= WIDTH:
        yield from _twofold(title, heads, rows, widths)
        return
    grid = _grid(title, [heads, *rows], widths)
    yield KeepTogether([grid]) if len(rows) <= _UNBROKEN_ROWS else grid


def _twofold(
    title: str, heads: list[Flowable], rows: list[list[Flowable]], widths: list[float]
) -> Iterator[Flowable]:
    """Set a long and narrow table in two columns, page by page."""
    blank = [""] * len(widths)
    for start in range(0, len(rows), 2 * _LONG_COLUMN):
        part = rows[start : start + 2 * _LONG_COLUMN]
        high = (len(part) + 1) // 2
        left, right = part[:high], part[high:]
        right += [blank] * (high - len(right))
        pairs = [[*a, "", *b] for a, b in zip(left, right, strict=True)]
        both = [*widths, _BETWEEN, *widths]
        yield KeepTogether([_grid(title, [[*heads, "", *heads], *pairs], both, gap=len(widths))])


def _grid(
    title: str, rows: list[list[Flowable | str]], widths: list[float], gap: int | None = None
) -> Flowable:
    """Set rows, the first of them the head; there are no lines in the column `gap`."""
    style = [
        ("SPAN", (0, 0), (-1, 0)),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 1), (-1, 1), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), _CELL_PADDING),
        ("RIGHTPADDING", (0, 0), (-1, 0), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
    ]
    parts = [(0, -1)] if gap is None else [(0, gap - 1), (gap + 1, -1)]
    for first, last in parts:
        style += [
            ("LINEBELOW", (first, 1), (last, 1), 1, QUIET),
            ("LINEBELOW", (first, 2), (last, -1), 0.4, LINE),
        ]
    named = [Text(title, TABLE_TITLE), *[""] * (len(widths) - 1)]
    return Grid(
        [named, *rows],
        colWidths=widths,
        repeatRows=2,
        style=style,
        hAlign="LEFT",
        spaceBefore=6,
        spaceAfter=10,
    )


def _widths(table: Table, names: Mapping[str, str]) -> list[float]:
    """Share the page's width among columns by what they hold, so that no word is broken."""
    least, wanted = [], []
    for place, column in enumerate(table.columns):
        marked = [row[place] for row in table.rows]
        cells = [_width_of(cell, CELL.fontName, names) for cell in marked]
        words = [_width_of(word, CELL.fontName, names) for cell in marked for word in cell.split()]
        words += [_width_of(word, HEAD.fontName, names) for word in column.split()]
        head = _width_of(column, HEAD.fontName, names)
        narrowest = max(words, default=0.0) + 2
        least.append(min(narrowest, WIDTH / 3) + _CELL_PADDING)
        wanted.append(max([*cells, narrowest, min(head, _WIDEST_HEAD)]) + 2 + _CELL_PADDING)
    if sum(least) > WIDTH:
        return [low * WIDTH / sum(least) for low in least]
    if sum(wanted) <= WIDTH:
        return wanted
    # What is short has its width; the rest is shared, and those that want least have it first.
    fair = WIDTH / len(wanted) * _FAIR
    widths = [max(low, min(want, fair)) for low, want in zip(least, wanted, strict=True)]
    if sum(widths) > WIDTH:
        widths = least
    spare = WIDTH - sum(widths)
    wishes = sorted(range(len(wanted)), key=lambda place: wanted[place] - widths[place])
    for done, place in enumerate(wishes):
        more = min(wanted[place] - widths[place], spare / (len(wishes) - done))
        widths[place] += more
        spare -= more
    return widths


def _width_of(text: str, font: str, names: Mapping[str, str]) -> float:
    """Measure a text with marks; half a mark, as in a word of a text, does no harm."""
    widths = (
        stringWidth(span.text, "Courier" if span.kind is Kind.CODE else font, CELL.fontSize)
        for span in spans(text, names)
    )
    return float(sum(widths))
