"""The tables of the guide for makers, as tests read them."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "hardware" / "README.md"

Row = dict[str, str]


@cache
def text() -> str:
    return GUIDE.read_text(encoding="utf-8")


def rows_of(markdown: str, first: str) -> list[Row]:
    """Read the one table whose first column has this title."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", markdown, re.MULTILINE):
        lines = [[c.strip() for c in line.strip("|").split("|")] for line in block.splitlines()]
        titles, _, *cells = lines
        if titles[0] == first:
            found.append([dict(zip(titles, line, strict=True)) for line in cells])
    assert len(found) == 1, f"{len(found)} tables begin with {first!r}"
    return found[0]


def rows(first: str) -> list[Row]:
    return rows_of(text(), first)


def number(cell: str) -> float:
    found = re.match(r"\d+(?:\.\d+)?", cell)
    assert found, f"no number in {cell!r}"
    return float(found[0])
