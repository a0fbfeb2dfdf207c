"""What a board costs: reads costs.toml and makes the guide's table. A price without date and source
is refused."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "costs.toml"
UNKNOWN = "unknown"
_DATE = re.compile(r"(read )?20\d\d(-\d\d(-\d\d)?)?")


@dataclass(frozen=True)
class Cost:
    """One line of the table: prices for one board and for five, None where unknown."""

    group: str
    item: str
    one: float | None
    five: float | None
    currency: str = ""
    date: str = ""
    source: str = ""
    ask: str = ""

    def __post_init__(self) -> None:
        known = [price for price in (self.one, self.five) if price is not None]
        if any(price < 0 for price in known):
            raise ValueError(f"{self.item}: a price is below 0")
        if not known and not self.ask:
            raise ValueError(f"{self.item}: whom to ask for an unknown price is missing")
        if known and not (self.currency and self.source and _DATE.fullmatch(self.date)):
            raise ValueError(f"{self.item}: a price needs currency, date (2026-11-23) and source")


def costs(text: str | None = None) -> tuple[Cost, ...]:
    """Read the costs, ours by default; raise ValueError for a price without date and source."""
    items = tomllib.loads(FILE.read_text(encoding="utf-8") if text is None else text)["item"]
    return tuple(Cost(**(item | {n: _price(item, n) for n in ("one", "five")})) for item in items)


def _price(item: dict[str, Any], number: str) -> float | None:
    price = item[number]
    if price == UNKNOWN:
        return None
    if not isinstance(price, float):
        raise ValueError(f'{item["item"]}: {number} is {price!r}; allowed are 1.0 or "{UNKNOWN}"')
    return price


def table(lines: Iterable[Cost]) -> str:
    """Return the costs as a table in Markdown, with the sum of what is known in each currency."""
    lines = tuple(lines)
    rows = [
        f"| {c.group} | {c.item} | {_said(c.one, c.currency)} | {_said(c.five, c.currency)}"
        f" | {_origin(c)} |"
        for c in lines
    ]
    for currency in sorted({c.currency for c in lines} - {""}):
        sums = [
            sum(price for c in lines if c.currency == currency and (price := getattr(c, n)))
            for n in ("one", "five")
        ]
        cells = " | ".join(f"**{_said(each, currency)}**" for each in sums)
        rows.append(f"| | **what is known** | {cells} | without what is unknown |")
    head = "| | what | for one | for five | date and source |\n|---|---|---|---|---|"
    return "\n".join((head, *rows)) + "\n"


def _said(price: float | None, currency: str) -> str:
    return UNKNOWN if price is None else f"{price:.2f} {currency}"


def _origin(cost: Cost) -> str:
    said = f"{cost.date}: {cost.source}" if cost.source else ""
    return "; ".join(filter(None, (said, f"ask: {cost.ask}" if cost.ask else "")))
