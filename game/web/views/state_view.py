"""The page's data: the board, the words and the state as JSON objects.

Owns the wire format from the application to the page; the page's own scripts read it. Works from
immutable values only, so that it can run in the server's thread. The other views add computer
players, and what is a game's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from game.common.translation import LANGUAGES, Words
from game.play.loudspeaker import heard
from game.play.session import PuzzleList, Snapshot
from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import (
    UNKNOWN_PIECE,
    Draft,
    Phase,
    State,
    move_sentence,
    named,
    spoken_news,
    spoken_prompt,
)
from game.table.inputs import Command
from game.web import server_messages as wire
from game.web.access.access import AccessLevel
from game.web.views import computer_view, cue_view, game_view
from hal.lights.frame import Frame
from hal.profile import Profile

SENTENCE_MOVES = 12
"""How many of the newest moves get whole sentences; older ones only their record."""

NO_PIN: wire.PinHint = {"pin_command": "", "pin_changed": False}
NOT_SHARED: wire.Share = {"link": "http://localhost/", "reach": "none", "qr": None}
_OF_HANDS = frozenset(
    f"table.{what}"
    for what in (
        *("take_away", "take_away_many", "lift", "lift_many", "put", "put_many", "lay", "lay_many"),
        *("exchange", "exchange_felt", "exchange_many", "turn_ring", "turn_ring_felt"),
        *("turn_ring_back", "turn_ring_back_felt", "wants_key", "wants_move", "wants_set"),
        *("wants_touched", "clear_all", "clear_board", "lay_out", "confirm_board"),
    )
)
"""What is asked of hands; people are not told of it while the board does it itself."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """Identifies a stored game that is shown: its number, and the ISO date of its start, or "".

    `final` is its state at the end, with all moves. A game that is `past` is shown to one page, and
    others are replayed on a board. If it can be `judged`, the page may ask how it went. A `lesson`
    is shown in the same way: "tutorial" or "puzzles".
    """

    number: int = 0
    day: str = ""
    final: State | None = None
    past: bool = False
    judged: bool = False
    lesson: str = ""


def hello(
    game: AnyGame,
    profile: Profile,
    words: Words,
    page: dict[str, str],
    simulated: bool,
    replayed: Replayed | None = None,
    level: AccessLevel = AccessLevel.CONTROL,
    by_pin: bool = False,
    levels: Sequence[str] = (),
    pin: wire.PinHint = NO_PIN,
    devices: bool = False,
    share: wire.Share = NOT_SHARED,
) -> wire.Hello:
    """Describe what does not change: the board, the legend, the words of one language.

    `by_pin` means that the device controls because it has entered the PIN. `levels` are the names
    of the computer's levels, easiest first.
    """
    stones = profile.sensing.mode == "presence"
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
        "replay": {
            "number": replayed.number,
            "day": replayed.day,
            "past": replayed.past,
            "judged": replayed.judged,
            "lesson": replayed.lesson,
        }
        if replayed
        else None,
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
            {
                "name": words.text(entry.name),
                "shape": entry.shape,
                "arrow_to": entry.arrow_to,
                "text": words.text(entry.arrow_word or entry.name),
            }
            for entry in game.presentation.legend
        ],
        "cues": [
            {"name": cue.value, "text": words.text(word)}
            for cue, word in cue_view.meanings(game, stones).items()
        ],
        "pixels": dict(profile.pixels),
        "keys": [] if replayed else [command.value for command in Command],
        "board_keys": [] if simulated else sorted(profile.keys),
        "levels": computer_view.levels(levels, words),
        **game_view.of_hello(game, words),
        "hidden": game.hidden and not replayed,
        "devices": devices,
        "share": share,
        **pin,
    }


def locked(
    words: Words, page: dict[str, str], seats: bool = False, pin: wire.PinHint = NO_PIN
) -> wire.Locked:
    """Describe what a page may know before the PIN is entered.

    That includes whether there are `seats`: the holder of a seat's key needs no PIN.
    """
    return {
        "type": "locked",
        "version": version("lifeboard"),
        "lang": words.language,
        "langs": LANGUAGES,
        "words": page,
        "seats": seats,
        **pin,
    }


def state(
    snapshot: Snapshot,
    words: Words,
    player: int | None = None,
    at: float = 0.0,
    kept: int = 0,
    whole: State | None = None,
    ends: bool = False,
    before: State | None = None,
) -> wire.State:
    """Describe the present state in one language: the public view, or that of a player.

    The snapshot is then that player's own. `at` is the time now, for a clock that runs. The page
    has the first `kept` moves, and is told the others. They are those of the `whole` game, if
    only a part of it is shown; with `ends` so is the outcome. `before` is the state that the page
    was told last: what has happened since is heard.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    outcome = whole.outcome if whole is not None and ends else now.outcome
    pieces = now.expected
    asked = now.notices.confirmation
    elsewhere = (*now.faults.reasons, now.engine.unavailable, scene.notice)
    signs = _signs(snapshot)
    prompt = [
        each
        for each in scene.prompt
        if each not in elsewhere and not (snapshot.automatic and each.key in _OF_HANDS)
    ]
    details = [each for each in scene.aloud if not snapshot.automatic or each.key not in _OF_HANDS]
    return {
        "type": "state",
        "ply": len(now.history),
        "phase": now.phase.value,
        "to_move": None if now.outcome else scene.turn,
        # The page has its own places for the reasons of a pause, for hints, and so on.
        "message": words.texts(each for each in prompt if each.key != "table.hints"),
        "heard": heard(game, before, now),
        "aloud": {
            "news": [words.text(each) for each in spoken_news(game, before, now)],
            "asked": [words.text(each) for each in spoken_prompt(game, now, prompt, details)],
        },
        "notice": words.text(scene.notice) if scene.notice else "",
        "good_news": now.notices.current is not None and now.notices.current.good,
        "cells": {
            cell: _cell(snapshot, cell, pieces.get(cell, ""), signs.get(cell), words)
            for cell in game.board.cells
        },
        "pieces": game_view.sides(game, (*pieces.values(), *now.standing.values())),
        "legend": [
            scene.legend[n].cue.value if n in scene.legend else ""
            for n in range(len(game.presentation.legend))
        ],
        "scores": scene.score,
        "target": scene.goal,
        "options": {**now.options, **now.agreement.options},
        "names": now.names or ("",) * len(game.players),
        "moves_from": kept,
        "moves": _moves(game, now if whole is None else whole, kept, words),
        "todo": [] if now.faults.reasons else _todo(snapshot, words),
        "draft": _draft(now.draft, words) if now.draft else None,
        "unsaved": words.text(now.notices.save_problem) if now.notices.save_problem else None,
        "faults": [words.text(reason) for reason in now.faults.reasons],
        "missing": sorted(now.faults.cells),
        "masked": sorted(now.faults.masked),
        "sensed": None if now.hands.sensed is None else sorted(now.hands.sensed),
        "rebuilding": now.rebuilding,
        "confirm": asked.command.value if asked and asked.player != player else None,
        "lesson": snapshot.lesson and {"step": snapshot.lesson[0], "of": snapshot.lesson[1]},
        "puzzles": _puzzles(snapshot.puzzles) if snapshot.puzzles else None,
        "outcome": {
            "winner": outcome.winner,
            "text": words.text(named(game, now, outcome.message)),
            "about": game_view.about(game, outcome.message, words),
        }
        if outcome
        else None,
        **computer_view.of_state(snapshot, words),
        **game_view.of_state(snapshot, words, at),
        **game_view.of_hidden(snapshot, words, player),
    }


