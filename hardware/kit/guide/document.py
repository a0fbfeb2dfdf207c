"""A guide as what it is made of: chapters, sentences, steps, tables, pictures and commands.

Owns the blocks, how they are numbered, and the few marks inside their texts. Must not know what a
guide says, nor files.

Texts carry four marks: `code`, *a term where it is explained*, **weight** and [words](#anchor), a
link to a heading, a table or a picture. A link without words says the number of what it leads to:
"table 3".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from hardware.kit.drawing import Drawing
from hardware.kit.tables import Table


class Kind(Enum):
    """Say what a piece of text is."""

    PLAIN = "plain"
    CODE = "code"
    TERM = "term"
    STRONG = "strong"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text of one kind; `target` is the anchor that a link leads to."""

    kind: Kind
    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a chapter (level 1) or of a part of one (level 2)."""

    text: str
    anchor: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Caution:
    """Sentences that readers must not miss."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list in any order."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """A list of things to do, one after the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table, its title above it."""

    table: Table
    anchor: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, or the text of an SVG, and what it shows.

    `width` is the share of the page's width that it takes, up to 1. `file` is where a kit has it,
    and a `large` one holds words that are too small to be read unless it has a sheet to itself.
    """

    drawing: Drawing | str
    caption: str
    anchor: str
    width: float = 1.0
    file: str = ""
    large: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """Commands to be copied, or what a program prints, line by line."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Caution | Bullets | Steps | TableBlock | Picture | Code


@dataclass(frozen=True, slots=True)
class Document:
    """A guide: its title, what it is about in a line, and all blocks in the order of reading."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        anchors = [block.anchor for block in self.blocks if isinstance(block, Anchored)]
        for anchor in anchors:
            if anchors.count(anchor) > 1:
                raise ValueError(f'anchor "{anchor}" is there {anchors.count(anchor)} times')

    def names(self) -> Mapping[str, str]:
        """Name each heading, table and picture by its number: "chapter 3", "table 12"."""
        counts = {"chapter": 0, "table": 0, "picture": 0}
        names: dict[str, str] = {}
        part = 0
        for block in self.blocks:
            match block:
                case Heading(level=1):
                    counts["chapter"] += 1
                    part = 0
                    names[block.anchor] = f"chapter {counts['chapter']}"
                case Heading():
                    part += 1
                    names[block.anchor] = f"chapter {counts['chapter']}.{part}"
                case TableBlock() | Picture():
                    kind = "table" if isinstance(block, TableBlock) else "picture"
                    counts[kind] += 1
                    names[block.anchor] = f"{kind} {counts[kind]}"
        return MappingProxyType(names)

    def headings(self) -> tuple[Heading, ...]:
        """List the headings."""
        return tuple(block for block in self.blocks if isinstance(block, Heading))

    def texts(self) -> Iterator[str]:
        """Give every text with marks, tables' cells too, in the order of reading."""
        for block in self.blocks:
            match block:
                case Heading() | Paragraph() | Caution():
                    yield block.text
                case Bullets() | Steps():
                    yield from block.items
                case TableBlock():
                    yield block.table.title
                    yield from block.table.columns
                    for row in block.table.rows:
                        yield from row
                case Picture():
                    yield block.caption
                case Code():
                    pass


Anchored = Heading | TableBlock | Picture
"""What links can lead to."""

_MARKS = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|\*(?P<term>[^*\s][^*]*)\*"
    r"|\[(?P<link>[^\]]*)\]\(#(?P<target>[a-z0-9-]+)\)"
)
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def spans(text: str, names: Mapping[str, str] = _NO_NAMES) -> Iterator[Span]:
    """Take a text with marks apart; `names` are those of the document, for links without words."""
    end = 0
    for found in _MARKS.finditer(text):
        if found.start() > end:
            yield Span(Kind.PLAIN, text[end : found.start()])
        end = found.end()
        target = found["target"]
        if target is not None:
            name = names.get(target, target)
            begins = not text[: found.start()].strip() or text[: found.start()].endswith(". ")
            named = name[:1].upper() + name[1:] if begins else name
            yield Span(Kind.LINK, found["link"] or named, target)
        else:
            kind = found.lastgroup or ""
            yield Span(Kind(kind), found[kind])
    if end < len(text):
        yield Span(Kind.PLAIN, text[end:])


def plain(text: str, names: Mapping[str, str] = _NO_NAMES) -> str:
    """Give a text without its marks."""
    return "".join(span.text for span in spans(text, names))
