"""The page's data: the board, the words, and the state, present or past, as JSON objects.

Works from immutable values only, so that it can run in the server's thread. `game_view` adds
computer players, and what is a game's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import takewhile
from typing import Any, cast

from game.common import LANGUAGES, Words
from game.engine import Point
from game.opponent import Course
from game.play import Snapshot, light_layers, sounds_for
from game.rules.base.edits import EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.situation import Situation
from game.table import (
    ROLE_CUES,
    UNKNOWN_PIECE,
    Cue,
    Lamp,
    Phase,
    PositionDraft,
    State,
    move_sentence,
    named,
    requests_to_undo,
    scene_of,
    spoken_news,
    spoken_prompt,
)
from game.table.inputs import Command
from game.web import server_messages as wire
from game.web.access import AccessLevel
from game.web.views import game_view
from game.web.views.game_view import described
from hal.lights import Frame, Rhythm, compose
from hal.profile import Profile

SENTENCE_MOVES = 12
"""How many of the newest moves get whole sentences; older ones only their record."""

_CUE_WORDS = {cue: say(f"cue.{cue.value}") for cue in Cue}
"""The meaning of each cue; a game may name what inspecting shows (`Presentation.roles`)."""
_OF_ROLES = {cue: role for role, cue in ROLE_CUES.items()}
_OF_THREATS = (Cue.ENDANGERED, Cue.EDIBLE)
_TO_SET, _TO_LIFT = say("cue.legal_to_set"), say("cue.legal_to_lift")
NOT_SHARED: wire.Share = {"reach": "none", "play": None, "watch": None, "pin": ""}
_EDITS = (Cue.REMOVE, Cue.PUT, Cue.SWAP)
_OF_POSITION = [n for n in wire.State.__annotations__ if n in wire.PastState.__annotations__]
"""Fields of a state message that describe its position; all others describe the present."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A stored game that is shown: its number, the ISO date of its start, or "", and final state.

    A game that is `past` is shown to one page, and others are replayed on a board. If it can be
    `judged`, the page may ask how it went. A `lesson` is shown likewise: "tutorial" or "puzzles".
    """

    number: int = 0
    day: str = ""
    final: State | None = None
    past: bool = False
    judged: bool = False
    lesson: str = ""


PLAYED = Replayed()
"""No stored game: the state is that of the game in progress."""


def hello(
    game: AnyGame,
    profile: Profile,
    words: Words,
    greeting: wire.Greeting,
    simulated: bool,
    replayed: Replayed | None = None,
    level: AccessLevel = AccessLevel.CONTROL,
    by_pin: bool = False,
    levels: Sequence[str] = (),
    devices: bool = False,
    share: wire.Share = NOT_SHARED,
) -> wire.Hello:
    """Describe what does not change: the board, the legend, the words of one language."""
    stones, presentation = profile.sensing.mode == "presence", game.presentation
    return {
        "type": "hello",
        "access": level.value,
        "pin": by_pin,
        **greeting,
        "game": game.name,
        "title": game.title,
        "simulated": simulated,
        "replay": described(wire.Shown, replayed, words) if replayed else None,
        "sensing": profile.sensing.mode,
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
        "players": [{"number": n, "name": words.text(s)} for n, s in enumerate(game.players, 1)],
        "legend": [
            described(wire.LegendEntry, entry, words, text=entry.arrow_word or entry.name)
            for entry in presentation.legend
        ],
        "cues": [
            {"name": c.value, "text": words.text(w)} for c, w in cue_meanings(game, stones).items()
        ],
        "pixels": dict(profile.pixels),
        "keys": [] if replayed else [command.value for command in Command],
        "board_keys": [] if simulated else sorted(profile.keys),
        "levels": game_view.levels(levels, words),
        "art": game_view.art_address(game),
        "keys_of_game": game.keys,
        "rings": dict(game.board.rings),
        "hues": presentation.hues,
        "score_word": words.text(presentation.score_word),
        "score_about": game_view.about(game, presentation.score_word, words),
        "previews": presentation.previews,
        "agreed_draws": game.agreed_draws,
        "palette": [game_view.piece_word(game, piece, words) for piece in game.palette],
        "printed": presentation.printed,
        "hidden": game.hidden and not replayed,
        "devices": devices,
        "share": share,
    }


def greeting(
    language: str, page: Mapping[str, str], pin_command: str = "", pin_changed: bool = False
) -> wire.Greeting:
    """Describe what a page may know before the PIN is entered."""
    return {
        "version": version("lifeboard"),
        "lang": language,
        "langs": LANGUAGES,
        "words": page,
        "pin_command": pin_command,
        "pin_changed": pin_changed,
    }


def state(
    snapshot: Snapshot,
    words: Words,
    player: int | None = None,
    at: float = 0.0,
    shown: Replayed = PLAYED,
    before: State | None = None,
) -> wire.State:
    """Describe the present state in one language: the public snapshot, or that of a `player`.

    `at` is the time now, for a clock that runs. `before` is the state that the page got last: it
    gets the sounds of what has happened since, and the moves that it has not, of the whole game
    that is `shown`; of a past one also the outcome.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    whole = shown.final or now
    outcome = whole.outcome if shown.past else now.outcome
    sent = (shown.final or before).history if before is not None else ()
    pairs = zip(sent, whole.history, strict=False)
    known = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    pieces = now.expected
    drawn = (*pieces.values(), *now.standing.values(), *snapshot.ghosts.values())
    asked = now.notices.confirmation
    elsewhere = (*now.faults.reasons, now.engine.unavailable, scene.notice)
    signs = _signs(snapshot)
    prompt = [each for each in scene.prompt if each not in elsewhere]
    return {
        "type": "state",
        "ply": len(now.history),
        "phase": now.phase.value,
        "to_move": None if now.outcome else scene.turn,
        # The page has its own places for the reasons of a pause, for hints, and so on.
        "message": words.texts(each for each in prompt if each.key != "table.hints"),
        "heard": sounds_for(game, before, now),
        "aloud": {
            "news": [words.text(each) for each in spoken_news(before, now)],
            "asked": [words.text(each) for each in spoken_prompt(now, prompt, scene.aloud)],
        },
        "notice": words.text(scene.notice) if scene.notice else "",
        "good_news": now.notices.current is not None and now.notices.current.good,
        "cells": {
            cell: _cell(snapshot, cell, pieces.get(cell, ""), signs.get(cell), words)
            for cell in game.board.cells
        },
        "ghosts": snapshot.ghosts,
        "pieces": game_view.sides(game, drawn),
        "legend": [
            scene.legend[n].cue.value if n in scene.legend else ""
            for n in range(len(game.presentation.legend))
        ],
        "scores": scene.score,
        "target": scene.goal,
        "options": {**now.options, **now.agreement.options},
        "names": now.names or ("",) * len(game.players),
        "moves_from": known,
        "moves": _moves(game, whole, known, words),
        "todo": [] if now.faults.reasons or now.waits else _todo(snapshot, words),
        "draft": _draft(now.draft, words) if now.draft else None,
        "unsaved": words.text(now.notices.save_problem) if now.notices.save_problem else None,
        "faults": [words.text(reason) for reason in now.faults.reasons],
        "missing": sorted(now.faults.cells),
        "masked": sorted(now.faults.masked),
        "sensed": None if now.hands.sensed is None else sorted(now.hands.sensed),
        "rebuilding": now.rebuilding,
        "confirm": asked.command.value if asked else None,
        "lesson": snapshot.lesson and {"step": snapshot.lesson[0], "of": snapshot.lesson[1]},
        "puzzles": described(wire.Puzzles, snapshot.puzzles, words) if snapshot.puzzles else None,
        "outcome": described(
            wire.Outcome,
            outcome,
            words,
            text=named(now, outcome.message),
            about=game_view.about(game, outcome.message, words),
        )
        if outcome
        else None,
        **game_view.of_state(snapshot, words, at),
        "arranging": game_view.arranging(snapshot, words, player),
        "faces": game_view.faces(snapshot, words),
    }


