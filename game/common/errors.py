"""The errors of the application: one line each that names the thing, the value and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from traceback import extract_tb
from typing import TypeVar

from game.rules.base.game import AnyGame
from hal.base.errors import HalError

_MAX_PLACES = 6
T = TypeVar("T")


class AppError(Exception):
    """Stop a command with one line for the person who called it, and with an exit status."""

    status = 1


class Cause(Enum):
    """Why a file of games cannot be used, where that decides what to do about it."""

    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    NEWER = "newer"
    """A later lifeboard wrote it, in a form that this one does not know."""
    BUSY = "busy"
    """Another program keeps it locked for the moment."""
    GONE = "gone"
    """The file or its folder no longer exists."""
    IN_USE = "in_use"
    """Another lifeboard plays in the same folder."""
    UNKNOWN = "unknown"
    """No game has the requested number."""
    FAILING = "failing"
    """Anything else, such as a disk that reports errors."""


class StoreError(AppError, OSError):
    """Report a file of games that cannot be used, and why."""

    def __init__(self, message: str, cause: Cause = Cause.FAILING) -> None:
        super().__init__(message)
        self.cause = cause


class HiddenFault(AppError):
    """Report an internal error in a game with hidden information by kind and place alone."""


class PageError(AppError, OSError):
    """Report that the page cannot be served."""


class RecordError(AppError, ValueError):
    """Refuse a game record that cannot be read, or that breaks the rules."""


def redacted(game: AnyGame, said: T, instead: T) -> T:
    """Return what is `said`, such as an error, or `instead` if the game hides pieces."""
    return instead if game.hidden else said


@contextmanager
def redact_errors(game: AnyGame) -> Iterator[None]:
    """In a game that hides pieces, replace any exception by a HiddenFault with its kind and place.

    The text could show a hidden piece, and any player may read terminal and log. The texts of our
    own errors are about files and the board, never about a game.
    """
    try:
        yield
    except (AppError, HalError):
        raise
    except Exception as error:
        if not game.hidden:
            raise
        frames = extract_tb(error.__traceback__)[-_MAX_PLACES:]
        places = ", ".join(f"{Path(each.filename).name}:{each.lineno}" for each in frames)
        kind = type(error).__name__
        raise HiddenFault(f"{game.name} had an internal error: {kind} at {places}") from None
