"""Hands that undo moves where stones are felt, and hands that only seem to.

Owns when a change of the board brings back an earlier position, when moves that it took back are
made again, and when stones were lifted by the hand that was about to eat them. Stones have no
names, so all this goes by cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.rules.game import EditKind, Game
from game.rules.message import say
from game.table.book import Book, Entries
from game.table.edits import cells_of
from game.table.entries import Entry, Kind
from game.table.going_back import one_back
from game.table.state import UNKNOWN_PIECE, State, Undone
from game.table.taps import TapWalk
from game.table.thinking import bound
from game.table.touching import tap
from game.table.travelling import leads_to_felt

HANDFUL = 4
"""So many stones a hand changes at once. Where more have changed, or more moves have left an empty
board, stones have fallen or been put away, and no earlier position is meant."""
FALLEN = 6
"""Where more stones are missing the board has been knocked over, and is laid out again."""
SECOND_THOUGHT_S = 1.0
"""A stone that is lifted so soon after it was set is lifted by its owner, not by who eats it."""
UNDONE_S = 20.0
"""For so long moves that hands have taken back may turn out not to have been."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the board: where stones `stand` now, those that `came`, all that `changed`.

    What stands on masked cells, which are not felt, is known only as far as it was told. `sensed`
    are the cells of which it is known what hands have done.
    """

    stand: frozenset[str]
    came: frozenset[str]
    changed: frozenset[str]
    sensed: frozenset[str]

    @classmethod
    def of(cls, game: Game[Any, Any], was: State, cells: frozenset[str]) -> "Change":
        """Compare what is felt with what was."""
        before = was.felt or frozenset()
        sensed = frozenset(game.board.cells) - was.masked
        stand = (cells & sensed) | (was.standing.keys() & was.masked)
        changed = (stand ^ before) & sensed - was.unsure
        return cls(stand, came(was, cells), changed, sensed)


def came(was: State, cells: frozenset[str]) -> frozenset[str]:
    """Return where stones have just been set; what is only felt again was set by nobody now."""
    return cells - was.felt - was.masked - was.unsure if was.felt is not None else frozenset()


def brought_back(book: Book, was: State, board: Change, now: float) -> int:
    """Count the moves that hands have undone by restoring the board of an earlier position.

    It must have been their wish: their last change leads away from what should stand now, is no
    more than a handful, and the board has not been knocked over. Nor do they turn a ring, for the
    last move or for the one of which they have not yet pressed the key. What they have not touched
    must be what stood there then.
    """
    game = book.game
    should = game.pieces(was.position).keys()
    away = board.changed & (board.stand ^ should) - was.exchanging
    fallen = was.upset or len(should - board.stand) > FALLEN
    if fallen or not 1 <= len(away) <= HANDFUL:
        return 0
    if _still_turning(book, was, board) or any(leads_to_felt(book, key) for key in game.keys):
        return 0
    steady = set(should)
    for count, played in enumerate(reversed(was.history), start=1):
        if game.arranging(played.before, played.player) is not None:
            # What was laid out unseen is not undone by a board that is cleared.
            return 0
        pieces = game.pieces(played.before)
        steady &= pieces.keys()
        if board.stand == pieces.keys() and _may_stand(book, was, pieces, steady, now):
            return count if board.stand or count <= HANDFUL else 0
    return 0


def _may_stand(
    book: Book, was: State, pieces: Mapping[str, str], steady: set[str], now: float
) -> bool:
    """Tell whether stones can be these pieces: those that nobody has touched are what they are.

    One that came by a recent move may have been brought back, and only looked like a move; not
    where the cell is `steady`, as something stood there before and after each of the moves.
    """
    right = book.game.pieces(was.position)
    lately = {cell for cell, at in was.laid.items() if now < at + UNDONE_S} - steady
    return all(
        was.standing.get(cell, piece) in (piece, UNKNOWN_PIECE)
        or was.standing[cell] != right.get(cell)
        or cell in lately
        for cell, piece in pieces.items()
    )


def _still_turning(book: Book, was: State, board: Change) -> bool:
    """Tell whether hands are busy with a ring that is on its way, and with nothing else."""
    travel, on = was.travel, book.game.board
    ring = set(on.rings[travel.ring]) if travel is not None else set[str]()
    pending = {cell for edit in was.pending(book.game) for cell in cells_of(edit, on)}
    return bool(pending) and pending | board.changed <= ring


def take_back(book: Book, count: int, now: float) -> Entries:
    """Take back so many moves, which hands have undone; they may turn out to have meant another."""
    state = book.state
    texts = tuple(played.text for played in state.history[-count:])
    before = state.undone.texts if state.undone is not None else ()
    soon = state.moved_at is not None and now < state.moved_at + SECOND_THOUGHT_S
    entries: Entries = ()
    for _ in range(count):
        entries += one_back(book)
    book.change(undone=Undone(texts + before, now + UNDONE_S, soon))
    book.notify(say("table.restored", count=count), now, good=True)
    return entries


def made_again(book: Book, was: State, board: Change, now: float) -> Entries | None:
    """Make moves again whose stones are back, as when one was only adjusted; None if none is.

    While some of several are back and others are not, nothing is a move.
    """
    undone, game, position = was.undone, book.game, was.position
    if undone is None or now >= undone.until or not board.came or was.taps:
        return None
    again, cells = 0, set[str]()
    for count, text in enumerate(undone.texts, start=1):
        before = game.pieces(position).keys()
        position = game.play(position, game.parse_move(position, text))
        cells |= game.pieces(position).keys() - before
        if board.stand == game.pieces(position).keys():
            again = count
    if not again:
        return () if len(undone.texts) > 1 and board.came <= cells else None
    entries = _play(book, undone.texts[:again])
    if again < len(undone.texts):
        book.change(undone=replace(undone, texts=undone.texts[again:]))
    return entries


def ate_before(book: Book, was: State, board: Change, now: float) -> Entries | None:
    """Take a stone that is set as a move if all stones that are missing are its prey.

    Hands may lift first what they are about to eat. Where that was the stone set last, its move has
    just been taken back, and is made again. None if the stone is no such move.
    """
    if len(board.came) != 1 or was.taps:
        return None
    (cell,) = board.came
    game, position, texts = book.game, was.position, _undone_by_others(was, now)
    for text in texts:
        position = game.play(position, game.parse_move(position, text))
    should = game.pieces(position).keys()
    missing = should - board.stand
    only = bound(game, was, position)
    if only not in (None, (cell,)):
        return None
    move = TapWalk(game, position).move((cell,)) if missing else None
    if move is None or board.stand - should != board.came:
        return None
    if not missing <= set(game.removed(position, move)):
        return None
    entries = _play(book, texts) + (tap(book, cell, now) or ())
    if texts:
        # Its owner may have moved it instead, which looks the same.
        lifted = tuple(sorted(missing))
        book.notify(say("table.counts_as_eaten", cells=lifted, cell=cell), now)
    return entries


def watch(book: Book) -> None:
    """Notice when the board has been knocked over, and when it is right again."""
    pending = book.state.pending(book.game)
    if sum(edit.kind is EditKind.PUT for edit in pending) > FALLEN:
        book.change(upset=True)
    elif not pending:
        book.change(upset=False)


def _undone_by_others(was: State, now: float) -> tuple[str, ...]:
    """Return the moves just undone, unless by a player who thought again of his own."""
    undone = was.undone
    if undone is None or undone.second_thought or now >= undone.until:
        return ()
    return undone.texts


def _play(book: Book, texts: tuple[str, ...]) -> Entries:
    entries: Entries = ()
    for text in texts:
        entries += book.record(Entry(Kind.MOVE, text))
    return entries
