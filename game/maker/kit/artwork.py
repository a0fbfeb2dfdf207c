"""What the games of a board have printed on it, for its kit.

Owns the choice of what to print, and its colours. Must not know millimetres.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from game.common.defaults import DEFAULT_GAME
from game.common.translation import DEFAULT, Words, words
from game.play.board_mapping import fits, fitted
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.rules.boards.board import Board
from game.rules.cirkle_mind import CirkleMind
from hal.profile import Profile
from hal.profile.geometry import Point
from hardware.kit.printed.artwork import Artwork, Badge, Field, Figure, Sign, Stones

# The page's colours, a little darker: on paper no light shines behind them.
_INKS = {"y": "#e9b411", "g": "#3fa65a", "b": "#4583d6", "m": "#b067cf"}
_FIGURES = {
    "T": Figure.TRIANGLE,
    "S": Figure.SQUARE,
    "C": Figure.CROSS,
    "O": Figure.CIRCLE,
}
_LEGEND = "circle"
"""The lights of what a game lists, one by one."""
_KEYS = {
    "new_game": "new game",
    "take_back": "take back",
    "resign": "resign",
    "cell": "dead cell",
    "shutdown": "switch off",
    "hint": "hint",
    "confirm": "confirm",
    "choice1": "choice 1",
    "choice2": "choice 2",
    "turn": "turn",
    "eats": "eats",
}


def artwork(profile: Profile, graph: Board, language: str = DEFAULT) -> Artwork:
    """Collect the prints of all games that can be played on a board with this graph."""
    games = [game for game in all_games().values() if fits(profile, game)]
    rings = tuple(graph.rings)
    names = dict(_KEYS) | {ring: f"ring {n}" for n, ring in enumerate(rings, start=1)}
    return Artwork(
        signs=MappingProxyType(_signs(games)),
        badges=MappingProxyType(_badges(profile, games, words(language))),
        fields=tuple(_fields(profile, graph, games)),
        rings=tuple(ring for ring in rings if ring in profile.keys),
        names=MappingProxyType(names),
        stones=tuple(_stones(games)),
    )


def _stones(games: list[Game[Any, Any]]) -> Iterator[Stones]:
    """List the pieces that these games need beside the board, the usual game's first."""
    for game in sorted(games, key=lambda each: each.name != DEFAULT_GAME):
        for each in game.presentation.stones:
            yield Stones(game.title, each.side, each.kind, each.count, each.look)


def _signs(games: list[Game[Any, Any]]) -> dict[str, Sign]:
    return {
        cell: Sign(_FIGURES[code[1]], _INKS[code[0]], code[0])
        for game in games
        if isinstance(game, CirkleMind)
        for cell, code in game.presentation.printed.items()
    }


def _badges(profile: Profile, games: list[Game[Any, Any]], said: Words) -> dict[str, Badge]:
    listed = next((game.presentation.legend for game in games if game.presentation.legend), ())
    badges = {
        f"{_LEGEND}.{number}": Badge(
            said.text(entry.name),
            tuple(Point(x, -y) for x, y in entry.shape),
            f"{_LEGEND}.{entry.arrow_to}",
        )
        for number, entry in enumerate(listed)
    }
    # Half a circle would say less than none.
    return badges if all(light in profile.pixels for light in badges) else {}


def _fields(profile: Profile, graph: Board, games: list[Game[Any, Any]]) -> Iterator[Field]:
    for number, (ring, cells) in enumerate(graph.rings.items()):
        yield Field(ring, cells, tint=number % 2)
    for game in games:
        if len(game.board.cells) < len(profile.cells):
            own = {pad: cell for cell, pad in profile.cells.items()}
            cells = tuple(own[pad] for pad in fitted(profile, game).cells.values())
            yield Field(game.name, cells, tint=1, line=True)
    yield from _zones(graph, _signs(games))


def _zones(graph: Board, signs: Mapping[str, Sign]) -> Iterator[Field]:
    """Return the cells with signs, neighbours together."""
    left = [cell for cell in graph.cells if cell in signs]
    while left:
        zone = [left.pop(0)]
        for cell in zone:
            near = [other for other in graph.neighbours[cell] if other in left]
            left = [other for other in left if other not in near]
            zone += near
        yield Field(f"zone {zone[0]}", tuple(zone), tint=0, line=True)
