"""A board for the tree of any game: it knows a game only through `game.rules.base.game`.

Owns the search of games without a fast board, by their rules, `evaluate`, and random playouts.
The value of a leaf mixes the last two (D. Silver and others, "Mastering the game of Go with deep
neural networks and tree search", 2016); a playout is cut off if there are many moves
(R. Lorentz, "Amazons discover Monte-Carlo", 2008). The results of playouts also decide which of
their moves are tried first (H. Finnsson and Y. Björnsson, "Simulation-based approach to General
Game Playing", 2008).
"""

from array import array
from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any

from game.engine.fast.board import MOST_MOVES, FastBoard
from game.engine.fast.chance import Xorshift
from game.rules.base.game import AnyGame

GOAL_SHARPNESS = 5.0
"""Odds of winning when one player has every goal and the other none: e**GOAL_SHARPNESS."""
LONGEST = 1000  # a longer playout counts as a draw
PLAYOUT_PLIES = 3000  # most plies of a playout, times the number of moves at the root
LEAST_PLIES = 8  # lower bound of that limit
FIRST_GAMES = 20  # playouts before the first node, which rank the moves at the root
PRIOR_GAMES = 5.0  # how many playouts the evaluation after a move counts for
MOVE_SHARPNESS = 15.0  # a move's weight is e**(MOVE_SHARPNESS * its mean result)
VALUE_WEIGHT = 0.9  # share of `evaluate` in the value of a leaf; the rest is the playout's


class GeneralBoard(FastBoard):
    """A position of any game; a move is its number among the legal ones.

    A position with more than MOST_MOVES moves keeps that many, drawn with its text as the seed.
    `_played` holds, by player and move, the sum of shares and the number of playouts with it.
    """

    def __init__(self, game: AnyGame, position: Any, seed: int = 0) -> None:
        players = len(game.players)
        super().__init__(players, game, position)
        self.shares = array("d", bytes(8 * players))
        self._game, self._position = game, position
        self._legal: Sequence[Any] = ()
        self._rng = Random(seed)
        self._played: dict[tuple[int, Any], list[float]] = {}
        self._enter(position)

    def prepare(self) -> None:
        """Run the first playouts, which rank the moves at the root."""
        start = self._position
        if count := self.list_moves():
            self.plies = min(LONGEST, max(LEAST_PLIES, PLAYOUT_PLIES // count))
        for _ in range(FIRST_GAMES):
            self.play_out(None, True)
            self._enter(start)

    def copy_from(self, other: "FastBoard") -> None:
        assert isinstance(other, GeneralBoard)
        FastBoard.copy_from(self, other)
        self._position, self._legal, self._rng = other._position, other._legal, other._rng
        self._played, self.plies = other._played, other.plies

    def list_moves(self) -> int:
        if not self._legal:
            legal = self._game.legal_moves(self._position)
            if len(legal) > MOST_MOVES:
                drawn = Random(self._game.text(self._position))
                self._legal = drawn.sample(tuple(legal), MOST_MOVES)
            else:
                self._legal = tuple(legal)
        for index in range(len(self._legal)):
            self.moves[index] = index
        return len(self._legal)

    def play(self, move: int) -> None:
        if not self._legal:
            self.list_moves()
        self._enter(self._game.play(self._position, self._legal[move]))

    def evaluate(self) -> None:
        self._share(evaluate(self._game, self._position) or (1 / self.players,) * self.players)

    def play_out(self, rng: Xorshift | None, informed: bool) -> None:
        """Fill `shares` with the result of a playout, mixed with `evaluate` if `informed`."""
        evaluated = evaluate(self._game, self._position) if informed else None
        made: list[tuple[int, Any]] = []
        for _ in range(self.plies if informed else LONGEST):
            if self.ended:
                break
            move = self._game.legal_moves(self._position).pick(self._rng)
            made.append((self.mover, move))
            self._enter(self._game.play(self._position, move))
        if informed and not self.ended:
            self.evaluate()
        else:
            self.share_out(self.ended or self.players + 1)
        if evaluated is not None:
            pairs = zip(self.shares, evaluated, strict=True)
            self._share([score + VALUE_WEIGHT * (worth - score) for score, worth in pairs])
        for each in set(made):
            stats = self._played.setdefault(each, [0.0, 0.0])
            stats[0] += self.shares[each[0]]
            stats[1] += 1

    def expand(self, after: "FastBoard", informed: bool) -> int:
        count = FastBoard.expand(self, after, informed)
        for index in range(count if informed else 0):
            if not self.results[index]:
                total, games = self._played.get((self.mover, self._legal[index]), (0.0, 0.0))
                self.guesses[index] = (PRIOR_GAMES * self.guesses[index] + total) / (
                    PRIOR_GAMES + games
                )
                self.weights[index] = exp(MOVE_SHARPNESS * self.guesses[index])
        return count

    def texts(self, moves: Sequence[int]) -> list[str]:
        """Write moves from this position on as plain texts."""
        board, texts = self.fresh(), []
        for move in moves:
            board.list_moves()
            texts.append(self._game.plain_text(board._position, board._legal[move]))
            board.play(move)
        return texts

    def _enter(self, position: Any) -> None:
        self._position, self._legal = position, ()
        mover = self._game.to_move(position)
        outcome = self._game.outcome(position) if mover is None else None
        self.mover = (mover or 1) - 1
        self.ended = 0 if outcome is None else outcome.winner or self.players + 1

    def _share(self, shares: Sequence[float]) -> None:
        for player, share in enumerate(shares):
            self.shares[player] = share


def evaluate(game: AnyGame, position: Any) -> tuple[float, ...] | None:
    """Estimate each player's share of one point; None if nothing distinguishes the players.

    A game may have an evaluation of its own (`Game.evaluate`). Else it comes from the goals: one is
    enough to win, so the missing shares are multiplied, and last steps count more than first ones.
    Goals of a whole match count the rounds won before.
    """
    worth = game.evaluate(position)
    if worth is not None:
        return worth
    goals = game.goals(position)
    if not any(goal.reached > 0 for goal in goals):
        return None
    players = len(game.players)
    lacking, before, rounds = [1.0] * players, [0] * players, [1] * players
    for goal in goals:
        if goal.of_match:
            before[goal.player - 1], rounds[goal.player - 1] = goal.reached, goal.wanted
        elif goal.reached > 0:
            share = min(1.0, goal.reached / goal.wanted)
            lacking[goal.player - 1] *= 1 - share * share
    come = [(won + 1 - each) / of for won, each, of in zip(before, lacking, rounds, strict=True)]
    weights = [exp(GOAL_SHARPNESS * each) for each in come]
    total = sum(weights)
    return tuple([weight / total for weight in weights])
