"""What a computer player is to think about, and to what its thoughts bind the hands.

Owns who is a computer, what is wanted of it, and when people may play as they like all the same.
Knows no search, no process and no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.rules.errors import RulesError
from game.rules.game import Game
from game.rules.message import Message, say
from game.table.state import State

AnyGame = Game[Any, Any]

HINTS = 3
"""So many of the best moves are shown."""

_WORDS: Mapping[str, Message] = {
    "random": say("level.random"),
    "1": say("level.1"),
    "2": say("level.2"),
    "3": say("level.3"),
    "4": say("level.4"),
    "5": say("level.5"),
    "6": say("level.6"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be thought about: a position, by which level, and how many ideas are wanted.

    A `level` of "" asks for hints, as good as can be had.
    """

    position: Any
    level: str
    ideas: int


def word(level: str) -> Message | str:
    """Name a level for people; by its own name where there is no better word."""
    return _WORDS.get(level, level)


def computer(state: State, player: int | None) -> str:
    """Return the level by which a computer plays for a player, "" if it does not."""
    if player is None or not state.computers:
        return ""
    return state.computers[player - 1]


def mover(game: AnyGame, state: State) -> int | None:
    """Return who must play in the position, None when nobody must."""
    if state.outcome is not None or state.draft is not None or state.arranging(game):
        return None
    return game.to_move(state.position)


def known(game: AnyGame, position: Any, player: int | None) -> Any:
    """Return a position as a player knows it who remembers all that he was shown."""
    return game.seen_by(position, player, remembers=True) if game.hidden else position


def public(game: AnyGame, position: Any) -> Any:
    """Return a position as everybody may see it."""
    return game.seen_by(position, None) if game.hidden else position


def wanted(game: AnyGame, state: State) -> Wanted | None:
    """Return what is to be thought about now, None if nothing is."""
    player = mover(game, state)
    if player is None:
        return None
    level = computer(state, player)
    if not level:
        return Wanted(state.position, "", HINTS) if state.hinting else None
    if level not in state.levels or proposed(game, state, state.position):
        return None
    return Wanted(known(game, state.position, player), level, 1)


def proposed(game: AnyGame, state: State, position: Any) -> str:
    """Return the plain text of the move that a computer player wants in a position, "" if none."""
    thought = state.thought
    if thought is None or not thought.level:
        return ""
    player = game.to_move(position)
    if computer(state, player) != thought.level or thought.position != known(
        game, position, player
    ):
        return ""
    return thought.ideas[0].move


def bound(game: AnyGame, state: State, position: Any) -> tuple[str, ...] | None:
    """Return the only taps that may enter a move in a position; None if any may.

    None may while a computer player thinks of its move, and then just those of this move. A
    computer player that does not answer is played for by people.
    """
    level = computer(state, game.to_move(position))
    if not level:
        return None
    text = proposed(game, state, position)
    if text:
        return game.taps(position, game.parse_move(position, text))
    return None if level not in state.levels or state.stumped is not None else ()


def is_legal(game: AnyGame, position: Any, move: str) -> bool:
    """Tell whether a text is a legal move's."""
    try:
        game.parse_move(position, move)
    except RulesError:
        return False
    return True


def not_yours(game: AnyGame, state: State, spot: str) -> Message | None:
    """Say why hands cannot play as they like while a computer player moves; None if they can."""
    only = bound(game, state, state.position)
    if only is None:
        return None
    if not only:
        return say("table.wait_for_computer")
    move = proposed(game, state, state.position)
    if spot in game.keys:
        return say("table.not_its_key", move=move)
    return say("table.not_its_move", cell=spot_word(game, state, spot), move=move)


def spot_word(game: AnyGame, state: State, spot: str) -> Message | str:
    """Name a spot for people: a cell by its name, a key by what it does now."""
    return game.key_word(state.position, state.taps, spot) if spot in game.keys else spot
