"""What each player may see of a table, and what everybody may.

Owns the veil between the umpire's state and all that leaves the table: lights, pages and computer
players are told of nothing else. Knows no light and no page.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from game.rules.game import Game
from game.table.inputs import Idea, Thought
from game.table.state import UNKNOWN_PIECE, Covering, Phase, Played, State
from game.table.thinking import proposed

AnyGame = Game[Any, Any]
Viewer = int | None
"""A player, or None for all who only watch: the board's lights, shared screens, spectators."""


def seen(game: AnyGame, state: State, viewer: Viewer = None) -> State:
    """Return a state as a viewer may see it; the same object where nothing is hidden."""
    return Veil(game).seen(state, viewer)


class Veil:
    """The veil of one table. What has been seen of a state, and of past moves, is kept.

    Nothing is hidden once a game is over.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._states: dict[Viewer, tuple[State, State]] = {}
        self._moves: dict[Viewer, dict[int, tuple[Played, Played]]] = {}

    def seen(self, state: State, viewer: Viewer = None) -> State:
        """Return a state as a viewer may see it; the same object where nothing is hidden."""
        if not self._game.hidden or state.outcome is not None:
            return state
        last = self._states.get(viewer)
        if last is None or last[0] is not state:
            last = (state, self._covered(state, viewer))
            self._states[viewer] = last
        return last[1]

    def _covered(self, state: State, viewer: Viewer) -> State:
        game = self._game
        position = game.seen_by(state.position, viewer)
        standing: dict[str, Any] = {"standing": _standing(game, state, position)}
        if state.arranging(game):
            standing = _of_free_board(state)
        return replace(
            state,
            position=position,
            history=self._history(state, viewer),
            sealed={each: text if each == viewer else "" for each, text in state.sealed.items()},
            covering=_covering(state.covering, viewer),
            thought=_thought(game, state, position),
            hinting=False,
            hints=(),
            **standing,
        )

    def _history(self, state: State, viewer: Viewer) -> tuple[Played, ...]:
        """Cover the moves so far; the faces that the last one shows are seen while they show."""
        known, now = self._moves.get(viewer, {}), {}
        for played in state.history:
            kept = known.get(id(played))
            if kept is None or kept[0] is not played:
                kept = (played, _played(self._game, played, viewer))
            now[id(played)] = kept
        self._moves[viewer] = now
        moves = [now[id(played)][1] for played in state.history]
        if state.showing and moves:
            last = state.history[-1]
            moves[-1] = replace(moves[-1], summary=last.summary, faces=last.faces)
        return tuple(moves)


def _played(game: AnyGame, played: Played, viewer: Viewer) -> Played:
    backs = {cell: _back(game, piece) for cell, piece in played.faces.items()}
    return replace(
        played,
        before=game.seen_by(played.before, viewer),
        text=game.covered_text(played.text),
        summary=played.covered or played.summary,
        covered=None,
        faces=backs,
    )


def _standing(game: AnyGame, state: State, position: Any) -> Mapping[str, str]:
    """Show what stands: where it is right as the viewer sees it, elsewhere no faces.

    What only looks right must still be asked for, and is nothing known.
    """
    right, sight = game.pieces(state.position), game.pieces(position)
    stands = {}
    for cell, piece in state.standing.items():
        if piece == right.get(cell):
            stands[cell] = sight[cell]
        else:
            back = piece if piece == UNKNOWN_PIECE else _back(game, piece)
            stands[cell] = UNKNOWN_PIECE if back == sight.get(cell) else back
    return stands


def _back(game: AnyGame, piece: str) -> str:
    side = game.side(piece)
    return UNKNOWN_PIECE if side is None else game.token(side)


def _covering(covering: Covering | None, viewer: Viewer) -> Covering | None:
    if covering is None or covering.player == viewer:
        return covering
    return Covering(covering.player, ("",) * len(covering.cells))


def _of_free_board(state: State) -> dict[str, Any]:
    """Hide where hands are while pieces are laid out on the board itself."""
    return {
        "felt": None if state.felt is None else frozenset(),
        "unsure": frozenset(),
        "standing": {},
        "contacts": {},
        "sliding": frozenset(),
        "vain": {},
        "down": frozenset(),
        "echoes": frozenset(),
        "laid": {},
        "exchanging": frozenset(),
        "inspecting": "",
        "wrong": None,
    }


def _thought(game: AnyGame, state: State, position: Any) -> Thought | None:
    """Show the move that a computer player wants once hands must make it; not why."""
    move = proposed(game, state, state.position) if state.phase is Phase.TAP else ""
    if not move or state.thought is None:
        return None
    knows = game.seen_by(position, game.to_move(position), remembers=True)
    return Thought(knows, state.thought.level, (Idea(move, 0.5),))
