"""The state of the table: one immutable value, made of typed records, and what follows from it.

Each record names in its docstring the modules that change it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from game.rules.base.clocks import Clocks
from game.rules.base.edits import Edit, EditKind, cells_of, edits_between
from game.rules.base.game import AnyGame, MoveResult
from game.rules.base.grades import COACHED, Grades, Help, help_in
from game.rules.base.message import Message
from game.rules.base.situation import Situation, Taps
from game.rules.base.values import Advice, Flaw, Outcome
from game.rules.boards.fingers import Fingers
from game.table.entries import Agreement
from game.table.inputs import Command, ScoredMove, SearchResult
from game.table.phases import TRANSITIONS, Event, Phase

NOTICE_S = 6.0  # Time for which a notice is shown: long enough to read two short sentences
REJECTED_S = 2.5  # Time for which a rejected touch is flagged on its cell
UNKNOWN_PIECE = "?"
"""Code of a stone of unknown kind on a cell that should be empty. Games have no such piece."""


@dataclass(frozen=True, slots=True)
class Played:
    """One move of the game so far, with the position `before` it.

    `focus` is the cell that the move is about, "" if none; `turned` are the rings it turned.
    `faces` are the hidden pieces that it showed, by cell, or only the backs of these pieces for
    viewers who must no longer see them. `clocks` has the time that was left before it.
    """

    before: Any
    player: int
    text: str
    focus: str
    removed: tuple[str, ...]
    summary: Message
    turned: tuple[Edit, ...] = ()
    faces: Mapping[str, str] = field(default_factory=dict)
    clocks: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that is shown until a time; a `good` one is no warning."""

    message: Message
    until: float
    good: bool = False


@dataclass(frozen=True, slots=True)
class RejectedTouch:
    """A cell whose touch was rejected, flagged until a time, in seconds."""

    cell: str
    until: float


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A command that must be given once more in time, by the seat of a player, 0 for any."""

    command: Command
    until: float
    player: int = 0


@dataclass(frozen=True, slots=True)
class Notices:
    """Notices, and whether the game is saved. Changed by `reducer`, `table`, `touches`.

    `save_problem` is the trouble with saving; if it is only a warning, the game is still `saved`.
    """

    current: Notice | None = None
    rejected: RejectedTouch | None = None
    confirmation: Confirmation | None = None
    save_problem: Message | None = None
    saved: bool = True

    def clear(self) -> "Notices":
        return replace(self, current=None, rejected=None, confirmation=None)

    def expire(self, now: float) -> "Notices":
        """Drop everything whose time is over."""
        after, rejected, asked = self, self.rejected, self.confirmation
        if self.current is not None and now >= self.current.until:
            after = replace(after, current=None)
        if rejected is not None and now >= rejected.until:
            after = replace(after, rejected=None)
        return replace(after, confirmation=None) if asked and now >= asked.until else after

    def times(self) -> Iterator[float]:
        """Yield when something expires."""
        shown = (self.current, self.rejected, self.confirmation)
        return (each.until for each in shown if each is not None)


@dataclass(frozen=True, slots=True)
class SensedStones:
    """What people do by hand. Changed by `stones`, `table`, `touches`, and cleared by `reducer`.

    `sensed` are the cells with a sensed stone; None if the board senses touches only, or has not
    reported yet. `swapping` are cells where one piece must replace another. `moved_at` is the time
    of the last move after which people must look before they touch.
    """

    sensed: frozenset[str] | None = None
    swapping: frozenset[str] = frozenset()
    moved_at: float | None = None


@dataclass(frozen=True, slots=True)
class Faults:
    """What the board cannot sense. Changed by `table` and `stones`.

    While there are `reasons`, play pauses, and `cells` are not sensed. `masked` cells are never
    sensed. Stones on `unverified` cells may have changed while these were not sensed.
    With `warnings` alone, play goes on.
    """

    reasons: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()
    cells: frozenset[str] = frozenset()
    masked: frozenset[str] = frozenset()
    unverified: frozenset[str] = frozenset()

    @property
    def unread(self) -> frozenset[str]:
        """The cells whose readings do not show what people did."""
        return self.masked | self.unverified


@dataclass(frozen=True, slots=True)
class RingTurn:
    """A ring that is being turned `steps` clockwise, shown until a time."""

    ring: str
    steps: int
    until: float


@dataclass(frozen=True, slots=True)
class PositionDraft:
    """A position that is being set up. Changed by `setup`.

    `brush` is the piece that the next touch sets. `stood` has the pieces on the board at its start.
    `flaw` is the reason why these pieces cannot stand together.
    """

    pieces: Mapping[str, str]
    brush: str
    to_move: int
    score: tuple[int, ...]
    stood: Mapping[str, str]
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The cells on which a player has set pieces, under a cover, in the order of their list."""

    player: int
    cells: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Setups:
    """Pieces that players lay out in secret. Changed by `setup` and `reducer`.

    `submitted` are the moves of players who are done, by player; only that player may see a move.
    `on_board` is the set-up that is being made on the board. `seated` are the players whose sides
    are held by a device of their own.
    """

    submitted: Mapping[int, str] = field(default_factory=dict, repr=False)
    on_board: BoardSetup | None = None
    seated: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class EngineState:
    """What the engine offers and has answered. Changed by `players`, `commands` and `reducer`.

    `levels` are the available computer players, easiest first. `result` is the latest search of a
    computer player, perhaps of an earlier position; `unavailable` is the reason why the engine does
    not answer. `hinting` means that `hints` for the player to move are requested. `judged` is the
    latest judgement of who stands better in this game. At a `shared` table the moves of OTHER_BOARD
    come as results too, and people here must not make them. At any other table they may, so that a
    game can go on without the other board.
    """

    levels: tuple[str, ...] = ()
    result: SearchResult | None = None
    unavailable: Message | None = None
    hinting: bool = False
    hints: tuple[ScoredMove, ...] = ()
    judged: SearchResult | None = None
    shared: bool = False

    def without_hints(self) -> "EngineState":
        return replace(self, hinting=False, hints=())


