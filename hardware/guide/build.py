"""Make HTML and PDF of each guide: `python -m hardware.guide.build [FOLDER]`, or `make guide`.

Pictures are embedded. A link to another file of the repository becomes plain text, since a reader
of the PDF could not follow it.
"""

import re
import sys
from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise
from mimetypes import guess_type
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from weasyprint import HTML

HERE = Path(__file__).parent
GUIDES = {
    "bench": ("bench.md",),
    "bench-template": ("template.md",),
    "board": ("board.md", "start.md"),
    "own-board": ("own-board.md", "start.md"),
}


def build(folder: Path) -> Iterator[Path]:
    """Write all guides into a folder, which is made, and yield their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, pages in GUIDES.items():
        text = html(pages)
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
        HTML(string=text).write_pdf(folder / f"{name}.pdf")
        yield from (folder / f"{name}.html", folder / f"{name}.pdf")


def html(pages: tuple[str, ...]) -> str:
    """Return the pages of a guide as one page of HTML."""
    markdown = MarkdownIt("commonmark").enable("table")
    body = ""
    for page in pages:
        text = (HERE / page).read_text(encoding="utf-8")
        tokens = markdown.parse(text)
        for token, inner in pairwise(tokens):
            if token.type == "heading_open":
                token.attrs["id"] = anchor(inner.content)
            _embed(inner.children or [], pages)
        body += markdown.renderer.render(tokens, markdown.options, {})
    title = re.sub("<.*?>", "", body.partition("</h1>")[0]).strip()
    style = (HERE / "guide.css").read_text(encoding="utf-8")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def anchor(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _embed(tokens: list[Token], pages: tuple[str, ...]) -> None:
    """Embed pictures in the page, and keep only links to guides and to the web."""
    for token in tokens:
        if token.type == "image":
            picture = HERE / str(token.attrs["src"])
            data = b64encode(picture.read_bytes()).decode()
            token.attrs["src"] = f"data:{guess_type(picture.name)[0]};base64,{data}"
        elif token.type == "link_open" and not str(token.attrs["href"]).startswith("http"):
            page, _, place = str(token.attrs["href"]).partition("#")
            guide = next((name for name, its in GUIDES.items() if page in its), "")
            if not page or page in pages:
                token.attrs["href"] = f"#{place or anchor(_title(page))}"
            elif guide:
                token.attrs["href"] = f"{guide}.html#{place or anchor(_title(page))}"
            else:
                del token.attrs["href"]


def _title(page: str) -> str:
    return (HERE / page).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


if __name__ == "__main__":
    for path in build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/guide")):
        print(path)
