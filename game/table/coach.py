"""The coach: which idea it tells the player to move, and when it keeps silent.

Owns how seldom it speaks. An idea is told when its weight is above what its player has shown to
know: one for each time it was told, and one for each time it was heeded, told or not; one less when
it was ignored. After an idea it keeps silent for some turns, unless much is at stake. So it gets
quieter as players get better. The ideas themselves are the games'.
"""

from dataclasses import replace

from game.rules.base.advice import ideas
from game.rules.base.game import AnyGame
from game.rules.base.values import Advice
from game.table.book import Book
from game.table.computer import is_persons_turn
from game.table.records import Coach
from game.table.state import State

PAUSE = 2
"""Turns after an idea in which only one of much weight is told."""
MUCH = 7
"""The weight from which an idea is told at any time."""


def follow(book: Book, now: float) -> None:
    """When a person's turn begins, look for ideas, and tell one if it is worth it."""
    game, state, coach = book.game, book.state, book.state.coach
    if not coach.on or state.position is coach.position or not is_persons_turn(game, state):
        return
    known = _known(game, state)
    player = state.situation.to_move or 0
    past = tuple(game.seen_by(played.before, None) for played in state.history[-2:])
    found = ideas(game, state.situation.public, past)
    least = 0 if coach.silent >= PAUSE else MUCH
    worth_it = (
        each
        for each in found
        if each.weight >= least and each.weight > known.get((player, each.message.key), 0)
    )
    idea = next(worth_it, None)
    coach = replace(
        coach, position=state.position, ideas=found, known=known, silent=coach.silent + 1
    )
    book.state = replace(state, coach=coach)
    if idea is not None:
        _tell(book, idea, now)


def ask(book: Book, now: float) -> bool:
    """Tell the first idea, which a player asks for; False if there is none or it is told."""
    state, coach = book.state, book.state.coach
    if not coach.on or not is_persons_turn(book.game, state) or coach.told or not coach.ideas:
        return False
    _tell(book, coach.ideas[0], now)
    return True


def _tell(book: Book, idea: Advice, now: float) -> None:
    state, coach = book.state, book.state.coach
    who = (state.situation.to_move or 0, idea.message.key)
    known = {**coach.known, who: coach.known.get(who, 0) + 1}
    book.state = replace(state, coach=replace(coach, told=idea, known=known, silent=0))
    if state.notices.current is None:
        book.notify(idea.message, now, good=True)


def _known(game: AnyGame, state: State) -> dict[tuple[int, str], int]:
    """Count what the last turn showed of what its player knows."""
    coach: Coach = state.coach
    known = dict(coach.known)
    top = next((each for each in coach.ideas if each.heeding), None)
    last = next((each for each in state.history[-3:] if each.before is coach.position), None)
    if top is not None and last is not None:
        move = game.plain_text(last.before, game.parse_move(last.before, last.text))
        who = (last.player, top.message.key)
        known[who] = max(0, known.get(who, 0) + (1 if move in top.heeding else -1))
    return known
