"""Faults of ours while a game is played that hides things: they must not tell what it knows.

Owns what becomes of such a fault: the text of an exception may hold a piece or a whole set-up, and
would come to a terminal or a log that anybody may read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any

from game.app.errors import AppError, HiddenFault
from game.rules.game import Game
from hal.errors import HalError

_MOST_PLACES = 6


@contextmanager
def discreet(game: Game[Any, Any]) -> Iterator[None]:
    """Raise HiddenFault, which tells kind and place alone, for any fault in a hidden game."""
    try:
        yield
    except (AppError, HalError):
        # These speak of files and of the board, never of a game.
        raise
    except Exception as error:
        if not game.hidden:
            raise
        places = [
            f"{Path(frame.filename).name}:{frame.lineno}"
            for frame in extract_tb(error.__traceback__)[-_MOST_PLACES:]
        ]
        kind = type(error).__name__
        raise HiddenFault(
            f"{game.name} met a fault of ours: {kind} at {', '.join(places)}"
        ) from None
