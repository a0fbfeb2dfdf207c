"""Records as text: tags and numbered moves, like chess games in PGN.

    [Game "circle-of-life"]
    [Date "2026-11-21T08:34:12.120+00:00"]
    [Player1 "Anna"]
    [Computer2 "3"]
    [Options "first=1 target=20"]
    [Result "1-0"]
    [Reason "stones eaten"]
    [Duration "0:12:34.5"]

    1. e5 e4 2. e6x d4 1-0

A value in quotes is a JSON string. `Computer` has the level of a computer that played at the end.
Every tag is optional, so that a bare list of moves is a record too. A result (`*`: unfinished) ends
a record, and so does a tag after moves. A move is one word, with `_` for a blank. `{comments}`,
lines that begin with `#` or `%`, and the numbers of rounds, are ignored. What players lay out
before play stands on lines of its own, without a number.
"""

import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from game.common import RecordError
from game.rules.base.moves import as_word, from_word
from game.store.record import (
    DEFAULT_GAME,
    SOURCES,
    Record,
    checked,
    game_named,
    game_of,
    round_numbers,
)
from game.store.store import Result
from hal.base.schema import short

UNFINISHED = "*"
_WIDTH = 79
_TAG = re.compile(r'\s*\[\s*([A-Za-z]+[0-9]*)\s+("(?:[^"\\]|\\.)*")\s*\]\s*')
_NUMBER = re.compile(r"^[0-9]{1,9}\.+")
_RESULT = re.compile(r"[01](?:-[01])+|1/2(?:-1/2)+|\*")
_DURATION = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_TAGS = ("Game", "Date", "Options", "Position", "Result", "Reason", "Duration", "Source")
_PLAYER = re.compile(r"(?:Player|Computer)[1-9][0-9]?")
_TOKEN = re.compile(
    r"(?P<comment>^[ \t]*[#%].*|\{[^}]*\})|(?P<unclosed>\{)|(?P<tag>^[ \t]*\[.*)|(?P<word>[^\s{]+)",
    re.MULTILINE,
)


def record_to_text(record: Record) -> str:
    result = _result_text(record.result, len(game_named(record.game).players))
    tags = {"Game": record.game}
    if record.started:
        tags["Date"] = record.started
    tags |= {f"Player{n}": name for n, name in enumerate(record.names, start=1)}
    tags |= {f"Computer{n}": level for n, level in enumerate(record.computers, start=1) if level}
    tags["Options"] = " ".join(f"{key}={value}" for key, value in record.options.items())
    if record.position:
        tags["Position"] = record.position
    tags["Result"] = result
    if record.result is not None:
        tags["Reason"] = record.result.reason
    tags |= {"Duration": duration(record.played_s), "Source": record.source}
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    laid_out, numbered, last = [], [], 0
    for number, move in zip(round_numbers(record), record.moves, strict=True):
        if number == 0:
            laid_out.append(as_word(move))
            continue
        numbered.append(as_word(move) if number == last else f"{number}. {as_word(move)}")
        last = number
    text = " ".join([*numbered, result])
    filled = textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*head, "", *laid_out, filled, ""])


def duration(seconds: float) -> str:
    """Write hours, minutes and seconds, with as many decimals as needed."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    decimals = f".{thousandths:03}".rstrip("0") if thousandths else ""
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}{decimals}"


def records_from_text(text: str) -> list[Record]:
    """Read all records of a text; raises RecordError, naming the line or the move."""
    records = []
    for draft in _drafts(text):
        try:
            records.append(_record(draft))
        except RecordError as error:
            where = f"record from line {draft.line}: " if draft.line > 1 else ""
            raise RecordError(f"{where}{error}") from error
    if not records:
        raise RecordError("there are no moves and no tags in it")
    return records


def date(text: str, what: str) -> str:
    """Read an ISO date or time, UTC if it names no zone, as an ISO time; raises RecordError."""
    try:
        then = datetime.fromisoformat(text)
        then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
        return then.astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError) as error:
        raise RecordError(
            f"{what} is {short(text)}; allowed: a date as 2026-11-21, or with a time"
            " as 2026-11-21T20:15:00+01:00"
        ) from error


@dataclass(slots=True)
class _Draft:
    """One record as written, and the line where it begins."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    end: str = ""


