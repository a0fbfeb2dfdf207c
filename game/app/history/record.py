"""The record of one game: what a journal tells, with take-backs applied, and back to a journal.

Owns the value, its building from lines and its checking against the rules, by the same ledger that
play uses. Must not know how a record is written, nor where games are kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from reprlib import Repr
from typing import Any

from game.app.errors import RecordError
from game.app.journal.store import Line
from game.app.words import words
from game.rules.catalogue import VARIANT, choose_game, find_game
from game.rules.errors import RulesError
from game.rules.game import Game, Outcome
from game.rules.message import say
from game.table.entries import (
    Entry,
    Kind,
    computers_text,
    names_text,
    options_text,
)
from game.table.ledger import AGREED, RESIGNED, applied
from game.table.state import Phase, State

AnyGame = Game[Any, Any]

ENDED_BY_PLAYERS = (RESIGNED, AGREED)
"""The reasons of outcomes that no move makes, as the ledger gives them."""
DECIDING = (Kind.RESIGN, Kind.DRAW)
"""The entries that make such outcomes."""
SOURCES = ("board", "import")
_LONGEST_SENTENCE = 300
_LONGEST_REASON = 40
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40
_SHORT.maxlevel = 2


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `winner` is a player's number or None for a draw; `reason` may be ""."""

    winner: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """Tell one game: the line of moves that stands at its end, and what is known beside.

    `names` has one name a player, or none at all. `computers` has for each player the level by
    which a computer played for him at the end, "" for a person; it is empty without computers.
    `position` is where a game that was set up begins, "" for the start of the game. `started` is an
    ISO time in UTC, "" when nobody knows. `journal` holds every line that was kept, but for sealed
    set-ups: those that were played are moves too, and others stay secret. It is empty for a game of
    which only the moves are known.
    """

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    position: str = ""
    moves: tuple[str, ...] = ()
    result: Result | None = None
    started: str = ""
    played_s: float = 0.0
    source: str = SOURCES[0]
    journal: tuple[Line, ...] = ()

    def same_game(self, other: "Record") -> bool:
        """Tell whether both are one game; where one does not know its time, by the moves alone.

        One that names no computer may be of before anybody noted who was one.
        """
        undated = not (self.started and other.started)
        unnoted = not (self.computers and other.computers)
        return (
            (undated or self.started == other.started)
            and (unnoted or self.computers == other.computers)
            and _essence(self) == _essence(other)
        )


def from_journal(game_name: str, source: str, lines: Sequence[Line]) -> Record:
    """Tell a game from its journal; raises RecordError, naming the line that does not fit."""
    record, flaw = as_far_as_it_fits(game_name, source, lines)
    if flaw or record is None:
        raise RecordError(flaw)
    return record


def as_far_as_it_fits(
    game_name: str, source: str, lines: Sequence[Line]
) -> tuple[Record | None, str]:
    """Tell a game from its journal up to the first line that does not fit, and what is wrong there.

    None if not even the first line fits. Raises RecordError for a game that is not there.
    """
    game = game_named(game_name)
    state = before_all(game)
    computers = state.computers
    fitting, flaw = 0, "" if lines else "journal line 1 is missing"
    for line in lines:
        try:
            was_over = state.outcome is not None
            state = after(game, state, line.entry, first=fitting == 0)
        except (RulesError, RecursionError) as error:
            kind, text = line.entry.kind.value, short(line.entry.text)
            # In a game that hides things the line may be of one that is not over.
            why = "it does not fit" if game.hidden else sentence(error)
            what = kind if game.hidden else f"{kind} {text}"
            flaw = f"journal line {fitting + 1} ({what}): {why}"
            break
        fitting += 1
        if not (was_over and state.outcome is not None):
            # Who is a computer from the end on plays the next game.
            computers = state.computers
    if not fitting:
        return None, flaw
    lines = lines[:fitting]
    journal = tuple(line for line in lines if line.entry.kind is not Kind.SEAL)
    set_up = next((each.entry.text for each in lines if each.entry.kind is Kind.SET_UP), "")
    record = Record(
        game=game.name,
        options=game.settle(state.options),
        names=known(state.names),
        computers=known(computers),
        position=game.text(game.parse(set_up)) if set_up else "",
        moves=tuple(played.text for played in state.history),
        result=result_of(state.outcome),
        started=lines[0].at,
        played_s=round(journal[-1].played_s, 3),
        source=source,
        journal=journal,
    )
    return record, flaw


