"""Records as JSON; those with a journal are built from it, and all other values must agree."""

from dataclasses import replace
from typing import Annotated

from game.common import RecordError
from game.rules.base.errors import RulesError
from game.rules.base.game import settle
from game.rules.base.names import player_name
from game.rules.base.values import Json
from game.store.record import (
    DEFAULT_GAME,
    SOURCES,
    Record,
    Result,
    checked,
    from_journal,
    game_named,
    known,
    sentence,
    short,
)
from game.store.record_text import date
from game.store.store import JournalLine
from game.table.entries import Entry, EntryKind, parse
from hal.base.schema import Meta, SchemaError, Struct, convert, decode, one_of

FORMAT = "lifeboard-game"
VERSION = 1


def record_to_json(record: Record) -> Json:
    result = record.result
    written: Json = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "started": record.started or None,
        "names": list(record.names),
        "computers": levels(record.computers),
        "options": dict(record.options),
        "position": record.position or None,
        "moves": list(record.moves),
        "result": result and {"winner": result.winner, "reason": result.reason},
        "played_s": record.played_s,
        "source": record.source,
    }
    if record.journal:
        written["journal"] = [
            {"kind": line.entry.kind.value, "text": line.entry.text}
            | {"at": line.at, "played_s": line.played_s}
            for line in record.journal
        ]
    return written


def levels(computers: tuple[str, ...]) -> list[str | None]:
    """Write the computers' levels, null for a person; empty without computers."""
    return [level or None for level in computers]


def records_from_json(text: str) -> list[Record]:
    """Read a record or a list of them; raises RecordError."""
    try:
        value = decode(text, object)
    except SchemaError as error:
        raise RecordError(f"it {sentence(error.what)}") from error
    values = value if isinstance(value, list) else [value]
    if not values:
        raise RecordError("there is no record in it")
    records = []
    for number, each in enumerate(values, start=1):
        try:
            records.append(_record(each))
        except (RecordError, RulesError, SchemaError) as error:
            where = f"record {number}: " if len(values) > 1 else ""
            raise RecordError(f"{where}{sentence(error)}") from error
    return records


_Seconds = Annotated[float, Meta(ge=0, le=1e9 - 0.001, title="seconds from 0 on, below 1e9")]
_Version = Annotated[int, Meta(ge=VERSION, le=VERSION, title=f"{VERSION} (update lifeboard)")]


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    kind: EntryKind
    text: str
    at: str
    played_s: _Seconds


class _Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A record as written; null is the same as a key that is missing."""

    format: Annotated[str, one_of(FORMAT)]
    version: _Version
    game: str | None = None
    started: str | None = None
    names: tuple[str, ...] | None = None
    computers: tuple[str | None, ...] | None = None
    options: dict[str, str] | None = None
    position: str | None = None
    moves: tuple[str, ...] | None = None
    result: Result | None = None
    played_s: _Seconds | None = None
    source: Annotated[str, one_of(*SOURCES)] | None = None
    journal: tuple[_Line, ...] | None = None


_IN_JOURNAL = {*_Record.__struct_fields__} - {"format", "version", "game", "source", "journal"}
"""The keys whose values also follow from a journal."""


def _record(value: object) -> Record:
    given = convert(value, _Record)
    keys = value.keys() if isinstance(value, dict) else ()
    record = Record(
        game=DEFAULT_GAME if given.game is None else given.game,
        options=given.options or {},
        names=known([*map(player_name, given.names or ())]),
        computers=known([level or "" for level in given.computers or ()]),
        position=given.position or "",
        moves=given.moves or (),
        result=given.result,
        started=date(given.started, "started") if given.started else "",
        played_s=round(given.played_s or 0.0, 3),
        source=given.source or SOURCES[0],
    )
    if given.journal is None:
        return checked(record, said="result" in keys)
    journal: list[JournalLine] = []
    for number, each in enumerate(given.journal, start=1):
        at = date(each.at, f"journal line {number}: at")
        if journal and each.played_s < journal[-1].played_s:
            raise RecordError(f"journal line {number}: played_s falls; it never does")
        journal.append(JournalLine(Entry(each.kind, each.text), at, round(each.played_s, 3)))
    built = from_journal(record.game, record.source, journal)
    agreed, own = parse(record.options)
    settled = replace(record, options=settle(game_named(record.game), own) | agreed.options)
    for key in filter(_IN_JOURNAL.__contains__, keys):
        if (said := getattr(settled, key)) != (is_so := getattr(built, key)):
            raise RecordError(f"{key} is {short(said)}, but the journal says {short(is_so)}")
    return built