def _record(draft: _Draft) -> Record:
    tags = draft.tags
    game, options = game_of(tags.get("Game", DEFAULT_GAME), _options(tags.get("Options", "")))
    players = len(game.players)
    said = {each for each in (tags.get("Result"), draft.end) if each}
    if len(said) > 1:
        raise RecordError(
            f"tag Result is {short(tags['Result'])}, but the moves end with {short(draft.end)}"
        )
    result = _result(said.pop(), players, tags.get("Reason", "")) if said else None
    if result is None and tags.get("Reason"):
        raise RecordError(f"tag Reason is {short(tags['Reason'])}, but there is no result")
    source = tags.get("Source", SOURCES[0])
    if source not in SOURCES:
        raise RecordError(f"tag Source is {short(source)}; allowed: {' | '.join(SOURCES)}")
    names = tuple(tags.pop(f"Player{n}", "") for n in range(1, players + 1))
    computers = tuple(tags.pop(f"Computer{n}", "") for n in range(1, players + 1))
    for name in filter(_PLAYER.fullmatch, tags):
        raise RecordError(f"tag {name} is one too many; players: {players}")
    started = date(tags["Date"], "tag Date") if "Date" in tags else ""
    played_s = _seconds(tags.get("Duration", "0:00:00"))
    line = tags.get("Position", ""), tuple(draft.moves), result
    return checked(Record(game.name, options, names, computers, *line, started, played_s, source))


def _drafts(text: str) -> Iterator[_Draft]:
    """Split a text into records; raises RecordError for a line that is neither tag nor moves."""
    draft: _Draft | None = None
    number, counted = 1, 0
    for found in _TOKEN.finditer(text):
        number += text.count("\n", counted, found.start())
        counted = found.start()
        kind, token = found.lastgroup, found[0].strip()
        if kind == "comment":
            continue
        if kind == "unclosed":
            raise RecordError(f"line {number}: a comment begins with {{ and never ends")
        if draft is not None and (draft.end or (kind == "tag" and draft.moves)):
            yield draft
            draft = None
        draft = draft or _Draft(number)
        if kind == "tag":
            _take_tag(draft, token, number)
        elif _RESULT.fullmatch(token):
            if not (draft.tags or draft.moves):
                raise RecordError(f"line {number}: {token} ends a game without moves or tags")
            draft.end = token
        elif move := _NUMBER.sub("", token).rstrip(",;"):
            draft.moves.append(from_word(move))
    if draft is not None:
        yield draft


def _take_tag(draft: _Draft, line: str, number: int) -> None:
    try:
        name, written = read.groups() if (read := _TAG.fullmatch(line)) else ("", "")
        value = json.loads(written)
        value.encode()
    except ValueError as error:
        raise RecordError(
            f'line {number} is {short(line)}; a tag is [Name "value"], the value as in JSON'
        ) from error
    if name not in _TAGS and not _PLAYER.fullmatch(name):
        allowed = ", ".join([*_TAGS, "Player1", "Computer1", "..."])
        raise RecordError(f"line {number}: tag {short(name)} is unknown; allowed: {allowed}")
    if name in draft.tags:
        raise RecordError(
            f"line {number}: tag {name} is there twice; a record ends with its result,"
            f" or {UNFINISHED}"
        )
    draft.tags[name] = value


def _seconds(text: str) -> float:
    read = _DURATION.fullmatch(text)
    if read is None:
        raise RecordError(f"tag Duration is {short(text)}; allowed: hours:minutes:seconds")
    return round(int(read[1]) * 3600 + int(read[2]) * 60 + float(read[3]), 3)


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in text.split():
        key, equals, value = pair.partition("=")
        if not (key and equals) or key in options:
            raise RecordError(f"tag Options is {short(text)}; allowed: key=value, each key once")
        options[key] = value
    return options


def _result_text(result: Result | None, players: int) -> str:
    if result is None:
        return UNFINISHED
    if result.winner is None:
        return "-".join(["1/2"] * players)
    return "-".join("1" if n == result.winner else "0" for n in range(1, players + 1))


def _result(text: str, players: int, reason: str) -> Result | None:
    results = [*(Result(n, reason) for n in range(1, players + 1)), Result(None, reason), None]
    allowed = {_result_text(each, players): each for each in results}
    if text not in allowed:
        raise RecordError(f"the result is {short(text)}; allowed: {' | '.join(allowed)}")
    return allowed[text]
