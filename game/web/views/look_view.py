"""A past position of a game, for a page that looks back."""

from dataclasses import replace
from typing import Any, cast

from game.common import Words
from game.engine import Point
from game.opponent import Course
from game.play import Snapshot, light_layers
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.rules.base.situation import Situation
from game.table import Cue, Lamp, Phase, State, requests_to_undo, scene_of
from game.web import server_messages as wire
from game.web.views import state_view
from hal.lights import Frame, Rhythm, compose
from hal.profile import Profile

_OF_POSITION = wire.State.__annotations__.keys() & wire.PastState.__annotations__.keys() - {"type"}
"""Fields of a state message that describe its position; all others describe the present."""


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
    fields, at = state_view.state(past, words), len(past.state.history)
    refused = now.phase in (Phase.CONFIRM, Phase.SET_UP, Phase.MENU) or at == len(now.history)
    own = {
        **{key: value for key, value in fields.items() if key in _OF_POSITION},
        "type": "look",
        "take_backs": 0 if refused else requests_to_undo(now)[at],
        "rgb": state_view.lights(lights(past, profile))["rgb"],
    }
    return cast(wire.PastState, own)


def lights(past: Snapshot, profile: Profile) -> Frame:
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
