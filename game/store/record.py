"""The record of one game: built from a journal, checked by the rules, turned into a journal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from reprlib import Repr
from typing import Any

from game.common import RecordError, redacted, words
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.names import JOINERS
from game.rules.base.registry import choose_game, find_game
from game.rules.base.situation import Situation
from game.rules.base.values import Outcome
from game.store.store import JournalLine
from game.table import Phase, State, apply_entries
from game.table.entries import (
    AGREED,
    RESIGNED,
    TIME_UP,
    Entry,
    EntryKind,
    computers_text,
    names_text,
    options_text,
    parse,
)
from hal.base.schema import Struct

DEFAULT_GAME = "circle-of-life"
"""The game of a record that names none."""
ENDED_BY_PLAYERS = (RESIGNED, AGREED, TIME_UP)
"""Reasons of outcomes not made by a move, in the reducer's words."""
DECIDING = (EntryKind.RESIGN, EntryKind.DRAW, EntryKind.FLAG)  # the entries that make such outcomes
SOURCES = ("board", "import")
_LONGEST_SENTENCE = 300
_LONGEST_REASON = 40
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40
_SHORT.maxlevel = 2


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended: `winner` is a player's number or None for a draw; `reason` may be ""."""

    winner: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One game: the line of moves at its end, and its metadata.

    `names` and `computers` have one text a player, or are empty. A computer's text is its level at
    the end of the game, a person's is "". `position` is the set-up that the game began from, "" for
    the usual start. `started` is an ISO time in UTC, "" if unknown. `journal` holds every line that
    was saved, except submitted set-ups (the played ones are moves, the others stay secret); it is
    empty if only the moves are known.
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
    journal: tuple[JournalLine, ...] = ()

    def same_game(self, other: "Record") -> bool:
        """Compare what was played, and start times and computers where both records have them."""
        return (
            (not (self.started and other.started) or self.started == other.started)
            and (not (self.computers and other.computers) or self.computers == other.computers)
            and _played(self) == _played(other)
        )


def from_journal(game_name: str, source: str, lines: Sequence[JournalLine]) -> Record:
    """Build a record from journal lines; raises RecordError, naming the line that does not fit."""
    game = game_named(game_name)

    def where(number: int, entry: Entry) -> str:
        text = redacted(game, f" {short(entry.text)}", "")
        return f"journal line {number} ({entry.kind.value}{text})"

    if not lines:
        raise RecordError("journal line 1 is missing")
    state, computers = _replayed(game, [line.entry for line in lines], where)
    journal = tuple(line for line in lines if line.entry.kind is not EntryKind.SEAL)
    set_up = next((each.entry.text for each in lines if each.entry.kind is EntryKind.SET_UP), "")
    record = Record(
        game=game.name,
        position=set_up,
        started=lines[0].at,
        played_s=round(journal[-1].played_s, 3),
        source=source,
        journal=journal,
    )
    return _settled(game, record, state, computers)


def checked(record: Record, said: bool) -> Record:
    """Return a record without a journal in canonical form; a result that is `said` must fit."""
    game, options = game_of(record.game, record.options)
    record = replace(record, game=game.name, options=options)
    entries = [line.entry for line in lines_of(replace(record, result=None), "")]
    before_moves = len(entries) - len(record.moves)

    def where(number: int, entry: Entry) -> str:
        if entry.kind is EntryKind.MOVE:
            return f"move {number - before_moves} is {short(entry.text)}"
        return _PARTS.get(entry.kind) or str(entry.kind.value)

    state, computers = _replayed(game, entries, where, says_why=True)
    if said:
        state = _with_result(game, state, record.result)
    return _settled(game, record, state, computers)


def lines_of(record: Record, now: str) -> list[JournalLine]:
    """Write a record as a journal; `now` is the time of a game that has none."""
    if record.journal:
        return list(record.journal)
    entries = [Entry(EntryKind.START, options_text(dict(record.options)))]
    if record.names:
        entries.append(Entry(EntryKind.NAMES, names_text(record.names)))
    if record.computers:
        entries.append(Entry(EntryKind.COMPUTERS, computers_text(record.computers)))
    if record.position:
        entries.append(Entry(EntryKind.SET_UP, record.position))
    entries += (Entry(EntryKind.MOVE, move) for move in record.moves)
    if record.result is not None and record.result.reason in ENDED_BY_PLAYERS:
        entries.append(_ending(game_named(record.game), record.result))
    started = record.started or now
    lines = [JournalLine(entry, started, 0.0) for entry in entries]
    # The times between the first and the last line are unknown.
    ended = _later(started, record.played_s) if len(entries) > 1 else started
    lines[-1] = JournalLine(entries[-1], ended, record.played_s)
    return lines


def outcome_of(record: Record) -> Outcome | None:
    """Return a checked record's result as the outcome that a store keeps."""
    if record.result is None:
        return None
    return Outcome(record.result.winner, record.result.reason, say("rules.game_over"))


def initial_state(game: AnyGame) -> State:
    return State(Phase.OVER, Situation(game, game.initial({})), settle(game, {}))


def final_state(record: Record) -> State:
    game = game_named(record.game)
    state = initial_state(game)
    for line in lines_of(record, record.started):
        state = apply_entries(state, line.entry)
    return state


