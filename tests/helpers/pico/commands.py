"""Commands to an emulated Pico, as typed: finger moves, cables, and what glows.

Owns the commands' words. They act like hands; fingers take time, which `advance` passes. Must not
know where commands come from, nor a clock of its own.
"""

from collections.abc import Callable, Mapping

from hal.backends.backend import Clock
from hal.base.errors import HalError
from hal.lights.colour import DARK
from hal.profile import Profile
from hal.sim.hands import VirtualHands
from tests.helpers.pico.quick import EmulatedPico

HELP = """\
touch SPOT    touch a cell (e5) or a key (take_back) for a moment; `key` and `cell` mean the same
press SPOT    put a finger down, and leave it there
lift [SPOT]   lift that finger, or all of them
show          list the cells and lights that glow, and the state of the Pico's own light
unplug        pull the USB cable; the Pico has no power without it
unplug line   cut the serial line alone, as with a Pico that has another supply
plug          plug the cable in again
hang          hang the firmware; its watchdog restarts it after 8 s
help          print these lines
quit          end, as Ctrl-C does"""

_TOUCHING = "the touching finger"


class CommandInterpreter:
    """Carries out commands on a running emulated Pico. `truth` is the wiring of its board.

    `ended` is set after `quit`. The Pico must not run meanwhile.
    """

    def __init__(self, truth: Profile, pico: EmulatedPico, clock: Clock) -> None:
        self.ended = False
        self._truth = truth
        self._pico = pico
        self._clock = clock
        self._hands = VirtualHands(frozenset({*truth.cells, *truth.keys}), clock, lambda: None)
        self._commands: Mapping[str, Callable[[str], str]] = {
            "touch": self._touch,
            "cell": self._touch,
            "key": self._touch,
            "press": self._press,
            "lift": self._lift,
            "show": self._show,
            "unplug": self._unplug,
            "plug": self._plug,
            "hang": self._hang,
            "help": lambda _: HELP,
            "quit": self._quit,
        }

    @property
    def step_s(self) -> float | None:
        """How soon `advance` must be called again, in seconds; None for any time."""
        return self._hands.step_s

    def advance(self) -> None:
        """Advance the fingers to now."""
        if moves := self._hands.advance(self._clock()):
            self._pico.settle(moves)

    def execute(self, line: str) -> str:
        """Carry out a line and return the answer, which may be an error message."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return ""
        if word not in self._commands:
            return f"{word!r} is unknown: allowed are {', '.join(self._commands)}"
        try:
            return self._commands[word](rest.strip())
        except HalError as error:
            return str(error)

    def _touch(self, spot: str) -> str:
        # One finger does it all, so that quick commands are done one after the other.
        self._hands.press(_TOUCHING, spot)
        self._hands.lift(_TOUCHING)
        return f"{spot} is touched"

    def _press(self, spot: str) -> str:
        self._hands.press(spot, spot)
        return f"a finger is on {spot}"

    def _lift(self, spot: str) -> str:
        if not spot:
            self._hands.lift_all("")
            return "all fingers are lifted"
        self._hands.lift(spot)
        return f"the finger on {spot} is lifted"

    def _show(self, _: str) -> str:
        frame = self._pico.platform.latched()
        glowing = [
            f"{spot} {frame[pixel].hex}"
            for spot, pixel in self._truth.pixels.items()
            if frame[pixel] != DARK
        ]
        return f"glowing: {', '.join(glowing) or 'nothing'}; the Pico's own light is " + (
            "on" if self._pico.platform.led else "off"
        )

    def _unplug(self, what: str) -> str:
        if what not in ("", "line"):
            return f"unplug {what!r} is unknown: allowed are `unplug` and `unplug line`"
        if not self._pico.plugged:
            return "it is unplugged already"
        self._pico.unplug(power=not what)
        return "unplugged"

    def _plug(self, _: str) -> str:
        if self._pico.plugged:
            return "it is plugged in already"
        self._pico.plug()
        return f"plugged in: {self._pico.path}"

    def _hang(self, _: str) -> str:
        self._pico.hang()
        return "the firmware hangs"

    def _quit(self, _: str) -> str:
        self.ended = True
        return ""
