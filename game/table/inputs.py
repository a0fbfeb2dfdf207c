"""The inputs of the table: sensor readings and people's requests; and which touches count.

Time is passed separately, as `now` in seconds. `Fingers` turns touches into taps: it rejects
bounces and slides, and tells taps from holds. It knows no phase; `Effect` is what a touch would do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from typing import Any

from game.rules.base.message import Message, say
from game.table.entries import Entry


class Command(Enum):
    """The requests that people make by a key or on the page; the values are the keys' names."""

    NEW_GAME = "new_game"
    TAKE_BACK = "take_back"
    REDO = "redo"
    """Redo what was taken back last."""
    RESIGN = "resign"
    DRAW = "draw"
    """Agree on a draw."""
    NEXT_CELL = "next_cell"
    """Move the cursor to the next masked cell that can be touched now."""
    TOUCH_CELL = "touch_cell"
    """Touch the cell under the cursor."""
    CONFIRM = "confirm"
    """Confirm that the board matches, as after a restart; at any other time, start such a check."""
    SET_UP = "set_up"
    """Set up a position; while one is being set up, begin with an empty board."""
    HINT = "hint"
    """Show the best moves, or hide them."""
    COACH = "coach"
    """Turn the coach, which comments on positions, on or off."""
    MENU = "menu"
    """Choose computer players on the board itself, or close this menu."""


class Phrase(Enum):
    """A phrase that one board can send to another."""

    HELLO = "hello"
    ONE_MOMENT = "one_moment"
    WELL_PLAYED = "well_played"
    GOOD_GAME = "good_game"
    THANK_YOU = "thank_you"

    @property
    def words(self) -> Message:
        """The message that people read."""
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
    """Send a phrase to the other board."""

    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Touched:
    """A finger or a stone came down on a cell, or on a key that belongs to the game."""

    spot: str


@dataclass(frozen=True, slots=True)
class Performed:
    """A program that stands in for hands did what is asked on a cell, or with a key or a ring.

    No finger was involved, so there are no bounces and slides.
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
    """Exactly these cells have stones; sent at the start and at every change (presence)."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultsChanged:
    """The board cannot sense these cells now, or has another fault; none if there are no `reasons`.

    `warnings` are about faults that do not stop play.
    """

    cells: frozenset[str]
    reasons: tuple[Message, ...]
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class MaskChanged:
    """Exactly these cells are masked, not sensed; sent at the start and at every change."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """People gave a command by a key or on a page; `player` is the page's seat, 0 for none."""

    command: Command
    player: int = 0


@dataclass(frozen=True, slots=True)
class Dismissed:
    """People answer no to the request to confirm a command."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Whether the game is saved; `trouble` is the reason why not, None if it is saved.

    If the trouble is only a warning, the game is `safe`.
    """

    trouble: Message | None
    safe: bool = False


@dataclass(frozen=True, slots=True)
class SetNames:
    """Set the players' names: one per player, "" for none."""

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
    """Set the computer players: one level's name per player, "" for a person."""

    computers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a new game; a field that is None stays unchanged.

    `options` also apply to all later games; without `first`, the beginner is drawn.
    """

    options: Mapping[str, str] | None = None
    computers: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


REPEAT = StartGame()
"""The same players begin another game with the same options."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Entries that another board and this one have agreed on; recorded unless the rules forbid."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """Show a message to all players for a while; a `good` one is no warning."""

    message: Message
    good: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move, by its plain text, and its player's expected score, from 0 to 1.

    `decided` means that the score is proved.
    """

    move: str
    value: float
    decided: bool = False


JUDGE = "judge"
"""In place of a level: a search for who stands better."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: moves of a position, best first.

    Positions are compared by ==. `level` is the computer player's; "" means hints for a person, and
    JUDGE that only the score counts.
    """

    position: Any
    level: str
    moves: tuple[ScoredMove, ...]


@dataclass(frozen=True, slots=True)
class EngineUnavailable:
    """The reason why the engine does not answer; None if it answers again."""

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
"""Time within which a command must be given a second time to count."""
DEBOUNCE_S = 0.5
"""A touch within this time after a finger has left the same cell is by the same finger."""
SLIDE_S = 0.1
"""A touch within this time after a finger has left a neighbouring cell is by the same finger.

