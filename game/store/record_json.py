"""Records as JSON; a record is built from its journal, if any, and must agree with it."""

from dataclasses import replace
from typing import Annotated, Any

from game.common import RecordError
from game.rules.base.errors import RulesError
from game.rules.base.values import Json
from game.store.record import DEFAULT_GAME, SOURCES, Record, checked, from_journal, sentence
from game.store.record_text import date
from game.store.store import JournalLine, Result
from game.table.entries import Entry, EntryKind
from hal.base.schema import (
    Meta,
    SchemaError,
    Struct,
    convert,
    decode,
    field,
    one_of,
    short,
    to_builtins,
)

FORMAT = "lifeboard-game"
VERSION = 1


def record_to_json(record: Record) -> Json:
    written: dict[str, Any] = {"format": FORMAT, "version": VERSION, **to_builtins(record)}
    journal = written.pop("journal")
    written["started"] = record.started or None
    written["position"] = record.position or None
    written["computers"] = levels(record.computers)
    if journal:
        written["journal"] = [{**each.pop("entry"), **each} for each in journal]
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
    format: Annotated[str, one_of(FORMAT)]
    version: _Version
    game: str = DEFAULT_GAME
    started: str = ""
    names: tuple[str, ...] = ()
    computers: tuple[str | None, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    position: str = ""
    moves: tuple[str, ...] = ()
    result: Result | None = None
    played_s: _Seconds = 0.0
    source: Annotated[str, one_of(*SOURCES)] = SOURCES[0]
    journal: tuple[_Line, ...] = ()


_IN_JOURNAL = {*_Record.__struct_fields__} - {"format", "version", "game", "source", "journal"}
"""The keys whose values also follow from a journal."""


def _record(value: object) -> Record:
    keys = value.keys() if isinstance(value, dict) else ()
    if isinstance(value, dict):
        # A key that is null is the same as one that is missing.
        value = {key: each for key, each in value.items() if each is not None}
    given = convert(value, _Record)
    journal: list[JournalLine] = []
    for number, each in enumerate(given.journal, start=1):
        at = date(each.at, f"journal line {number}: at")
        if journal and each.played_s < journal[-1].played_s:
            raise RecordError(f"journal line {number}: played_s falls; it never does")
        journal.append(JournalLine(Entry(each.kind, each.text), at, round(each.played_s, 3)))
    computers = tuple(level or "" for level in given.computers)
    started = date(given.started, "started") if given.started else ""
    line, played_s = (given.position, given.moves, given.result), round(given.played_s, 3)
    about = given.game, given.options, given.names, computers
    record = Record(*about, *line, started, played_s, given.source)
    if not journal:
        return checked(record)
    built = from_journal(given.game, given.source, journal)
    record = replace(record, options={**built.options, **record.options})
    for key in filter(_IN_JOURNAL.__contains__, keys):
        if (said := getattr(record, key)) != (is_so := getattr(built, key)):
            raise RecordError(f"{key} is {short(said)}, but the journal says {short(is_so)}")
    return built
