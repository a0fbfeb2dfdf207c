"""What the page is told: the board, the words and the state as JSON objects.

Owns the wire format from the application to the page; the page's own scripts read it. Works from
immutable values only, so that it can run in the server's thread. What there is of computer players
stands in `game.app.view_computer`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from game.app import view_computer
from game.app.gate.access import Level
from game.app.session import Snapshot
from game.app.words import LANGUAGES, Words
from game.rules.game import Edit, EditKind, Game, Json
from game.rules.message import Message, say
from game.table.going_back import presses
from game.table.inputs import Command
from game.table.scene import Cue
from game.table.state import UNKNOWN_PIECE, Draft, Phase
from hal.light import Frame
from hal.profile import Profile

TOLD_MOVES = 12
"""So many of the newest moves are told in whole sentences, older ones by their record alone."""

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
    Cue.FELT: say("cue.felt"),
    Cue.STANDS: say("cue.stands"),
    Cue.PROPOSED: say("cue.proposed"),
    Cue.HINT: say("cue.hint"),
    Cue.ENDANGERED: say("cue.endangered"),
    Cue.EDIBLE: say("cue.edible"),
}
CUE_WORDS_FELT = CUE_WORDS | {Cue.LEGAL: say("cue.legal_to_set")}
INSPECTED = frozenset({Cue.PREY, Cue.PREDATOR})
"""Where stones are felt while they stand no finger is, and so these are never shown."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """Which kept game is shown again: its number, and the ISO date of its start, "" for none."""

    number: int
    day: str = ""


def hello(
    game: Game[Any, Any],
    profile: Profile,
    words: Words,
    page: dict[str, str],
    simulated: bool,
    replayed: Replayed | None = None,
    level: Level = Level.CONTROL,
    by_pin: bool = False,
    levels: Sequence[str] = (),
) -> Json:
    """Describe what does not change: the board, the legend, the words of one language.

    `by_pin` tells that the device controls because it has given the PIN. `levels` are the names of
    those by which computers can play, easiest first.
    """
    stones = profile.sensing.mode == "presence"
    rules = game.rules_felt if stones and game.rules_felt else game.rules
    cues = CUE_WORDS_FELT if stones else CUE_WORDS
    never = INSPECTED if stones else frozenset()
    return {
        "type": "hello",
        "access": level.value,
        "pin": by_pin,
        "version": version("lifeboard"),
        "lang": words.language,
        "langs": LANGUAGES,
        "game": game.name,
        "title": game.title,
        "simulated": simulated,
        "replay": replayed and {"number": replayed.number, "day": replayed.day},
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
        "palette": [
            {
                "piece": piece,
                "word": words.text(game.piece_word(piece)),
                "owner": game.side(piece),
            }
            for piece in game.palette
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
        "levels": view_computer.levels(levels, words),
    }


def locked(words: Words, page: dict[str, str]) -> Json:
    """Describe what a page needs that is told nothing of the game before the PIN is given."""
    return {
        "type": "locked",
        "version": version("lifeboard"),
        "lang": words.language,
        "langs": LANGUAGES,
        "words": page,
    }


def state(snapshot: Snapshot, words: Words) -> Json:
    """Describe the game as it is now, in one language."""
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    pieces = now.expected(game)
    elsewhere = (*now.disturbed, now.stumped, scene.notice)
    return {
        "type": "state",
        "ply": len(now.history),
        "phase": now.phase.value,
        "to_move": None if now.outcome else scene.turn,
        # The page has places of its own for the reasons of a pause, for hints, and so on.
        "message": words.texts(
            each
            for each in scene.prompt
            if each not in elsewhere and not view_computer.is_listed(each)
        ),
        "notice": words.text(scene.notice) if scene.notice else "",
        "good_news": now.notice is not None and now.notice.good,
        "cells": {
            cell: _cell(snapshot, cell, pieces.get(cell, ""), words) for cell in game.board.cells
        },
        "legend": [
            scene.legend[n].cue.value if n in scene.legend else "" for n in range(len(game.legend))
        ],
        "scores": scene.score,
        "target": scene.goal,
        "names": now.names or ("",) * len(game.players),
        "moves": _moves(snapshot, words),
        "todo": [] if now.disturbed else _todo(snapshot, words),
        "draft": now.draft and _draft(now.draft, words),
        "unkept": words.text(now.unkept) if now.unkept else None,
        "disturbed": [words.text(reason) for reason in now.disturbed],
        "lost": sorted(now.lost),
        "masked": sorted(now.masked),
        "felt": None if now.felt is None else sorted(now.felt),
        "confirm": now.question.command.value if now.question else None,
        "outcome": now.outcome
        and {"winner": now.outcome.winner, "text": words.text(now.outcome.message)},
        **view_computer.of_state(snapshot, words),
    }


def lights(colours: Frame) -> Json:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _cell(snapshot: Snapshot, cell: str, piece: str, words: Words) -> Json:
    now, lamp = snapshot.state, snapshot.scene.cells.get(cell)
    standing = now.standing.get(cell, "")
    parts: list[str | Message] = [cell, _what(snapshot.game, piece or standing)]
    if lamp is not None and now.phase is not Phase.MENU:
        named = CUE_WORDS if now.felt is None or cell in now.masked else CUE_WORDS_FELT
        parts.append(named[lamp.cue])
    parts += view_computer.on_cell(snapshot, cell)
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


def _moves(snapshot: Snapshot, words: Words) -> list[Json]:
    """List all moves, each with how often to take back until it is gone, 0 if that is refused."""
    now = snapshot.state
    waits = now.phase in (Phase.CONFIRM, Phase.SET_UP, Phase.MENU)
    told_whole = len(now.history) - TOLD_MOVES
    return [
        {
            "ply": ply,
            "player": played.player,
            "text": played.text,
            "removed": played.removed,
            "label": words.text(played.summary) if ply > told_whole else played.text,
            "take_backs": 0 if waits else asked,
        }
        for ply, (played, asked) in enumerate(
            zip(now.history, presses(snapshot.game, now), strict=True), start=1
        )
    ]


def _todo(snapshot: Snapshot, words: Words) -> list[Json]:
    """List what hands must still change, each in words."""
    game, now = snapshot.game, snapshot.state
    tasks: list[Json] = []
    for edit in now.pending(game):
        piece = edit.piece or now.standing.get(edit.cell, UNKNOWN_PIECE)
        tasks.append(
            {
                "cell": edit.cell,
                "kind": edit.kind.value,
                "piece": piece,
                "text": words.text(_task(edit, _what(game, piece))),
            }
        )
    return tasks


def _task(edit: Edit, piece: Message) -> Message:
    match edit.kind:
        case EditKind.PUT:
            return say("todo.put", piece=piece, cell=edit.cell)
        case EditKind.REMOVE:
            return say("todo.remove", piece=piece, cell=edit.cell)
        case EditKind.SWAP:
            return say("todo.swap", piece=piece, cell=edit.cell)
        case EditKind.TURN:
            return say("todo.turn", ring=edit.cell.removeprefix("ring"), steps=edit.steps)


def _draft(draft: Draft, words: Words) -> Json:
    """Describe the position that is being set up; its pieces are those of the cells."""
    flaw = draft.flaw
    return {
        "brush": draft.brush,
        "to_move": draft.to_move,
        "score": draft.score,
        "flaw": flaw and {"cells": sorted(flaw.cells), "text": words.text(flaw.message)},
    }
