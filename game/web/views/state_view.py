"""The page's data: the board, the words, and the state, present or past, as JSON objects.

Works from immutable values only, so that it can run in the server's thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import takewhile
from typing import Any

from game.common import LANGUAGES, Words
from game.engine import Point
from game.opponent import Course
from game.play import Snapshot, light_layers, sounds_for
from game.rules.base.edits import EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.situation import Situation
from game.rules.base.values import Outcome
from game.table import (
    ROLE_CUES,
    UNKNOWN_PIECE,
    Cue,
    Lamp,
    Phase,
    PositionDraft,
    State,
    looked_at,
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

_OF_ROLES = {cue: role for role, cue in ROLE_CUES.items()}
_OF_THREATS = (Cue.ENDANGERED, Cue.EDIBLE)
NOT_SHARED: wire.Share = {"reach": "none", "play": None, "watch": None, "pin": ""}
_HANDS = {None: None, True: "automatic", False: "mine"}
_EDITS = (Cue.REMOVE, Cue.PUT, Cue.SWAP)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A stored game that is shown: its number, ISO date of its start ("" if unknown), final state.

    If it can be `judged`, the page may ask how it went. A `lesson`, "tutorial" or "puzzles", is
    shown in the same way.
    """

    number: int = 0
    day: str = ""
    final: State | None = None
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
    levels: Sequence[str] = (),
    share: wire.Share = NOT_SHARED,
) -> wire.Hello:
    """Describe what does not change: the board, the legend, the words of one language."""
    stones, presentation = profile.sensing.stones, game.presentation
    about = presentation.meanings.get(presentation.score_word.key)
    return {
        "type": "hello",
        "access": level.value,
        **greeting,
        "game": game.name,
        "title": game.title,
        "simulated": simulated,
        "replay": described(wire.Shown, replayed, words) if replayed else None,
        "sensing": profile.sensing.mode,
        "board": {
            "shape": game.board.shape,
            "cells": {
                cell: {"x": x, "y": y, "neighbours": game.board.neighbours[cell]}
                for cell, (x, y) in game.board.centres.items()
            },
        },
        "players": [{"number": n, "name": words.text(s)} for n, s in enumerate(game.players, 1)],
        "legend": [
            described(wire.LegendEntry, entry, words, text=entry.arrow_word or entry.name)
            for entry in presentation.legend
        ],
        "cues": [
            {"name": cue.value, "text": words.text(cue_word(game, cue, stones))}
            for cue in Cue
            if _can_show(game, cue, stones)
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
        "score_about": words.text(about) if about else "",
        "previews": presentation.previews,
        "agreed_draws": game.agreed_draws,
        "palette": [game_view.piece_word(game, piece, words) for piece in game.palette],
        "printed": presentation.printed,
        "hidden": game.hidden and not replayed,
        "share": share,
    }


def greeting(language: str, page: Mapping[str, str], pin_command: str = "") -> wire.Greeting:
    """Describe what a page may know before the PIN is entered."""
    return {
        "version": version("lifeboard"),
        "lang": language,
        "langs": LANGUAGES,
        "words": page,
        "pin_command": pin_command,
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

    `at` is the time now, for a clock that runs. `before` is the state that the page got last: the
    message has the sounds since then, and the moves that the page lacks. Moves and outcome are
    those of the whole stored game, if one is `shown`.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    whole = shown.final or now
    sent = (shown.final or before).history if before is not None else ()
    pairs = zip(sent, whole.history, strict=False)
    known = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    asked, clocks, failed = now.notices.confirmation, now.clocks, now.engine.unavailable
    left = [round(each, 1) for each in clocks.left_at(at)] if clocks else []
    grades = (each for each in scene.prompt if each.key.startswith("help."))
    return {
        "type": "state",
        **_position(snapshot, words),
        "computers": now.levels,
        "hinting": now.engine.hinting,
        "coaching": now.coached,
        "chances": None if scene.chances is None else round(scene.chances, 2),
        # Without a computer player a missing engine needs no message.
        "engine_failed": words.text(failed) if failed and any(now.computers) else None,
        "you": now.you if words.to_you else None,
        "clock": described(wire.Clock, clocks, words, left=left) if clocks else None,
        "redo": bool(now.undone) and now.outcome is None,
        "help": [each.text for each in now.helps],
        "graded": " ".join(map(words.text, grades)) if looked_at(now) else "",
        "assistance": now.agreement.assistance,
        "hands": _HANDS[snapshot.automatic],
        "heard": sounds_for(game, before, now),
        "aloud": {
            "news": [words.text(each) for each in spoken_news(before, now)],
            "asked": [
                words.text(each) for each in spoken_prompt(now, _prompt(snapshot), scene.aloud)
            ],
        },
        "target": scene.goal,
        "options": {**now.options, **now.agreement.options},
        "names": now.all_names,
        "moves_from": known,
        "moves": _moves(game, whole, known, words),
        "todo": [] if now.faults.reasons or now.waits else _todo(snapshot, words),
        "unsaved": words.text(now.notices.save_problem) if now.notices.save_problem else None,
        "faults": [words.text(reason) for reason in now.faults.reasons],
        "missing": sorted(now.faults.cells),
        "masked": sorted(now.faults.masked),
        "sensed": None if now.hands.sensed is None else sorted(now.hands.sensed),
        "rebuilding": now.rebuilding,
        "confirm": asked.command.value if asked else None,
        "lesson": snapshot.lesson and {"step": snapshot.lesson[0], "of": snapshot.lesson[1]},
        "puzzles": described(wire.Puzzles, snapshot.puzzles, words) if snapshot.puzzles else None,
        "outcome": None if whole.outcome is None else _outcome(now, whole.outcome, words),
        "arranging": game_view.arranging(snapshot, words, player),
        "faces": game_view.faces(snapshot, words),
    }


def _outcome(state: State, outcome: Outcome, words: Words) -> wire.Outcome:
    text, about = outcome.message, state.game.presentation.meanings.get(outcome.message.key, "")
    return described(wire.Outcome, outcome, words, text=named(state, text), about=about)


def _position(snapshot: Snapshot, words: Words) -> wire.Position:
    """Describe what the messages about a present and a past position have in common."""
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    players, presentation = range(1, len(game.players) + 1), game.presentation
    wanted, meanings = scene.proposal, presentation.meanings
    drawn = (*now.expected.values(), *now.standing.values(), *snapshot.ghosts.values())
    return {
        "ply": len(now.history),
        "phase": now.phase.value,
        "to_move": None if now.outcome else scene.turn,
        # The page has its own place for hints.
        "message": words.texts(each for each in _prompt(snapshot) if each.key != "table.hints"),
        "notice": words.text(scene.notice) if scene.notice else "",
        "good_news": now.notices.current is not None and now.notices.current.good,
        "cells": {cell: _cell(snapshot, cell, words) for cell in game.board.cells},
        "ghosts": snapshot.ghosts,
        "pieces": game_view.sides(game, drawn),
        "legend": [
            scene.legend[n].cue.value if n in scene.legend else ""
            for n in range(len(presentation.legend))
        ],
        "scores": scene.score,
        "draft": _draft(now.draft, words) if now.draft else None,
        "thinking": scene.thinking,
        "proposed": {"cells": wanted.taps, "text": wanted.text} if wanted else None,
        "hints": [
            described(wire.HintedMove, hint.move, words, cell=hint.spot) for hint in scene.hints
        ],
        "menu": [
            described(wire.MenuCell, each, words, cell=cell) for cell, each in scene.menu.items()
        ],
        "sides": [game_view.seat(game, now.position, player) for player in players],
        "called": [words.text(presentation.called(now.position, player)) for player in players],
        "goals": [
            described(
                wire.GoalView, goal, words, text=goal.word, about=meanings.get(goal.word.key, "")
            )
            for goal in scene.goals
        ],
        "keys": [
            {
                "key": key,
                "text": words.text(presentation.key_word(now.position, now.taps, key)),
                "cue": scene.keys[key].cue.value,
            }
            for key in game.keys
            if key in scene.keys
        ],
        "travel": described(wire.RingTurn, now.ring_turn, words) if now.ring_turn else None,
    }


def _prompt(snapshot: Snapshot) -> list[Message]:
    """Return the prompt without what the page shows elsewhere: faults, engine and notice."""
    now, scene = snapshot.state, snapshot.scene
    elsewhere = (*now.faults.reasons, now.engine.unavailable, scene.notice)
    return [each for each in scene.prompt if each not in elsewhere]


def lights(colours: Frame) -> wire.Lights:
    """Write the colours of the strip, six hexadecimal digits a pixel."""
    return {"type": "lights", "rgb": "".join(colour.hex[1:] for colour in colours)}


def _cell(snapshot: Snapshot, cell: str, words: Words) -> wire.Cell:
    now, lamp = snapshot.state, snapshot.scene.cells.get(cell)
    piece, standing = now.expected.get(cell, ""), now.standing.get(cell, "")
    masked = cell in now.faults.masked
    said = [_what(snapshot.game, piece or standing)]
    # A menu's choices have words of their own, and automatic hands make the edits.
    made = snapshot.automatic and lamp is not None and lamp.cue in _EDITS
    if lamp is not None and now.phase is not Phase.MENU and not made:
        senses = now.hands.sensed is not None and not masked
        said.append(cue_word(snapshot.game, lamp.cue, senses, cell in now.standing))
    said += game_view.on_cell(snapshot, cell)
    said += [say("cell.masked")] if masked else []
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
    return [
        described(
            wire.Move,
            played,
            words,
            ply=ply,
            **game_view.seat_at(game, played, after),
            label=move_sentence(now, played),
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
        task = "turn_back" if edit.steps < 0 else kind.value
        text = say(f"todo.{task}", piece=word, taken=taken, cell=cell, ring=ring, count=count)
        replaced = stands if kind is EditKind.SWAP else ""
        tasks.append(described(wire.Task, edit, words, piece=piece, taken=replaced, text=text))
    return tasks


def _draft(draft: PositionDraft, words: Words) -> wire.SetUp:
    flaw = draft.flaw
    said = flaw and {"cells": sorted(flaw.cells), "text": words.text(flaw.message)}
    return described(wire.SetUp, draft, words, flaw=said)


def cue_word(game: AnyGame, cue: Cue, stones: bool, stands: bool = False) -> Message:
    """Return what a cue means, on a cell where a piece `stands` or on an empty one.

    `stones` tells whether the board senses stones there. A game may name what inspecting shows.
    """
    if cue is Cue.LEGAL and stones:
        return say("cue.legal_to_lift") if stands else say("cue.legal_to_set")
    if cue in _OF_THREATS:
        return game.presentation.threat_words[_OF_THREATS.index(cue)]
    role = _OF_ROLES.get(cue)
    named = role and game.presentation.roles.get(role)
    return named or say(f"cue.{cue.value}")


def _can_show(game: AnyGame, cue: Cue, stones: bool) -> bool:
    # A presence board does not sense fingers, so only what the last move made can be inspected.
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
    at = len(past.state.history)
    refused = now.phase in (Phase.CONFIRM, Phase.SET_UP, Phase.MENU) or at == len(now.history)
    return {
        "type": "look",
        **_position(past, words),
        "take_backs": 0 if refused else requests_to_undo(now)[at],
        "rgb": lights(colours(past, profile))["rgb"],
    }


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
