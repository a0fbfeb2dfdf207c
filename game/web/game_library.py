"""Lists of games and past games, which the page requests over HTTP; runs on the server's pool.

Players may also delete games; watchers see lists.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from game.common import Words, words
from game.rules.base.game import AnyGame, known_options
from game.rules.base.message import say
from game.rules.base.registry import all_games
from game.rules.base.values import VARIANT, Json
from game.store import (
    StoredGame,
    delete_game,
    export,
    game_number,
    past_games,
    unfinished_games,
)
from game.table.entries import ASSISTANCE, ASSISTANCES, CLOCK, CLOCKS
from game.web.access import CALLER, Access, AccessLevel, Caller
from game.web.game_runtime import Running
from game.web.views import game_view

MOST = 50
"""Past games in one answer."""
_NEWEST = 1 << 62
_SAMPLE_PLIES, _SEED = 22, 5
"""The length of the random game in a picture, and its seed."""


@dataclass(frozen=True, slots=True)
class GameLibrary:
    """Serves the games of a folder: `games` can be opened here, `running` is the present activity.

    `room` describes the room in which it is played, and the broker.
    """

    folder: Path
    games: Callable[[], Mapping[str, AnyGame]]
    running: Callable[[], Running]
    access: Access
    room: Callable[[Caller], Json]

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route("/choices", self._choices),
            Route("/past", self._past),
            Route("/room", self._room),
            Route("/past/{number}", self._export),
            Route("/past/{number}", self._delete, methods=["DELETE"]),
        )

    def _choices(self, request: Request) -> Response:
        speak, unfinished = self._admit(request), unfinished_games(self.folder)
        games = [_choice(each, speak, name in unfinished) for name, each in self.games().items()]
        return JSONResponse({"games": games, CLOCK: CLOCKS, ASSISTANCE: ASSISTANCES})

    def _past(self, request: Request) -> Response:
        speak = self._admit(request)
        before = game_number(request.query_params.get("before", "")) or _NEWEST
        found = past_games(self.folder, before, MOST + 1)
        games = [self._describe(each, speak) for each in found[:MOST]]
        return JSONResponse({"games": games, "more": len(found) > MOST})

    def _room(self, request: Request) -> Response:
        self._admit(request, AccessLevel.CONTROL)
        return JSONResponse(self.room(request.scope[CALLER]))

    def _export(self, request: Request) -> Response:
        """Send the record of a game, as `lifeboard export` writes it."""
        self._admit(request)
        number, as_json = _named(request), "json" in request.query_params
        text = export(self.folder, [str(number)], as_json=as_json)
        ending, kind = ("json", "application/json") if as_json else ("txt", "text/plain")
        named = {"Content-Disposition": f'attachment; filename="lifeboard-{number}.{ending}"'}
        return Response(text.rstrip("\n") + "\n", headers=named, media_type=kind)

    def _delete(self, request: Request) -> Response:
        speak = self._admit(request, AccessLevel.CONTROL)
        number = _named(request)
        if number == self._playing:
            raise HTTPException(409, speak.text(say("games.being_played")))
        delete_game(self.folder, number)
        if (journal := self.running().journal) is not None:
            journal.back_up()
        return Response(status_code=204)

    @property
    def _playing(self) -> int | None:
        journal = self.running().journal
        return None if journal is None else journal.number

    def _admit(self, request: Request, least: AccessLevel = AccessLevel.WATCH) -> Words:
        """Return words in the caller's language; raises HTTPException without `least` access."""
        caller = request.scope[CALLER]
        if self.access.level(caller) not in (least, AccessLevel.CONTROL):
            raise HTTPException(403)
        return words(caller.language)

    def _describe(self, past: StoredGame, speak: Words) -> Json:
        game = all_games().get(past.game)
        colours = [speak.text(player) for player in game.players] if game else []
        names, levels = past.names, past.computers
        playing = past.number == self._playing
        return {
            "number": past.number,
            "game": past.game,
            "title": game.title if game else past.game,
            "started": past.started,
            "players": [
                {"name": name or colour, "level": level}
                for name, colour, level in zip_longest(names, colours, levels, fillvalue="")
            ],
            "plies": past.plies,
            "over": past.reason is not None,
            "winner": past.winner,
            # A game that hides something is closed until it ends.
            "closed": game is None or (game.hidden and past.reason is None),
            "playing": playing,
            "resumes": past.resumes and not playing and past.game in self.games(),
        }


def _named(request: Request) -> int:
    """Return the number in a request's path; raises HTTPException."""
    if (number := game_number(request.path_params["number"])) is None:
        raise HTTPException(404)
    return number


def _choice(game: AnyGame, speak: Words, unfinished: bool) -> Json:
    about = game.presentation.about
    return {
        "game": game.name,
        "title": game.title,
        "about": speak.text(about) if about else "",
        "art": game_view.art_address(game),
        "hues": game.presentation.hues,
        "shape": game.board.shape,
        "cells": {cell: {"x": x, "y": y} for cell, (x, y) in game.board.centres.items()},
        "printed": dict(game.presentation.printed),
        "pieces": _sample(game.name),
        "players": [speak.text(player) for player in game.players],
        "hidden": game.hidden,
        "unfinished": unfinished,
        "options": [
            {
                "name": name,
                "text": speak.text(option.word) if option.word else name,
                "default": option.default,
                "most": option.most,
                "choices": [
                    {"value": each, "text": speak.text(word) if word else each}
                    for each, word in zip_longest(option.choices, option.choice_words)
                ],
            }
            for name, option in known_options(game).items()
            if name not in ("first", VARIANT)
        ],
        "firsts": known_options(game)["first"].choices,
    }


@cache
def _sample(name: str) -> Mapping[str, Json]:
    """Return the pieces of a game that was played at random for a while, by cell."""
    game, rng = all_games()[name], Random(_SEED)
    position = game.initial()
    for _ in range(0 if game.hidden else _SAMPLE_PLIES):
        moves = tuple(game.legal_moves(position))
        if moves:
            position = game.play(position, rng.choice(moves))
    side = game.presentation.side
    pieces = game.pieces(position).items()
    return {cell: {"piece": piece, "side": side(piece)} for cell, piece in pieces}
