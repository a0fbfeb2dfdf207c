"""Somebody who acts at a board and waits for what it answers.

Owns the waiting for answers and for something to do, his patience, and how a stone is set or a key
pressed. Must not know the table's inner state, nor what he wants. Time comes in, in seconds; chance
is seeded.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random

from game.app.errors import AppError
from game.app.session import Snapshot
from game.app.soak.fingers import Fingers
from game.app.soak.sight import PAUSE, Sight, changed, went_on
from game.app.soak.traits import Traits
from game.app.soak.wish import Wish
from game.table.inputs import Command, Input
from game.table.scene import Cue

PATIENCE_S = 2.0
"""For so long a person waits for an answer, or to be shown what to do."""
TRIES = 3
"""So often he does as he is shown without seeing a change."""
BELIEVED_S = 1.6
"""So long after hands have moved the board shows what it makes of standing stones."""
KEY_PRESS_S = 0.15
AT_BOARD = 0.85
"""The chance to press a key of the game at the board, where it has one, instead of on the page."""


class Stuck(AppError):
    """A person does not know what the board waits for, or does as it says in vain."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """The answer that somebody waits for; `since` is when he was ready."""

    what: str
    answered: Callable[[Sight], bool]
    since: float
    until: float


class Actor(ABC):
    """See, act, and wait. `tell` hears what he does and why; `keys` are those of the board, and for
    commands without a key there is the page, which `ask` stands for, as `press` does for keys of
    the game, and `give` for whatever else a page hands over.

    `due` is when `act` wants to be called. `done` tells that the game has ended and the board is as
    it should be, `unplugged` that he has pulled the plug. `counts` are of his slips and waits,
    `longest_s` is his longest wait for an answer, `idle_s` since when he has nothing to do.
    """

    def __init__(
        self,
        fingers: Fingers,
        traits: Traits,
        rng: Random,
        *,
        feels_stones: bool,
        tell: Callable[[str], None],
        keys: frozenset[str],
        ask: Callable[[Command], None],
        press: Callable[[str], None],
        give: Callable[[Input], None],
    ) -> None:
        self.fingers = fingers
        self.traits = traits
        self.rng = rng
        self.feels_stones = feels_stones
        self.tell = tell
        self._keys = keys
        self._ask = ask
        self._press = press
        self.give = give
        self.due = inf
        self.done = False
        self.unplugged = False
        self.counts: Counter[str] = Counter()
        self.longest_s = 0.0
        self.tried: dict[str, str] = {}  # stones he has set, and has not seen taken as moves
        self.mistaken: dict[str, str] = {}  # stones he has taken that he was not told to
        self.blind: dict[str, float] = {}  # what he is shown and does not see until a time
        self.asked: set[str] = set()  # what is to be changed, and he has not seen to yet
        self.handled: set[str] = set()  # what he has changed by himself since his last move
        self.turning: set[str] = set()  # rings that he may have to turn
        self.wish: Wish | None = None  # the move that he wants to make
        self.turned_first = False  # a ring has been turned for it, and its key not pressed yet
        self.wishes = 0  # moves that he wants back by the key
        self.scrambled = False
        self.boards: list[dict[str, str]] = []
        self.sight: Sight | None = None
        self._awaited: Awaited | None = None
        self._vain = 0
        self._excused = False  # the board has paused since he acted
        self.idle_s: float | None = None

    def see(self, snapshot: Snapshot, now: float) -> None:
        """Take what is shown from now on."""
        first = self.sight is None
        self.sight = Sight.of(snapshot)
        self._excused = self._excused or PAUSE in self.sight.words
        awaited = self._awaited
        if awaited is not None:
            if awaited.answered(self.sight):
                self.longest_s = max(self.longest_s, now - awaited.since)
                self._awaited, self._vain = None, 0
                self.due = max(now, awaited.since) + self.fingers.span(self.traits.reaction_s)
        elif first or self.idle_s is not None:
            self.due = min(self.due, now + self.fingers.span(self.traits.reaction_s))

    def act(self, now: float) -> None:
        """Do what comes next; raise Stuck when nobody could know what."""
        if self.fingers.due < inf:
            # One thing after the other: whatever overlaps is one motion.
            self.due = self.fingers.ends_s
            return
        awaited, self._awaited = self._awaited, None
        if awaited is not None and self._excused:
            self._vain = 0
            self.tell(f"sees that the board pauses, and no answer to: {awaited.what}")
        elif awaited is not None:
            self._vain += 1
            self.counts["unanswered"] += 1
            self.tell(f"sees no answer to: {awaited.what}")
            if self._vain >= TRIES:
                raise Stuck(
                    f"did {self._vain} times as shown, the last time {awaited.what},"
                    f" and saw no change; allowed is an answer within {PATIENCE_S} s"
                )
        self.due = inf
        if self.sight is None:
            raise Stuck("is shown nothing at all; allowed is a board that lights up")
        if self.decide(self.sight, now):
            self.idle_s = None
        elif self.due == inf:
            self._wait_for_something(now)

    def wait(self, what: str, end: float, answered: Callable[[Sight], bool]) -> None:
        """Wait for an answer to a motion that ends at a time."""
        self.tell(what)
        self._awaited = Awaited(what, answered, end, end + PATIENCE_S)
        self._excused = self.sight is not None and PAUSE in self.sight.words
        self.due = end + PATIENCE_S

    def go_on(self, what: str, end: float) -> None:
        """Go on some time after a motion that needs no answer."""
        self.tell(what)
        self.due = end + self.fingers.span(self.traits.reaction_s)

    @property
    def careful(self) -> bool:
        """Tell whether he takes care now, because what he did before was in vain."""
        return self._vain > 0

    def start(self, now: float) -> float:
        """Give when a motion that is decided now begins at the board."""
        return now + self.fingers.span(self.traits.travel_s)

    def press_s(self) -> float:
        """Draw how long a finger stays down."""
        return self.fingers.span(self.traits.press_s)

    def place(self, cell: str, piece: str, sight: Sight, now: float) -> float:
        """Set a stone to make a move, and wait for what the board says; give the motion's end."""
        self.tried[cell] = piece
        end = self.fingers.put(cell, piece, self.start(now), self.press_s())
        self.wait(f"sets {piece} on {cell}", end, lambda seen: went_on(sight, seen, cell))
        return end

    def obey(self, cell: str, sight: Sight, now: float) -> float:
        """Do what the light of one cell asks for; give the motion's end."""
        lamp, desk = sight.lamps[cell], self.fingers.desk
        at, press_s = self.start(now), self.press_s()
        stands = desk.stones.get(cell)
        self.tried.pop(cell, None)
        if lamp.cue is Cue.REMOVE:
            what = f"takes {stands or 'nothing'} from {cell} as shown"
            if stands:
                end = self.fingers.take(cell, at, press_s)
            else:
                end = at if self.feels_stones else self.fingers.press(cell, at, press_s)
        else:
            piece = sight.page.get(cell) or sight.game.token(lamp.side or 1)
            what = f"puts {piece} on {cell} as shown"
            if stands and self.feels_stones:
                # The board must feel that the cell was empty: colours are nothing to it.
                end = self.fingers.take(cell, at, press_s)
                self.go_on(f"takes {stands} from {cell} to put {piece} there", end + BELIEVED_S)
                return end
            if stands == piece:
                end = self.fingers.press(cell, at, press_s)
            else:
                if stands:
                    at = self.fingers.take(cell, at, press_s, touch=False) + press_s
                end = self.fingers.put(cell, piece, at, press_s)
        self.wait(what, end, lambda seen: seen.lamps.get(cell) != lamp)
        return end

    def touch_again(self, cell: str, sight: Sight, now: float) -> None:
        """Touch a cell on which his stone stands, and which was not felt."""
        end = self.fingers.press(cell, self.start(now), self.press_s())
        self.wait(f"touches {cell} once more", end, lambda seen: went_on(sight, seen, cell))

    def press_key(self, command: Command, now: float) -> None:
        """Press a key, or the page's button where there is none, until anything happens."""
        before, end = self.sight, self.start(now)
        if command.value in self._keys:
            end = self.fingers.press(command.value, end, KEY_PRESS_S)
        else:
            self._ask(command)
        self.wait(f"presses {command.value}", end, lambda sight: changed(before, sight))

    def press_game_key(self, key: str, at: float) -> float:
        """Press a key of the game at the board, or on the page; give when that is done."""
        if key in self._keys and self.rng.random() < AT_BOARD:
            return self.fingers.press(key, at, self.press_s())
        self._press(key)
        return at

    def wake_up(self, fingers: Fingers, now: float) -> None:
        """Go on after the board was without power, with fingers on the same desk."""
        self.fingers = fingers
        self.unplugged, self.sight = False, None
        self._awaited, self._vain, self.idle_s = None, 0, None
        self.blind.clear()
        self.mistaken.clear()
        self.wishes = 0
        self.due = now + self.fingers.span(self.traits.reaction_s)

    def look_again(self, now: float) -> bool:
        """Wait until the board has had time to feel what hands have done; False when it has."""
        ready_s = self.fingers.done_s + (BELIEVED_S if self.feels_stones else 0.3)
        if now >= ready_s:
            return False
        self.due = ready_s
        return True

    @abstractmethod
    def decide(self, sight: Sight, now: float) -> bool:
        """Do the first thing that there is to do; False when there is none."""

    def _wait_for_something(self, now: float) -> None:
        """Wait to be shown what to do, but not for ever."""
        self.idle_s = now if self.idle_s is None else self.idle_s
        if now - self.idle_s > PATIENCE_S:
            sight = self.sight
            words = ", ".join(sorted(sight.words)) if sight else ""
            raise Stuck(
                f"has been shown nothing to do for more than {PATIENCE_S} s;"
                f" the words are: {words or 'none'}"
            )
        self.due = now + 0.5
