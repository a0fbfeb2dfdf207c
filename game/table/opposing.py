"""Computer players: who is one, and what they answer.

Owns which answers count. Must not know where they come from.
"""

from game.rules.message import Message, say
from game.table.beginning import begin
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind, computers_text
from game.table.inputs import Opposed, Stumped, Thought
from game.table.prompts import NO_COMPUTERS, WAIT_FOR_DRAW
from game.table.state import Phase
from game.table.thinking import HINTS, computer, is_legal, known, mover, proposed


def oppose(book: Book, wish: Opposed, now: float) -> Entries:
    """Note who is a computer from now on; what makes no sense is refused with words."""
    state = book.state
    count = len(book.game.players)
    if not state.levels:
        book.notify(NO_COMPUTERS, now)
        return ()
    if len(wish.computers) != count or set(wish.computers) - {"", *state.levels}:
        book.notify(say("table.bad_computers", players=count, allowed=state.levels), now)
        return ()
    why = _hides(book, wish)
    if why is not None:
        book.notify(why, now)
        return ()
    if not wish.new:
        if wish.computers == (state.computers or ("",) * count):
            return ()
        return book.record(Entry(Kind.COMPUTERS, computers_text(wish.computers)))
    if state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
        return ()
    if state.draft is not None:
        book.notify(say("table.setting_up_first"), now)
        return ()
    return begin(book, now, wish.computers)


def _hides(book: Book, wish: Opposed) -> Message | None:
    """Say why a computer may not play for a side: what it plays would tell what its player hides.

    And the device that holds a side would see what a computer has laid out there.
    """
    state, game = book.state, book.game
    if not game.hidden:
        return None
    chosen = [n for n, level in enumerate(wish.computers, start=1) if level]
    made = [n for n in chosen if wish.new or not computer(state, n)]
    seated = tuple(game.called(state.position, n) for n in made if n in state.seated)
    if seated:
        return say("table.no_computer_seated", count=len(seated), players=seated)
    laid = {n for n in made if n in state.sealed or not state.arranging(game)}
    if laid and not wish.new and state.outcome is None:
        return say("table.no_computer_where_hidden")
    return None


def think(book: Book, thought: Thought) -> None:
    """Take a thought, if it is what is wanted now; another, or nonsense, changes nothing."""
    state, game = book.state, book.game
    player = mover(game, state)
    if player is None or thought.position != known(game, state.position, player):
        return
    if thought.level != computer(state, player) or thought.level not in ("", *state.levels):
        return
    ideas = tuple(idea for idea in thought.ideas if is_legal(game, state.position, idea.move))
    if not ideas or ideas[0] != thought.ideas[0]:
        return
    if not thought.level:
        if state.hinting:
            # Those that were searched most come first, and what people see is what they promise.
            best = sorted(ideas[:HINTS], key=lambda idea: -idea.value)
            book.change(hinting=False, hints=tuple(best), stumped=None)
    elif not proposed(game, state, state.position):
        taps = game.taps(state.position, game.parse_move(state.position, ideas[0].move))
        goes_on = taps[: len(state.taps)] == state.taps
        book.change(thought=thought, stumped=None, taps=state.taps if goes_on else ())


def stump(book: Book, event: Stumped, now: float) -> None:
    """Note why no computer player thinks, or that they think again."""
    state = book.state
    if event.trouble is not None and state.hinting:
        # No computer player is to move, who may be well again by then.
        book.change(hinting=False)
        book.notify(event.trouble, now)
    else:
        book.change(stumped=event.trouble)
