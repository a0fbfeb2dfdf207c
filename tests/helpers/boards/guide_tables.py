"""The pages of the guides for makers, and their tables, as tests read them."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
HARDWARE = ROOT / "hardware"
Row = dict[str, str]


@cache
def text(page: str) -> str:
    return (HARDWARE / page).read_text(encoding="utf-8")


def tables(page: str, first: str) -> list[list[Row]]:
    """Return all tables of a page whose first column has this title."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^ *\|.*\|\n)+", text(page), re.MULTILINE):
        lines = [[c.strip() for c in line.strip()[1:-1].split("|")] for line in block.splitlines()]
        titles, _, *cells = lines
        if titles[0] == first:
            found.append([dict(zip(titles, line, strict=True)) for line in cells])
    return found


def rows(page: str, first: str) -> list[Row]:
    """Return the rows of the one table of a page whose first column has this title."""
    (found,) = tables(page, first)
    return found


def number(cell: str) -> float:
    found = re.match(r"\d+(?:\.\d+)?", cell)
    assert found, f"no number in {cell!r}"
    return float(found[0])
