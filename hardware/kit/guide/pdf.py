"""A guide as a PDF on A4: its contents with page numbers, bookmarks, and pictures as vectors.

Owns the pages and what is set on them. Must not know what a guide says, nor how it looks
(`pdf_look`). The same guide gives the same bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    ListFlowable,
    ListItem,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
    TableStyle,
    XPreformatted,
)
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid
from reportlab.platypus.tableofcontents import TableOfContents

from hardware.kit.drawing import Drawing
from hardware.kit.errors import KitError
from hardware.kit.files.pdf import draw
from hardware.kit.guide.document import (
    Block,
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
from hardware.kit.guide.paper import (
    SHEET_FOOT_MM,
    SHEET_SIDE_MM,
    SHEET_TOP_MM,
    Placed,
    overview,
    sheets,
)
from hardware.kit.guide.pdf_look import (
    ACCENT,
    BODY,
    CAPTION,
    CAUTION,
    CHAPTER,
    CODE,
    CONTENTS,
    HEIGHT,
    ITEM,
    LABEL,
    LEADING,
    LINE,
    MARGIN,
    PART,
    QUIET,
    SUBTITLE,
    TINT,
    TITLE,
    WARN,
    WARN_LINE,
    WIDTH,
    inline,
)
from hardware.kit.guide.pdf_tables import set_table

_TALLEST_PICTURE = HEIGHT - 30 * mm
_TIGHT = [("TOPPADDING", (0, 0), (-1, -1), 0.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5)]
_CODE_PADDING = 7.0
_PAGE, _SHEET, _SIDEWAYS = "page", "sheet", "sideways"
"""Pages of text, and those of one picture each, upright and turned."""
_TOGETHER = 2
"""Items of a list that stay on one page with what leads to them."""


def to_pdf(document: Document) -> bytes:
    """Write a guide as a PDF; raise KitError for a sign that its fonts do not have."""
    _check_signs(document)
    file = BytesIO()
    template = _Template(file, document)
    template.multiBuild(list(_story(document)), canvasmaker=_canvas)
    return file.getvalue()


def _canvas(*arguments: object, **options: object) -> Canvas:
    return Canvas(*arguments, **(options | {"invariant": 1}))


def _check_signs(document: Document) -> None:
    for text in (document.title, document.subtitle, *document.texts()):
        odd = text.encode("cp1252", "ignore").decode("cp1252") != text
        if odd:
            raise KitError(
                f"the text {text!r} has signs that the fonts of the PDF lack: allowed are those of"
                " Western Europe"
            )


class _Template(BaseDocTemplate):
    """Pages with a foot; tells contents and bookmarks of each heading as it comes."""

    def __init__(self, file: BytesIO, document: Document) -> None:
        super().__init__(
            file,
            pagesize=A4,
            leftMargin=MARGIN,
            rightMargin=MARGIN,
            topMargin=MARGIN,
            bottomMargin=MARGIN + 4 * mm,
            title=document.title,
            author="lifeboard",
            subject=plain(document.subtitle),
            lang="en-GB",
            displayDocTitle=True,
        )
        page = _frame(A4, MARGIN, MARGIN, MARGIN + 4 * mm)
        self.addPageTemplates(PageTemplate(_PAGE, [page], onPage=self._foot))
        for name, size in ((_SHEET, A4), (_SIDEWAYS, landscape(A4))):
            sheet = _frame(size, SHEET_SIDE_MM * mm, SHEET_TOP_MM * mm, SHEET_FOOT_MM * mm)
            self.addPageTemplates(PageTemplate(name, [sheet], onPage=self._foot, pagesize=size))
        self._foot_text = document.title

    def _foot(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        width = self.pageTemplate.pagesize[0] if self.pageTemplate.pagesize else A4[0]
        canvas.saveState()
        canvas.setFont("Helvetica", 8.5)
        canvas.setFillColor(QUIET)
        canvas.drawString(MARGIN, 13 * mm, self._foot_text)
        canvas.drawRightString(width - MARGIN, 13 * mm, str(canvas.getPageNumber()))
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:
        """Note where a heading has come to stand."""
        if isinstance(flowable, _Title):
            level = flowable.level - 1
            self.canv.addOutlineEntry(flowable.words, flowable.anchor, level, closed=level == 0)
            self.notify("TOCEntry", (level, escape(flowable.words), self.page, flowable.anchor))


class _Title(Text):
    """A heading, with what contents and bookmarks want to know of it."""

    def __init__(self, heading: Heading, names: Mapping[str, str]) -> None:
        number = names[heading.anchor].removeprefix("chapter ")
        self.words = f"{number}  {plain(heading.text, names)}"
        self.anchor, self.level = heading.anchor, heading.level
        marked = f'<a name="{heading.anchor}"/>{number}&nbsp;&nbsp;{inline(heading.text, names)}'
        super().__init__(marked, CHAPTER if heading.level == 1 else PART)


class _Vectors(Flowable):
    """A drawing in its place."""

    def __init__(self, placed: Placed) -> None:
        super().__init__()
        self._placed = placed
        box = placed.drawing.box
        self.width = box.width * placed.scale * mm
        self.height = box.height * placed.scale * mm
        self.hAlign = "CENTER"

    def wrap(self, *_: float) -> tuple[float, float]:
        """Give the size."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw it where the page's pen is."""
        draw(self.canv, self._placed.drawing, scale=self._placed.scale)


