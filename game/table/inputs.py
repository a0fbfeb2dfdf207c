"""The inputs of the table: what the board senses and what people ask for; and which touches count.

Time comes beside them, as `now` in seconds. `Fingers` turns touches into taps: it rejects bounces
and slides, and tells taps from holds. It knows no phase: the table says what a touch would do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from typing import Any

from game.rules.base.message import Message, say
from game.table.entries import Entry


class Command(Enum):
    """What people ask for by a key or on the page; the values are the names of the keys."""

    NEW_GAME = "new_game"
    TAKE_BACK = "take_back"
    REDO = "redo"
    """Make again what was taken back last."""
    RESIGN = "resign"
    DRAW = "draw"
    """Agree on a draw."""
    NEXT_CELL = "next_cell"
    """Move the cursor to the next masked cell that can be touched now."""
    TOUCH_CELL = "touch_cell"
    """Touch the cell under the cursor."""
    CONFIRM = "confirm"
    """Confirm that the board matches, as after a restart; at any other time, ask for it."""
    SET_UP = "set_up"
    """Set up a position; while one is being set up, begin with an empty board."""
    HINT = "hint"
    """Show the best moves, or hide them."""
    COACH = "coach"
    """Call the coach, who tells what is worth knowing of a position, or send it away."""
    MENU = "menu"
    """Choose computer players on the board itself, or close this menu."""


class Phrase(Enum):
    """What one board can say to another."""

    HELLO = "hello"
    ONE_MOMENT = "one_moment"
    WELL_PLAYED = "well_played"
    GOOD_GAME = "good_game"
    THANK_YOU = "thank_you"

    @property
    def words(self) -> Message:
        """What people read."""
        return _WORDS[self]


_WORDS: Mapping[Phrase, Message] = {
    Phrase.HELLO: say("page.phrase_hello"),
    Phrase.ONE_MOMENT: say("page.phrase_one_moment"),
    Phrase.WELL_PLAYED: say("page.phrase_well_played"),
    Phrase.GOOD_GAME: say("page.phrase_good_game"),
    Phrase.THANK_YOU: say("page.phrase_thank_you"),
}


@dataclass(frozen=True, slots=True)
class Say:
    """Say something to the other board."""

    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Touched:
    """A finger or a stone came down on a cell, or on a key that belongs to the game."""

    spot: str


@dataclass(frozen=True, slots=True)
class Performed:
    """Automatic hands did what is asked for on a cell, or with a key or a ring of the game.

    No finger did, so that it neither bounces nor slides.
    """

    spot: str


@dataclass(frozen=True, slots=True)
class Held:
    """The finger on a cell stays there."""

    spot: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """The finger left the cell."""

    spot: str


@dataclass(frozen=True, slots=True)
class PalmDetected:
    """A hand rested on several cells at once; nothing was touched."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class StonesChanged:
    """Stones stand on just these cells; sent at the start and at every change (presence)."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultsChanged:
    """The board cannot sense these cells now, or has another fault; no reasons: all is well.

    `warnings` are of faults that play can go on with.
    """

    cells: frozenset[str]
    reasons: tuple[Message, ...]
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class MaskChanged:
    """Just these cells are taken out of sensing; sent at the start and at every change."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """People asked for something, by a key or on a page: that of a player's seat, or another's."""

    command: Command
    player: int = 0


@dataclass(frozen=True, slots=True)
class Dismissed:
    """People answer no to the question whether a command is meant."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Whether the game is saved: `trouble` says why not, None that all is well.

    With a trouble that is only a warning, the game is `safe`.
    """

    trouble: Message | None
    safe: bool = False


@dataclass(frozen=True, slots=True)
class SetNames:
    """Set the players' names: one a player, "" for none."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetPiece:
    """Put a piece on a cell of the position that is being set up; "" removes it."""

    cell: str
    piece: str


@dataclass(frozen=True, slots=True)
class SelectPiece:
    """Choose the piece that touches set while a position is being set up."""

    piece: str


@dataclass(frozen=True, slots=True)
class SetScore:
    """Set the score and the player to move of the position that is being set up."""

    score: tuple[int, ...]
    to_move: int


