"""Records as JSON, complete with every line of the journal.

If there is a journal, the game is built from it, and the other values must agree with it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from game.common.errors import RecordError
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

FORMAT = "lifeboard-game"
VERSION = 1
_LONGEST_S = 1e9
_KINDS: list[str] = [kind.value for kind in EntryKind]


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
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise RecordError("a text in it holds half a character (a lone surrogate)") from error
    except RecursionError as error:
        raise RecordError("it is nested too deeply") from error
    except ValueError as error:
        raise RecordError(f"it is not JSON: {error}") from error
    values = value if isinstance(value, list) else [value]
    if not values:
        raise RecordError("there is no record in it")
    records = []
    for number, each in enumerate(values, start=1):
        try:
            records.append(_record(each))
        except (RecordError, RulesError) as error:
            where = f"record {number}: " if len(values) > 1 else ""
            why = sentence(error) if isinstance(error, RulesError) else error
            raise RecordError(f"{where}{why}") from error
    return records


def _texts(values: Any) -> bool:
    return all(isinstance(each, str) for each in values)


def _is_time(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < _LONGEST_S and round(float(value), 3) < _LONGEST_S


def _is_result(value: object) -> bool:
    match value:
        case {"winner": winner, **rest} if rest.keys() <= {"reason"}:
            return (winner is None or type(winner) is int) and _texts(rest.values())
    return False


_Allowed: TypeAlias = tuple[Callable[[Any], bool], str]
_TEXT: _Allowed = (lambda v: isinstance(v, str), "a text")
_TEXTS: _Allowed = (lambda v: isinstance(v, list) and _texts(v), "a list of texts")
_TIME: _Allowed = (_is_time, "seconds from 0 on, below 1e9")
_RECORD: Mapping[str, _Allowed] = {
    "format": (lambda v: v == FORMAT, repr(FORMAT)),
    "version": (lambda v: type(v) is int and v == VERSION, f"{VERSION} (update lifeboard)"),
    "game": _TEXT,
    "started": _TEXT,
    "names": _TEXTS,
    "computers": (
        lambda v: isinstance(v, list) and _texts(each for each in v if each is not None),
        "a list of texts and null",
    ),
    "options": (lambda v: isinstance(v, dict) and _texts(v.values()), "texts by their keys"),
    "position": _TEXT,
    "moves": _TEXTS,
    "result": (_is_result, "null, or winner (a number or null) and reason (a text)"),
    "played_s": _TIME,
    "source": (lambda v: v in SOURCES, " | ".join(SOURCES)),
    "journal": (lambda v: isinstance(v, list), "a list of lines"),
}
_LINE: Mapping[str, _Allowed] = {
    "kind": (lambda v: v in _KINDS, ", ".join(_KINDS)),
    "text": _TEXT,
    "at": _TEXT,
    "played_s": _TIME,
}
_IN_JOURNAL = _RECORD.keys() - {"format", "version", "game", "source", "journal"}
"""What follows from a journal too."""


def _check(given: Mapping[str, Any], fields: Mapping[str, _Allowed], where: str = "") -> None:
    """Raise RecordError for a key that is unknown or a value that is not allowed."""
    for key, value in given.items():
        if key not in fields:
            raise RecordError(f"{where}key {short(key)} is unknown; allowed: {', '.join(fields)}")
        is_allowed, allowed = fields[key]
        if not is_allowed(value):
            raise RecordError(f"{where}{key} is {short(value)}; allowed: {allowed}")


def _record(value: object) -> Record:
    if not isinstance(value, dict):
        raise RecordError(f"a record is {short(value)}; allowed: an object of {', '.join(_RECORD)}")
    given: dict[str, Any] = {"format": None, "version": None}
    given |= {key: each for key, each in value.items() if each is not None}
    _check(given, _RECORD)
    started, result = given.get("started"), given.get("result")
    record = Record(
        game=given.get("game", DEFAULT_GAME),
        options=given.get("options", {}),
        names=known([*map(player_name, given.get("names", ()))]),
        computers=known([level or "" for level in given.get("computers", ())]),
        position=given.get("position", ""),
        moves=tuple(given.get("moves", ())),
        result=Result(result["winner"], result.get("reason", "")) if result else None,
        started=date(started, "started") if started else "",
        played_s=round(float(given.get("played_s", 0.0)), 3),
        source=given.get("source", SOURCES[0]),
    )
    if "journal" not in given:
        return checked(record, said="result" in value)
    journal = [_line(each, number) for number, each in enumerate(given["journal"], start=1)]
    for number in range(1, len(journal)):
        if journal[number].played_s < journal[number - 1].played_s:
            raise RecordError(f"journal line {number + 1}: played_s falls; it never does")
    built = from_journal(record.game, record.source, journal)
    agreed, own = parse(record.options)
    settled = replace(record, options=settle(game_named(record.game), own) | agreed.options)
    for key in filter(_IN_JOURNAL.__contains__, value):
        if getattr(settled, key) != (is_so := getattr(built, key)):
            raise RecordError(f"{key} is {short(value[key])}, but the journal says {short(is_so)}")
    return built


def _line(given: object, number: int) -> JournalLine:
    where = f"journal line {number}"
    if not isinstance(given, dict) or given.keys() != _LINE.keys():
        raise RecordError(f"{where} is {short(given)}; allowed: {', '.join(_LINE)}")
    _check(given, _LINE, f"{where}: ")
    entry = Entry(EntryKind(given["kind"]), given["text"])
    return JournalLine(entry, date(given["at"], f"{where}: at"), round(float(given["played_s"]), 3))
