"""Records as JSON, complete with every line of the journal.

Owns this form, both ways. Where a journal is there, it tells the game, and all else that the record
says must agree with it. Must not know files.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Never

from game.app.errors import RecordError
from game.app.history.record import (
    SOURCES,
    Record,
    Result,
    checked,
    from_journal,
    game_named,
    known,
    short,
)
from game.app.history.record_text import UNSAID_GAME, date
from game.app.journal.store import Line
from game.rules.game import Json
from game.table.entries import Entry, Kind

FORMAT = "lifeboard-game"
VERSION = 1
_LONGEST_S = 1e9


def write(record: Record) -> Json:
    """Write a record as an object; `read` gives it back."""
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
        "result": record.result
        and {"winner": record.result.winner, "reason": record.result.reason},
        "played_s": record.played_s,
        "source": record.source,
    }
    if record.journal:
        written["journal"] = [
            {
                "kind": line.entry.kind.value,
                "text": line.entry.text,
                "at": line.at,
                "played_s": line.played_s,
            }
            for line in record.journal
        ]
    return written


def levels(computers: tuple[str, ...]) -> list[str | None]:
    """Write who is a computer: a level's name a player, null for a person; empty without any."""
    return [level or None for level in computers]


def read(text: str) -> list[Record]:
    """Read a record, a list of them, or one after the other; raises RecordError."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
    told: list[Any] = []
    at = 0
    try:
        text.encode()
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            value, at = decoder.raw_decode(text, at)
            told += value if isinstance(value, list) else [value]
        json.dumps(told, ensure_ascii=False).encode()
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
    if not told:
        raise RecordError("there is no record in it")
    records = []
    for number, each in enumerate(told, start=1):
        try:
            records.append(_record(each))
        except RecordError as error:
            where = f"record {number}: " if len(told) > 1 else ""
            raise RecordError(f"{where}{error}") from error
    return records


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in pairs:
        if key in told:
            raise RecordError(f"key {short(key)} is there twice")
        told[key] = value
    return told


def _no_number(text: str) -> Never:
    raise RecordError(f"{text} is no number of JSON")


def _record(told: object) -> Record:
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        named = told.get("format") if isinstance(told, dict) else told
        raise RecordError(f"format is {short(named)}; allowed: {FORMAT!r}")
    version = told.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(f"version is {short(version)}; this lifeboard reads {VERSION}")
    for key in told:
        if key not in _KEYS:
            raise RecordError(f"key {short(key)} is unknown; allowed: {', '.join(_KEYS)}")
    record = Record(
        game=_text(told, "game", UNSAID_GAME),
        options=_options(told),
        names=known(_texts(told, "names")),
        computers=known(_levels(told)),
        position=_text(told, "position"),
        moves=_texts(told, "moves"),
        result=_result(told.get("result")),
        started=date(started, "started") if (started := _text(told, "started")) else "",
        played_s=_seconds(told.get("played_s", 0.0), "played_s"),
        source=_text(told, "source", SOURCES[0]),
    )
    if record.source not in SOURCES:
        raise RecordError(f"source is {short(record.source)}; allowed: {' | '.join(SOURCES)}")
    if told.get("journal") is None:
        return checked(record, said="result" in told)
    return _with_journal(record, told)


def _with_journal(record: Record, told: Mapping[str, Any]) -> Record:
    """Tell a game from its journal, which what is said beside must not contradict."""
    lines = told["journal"]
    if not isinstance(lines, list):
        raise RecordError(f"journal is {short(lines)}; allowed: a list of lines")
    journal: list[Line] = []
    for number, each in enumerate(lines, start=1):
        journal.append(_line(each, f"journal line {number}"))
        if number > 1 and journal[-1].played_s < journal[-2].played_s:
            raise RecordError(f"journal line {number}: played_s falls; it never does")
    tells = from_journal(record.game, record.source, journal)
    settled = replace(record, options=game_named(record.game).settle(record.options))
    for key in _KEYS:
        if key not in told or key not in _TOLD_TWICE:
            continue
        said, is_so = getattr(settled, key), getattr(tells, key)
        if said != is_so:
            raise RecordError(f"{key} is {short(told[key])}, but the journal tells {short(is_so)}")
    return tells


def _line(told: object, where: str) -> Line:
    if not isinstance(told, dict) or set(told) != {"kind", "text", "at", "played_s"}:
        raise RecordError(f"{where} is {short(told)}; allowed: kind, text, at, played_s")
    kinds = [kind.value for kind in Kind]
    if told["kind"] not in kinds:
        raise RecordError(f"{where}: kind is {short(told['kind'])}; allowed: {', '.join(kinds)}")
    text, at = told["text"], told["at"]
    if not isinstance(text, str) or not isinstance(at, str):
        wrong = text if isinstance(at, str) else at
        raise RecordError(f"{where}: text and at are texts, not {short(wrong)}")
    seconds = _seconds(told["played_s"], f"{where}: played_s")
    return Line(Entry(Kind(told["kind"]), text), date(at, f"{where}: at"), seconds)


def _result(told: object) -> Result | None:
    match told:
        case None:
            return None
        case {"winner": winner, **rest} if set(rest) <= {"reason"}:
            reason = rest.get("reason", "")
            if (winner is None or type(winner) is int) and isinstance(reason, str):
                return Result(winner, reason)
    raise RecordError(
        f"result is {short(told)}; allowed: null, or winner (a number or null) and reason (a text)"
    )


def _seconds(told: object, what: str) -> float:
    if not isinstance(told, bool) and isinstance(told, int | float) and 0 <= told < _LONGEST_S:
        # As exactly as they are written everywhere.
        seconds = round(float(told), 3)
        if seconds < _LONGEST_S:
            return seconds
    raise RecordError(f"{what} is {short(told)}; allowed: seconds from 0 on, below 1e9")


def _text(told: Mapping[str, Any], key: str, unsaid: str = "") -> str:
    value = told.get(key)
    if value is None:
        return unsaid
    if not isinstance(value, str):
        raise RecordError(f"{key} is {short(value)}; allowed: a text")
    return value


def _texts(told: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = told.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise RecordError(f"{key} is {short(value)}; allowed: a list of texts")
    return tuple(value)


def _levels(told: Mapping[str, Any]) -> tuple[str, ...]:
    value = told.get("computers")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(
        each is None or isinstance(each, str) for each in value
    ):
        raise RecordError(f"computers is {short(value)}; allowed: a list of texts and null")
    return tuple(each or "" for each in value)


def _options(told: Mapping[str, Any]) -> dict[str, str]:
    value = told.get("options")
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise RecordError(f"options is {short(value)}; allowed: texts by their keys")
    return value


_KEYS = (
    "format",
    "version",
    "game",
    "started",
    "names",
    "computers",
    "options",
    "position",
    "moves",
    "result",
    "played_s",
    "source",
    "journal",
)
_TOLD_TWICE = (
    "started",
    "names",
    "computers",
    "options",
    "position",
    "moves",
    "result",
    "played_s",
)
