"""Board events become inputs of the table; faults become messages, and lines of the log.

Also the queue of what pages ask.
"""

import logging
import threading
from collections import deque
from math import inf
from queue import Full
from typing import Generic, TypeVar

from game.play.power_key import SHUTDOWN_KEY
from game.rules.base.message import Message, say
from game.table import inputs
from game.table.inputs import Asked, Command
from hal.base import events
from hal.base.events import CellTouch, Event, Fault, KeyTouch, Moment, Palm, Standing, Trouble

T = TypeVar("T")

log = logging.getLogger(__name__)

CALM_S = 60.0
"""How long a fault must be gone before its end is logged: one that comes and goes fills no log."""

CELL_KEY = "cell"
"""The key for masked cells: a press moves on to the next one, a long press touches it."""
_COMMANDS = {**{command.value: command for command in Command}, CELL_KEY: Command.NEXT_CELL}
_TOUCHES: dict[Moment, type[inputs.Touched | inputs.Held | inputs.Lifted]] = {
    Moment.DOWN: inputs.Touched,
    Moment.HELD: inputs.Held,
    Moment.UP: inputs.Lifted,
}
_WHEN_HELD = {
    Command.RESIGN.value: Command.SET_UP,
    Command.NEW_GAME.value: Command.MENU,
    Command.HINT.value: Command.COACH,
    CELL_KEY: Command.TOUCH_CELL,
}
"""Commands of keys that are held; a shorter press gives the key's first command, on release."""
KEY_ECHO_S = 0.5  # How long after its release such a key is ignored: longer than any contact bounce


class InputMapper:
    """Translates the events of one board; remembers which keys are pressed."""

    def __init__(self) -> None:
        self._let_go: dict[str, float] = {}
        self._pressed: set[str] = set()

    def read(self, event: Event, now: float) -> inputs.Input | None:
        """Return the input for an event at time `now`, in seconds; None if it has none."""
        match event:
            case CellTouch(cell, moment):
                return _TOUCHES[moment](cell)
            case KeyTouch(key) if key == SHUTDOWN_KEY:
                # The session handles this key; the table ignores it.
                return None
            case KeyTouch(key, moment) if key in _WHEN_HELD:
                return self._with_two_meanings(key, moment, now)
            case KeyTouch(key, Moment.DOWN) if key in _COMMANDS:
                return Asked(_COMMANDS[key])
            case KeyTouch(key, moment) if key not in _COMMANDS:
                # A key of the game, if it has one of that name; holding it means nothing.
                return None if moment is Moment.HELD else _TOUCHES[moment](key)
            case Palm(cells):
                return inputs.PalmDetected(cells)
            case Standing(cells):
                return inputs.StonesChanged(cells)
            case events.FaultReport(faults):
                cells = frozenset().union(*(fault.cells for fault in faults))
                pins = tuple(reason(each) for each in faults if each.trouble is Trouble.PIN)
                others = tuple(reason(each) for each in faults if each.trouble is not Trouble.PIN)
                return inputs.FaultsChanged(cells, others, pins)
        return None

    def _with_two_meanings(self, key: str, moment: Moment, now: float) -> inputs.Input | None:
        """Ignore bounces of all but CELL_KEY: some commands are confirmed by the same key."""
        match moment:
            case Moment.DOWN if key == CELL_KEY or now - self._let_go.get(key, -inf) >= KEY_ECHO_S:
                self._pressed.add(key)
            case Moment.HELD:
                self._pressed.discard(key)
                return Asked(_WHEN_HELD[key])
            case Moment.UP:
                self._let_go[key] = now
                if key in self._pressed:
                    self._pressed.discard(key)
                    return Asked(_COMMANDS[key])
        return None


def reason(fault: Fault) -> Message:
    if fault.trouble is Trouble.PIN:
        if fault.keys:
            return say("fault.key_pin", key=min(fault.keys), pin=fault.part)
        return say("fault.line_pin", pin=fault.part)
    return say(f"fault.{fault.trouble.value}", part=fault.part)


class FaultLog:
    """Log the faults of one board: when they begin, and when they have been gone for CALM_S."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Trouble, str], tuple[Fault, float]] = {}

    def take(self, faults: tuple[Fault, ...], now: float) -> None:
        """Record all faults at time `now`, in seconds; call it at every step."""
        for fault in faults:
            which = fault.trouble, fault.part
            if which not in self._seen:
                log.warning("%s", fault.detail)
            self._seen[which] = fault, now
        for which, (fault, at) in tuple(self._seen.items()):
            if now >= at + CALM_S:
                log.warning("no longer: %s", fault.detail)
                del self._seen[which]


MAX_EACH = 128
"""Items of one source that may wait: more than a page may send in a second, so that none is
refused on a board that keeps up."""


class InputQueue(Generic[T]):
    """A queue of which each source may fill a part; thread-safe."""

    def __init__(self) -> None:
        self._items: deque[tuple[T, str]] = deque()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._items)

    def put(self, item: T, source: str) -> None:
        """Add an item; raises `queue.Full` if MAX_EACH of its source wait already."""
        with self._lock:
            if sum(source == other for _, other in self._items) >= MAX_EACH:
                raise Full
            self._items.append((item, source))

    def take(self, most: int) -> list[T]:
        """Remove and return at most `most` items, oldest first."""
        with self._lock:
            return [self._items.popleft()[0] for _ in range(min(most, len(self._items)))]