def lights(colours: Frame) -> wire.Lights:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _signs(snapshot: Snapshot) -> dict[str, Message]:
    """Describe the sign on each cell; a menu's choices have words of their own."""
    game, now, lamps = snapshot.game, snapshot.state, snapshot.scene.cells
    if now.phase is Phase.MENU:
        return {}
    touched = cue_meanings(game, stones=False)
    meanings = touched if now.hands.sensed is None else cue_meanings(game, stones=True)
    return {
        cell: cue_on_cell(
            touched if cell in now.faults.masked else meanings, lamp.cue, cell in now.standing
        )
        for cell, lamp in lamps.items()
        if not (snapshot.automatic and lamp.cue in _EDITS)
    }


def _cell(
    snapshot: Snapshot, cell: str, piece: str, sign: Message | None, words: Words
) -> wire.Cell:
    now, lamp = snapshot.state, snapshot.scene.cells.get(cell)
    standing = now.standing.get(cell, "")
    said = [_what(snapshot.game, piece or standing), *([sign] if sign else [])]
    said += game_view.on_cell(snapshot, cell)
    said += [say("cell.masked")] if cell in now.faults.masked else []
    label = ", ".join((cell, *map(words.text, said)))
    cue = lamp.cue.value if lamp else ""
    return {"piece": piece, "standing": standing, "cue": cue, "label": label}


