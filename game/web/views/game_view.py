"""The page's data that belongs to a game: sides and colours, rings, keys, and goals.

Owns this part of the wire format; the rest is in `game.web.views.state_view`. Works from immutable
values only.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from game.common.translation import Words
from game.play.session import Snapshot
from game.rules.base.game import AnyGame
from game.table import UNKNOWN_PIECE, Played
from game.web import server_messages as wire
from game.web.views import guide_view


def art_folder(game: AnyGame) -> Path | None:
    """Return the folder of a game's own files for the page; None if it has none."""
    folder = game.presentation.folder
    page = None if folder is None else Path(str(folder)) / "page"
    return page if page is not None and page.is_dir() else None


def of_hello(game: AnyGame, words: Words) -> wire.HelloOfGame:
    """Describe what never changes in a game.

    `keys_of_game` are its taps that are not cells. `rings` are the parts of the board that can be
    turned, with their cells in clockwise order. `hues` are the colours of the sides. `art` is the
    address of the module that draws its pieces, None if it has none.
    """
    return {
        "art": f"/games/{game.name}/art.js" if art_folder(game) is not None else None,
        "keys_of_game": game.keys,
        "rings": dict(game.board.rings),
        "hues": game.presentation.hues,
        "score_word": words.text(game.presentation.score_word),
        "score_about": guide_view.about(game, game.presentation.score_word, words),
        "previews": game.presentation.previews,
        "agreed_draws": game.agreed_draws,
        "palette": [
            {
                "piece": piece,
                "word": words.text(game.presentation.piece_word(piece)),
                "side": game.presentation.side(piece),
            }
            for piece in game.palette
        ],
    }


def of_state(snapshot: Snapshot, words: Words, at: float) -> wire.StateOfGame:
    """Describe the players' sides, the goals, the keys that can be pressed, and what turns.

    `sides` has each player's side and a piece that depicts it, `called` each player's name. The
    clocks are read `at` a time.
    """
    game, now, scene = snapshot.game, snapshot.state, snapshot.scene
    players = range(1, len(game.players) + 1)
    travel, clocks = now.ring_turn, now.clocks
    return {
        "sides": [seat(game, now.position, player) for player in players],
        "called": [
            words.text(game.presentation.called(now.position, player)) for player in players
        ],
        "goals": [
            {
                "player": goal.player,
                "text": words.text(goal.word),
                "about": guide_view.about(game, goal.word, words),
                "reached": goal.reached,
                "wanted": goal.wanted,
            }
            for goal in scene.goals
        ],
        "keys": [
            {
                "key": key,
                "text": words.text(game.presentation.key_word(now.position, now.taps, key)),
                "cue": scene.keys[key].cue.value,
            }
            for key in game.keys
            if key in scene.keys
        ],
        "clock": {
            "left": [round(left, 1) for left in clocks.left_at(at)],
            "running": clocks.running,
        }
        if clocks
        else None,
        "redo": bool(now.undone) and now.outcome is None,
        "assistance": now.agreement.assistance,
        "hands": None
        if snapshot.automatic is None
        else ("automatic" if snapshot.automatic else "mine"),
        "travel": {"ring": travel.ring, "steps": travel.steps} if travel else None,
    }


def seat(game: AnyGame, position: Any, player: int) -> wire.Side:
    """Return a player's side in a position, and the piece that depicts it."""
    side = game.presentation.side_of(position, player)
    return {"side": side, "token": game.presentation.token(side)}


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
