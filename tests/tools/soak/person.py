"""A person who acts at a board and waits for its answers.

Owns what a person remembers, their patience, and their single motions. Must not know the table's
inner state, nor what to do next (`player`). Time comes in, in seconds; chance is seeded.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from random import Random

from game.common import AppError
from game.play import Session, Snapshot
from game.table.inputs import Asked, Command, Touched
from game.table.scene import Cue
from tests.tools.soak.hands import Fingers, Span, Traits, differences
from tests.tools.soak.intended_move import Move
from tests.tools.soak.view import PAUSE, View

PATIENCE_S = 2.0
"""Longest wait for an answer, or to be shown what to do."""
LONGEST_PAUSE_S = 30.0
TRIES = 3
"""Times that a person does as shown without seeing a change."""
SETTLED_S = 1.6
"""Time from the last motion until the board has taken notice of standing stones."""
KEY_PRESS_S = 0.15
AT_BOARD = 0.85
"""Chance to press a key of the game at the board, where it has one, instead of on the page."""

Answered = Callable[[View], bool]


@dataclass(eq=False)
class Person:
    """See, act, and wait. `log` takes what they do; `keys` are the keys of the board.

    Commands and game keys that the board lacks are given to the session, as its page would.
    `looks` returns what they perceive of a snapshot, None for nothing new.
    `settled` is called whenever the board should be right. `due` is when `act` wants to be called.
    `done` tells that the game is over and the board right, `unplugged` that they have pulled the
    plug. `counts` are of slips and waits, `longest_s` is the longest wait for an answer, `idle_s`
    since when there is nothing to do.
    """

    fingers: Fingers
    session: Session
    traits: Traits
    rng: Random
    feels_stones: bool
    keys: frozenset[str]
    log: Callable[[str], None]
    settled: Callable[[], None]
    looks: Callable[[Snapshot], View | None] = View.of
    now: float = 0.0
    due: float = inf
    done: bool = False
    unplugged: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0
    idle_s: float | None = None
    intended: Move | None = None
    unconfirmed: dict[str, str] = field(default_factory=dict)
    """Stones set, and not seen taken as moves yet."""
    taken_wrongly: dict[str, str] = field(default_factory=dict)
    """Stones taken that should have stayed."""
    overlooked: dict[str, float] = field(default_factory=dict)
    """Cells whose light they do not see until a time."""
    to_check: set[str] = field(default_factory=set)
    """Cells that may have to be changed."""
    touched: set[str] = field(default_factory=set)
    """Cells changed on their own account since the last move."""
    rings_to_check: set[str] = field(default_factory=set)
    key_pending: bool = False
    """A ring has been turned, and its key not been pressed yet."""
    take_backs: int = 0
    """Moves to take back by the key."""
    knocked_over: bool = False
    _view: View | None = None
    _awaited: tuple[str, Answered, float] | None = None
    """The answer that they wait for: what they did, the test of an answer, and when they ended."""
    failures: int = 0
    """Actions in a row that had no effect; people take care after one."""
    _paused: bool = False  # the board has paused since the last action

    @property
    def view(self) -> View:
        """What is shown now; raise AppError if it is nothing."""
        if self._view is None:
            raise AppError("is shown nothing at all; allowed is a board that lights up")
        return self._view

    @property
    def stones(self) -> Mapping[str, str]:
        return self.fingers.stones

    def differences(self) -> dict[str, tuple[str, str]]:
        """Compare what stands with the page."""
        return differences(self.stones, self.view.page)

    def see(self, snapshot: Snapshot, now: float) -> None:
        first, view = self._view is None, self.looks(snapshot)
        if view is None:
            return
        self._view = view
        self.to_check |= view.to_do().keys()
        self._paused = self._paused or PAUSE in view.words
        if self._awaited is None:
            if first or self.idle_s is not None:
                self.due = min(self.due, now + self.draw_s(self.traits.reaction_s))
            return
        _, answered, since_s = self._awaited
        if answered(view):
            self.longest_s = max(self.longest_s, now - since_s)
            self._awaited, self.failures = None, 0
            self.due = max(now, since_s) + self.draw_s(self.traits.reaction_s)

    def act(self, now: float) -> None:
        """Do what comes next; raise AppError when that cannot be known."""
        if self.fingers.due < inf:
            # One thing after the other: whatever overlaps is one motion.
            self.due = self.fingers.ends_s
            return
        self.now = now
        if self._awaited is not None:
            self._miss_answer(self._awaited[0])
            self._awaited = None
        self.due = inf
        if self.decide():
            self.idle_s = None
        elif self.due == inf:
            self._wait_idle()

    def _miss_answer(self, what: str) -> None:
        if self._paused:
            self.failures = 0
            self.log(f"sees that the board pauses, and no answer to: {what}")
            return
        self.failures += 1
        self.counts["unanswered"] += 1
        self.log(f"sees no answer to: {what}")
        if self.failures >= TRIES:
            raise AppError(
                f"did {self.failures} times as shown, the last time {what},"
                f" and saw no change; allowed is an answer within {PATIENCE_S} s"
            )

    def decide(self) -> bool:
        """Do the first thing that there is to do; False when there is none."""
        raise NotImplementedError

    def _wait_idle(self) -> None:
        self.idle_s = self.now if self.idle_s is None else self.idle_s
        longest_s = LONGEST_PAUSE_S if PAUSE in self.view.words else PATIENCE_S
        if self.now - self.idle_s > longest_s:
            raise AppError(
                f"has been shown nothing to do for more than {longest_s} s;"
                f" the words are: {', '.join(sorted(self.view.words)) or 'none'}"
            )
        self.due = self.now + 0.5

    def power_up(self, session: Session, now: float) -> None:
        self.session = session
        self.unplugged, self._view = False, None
        self._awaited, self.failures, self.idle_s = None, 0, None
        self.overlooked.clear()
        self.taken_wrongly.clear()
        self.take_backs = 0
        self.due = now + self.draw_s(self.traits.reaction_s)

    # Time

    def draw_s(self, span: Span) -> float:
        return self.rng.uniform(*span)

    def start(self) -> float:
        return self.now + self.draw_s(self.traits.travel_s)

    def press_s(self) -> float:
        return self.draw_s(self.traits.press_s)

    def wait(self, what: str, end: float, answered: Answered) -> bool:
        self.log(what)
        self._awaited = what, answered, end
        self._paused = PAUSE in self.view.words
        self.due = end + PATIENCE_S
        return True

    def go_on(self, what: str, end: float) -> bool:
        self.log(what)
        self.due = end + self.draw_s(self.traits.reaction_s)
        return True

    def answer(self, *spots: str) -> Answered:
        """Return a test of the answer to a touch of any of these spots."""
        before = self.view
        return lambda seen: any(seen.answers(before, spot) for spot in spots)

    def change(self) -> Answered:
        before = self.view
        return lambda seen: seen.differs(before)

    def new_light(self, cell: str) -> Answered:
        lamp = self.view.lamps.get(cell)
        return lambda seen: seen.lamps.get(cell) != lamp

    def look_again(self) -> bool:
        """Wait until the board has had time to notice the last motion; False when it has."""
        ready_s = self.fingers.done_s + (SETTLED_S if self.feels_stones else 0.3)
        if self.now >= ready_s:
            return False
        self.due = ready_s
        return True

    # Motions; each begins at `at`, or soon, and returns its end.

    def put(self, cell: str, piece: str, at: float | None = None, *, touch: bool = True) -> float:
        return self.fingers.put(cell, piece, at or self.start(), self.press_s(), touch)

    def take(self, cell: str, at: float | None = None, *, touch: bool = True) -> float:
        return self.fingers.take(cell, at or self.start(), self.press_s(), touch)

    def press(self, spot: str, at: float | None = None) -> float:
        return self.fingers.press(spot, at or self.start(), self.press_s())

    def press_game_key(self, key: str, at: float) -> float:
        """Press a key of the game at the board, or on the page."""
        if key in self.keys and self.rng.random() < AT_BOARD:
            return self.press(key, at)
        self.session.give(Touched(key))
        return at

    def press_key(self, command: Command) -> bool:
        """Press a key, or the page's button where there is none, and wait for any change."""
        end = self.start()
        if command.value in self.keys:
            end = self.fingers.press(command.value, end, KEY_PRESS_S)
        else:
            self.session.give(Asked(command))
        return self.wait(f"presses {command.value}", end, self.change())

    def place(self, cell: str, piece: str, at: float | None = None) -> float:
        """Set a stone to make a move, and wait for the answer."""
        self.unconfirmed[cell] = piece
        end = self.put(cell, piece, at)
        self.wait(f"sets {piece} on {cell}", end, self.answer(cell))
        return end

    def obey(self, cell: str) -> float:
        """Do what a light asks for, and wait until it changes."""
        view, lamp, at = self.view, self.view.lamps[cell], self.start()
        stands = self.stones.get(cell)
        self.unconfirmed.pop(cell, None)
        if lamp.cue is Cue.REMOVE:
            what = f"takes {stands or 'nothing'} from {cell} as shown"
            if stands:
                end = self.take(cell, at)
            else:
                end = at if self.feels_stones else self.press(cell, at)
            self.wait(what, end, self.new_light(cell))
            return end
        piece = view.page.get(cell) or view.game.presentation.token(lamp.side or 1)
        if stands and self.feels_stones:
            # The board must sense an empty cell in between: it cannot tell colours.
            end = self.take(cell, at)
            self.go_on(f"takes {stands} from {cell} to put {piece} there", end + SETTLED_S)
            return end
        if stands == piece:
            end = self.press(cell, at)
        else:
            at = self.take(cell, at, touch=False) + 0.1 if stands else at
            end = self.put(cell, piece, at)
        self.wait(f"puts {piece} on {cell} as shown", end, self.new_light(cell))
        return end
