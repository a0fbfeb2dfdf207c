"""Stones that are felt while they stand: hands are read off the board.

Owns what stands where, and which change of it is a tap or takes moves back. Expected minus felt is
to be put, felt minus expected is to be taken away, and play waits until both are empty, in any
order of hands. Only a single change of a board that was right can enter a move or go on with one,
and only hands that leave the position can bring back an earlier one; whatever is merely found is
neither. Where stones stand on a ring is felt, but not whether it was turned: that a key tells.
"""

from dataclasses import replace

from game.rules.game import EditKind
from game.rules.message import say
from game.table import arranging, choosing, setting_up, showing
from game.table.book import Book, Entries
from game.table.edits import edits_between
from game.table.entries import Entry, Kind
from game.table.prompts import PAUSED, WAIT_FOR_DRAW, too_early
from game.table.restoring import (
    UNDONE_S,
    Change,
    ate_before,
    brought_back,
    came,
    made_again,
    take_back,
    watch,
)
from game.table.state import UNKNOWN_PIECE, Phase, State
from game.table.thinking import not_yours, public, spot_word
from game.table.touching import tap
from game.table.travelling import leads_to_felt

HAND_CELLS = 4
"""So many stones that come at once are a hand that rests on the board."""


def stood(book: Book, cells: frozenset[str], now: float) -> Entries:
    """Take what stands now: as a tap where it is one, else as the work of hands."""
    was = book.state
    if was.disturbed:
        book.change(felt=cells)
        if came(was, cells) - was.expected(book.game).keys():
            book.notify(PAUSED, now)
        return ()
    book.change(felt=cells, unsure=frozenset())
    _trust(book, was.unsure)
    if was.felt is None or was.draft is not None:
        # What a key has begun before the board first told ends with that.
        book.change(taps=())
        return ()
    if was.phase is Phase.MENU:
        before = was.felt or frozenset()
        changed = (cells ^ before) & set(book.game.board.cells) - was.masked - was.unsure
        return choosing.stood(book, changed, now)
    if was.arranging(book.game):
        return arranging.stood(book, was, cells, now)
    covered = showing.stood(book, was, cells, now)
    if covered:
        was = replace(was, phase=book.state.phase, showing=False)
    if was.phase in (Phase.TAP, Phase.EDIT):
        entries = _meant(book, was, cells, now)
        if entries:
            if any(entry.kind is Kind.MOVE for entry in entries):
                set_now = dict.fromkeys(came(was, cells), now)
                lately = {cell: at for cell, at in was.laid.items() if now < at + UNDONE_S}
                book.change(moved_at=now, laid=lately | set_now)
            return covered + entries
        if book.state.taps:
            return covered
    read(book)
    watch(book)
    _explain(book, was, now)
    return covered + _exchanged(book, was, cells)


def read(book: Book) -> None:
    """Take over what is felt as what stands, and wait for hands where that is not right.

    A stone that has stood there all the time is the one it was. Another is the right one where one
    should stand, elsewhere the one that the last move took from there, if there is one.
    """
    state, game = book.state, book.game
    if state.felt is None or state.disturbed or state.arranging(game):
        return
    if state.draft is not None:
        setting_up.stood(book, state.felt)
        return
    unread = state.masked | state.unsure | being_entered(book)
    expected = game.pieces(state.position)
    earlier = game.pieces(state.history[-1].before) if state.history else {}
    standing = {}
    for cell in game.board.cells:
        known = state.standing.get(cell, "")
        if cell in unread:
            piece = known
        elif cell in state.felt:
            piece = known if known not in ("", UNKNOWN_PIECE) else expected.get(cell, "")
            piece = piece or earlier.get(cell, UNKNOWN_PIECE)
        else:
            piece = ""
        if piece:
            standing[cell] = piece
    for edit in edits_between(standing, expected, game.board, game.keys):
        if edit.kind is EditKind.TURN:
            # Of stones that can be told apart by their places only, the right ones go round.
            ring = game.board.rings[edit.cell]
            right = {cell: expected[cell] for cell in ring if cell in standing and cell in expected}
            standing |= right
    swaps = {cell for cell, piece in standing.items() if piece != expected.get(cell, piece)}
    wanting = {cell for cell in state.exchanging if standing.get(cell) != expected.get(cell)}
    book.change(standing=standing, exchanging=frozenset(swaps | wanting) & expected.keys())
    if state.phase in (Phase.TAP, Phase.EDIT, Phase.CONFIRM):
        # Where stones are felt nobody needs to confirm anything.
        book.change(phase=book.state.resting(game))


def being_entered(book: Book) -> frozenset[str]:
    """Return the cells that hands may change in any way while a move is being entered.

    They are those that have been tapped, and after a key those of the rings that may be turned.
    """
    state = book.state
    rings: set[str] = set()
    if state.taps and state.taps[-1] in book.game.keys:
        turning = book.next_taps() & book.game.board.rings.keys()
        rings.update(*(book.game.board.rings[ring] for ring in turning))
    return frozenset(rings.union(state.taps))


