"""Computer players in the page's data: who is one, their moves, hints, and the course of a game."""

from collections.abc import Sequence
from typing import cast

from game.common import Words
from game.engine import LEVEL_NAMES, Point, find_level
from game.opponent import Course
from game.play import Snapshot
from game.rules.base.message import Message, say
from game.table import LESSON, MenuChoice, level_word
from game.table.entries import EVEN
from game.web import server_messages as wire

_FINE = 4
"""Decimals of scores."""


def levels(names: Sequence[str], words: Words) -> list[wire.Level]:
    """List the levels to choose from: each one's name in a sentence, and what it is like."""
    return [
        {
            "level": name,
            "text": words.text(called)
            if isinstance(called := level_word(name), Message)
            else called,
            "about": words.text(say("level.even_about"))
            if name == EVEN
            else (words.text(find_level(name).word) if name in LEVEL_NAMES else ""),
        }
        for name in names
    ]


def of_state(snapshot: Snapshot, words: Words) -> wire.StateOfComputers:
    """Describe which players are computers, their moves to make, and requested hints."""
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    wanted = scene.proposal
    return {
        "computers": now.computers or ("",) * len(game.players),
        "thinking": scene.thinking,
        "proposed": {"cells": wanted.taps, "text": wanted.text} if wanted else None,
        "hints": [
            {
                "cell": hint.spot,
                "move": hint.move.move,
                "value": round(hint.move.value, _FINE),
                "decided": hint.move.decided,
            }
            for hint in scene.hints
        ],
        "hinting": now.engine.hinting,
        "coaching": now.coached,
        "chances": None if scene.chances is None else round(scene.chances, 2),
        # Without a computer player its absence needs no message.
        "engine_failed": words.text(now.engine.unavailable)
        if now.engine.unavailable and any(now.computers)
        else None,
        "menu": [
            {"cell": cell, "player": each.player, "level": each.level, "chosen": each.chosen}
            for cell, each in scene.menu.items()
        ],
    }


def on_cell(snapshot: Snapshot, cell: str) -> tuple[Message, ...]:
    """Return a cell's further meaning: which hint it is, or its choice in the menu."""
    scene = snapshot.scene
    if choice := scene.menu.get(cell):
        return _choice(choice, snapshot.game.players)
    for rank, hint in enumerate(scene.hints, start=1):
        if hint.spot == cell:
            return (say("cell.hint", rank=rank, percent=round(100 * hint.move.value)),)
    return ()


def analysis(course: Course | None, words: Words) -> wire.Analysis:
    """Describe how a game went, as far as that is known; no moves before it was requested."""
    course = course or Course(0)
    return {
        "type": "analysis",
        "moves": course.moves,
        "points": [_point(point) for point in course.points],
        "turning": course.turning,
        "done": course.done,
        "final": course.final,
        "trouble": words.text(course.trouble) if course.trouble else None,
    }


def _choice(choice: MenuChoice, players: Sequence[Message]) -> tuple[Message, ...]:
    if choice.of_help and choice.player is None:
        what = say("cell.menu_help") if choice.level else say("cell.menu_back")
    elif choice.of_help:
        player = players[(choice.player or 1) - 1]
        what = say("cell.menu_help_level", player=player, level=choice.level)
    elif choice.level == LESSON:
        what = say("cell.menu_learn")
    elif choice.player is None:
        what = say("cell.menu_people")
    else:
        player = players[choice.player - 1]
        what = say("cell.menu_level", player=player, level=level_word(choice.level))
    return (what, say("cell.menu_chosen")) if choice.chosen else (what,)


def _point(point: Point) -> wire.CoursePoint:
    reported = {name: getattr(point, name) for name in wire.CoursePoint.__annotations__}
    fine = {name: round(each, _FINE) for name, each in reported.items() if isinstance(each, float)}
    return cast(wire.CoursePoint, reported | fine)
