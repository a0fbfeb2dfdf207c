"""The contracts of a backend, which drives a board, and of the computer that it is wired to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from hal.base.events import Sensed
from hal.drivers.i2c_search import BusSearch
from hal.drivers.mpr121_registers import ChipDriver, Reading
from hal.lights import Frame, Pixels
from hal.profile import Chip, Electrode, Profile, Strip, Tuning

Clock = Callable[[], float]
IsLow = Callable[[], bool]
"""True while a key is down, or if any chip may have changed since the last call."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Declare what a backend can do, before it is opened.

    `real`: it drives this computer's real board, which one program at a time may open. `pico`:
    whether its boards are wired to a Pico; None for a backend that takes any profile.
    """

    real: bool = False
    pico: bool | None = None

    def suits(self, profile: Profile) -> bool:
        """Return whether a board of this profile can be opened."""
        return self.pico is None or self.pico == (profile.pico is not None)


class Backend(Protocol):
    """Drive a board. One thread calls `sense`, `light` and `wait`; any thread may `wake`.

    After `close` only `close` and `wake` may be called, and do nothing.
    """

    def sense(self, now: float) -> Sensed:
        """Return what is touched and what cannot be sensed at `now`, in monotonic seconds."""

    def due(self, now: float) -> float:
        """Return the time, `now` or later, at which `sense` must be called even without input."""

    def settle(self, empty: frozenset[str]) -> None:
        """Set the cells that are empty: only their empty baselines may be learned."""

    def light(self, frame: Frame) -> None:
        """Show final pixel levels, one per pixel; raise LightError for another length."""

    def lit(self) -> Frame:
        """Return the pixel levels that the strip shows."""

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something may have changed, `wake` was called, or the time-out."""

    def wake(self) -> None:
        """End the present `wait`, or the next one."""

    def close(self) -> None:
        """Switch the lights off and release all devices; calling it again does nothing."""


@runtime_checkable
class Hands(Protocol):
    """Touch a simulated board with virtual fingers; they may move on any thread.

    A pointer is one finger, named by the caller. A spot is a cell or a key. In presence sensing, a
    finger that comes down on a cell sets a stone there, or takes the stone that stands there.
    """

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        """Set and take stones, in presence sensing; call it on the board's thread only."""

    def press(self, pointer: str, spot: str) -> None:
        """Put a finger down; raise SpotError for a spot that the board does not have."""

    def lift(self, pointer: str) -> None:
        """Lift a finger; does nothing when it is not down."""

    def lift_all(self, prefix: str) -> None:
        """Lift every finger whose name begins with the prefix, as when a page closes."""


@runtime_checkable
class Measurable(Backend, Protocol):
    """A backend whose electrodes can be measured one by one: for learning and calibrating."""

    def pads(self, now: float) -> frozenset[Electrode]:
        """Return all touched electrodes, including those that belong to no known cell."""

    def readings(self, now: float) -> Mapping[Electrode, Reading]:
        """Measure every electrode of every chip that works."""

    def tune(self, tunings: Mapping[Electrode, Tuning], now: float) -> None:
        """Set up all chips again with these settings; the board must be empty."""


@dataclass(frozen=True, slots=True)
class UnlearnedBoard:
    """A board whose wiring is unknown, as a backend's class method `unlearned` returns it.

    `search` finds its chips, and `open` opens it with a draft profile. An emulated board knows the
    names of its `chips` and the spot that each pixel lights (`spots`), and has `hands`.
    """

    search: Callable[[], BusSearch]
    open: Callable[[Profile], Measurable]
    chips: Sequence[Chip] = ()
    spots: Mapping[int, str] = field(default_factory=dict)
    hands: "Hands | None" = None


class Platform(Protocol):
    """The chips, pins and pixels of one computer."""

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the I2C buses."""

    def chip(self, chip: Chip) -> ChipDriver:
        """Return the driver of a chip; there is no transfer before its `set_up`."""

    def key(self, pin: int, on_change: Callable[[], None]) -> IsLow:
        """Open a key; `on_change` runs on any thread. Raises PinInUse, BackendError for no pins."""

    def line(self, pin: int, on_low: Callable[[], None]) -> IsLow:
        """Open the interrupt line; `on_low` runs on any thread when it falls. Raises like `key`."""

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raises LightsFault without its device."""

    def close(self) -> None:
        """Release keys and line; they may be opened again."""
