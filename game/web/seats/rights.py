"""What the holder of a seat, and those who want one, may do in the present state of a game.

A seat never changes hands during a game while its side has a set-up or is being laid out under a
cover, since the new holder would see that. Decides from the table's own state, on the board's
thread: what a page was last shown may be outdated. Must not know pages or keys.
"""

from collections.abc import Collection, Mapping

from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import Phase, State


def open_seats(game: AnyGame, state: State, players: Collection[int]) -> frozenset[int]:
    """Return the players whose seats may be taken or freed now."""
    covering = state.setups.on_board
    laid_out = 0 if covering is None else covering.player
    return frozenset(
        each for each in players if each != laid_out and not _is_set_up(game, state, each)
    )


def refused_set_up(
    game: AnyGame, state: State, player: int, pieces: Mapping[str, str] | None
) -> Message | None:
    """Return why a player must not submit a set-up, None to take it back; None if they may."""
    position = game.seen_by(state.position, player)
    arranging = state.phase is Phase.ARRANGE and game.arranging(position, player)
    if not arranging or state.level_of(player):
        return say("seat.not_now")
    if pieces is not None:
        try:
            game.arrangement(position, player, pieces)
        except RulesError as error:
            return error.message
    return None


def _is_set_up(game: AnyGame, state: State, player: int) -> bool:
    """Tell whether a player's seat shows hidden information now."""
    if state.outcome is not None:
        return False
    return player in state.setups.submitted or game.arranging(state.position, player) is None
