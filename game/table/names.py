"""Players' names in place of what they play, in all that is said of them.

Owns where a name stands in a message. A message itself says only which side it means, since names
can change during a game.
"""

from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table.records import Played
from game.table.state import State

_WHO = ("player", "players", "other", "loser", "winner")
"""The arguments of messages that are players; the same word elsewhere is a side or a colour."""


def named(game: AnyGame, state: State, message: Message, position: Any = None) -> Message:
    """Name the players of a message of a position, by default the present one."""
    if not any(state.names):
        return message
    at = state.position if position is None else position
    words = [
        (word, name)
        for player, name in enumerate(state.names, start=1)
        if name
        for word in (game.presentation.called(at, player), game.players[player - 1])
    ]
    return _filled(message, words)


def told(game: AnyGame, state: State, played: Played) -> Message:
    """Return the sentence of a move, with the players' names."""
    return named(game, state, played.summary, played.before)


def _filled(message: Message, words: list[tuple[Message, str]]) -> Message:
    def who(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(who(each) for each in value)
        return next((name for word, name in words if word == value), value)

    def inner(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(inner(each) for each in value)
        return _filled(value, words) if isinstance(value, Message) else value

    args = message.args.items()
    return Message(message.key, {key: who(v) if key in _WHO else inner(v) for key, v in args})
