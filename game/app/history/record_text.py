"""Records as text: tags and numbered moves, much as chess players write them (PGN).

    [Game "circle-of-life"]
    [Date "2026-11-21T08:34:12.120+00:00"]
    [Player1 "Anna"]
    [Computer2 "3"]
    [Options "first=1 target=20"]
    [Result "1-0"]
    [Reason "stones eaten"]
    [Duration "0:12:34.5"]

    1. e5 e4 2. e6x d4 1-0

Owns this form, both ways. A value in quotes is a JSON string. A player for whom a computer played
at the end has the tag `Computer` with its level; all others are people. A tag that is missing says
nothing, so that a bare list of moves is a record too. The result at the end closes a record (`*`:
unfinished), and so does a tag after moves. A move is one word, with `_` for a blank within it;
`{words in braces}` among moves and lines that begin with `#` are left out. A number counts rounds:
the next one begins where somebody moves again after others. What players have laid out before play
stands in lines of its own, without a number. Must not know files.
"""

import json
import re
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from game.app.errors import RecordError
from game.app.history.record import (
    SOURCES,
    Record,
    Result,
    checked,
    game_named,
    game_of,
    known,
    numbers,
    short,
)
from game.rules.errors import RulesError
from game.rules.movetext import as_word, from_word

UNSAID_GAME = "circle-of-life"
"""The game of a list of moves that names none."""
UNFINISHED = "*"
MOST_MOVES = 9999
MOST_RECORDS = 9999
_WIDTH = 79
_TAG = re.compile(r'\s*\[\s*([A-Za-z]+[0-9]*)\s+("(?:[^"\\]|\\.)*")\s*\]\s*')
_NUMBER = re.compile(r"([0-9]{1,9})\.+(.*)")
_RESULT = re.compile(r"[01](?:-[01])+|1/2(?:-1/2)+|\*")
_DURATION = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_TAGS = ("Game", "Date", "Options", "Position", "Result", "Reason", "Duration", "Source")
_PLAYER = re.compile(r"(?:Player|Computer)[1-9][0-9]?")


def write(record: Record) -> str:
    """Write a record; `read` gives it back but for its journal."""
    game = game_named(record.game)
    result = _result_text(record.result, len(game.players))
    options = " ".join(f"{key}={value}" for key, value in record.options.items())
    tags = {"Game": record.game}
    if record.started:
        tags["Date"] = record.started
    tags |= {f"Player{n}": name for n, name in enumerate(record.names, start=1)}
    tags |= {f"Computer{n}": level for n, level in enumerate(record.computers, start=1) if level}
    tags["Options"] = options
    if record.position:
        tags["Position"] = record.position
    tags["Result"] = result
    if record.result is not None:
        tags["Reason"] = record.result.reason
    tags |= {"Duration": duration(record.played_s), "Source": record.source}
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    return "\n".join([*head, "", moves(record, result), ""])


def moves(record: Record, end: str = "") -> str:
    """Write the moves, numbered by rounds and wrapped."""
    laid, words, last = [], [], 0
    for number, move in zip(numbers(record), record.moves, strict=False):
        if number == 0:
            laid.append(as_word(move))
            continue
        words.append(as_word(move) if number == last else f"{number}. {as_word(move)}")
        last = number
    text = " ".join([*words, end])
    filled = textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*laid, filled]).rstrip()


def duration(seconds: float) -> str:
    """Write hours, minutes and seconds, with as many decimals as there are."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    minutes, second = divmod(whole, 60)
    decimals = f".{thousandths:03}".rstrip("0") if thousandths else ""
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}{decimals}"


def read(text: str) -> list[Record]:
    """Read all records of a text; raises RecordError, naming the line or the move."""
    records = []
    for draft in _drafts(text):
        try:
            records.append(draft.record())
        except RecordError as error:
            where = f"record from line {draft.line}: " if draft.line > 1 else ""
            raise RecordError(f"{where}{error}") from error
        if len(records) > MOST_RECORDS:
            raise RecordError(f"line {draft.line}: more than {MOST_RECORDS} records in one file")
    if not records:
        raise RecordError("there are no moves and no tags in it")
    return records


@dataclass(frozen=True, slots=True)
class _Number:
    """A move's number as it stands in a line: before which ply, and with what was behind it."""

    line: int
    ply: int
    number: int
    text: str


