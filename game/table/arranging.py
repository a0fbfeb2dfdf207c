"""Players who lay out their pieces, each unseen by the others: on a page, or on the board itself.

Owns who has still to do it, what a touch or a stone means then, and when play begins. The board is
free meanwhile. Nothing that it shows or says tells a cell or a piece that was laid.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from game.rules.errors import RulesError
from game.rules.game import Game
from game.rules.message import Message, say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind, seal_text
from game.table.inputs import Arranged
from game.table.prompts import NOTHING_TO_CONFIRM
from game.table.state import Covering, Phase, State
from game.table.thinking import computer


def arrange(book: Book, wish: Arranged, now: float) -> Entries:
    """Seal what a player has laid out, or open it again; refused without a word of what it is."""
    state, game = book.state, book.game
    player = wish.player
    if player not in _arrangers(game, state) or computer(state, player):
        book.notify(say("table.nothing_to_arrange"), now)
        return ()
    if wish.pieces is not None:
        return _seal(book, player, wish.pieces, now)
    if player not in state.sealed:
        return ()
    return _kept(book, Entry(Kind.SEAL, seal_text(player, None)))


def follow(book: Book) -> Entries:
    """Let computer players lay out their pieces, and play begin once everybody has."""
    entries: Entries = ()
    game = book.game
    for player in book.state.unsealed(game):
        if computer(book.state, player):
            position = book.state.position
            pieces = game.arranged_at_random(position, player, book.rng)
            move = game.arrangement(position, player, pieces)
            entries += _kept(book, Entry(Kind.SEAL, seal_text(player, move)))
    while book.state.arranging(game) and not book.state.unsealed(game):
        mover = game.to_move(book.state.position) or 0
        entries += _kept(book, Entry(Kind.MOVE, book.state.sealed[mover]))
    return entries


def seat(book: Book, players: frozenset[int], anew: bool, now: float) -> Entries:
    """Note whose sides are held by devices.

    Who has just sat down there, and not only been told of again, may be anybody: nothing stays that
    was laid out on that side before.
    """
    state, game = book.state, book.game
    came = players - state.seated
    book.change(seated=players)
    entries: Entries = ()
    again = set()
    if state.covering is not None and state.covering.player in came:
        again.add(state.covering.player)
        book.change(covering=None)
    for player in sorted(came & state.sealed.keys() if anew else ()):
        if not computer(state, player):
            again.add(player)
            entries += _kept(book, Entry(Kind.SEAL, seal_text(player, None)))
    if again:
        who = _called(game, state, sorted(again))
        book.notify(say("table.seat_was_taken", count=len(who), players=who), now)
    return entries


def begin_covering(book: Book, now: float) -> None:
    """Let the first player who has not laid out his pieces do it on the board; then the next.

    Not where a device holds the side: whoever has that would see them.
    """
    state = book.state
    left = [each for each in state.unsealed(book.game) if not computer(state, each)]
    people = [each for each in left if each not in state.seated]
    if state.covering is not None and state.covering.cells:
        book.notify(say("table.covering_first"), now)
    elif left and not people:
        who = _called(book.game, state, left)
        book.notify(say("table.covering_seated", count=len(who), players=who), now)
    elif people:
        at = people.index(state.covering.player) + 1 if state.covering is not None else 0
        book.change(covering=Covering(people[at % len(people)]), notice=None, wrong=None)


def undo(book: Book) -> None:
    """Take back the piece that was set last on the board, or the whole beginning."""
    covering = book.state.covering
    if covering is not None:
        fewer = Covering(covering.player, covering.cells[:-1]) if covering.cells else None
        book.change(covering=fewer, notice=None)


def confirm(book: Book, now: float) -> Entries:
    """Seal what was set on the board, once all is set."""
    state, game = book.state, book.game
    covering = state.covering
    arranges = None if covering is None else game.arranging(state.position, covering.player)
    if covering is None or arranges is None:
        book.notify(NOTHING_TO_CONFIRM, now)
    elif len(covering.cells) < len(arranges.pieces):
        book.notify(say("table.covering_unfinished"), now)
    else:
        pieces = dict(zip(covering.cells, arranges.pieces, strict=True))
        return _seal(book, covering.player, pieces, now)
    return ()


def touched(book: Book, spot: str, slid: bool, now: float) -> Entries:
    """Set the next piece where a finger has come down; one that `slid` there sets nothing."""
    if book.state.covering is None:
        book.notify(say("table.board_is_free"), now)
    elif slid:
        book.notify(say("table.covering_refused"), now)
    else:
        _set(book, spot, now)
    return ()


def pressed(book: Book, key: str, now: float) -> Entries:
    """Refuse a key of the game: no move can be made yet."""
    book.notify(say("table.board_is_free"), now)
    return ()


def stood(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Set the next piece where a stone has come; one that goes is taken back, and all after it.

    Of several stones that come at once nobody knows the order.
    """
    covering = was.covering
    if covering is None or was.felt is None:
        return ()
    stays = cells | was.masked
    left = next((n for n, cell in enumerate(covering.cells) if cell not in stays), None)
    if left is not None:
        back = len(covering.cells) - left
        book.change(covering=Covering(covering.player, covering.cells[:left]))
        book.notify(say("table.covering_back", count=back), now)
    came = cells - was.felt - was.masked - was.unsure
    if len(came) > 1:
        book.notify(say("table.covering_one"), now)
    elif came and left is None:
        _set(book, min(came), now)
    return ()


def _set(book: Book, spot: str, now: float) -> None:
    state, game = book.state, book.game
    covering = state.covering
    arranges = None if covering is None else game.arranging(state.position, covering.player)
    if covering is None or arranges is None:
        return
    if len(covering.cells) == len(arranges.pieces):
        book.notify(say("table.covering_full"), now)
    elif spot not in arranges.cells or spot in covering.cells:
        book.notify(say("table.covering_refused"), now)
    else:
        book.change(covering=Covering(covering.player, (*covering.cells, spot)), notice=None)


def _seal(book: Book, player: int, pieces: Mapping[str, str], now: float) -> Entries:
    state, game = book.state, book.game
    try:
        move = game.arrangement(state.position, player, pieces)
    except RulesError:
        who = game.called(state.position, player)
        book.notify(say("table.cannot_stand_so", player=who), now)
        return ()
    if state.sealed.get(player) == move:
        return ()
    return _kept(book, Entry(Kind.SEAL, seal_text(player, move)))


def _called(game: Game[Any, Any], state: State, players: Iterable[int]) -> tuple[Message, ...]:
    return tuple(game.called(state.position, each) for each in players)


def _kept(book: Book, entry: Entry) -> Entries:
    """Record an entry; while the lights run it ends nothing that is shown."""
    phase = book.state.phase
    entries = book.record(entry)
    if phase is Phase.DRAW:
        book.change(phase=phase)
    return entries


def _arrangers(game: Game[Any, Any], state: State) -> tuple[int, ...]:
    """List who may lay out pieces now, done or not."""
    if not state.arranging(game):
        return ()
    players = range(1, len(game.players) + 1)
    return tuple(each for each in players if game.arranging(state.position, each) is not None)