def _story(document: Document) -> Iterator[Flowable]:
    names = document.names()
    yield Text(inline(document.title, names), TITLE)
    yield Text(inline(document.subtitle, names), SUBTITLE)
    yield Text("Contents", LABEL)
    contents = TableOfContents()
    contents.levelStyles = list(CONTENTS)
    contents.dotsMinLevel = 0
    contents.tableStyle = TableStyle(_TIGHT)
    yield contents
    yield PageBreak()
    yield from _chapters(document, names)


def _chapters(document: Document, names: Mapping[str, str]) -> Iterator[Flowable]:
    """Set all blocks; large pictures come at the end of their chapter, each on a page."""
    large: list[Picture] = []
    for block in document.blocks:
        if isinstance(block, Picture) and block.large:
            large.append(block)
            continue
        if isinstance(block, Heading) and block.level == 1:
            yield from _sheets(large, names)
            large = []
        yield from _block(block, names)
    yield from _sheets(large, names)


def _sheets(pictures: list[Picture], names: Mapping[str, str]) -> Iterator[Flowable]:
    for picture in pictures:
        for number, placed in enumerate(sheets(_drawing(picture))):
            yield NextPageTemplate(_SIDEWAYS if placed.sideways else _SHEET)
            yield PageBreak()
            caption = _number(picture, names)
            if placed.part:
                caption += f", {placed.part}"
            said = "." if number else f". {inline(picture.caption, names)}"
            yield from _captioned(placed, caption + said, "" if number else picture.anchor)
    if pictures:
        yield NextPageTemplate(_PAGE)
        yield PageBreak()


def _block(block: Block, names: Mapping[str, str]) -> Iterator[Flowable]:
    match block:
        case Heading():
            yield CondPageBreak((70 if block.level == 1 else 35) * mm)
            yield _Title(block, names)
        case Paragraph():
            style = LEADING if block.text.endswith(":") else BODY
            yield Text(inline(block.text, names), style)
        case Caution():
            yield _boxed([Text(inline(block.text, names), CAUTION)], WARN, WARN_LINE)
        case Bullets() | Steps():
            yield from _list(block, names)
        case TableBlock():
            yield from set_table(block.table, block.anchor, names)
        case Picture():
            yield from _picture(block, names)
        case Code():
            yield _code(block)


def _list(block: Bullets | Steps, names: Mapping[str, str]) -> Iterator[Flowable]:
    """Set a list; none of it stands alone at the foot of a page."""
    yield KeepTogether([_items(block, block.items[:_TOGETHER], 1, names)])
    if block.items[_TOGETHER:]:
        yield _items(block, block.items[_TOGETHER:], _TOGETHER + 1, names)


def _items(
    block: Bullets | Steps, texts: Sequence[str], first: int, names: Mapping[str, str]
) -> Flowable:
    items = [ListItem(Text(inline(text, names), ITEM)) for text in texts]
    if isinstance(block, Steps):
        return ListFlowable(
            items,
            bulletType="1",
            start=first,
            bulletFontName="Helvetica-Bold",
            bulletFontSize=10,
            bulletColor=ACCENT,
            leftIndent=20,
            spaceAfter=6,
        )
    return ListFlowable(
        items,
        bulletType="bullet",
        start="\u2022",
        bulletFontSize=10,
        leftIndent=14,
        spaceAfter=6,
    )


def _boxed(inside: list[Flowable], fill: HexColor, line: HexColor) -> Flowable:
    style = [
        ("BACKGROUND", (0, 0), (-1, -1), fill),
        ("LINEBEFORE", (0, 0), (0, -1), 2.5, line),
        ("LEFTPADDING", (0, 0), (-1, -1), 10),
        ("RIGHTPADDING", (0, 0), (-1, -1), _CODE_PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 7),
    ]
    return Grid([[inside]], colWidths=[WIDTH], style=style, spaceBefore=4, spaceAfter=9)


def _code(block: Code) -> Flowable:
    longest = max(stringWidth(line, CODE.fontName, CODE.fontSize) for line in block.lines)
    room = WIDTH - 10 - _CODE_PADDING
    size = CODE.fontSize * min(1.0, room / longest)
    style = ParagraphStyle("fitting", CODE, fontSize=size, leading=size * 1.35)
    text = "\n".join(escape(line, quote=False) for line in block.lines)
    return _boxed([XPreformatted(text, style)], TINT, LINE)


def _picture(picture: Picture, names: Mapping[str, str]) -> Iterator[Flowable]:
    drawing = _drawing(picture)
    placed = overview(drawing, WIDTH * picture.width / mm, _TALLEST_PICTURE / mm)
    caption = f"{_number(picture, names)}. {inline(picture.caption, names)}"
    if placed.bare:
        where = f": {inline(f'`{picture.file}`', names)} has them" if picture.file else ""
        caption += f" Words that would be too small here are left out{where}."
    yield from _captioned(placed, caption, picture.anchor)


def _drawing(picture: Picture) -> Drawing:
    if isinstance(picture.drawing, str):
        raise KitError(f"picture {picture.anchor} is a text: allowed in a PDF are drawings")
    return picture.drawing


def _number(picture: Picture, names: Mapping[str, str]) -> str:
    return names[picture.anchor].capitalize()


def _captioned(placed: Placed, caption: str, anchor: str) -> Iterator[Flowable]:
    marked = f'<a name="{anchor}"/>{caption}' if anchor else caption
    yield KeepTogether([Spacer(1, 4), _Vectors(placed), Text(marked, CAPTION)])


def _frame(size: tuple[float, float], side: float, top: float, foot: float) -> Frame:
    """Give where text may stand on a page of some size, within its margins."""
    width, height = size[0] - 2 * side, size[1] - top - foot
    return Frame(
        *(side, foot, width, height), leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
