"""Tables of a kit: what is listed in its files and in its guide.

Owns the table and how it is written as CSV. Must not know what is listed.
"""

import csv
from dataclasses import dataclass
from io import StringIO


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under named columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"row {row} has {len(row)} cells; allowed: {len(self.columns)}")

    def column(self, name: str) -> tuple[str, ...]:
        """Give all texts of a column; raise ValueError for one that there is not."""
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)


def to_csv(table: Table) -> bytes:
    """Write a table as CSV in UTF-8, with a head and lines that end as RFC 4180 says."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue().encode()