def checked(record: Record, said: bool) -> Record:
    """Check a record without a journal, and give it in canonical form; raises RecordError.

    Its result is what somebody `said`, which must agree with the moves, or is not known.
    """
    game, options = game_of(record.game, record.options)
    record = replace(record, game=game.name, options=options)
    state = before_all(game)
    ply = 0
    for line in lines_of(replace(record, result=None), ""):
        what = _PARTS.get(line.entry.kind, line.entry.kind.value)
        if line.entry.kind is Kind.MOVE:
            ply += 1
            what = f"move {ply} is {short(line.entry.text)}"
        try:
            state = after(game, state, line.entry, first=line.entry.kind is Kind.START)
        except (RulesError, RecursionError) as error:
            raise RecordError(f"{what}: {sentence(error)}") from error
    if said:
        state = _agreed(game, state, record.result)
    return replace(
        record,
        options=game.settle(record.options),
        names=known(record.names),
        computers=known(record.computers),
        position=game.text(game.parse(record.position)) if record.position else "",
        moves=tuple(played.text for played in state.history),
        result=result_of(state.outcome),
    )


def lines_of(record: Record, now: str) -> list[Line]:
    """Write a record as a journal; `now` stands for the time of a game that knows none."""
    if record.journal:
        return list(record.journal)
    entries = [Entry(Kind.START, options_text(dict(record.options)))]
    if record.names:
        entries.append(Entry(Kind.NAMES, names_text(record.names)))
    if record.computers:
        entries.append(Entry(Kind.COMPUTERS, computers_text(record.computers)))
    if record.position:
        entries.append(Entry(Kind.SET_UP, record.position))
    entries += (Entry(Kind.MOVE, move) for move in record.moves)
    if record.result is not None and record.result.reason in ENDED_BY_PLAYERS:
        entries.append(_ending(game_named(record.game), record.result))
    started = record.started or now
    lines = [Line(entry, started, 0.0) for entry in entries]
    # Of the moves between no time is known.
    ended = _later(started, record.played_s) if len(entries) > 1 else started
    lines[-1] = Line(entries[-1], ended, record.played_s)
    return lines


def outcome_of(record: Record) -> Outcome | None:
    """Give a checked record's result as the outcome that a store keeps."""
    if record.result is None:
        return None
    return Outcome(record.result.winner, record.result.reason, say("rules.game_over"))


def before_all(game: AnyGame) -> State:
    """Return the state of a table on which nothing has begun."""
    return State(Phase.OVER, game.initial({}), game.settle({}))


def after(game: AnyGame, state: State, entry: Entry, *, first: bool) -> State:
    """Return the state after an entry; raises RulesError also for what no table would keep."""
    if (entry.kind is Kind.START) is not first:
        raise RulesError(say("table.bad_entry", kind=entry.kind.value, text=entry.text))
    if entry.kind in (Kind.MOVE, *DECIDING) and state.outcome is not None and not first:
        raise RulesError(say("rules.game_over"))
    return applied(game, state, entry)


@cache
def game_named(name: str) -> AnyGame:
    """Find a game; raises RecordError that names those that are there."""
    try:
        return find_game(name)
    except RulesError as error:
        raise RecordError(sentence(error)) from error


def game_of(name: str, options: Mapping[str, str]) -> tuple[AnyGame, dict[str, str]]:
    """Find the variant of a game that options choose, and its own options; raises RecordError."""
    game = game_named(name)
    return choose_game(name, options) if VARIANT in options else (game, dict(options))


