"""The page's data of a game with hidden information: set-ups under way, and faces shown.

Owns this part of the wire format; the rest belongs to `game.web.views.state_view`. Works from
immutable values only: a snapshot is the public one, or that of the page's player.
"""

from game.common.translation import Words
from game.play.session import Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.values import Arranging
from game.table import BoardSetup, State, move_sentence
from game.web import server_messages as wire


def of_hello(game: AnyGame, replayed: bool) -> wire.HelloOfHidden:
    """Describe whether this game hides pieces; a replayed one never does.

    `printed` are the codes that are printed on cells.
    """
    return {
        "hidden": game.hidden and not replayed,
        "printed": dict(game.presentation.printed),
    }


def of_state(snapshot: Snapshot, words: Words, player: int | None) -> wire.StateOfHidden:
    """Describe the set-ups under way and the faces that are shown, for one player or for all."""
    return {"arranging": _arranging(snapshot, words, player), "faces": _faces(snapshot, words)}


def _arranging(snapshot: Snapshot, words: Words, player: int | None) -> wire.Arranging | None:
    """Describe the set-ups, None where all are made; `own` is for that player."""
    game, state = snapshot.game, snapshot.state
    players = range(1, len(game.players) + 1)
    left = {each: game.arranging(state.position, each) for each in players}
    if state.outcome is not None or not any(left.values()):
        return None
    own = left.get(player or 0)
    covering = state.setups.on_board
    theirs = left.get(covering.player) if covering is not None else None
    return {
        "sealed": sorted(state.setups.submitted),
        "covering": None
        if covering is None or theirs is None
        else _covering(game, covering, theirs, words),
        "own": None if own is None or player is None else _own(game, state, player, own, words),
    }


def _covering(
    game: AnyGame, covering: BoardSetup, arranging: Arranging, words: Words
) -> wire.Covering:
    """Describe the progress of a player who sets pieces under a cover, and the next piece."""
    count, of = len(covering.cells), len(arranging.pieces)
    piece = arranging.pieces[count] if count < of else None
    return {
        "player": covering.player,
        "count": count,
        "of": of,
        "next": piece,
        "word": None if piece is None else words.text(game.presentation.piece_word(piece)),
    }


def _own(
    game: AnyGame, state: State, player: int, arranging: Arranging, words: Words
) -> wire.OwnSetUp:
    """Describe to a player which pieces to lay out, where they may go, and where they are."""
    sealed = state.setups.submitted.get(player)
    return {
        "player": player,
        "cells": list(arranging.cells),
        "pieces": [
            {"piece": piece, "word": words.text(game.presentation.piece_word(piece))}
            for piece in arranging.pieces
        ],
        "laid": dict(game.laid(state.position, player, sealed)) if sealed else None,
    }


def _faces(snapshot: Snapshot, words: Words) -> wire.Faces | None:
    """List the faces that the last move shows to everybody, until they are covered."""
    game, state = snapshot.game, snapshot.state
    if not (state.showing_faces and state.history):
        return None
    last = state.history[-1]
    return {
        "cells": {
            cell: {
                "piece": piece,
                "word": words.text(game.presentation.piece_word(piece)),
                "side": game.presentation.side(piece),
            }
            for cell, piece in last.faces.items()
        },
        "text": words.text(move_sentence(game, state, last)),
    }
