"""Maps board events to inputs of the table, and faults to messages and lines of the log.

Also the queue of requests from pages, and the key that switches the board off when it is held.
"""

import logging
import threading
from collections import deque
from collections.abc import Mapping
from enum import Enum
from math import inf
from queue import Full
from typing import Generic, TypeVar

from game.rules.base.message import Message, say
from game.table import inputs
from game.table.inputs import Asked, Command
from hal.base import events
from hal.base.events import CellTouch, Event, Fault, KeyTouch, Moment, Palm, Standing, Trouble
from hal.lights import DARK, FRAMES_PER_S, WHITE, Glow, Layer

T = TypeVar("T")

log = logging.getLogger(__name__)

CALM_S = 60.0
"""How long a fault must be gone before its end is logged: one that comes and goes fills no log."""

SHUTDOWN_KEY = "shutdown"
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
        """Ignore bounces, except of CELL_KEY: a bounce could confirm the key's own command."""
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


HOLD_S = 3.0  # How long the key must be held to switch off
READY_S = 2.0  # How long after the start a pressed key counts as stuck, until it is released once
NOTICE_S = 6.0  # How long the hint about holding the key is shown after a short press

_OUT, _FRONT = Glow(DARK), Glow(WHITE)


class HoldState(Enum):
    """States of the key that switches off when it is held, and all transitions between them.

    fresh   since the start: the key may be stuck           -> idle when it is up after READY_S
    idle                                                    -> held when it is pressed
    held    the lights go out one by one                    -> off after HOLD_S, else idle when
                                                               it is released or not sensed
    off     for good
    """

    FRESH = "fresh"
    IDLE = "idle"
    HELD = "held"
    OFF = "off"


class PowerKey:
    """Follow one key; `hold` is its state, and `notice` the message about it to show."""

    def __init__(self) -> None:
        self.hold = HoldState.FRESH
        self.notice: Message | None = None
        self.share = 0.0  # The elapsed part of a hold, 0 to 1
        self._until_s = inf  # The end of what the state or the notice waits for

    def update(self, pressed: bool, now: float) -> None:
        """Update the state at time `now`, in seconds; call it at every step.

        While the key is idle without a notice, nothing changes until it is pressed.
        """
        over = now >= self._until_s
        match self.hold:
            case HoldState.FRESH if self._until_s == inf:
                self._until_s = now + READY_S
            case HoldState.FRESH if not pressed and over:
                self.hold, self._until_s = HoldState.IDLE, inf
            case HoldState.IDLE if pressed:
                self.hold, self._until_s = HoldState.HELD, now + HOLD_S
                self.notice = say("power.hold", seconds=int(HOLD_S))
            case HoldState.IDLE if over:
                self.notice, self._until_s = None, inf
            case HoldState.HELD if not pressed:
                self.hold, self._until_s = HoldState.IDLE, now + NOTICE_S
            case HoldState.HELD if over:
                self.hold, self.notice = HoldState.OFF, say("power.off")
                log.info("the key %s was held for %g s: switching off", SHUTDOWN_KEY, HOLD_S)
        held_s = now + HOLD_S - self._until_s if self.hold is HoldState.HELD else 0.0
        self.share = 1.0 if self.hold is HoldState.OFF else held_s / HOLD_S

    def due(self, now: float) -> float:
        """Return when the next step is due without a new press; infinity for never."""
        if self.hold is HoldState.HELD:
            return min(now + 1 / FRAMES_PER_S, self._until_s)
        return self._until_s if self.hold is not HoldState.OFF and now < self._until_s else inf


def shutdown_layer(share: float, pixels: Mapping[str, int]) -> Layer:
    """Return the layer that covers all others: spots go dark one by one, the next is white."""
    spots = sorted(pixels, key=pixels.__getitem__)
    dark = int(share * len(spots))
    layer = dict.fromkeys(spots[:dark], _OUT)
    layer.update(dict.fromkeys(spots[dark : dark + 1], _FRONT))
    return layer
