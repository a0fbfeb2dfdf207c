"""Adaptoid: the game as the table, the referee and a computer player use it.

Owns the `Game`. Its field, its turns, its words and its texts have modules of their own.
"""

from collections.abc import Mapping
from functools import cached_property

from game.rules.adaptoid import presentation, turns
from game.rules.adaptoid.field import BOARD, CELL, Position, cells_in, pieces_of
from game.rules.adaptoid.moves import moves_of, played
from game.rules.adaptoid.texts import AdaptoidTexts
from game.rules.base.edits import Edit, differences
from game.rules.base.errors import IllegalMove
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import say
from game.rules.base.moves import Moves
from game.rules.base.values import CHOICES, Goal, Outcome, score_goals

_KEY_OF = {turns.Part.LEG: presentation.LEG_KEY, turns.Part.PINCER: presentation.PINCER_KEY}


class Adaptoid(AdaptoidTexts):
    """Bodies grow legs and pincers, fight, and starve where it is crowded; capture five."""

    name = "adaptoid"
    title = "Adaptoid"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    keys = CHOICES

    @cached_property
    def presentation(self) -> presentation.AdaptoidPresentation:
        return presentation.AdaptoidPresentation(self)

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; option `first` is the player who places the two first bodies."""
        return Position(mover=int(settle(self, options)["first"]) - 1)

    def legal_moves(self, position: Position) -> Moves[turns.Move]:
        return moves_of(position)

    def play(self, position: Position, move: turns.Move) -> Position:
        after = played(position, move)
        if after is None:
            raise IllegalMove(presentation.move_refusal(position, move))
        return after

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: a player who has captured five, or whose opponent has no adaptoid."""
        if not position.over:
            return None
        who, captured = (
            self.presentation.called(position, position.mover + 1),
            position.score[position.mover],
        )
        if captured >= turns.ENOUGH:
            message = say("adaptoid.won_captured", player=who, count=captured)
            return Outcome(position.mover + 1, "five captured", message)
        message = say("adaptoid.won_alone", player=who)
        return Outcome(position.mover + 1, "no adaptoid left", message)

    def to_move(self, position: Position) -> int | None:
        return None if position.over else position.mover + 1

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to colour, legs and pincers, as `W2L1P`."""
        return pieces_of(position)

    def score(self, position: Position) -> tuple[int, ...]:
        return position.score

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(presentation.CAPTURED, position.score, turns.ENOUGH)

    def taps(self, position: Position, move: turns.Move) -> tuple[str, ...]:
        """List the touches: start and goal, the cell where something grows, and a limb's key.

        A touch of the body of a colour chooses that colour. If nothing moves and nothing can grow,
        the first key ends the turn.
        """
        if isinstance(move, turns.Placing):
            return CELL[move.white], CELL[move.black]
        if isinstance(move, turns.Choice):
            return (CELL[position.bodies[move.colour].bit_length() - 1],)
        taps = [] if move.start == turns.NOWHERE else [CELL[move.start], CELL[move.goal]]
        if move.part is not None:
            taps.append(CELL[move.at])
        if move.part in _KEY_OF:
            taps.append(_KEY_OF[move.part])
        return tuple(taps) or (presentation.LEG_KEY,)

    def result(self, position: Position, move: turns.Move) -> MoveResult[Position, turns.Move]:
        return _AdaptoidResult(self, position, move)


class _AdaptoidResult(MoveResult[Position, turns.Move]):
    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        touched, move = list[str](), self.move
        if isinstance(move, turns.Turn):
            touched = [CELL[at] for at in (move.start, move.goal, move.at) if at != turns.NOWHERE]
        elif isinstance(move, turns.Placing):
            touched = [CELL[move.white], CELL[move.black]]
        return differences(*self.pieces, tuple(dict.fromkeys((*touched, *BOARD.cells))))

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The cells where the captured adaptoids of both colours stood when the turn began."""
        turn = self.move if isinstance(self.move, turns.Turn) else None
        done = None if turn is None else turns.turned(self.before, turn)
        return () if done is None else cells_in(done.captured | done.lost | done.starved)


GAME = Adaptoid()
