"""A guide as one page: a file of HTML with all its pictures, which needs nothing beside it.

Owns the markup and the style. Must not know what a guide says. No script, and no reference to
anything but files beside it, so the page can be read from a memory stick, on a phone, and be
printed.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from html import escape
from itertools import count
from urllib.parse import quote

from hardware.kit.files.svg import to_svg
from hardware.kit.guide.document import (
    Block,
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
    spans,
)
from hardware.kit.tables import Table

_STYLE = """\
:root { color-scheme: light dark; --ink: #1d2326; --paper: #fdfcf9; --quiet: #5d676b;
  --line: #d5d3cb; --tint: #f1efe8; --accent: #9a4a12; --warn: #fff3d6; --warn-line: #d39a1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e0; --paper: #16191b; --quiet: #a2abae;
  --line: #3a4043; --tint: #22272a; --accent: #f0a870; --warn: #3a2f14; --warn-line: #c9992f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
  overflow-wrap: break-word; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 .3rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 3rem 0 .8rem; padding-top: .9rem;
  border-top: 2px solid var(--accent); }
h3 { font-size: 1.12rem; margin: 2rem 0 .6rem; }
.subtitle { color: var(--quiet); font-size: 1.1rem; margin: 0 0 1.5rem; }
nav { background: var(--tint); border-radius: .6rem; padding: .8rem 1.2rem; }
nav h2 { border: 0; margin: 0 0 .4rem; padding: 0; font-size: 1.05rem; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav ol ol { padding-left: 1.7rem; font-size: .93rem; }
nav a { display: inline-block; padding: .12rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
li { margin: .4rem 0; }
nav li { margin: 0; }
ol.steps { counter-reset: step; list-style: none; padding-left: 2.6rem; }
ol.steps > li { counter-increment: step; position: relative; margin: .7rem 0; }
ol.steps > li::before { content: counter(step); position: absolute; left: -2.6rem; top: -.05rem;
  width: 1.8rem; height: 1.8rem; line-height: 1.8rem; border-radius: 50%; text-align: center;
  font-size: .88rem; font-weight: 600; background: var(--accent); color: var(--paper); }
code { font: .9em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  background: var(--tint); border-radius: .25em; padding: .08em .3em; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: .4rem;
  padding: .7rem .9rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; }
dfn { font-style: italic; font-weight: 600; }
.caution { background: var(--warn); border-left: .35rem solid var(--warn-line);
  border-radius: .3rem; padding: .7rem 1rem; }
.table { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.4; }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
.number { color: var(--quiet); font-weight: 400; }
th { text-align: left; vertical-align: bottom; border-bottom: 2px solid var(--line); }
th, td { padding: .32rem .6rem .32rem 0; }
td { vertical-align: top; border-bottom: 1px solid var(--line); }
td, th { overflow-wrap: normal; min-width: 2.6rem; }
figure { margin: 1.4rem auto; }
figure > div, figure > a > div { background: #fff; border: 1px solid var(--line);
  border-radius: .4rem; padding: .5rem; }
figure > a { color: inherit; text-decoration: none; }
figure svg { display: block; width: 100%; height: auto; max-height: 92vh; }
figcaption { color: var(--quiet); font-size: .92rem; margin-top: .4rem; }
@media (max-width: 40rem) {
  body { padding: 1rem .8rem 3rem; }
  figure { max-width: none !important; }
  .wide table { min-width: 38rem; }
}
@media print {
  @page { size: A4; margin: 18mm 16mm; }
  :root { --ink: #000; --paper: #fff; --quiet: #444; --line: #bbb; --tint: #f3f2ee;
    --accent: #7a3a0e; --warn: #fff6e0; --warn-line: #b9860f; color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3, caption { break-after: avoid; }
  h2 { margin-top: 1.6rem; }
  figure, tr, pre, .caution, ol.steps > li { break-inside: avoid; }
  thead { display: table-header-group; }
  pre { white-space: pre-wrap; }
  .table { overflow: visible; }
  figure svg { max-height: 215mm; }
  a { color: inherit; }
}
"""


_NARROW = 3
"""Columns up to which a table fits on a phone; wider ones are pushed aside with a finger."""


def to_page(document: Document, files: Collection[str] = ()) -> bytes:
    """Write a guide as a page, in UTF-8.

    `files` are those that lie beside it, by their paths: where one is named or shown, it is linked.
    """
    names = _Names(document.names(), frozenset(files))
    title = escape(document.title)
    parts = [
        "<!doctype html>",
        '<html lang="en-GB">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{_STYLE}</style>",
        "</head>",
        "<body>",
        "<header>",
        f"<h1>{title}</h1>",
        f'<p class="subtitle">{_inline(document.subtitle, names)}</p>',
        "</header>",
        *_contents(document, names),
        "<main>",
        *_blocks(document, names),
        "</main>",
        "</body>",
        "</html>",
    ]
    return ("\n".join(parts) + "\n").encode()


class _Names(dict[str, str]):
    """How headings, tables and pictures are called, and the files beside the page."""

    def __init__(self, names: Mapping[str, str], files: frozenset[str]) -> None:
        super().__init__(names)
        self.files = files


def _contents(document: Document, names: _Names) -> Iterator[str]:
    yield '<nav aria-label="Contents">'
    yield "<h2>Contents</h2>"
    yield "<ol>"
    inside = False
    for heading in document.headings():
        if heading.level > 1 and not inside:
            yield "<li><ol>"
        elif heading.level == 1 and inside:
            yield "</ol></li>"
        inside = heading.level > 1
        yield f'<li><a href="#{heading.anchor}">{_titled(heading, names)}</a></li>'
    if inside:
        yield "</ol></li>"
    yield "</ol>"
    yield "</nav>"


def _titled(heading: Heading, names: _Names) -> str:
    number = names[heading.anchor].removeprefix("chapter ")
    return f'<span class="number">{number}</span> {_inline(heading.text, names)}'


def _blocks(document: Document, names: _Names) -> Iterator[str]:
    pictures = count(1)
    for block in document.blocks:
        if isinstance(block, Picture):
            yield from _picture(block, names, next(pictures))
        else:
            yield from _block(block, names)


def _block(block: Block, names: _Names) -> Iterator[str]:
    match block:
        case Heading():
            tag = f"h{block.level + 1}"
            yield f'<{tag} id="{block.anchor}">{_titled(block, names)}</{tag}>'
        case Paragraph():
            yield f"<p>{_inline(block.text, names)}</p>"
        case Caution():
            yield f'<p class="caution">{_inline(block.text, names)}</p>'
        case Bullets():
            yield "<ul>"
            yield from (f"<li>{_inline(item, names)}</li>" for item in block.items)
            yield "</ul>"
        case Steps():
            yield '<ol class="steps">'
            yield from (f"<li>{_inline(item, names)}</li>" for item in block.items)
            yield "</ol>"
        case TableBlock():
            yield from _table(block.table, block.anchor, names)
        case Code():
            lines = "\n".join(escape(line) for line in block.lines)
            yield f"<pre><code>{lines}</code></pre>"


def _table(table: Table, anchor: str, names: _Names) -> Iterator[str]:
    number = names[anchor].capitalize()
    kind = "table wide" if len(table.columns) > _NARROW else "table"
    yield f'<div class="{kind}" id="{anchor}"><table>'
    yield f'<caption><span class="number">{number}.</span> {_inline(table.title, names)}</caption>'
    heads = "".join(f'<th scope="col">{_inline(each, names)}</th>' for each in table.columns)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{_inline(each, names)}</td>' for each in row)}</tr>"
    yield "</tbody>"
    yield "</table></div>"


def _picture(picture: Picture, names: _Names, number: int) -> Iterator[str]:
    svg = (
        picture.drawing
        if isinstance(picture.drawing, str)
        else to_svg(picture.drawing, inline=True)
    )
    yield f'<figure id="{picture.anchor}" style="max-width: {picture.width * 100:g}%">'
    shown = f"<div>{_embedded(svg, number, picture.caption, names)}</div>"
    linked = picture.file in names.files
    if linked:
        shown = f'<a href="{_path(picture.file)}" title="full size">{shown}</a>'
    yield shown
    name = names[picture.anchor].capitalize()
    caption = _inline(picture.caption, names)
    if linked:
        caption += f' <a href="{_path(picture.file)}">Open it at full size</a>.'
    yield f'<figcaption><span class="number">{name}.</span> {caption}</figcaption>'
    yield "</figure>"


def _embedded(svg: str, number: int, caption: str, names: _Names) -> str:
    """Make a whole SVG file fit into a page: no prologue or size, and ids of its own."""
    svg = svg[svg.index("<svg") :].strip()
    head, body = svg[: svg.index(">")], svg[svg.index(">") :]
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    said = escape("".join(span.text for span in spans(caption, names)))
    head += f' role="img" aria-label="{said}"'
    svg = head + body
    ids = re.findall(r'\sid="([^"]+)"', svg)
    for name in sorted(set(ids), key=len, reverse=True):
        safe = re.escape(name)
        svg = re.sub(rf'(\sid="|href="#|url\(#){safe}(?=["\)])', rf"\g<1>p{number}-{name}", svg)
    return svg


def _inline(text: str, names: _Names) -> str:
    return "".join(_span(span, names.files) for span in spans(text, names))


def _path(file: str) -> str:
    return escape(quote(file))


def _span(span: Span, files: Collection[str]) -> str:
    text = escape(span.text)
    match span.kind:
        case Kind.PLAIN:
            return text
        case Kind.CODE if span.text in files:
            return f'<a href="{_path(span.text)}"><code>{text}</code></a>'
        case Kind.CODE:
            return f"<code>{text}</code>"
        case Kind.TERM:
            return f"<dfn>{text}</dfn>"
        case Kind.STRONG:
            return f"<strong>{text}</strong>"
        case Kind.LINK:
            return f'<a href="#{span.target}">{text}</a>'
