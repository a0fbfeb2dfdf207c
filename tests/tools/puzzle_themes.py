"""The themes of a puzzle: what must be seen to solve it, found by the rules alone."""

from collections import Counter
from collections.abc import Set
from typing import Any

from game.rules.base.game import AnyGame, MoveResult
from game.rules.base.lessons import Kind, Puzzle, Theme, refuted
from tests.oracles.naive_circle import groups

MANY = 3  # Least pieces of a big group
_ENDS = {"no legal placement": Theme.LAST_CELL, "fewer pieces": Theme.FEWER}
"""The themes of outcomes, by their reasons."""


def themes(game: AnyGame, puzzle: Puzzle) -> tuple[Theme, ...]:
    """Return the themes of a puzzle by trying all moves and answers, in the order of `Theme`."""
    position, steps, found = puzzle.position, list[MoveResult[Any, Any]](), set[Theme]()
    for text in puzzle.line:
        steps.append(game.result(position, game.parse_move(position, text)))
        position = steps[-1].after
    own = steps[::2]
    right, last = own[0], own[-1]
    taken, ended = [_taken(game, step) for step in own], game.outcome(position)
    if sum(map(bool, taken)) > 1:
        found.add(Theme.CHAIN)
    if puzzle.kind is Kind.WIN:
        if puzzle.count > 1:
            found.add(Theme.DEEP)
        if any(_baited(game, *pair) for pair in zip(steps[1::2], own[1:], strict=False)):
            found.add(Theme.BAIT)
        if ended is not None and ended.reason in _ENDS:
            found.add(_ENDS[ended.reason])
        elif not taken[-1] and last.taps[-1] in game.board.cells:
            found.add(Theme.FINISH)
    if any(len(_taken(game, each)) > len(taken[0]) for each in _others(game, right)):
        found.add(Theme.TEMPT)
    near = {cell: set(each) for cell, each in game.board.neighbours.items()}
    for step, cells in zip(own, taken, strict=True):
        split = groups({*cells}, near)
        if len(split) > 1:
            found.add(Theme.DOUBLE)
        if any(len(group) >= MANY for group in split):
            found.add(Theme.GROUP)
        if cells & {*step.taps}:
            found.add(Theme.FIGHT)
        if step.taps[-1] in game.board.rings:
            found.add(Theme.TURN)
    if puzzle.kind in (Kind.SAVE, Kind.SAFE):
        found |= _defence(game, puzzle, right, taken[0])
    if not found - {Theme.DEEP, Theme.TEMPT}:
        found.add(Theme.TAKE if taken[0] else Theme.QUIET)
    return tuple(theme for theme in Theme if theme in found)


def _taken(game: AnyGame, step: MoveResult[Any, Any]) -> Set[str]:
    """Return the cells of the other player's pieces that a move takes."""
    own, side = game.presentation.side_of(step.before, step.player), game.presentation.side
    return {cell for cell in step.removed if side(step.pieces[0][cell]) != own}


def _others(game: AnyGame, right: MoveResult[Any, Any]) -> list[MoveResult[Any, Any]]:
    moves = game.legal_moves(right.before)
    return [game.result(right.before, move) for move in moves if move != right.move]


def _baited(game: AnyGame, answer: MoveResult[Any, Any], then: MoveResult[Any, Any]) -> bool:
    """Return whether an answer takes a bait: what took is taken, or the cell is used at once."""
    bait = _taken(game, answer)
    return bool(bait) and bool(answer.taps[-1] in _taken(game, then) or bait & {*then.taps})


def _defence(
    game: AnyGame, puzzle: Puzzle, right: MoveResult[Any, Any], taken: Set[str]
) -> set[Theme]:
    """Return how a move defends against the commonest answer to other moves."""
    if taken:
        return {Theme.COUNTER}
    threats, cell = Counter[tuple[str, Set[str]]](), right.taps[-1]
    for each in _others(game, right):
        _, *answers = refuted(game, puzzle, 0, each.before, each.move)
        for answer in answers:
            step = game.result(each.after, game.parse_move(each.after, answer))
            threats[step.taps[-1], frozenset(_taken(game, step))] += 1
    if not threats or cell not in game.board.cells:
        return set()
    ((spot, lost), _), *_ = threats.most_common(1)
    if spot == cell:
        return {Theme.BLOCK}
    return {Theme.GROW} if lost & {cell, *game.board.neighbours[cell]} else set()
