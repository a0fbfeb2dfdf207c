"""The page's data of a game and its players: sides, keys, goals, rules, and computer players.

A snapshot is the public one, or that of the page's player.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, cast

from game.common import Words
from game.engine import LEVEL_NAMES, find_level
from game.opponent import Course
from game.play import Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.lessons import Picture, pictures, puzzles, taught_by
from game.rules.base.message import Message, say
from game.table import (
    LESSON,
    ROLE_CUES,
    UNKNOWN_PIECE,
    MenuChoice,
    Phase,
    Played,
    level_word,
    move_sentence,
)
from game.table.entries import EVEN
from game.web import server_messages as wire

MessageT = TypeVar("MessageT")
_FINE = 4
"""Decimals of scores."""


def described(kind: type[MessageT], thing: object, words: Words, **other: object) -> MessageT:
    """Fill a part of a message from a thing's fields of the same names, and from `other` ones."""

    def plain(name: str) -> object:
        match other[name] if name in other else getattr(thing, name):
            case Message() as message:
                return words.text(message)
            case Enum() as member:
                return member.value
            case float(number):
                return round(number, _FINE)
            case value:
                return value

    return cast(MessageT, {name: plain(name) for name in kind.__annotations__})


def art_folder(game: AnyGame) -> Path | None:
    """Return the folder of a game's own files for the page; None if it has none."""
    page = Path(str(game.presentation.folder)) / "page"
    return page if game.presentation.folder is not None and page.is_dir() else None


def art_address(game: AnyGame) -> str | None:
    """Return the address of the module that draws a game's pieces; None if it has none."""
    return f"/games/{game.name}/art.js" if art_folder(game) is not None else None


def piece_word(game: AnyGame, piece: str, words: Words) -> wire.PieceWord:
    word = words.text(game.presentation.piece_word(piece))
    return {"piece": piece, "word": word, "side": game.presentation.side(piece)}


def seat(game: AnyGame, position: Any, player: int) -> wire.Side:
    """Return a player's side in a position, and the piece that depicts it."""
    side = game.presentation.side_of(position, player)
    return {"side": side, "token": game.presentation.token_of(position, player)}


def seat_at(game: AnyGame, played: Played, after: Any) -> wire.Side:
    """Return the side with which a player moved; the move itself may have chosen the side."""
    nameless = (
        game.presentation.called(played.before, played.player) == game.players[played.player - 1]
    )
    return seat(game, after if nameless else played.before, played.player)


def sides(game: AnyGame, pieces: Iterable[str]) -> dict[str, int | None]:
    """Return the side of each of these pieces, for those who draw them."""
    known = set(pieces) - {"", UNKNOWN_PIECE}
    return {piece: game.presentation.side(piece) for piece in sorted(known)}


def arranging(snapshot: Snapshot, words: Words, player: int | None) -> wire.Arranging | None:
    """Describe the set-ups under way, for one player or for all; None if there are none."""
    game, state = snapshot.game, snapshot.state
    players = range(1, len(game.players) + 1)
    left = {each: game.arranging(state.position, each) for each in players}
    if state.outcome is not None or not any(left.values()):
        return None
    word_of, covering, own = game.presentation.piece_word, None, None
    if (laid := state.setups.on_board) is not None and (theirs := left.get(laid.player)):
        count, of = len(laid.cells), len(theirs.pieces)
        piece = theirs.pieces[count] if count < of else None
        covering = described(
            wire.Covering,
            laid,
            words,
            count=count,
            of=of,
            next=piece,
            word=piece and word_of(piece),
        )
    if player is not None and (mine := left.get(player)):
        sealed = state.setups.submitted.get(player)
        own = described(
            wire.OwnSetUp,
            mine,
            words,
            player=player,
            pieces=[{"piece": each, "word": words.text(word_of(each))} for each in mine.pieces],
            laid=sealed and game.laid(state.position, player, sealed),
        )
    return {"sealed": sorted(state.setups.submitted), "covering": covering, "own": own}


def faces(snapshot: Snapshot, words: Words) -> wire.Faces | None:
    """Describe the faces that the last move shows to all, until they are covered."""
    game, state = snapshot.game, snapshot.state
    if not (state.showing_faces and state.history):
        return None
    last = state.history[-1]
    return {
        "cells": {cell: piece_word(game, piece, words) for cell, piece in last.faces.items()},
        "text": words.text(move_sentence(state, last)),
    }


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
    """Describe what a touch of a cell would make and take; nothing where that must stay hidden."""
    game, state = snapshot.game, snapshot.state
    cells, legend, text = dict[str, str](), [""] * len(game.presentation.legend), ""
    is_open = state.phase is Phase.TAP and not (state.agreement.strict or state.taps)
    shows = is_open and not snapshot.scene.thinking
    if shows and (shown := game.presentation.preview(state.position, cell)):
        cells = {each: ROLE_CUES[role].value for each, role in shown.cells.items()}
        text = words.text(shown.message)
        for n, role in shown.legend.items():
            legend[n] = ROLE_CUES[role].value
    return {
        "type": "preview",
        "cell": cell,
        "ply": len(state.history),
        "cells": cells,
        "legend": legend,
        "text": text,
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


def levels(names: Sequence[str], words: Words) -> list[wire.Level]:
    """List the levels to choose from: each one's name in a sentence, and what it is like."""
    about = {EVEN: say("level.even_about")} | {n: find_level(n).word for n in LEVEL_NAMES}
    return [
        described(wire.Level, None, words, level=n, text=level_word(n), about=about.get(n, ""))
        for n in names
    ]


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
    points = [described(wire.CoursePoint, point, words) for point in course.points]
    return described(wire.Analysis, course, words, type="analysis", points=points)


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
