"""Hands that undo moves where stones are felt, and hands that only seem to.

Owns when a change of the board brings back an earlier position, when moves that it took back are
made again, and when stones were lifted by the hand that was about to eat them. Stones look alike
to sensors, so all this goes by cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from game.rules.base.edits import EditKind, cells_of
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.table.book import Book, Entries
from game.table.computer import bound_taps
from game.table.entries import Entry, EntryKind
from game.table.records import UNKNOWN_PIECE, UndoneMoves
from game.table.rings import leads_to_felt
from game.table.situation import Situation
from game.table.state import State
from game.table.take_back import take_one_back
from game.table.touching import tap

HANDFUL = 4
"""Most stones that a hand changes at once, and most moves that a cleared board takes back. Beyond,
stones have fallen or been put away, and no earlier position is meant."""
FALLEN = 6
"""Where more stones are missing, the board was knocked over and is being laid out again."""
SECOND_THOUGHT_S = 1.0
"""A stone lifted within this time was lifted by its owner, not by a player who eats it."""
UNDO_S = 20.0
"""Time in which moves that hands have taken back may turn out to be kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the board: where stones `stand` now, those that `came`, all that `changed`.

    `sensed` cells are not masked; on masked ones stones stand as far as touches have told.
    """

    stand: frozenset[str]
    came: frozenset[str]
    changed: frozenset[str]
    sensed: frozenset[str]

    @classmethod
    def of(cls, game: AnyGame, was: State, cells: frozenset[str]) -> "Change":
        """Compare what is felt with what was."""
        masked, before = was.faults.masked, was.hands.felt or frozenset()
        sensed = frozenset(game.board.cells) - masked
        stand = (cells & sensed) | (was.standing.keys() & masked)
        changed = (stand ^ before) & sensed - was.faults.unverified
        return cls(stand, came(was, cells), changed, sensed)


def came(was: State, cells: frozenset[str]) -> frozenset[str]:
    """Return where stones have just been set; cells that are only sensed again do not count."""
    felt = was.hands.felt
    return cells - felt - was.faults.unread if felt is not None else frozenset()


def brought_back(book: Book, was: State, board: Change, now: float) -> int:
    """Count the moves that hands have undone by restoring the board of an earlier position.

    They must mean it: their last change leads away from what should stand now, is no more than a
    handful, and the board was not knocked over. Nor do they turn a ring, for the last move or for
    one whose key is still to be pressed. What they have not touched must be what stood there then.
    """
    game = book.game
    should = was.situation.pieces.keys()
    away = board.changed & (board.stand ^ should) - was.hands.swapping
    fallen = was.hands.knocked_over or len(should - board.stand) > FALLEN
    if fallen or not 1 <= len(away) <= HANDFUL:
        return 0
    if _still_turning(book, was, board) or any(leads_to_felt(book, key) for key in game.keys):
        return 0
    steady = set(should)
    for count, played in enumerate(reversed(was.history), start=1):
        if game.arranging(played.before, played.player) is not None:
            # Clearing the board does not undo a secret set-up.
            return 0
        pieces = game.pieces(played.before)
        steady &= pieces.keys()
        if board.stand == pieces.keys() and _may_stand(book, was, pieces, steady, now):
            return count if board.stand or count <= HANDFUL else 0
    return 0


def _may_stand(
    book: Book, was: State, pieces: Mapping[str, str], steady: set[str], now: float
) -> bool:
    """Tell whether the stones that stand can be these pieces: untouched ones are known.

    A stone that came by a recent move may have been brought back; not on a `steady` cell, where
    something stood before and after each of the moves.
    """
    right = was.situation.pieces
    recent = {cell for cell, at in was.hands.placed_at.items() if now < at + UNDO_S} - steady
    return all(
        was.standing.get(cell, piece) in (piece, UNKNOWN_PIECE)
        or was.standing[cell] != right.get(cell)
        or cell in recent
        for cell, piece in pieces.items()
    )


def _still_turning(book: Book, was: State, board: Change) -> bool:
    """Tell whether hands are busy with a ring that they turn, and with nothing else."""
    turn, on = was.ring_turn, book.game.board
    ring = set(on.rings[turn.ring]) if turn is not None else set[str]()
    pending = {cell for edit in was.pending for cell in cells_of(edit, on)}
    return bool(pending) and pending | board.changed <= ring


def take_back(book: Book, count: int, now: float) -> Entries:
    """Take back moves that hands have undone; they may turn out to have meant another."""
    hands = book.state.hands
    texts = tuple(played.text for played in book.state.history[-count:])
    before = hands.undone.texts if hands.undone is not None else ()
    soon = hands.moved_at is not None and now < hands.moved_at + SECOND_THOUGHT_S
    entries: Entries = ()
    for _ in range(count):
        entries += take_one_back(book)
    _set_undone(book, UndoneMoves(texts + before, now + UNDO_S, soon))
    book.notify(say("table.restored", count=count), now, good=True)
    return entries


def made_again(book: Book, was: State, board: Change, now: float) -> Entries | None:
    """Make moves again whose stones are back, as when one was only adjusted; None if none is.

    While some of several are back and others are not, nothing is a move.
    """
    undone, game, position = was.hands.undone, book.game, was.position
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
        _set_undone(book, replace(undone, texts=undone.texts[again:]))
    return entries


def ate_before(book: Book, was: State, board: Change, now: float) -> Entries | None:
    """Take a stone that is set as a move if it eats all the stones that are missing.

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
    if bound_taps(game, was, position) not in (None, (cell,)):
        return None
    move = Situation(game, position).walk.move((cell,)) if missing else None
    if move is None or board.stand - should != board.came:
        return None
    if not missing <= set(game.result(position, move).removed):
        return None
    entries = _play(book, texts) + (tap(book, cell, now) or ())
    if texts:
        # The owner may have moved the stone instead, which looks the same.
        lifted = tuple(sorted(missing))
        book.notify(say("table.counts_as_eaten", cells=lifted, cell=cell), now)
    return entries


def note_knocked_over(book: Book) -> None:
    """Notice when the board has been knocked over, and when it is right again."""
    pending = book.state.pending
    fallen = sum(edit.kind is EditKind.PUT for edit in pending) > FALLEN
    if fallen or not pending:
        book.state = replace(book.state, hands=replace(book.state.hands, knocked_over=fallen))


def _undone_by_others(was: State, now: float) -> tuple[str, ...]:
    """Return the moves just undone, unless players took back their own at once."""
    undone = was.hands.undone
    if undone is None or undone.second_thought or now >= undone.until:
        return ()
    return undone.texts


def _set_undone(book: Book, undone: UndoneMoves) -> None:
    book.state = replace(book.state, hands=replace(book.state.hands, undone=undone))


def _play(book: Book, texts: tuple[str, ...]) -> Entries:
    entries: Entries = ()
    for text in texts:
        entries += book.record(Entry(EntryKind.MOVE, text))
    return entries