def lights(colours: Frame) -> wire.Lights:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _signs(snapshot: Snapshot) -> dict[str, Message]:
    """Describe the sign on each cell; a menu's choices have words of their own."""
    game, now, lamps = snapshot.game, snapshot.state, snapshot.scene.cells
    if now.phase is Phase.MENU:
        return {}
    touched = cue_view.meanings(game, stones=False)
    felt = touched if now.hands.sensed is None else cue_view.meanings(game, stones=True)
    return {
        cell: cue_view.on_cell(
            touched if cell in now.faults.masked else felt, lamp.cue, cell in now.standing
        )
        for cell, lamp in lamps.items()
    }


def _cell(
    snapshot: Snapshot, cell: str, piece: str, sign: Message | None, words: Words
) -> wire.Cell:
    now, lamp = snapshot.state, snapshot.scene.cells.get(cell)
    standing = now.standing.get(cell, "")
    parts: list[str | Message] = [cell, _what(snapshot.game, piece or standing)]
    parts += [sign] if sign else []
    parts += computer_view.on_cell(snapshot, cell)
    if cell in now.faults.masked:
        parts.append(say("cell.masked"))
    return {
        "piece": piece,
        "standing": standing,
        "cue": lamp.cue.value if lamp else "",
        "label": ", ".join(p if isinstance(p, str) else words.text(p) for p in parts),
    }


def _what(game: AnyGame, piece: str) -> Message:
    """Name what stands or should stand on a cell."""
    if piece == UNKNOWN_PIECE:
        return say("cell.unknown_piece")
    return game.presentation.piece_word(piece) if piece else say("cell.empty")


def _moves(game: AnyGame, now: State, kept: int, words: Words) -> list[wire.Move]:
    """List the moves but those that the page has kept."""
    new = now.history[kept:]
    afterwards = [*(played.before for played in new[1:]), now.position]
    told_whole = len(now.history) - SENTENCE_MOVES
    return [
        {
            "ply": ply,
            "player": played.player,
            **game_view.seat_at(game, played, after),
            "text": played.text,
            "removed": played.removed,
            "label": words.text(move_sentence(game, now, played))
            if ply > told_whole
            else played.text,
        }
        for ply, (played, after) in enumerate(zip(new, afterwards, strict=False), start=kept + 1)
    ]


def _todo(snapshot: Snapshot, words: Words) -> list[wire.Task]:
    """List the edits that hands must still make, in words.

    `piece` is what is put, or what is taken from an otherwise empty cell; `taken` is what a put
    piece replaces.
    """
    game, now = snapshot.game, snapshot.state
    tasks: list[wire.Task] = []
    for edit in now.pending:
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


def _draft(draft: Draft, words: Words) -> wire.SetUp:
    """Describe the position that is being set up; its pieces are those of the cells."""
    flaw = draft.flaw
    return {
        "brush": draft.brush,
        "to_move": draft.to_move,
        "score": draft.score,
        "flaw": {"cells": sorted(flaw.cells), "text": words.text(flaw.message)} if flaw else None,
    }


def _puzzles(shown: PuzzleList) -> wire.Puzzles:
    return {
        "grades": shown.grades,
        "solved": shown.solved,
        "daily": shown.daily,
        "streak": shown.streak,
    }