def _what(game: AnyGame, piece: str) -> Message:
    if piece == UNKNOWN_PIECE:
        return say("cell.unknown_piece")
    return game.presentation.piece_word(piece) if piece else say("cell.empty")


def _moves(game: AnyGame, now: State, known: int, words: Words) -> list[wire.Move]:
    new = now.history[known:]
    afterwards = [*(played.before for played in new[1:]), now.position]
    first_whole = len(now.history) - SENTENCE_MOVES
    return [
        described(
            wire.Move,
            played,
            words,
            ply=ply,
            **game_view.seat_at(game, played, after),
            label=move_sentence(now, played) if ply > first_whole else played.text,
        )
        for ply, (played, after) in enumerate(zip(new, afterwards, strict=False), start=known + 1)
    ]


def _todo(snapshot: Snapshot, words: Words) -> list[wire.Task]:
    game, now = snapshot.game, snapshot.state
    tasks: list[wire.Task] = []
    for edit in now.pending:
        cell, kind = edit.cell, edit.kind
        stands = now.standing.get(cell, "" if kind is EditKind.TURN else UNKNOWN_PIECE)
        piece, ring, count = edit.piece or stands, cell.removeprefix("ring"), abs(edit.steps)
        word, taken = _what(game, piece), _what(game, stands)
        text = {
            EditKind.PUT: say("todo.put", piece=word, cell=cell),
            EditKind.REMOVE: say("todo.remove", piece=word, cell=cell),
            EditKind.SWAP: say("todo.swap", taken=taken, piece=word, cell=cell),
            EditKind.TURN: say("todo.turn_back", ring=ring, count=count)
            if edit.steps < 0
            else say("todo.turn", ring=ring, count=count),
        }[kind]
        replaced = stands if kind is EditKind.SWAP else ""
        tasks.append(described(wire.Task, edit, words, piece=piece, taken=replaced, text=text))
    return tasks


def _draft(draft: PositionDraft, words: Words) -> wire.SetUp:
    flaw = draft.flaw
    said = flaw and {"cells": sorted(flaw.cells), "text": words.text(flaw.message)}
    return described(wire.SetUp, draft, words, flaw=said)


def cue_meanings(game: AnyGame, stones: bool) -> dict[Cue, Message]:
    """Describe each sign that a game can show, on a board that senses `stones` or else touches.

    A presence board does not sense fingers, so only what the last move made can be inspected.
    """
    word_of = {cue: word for cue, word in _CUE_WORDS.items() if _can_show(game, cue, stones)}
    word_of |= {
        cue: game.presentation.roles[role] for cue, role in _OF_ROLES.items() if cue in word_of
    }
    words = zip(_OF_THREATS, game.presentation.threat_words, strict=True)
    word_of |= {cue: word for cue, word in words if cue in word_of}
    if stones:
        word_of[Cue.LEGAL] = _TO_SET
    return word_of