A finger that slides touches the next cell before, or just after, it leaves the last one; a tap or
a click comes after a finger was lifted."""


class Verdict(Enum):
    """Whether a touch counts, and the reason if it does not."""

    TAP = auto()
    REPEAT = auto()
    """The same finger again, where a touch has no effect: ignore it."""
    BOUNCE = auto()
    """The same finger again, where it would enter a move."""
    SLIDE = auto()
    """A finger slid here from a neighbouring cell, and would begin a move."""
    SECOND_STONE = auto()
    """The finger that made the last move still rests, and another finger would begin a move."""
    SLIDE_OFF = auto()
    """The finger that made the last move slid here, and would confirm an edit."""

    @property
    def rejected(self) -> bool:
        """Whether the table shows why the touch does not count."""
        return self not in (Verdict.TAP, Verdict.REPEAT)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a touch of a cell if it counts; `nothing` if it has no effect there."""

    enters_move: bool = False
    begins_move: bool = False
    confirms_edit: bool = False
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Fingers:
    """Fingers on the board, and fingers that have just left it.

    `debounce_until` is when a touch of a spot counts as a new one; infinite while a finger is
    down on a cell. `rejected_until` is the same for spots where the last touch was rejected.
    `sliding` are the cells of the finger that made the last move. `down` are touches of pieces
    that may become a hold; those also in `repeats` are ignored if they do not.
    """

    debounce_until: Mapping[str, float] = field(default_factory=dict)
    rejected_until: Mapping[str, float] = field(default_factory=dict)
    sliding: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()
    repeats: frozenset[str] = frozenset()

    def is_repeat(self, cell: str, now: float) -> bool:
        """Return whether a touch of a cell is by the finger whose touch there just counted."""
        return self.debounce_until.get(cell, -inf) > now < self.rejected_until.get(cell, inf)

    def beside(self, neighbours: Iterable[str], now: float) -> frozenset[str]:
        """Return the neighbouring cells that a finger touches or has just left."""
        since = now + DEBOUNCE_S - SLIDE_S
        return frozenset(each for each in neighbours if self.debounce_until.get(each, -inf) > since)

    def touch(
        self, cell: str, neighbours: Iterable[str], effect: Effect, now: float
    ) -> tuple["Fingers", Verdict]:
        """Handle a touch of a cell; return the fingers after it and whether it counts."""
        beside, repeat = self.beside(neighbours, now), self.is_repeat(cell, now)
        verdict = self._judge(beside, repeat, effect)
        recent = self._recent(now)
        rejected = {each: end for each, end in self._rejected(recent).items() if each != cell}
        if verdict.rejected:
            # A rejected touch does not extend the debounce, so repeated tries succeed in the end.
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
        """Handle a touch of a cell without checks for bounces and slides."""
        return replace(self, debounce_until={**self._recent(now), cell: inf})

    def press(self, key: str, now: float) -> tuple["Fingers", bool]:
        """Handle a press of a key; return the fingers after it and whether it counts.

        Only a press that counted starts a debounce, so repeated tries succeed in the end.
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
        """Handle a lift; return the fingers after it and whether a hold was still possible."""
        until = self.debounce_until
        if spot in until and not (is_key and spot in self.rejected_until):
            until = {**until, spot: now + DEBOUNCE_S}
        pending = spot in self.down and spot not in self.repeats
        return replace(self.release({spot}), debounce_until=until), pending

    def wait_for_hold(self, cell: str, repeat: bool = False) -> "Fingers":
        """Record a touch of a piece that may become a hold."""
        repeats = self.repeats | {cell} if repeat else self.repeats
        return replace(self, down=self.down | {cell}, repeats=repeats)

    def release(self, cells: Iterable[str]) -> "Fingers":
        """Stop waiting for a hold on these cells."""
        gone = frozenset(cells)
        return replace(self, down=self.down - gone, repeats=self.repeats - gone)

    def release_all(self) -> "Fingers":
        """Stop waiting for any hold."""
        return replace(self, down=frozenset(), repeats=frozenset())

    def forget(self, cells: Iterable[str]) -> "Fingers":
        """Forget fingers on cells that are no longer sensed."""
        gone = frozenset(cells)
        until = {each: end for each, end in self.debounce_until.items() if each not in gone}
        return replace(self.release(gone), debounce_until=until)

    def moved(self, cell: str) -> "Fingers":
        """Record that the finger on a cell has just made a move, and may slide on."""
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
