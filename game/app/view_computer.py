"""What the page is told of computer players: who is one, what they want, hints, how a game went.

Owns this part of the wire format; the rest stands in `game.app.view`. Works from immutable values
only, and searches nothing itself.
"""

from collections.abc import Sequence

from game.app.opponent.analysing import Course
from game.app.session import Snapshot
from game.app.words import Words
from game.engine.course import Point
from game.engine.levels import find_level
from game.rules.game import Json
from game.rules.message import Message, say
from game.table.helping import Hint
from game.table.menu import Choice
from game.table.thinking import word

_FINE = 4
"""Scores are told with so many decimals."""
_OF_HINTS = "table.hints"


def levels(names: Sequence[str], words: Words) -> list[Json]:
    """List the levels that can be chosen: how each is called in a sentence, and for whom it is."""
    return [
        {
            "level": name,
            "text": words.text(called) if isinstance(called := word(name), Message) else called,
            "name": words.text(find_level(name).word),
        }
        for name in names
    ]


def of_state(snapshot: Snapshot, words: Words) -> Json:
    """Describe who is a computer, what it wants, and what people are shown at their asking."""
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    wanted = scene.proposal
    return {
        "computers": now.computers or ("",) * len(game.players),
        "thinking": scene.thinking,
        "proposed": wanted and {"cells": wanted.taps, "text": wanted.text},
        "hints": [_hint(hint) for hint in scene.hints],
        "hinting": now.hinting,
        "teaching": now.teaching,
        # While nobody is a computer nobody misses one.
        "stumped": words.text(now.stumped) if now.stumped and any(now.computers) else None,
        "menu": [
            {"cell": cell, "player": each.player, "level": each.level, "chosen": each.chosen}
            for cell, each in scene.menu.items()
        ],
    }


def on_cell(snapshot: Snapshot, cell: str) -> tuple[Message, ...]:
    """Say what more there is to a cell: which hint it is, or what it stands for in the menu."""
    scene = snapshot.scene
    if choice := scene.menu.get(cell):
        return _choice(choice, snapshot.game.players)
    for rank, hint in enumerate(scene.hints, start=1):
        if hint.spot == cell:
            return (say("cell.hint", rank=rank, percent=round(100 * hint.idea.value)),)
    return ()


def is_listed(message: Message) -> bool:
    """Tell whether a sentence says what the page lists already: the hints."""
    return message.key == _OF_HINTS


def analysis(course: Course | None, words: Words) -> Json:
    """Describe how a game went, as far as that is worked out; no moves while nobody has asked.

    A point's `value` and the `final` one are the first player's scores, from 0 to 1; `best_value`
    and `move_value` those of the one who moved.
    """
    if course is None:
        course = Course(0)
    return {
        "type": "analysis",
        "moves": course.moves,
        "points": [_point(point) for point in course.points],
        "turning": course.turning,
        "done": course.done,
        "final": course.final,
        "trouble": words.text(course.trouble) if course.trouble else None,
    }


def _hint(hint: Hint) -> Json:
    idea = hint.idea
    value = round(idea.value, _FINE)
    return {"cell": hint.spot, "move": idea.move, "value": value, "decided": idea.decided}


def _choice(choice: Choice, players: Sequence[Message]) -> tuple[Message, ...]:
    if choice.player is None:
        what = say("cell.menu_people")
    else:
        player = players[choice.player - 1]
        what = say("cell.menu_level", player=player, level=word(choice.level))
    return (what, say("cell.menu_chosen")) if choice.chosen else (what,)


def _point(point: Point) -> Json:
    return {
        "ply": point.ply,
        "player": point.player,
        "move": point.move,
        "value": round(point.value, _FINE),
        "best": point.best,
        "best_value": round(point.best_value, _FINE),
        "move_value": round(point.move_value, _FINE),
        "loss": round(point.loss, _FINE),
        "decided": point.decided,
    }
