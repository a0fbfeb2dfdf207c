"""What the page is told: the board, the words and the state as JSON objects.

Owns the wire format from the application to the page; the page's own scripts read it. Works from
immutable values only, so that it can run in the server's thread. What there is of computer players
stands in `game.app.view_computer`, what is a game's own in `game.app.view_game`, and what some hide
in `game.app.view_hidden`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from game.app import view_computer, view_cues, view_game, view_hidden
from game.app.gate.access import Level
from game.app.session import Snapshot
from game.app.words import LANGUAGES, Words
from game.rules.game import Edit, EditKind, Game, Json
from game.rules.message import Message, say
from game.table.going_back import presses
from game.table.inputs import Command
from game.table.state import UNKNOWN_PIECE, Draft, Phase
from hal.light import Frame
from hal.profile import Profile

TOLD_MOVES = 12
"""So many of the newest moves are told in whole sentences, older ones by their record alone."""


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
        "legend": [
            {"name": words.text(entry.name), "shape": entry.shape, "eats": entry.eats}
            for entry in game.legend
        ],
        "rules": [words.text(rule) for rule in rules],
        "cues": [
            {"name": cue.value, "text": words.text(word)}
            for cue, word in view_cues.meanings(game, stones).items()
        ],
        "pixels": dict(profile.pixels),
        "keys": [command.value for command in Command],
        "levels": view_computer.levels(levels, words),
        **view_game.of_hello(game, words),
        **view_hidden.of_hello(game, replayed is not None),
    }


def locked(words: Words, page: dict[str, str], seats: bool = False) -> Json:
    """Describe what a page needs that is told nothing of the game before the PIN is given.

    Whether there are `seats` it is told, since who has the key to one needs no PIN.
    """
    return {
        "type": "locked",
        "version": version("lifeboard"),
        "lang": words.language,
        "langs": LANGUAGES,
        "words": page,
    } | ({"seats": True} if seats else {})


def state(snapshot: Snapshot, words: Words, player: int | None = None) -> Json:
    """Describe the game as it is now, in one language: as all see it, or as a player does.

    The snapshot is that player's own then.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    pieces = now.expected(game)
    elsewhere = (*now.disturbed, now.stumped, scene.notice)
    signs = _signs(snapshot)
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
            cell: _cell(snapshot, cell, pieces.get(cell, ""), signs.get(cell), words)
            for cell in game.board.cells
        },
        "pieces": view_game.sides(game, (*pieces.values(), *now.standing.values())),
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
        **view_game.of_state(snapshot, words),
        **view_hidden.of_state(snapshot, words, player),
    }


def lights(colours: Frame) -> Json:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _signs(snapshot: Snapshot) -> dict[str, Message]:
    """Say in words what the sign on each cell means; a menu's choices have words of their own."""
    game, now, lamps = snapshot.game, snapshot.state, snapshot.scene.cells
    if now.phase is Phase.MENU:
        return {}
    touched = view_cues.meanings(game, stones=False)
    felt = touched if now.felt is None else view_cues.meanings(game, stones=True)
    return {
        cell: view_cues.on_cell(
            touched if cell in now.masked else felt, lamp.cue, cell in now.standing
        )
        for cell, lamp in lamps.items()
    }


def _cell(snapshot: Snapshot, cell: str, piece: str, sign: Message | None, words: Words) -> Json:
    now, lamp = snapshot.state, snapshot.scene.cells.get(cell)
    standing = now.standing.get(cell, "")
    parts: list[str | Message] = [cell, _what(snapshot.game, piece or standing)]
    parts += [sign] if sign else []
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
    game, now = snapshot.game, snapshot.state
    afterwards = [*(played.before for played in now.history[1:]), now.position]
    waits = now.phase in (Phase.CONFIRM, Phase.SET_UP, Phase.MENU)
    told_whole = len(now.history) - TOLD_MOVES
    return [
        {
            "ply": ply,
            "player": played.player,
            **view_game.seat_at(game, played, after),
            "text": played.text,
            "removed": played.removed,
            "label": words.text(played.summary) if ply > told_whole else played.text,
            "take_backs": 0 if waits else asked,
        }
        for ply, (played, asked, after) in enumerate(
            zip(now.history, presses(game, now), afterwards[: len(now.history)], strict=True),
            start=1,
        )
    ]


def _todo(snapshot: Snapshot, words: Words) -> list[Json]:
    """List what hands must still change, each in words.

    `piece` is what is put, or what is taken where nothing is; `taken` is what a put one replaces.
    """
    game, now = snapshot.game, snapshot.state
    tasks: list[Json] = []
    for edit in now.pending(game):
        stands = now.standing.get(edit.cell, "" if edit.kind is EditKind.TURN else UNKNOWN_PIECE)
        piece = edit.piece or stands
        tasks.append(
            {
                "cell": edit.cell,
                "kind": edit.kind.value,
                "piece": piece,
                "taken": stands if edit.kind is EditKind.SWAP else "",
                "steps": edit.steps,
                "text": words.text(_task(edit, _what(game, piece), _what(game, stands))),
            }
        )
    return tasks


def _task(edit: Edit, piece: Message, stands: Message) -> Message:
    match edit.kind:
        case EditKind.PUT:
            return say("todo.put", piece=piece, cell=edit.cell)
        case EditKind.REMOVE:
            return say("todo.remove", piece=piece, cell=edit.cell)
        case EditKind.SWAP:
            return say("todo.swap", taken=stands, piece=piece, cell=edit.cell)
        case EditKind.TURN:
            ring, count = edit.cell.removeprefix("ring"), abs(edit.steps)
            if edit.steps < 0:
                return say("todo.turn_back", ring=ring, count=count)
            return say("todo.turn", ring=ring, count=count)


def _draft(draft: Draft, words: Words) -> Json:
    """Describe the position that is being set up; its pieces are those of the cells."""
    flaw = draft.flaw
    return {
        "brush": draft.brush,
        "to_move": draft.to_move,
        "score": draft.score,
        "flaw": flaw and {"cells": sorted(flaw.cells), "text": words.text(flaw.message)},
    }
