"""A desk with an emulated Pico on it: what people do to it, and what they see, in words.

Owns the words. A word that moves a finger or a cable takes effect as if by hand; fingers need time,
which `advance` gives them. Must not know where words come from, nor a clock of its own.
"""

from collections.abc import Callable, Mapping

from hal.backend import Clock
from hal.colour import DARK
from hal.errors import HalError
from hal.profile import Profile
from hal.sim.hands import VirtualHands
from hal.sim.pico.process import EmulatedPico

HELP = """\
touch SPOT    touch a cell (e5) or a key (take_back) for a moment; `key` and `cell` mean the same
press SPOT    put a finger down, and leave it there
lift [SPOT]   lift that finger, or all of them
show          tell which cells and lights glow, and whether the Pico's own light is on
unplug        pull the USB cable; the Pico has no power without it
unplug line   lose the serial line alone, as with a Pico that has another supply
plug          plug the cable in again
hang          let the firmware hang; its watchdog starts it anew after 8 s
help          these lines
quit          end, as Ctrl-C does"""

_TOUCHING = "the touching finger"


class Desk:
    """Do what is said to an emulated Pico that lives by itself. `truth` is how its board is wired.

    `ended` is set when somebody has said that this is over. It may be used by one thread beside the
    one in which the Pico lives.
    """

    def __init__(self, truth: Profile, pico: EmulatedPico, clock: Clock) -> None:
        self.ended = False
        self._truth = truth
        self._pico = pico
        self._clock = clock
        self._hands = VirtualHands(frozenset({*truth.cells, *truth.keys}), clock, lambda: None)
        self._does: Mapping[str, Callable[[str], str]] = {
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
        """Give how soon `advance` is to be called again, in seconds; None for no hurry."""
        return self._hands.step_s

    def advance(self) -> None:
        """Let the fingers move up to now."""
        if moves := self._hands.advance(self._clock()):
            self._pico.settle(moves)

    def do(self, line: str) -> str:
        """Do what a line says and give the answer, which says too what is wrong with the line."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return ""
        if word not in self._does:
            return f"{word!r} is unknown: allowed are {', '.join(self._does)}"
        try:
            return self._does[word](rest.strip())
        except HalError as error:
            return str(error)

    def _touch(self, spot: str) -> str:
        # One finger does it all, so that what is said fast is done one after the other.
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
        frame = self._pico.machine.latched()
        glowing = [
            f"{spot} {frame[pixel].hex}"
            for spot, pixel in self._truth.pixels.items()
            if frame[pixel] != DARK
        ]
        return f"glowing: {', '.join(glowing) or 'nothing'}; the Pico's own light is " + (
            "on" if self._pico.machine.led else "off"
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
