"""The seam between the board device and what carries it: emulated chips, real ones, a double.

Owns the contract of a backend and the finding of one by name. Must not know any backend's inside:
each is imported only when it is asked for.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

from hal.errors import BackendError, UnknownBackend
from hal.faults import Fault
from hal.light import Frame
from hal.memory import BoardMemory
from hal.profile import Profile

ENTRY_POINTS = "lifeboard.backends"

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Sensed:
    """Hold which cells and keys are touched at one moment, raw: not debounced.

    The cells and keys of `faults` are unknown, and in neither set.
    """

    cells: frozenset[str]
    keys: frozenset[str]
    faults: tuple[Fault, ...] = ()


class Backend(Protocol):
    """Carry the board. One thread calls `sense`, `light` and `wait`; any thread may `wake`.

    After `close` every method but `close` raises BackendError.
    """

    def sense(self, now: float) -> Sensed:
        """Read what is touched at time `now`, in monotonic seconds, and what cannot be read.

        A part that fails is a fault in the answer, never an error.
        """
        ...

    def due(self, now: float) -> float:
        """Give the time, `now` or later, at which `sense` has something to do by itself."""
        ...

    def settle(self, empty: frozenset[str]) -> None:
        """Take the cells on which nothing stands: only these may be learnt anew as empty."""
        ...

    def light(self, frame: Frame) -> None:
        """Show final pixel levels, one per pixel; raise LightError for another length."""
        ...

    def lit(self) -> Frame:
        """Give the pixel levels that the strip shows."""
        ...

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something may have changed, `wake` was called, or the time-out."""
        ...

    def wake(self) -> None:
        """End the present `wait`, or the next one."""
        ...

    def close(self) -> None:
        """Put the lights out and let go of everything; calling it again does nothing."""
        ...


@runtime_checkable
class Hands(Protocol):
    """Touch a simulated board with virtual fingers; they may move on any thread.

    A pointer is one finger, named by the caller. A spot is a cell or a key. Where stones are felt,
    a finger that comes down on a cell sets one there, or takes the one that stands.
    """

    def let_stand(self, cells: frozenset[str]) -> None:
        """Let stones stand from before, where stones are felt; on the board's thread."""
        ...

    def press(self, pointer: str, spot: str) -> None:
        """Put a finger down; raise SpotError for a spot that the board does not have."""
        ...

    def lift(self, pointer: str) -> None:
        """Lift a finger; does nothing when it is not down."""
        ...

    def lift_all(self, prefix: str) -> None:
        """Lift every finger whose name begins so, as when a page goes away."""
        ...


_BUILT_IN = {
    "sim": ("hal.sim", "SimBackend"),
    "pi": ("hal.pi", "PiBackend"),
    "coprocessor": ("hal.coprocessor", "CoprocessorBackend"),
    "mock": ("hal.mock", "MockBackend"),
}


def open_backend(
    name: str,
    profile: Profile,
    *,
    clock: Clock = time.monotonic,
    seed: int = 0,
    memory: BoardMemory | None = None,
) -> Backend:
    """Open a backend by name: a built-in one, or one that an installed package adds.

    Built in are "sim", "pi", "coprocessor" (a Pico) and "mock". `clock` gives the seconds that
    `sense` is called with, `seed` fixes emulated chance, `memory` is what this board has taught.
    Raises UnknownBackend for a name that is unknown, and BackendError when the board cannot be
    carried.
    """
    if name in _BUILT_IN:
        module, maker = _BUILT_IN[name]
        opener = getattr(import_module(module), maker)
    else:
        opener = _third_party(name)
    backend: Backend = opener(profile, clock=clock, seed=seed, memory=memory)
    return backend


def _third_party(name: str) -> Callable[..., Backend]:
    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    if name not in found:
        allowed = ", ".join(sorted({*_BUILT_IN, *found}))
        raise UnknownBackend(f'backend "{name}" is unknown: allowed are {allowed}')
    try:
        opener: Callable[..., Backend] = found[name].load()
    except (ImportError, AttributeError) as error:
        raise BackendError(f'backend "{name}" cannot be loaded: {error}') from error
    return opener
