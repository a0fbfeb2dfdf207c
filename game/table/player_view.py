"""What each player may see of a table, and what everybody may.

Owns all that depends on a game hiding information: lights, pages and computer players get only
what passes here. Knows no light and no page.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from game.rules.base.game import AnyGame
from game.table.fingers import Fingers
from game.table.inputs import ScoredMove, SearchResult
from game.table.records import UNKNOWN_PIECE, BoardSetup, Phase, Played
from game.table.situation import Situation
from game.table.state import State

Viewer = int | None
"""A player, or None for all who only watch: the board's lights, shared screens, spectators."""


def is_hidden(game: AnyGame, state: State | None = None) -> bool:
    """Tell whether players do not see all: in such a game, or in a state of it before its end."""
    return game.hidden and (state is None or state.outcome is None)


def known(game: AnyGame, position: Any, player: int | None) -> Any:
    """Return a position as a player knows it who remembers all that was shown."""
    return game.seen_by(position, player, remembers=True)


def proposed_move(game: AnyGame, state: State, position: Any) -> str:
    """Return the plain text of the move that a computer player wants in a position, "" if none."""
    result = state.engine.result
    if result is None or not result.level:
        return ""
    player = game.to_move(position)
    current = result.position == known(game, position, player)
    return result.moves[0].move if current and state.level_of(player) == result.level else ""


class PlayerView:
    """The views of one table, by viewer; views of a state and of past moves are cached."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._states: dict[Viewer, tuple[State, State]] = {}
        self._moves: dict[Viewer, dict[int, tuple[Played, Played]]] = {}

    def seen(self, state: State, viewer: Viewer = None) -> State:
        """Return a state as a viewer may see it; the same object where nothing is hidden."""
        if not is_hidden(self._game, state):
            return state
        last = self._states.get(viewer)
        if last is None or last[0] is not state:
            last = (state, self._view(state, viewer))
            self._states[viewer] = last
        return last[1]

    def _view(self, state: State, viewer: Viewer) -> State:
        game, setups, engine = self._game, state.setups, state.engine
        position = game.seen_by(state.position, viewer)
        submitted = {
            each: move if each == viewer else "" for each, move in setups.submitted.items()
        }
        on_board = setups.on_board
        if on_board is not None and on_board.player != viewer:
            on_board = BoardSetup(on_board.player, ("",) * len(on_board.cells))
        result = _result(game, state, position)
        view = replace(
            state,
            situation=Situation(game, position),
            undone=("",) * len(state.undone),
            history=self._history(state, viewer),
            setups=replace(setups, submitted=submitted, on_board=on_board),
            engine=replace(engine.without_hints(), result=result),
            coach=replace(state.coach, position=None),
        )
        if state.arranging:
            return _without_hands(view)
        return replace(view, standing=_standing(game, state, position))

    def _history(self, state: State, viewer: Viewer) -> tuple[Played, ...]:
        """Cover the moves so far; the faces that the last one shows are seen while they show."""
        cached, now = self._moves.get(viewer, {}), {}
        for played in state.history:
            pair = cached.get(id(played))
            if pair is None or pair[0] is not played:
                pair = (played, _played(self._game, played, viewer))
            now[id(played)] = pair
        self._moves[viewer] = now
        moves = [now[id(played)][1] for played in state.history]
        if state.showing_faces and moves:
            last = state.history[-1]
            moves[-1] = replace(moves[-1], summary=last.summary, faces=last.faces)
        return tuple(moves)


def _played(game: AnyGame, played: Played, viewer: Viewer) -> Played:
    move = game.parse_move(played.before, played.text)
    return replace(
        played,
        before=game.seen_by(played.before, viewer),
        text=game.covered_text(played.text),
        summary=game.covered_summary(played.before, move) or played.summary,
        faces={cell: _back(game, piece) for cell, piece in played.faces.items()},
    )


def _standing(game: AnyGame, state: State, position: Any) -> Mapping[str, str]:
    """Show what stands: right pieces as the viewer sees them, others without their faces.

    A piece that only looks right must still be asked for, and is shown as unknown.
    """
    right, sight = state.situation.pieces, game.pieces(position)
    stands = {}
    for cell, piece in state.standing.items():
        if piece == right.get(cell):
            stands[cell] = sight[cell]
        else:
            back = piece if piece == UNKNOWN_PIECE else _back(game, piece)
            stands[cell] = UNKNOWN_PIECE if back == sight.get(cell) else back
    return stands


def _back(game: AnyGame, piece: str) -> str:
    side = game.presentation.side(piece)
    return UNKNOWN_PIECE if side is None else game.presentation.token(side)


def _without_hands(state: State) -> State:
    """Hide where hands are while pieces are laid out on the board itself."""
    hands = state.hands
    felt = frozenset[str]() if state.feels_stones else None
    return replace(
        state,
        standing={},
        inspecting="",
        fingers=Fingers(),
        hands=replace(hands, felt=felt, placed_at={}, swapping=frozenset()),
        faults=replace(state.faults, unverified=frozenset()),
        notices=replace(state.notices, rejected=None),
    )


def _result(game: AnyGame, state: State, position: Any) -> SearchResult | None:
    """Show the move that a computer player wants once hands must make it; not why."""
    result = state.engine.result
    move = proposed_move(game, state, state.position) if state.phase is Phase.TAP else ""
    if not move or result is None:
        return None
    knows = known(game, position, game.to_move(position))
    return SearchResult(knows, result.level, (ScoredMove(move, 0.5),))
