"""Azteka by Andrea Mainini: the game on the disc whose rings turn, in its three variants.

Owns the interface to the table and the referee. Turns are in `play`, the text forms of positions
in `texts`, and the words in `presentation`.
"""

from collections.abc import Mapping
from functools import cached_property

from game.rules.azteka import play, presentation
from game.rules.azteka.board import BOARD, SEGMENTS, fullest_line, lines_met, names
from game.rules.azteka.board import RINGS as RING_COUNT
from game.rules.azteka.play import Actions, Position, Reason, Variant
from game.rules.azteka.presentation import CHOICE, GOALS, KEYS, PLAYERS, AztekaPresentation
from game.rules.azteka.texts import AztekaTexts
from game.rules.base.edits import Edit, EditKind
from game.rules.base.errors import IllegalMove
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import say
from game.rules.base.options import Option
from game.rules.base.values import Goal, Outcome

_TAPS: dict[str, tuple[str, ...]] = {
    play.DECLINE: (CHOICE,),
    **{turn: (ring,) for turn, ring in zip(play.TURNS, KEYS, strict=True)},
    **{turn: (CHOICE, ring) for turn, ring in zip(play.WIDE_TURNS, KEYS, strict=True)},
}
_TITLES = {
    play.BASIC: "Azteka",
    play.AGGRESSIVE: "Azteka, aggressive",
    play.THREE: "Azteka for three",
}
_NAMES = {play.BASIC: "azteka", play.AGGRESSIVE: "azteka-aggressive", play.THREE: "azteka-three"}


class Azteka(AztekaTexts):
    """Life wants to spread and Death to reign; with three players, each side wants either.

    Each object has a default variant and may accept others by its option; everything else follows
    the variant of the position.
    """

    board = BOARD
    agreed_draws = True

    def __init__(self, variant: Variant, *variants: "Azteka") -> None:
        self._variant = variant
        self.name, self.title = _NAMES[variant], _TITLES[variant]
        self.players = PLAYERS[: variant.sides]
        self.palette = tuple(variant.codes)
        self.keys = (*KEYS, CHOICE) if variant.bound or variant.wide else KEYS
        self.variants = {game._variant.name: game for game in variants}
        choices = (variant.name, *self.variants)
        self.options = {"variant": Option(variant.name, choices=choices)}
        if variant.sides > 2:
            # Life is always the first player.
            self.options["first"] = Option("1", choices=("1",))

    @cached_property
    def presentation(self) -> AztekaPresentation:
        return AztekaPresentation(self, self._variant)

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; options: `variant`, and `first`, who is Life in round 1."""
        settled = settle(self, options)
        return play.start(play.VARIANTS[settled["variant"]], int(settled["first"]) - 1)

    def legal_moves(self, position: Position) -> Actions:
        return play.actions(position)

    def play(self, position: Position, move: str) -> Position:
        if move not in play.actions(position):
            raise IllegalMove(presentation.move_refusal(position, move))
        return play.after(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        ended = play.verdict(position)
        if ended is None:
            return None
        winner, reason = ended
        return Outcome(winner, reason, presentation.ending(position, winner))

    def to_move(self, position: Position) -> int | None:
        return None if position.ending else position.player(position.mover)

    def pieces(self, position: Position) -> dict[str, str]:
        codes = {
            cell: play.CODES[side]
            for side, own in enumerate(position.stones)
            for cell in names(own)
        }
        return {cell: codes[cell] for cell in BOARD.cells if cell in codes}

    def score(self, position: Position) -> tuple[int, ...]:
        """Return the pieces that each player has on the board."""
        sides = (position.side(n + 1) for n in range(position.variant.sides))
        return tuple(position.stones[side].bit_count() for side in sides)

    def goals(self, position: Position) -> tuple[Goal, ...]:
        goals = []
        for player in range(1, position.variant.sides + 1):
            side = position.side(player)
            own = position.stones[side]
            near = {
                Reason.SPREAD: (lines_met(own), RING_COUNT + SEGMENTS),
                Reason.REIGN: fullest_line(own),
                Reason.ALL_PLACED: (own.bit_count(), position.variant.supply),
            }
            for reason in position.variant.goals(side):
                goals.append(Goal(player, GOALS[reason], *near[reason]))
        if position.variant.rounds > 1:
            goals += [
                Goal(n + 1, say("azteka.rounds"), won, position.variant.rounds, of_match=True)
                for n, won in enumerate(position.rounds_won)
            ]
        return tuple(goals)

    def parse_move(self, position: Position, text: str) -> str:
        if text not in play.actions(position):
            raise IllegalMove(presentation.move_refusal(position, text))
        return text

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        return _TAPS.get(move) or (move,)

    def result(self, position: Position, move: str) -> MoveResult[Position, str]:
        return _AztekaResult(self, position, move)


class _AztekaResult(MoveResult[Position, str]):
    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """The turned ring, or the placed piece and the Life pieces that Death replaces."""
        position, move = self.before, self.move
        if move == play.DECLINE:
            return ()
        turn = play.turn_of(move)
        if turn is not None:
            return (Edit(EditKind.TURN, KEYS[turn[0]], "", turn[1]),)
        doomed = names(play.doomed_by(position, move))
        return (
            Edit(EditKind.PUT, move, play.CODES[position.mover]),
            *(Edit(EditKind.SWAP, cell, play.CODES[play.DEATH]) for cell in doomed),
        )


GAME = Azteka(play.BASIC, Azteka(play.AGGRESSIVE), Azteka(play.THREE))
