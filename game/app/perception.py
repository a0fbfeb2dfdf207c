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
_WHEN_HELD = {
    Command.RESIGN.value: Command.SET_UP,
    Command.NEW_GAME.value: Command.MENU,
    Command.HINT.value: Command.TEACH,
}
"""What keys ask for when they are held; what their names say, when they are let go before."""
KEY_ECHO_S = 0.5
"""So soon after such a key was let go, pressing it again does not count."""


class Perception:
    """Translates what one board tells; it remembers how its keys are pressed."""

    def __init__(self) -> None:
        self._let_go: dict[str, float] = {}
        self._pressed: set[str] = set()

    def felt(self, event: Event, now: float) -> Input | None:
        """Return what an event at a time, in seconds, is to the table; None if it is nothing."""
        match event:
            case CellTouch(cell, moment):
                return _TOUCHES[moment](cell)
            case KeyTouch(power_key.KEY):
                # The session follows it; to a table it is nothing.
                return None
            case KeyTouch(key, moment) if key in _WHEN_HELD:
                return self._with_two_meanings(key, moment, now)
            case KeyTouch(key, Moment.DOWN) if key in _COMMANDS:
                return Asked(_COMMANDS[key])
            case KeyTouch(key, moment) if key not in _COMMANDS:
                # A key of the game, if it has one of that name; it is not held for anything.
                return None if moment is Moment.HELD else _TOUCHES[moment](key)
            case Palm(cells):
                return Palmed(cells)
            case Standing(cells):
                return Stood(cells)
            case events.Disturbed(faults):
                cells = frozenset().union(*(fault.cells for fault in faults))
                return Disturbed(cells, tuple(reason(fault) for fault in faults))
        return None

    def _with_two_meanings(self, key: str, moment: Moment, now: float) -> Input | None:
        """Translate a key that means another thing when it is held; a bounce means nothing.

        Some of them ask first, and no bounce may answer.
        """
        match moment:
            case Moment.DOWN if now - self._let_go.get(key, -inf) >= KEY_ECHO_S:
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