@cache
def game_named(name: str) -> AnyGame:
    """Find a game; raises RecordError, which lists the games."""
    try:
        return find_game(name)
    except RulesError as error:
        raise RecordError(sentence(error)) from error


def game_of(name: str, options: Mapping[str, str]) -> tuple[AnyGame, dict[str, str]]:
    """Find the variant that options choose, and its own options; raises RecordError."""
    game_named(name)
    return choose_game(name, options)


def round_numbers(record: Record) -> Iterator[int]:
    """Yield the round of each move: until a player moves again after others; 0 before play."""
    game = game_named(record.game)
    position = start_of(game, record)
    moved: set[int] = set()
    last, number = 0, 1
    for text in record.moves:
        mover = game.to_move(position) or 0
        if any(game.arranging(position, each + 1) for each in range(len(game.players))):
            yield 0
        else:
            if mover in moved and mover != last:
                moved, number = set(), number + 1
            moved.add(mover)
            last = mover
            yield number
        position = game.play(position, game.parse_move(position, text))


def start_of(game: AnyGame, record: Record) -> Any:
    """Return the position from which a valid record began."""
    return (
        game.parse(record.position) if record.position else game.initial(parse(record.options)[1])
    )


def result_of(outcome: Outcome | None) -> Result | None:
    return None if outcome is None else Result(outcome.winner, outcome.reason)


def known(players: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names or levels, or () if all are empty."""
    return tuple(players) if any(players) else ()


def sentence(error: Exception | str) -> str:
    """Return an error as one bounded, printable line of English."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = words("en").text(error.message) if isinstance(error, RulesError) else str(error)
    return printable(text if len(text) <= _LONGEST_SENTENCE else text[:_LONGEST_SENTENCE] + " ...")


def short(value: object) -> str:
    """Show a value of any size and depth in a few characters."""
    return _SHORT.repr(value)


def printable(text: str) -> str:
    """Replace control characters, which could change a terminal."""
    return "".join(each if each.isprintable() or each in JOINERS else "?" for each in text)


_PARTS = {
    EntryKind.START: "options",
    EntryKind.NAMES: "names of the players",
    EntryKind.COMPUTERS: "computers",
    EntryKind.SET_UP: "position",
}


def _replayed(
    game: AnyGame,
    entries: Sequence[Entry],
    where: Callable[[int, Entry], str],
    says_why: bool = False,
) -> tuple[State, tuple[str, ...]]:
    """Apply all entries; return the last state and the computers of this game.

    Raises RecordError, also for entries that no table would save. A hidden game's journal may be of
    an unfinished game, so its error gives no reason.
    """
    state = initial_state(game)
    computers = state.computers
    for number, entry in enumerate(entries, start=1):
        was_over = state.outcome is not None
        try:
            if (entry.kind is EntryKind.START) is not (number == 1):
                raise RulesError(say("table.bad_entry", kind=entry.kind.value, text=entry.text))
            if entry.kind in (EntryKind.MOVE, *DECIDING) and was_over:
                raise RulesError(say("rules.game_over"))
            state = apply_entries(state, entry)
        except (RulesError, RecursionError) as error:
            why = sentence(error)
            why = why if says_why else redacted(game, why, "it does not fit")
            raise RecordError(f"{where(number, entry)}: {why}") from error
        if not (was_over and state.outcome is not None):
            # Computers chosen after the end play the next game.
            computers = state.computers
    return state, computers


def _settled(game: AnyGame, record: Record, state: State, computers: Sequence[str]) -> Record:
    """Return the record with all that follows from its last state, in canonical form."""
    return replace(
        record,
        options=settle(game, state.options) | state.agreement.options,
        names=known(state.names),
        computers=known(computers),
        position=game.text(game.parse(record.position)) if record.position else "",
        moves=tuple(played.text for played in state.history),
        result=result_of(state.outcome),
    )


def _played(record: Record) -> tuple[object, ...]:
    options = tuple(sorted(record.options.items()))
    return record.game, options, record.names, record.position, record.moves, record.result


def _with_result(game: AnyGame, state: State, claim: Result | None) -> State:
    if claim is not None and claim.reason in ENDED_BY_PLAYERS and state.outcome is None:
        return apply_entries(state, _ending(game, claim))
    gives = result_of(state.outcome)
    # The reason may be left out.
    if claim not in (gives, gives and Result(gives.winner)):
        raise RecordError(
            f"the result is {_in_words(claim)}, but the moves give {_in_words(gives)}"
        )
    return state


def _ending(game: AnyGame, result: Result) -> Entry:
    """Find the first entry by which players end a game with this result; raises RecordError."""
    kind = {AGREED: EntryKind.DRAW, TIME_UP: EntryKind.FLAG}.get(result.reason, EntryKind.RESIGN)
    losers = [str(player) for player in range(1, len(game.players) + 1)]
    if kind is EntryKind.DRAW:
        losers = [""] if game.agreed_draws else []
    endings: dict[int | None, Entry] = {}
    for loser in losers:
        outcome = apply_entries(initial_state(game), Entry(kind, loser)).outcome
        endings.setdefault(outcome.winner if outcome else None, Entry(kind, loser))
    if result.winner not in endings:
        allowed = [_in_words(Result(each, result.reason)) for each in endings]
        raise RecordError(
            f"the result is {_in_words(result)}; allowed in {game.name}:"
            f" {' | '.join(allowed) or 'no such end'}"
        )
    return endings[result.winner]


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
