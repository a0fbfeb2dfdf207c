"""The games that are there, found by name.

Owns the search: a game is a module of this package, or one that another distribution offers under
the entry point group `lifeboard.games`, whose `GAME` is a `Game`, and so are its variants. A new
game needs no line here.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

import game.rules
from game.rules.errors import UnknownGame
from game.rules.game import Game
from game.rules.message import say

GROUP = "lifeboard.games"
VARIANT = "variant"
"""The option by which a game chooses between its variants."""


def all_games() -> dict[str, Game[Any, Any]]:
    """Return every game by its name, in alphabetical order; a name is taken by the first."""
    games: dict[str, Game[Any, Any]] = {}
    for found in _found():
        for each in (found, *found.variants.values()):
            games.setdefault(each.name, each)
    return dict(sorted(games.items()))


def find_game(name: str, options: Mapping[str, str] = {}) -> Game[Any, Any]:
    """Return the game of that name, or the variant of it that the options choose.

    Raises UnknownGame and names those that are there.
    """
    games = all_games()
    if name not in games:
        raise UnknownGame(say("rules.unknown_game", name=name, allowed=", ".join(games)))
    game = games[name]
    return game.variants.get(options.get(VARIANT, ""), game)


def choose_game(name: str, options: Mapping[str, str]) -> tuple[Game[Any, Any], dict[str, str]]:
    """Return the game or variant that a name and options choose, and the options left to it.

    Raises UnknownGame.
    """
    game = find_game(name, options)
    # What has chosen a variant means nothing to one that has no variants of its own.
    chose = game is not find_game(name) and VARIANT not in game.known_options
    return game, {k: v for k, v in options.items() if not (chose and k == VARIANT)}


def _found() -> Iterator[Game[Any, Any]]:
    for module in iter_modules(game.rules.__path__):
        offered = getattr(import_module(f"game.rules.{module.name}"), "GAME", None)
        if isinstance(offered, Game):
            yield offered
    for entry in entry_points(group=GROUP):
        offered = entry.load()
        if isinstance(offered, Game):
            yield offered
