"""The contract of a backend: what drives a board, real, emulated or scripted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from hal.base.events import Sensed
from hal.drivers.i2c_search import BusSearch
from hal.drivers.reading import Reading
from hal.lights import Frame
from hal.profile import Chip, Electrode, Profile, Tuning

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Say what a backend is for, as its attribute `capabilities`: known before it is opened.

    `real`: it drives the one real board of this computer, which is the one that was learned, and is
    locked for one program. `pico`: whether its boards are wired to a Pico at a serial port; None
    for a backend that takes any profile.
    """

    real: bool = False
    pico: bool | None = None

    def suits(self, profile: Profile) -> bool:
        """Tell whether a board of this profile can be opened."""
        return self.pico is None or self.pico == (profile.pico is not None)


class Backend(Protocol):
    """Drive a board. One thread calls `sense`, `light` and `wait`; any thread may `wake`.

    After `close` nothing is called but `close` and `wake`, which do nothing then.
    """

    def sense(self, now: float) -> Sensed:
        """Read what is touched at time `now`, in monotonic seconds, and what cannot be read.

        A part that fails is a fault in the answer, never an error.
        """

    def due(self, now: float) -> float:
        """Give the time, `now` or later, at which `sense` has something to do by itself."""

    def settle(self, empty: frozenset[str]) -> None:
        """Take the cells on which nothing stands: only their empty baselines may be learned."""

    def light(self, frame: Frame) -> None:
        """Show final pixel levels, one per pixel; raise LightError for another length."""

    def lit(self) -> Frame:
        """Give the pixel levels that the strip shows."""

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something may have changed, `wake` was called, or the time-out."""

    def wake(self) -> None:
        """End the present `wait`, or the next one."""

    def close(self) -> None:
        """Put the lights out and let go of everything; calling it again does nothing."""


@runtime_checkable
class Hands(Protocol):
    """Touch a simulated board with virtual fingers; they may move on any thread.

    A pointer is one finger, named by the caller. A spot is a cell or a key. Where stones are felt,
    a finger that comes down on a cell sets one there, or takes the one that stands.
    """

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        """Let stones stand on these cells, and none on those, where stones are felt.

        On the board's thread.
        """

    def press(self, pointer: str, spot: str) -> None:
        """Put a finger down; raise SpotError for a spot that the board does not have."""

    def lift(self, pointer: str) -> None:
        """Lift a finger; does nothing when it is not down."""

    def lift_all(self, prefix: str) -> None:
        """Lift every finger whose name begins so, as when a page goes away."""


@runtime_checkable
class Measurable(Backend, Protocol):
    """A backend whose electrodes can be measured one by one: for learning and calibrating."""

    def pads(self, now: float) -> frozenset[Electrode]:
        """Give all electrodes that are touched, whether a cell is known for them or not."""

    def readings(self, now: float) -> Mapping[Electrode, Reading]:
        """Measure every electrode of every chip that works."""

    def tune(self, tunings: Mapping[Electrode, Tuning], now: float) -> None:
        """Set up all chips again with these settings; the board must be empty."""


@dataclass(frozen=True, slots=True)
class UnlearnedBoard:
    """A board whose wiring is not known yet, from a backend's class method `unlearned`.

    `search` finds its chips and `open` opens it by a draft of its profile. An emulated board knows
    the names of its `chips`, the spot that each pixel lights (`spots`), and has `hands`.
    """

    search: Callable[[], BusSearch]
    open: Callable[[Profile], Measurable]
    chips: Sequence[Chip] = ()
    spots: Mapping[int, str] = field(default_factory=dict)
    hands: "Hands | None" = None