@dataclass(frozen=True, slots=True)
class Coach:
    """What the coach has found and shown. Changed by `players`, `reducer` and `commands`.

    `ideas` are the ideas for the `position`, the most useful first, and `shown` is one of them.
    `known` is, by player and key of an idea, how well the player knows it. `silent` is the number
    of turns since an idea was shown.
    """

    position: Any = None
    ideas: tuple[Advice, ...] = ()
    shown: Advice | None = None
    known: Mapping[tuple[int, str], int] = field(default_factory=dict)
    silent: int = 9


@dataclass(frozen=True, slots=True)
class Guidance:
    """A position's graded moves, and the looks at them. Changed by `table`, `touches`, `players`.

    `looks` are the taps whose grades the player to move has seen. `held` are the taps of a blunder
    that was held back once, `why` is the reason, None once the player took the move back, and
    `answer` is the reply that makes it a blunder.
    """

    position: Any = None
    grades: Grades = field(default_factory=dict)
    looks: frozenset[Taps] = frozenset()
    held: Taps = ()
    why: Message | None = None
    answer: MoveResult[Any, Any] | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole state of the table.

    The entries determine `situation`, `options`, `history`, `outcome`, `names` and `computers` (a
    level per player, "" for a person; empty if all are people): only `reducer` changes these.
    `standing` has the pieces on the board by cell, as sensed or touched. `rebuilding`
    means that people lay out the whole board; `showing_faces` that people still look at the faces
    that the last move uncovered. `taps` are the touches of a move that is being entered. `cursor`
    is the masked cell that the cell key touches, "" if none; `board_keys` are the board's own keys.
    `menu_return_phase` is the phase before the menu, None if it opened by itself; a `menu_of_help`
    offers levels of help; `lesson_wanted` that its tutorial was chosen. `undone` are the moves that
    *Redo* restores, the next one last. `clocks` is None in a game without clocks.
    `viewer` is the player for whose seat this view was made; None for the full state or spectators.
    """

    phase: Phase
    situation: Situation
    options: Mapping[str, str]
    standing: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Played, ...] = ()
    undone: tuple[str, ...] = ()
    outcome: Outcome | None = None
    agreement: Agreement = field(default_factory=Agreement)
    clocks: Clocks | None = None
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    rebuilding: bool = False
    showing_faces: bool = False
    taps: tuple[str, ...] = ()
    inspecting: str = ""
    cursor: str = ""
    draw_until: float | None = None
    menu_return_phase: Phase | None = None
    ring_turn: RingTurn | None = None
    draft: PositionDraft | None = None
    fingers: Fingers = field(default_factory=Fingers)
    hands: SensedStones = field(default_factory=SensedStones)
    faults: Faults = field(default_factory=Faults)
    notices: Notices = field(default_factory=Notices)
    setups: Setups = field(default_factory=Setups)
    engine: EngineState = field(default_factory=EngineState)
    coach: Coach = field(default_factory=Coach)
    guidance: Guidance = field(default_factory=Guidance)
    menu_of_help: bool = False
    lesson_wanted: bool = False
    board_keys: frozenset[str] = frozenset()
    viewer: int | None = None
    game: AnyGame = field(init=False, compare=False, repr=False)
    position: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", self.situation.game)
        object.__setattr__(self, "position", self.situation.position)

    @property
    def senses_stones(self) -> bool:
        """Whether the board senses standing stones, and has reported them."""
        return self.hands.sensed is not None

    @property
    def hides(self) -> bool:
        """Whether information is hidden: in a game that hides pieces, before its end."""
        return self.game.hidden and self.outcome is None

    @property
    def ended_by_people(self) -> bool:
        """Whether a player resigned or lost on time, or both agreed on a draw."""
        return self.outcome is not None and self.situation.outcome is None

    @property
    def menu_offered(self) -> bool:
        """Whether the menu opened by itself, as nothing was chosen yet."""
        return self.phase is Phase.MENU and self.menu_return_phase is None

    def called(self, player: int) -> Message:
        """Return the word for a player, such as the side they play."""
        return self.game.presentation.called(self.position, player)

    @property
    def levels(self) -> tuple[str, ...]:
        """The level at which a computer plays for each player, "" for a person."""
        return self.computers or ("",) * len(self.game.players)

    @property
    def all_names(self) -> tuple[str, ...]:
        """Each player's name, "" for one without."""
        return self.names or ("",) * len(self.game.players)

    def level_of(self, player: int | None) -> str:
        """Return the level at which a computer plays for a player, "" for a person."""
        return self.computers[player - 1] if player is not None and self.computers else ""

    @property
    def helps(self) -> tuple[Help, ...]:
        """The help of each player: none for computers, nor in a strict game."""
        levels = "" if self.agreement.strict else self.agreement.help_levels
        if not levels:
            return (Help(),) * len(self.game.players)
        found = help_in(levels, len(self.game.players))
        return tuple(Help() if self.level_of(n) else each for n, each in enumerate(found, start=1))

    @property
    def guided(self) -> Guidance:
        """What is known of the moves of the present position."""
        known = self.guidance.position is self.position
        return self.guidance if known else Guidance(self.position)

    @property
    def coached(self) -> bool:
        """Whether the coach helps a player."""
        return any(each.level >= COACHED for each in self.helps)

    @property
    def you(self) -> int | None:
        """The player whom messages address: the viewer, else the only person who plays; or None."""
        people = [n for n, level in enumerate(self.levels, start=1) if not level]
        return self.viewer or (people[0] if len(people) == 1 else None)

    @property
    def waits(self) -> bool:
        """Whether the viewer waits for another person, who moves or carries out a move."""
        if self.viewer is None or self.outcome is not None or self.draft is not None:
            return False
        turn = self.turn
        return turn not in (None, self.viewer) and not self.level_of(turn)

    @property
    def expected(self) -> Mapping[str, str]:
        """The expected pieces by cell: those of the draft, else of the position."""
        return self.situation.pieces if self.draft is None else self.draft.pieces

    @property
    def pending(self) -> tuple[Edit, ...]:
        """The edits that people must still make: rings first, then cells in the board's order.

        If stones are sensed, there are only edits of cells, not turns of rings.
        """
        if self.draft is not None:
            return edits_between(self.standing, self.draft.pieces, self.game.board)
        situation, sensed = self.situation, self.senses_stones
        if self.outcome is None and situation.arrangers:
            return ()
        edits = situation.edits_from(self.standing, () if sensed else self.game.keys)
        if self.outcome is None or not sensed:
            return edits
        # After the end, players put the stones away.
        return tuple(edit for edit in edits if edit.kind is not EditKind.PUT)

    @property
    def arranging(self) -> bool:
        """Whether some player still has to lay out pieces before play begins."""
        return self.outcome is None and self.draft is None and bool(self.situation.arrangers)

    @property
    def still_arranging(self) -> tuple[int, ...]:
        """The players who have not submitted a set-up, in the order of their moves."""
        if not self.arranging:
            return ()
        first, done = self.situation.to_move or 1, self.setups.submitted
        left = (each for each in self.situation.arrangers if each not in done)
        # The player to move comes first, then those after them.
        return tuple(sorted(left, key=lambda each: (each < first, each)))

    def after(self, event: Event) -> "State":
        """Return the state in the phase after an event; raises KeyError if it cannot come now."""
        following = TRANSITIONS[self.phase][event]
        return replace(self, phase=self.resting if following is None else following)

    @property
    def resting(self) -> Phase:
        """The phase when nothing else was requested."""
        return next(phase for phase, holds in RESTING.items() if holds(self))

    @property
    def turn(self) -> int | None:
        """The player who must act, or has won; None while the beginner is drawn."""
        if self.phase is Phase.DRAW:
            return None
        if self.draft is not None:
            return self.draft.to_move
        if self.outcome is not None:
            return self.outcome.winner
        if self.arranging:
            if self.setups.on_board is not None:
                return self.setups.on_board.player
            return next(iter(self.still_arranging), self.situation.to_move)
        if self.after_last_move:
            # A turn lasts until the pieces that it took are off the board.
            return self.history[-1].player
        return self.situation.to_move

    @property
    def after_last_move(self) -> bool:
        """Whether people have not yet removed or turned what the last move requires.

        If stones are sensed, people may disturb other cells meanwhile.
        """
        if not self.history or self.draft is not None or not (edits := self.pending):
            return False
        last, board = self.history[-1], self.game.board
        pending = {cell for edit in edits for cell in cells_of(edit, board)}
        theirs = {cell for edit in last.turned for cell in board.rings[edit.cell]}
        busy = pending & (theirs | set(last.removed) | last.faces.keys())
        return bool(busy) and (busy == pending or self.senses_stones)


RESTING: Mapping[Phase, Callable[[State], bool]] = {
    Phase.SHOW: lambda state: state.showing_faces,
    Phase.OVER: lambda state: state.outcome is not None,
    Phase.ARRANGE: lambda state: state.arranging,
    Phase.TAP: lambda state: not state.pending,
    Phase.CONFIRM: lambda state: state.rebuilding and not state.senses_stones,
    Phase.EDIT: lambda state: True,
}
"""The condition of each phase; a state at rest is in the first phase whose condition holds."""
