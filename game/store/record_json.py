"""Records as JSON, complete with every line of the journal.

Owns this form, both ways. Must not know files. If there is a journal, the game is built from it,
and the other values must agree with it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Never, TypeAlias

from game.common.errors import RecordError
from game.rules.base.game import settle
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
    short,
)
from game.store.record_text import date
from game.store.store import JournalLine
from game.table.entries import Entry, EntryKind, parse

FORMAT = "lifeboard-game"
VERSION = 1
_LONGEST_S = 1e9
_KINDS: list[str] = [kind.value for kind in EntryKind]
_SPACE = re.compile(r"\s*")


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
    """Read a record, a list of them, or one after the other; raises RecordError."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
    values: list[Any] = []
    at = 0
    try:
        while (at := _SPACE.match(text, at).end()) < len(text):  # type: ignore[union-attr]
            value, at = decoder.raw_decode(text, at)
            values += value if isinstance(value, list) else [value]
        json.dumps(values, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno} is not JSON: {error.msg}") from error
    except UnicodeEncodeError as error:
        raise RecordError("a text in it holds half a character (a lone surrogate)") from error
    except RecursionError as error:
        raise RecordError("it is nested too deeply") from error
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"it is not JSON: {error}") from error
    if not values:
        raise RecordError("there is no record in it")
    records = []
    for number, each in enumerate(values, start=1):
        try:
            records.append(_record(each))
        except RecordError as error:
            where = f"record {number}: " if len(values) > 1 else ""
            raise RecordError(f"{where}{error}") from error
    return records


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise RecordError(f"key {short(twice)} is there twice")
    return told


def _no_number(text: str) -> Never:
    raise RecordError(f"{text} is no number of JSON")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_time(value: Any) -> bool:
    # As exact as it is written everywhere.
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < _LONGEST_S and round(float(value), 3) < _LONGEST_S


def _is_result(value: object) -> bool:
    match value:
        case {"winner": winner, **rest} if rest.keys() <= {"reason"}:
            return (winner is None or type(winner) is int) and _is_text(rest.get("reason", ""))
    return False


_Allowed: TypeAlias = tuple[Callable[[Any], bool], str]
_TEXT: _Allowed = (_is_text, "a text")
_TEXTS: _Allowed = (lambda v: isinstance(v, list) and all(map(_is_text, v)), "a list of texts")
_TIME: _Allowed = (_is_time, "seconds from 0 on, below 1e9")
_RECORD: Mapping[str, _Allowed] = {
    "format": (lambda value: value == FORMAT, repr(FORMAT)),
    "version": (
        lambda value: type(value) is int and value == VERSION,
        f"{VERSION} (update lifeboard)",
    ),
    "game": _TEXT,
    "started": _TEXT,
    "names": _TEXTS,
    "computers": (
        lambda v: isinstance(v, list) and all(each is None or _is_text(each) for each in v),
        "a list of texts and null",
    ),
    "options": (
        lambda v: isinstance(v, dict) and all(map(_is_text, v.values())),
        "texts by their keys",
    ),
    "position": _TEXT,
    "moves": _TEXTS,
    "result": (_is_result, "null, or winner (a number or null) and reason (a text)"),
    "played_s": _TIME,
    "source": (lambda value: value in SOURCES, " | ".join(SOURCES)),
    "journal": (lambda value: isinstance(value, list), "a list of lines"),
}
_LINE: Mapping[str, _Allowed] = {
    "kind": (lambda value: value in _KINDS, ", ".join(_KINDS)),
    "text": _TEXT,
    "at": _TEXT,
    "played_s": _TIME,
}
_BUILT = _RECORD.keys() - {"format", "version", "game", "source", "journal"}
"""What a journal tells too."""


def _check(told: Mapping[str, Any], fields: Mapping[str, _Allowed], where: str = "") -> None:
    """Raise RecordError for a key that is unknown or a value that is not allowed."""
    for key, value in told.items():
        if key not in fields:
            raise RecordError(f"{where}key {short(key)} is unknown; allowed: {', '.join(fields)}")
        is_allowed, allowed = fields[key]
        if not is_allowed(value):
            raise RecordError(f"{where}{key} is {short(value)}; allowed: {allowed}")


def _record(value: object) -> Record:
    if not isinstance(value, dict):
        raise RecordError(f"a record is {short(value)}; allowed: an object of {', '.join(_RECORD)}")
    told: dict[str, Any] = {"format": None, "version": None}
    told |= {key: each for key, each in value.items() if each is not None}
    _check(told, _RECORD)
    started, result = told.get("started"), told.get("result")
    record = Record(
        game=told.get("game", DEFAULT_GAME),
        options=told.get("options", {}),
        names=known(told.get("names", ())),
        computers=known([level or "" for level in told.get("computers", ())]),
        position=told.get("position", ""),
        moves=tuple(told.get("moves", ())),
        result=Result(result["winner"], result.get("reason", "")) if result else None,
        started=date(started, "started") if started else "",
        played_s=round(float(told.get("played_s", 0.0)), 3),
        source=told.get("source", SOURCES[0]),
    )
    if "journal" not in told:
        return checked(record, said="result" in value)
    journal = [_line(each, number) for number, each in enumerate(told["journal"], start=1)]
    for number in range(1, len(journal)):
        if journal[number].played_s < journal[number - 1].played_s:
            raise RecordError(f"journal line {number + 1}: played_s falls; it never does")
    built = from_journal(record.game, record.source, journal)
    agreed, own = parse(record.options)
    settled = replace(record, options=settle(game_named(record.game), own) | agreed.options)
    for key in filter(_BUILT.__contains__, value):
        if getattr(settled, key) != (is_so := getattr(built, key)):
            raise RecordError(f"{key} is {short(value[key])}, but the journal tells {short(is_so)}")
    return built


def _line(told: object, number: int) -> JournalLine:
    where = f"journal line {number}"
    if not isinstance(told, dict) or told.keys() != _LINE.keys():
        raise RecordError(f"{where} is {short(told)}; allowed: {', '.join(_LINE)}")
    _check(told, _LINE, f"{where}: ")
    entry = Entry(EntryKind(told["kind"]), told["text"])
    return JournalLine(entry, date(told["at"], f"{where}: at"), round(float(told["played_s"]), 3))
