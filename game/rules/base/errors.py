"""The errors that a game can raise, each with a message for the players.

Owns the tree; the words stand in the catalogues.
"""

from collections.abc import Iterable

from game.rules.base.message import Message


class RulesError(ValueError):
    """Refuse something that the rules do not allow, and carry the `message` that says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class IllegalMove(RulesError):
    """Refuse a move: not readable, or not legal in the position. The position is unchanged."""


class BadPosition(RulesError):
    """Refuse a position that no game can reach, or a text that describes none.

    `cells` are those whose pieces are the reason, if certain ones are.
    """

    def __init__(self, message: Message, cells: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.cells = frozenset(cells)


class BadOption(RulesError):
    """Refuse an option of a game, by name and value."""


class UnknownGame(RulesError):
    """Refuse the name of a game that is not there."""
