"""What the page is told: the board, the words and the state as JSON objects.

Owns the wire format from the application to the page; the page's own scripts read it. Works from
immutable values only, so that it can run in the server's thread.
"""

from importlib.metadata import version
from typing import Any

from game.app.session import Snapshot
from game.app.words import LANGUAGES, Words
from game.rules.game import Game, Json
from game.rules.message import Message, say
from game.table.inputs import Command
from game.table.scene import Cue, Lamp
from game.table.state import UNKNOWN_PIECE, State
from hal.light import Frame
from hal.profile import Profile

SHOWN_MOVES = 12

CUE_WORDS = {
    Cue.PLACED: say("cue.placed"),
    Cue.CRITTER: say("cue.critter"),
    Cue.LEGAL: say("cue.legal"),
    Cue.CHOSEN: say("cue.chosen"),
    Cue.REMOVE: say("cue.remove"),
    Cue.PUT: say("cue.put"),
    Cue.WRONG: say("cue.wrong"),
    Cue.PREY: say("cue.prey"),
    Cue.PREDATOR: say("cue.predator"),
    Cue.DRAW: say("cue.draw"),
    Cue.WIN: say("cue.win"),
    Cue.CURSOR: say("cue.cursor"),
    Cue.FAULT: say("cue.fault"),
}
CUE_WORDS_FELT = CUE_WORDS | {Cue.LEGAL: say("cue.legal_to_set")}
INSPECTED = frozenset({Cue.PREY, Cue.PREDATOR})
"""Where stones are felt while they stand no finger is, and so these are never shown."""


def hello(
    game: Game[Any, Any], profile: Profile, words: Words, page: dict[str, str], simulated: bool
) -> Json:
    """Describe what does not change: the board, the legend, the words of one language."""
    stones = profile.sensing.mode == "presence"
    rules = game.rules_felt if stones and game.rules_felt else game.rules
    cues = CUE_WORDS_FELT if stones else CUE_WORDS
    never = INSPECTED if stones else frozenset()
    return {
        "type": "hello",
        "version": version("lifeboard"),
        "lang": words.language,
        "langs": LANGUAGES,
        "game": game.name,
        "title": game.title,
        "simulated": simulated,
        "sensing": profile.sensing.mode,
        "words": page,
        "board": {
            "shape": game.board.shape,
            "cells": {
                cell: {
                    "x": round(game.board.centres[cell][0], 5),
                    "y": round(game.board.centres[cell][1], 5),
                    "neighbours": game.board.neighbours[cell],
                }
                for cell in game.board.cells
            },
        },
        "players": [
            {"number": number, "name": words.text(name)}
            for number, name in enumerate(game.players, start=1)
        ],
        "legend": [
            {"name": words.text(entry.name), "shape": entry.shape, "eats": entry.eats}
            for entry in game.legend
        ],
        "rules": [words.text(rule) for rule in rules],
        "cues": [
            {"name": cue.value, "text": words.text(word)}
            for cue, word in cues.items()
            if cue not in never
        ],
        "pixels": dict(profile.pixels),
        "keys": [command.value for command in Command],
    }


def state(snapshot: Snapshot, words: Words) -> Json:
    """Describe the game as it is now, in one language."""
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    pieces = game.pieces(now.position)
    return {
        "type": "state",
        "ply": len(now.history),
        "phase": now.phase.value,
        "to_move": None if now.outcome else scene.turn,
        # The page has a place of its own for the reasons of a pause, with which the prompt begins.
        "message": words.texts(scene.prompt[len(now.disturbed) :]),
        "notice": words.text(scene.notice) if scene.notice else "",
        "good_news": now.notice is not None and now.notice.good,
        "cells": {
            cell: _cell(game, cell, pieces.get(cell, ""), now, scene.cells.get(cell), words)
            for cell in game.board.cells
        },
        "legend": [
            scene.legend[n].cue.value if n in scene.legend else "" for n in range(len(game.legend))
        ],
        "scores": scene.score,
        "target": scene.goal,
        "moves": _moves(game, now, words),
        "disturbed": [words.text(reason) for reason in now.disturbed],
        "lost": sorted(now.lost),
        "masked": sorted(now.masked),
        "felt": None if now.felt is None else sorted(now.felt),
        "confirm": now.question.command.value if now.question else None,
        "outcome": now.outcome
        and {"winner": now.outcome.winner, "text": words.text(now.outcome.message)},
    }


def lights(colours: Frame) -> Json:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _cell(
    game: Game[Any, Any], cell: str, piece: str, now: State, lamp: Lamp | None, words: Words
) -> Json:
    standing = now.standing.get(cell, "")
    parts: list[str | Message] = [cell, _what(game, piece or standing)]
    if lamp is not None:
        named = CUE_WORDS if now.felt is None or cell in now.masked else CUE_WORDS_FELT
        parts.append(named[lamp.cue])
    if cell in now.masked:
        parts.append(say("cell.masked"))
    return {
        "piece": piece,
        "standing": standing,
        "cue": lamp.cue.value if lamp else "",
        "label": ", ".join(p if isinstance(p, str) else words.text(p) for p in parts),
    }


def _what(game: Game[Any, Any], piece: str) -> Message:
    """Name what stands or should stand on a cell."""
    if piece == UNKNOWN_PIECE:
        return say("cell.unknown_piece")
    return game.piece_word(piece) if piece else say("cell.empty")


def _moves(game: Game[Any, Any], now: State, words: Words) -> list[Json]:
    first = max(0, len(now.history) - SHOWN_MOVES)
    return [
        {
            "ply": ply,
            "player": played.player,
            "text": played.text,
            "removed": played.removed,
            "label": words.text(played.summary),
        }
        for ply, played in enumerate(now.history[first:], start=first + 1)
    ]
