"""What the board tells becomes what the table takes, and its faults become words.

Owns that translation. Must not know a table's state, nor what an input leads to.
"""

from math import inf

from game.app import power_key
from game.rules.message import Message, say
from game.table.inputs import (
    Asked,
    Command,
    Disturbed,
    Held,
    Input,
    Lifted,
    Palmed,
    Stood,
    Touched,
)
from hal import events
from hal.events import CellTouch, Event, KeyTouch, Moment, Palm, Standing
from hal.faults import Fault, Trouble

_COMMANDS = {command.value: command for command in Command}
_TOUCHES: dict[Moment, type[Touched | Held | Lifted]] = {
    Moment.DOWN: Touched,
    Moment.HELD: Held,
    Moment.UP: Lifted,
}
SET_UP_KEY = Command.RESIGN.value
"""The key that sets up a position when it is held; it resigns when it is let go before."""
_ASKING = frozenset({Command.NEW_GAME.value, SET_UP_KEY})
KEY_ECHO_S = 0.5
"""So soon after a key that asks a question was let go, pressing it again does not answer."""


class Perception:
    """Translates what one board tells; it remembers how its keys are pressed."""

    def __init__(self) -> None:
        self._let_go: dict[str, float] = {}
        self._pressed = False

    def felt(self, event: Event, now: float) -> Input | None:
        """Return what an event at a time, in seconds, is to the table; None if it is nothing."""
        match event:
            case CellTouch(cell, moment):
                return _TOUCHES[moment](cell)
            case KeyTouch(power_key.KEY):
                # The session follows it; to a table it is nothing.
                return None
            case KeyTouch(key, moment) if key in _ASKING:
                return self._asking(key, moment, now)
            case KeyTouch(key, Moment.DOWN):
                return Asked(_COMMANDS[key]) if key in _COMMANDS else Touched(key)
            case Palm(cells):
                return Palmed(cells)
            case Standing(cells):
                return Stood(cells)
            case events.Disturbed(faults):
                cells = frozenset().union(*(fault.cells for fault in faults))
                return Disturbed(cells, tuple(reason(fault) for fault in faults))
        return None

    def _asking(self, key: str, moment: Moment, now: float) -> Input | None:
        """Translate a key that asks first: a bounce is no answer, and holding one means another."""
        echo = now - self._let_go.get(key, -inf) < KEY_ECHO_S
        if moment is Moment.UP:
            self._let_go[key] = now
        if key != SET_UP_KEY:
            return Asked(_COMMANDS[key]) if moment is Moment.DOWN and not echo else None
        match moment:
            case Moment.DOWN:
                self._pressed = not echo
            case Moment.HELD:
                self._pressed = False
                return Asked(Command.SET_UP)
            case Moment.UP if self._pressed:
                self._pressed = False
                return Asked(Command.RESIGN)
        return None


def reason(fault: Fault) -> Message:
    """Say what a fault means for the people at the table."""
    match fault.trouble:
        case Trouble.CHIP:
            return say("fault.chip", part=fault.part)
        case Trouble.LINK:
            return say("fault.link")
        case Trouble.FIRMWARE:
            return say("fault.firmware")
        case Trouble.STRIP:
            return say("fault.strip")
        case Trouble.SHORT:
            return say("fault.short", part=fault.part)
        case Trouble.OPEN:
            return say("fault.open", part=fault.part)
        case Trouble.STUCK:
            return say("fault.stuck", part=fault.part)
        case Trouble.FLAPPING:
            return say("fault.flapping", part=fault.part)
