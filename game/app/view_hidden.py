"""What the page is told of a game that hides things: set-ups under way, and the faces that show.

Owns this part of the wire format; the rest stands in `game.app.view`. Works from immutable values
only: a snapshot is the public one, or that of the one player for whom all this is.
"""

from typing import Any

from game.app.session import Snapshot
from game.app.words import Words
from game.rules.game import Arranging, Game, Json
from game.table.state import Covering, State


def of_hello(game: Game[Any, Any], replayed: bool) -> Json:
    """Tell whether this game hides things, which none does any more that is shown again.

    `printed` are the codes of what is printed on cells.
    """
    return {"hidden": game.hidden and not replayed, "printed": dict(game.printed)}


def of_state(snapshot: Snapshot, words: Words, player: int | None) -> Json:
    """Describe the set-ups under way and the faces that are shown, for a player or for all."""
    return {
        "arranging": _arranging(snapshot, words, player),
        "faces": _faces(snapshot, words),
    }


def _arranging(snapshot: Snapshot, words: Words, player: int | None) -> Json | None:
    """Describe the set-ups, None where nobody has any left to make; `own` is for that player."""
    game, state = snapshot.game, snapshot.state
    players = range(1, len(game.players) + 1)
    left = {each: game.arranging(state.position, each) for each in players}
    if state.outcome is not None or not any(left.values()):
        return None
    own = left.get(player or 0)
    covering = state.covering
    theirs = left.get(covering.player) if covering is not None else None
    return {
        "sealed": sorted(state.sealed),
        "covering": None
        if covering is None or theirs is None
        else _covering(game, covering, theirs, words),
        "own": None if own is None or player is None else _own(game, state, player, own, words),
    }


def _covering(game: Game[Any, Any], covering: Covering, arranging: Arranging, words: Words) -> Json:
    """Tell how far a player is who sets his pieces under a cover, and which is the next."""
    count, of = len(covering.cells), len(arranging.pieces)
    piece = arranging.pieces[count] if count < of else None
    return {
        "player": covering.player,
        "count": count,
        "of": of,
        "next": piece,
        "word": None if piece is None else words.text(game.piece_word(piece)),
    }


def _own(
    game: Game[Any, Any], state: State, player: int, arranging: Arranging, words: Words
) -> Json:
    """Tell a player what he has to lay out, where he can, and how he has."""
    sealed = state.sealed.get(player)
    return {
        "player": player,
        "cells": list(arranging.cells),
        "pieces": [
            {"piece": piece, "word": words.text(game.piece_word(piece))}
            for piece in arranging.pieces
        ],
        "laid": dict(game.laid(state.position, player, sealed)) if sealed else None,
    }


def _faces(snapshot: Snapshot, words: Words) -> Json | None:
    """Tell which faces the last move shows to everybody, until they are covered."""
    game, state = snapshot.game, snapshot.state
    if not (state.showing and state.history):
        return None
    last = state.history[-1]
    return {
        "cells": {
            cell: {
                "piece": piece,
                "word": words.text(game.piece_word(piece)),
                "side": game.side(piece),
            }
            for cell, piece in last.faces.items()
        },
        "text": words.text(last.summary),
    }