def cue_on_cell(word_of: dict[Cue, Message], cue: Cue, stands: bool) -> Message:
    """Describe a sign on a cell with a piece on it, or nothing."""
    word = word_of.get(cue, _CUE_WORDS[cue])
    return _TO_LIFT if word == _TO_SET and stands else word


def _can_show(game: AnyGame, cue: Cue, stones: bool) -> bool:
    if cue in _OF_ROLES:
        return _OF_ROLES[cue] in game.presentation.roles and (not stones or cue is Cue.CRITTER)
    if cue in _OF_THREATS:
        return game.presentation.teaches
    if cue is Cue.FACE:
        return game.hidden
    return cue is not Cue.TURNED or bool(game.board.rings)


def after(snapshot: Snapshot, ply: int, course: Course | None = None) -> Snapshot:
    """Return a game as it was after `ply` moves, at most all, with no edits pending.

    What the last move took is a ghost. If the next move was a fault, the course of a finished game
    marks the cells of a better move.
    """
    game, now = snapshot.game, snapshot.state
    ply = max(0, min(ply, len(now.history)))
    last = ply == len(now.history)
    position = now.position if last else now.history[ply].before
    outcome = now.outcome if last else None
    past = State(
        Phase.TAP if outcome is None else Phase.OVER,
        Situation(game, position),
        now.options,
        standing=game.pieces(position),
        history=now.history[:ply],
        outcome=outcome,
        names=now.names,
        computers=now.computers,
    )
    said, ghosts = say("page.course_start"), dict[str, str]()
    for played in past.history[-1:]:
        said, stood = played.summary, game.pieces(played.before)
        ghosts = {cell: stood[cell] for cell in {*played.removed} & stood.keys() - past.standing}
    seen = scene_of(past, frozenset())
    judged = course is not None and now.outcome is not None and course.moves == len(now.history)
    points = course.points[ply : ply + 1] if course is not None and judged else ()
    better = _better(game, position, points[0]) if points and points[0].mark else {}
    prompt = (said,) if outcome is None else (said, outcome.message)
    shown = replace(seen, cells={**seen.cells, **better}, prompt=prompt)
    return Snapshot(game, past, shown, ghosts=ghosts)


def look(
    snapshot: Snapshot, ply: int, words: Words, profile: Profile, course: Course | None = None
) -> wire.PastState:
    """Describe a game as it was after `ply` moves.

    The snapshot is the public one, for players too: they must remember what they once saw.
    `take_backs` is how often to take back to return to that position, 0 if that is refused.
    """
    now, past = snapshot.state, after(snapshot, ply, course)
    fields: Mapping[str, object] = state(past, words)
    at = len(past.state.history)
    refused = now.phase in (Phase.CONFIRM, Phase.SET_UP, Phase.MENU) or at == len(now.history)
    own = {
        "type": "look",
        "take_backs": 0 if refused else requests_to_undo(now)[at],
        "rgb": lights(colours(past, profile))["rgb"],
    }
    return cast(wire.PastState, {key: fields[key] for key in _OF_POSITION} | own)


def colours(past: Snapshot, profile: Profile) -> Frame:
    """Return the colours of a past position, all steady: nothing moves in the past."""
    layers = [
        {spot: replace(glow, rhythm=Rhythm.STEADY) for spot, glow in layer.items()}
        for layer in light_layers(past.scene, profile.lights)
    ]
    return compose(layers, profile.pixels, profile.pixel_count, 0.0)


def _better(game: AnyGame, position: Any, point: Point) -> dict[str, Lamp]:
    taps = game.taps(position, game.parse_move(position, point.best))
    side = game.presentation.side_of(position, point.player)
    cells = (cell for tap in taps for cell in game.board.rings.get(tap, (tap,)))
    return {cell: Lamp(Cue.HINT, side) for cell in cells if cell in game.board.centres}
