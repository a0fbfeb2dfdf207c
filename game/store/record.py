"""The record of one game: built from a journal, checked by the rules, turned into a journal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache

from game.common import RecordError, cut, escaped, redacted, words
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.registry import choose_game, find_game
from game.rules.base.situation import Situation
from game.rules.base.values import Outcome
from game.store.store import BOARD, DECIDING, IMPORT, JournalLine, Result
from game.table import Phase, State, apply_entries
from game.table.entries import (
    ENDED_BY_PLAYERS,
    Entry,
    EntryKind,
    bad_entry,
    computers_text,
    names_text,
    options_text,
)
from hal.base.schema import short

DEFAULT_GAME = "circle-of-life"
"""The game of a record that names none."""
SOURCES = (BOARD, IMPORT)
_LONGEST_SENTENCE = 300
_LONGEST_REASON = 40


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


def from_journal(game: str, source: str, lines: Sequence[JournalLine]) -> Record:
    """Build a record from journal lines; raises RecordError, naming the entry that does not fit."""
    if not lines:
        raise RecordError("its journal has no lines")
    return checked(Record(game, source=source, journal=tuple(lines)))


def checked(record: Record) -> Record:
    """Return a record in canonical form, with all that follows from its journal, if it has one.

    Raises RecordError for an entry that does not fit or that no table would save, and for a result
    that the moves do not give. A journal may be of an unfinished game that hides pieces, so errors
    do not quote it.
    """
    game, options = game_of(record.game, record.options)
    lines = lines_of(replace(record, game=game.name, options=options), "")
    state, computers = _replayed(game, [line.entry for line in lines], bool(record.journal))
    gives = result_of(state.outcome)
    # The reason may be left out.
    if record.result not in (None, gives, gives and Result(gives.winner)):
        raise RecordError(
            f"the result is {_in_words(record.result)}, but the moves give {_in_words(gives)}"
        )
    shown = [line for line in lines if line.entry.kind is not EntryKind.SEAL]
    set_up = next((each.entry.text for each in shown if each.entry.kind is EntryKind.SET_UP), "")
    return Record(
        game.name,
        settle(game, state.options) | state.agreement.options,
        _known(state.names),
        _known(computers),
        game.text(game.parse(set_up)) if set_up else "",
        tuple(played.text for played in state.history),
        gives,
        shown[0].at,
        round(shown[-1].played_s, 3),
        record.source,
        tuple(shown) if record.journal else (),
    )


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
    """Yield each move's round, 0 before play; a player who moves again after others begins one."""
    game, moved, last, number = game_named(record.game), set[int](), 0, 1
    for played in final_state(record).history:
        if any(game.arranging(played.before, each + 1) for each in range(len(game.players))):
            yield 0
            continue
        if played.player in moved and played.player != last:
            moved, number = set(), number + 1
        moved.add(played.player)
        last = played.player
        yield number


def result_of(outcome: Outcome | None) -> Result | None:
    return None if outcome is None else Result(outcome.winner, outcome.reason)


def _known(players: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names or levels, or () if all are empty."""
    return tuple(players) if any(players) else ()


def sentence(error: Exception | str) -> str:
    """Return an error as one bounded, printable line of English."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = words("en").text(error.message) if isinstance(error, RulesError) else str(error)
    return escaped(" ".join(cut(text, _LONGEST_SENTENCE).split()))


def _replayed(
    game: AnyGame, entries: Sequence[Entry], redacts: bool
) -> tuple[State, tuple[str, ...]]:
    """Apply all entries; return the last state and the computers of this game."""
    state = initial_state(game)
    computers = state.computers
    for number, entry in enumerate(entries):
        was_over = state.outcome is not None
        try:
            if (entry.kind is EntryKind.START) is not (number == 0):
                raise bad_entry(entry.kind, entry.text)
            if entry.kind in (EntryKind.MOVE, *DECIDING) and was_over:
                raise RulesError(say("rules.game_over"))
            state = apply_entries(state, entry)
        except (RulesError, RecursionError) as error:
            count = sum(each.kind is entry.kind for each in entries[: number + 1])
            why = f" is {short(entry.text)}: {sentence(error)}"
            why = redacted(game, why, " does not fit") if redacts else why
            raise RecordError(f"{entry.kind.value} {count}{why}") from error
        if not (was_over and state.outcome is not None):
            # Computers chosen after the end play the next game.
            computers = state.computers
    return state, computers


def _played(record: Record) -> tuple[object, ...]:
    options = tuple(sorted(record.options.items()))
    return record.game, options, record.names, record.position, record.moves, record.result


def _ending(game: AnyGame, result: Result) -> Entry:
    """Find the first entry by which players end a game with this result; raises RecordError."""
    entries, players = [Entry(EntryKind.DRAW)] * game.agreed_draws, range(len(game.players))
    entries += (Entry(EntryKind.RESIGN, str(player + 1)) for player in players)
    entries += (Entry(EntryKind.FLAG, str(player + 1)) for player in players)
    endings: dict[Result | None, Entry] = {}
    for entry in entries:
        endings.setdefault(result_of(apply_entries(initial_state(game), entry).outcome), entry)
    if result not in endings:
        allowed = " | ".join(map(_in_words, endings))
        raise RecordError(f"the result is {_in_words(result)}; allowed in {game.name}: {allowed}")
    return endings[result]


def _in_words(result: Result | None) -> str:
    if result is None:
        return "an unfinished game"
    who = "a draw" if result.winner is None else f"player {result.winner} as winner"
    return who + (f" ({sentence(result.reason[:_LONGEST_REASON])})" if result.reason else "")


def _later(started: str, seconds: float) -> str:
    try:
        then = datetime.fromisoformat(started) + timedelta(seconds=seconds)
    except (ValueError, OverflowError):
        return started
    return then.astimezone(UTC).isoformat(timespec="milliseconds")
