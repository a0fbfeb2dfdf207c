"""The errors that a game can raise, each with a message for the players."""

from collections.abc import Iterable

from game.rules.base.message import LONGEST, Message, say


class RulesError(ValueError):
    """Refuse something that the rules do not allow; `message` is the reason."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class IllegalMove(RulesError):
    """Refuse a move: not readable, or not legal in the position. The position is unchanged."""


def not_legal(move: object) -> IllegalMove:
    return IllegalMove(say("rules.not_legal", text=str(move)[:LONGEST]))


class BadPosition(RulesError):
    """Refuse a position that no game can reach; `cells` are those whose pieces are the reason."""

    def __init__(self, message: Message, cells: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.cells = frozenset(cells)


class BadOption(RulesError):
    """Refuse the name or the value of a game's option."""


class UnknownGame(RulesError):
    """Refuse the name of a game that is not installed."""