def _exchanged(book: Book, was: State, cells: frozenset[str]) -> Entries:
    """Record which pieces hands have put for others: after a restart nothing felt would tell it."""
    done = was.exchanging & came(was, cells) - book.state.exchanging
    entries: Entries = ()
    for cell in sorted(done & book.state.standing.keys()):
        entries += book.record(Entry(Kind.EDIT, cell))
    return entries


def _trust(book: Book, unwatched: frozenset[str]) -> None:
    """Take stones that nobody watched all the time for the right ones, where one should stand."""
    state = book.state
    if state.draft is None:
        expected = book.game.pieces(state.position)
        right = {cell: expected[cell] for cell in unwatched - state.masked if cell in expected}
        book.change(standing={**state.standing, **right})


def _meant(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Find what hands mean by a change of the board; nothing if it only puts it in order or out."""
    board = Change.of(book.game, was, cells)
    again = made_again(book, was, board, now)
    if again is not None:
        return again
    entries = ate_before(book, was, board, now)
    if entries is None and was.phase is Phase.TAP:
        entries = _tapped(book, was, board, now)
    if entries is not None:
        return entries
    count = brought_back(book, was, board, now)
    if not count:
        return ()
    entries = take_back(book, count, now)
    _trust(book, cells)
    return entries


def _tapped(book: Book, was: State, board: Change, now: float) -> Entries | None:
    """Take the changes of a board that was right but for the taps as taps; None if they are none.

    On cells that have been tapped hands may lift and set as they like. Whatever else they do ends
    the taps.
    """
    game = book.game
    right = {cell for cell in game.pieces(was.position) if cell in board.sensed}
    off = frozenset((board.stand & board.sensed) ^ right)
    order = _in_order(board)
    if order:
        entries: Entries = ()
        for n, cell in enumerate(order):
            made = _went_on(book, board, off.difference(order[n + 1 :]), cell, now)
            if made is None:
                break
            entries += made
        else:
            return entries
        if entries:
            return entries
    if book.state.taps and not off - being_entered(book) and (off or _waits_for_key(book)):
        return ()
    if board.changed or off:
        book.change(taps=())
    return None


def _waits_for_key(book: Book) -> bool:
    """Tell whether a key may go on though all stones are back: one was lifted to be pointed out."""
    cells = set(book.state.taps) - set(book.game.keys)
    return len(cells) <= 1 and not book.next_taps().isdisjoint(book.game.keys)


def _in_order(board: Change) -> tuple[str, ...]:
    """Order what changed at once: one change, or a stone that has gone from one cell to another.

    Of more nobody knows the order.
    """
    lifted, came = sorted(board.changed - board.came), sorted(board.came)
    return (*lifted, *came) if len(lifted) <= 1 and len(came) <= 1 else ()


def _went_on(
    book: Book, board: Change, off: frozenset[str], cell: str, now: float
) -> Entries | None:
    """Take a changed cell as the next tap; None if it is none.

    `off` are the cells that differ from the position now. Where all that was tapped before is right
    again, a move begins anew if it can; else it goes on from as many taps as it can.
    """
    taps = book.state.taps
    lengths = [*range(len(taps), -1, -1)]
    for length in [0, *lengths] if off == {cell} else lengths:
        made = taps[:length]
        counts = _counts_again(board, made, cell) if cell in made else cell in off
        if off - {cell} - set(made) or not counts:
            continue
        entries = tap(book, cell, now, made)
        if entries is not None:
            return entries
    return None


def _counts_again(board: Change, made: tuple[str, ...], cell: str) -> bool:
    """Tell whether a change of a cell that has been tapped can be a tap once more.

    Lifting what stands there can, and setting something there when the tapped cell after it is
    done with; else a stone is only put down where one was lifted.
    """
    last = made[-1]
    return cell not in board.came or (
        cell != last and (last in board.stand or last not in board.sensed)
    )


def _explain(book: Book, was: State, now: float) -> None:
    """Say why a stone that has just been set must go again; be silent once it has gone."""
    state, game = book.state, book.game
    felt, before = state.felt or frozenset(), was.felt or frozenset()
    pending = state.pending(game)
    new = came(was, felt)
    turning = was.phase in (Phase.TAP, Phase.EDIT) and felt != before and state.travel is None
    keys = [key for key in game.keys if turning and pending and leads_to_felt(book, key)]
    if keys:
        words = tuple(spot_word(game, state, key) for key in keys)
        book.change(wrong=None)
        book.notify(say("table.press_for_it", keys=words), now)
        return
    astray = [edit.cell for edit in pending if edit.kind is EditKind.REMOVE and edit.cell in new]
    if not astray:
        if state.wrong is not None and state.wrong.cell in before - felt:
            book.change(wrong=None, notice=None)
        return
    cell = astray[0]
    others = [edit for edit in pending if edit.cell not in astray]
    if len(astray) >= HAND_CELLS:
        why = say("table.hand_rests")
    elif was.phase is Phase.DRAW:
        why = WAIT_FOR_DRAW
    elif was.phase is Phase.OVER:
        why = say("rules.game_over")
    elif others:
        why = too_early(cell, False, others)
    elif len(astray) > 1:
        why = say("table.one_stone")
    elif cell in book.next_taps():
        why = say("table.set_again", cell=cell)
    else:
        why = not_yours(game, state, cell) or game.refusal(public(game, state.position), (cell,))
    book.refuse(cell, why, now)
