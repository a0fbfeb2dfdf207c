"""Lines of games out of the single pages of a damaged SQLite file.

Owns the reading of pages without SQLite, which gives up where a table's root or the schema is
damaged (file format: https://www.sqlite.org/fileformat2.html). Knows the two tables of
`game.app.journal.store` by the shape of their rows. Must not know games, and changes no file.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from game.app.journal.games_file import checksum
from game.app.journal.store import BOARD, Line
from game.table.entries import Entry, Kind

MAGIC = b"SQLite format 3\x00"
_PAGE_SIZES = tuple(1 << n for n in range(9, 17))
_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE = 0x02, 0x0A, 0x0D
_HEADERS = {_INTERIOR_INDEX: 12, _LEAF_INDEX: 8, _LEAF_TABLE: 8}
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_KINDS = {kind.value: kind for kind in Kind}
_LOG_HEADER, _FRAME_HEADER = 32, 24

_Value: TypeAlias = int | float | str | bytes | None


class _Unreadable(Exception):
    """This cell, or what it points to, is damaged."""


@dataclass(slots=True)
class Carved:
    """What was found: names and sources of games, their lines by place, all by their numbers.

    The lines of those in `proven` have sums that say that they are as they were written.
    """

    games: dict[int, str] = field(default_factory=dict)
    sources: dict[int, str] = field(default_factory=dict)
    lines: dict[int, dict[int, Line]] = field(default_factory=dict)
    proven: set[int] = field(default_factory=set)

    def from_start(self, number: int) -> list[Line]:
        """Return a game's lines as far as they follow one another from the first on."""
        places = self.lines.get(number, {})
        lines: list[Line] = []
        while len(lines) in places:
            lines.append(places[len(lines)])
        return lines


def carve(file: bytes, log: bytes = b"") -> Carved:
    """Read all rows that whole pages still hold; `log` is what stood in the file beside."""
    named = struct.unpack_from(">H", file, 16)[0] if len(file) >= 18 else 0
    size = 1 << 16 if named == 1 else named
    found = Carved()
    # Where the header is damaged, pages of the right size are those that hold something.
    for each in (size,) if size in _PAGE_SIZES else _PAGE_SIZES:
        carved = _from_pages(_pages(file, log, each), each)
        if _count(carved) > _count(found):
            found = carved
    return found


def _count(carved: Carved) -> int:
    return sum(len(places) for places in carved.lines.values())


def _pages(file: bytes, log: bytes, size: int) -> dict[int, bytes]:
    """Cut both files into pages by number; what was committed to the log is newer."""
    pages = {at // size + 1: file[at : at + size] for at in range(0, len(file), size)}
    waiting: dict[int, bytes] = {}
    for at in range(_LOG_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, committed = struct.unpack_from(">II", log, at)
        if log[at + 8 : at + 16] != log[16:24]:
            break  # its salt is another: left from before the log was begun anew
        waiting[number] = log[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if committed:
            pages |= waiting
            waiting = {}
    return pages


def _from_pages(pages: Mapping[int, bytes], size: int) -> Carved:
    found = Carved()
    columns: dict[tuple[int, int], int] = {}
    for number, page in pages.items():
        for rowid, row in _rows(pages, number, page, size):
            match row:
                case (None, str(name), str(), *rest) if rowid is not None and len(rest) in (3, 4):
                    found.games[rowid] = name
                    source = rest[3] if len(rest) == 4 else BOARD
                    found.sources[rowid] = source if isinstance(source, str) else BOARD
                case (int(game), int(place), str(kind), str(text), str(at), *rest) if (
                    rowid is None and kind in _KINDS
                ):
                    played_s = _played_s(game, place, kind, text, at, rest)
                    # Pages that are not in use any more hold rows of an older version.
                    if played_s is not None and columns.get((game, place), 0) <= len(row):
                        columns[game, place] = len(row)
                        line = Line(Entry(_KINDS[kind], text), at, played_s)
                        found.lines.setdefault(game, {})[place] = line
                        if rest:
                            found.proven.add(game)
    return found


def _played_s(
    game: int, place: int, kind: str, text: str, at: str, rest: list[_Value]
) -> float | None:
    """Return a line's playing time, which version 1 did not keep; None if the line is damaged."""
    match rest:
        case []:
            return 0.0
        case [int() | float() as played_s, int(crc)]:
            if crc == checksum(game, place, kind, text, at, played_s):
                return float(played_s)
    return None


def _rows(
    pages: Mapping[int, bytes], number: int, page: bytes, size: int
) -> Iterator[tuple[int | None, tuple[_Value, ...]]]:
    """Yield the rows of one page that can be read, each with its rowid if it has one."""
    start = 100 if number == 1 else 0
    if len(page) < start + 12 or page[start] not in _HEADERS:
        return
    kind = page[start]
    (count,) = struct.unpack_from(">H", page, start + 3)
    for at in range(start + _HEADERS[kind], len(page) - 1, 2)[:count]:
        (cell,) = struct.unpack_from(">H", page, at)
        try:
            yield _row(pages, page, cell, kind, size)
        except (_Unreadable, IndexError, UnicodeDecodeError, struct.error):
            continue


def _row(
    pages: Mapping[int, bytes], page: bytes, at: int, kind: int, size: int
) -> tuple[int | None, tuple[_Value, ...]]:
    if kind == _INTERIOR_INDEX:
        at += 4
    length, at = _varint(page, at)
    rowid = None
    if kind == _LEAF_TABLE:
        rowid, at = _varint(page, at)
    return rowid, _values(_payload(pages, page, at, length, kind, size))


def _payload(
    pages: Mapping[int, bytes], page: bytes, at: int, length: int, kind: int, size: int
) -> bytes:
    """Put together what a cell holds, also from the pages that it overflows into (section 1.6)."""
    most = size - 35 if kind == _LEAF_TABLE else (size - 12) * 64 // 255 - 23
    if length <= most:
        return _taken(page, at, length)
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts = [_taken(page, at, here)]
    left = length - here
    (following,) = struct.unpack_from(">I", page, at + here)
    while left > 0:
        other = pages.get(following)
        if other is None or len(parts) > len(pages):
            raise _Unreadable
        part = _taken(other, 4, min(left, size - 4))
        parts.append(part)
        left -= len(part)
        (following,) = struct.unpack_from(">I", other, 0)
    return b"".join(parts)


def _values(payload: bytes) -> tuple[_Value, ...]:
    """Read a record (section 2.1): its serial types, then their values."""
    header, at = _varint(payload, 0)
    values: list[_Value] = []
    body = header
    while at < header:
        serial, at = _varint(payload, at)
        value, body = _value(payload, body, serial)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, serial: int) -> tuple[_Value, int]:
    if serial in _INTEGERS:
        length = _INTEGERS[serial]
        return int.from_bytes(_taken(payload, at, length), "big", signed=True), at + length
    if serial == 7:
        (number,) = struct.unpack(">d", _taken(payload, at, 8))
        return float(number), at + 8
    if serial < 12:
        if serial not in (0, 8, 9):
            raise _Unreadable
        return {0: None, 8: 0, 9: 1}[serial], at
    length = (serial - 12) // 2
    content = _taken(payload, at, length)
    return content.decode() if serial % 2 else content, at + length


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        byte = content[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at + n + 1


def _taken(content: bytes, at: int, length: int) -> bytes:
    if at + length > len(content):
        raise _Unreadable
    return content[at : at + length]
