"""The games that are installed, by name.

A game is the `GAME` of a folder of `game.rules`, or what another distribution offers under the
entry point group `lifeboard.games`; its variants are games too.
"""

import logging
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules

import game.rules
from game.rules.base.errors import UnknownGame
from game.rules.base.game import AnyGame, Game, known_options
from game.rules.base.message import say
from game.rules.base.values import VARIANT

log = logging.getLogger(__name__)

GROUP = "lifeboard.games"


def all_games() -> dict[str, AnyGame]:
    """Return every game by its name, in alphabetical order; of two with one name, the first."""
    games: dict[str, AnyGame] = {}
    for found in _found():
        for each in (found, *found.variants.values()):
            games.setdefault(each.name, each)
    return dict(sorted(games.items()))


def find_game(name: str, options: Mapping[str, str] = {}) -> AnyGame:
    """Return the game of that name without importing others, or a variant; raises UnknownGame."""
    own = _in_folder(name.replace("-", "_")) if name.replace("-", "").isalpha() else None
    games = {name: own} if own is not None and own.name == name else all_games()
    if name not in games:
        raise UnknownGame(say("rules.unknown_game", name=name, allowed=", ".join(games)))
    game = games[name]
    return game.variants.get(options.get(VARIANT, ""), game)


def choose_game(name: str, options: Mapping[str, str]) -> tuple[AnyGame, dict[str, str]]:
    """Return the game that a name and options choose, and its other options; raises UnknownGame."""
    game = find_game(name, options)
    # The option that chose a variant may be unknown to the variant itself.
    chose = game is not find_game(name) and VARIANT not in known_options(game)
    return game, {k: v for k, v in options.items() if not (chose and k == VARIANT)}


def games_of_others() -> Iterator[AnyGame]:
    """Yield the games that other distributions offer."""
    for entry in entry_points(group=GROUP):
        try:
            offered = entry.load()
        except Exception:
            # One faulty distribution must not stop the other games.
            log.warning("game %r cannot be loaded", entry.name, exc_info=True)
            continue
        if isinstance(offered, Game):
            yield offered


def _found() -> Iterator[AnyGame]:
    for module in iter_modules(game.rules.__path__):
        if (offered := _in_folder(module.name)) is not None:
            yield offered
    yield from games_of_others()


def _in_folder(folder: str) -> AnyGame | None:
    if find_spec(f"game.rules.{folder}") is None:
        return None
    offered = getattr(import_module(f"game.rules.{folder}"), "GAME", None)
    return offered if isinstance(offered, Game) else None