@dataclass(frozen=True, slots=True)
class SubmitSetup:
    """Lay out a player's pieces in secret, by cell; None takes the set-up back.

    Only the device that holds the player's seat may send it.
    """

    player: int
    pieces: Mapping[str, str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """These players' sides are held by devices; sent at the start and at every change."""

    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class SetOpponents:
    """Set the computer players: one level's name a player, "" for a person."""

    computers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a new game. What is None stays as it was.

    `options` are those of all new games from now on; without `first` it is drawn who begins.
    """

    options: Mapping[str, str] | None = None
    computers: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


REPEAT = StartGame()
"""The same players begin another game with the same options."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Entries that another board and this one have agreed on; they hold unless the rules forbid."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """Show a message to all players for a while; a `good` one is no warning."""

    message: Message
    good: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move, by its plain text, and the score from 0 to 1 that its player may expect of it.

    `decided` means that the score is proved.
    """

    move: str
    value: float
    decided: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found in a position: its moves, best first.

    Positions are compared by ==. A `level` is the computer player's; "" is a hint for a person.
    """

    position: Any
    level: str
    moves: tuple[ScoredMove, ...]


@dataclass(frozen=True, slots=True)
class EngineUnavailable:
    """Why the engine does not answer; None: it answers again."""

    trouble: Message | None


Input = (
    Touched
    | Performed
    | Held
    | Lifted
    | PalmDetected
    | StonesChanged
    | FaultsChanged
    | MaskChanged
    | Asked
    | Dismissed
    | Saved
    | SetNames
    | SetPiece
    | SelectPiece
    | SetScore
    | SubmitSetup
    | SeatsChanged
    | SetOpponents
    | StartGame
    | Decided
    | Announce
    | Say
    | SearchResult
    | EngineUnavailable
)


CONFIRM_S = 8.0
"""Time in which a command must be given a second time to count."""
DEBOUNCE_S = 0.5
"""A touch within this time after a finger has left the same cell is that finger's."""
SLIDE_S = 0.1
"""A touch within this time after a finger has left a neighbouring cell is that finger's.

A finger that slides touches the next cell before it has left the last one, or nearly so; a tap, or
a click, comes after a finger was lifted."""


class Verdict(Enum):
    """Whether a touch counts, and why not."""

    TAP = auto()
    REPEAT = auto()
    """The same finger again, with nothing left to do there: ignore it."""
    BOUNCE = auto()
    """The same finger again, where it would enter a move."""
    SLIDE = auto()
    """A finger slid here from a neighbouring cell, and would begin a move."""
    SECOND_STONE = auto()
    """The finger that made the last move still rests, and another would begin a move."""
    SLIDE_OFF = auto()
    """The finger that made the last move slid here, and would confirm an edit."""

    @property
    def rejected(self) -> bool:
        """Whether the table says why the touch does not count."""
        return self not in (Verdict.TAP, Verdict.REPEAT)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a touch of a cell would do if it counts; `nothing` if it has no effect there."""

    enters_move: bool = False
    begins_move: bool = False
    confirms_edit: bool = False
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Fingers:
    """Fingers on the board, and those that have just left it.

    `debounce_until` is when a touch of a spot counts as a new one; infinite while a finger is
    down on a cell. `rejected_until` is the same for spots where the last touch was rejected.
    `sliding` are the cells of the finger that made the last move. `down` are touches of pieces
    that may become a hold; those in `repeats` are ignored when they do not.
    """

    debounce_until: Mapping[str, float] = field(default_factory=dict)
    rejected_until: Mapping[str, float] = field(default_factory=dict)
    sliding: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()
    repeats: frozenset[str] = frozenset()

    def is_repeat(self, cell: str, now: float) -> bool:
        """Return whether a touch of a cell comes from the finger whose touch there just counted."""
        return self.debounce_until.get(cell, -inf) > now < self.rejected_until.get(cell, inf)

    def beside(self, neighbours: Iterable[str], now: float) -> frozenset[str]:
        """Return the neighbouring cells that a finger touches or has just left."""
        since = now + DEBOUNCE_S - SLIDE_S
        return frozenset(each for each in neighbours if self.debounce_until.get(each, -inf) > since)

    def touch(
        self, cell: str, neighbours: Iterable[str], effect: Effect, now: float
    ) -> tuple["Fingers", Verdict]:
        """Take a touch of a cell; return the fingers after it and whether it counts."""
        beside, repeat = self.beside(neighbours, now), self.is_repeat(cell, now)
        verdict = self._judge(beside, repeat, effect)
        recent = self._recent(now)
        rejected = {each: end for each, end in self._rejected(recent).items() if each != cell}
        if verdict.rejected:
            # A rejected touch extends no debounce, so that trying again counts in the end.
            until = self.rejected_until.get(cell, self.debounce_until[cell]) if repeat else -inf
            rejected[cell] = until
        slid = {cell} if beside & self.sliding else set()
        after = replace(
            self,
            debounce_until={**recent, cell: inf},
            rejected_until=rejected,
            sliding=frozenset(self.sliding & recent.keys() | slid),
        )
        return after, verdict

    def rest(self, cell: str, now: float) -> "Fingers":
        """Take a touch of a cell where bounces and slides are not judged."""
        return replace(self, debounce_until={**self._recent(now), cell: inf})

    def press(self, key: str, now: float) -> tuple["Fingers", bool]:
        """Take a press of a key; return the fingers after it and whether it counts.

        Only a press that counted starts a debounce, so that trying again counts in the end.
        """
        until = self.debounce_until.get(key, -inf)
        if until > now:
            return replace(self, rejected_until={**self.rejected_until, key: until}), False
        recent = self._recent(now)
        until = now + DEBOUNCE_S
        after = replace(
            self, debounce_until={**recent, key: until}, rejected_until=self._rejected(recent)
        )
        return after, True

    def lift(self, spot: str, is_key: bool, now: float) -> tuple["Fingers", bool]:
        """Take a finger off; return the fingers after it and whether a hold was still possible."""
        until = self.debounce_until
        if spot in until and not (is_key and spot in self.rejected_until):
            until = {**until, spot: now + DEBOUNCE_S}
        pending = spot in self.down and spot not in self.repeats
        return replace(self.release({spot}), debounce_until=until), pending

    def wait_for_hold(self, cell: str, repeat: bool = False) -> "Fingers":
        """Note a touch of a piece that may become a hold."""
        repeats = self.repeats | {cell} if repeat else self.repeats
        return replace(self, down=self.down | {cell}, repeats=repeats)

    def release(self, cells: Iterable[str]) -> "Fingers":
        """Expect no hold on these cells any more."""
        gone = frozenset(cells)
        return replace(self, down=self.down - gone, repeats=self.repeats - gone)

    def release_all(self) -> "Fingers":
        """Expect no hold any more."""
        return replace(self, down=frozenset(), repeats=frozenset())

    def forget(self, cells: Iterable[str]) -> "Fingers":
        """Forget fingers on cells that sense nothing any more."""
        gone = frozenset(cells)
        until = {each: end for each, end in self.debounce_until.items() if each not in gone}
        return replace(self.release(gone), debounce_until=until)

    def moved(self, cell: str) -> "Fingers":
        """Note the finger that has just made a move, and may slide on."""
        return replace(self, sliding=frozenset({cell}))

    def _judge(self, beside: frozenset[str], repeat: bool, effect: Effect) -> Verdict:
        if repeat and effect.nothing:
            return Verdict.REPEAT
        if repeat and effect.enters_move:
            return Verdict.BOUNCE
        if effect.begins_move and beside:
            return Verdict.SLIDE
        if effect.begins_move and any(self.debounce_until.get(c) == inf for c in self.sliding):
            return Verdict.SECOND_STONE
        if effect.confirms_edit and beside & self.sliding:
            return Verdict.SLIDE_OFF
        return Verdict.TAP

    def _recent(self, now: float) -> dict[str, float]:
        return {spot: end for spot, end in self.debounce_until.items() if end > now}

    def _rejected(self, recent: Mapping[str, float]) -> dict[str, float]:
        return {spot: end for spot, end in self.rejected_until.items() if spot in recent}