@dataclass(slots=True)
class _Draft:
    """One record as it stands in the text, which began at a line, not yet understood."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    numbers: list["_Number"] = field(default_factory=list)
    end: str = ""

    def record(self) -> Record:
        """Understand and check it; raises RecordError."""
        tags = self.tags
        told = _options(tags.get("Options", ""))
        game, options = game_of(tags.get("Game", UNSAID_GAME), told)
        players = len(game.players)
        tagged = "Result" in tags or bool(self.end)
        ends = {each for each in (tags.get("Result"), self.end) if each}
        if len(ends) > 1:
            raise RecordError(
                f"tag Result is {short(tags['Result'])}, but the moves end with {short(self.end)}"
            )
        result = _result(ends.pop(), players, tags.get("Reason", "")) if ends else None
        if result is None and tags.get("Reason"):
            raise RecordError(f"tag Reason is {short(tags['Reason'])}, but there is no result")
        source = tags.get("Source", SOURCES[0])
        if source not in SOURCES:
            raise RecordError(f"tag Source is {short(source)}; allowed: {' | '.join(SOURCES)}")
        names = [tags.pop(f"Player{n}", "") for n in range(1, players + 1)]
        computers = [tags.pop(f"Computer{n}", "") for n in range(1, players + 1)]
        for name in tags:
            if _PLAYER.fullmatch(name):
                raise RecordError(f"tag {name} is one too many; players: {players}")
        record = Record(
            game=game.name,
            options=options,
            names=tuple(names),
            computers=known(computers),
            position=tags.get("Position", ""),
            moves=tuple(self.moves),
            result=result,
            started=date(tags["Date"], "tag Date") if "Date" in tags else "",
            played_s=_seconds(tags.get("Duration", "0:00:00")),
            source=source,
        )
        self._check_numbers(record)
        return checked(record, said=tagged)

    def _check_numbers(self, record: Record) -> None:
        """See that each number is the one that was due, as far as the moves are legal.

        By rounds, or by moves where every move has had its number. Raises RecordError.
        """
        due: list[int] = []
        with suppress(RulesError, RecursionError):
            due.extend(numbers(record))
        laid = due.count(0)
        for before, each in enumerate(self.numbers, start=laid):
            if each.ply >= len(due):
                return
            allowed = {due[each.ply]} | ({each.ply + 1 - laid} if before == each.ply else set())
            if each.number not in allowed:
                listed = " or ".join(map(str, sorted(allowed)))
                raise RecordError(
                    f"line {each.line}: move number is {each.text}; allowed here: {listed}"
                )


def _drafts(text: str) -> Iterator[_Draft]:
    """Cut a text into records; raises RecordError for a line that is neither tag nor moves."""
    draft: _Draft | None = None
    for number, line in _lines(text):
        if line.startswith("["):
            if draft is not None and (draft.moves or draft.end):
                yield draft
                draft = None
            draft = draft or _Draft(number)
            _take_tag(draft, line, number)
            continue
        for word in line.split():
            if draft is not None and draft.end:
                yield draft
                draft = None
            draft = draft or _Draft(number)
            _take_word(draft, word, number)
    if draft is not None:
        yield draft


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that say something, without their comments."""
    began = 0
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        line = line.strip()
        if not began and line.startswith(("#", "%")):
            continue
        if began or not line.startswith("["):
            said = []
            while line:
                before, found, line = line.partition("}" if began else "{")
                said.append("" if began else before)
                if found:
                    began = 0 if began else number
            line = " ".join(said)
        if line and not line.isspace():
            yield number, line
    if began:
        raise RecordError(f"line {began}: a comment begins with {{ and never ends")


def _take_tag(draft: _Draft, line: str, number: int) -> None:
    read = _TAG.fullmatch(line)
    if read is None:
        raise RecordError(f'line {number} is {short(line.strip())}; a tag is [Name "value"]')
    name = read[1]
    if name not in _TAGS and not _PLAYER.fullmatch(name):
        allowed = ", ".join([*_TAGS, "Player1", "Computer1", "..."])
        raise RecordError(f"line {number}: tag {short(name)} is unknown; allowed: {allowed}")
    if name in draft.tags:
        raise RecordError(
            f"line {number}: tag {name} is there twice; a record ends with its result,"
            f" or {UNFINISHED}"
        )
    try:
        value = json.loads(read[2])
        value.encode()
    except ValueError as error:
        raise RecordError(
            f"line {number}: tag {name} is {short(read[2])}; a value is written as in JSON"
        ) from error
    draft.tags[name] = value


def _take_word(draft: _Draft, word: str, number: int) -> None:
    """Take a move, a move's number, or the result."""
    if _RESULT.fullmatch(word):
        if not (draft.tags or draft.moves):
            raise RecordError(f"line {number}: {word} ends a game of which nothing is told")
        draft.end = word
        return
    if numbered := _NUMBER.fullmatch(word):
        ply = len(draft.moves)
        draft.numbers.append(_Number(number, ply, int(numbered[1]), word))
        word = numbered[2]
    if word := word.rstrip(",;"):
        draft.moves.append(from_word(word))
    if len(draft.moves) > MOST_MOVES:
        raise RecordError(f"line {number}: more than {MOST_MOVES} moves in one game")


def date(text: str, what: str) -> str:
    """Read an ISO date or time, UTC where it names no zone, as an ISO time; raises RecordError."""
    try:
        then = datetime.fromisoformat(text)
        then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
        return then.astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError) as error:
        raise RecordError(
            f"{what} is {short(text)}; allowed: a date as 2026-11-21, or with a time"
            " as 2026-11-21T20:15:00+01:00"
        ) from error


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
    return "-".join("1" if n + 1 == result.winner else "0" for n in range(players))


def _result(text: str, players: int, reason: str) -> Result | None:
    allowed = [_result_text(Result(n + 1), players) for n in range(players)]
    draw = _result_text(Result(None), players)
    if text in allowed:
        return Result(allowed.index(text) + 1, reason)
    if text == draw:
        return Result(None, reason)
    if text != UNFINISHED:
        choices = " | ".join([*allowed, draw, UNFINISHED])
        raise RecordError(f"the result is {short(text)}; allowed: {choices}")
    return None
