"""CirKle Mind by Patrick Laterrot: two armies; each sees only the backs of the other's pieces.

Owns the interface to the table and the referee. Positions and turns are in `position`, set-ups
in `set_up`, faces and results of attacks in `faces`, the printed board in `squares`, the text forms
in `texts`, the words in `presentation`, and random hidden faces in `drawing`.
"""

from collections.abc import Mapping
from functools import cached_property
from random import Random

from game.rules.base.errors import IllegalMove
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import Moves
from game.rules.base.options import Option
from game.rules.base.values import Arranging, Outcome, Signal
from game.rules.cirkle_mind import presentation, set_up
from game.rules.cirkle_mind.drawing import supposed
from game.rules.cirkle_mind.faces import CODES, Result
from game.rules.cirkle_mind.position import (
    ACTIONS,
    NOWHERE,
    PASS,
    Action,
    MindPhase,
    Position,
    RuleLevel,
    after,
    attacks_after,
    is_hidden,
    may,
    moves_of,
    result_of,
    seen_by,
)
from game.rules.cirkle_mind.presentation import KEY, SIDE_WORDS, CirkleMindPresentation
from game.rules.cirkle_mind.set_up import ARRANGINGS, SET_UP, SetUps
from game.rules.cirkle_mind.squares import BOARD, CELLS, SQUARES, Squares
from game.rules.cirkle_mind.texts import MindTexts


class CirkleMind(MindTexts):
    """Two hidden armies; a player wins by capturing the target of the other army's own colour.

    Players and sides are numbered from 1 here, and from 0 in the other modules of this game.
    `squares` is the print on the board.
    """

    name = "cirkle-mind"
    title = "CirKle Mind"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    options: Mapping[str, Option] = {
        "level": Option(
            RuleLevel.EASY.value,
            choices=tuple(level.value for level in RuleLevel),
            word=say("option.level"),
            choice_words=(
                say("option.level.easy"),
                say("option.level.medium"),
                say("option.level.super"),
                say("option.level.super-easy"),
            ),
        )
    }
    keys = (KEY,)
    agreed_draws = True

    def __init__(self, squares: Squares = SQUARES) -> None:
        self.squares = squares

    @cached_property
    def presentation(self) -> CirkleMindPresentation:
        return CirkleMindPresentation(self, self.squares)

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board before the set-ups; options: `level`, and `first`, who begins."""
        settled = settle(self, options)
        return Position(RuleLevel(settled["level"]), begins=int(settled["first"]) - 1)

    def legal_moves(self, position: Position) -> Moves[str]:
        if position.phase is MindPhase.SET_UP:
            return SetUps(position)
        return moves_of(position)

    def play(self, position: Position, move: str) -> Position:
        """Set up, move, attack or pass; raises IllegalMove, also if a hidden face decides."""
        if position.phase is MindPhase.SET_UP:
            return set_up.placed(position, move)
        if not may(position, move):
            raise IllegalMove(presentation.move_refusal(position, move))
        action = self._action(position, move)
        if action is not None and is_hidden(position, action):
            raise _hidden(action)
        return after(position, move, self.squares)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner, once a player has lost the target of their army's own colour."""
        if not position.over:
            return None
        army = position.army(position.mover)
        message = presentation.ending(SIDE_WORDS[army], SIDE_WORDS[1 - army])
        return Outcome(position.mover + 1, "target captured", message)

    def to_move(self, position: Position) -> int | None:
        return None if position.over else position.mover + 1

    def score(self, position: Position) -> tuple[int, ...]:
        return position.score

    def parse_move(self, position: Position, text: str) -> str:
        """Read a legal move, or a set-up with cells in any order; raises IllegalMove."""
        if position.phase is MindPhase.SET_UP:
            return set_up.text_of(set_up.read_set_up(position.mover, text))
        if not may(position, text):
            raise IllegalMove(presentation.move_refusal(position, text))
        return text

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        """List start, goal, and the attacked square, or the key to decline a possible attack."""
        if move == PASS:
            return (KEY,)
        action = ACTIONS[position.army(position.mover)][move]
        way = (CELLS[action.start], CELLS[action.goal])
        if action.target != NOWHERE:
            return (*way, CELLS[action.target])
        return (*way, KEY) if attacks_after(position, action) else way

    def arranging(self, position: Position, player: int) -> Arranging | None:
        return ARRANGINGS[player - 1] if set_up.has_to_set_up(position, player - 1) else None

    def arrangement(self, position: Position, player: int, pieces: Mapping[str, str]) -> str:
        if not set_up.has_to_set_up(position, player - 1):
            raise IllegalMove(say("rules.nothing_to_arrange"))
        return set_up.text_of(set_up.laid_out(player - 1, pieces))

    def laid(self, position: Position, player: int, text: str) -> dict[str, str]:
        layout = set_up.read_set_up(player - 1, text)
        return {CELLS[at]: CODES[player - 1][layout[at]] for at in sorted(layout)}

    def arranged_at_random(self, position: Position, player: int, rng: Random) -> dict[str, str]:
        if not set_up.has_to_set_up(position, player - 1):
            raise IllegalMove(say("rules.nothing_to_arrange"))
        layout = set_up.at_random(player - 1, rng)
        return {CELLS[at]: CODES[player - 1][layout[at]] for at in sorted(layout)}

    def supposed(self, position: Position, rng: Random) -> Position:
        return supposed(position, rng)

    def seen_by(self, position: Position, player: int | None, remembers: bool = False) -> Position:
        return seen_by(position, None if player is None else player - 1, remembers)

    def faces(self, position: Position, move: str) -> Mapping[str, str]:
        """Return the two pieces of an attack, by the attacker's new square and the target."""
        action = self._action(position, move)
        if action is None or action.target == NOWHERE:
            return {}
        side = position.army(position.mover)
        return {
            CELLS[action.goal]: CODES[side][position.faces[action.start]],
            CELLS[action.target]: CODES[1 - side][position.faces[action.target]],
        }

    def covered_text(self, text: str) -> str:
        return SET_UP if text.split()[:1] == [SET_UP] else text

    def covered_summary(self, position: Position, move: str) -> Message:
        return presentation.summary_of(position, move, self.squares, covered=True)

    def signal(self, piece: str) -> Signal | None:
        return presentation.signal_of(piece)

    def result(self, position: Position, move: str) -> MoveResult[Position, str]:
        return _MindResult(self, position, move)

    def _action(self, position: Position, move: str) -> Action | None:
        """Return what a piece does in a move; None for a set-up and for passing."""
        if position.phase is MindPhase.SET_UP:
            return None
        return ACTIONS[position.army(position.mover)].get(move)


class _MindResult(MoveResult[Position, str]):
    game: CirkleMind

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The square of the piece that an attack removes: the target, or the attacker's new square.

        Raises IllegalMove if a hidden face decides.
        """
        position, action = self.before, self.game._action(self.before, self.move)
        if action is None or action.target == NOWHERE:
            return ()
        if is_hidden(position, action):
            raise _hidden(action)
        result = result_of(position, action, self.game.squares)
        if result is Result.BOTH:
            return ()
        return (CELLS[action.target if result is Result.ATTACKER else action.goal],)


def _hidden(action: Action) -> IllegalMove:
    return IllegalMove(say("mind.hidden", target=CELLS[action.target]))


GAME = CirkleMind()
