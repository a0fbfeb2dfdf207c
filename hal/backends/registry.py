"""Finding backends by name: the built-in ones, and those that installed packages add."""

import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from hal.backends.backend import Backend, Capabilities, Clock, Platform, UnlearnedBoard
from hal.base.errors import BackendError, UnknownBackend
from hal.profile import BoardMemory, Profile

ENTRY_POINTS = "lifeboard.backends"

PI, COPROCESSOR = "pi", "coprocessor"
"""The built-in backends of real boards. Ask `capabilities` what one can do; do not infer it."""

_BUILT_IN = {
    "sim": ("hal.sim", "SimBackend"),
    PI: ("hal.backends.pi", "PiBackend"),
    COPROCESSOR: ("hal.backends.coprocessor.backend", "CoprocessorBackend"),
    "mock": ("hal.backends.mock", "MockBackend"),
}


def backend_names() -> tuple[str, ...]:
    return tuple(sorted({*_BUILT_IN, *(each.name for each in entry_points(group=ENTRY_POINTS))}))


def backend_of(profile: Profile) -> str:
    """Name the built-in backend that drives a real board of this profile."""
    return PI if profile.pico is None else COPROCESSOR


def capabilities(name: str) -> Capabilities:
    """Ask a backend what it can do; raise UnknownBackend or BackendError as `open_backend` does."""
    found: Capabilities = getattr(_find(name), "capabilities", Capabilities())
    return found


def open_backend(
    name: str,
    profile: Profile,
    *,
    clock: Clock = time.monotonic,
    seed: int = 0,
    memory: BoardMemory | None = None,
) -> Backend:
    """Open a built-in backend, or one that an installed package adds; raises BackendError.

    `clock` is the source of the times passed to `sense`; `seed` fixes emulated noise.
    """
    backend: Backend = _find(name)(profile, clock=clock, seed=seed, memory=memory)
    return backend


def open_unlearned(name: str, template: Profile, seed: int | None = None) -> UnlearnedBoard | None:
    """Open a board that is wired in an unknown way; None for a backend that cannot learn.

    `template` lists the board's parts. `seed` wires an emulated board at random.
    """
    make: Callable[..., UnlearnedBoard] | None = getattr(_find(name), "unlearned", None)
    return None if make is None else make(template, seed)


def open_platform(name: str) -> Platform | None:
    """Open the platform that a backend has without a profile; None for a backend without one."""
    make: Callable[[], Platform] | None = getattr(_find(name), "open_platform", None)
    return None if make is None else make()


def _find(name: str) -> Any:
    if name in _BUILT_IN:
        module, maker = _BUILT_IN[name]
        return getattr(import_module(module), maker)
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            try:
                return entry.load()
            except (ImportError, AttributeError) as error:
                raise BackendError(f'backend "{name}" cannot be loaded: {error}') from error
    allowed = ", ".join(backend_names())
    raise UnknownBackend(f'backend "{name}" is unknown: allowed are {allowed}')
