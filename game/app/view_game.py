"""What the page is told of what is a game's own: sides and colours, rings, keys, and goals.

Owns this part of the wire format; the rest stands in `game.app.view`. Works from immutable values
only.
"""

from collections.abc import Iterable
from typing import Any

from game.app.session import Snapshot
from game.app.words import Words
from game.rules.game import Game, Json
from game.table.state import UNKNOWN_PIECE, Played


def of_hello(game: Game[Any, Any], words: Words) -> Json:
    """Describe what a game always has.

    `keys_of_game` are its taps that are no cells. `rings` are the parts of the board that can be
    turned, with their cells in clockwise order. `hues` are the colours of the sides.
    """
    return {
        "keys_of_game": game.keys,
        "rings": dict(game.board.rings),
        "hues": game.hues,
        "score_word": words.text(game.score_word),
        "agreed_draws": game.agreed_draws,
        "teaches": game.teaches,
        "palette": [
            {
                "piece": piece,
                "word": words.text(game.piece_word(piece)),
                "side": game.side(piece),
            }
            for piece in game.palette
        ],
    }


def of_state(snapshot: Snapshot, words: Words) -> Json:
    """Describe who plays what now, how near the ends are, which keys go on, and what turns.

    `sides` tells for each player his side and a piece that depicts it, `called` how he is called.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    players = range(1, len(game.players) + 1)
    travel = now.travel
    return {
        "sides": [seat(game, now.position, player) for player in players],
        "called": [words.text(game.called(now.position, player)) for player in players],
        "goals": [
            {
                "player": goal.player,
                "text": words.text(goal.word),
                "reached": goal.reached,
                "wanted": goal.wanted,
            }
            for goal in scene.goals
        ],
        "keys": [
            {
                "key": key,
                "text": words.text(game.key_word(now.position, now.taps, key)),
                "cue": scene.keys[key].cue.value,
            }
            for key in game.keys
            if key in scene.keys
        ],
        "travel": travel and {"ring": travel.ring, "steps": travel.steps},
    }


def seat(game: Game[Any, Any], position: Any, player: int) -> Json:
    """Tell a player's side in a position, and the piece that depicts it."""
    side = game.side_of(position, player)
    return {"side": side, "token": game.token(side)}


def seat_at(game: Game[Any, Any], played: Played, after: Any) -> Json:
    """Tell with which side a player made a move; who had none yet may have chosen it by that."""
    nameless = game.called(played.before, played.player) == game.players[played.player - 1]
    return seat(game, after if nameless else played.before, played.player)


def sides(game: Game[Any, Any], pieces: Iterable[str]) -> Json:
    """Tell the side of each of these pieces, for those who draw them."""
    known = set(pieces) - {"", UNKNOWN_PIECE}
    return {piece: game.side(piece) for piece in sorted(known)}