def numbers(record: Record) -> Iterator[int]:
    """Yield the round in which each move of a record is, and the one that would follow.

    A round ends before whoever moves in it again, unless he goes on straight after himself. What
    players lay out before play is in none: its number is 0. Raises RulesError where the record is
    wrong.
    """
    game = game_named(record.game)
    position = game.parse(record.position) if record.position else game.initial(record.options)
    moved: set[int] = set()
    last, number = 0, 1
    for text in (*record.moves, None):
        mover = game.to_move(position) or 0
        if any(game.arranging(position, each + 1) for each in range(len(game.players))):
            yield 0
            if text is not None:
                position = game.play(position, game.parse_move(position, text))
            continue
        if mover in moved and mover != last:
            moved, number = set(), number + 1
        moved.add(mover)
        last = mover
        yield number
        if text is not None:
            position = game.play(position, game.parse_move(position, text))


def result_of(outcome: Outcome | None) -> Result | None:
    """Give an outcome as a result."""
    return None if outcome is None else Result(outcome.winner, outcome.reason)


def known(players: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names or levels, or none at all where nobody has one."""
    return tuple(players) if any(players) else ()


def sentence(error: Exception) -> str:
    """Say in English, on one line that is not endless, what is wrong."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = words("en").text(error.message) if isinstance(error, RulesError) else str(error)
    return printable(text if len(text) <= _LONGEST_SENTENCE else text[:_LONGEST_SENTENCE] + " ...")


def short(value: object) -> str:
    """Show a value of any size and depth as a few characters."""
    return _SHORT.repr(value)


def printable(text: str) -> str:
    """Replace what would do something to a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text)


_PARTS = {
    Kind.START: "options",
    Kind.NAMES: "names of the players",
    Kind.COMPUTERS: "computers",
    Kind.SET_UP: "position",
}


def _essence(record: Record) -> tuple[object, ...]:
    return (
        record.game,
        tuple(sorted(record.options.items())),
        record.names,
        record.position,
        record.moves,
        record.result,
    )


def _agreed(game: AnyGame, state: State, claim: Result | None) -> State:
    """Return the state with the result that is claimed; raises RecordError if it cannot be."""
    if claim is not None and claim.reason in ENDED_BY_PLAYERS and state.outcome is None:
        return applied(game, state, _ending(game, claim))
    gives = result_of(state.outcome)
    agrees = (
        claim == gives
        if claim is None or gives is None or claim.reason
        else claim.winner == gives.winner
    )
    if not agrees:
        raise RecordError(
            f"the result is {_in_words(claim)}, but the moves give {_in_words(gives)}"
        )
    return state


def _ending(game: AnyGame, result: Result) -> Entry:
    """Find the entry by which players end a game so; raises RecordError.

    Who resigned among many is not told by a result: it is the first of them.
    """
    if result.reason == AGREED:
        if result.winner is None and game.agreed_draws:
            return Entry(Kind.DRAW)
        allowed = "a draw" if game.agreed_draws else f"no agreement in {game.name}"
        raise RecordError(f"the result is {_in_words(result)}; allowed: {allowed}")
    winners = []
    for loser in range(1, len(game.players) + 1):
        entry = Entry(Kind.RESIGN, str(loser))
        outcome = applied(game, before_all(game), entry).outcome
        if outcome is not None and outcome.winner == result.winner:
            return entry
        winners.append(outcome.winner if outcome is not None else None)
    allowed = ", ".join(sorted({str(each) for each in winners}))
    raise RecordError(f"the winner is {result.winner}, where somebody resigned; allowed: {allowed}")


def _in_words(result: Result | None) -> str:
    if result is None:
        return "an unfinished game"
    who = "a draw" if result.winner is None else f"player {result.winner} as winner"
    return who + (f" ({printable(result.reason[:_LONGEST_REASON])})" if result.reason else "")


def _later(started: str, seconds: float) -> str:
    try:
        then = datetime.fromisoformat(started) + timedelta(seconds=seconds)
    except (ValueError, OverflowError):
        return started
    return then.astimezone(UTC).isoformat(timespec="milliseconds")
