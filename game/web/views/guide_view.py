"""What explains a game in the page's data: its rules with pictures, its numbers, and previews.

Owns this part of the wire format. Works from immutable values only.
"""

from game.common.translation import Words
from game.play.session import Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.rules.base.puzzles import puzzles
from game.rules.base.tutorial import Picture, pictures, taught_by
from game.table import ROLE_CUES, Phase
from game.web import server_messages as wire


def about(game: AnyGame, message: Message, words: Words) -> str:
    """Explain what a message of the game says, "" if that is obvious."""
    meaning = game.presentation.meanings.get(message.key)
    return "" if meaning is None else words.text(meaning)


def guide(snapshot: Snapshot, stones: bool, words: Words) -> wire.Guide:
    """Describe the rules of the level that is played, and how moves are written."""
    game, position = snapshot.game, snapshot.state.position
    level, notation = game.presentation.level(position), game.presentation.notation
    return {
        "type": "guide",
        "level": words.text(level) if level else None,
        "rules": [
            {
                "text": words.text(rule),
                "pictures": [_picture(game, each) for each in pictures(game, rule.key)],
            }
            for rule in game.presentation.rules_of(position, stones)
        ],
        "notation": words.text(notation) if notation else None,
        "tutorial": taught_by(game),
        "puzzles": bool(puzzles(game)),
    }


def preview(snapshot: Snapshot, cell: str, words: Words) -> wire.PreviewOfMove:
    """Describe what a touch of a cell would make and take; nothing where that is not to be told.

    `cells` and `legend` have cues, as a state has.
    """
    game, state = snapshot.game, snapshot.state
    told = None
    if state.phase is Phase.TAP and not (
        state.agreement.strict or state.taps or snapshot.scene.thinking
    ):
        told = game.presentation.preview(state.position, cell)
    entries = range(len(game.presentation.legend))
    return {
        "type": "preview",
        "cell": cell,
        "ply": len(state.history),
        "cells": {each: ROLE_CUES[role].value for each, role in told.cells.items()} if told else {},
        "legend": [
            ROLE_CUES[told.legend[n]].value if told and n in told.legend else "" for n in entries
        ],
        "text": words.text(told.message) if told else "",
    }


def _picture(game: AnyGame, picture: Picture) -> wire.RulePicture:
    side = game.presentation.side
    return {
        "pieces": {
            cell: {"piece": piece, "side": side(piece)} for cell, piece in picture.pieces.items()
        },
        "edits": {
            cell: {"kind": kind, "piece": piece, "side": side(piece) if piece else None}
            for cell, (kind, piece) in picture.edits.items()
        },
        "way": picture.way,
    }
