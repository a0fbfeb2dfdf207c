"""Redact exceptions in games with hidden information.

The text of an exception may hold a piece or a whole set-up, and would reach a terminal or a log
that any player may read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TypeVar

from game.common.errors import AppError, HiddenFault
from game.rules.base.game import AnyGame
from hal.base.errors import HalError

_MAX_PLACES = 6
T = TypeVar("T")


def redacted(game: AnyGame, said: T, instead: T) -> T:
    """Return an error's text during play, or a harmless one if the game hides pieces."""
    return instead if game.hidden else said


@contextmanager
def redact_errors(game: AnyGame) -> Iterator[None]:
    """Raise HiddenFault, which only names kind and place, for any exception in a hidden game."""
    try:
        yield
    except (AppError, HalError):
        # The texts of these errors are about files and the board, never about a game.
        raise
    except Exception as error:
        if not redacted(game, False, True):
            raise
        places = [
            f"{Path(frame.filename).name}:{frame.lineno}"
            for frame in extract_tb(error.__traceback__)[-_MAX_PLACES:]
        ]
        kind = type(error).__name__
        raise HiddenFault(
            f"{game.name} had an internal error: {kind} at {', '.join(places)}"
        ) from None
