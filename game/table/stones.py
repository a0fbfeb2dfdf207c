"""Sensed stones: infer from changes of the board what people do by hand.

Sensors cannot tell stones apart, so only cells count. A move is entered by a single change of a
board that matched the position. An earlier position is restored by changes that do not match the
present one. Turned rings are known by their keys, not by stones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from game.rules.base.edits import EditKind, cells_of, edits_between
from game.rules.base.message import say
from game.rules.base.situation import Situation
from game.table.commands import take_moves_back
from game.table.entries import Entries, Entry, EntryKind
from game.table.hands import bound_taps, spot_word
from game.table.phases import Event, Phase
from game.table.players import touch_menu
from game.table.reducer import Core, EntryRefused
from game.table.setup import draft_stones_changed, setup_stones_changed
from game.table.state import UNKNOWN_PIECE, State
from game.table.touches import illegal_tap, leads_to_stones, tap, too_soon, why_held
from game.table.words import PAUSED, WAIT_FOR_DRAW, too_early

HANDFUL = 4
"""Most stones that a hand changes at once, and most moves that a cleared board takes back. Above
it, stones have fallen or been put away, and people do not mean an earlier position."""
FALLEN = 6  # If more stones are missing, the board was knocked over and is being laid out again
SECOND_THOUGHT_S = 1.0
"""A stone lifted within this time was lifted by its owner, not by a player who eats it."""
UNDO_S = 20.0  # Time within which moves that were taken back by hand may count again


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the board: cells where stones `stand` now, where they `came`, or that `changed`.

    The stones on masked cells are known only from touches.
    """

    stand: frozenset[str]
    came: frozenset[str]
    changed: frozenset[str]


def came(was: State, cells: frozenset[str]) -> frozenset[str]:
    """Return the cells where stones were just set, without cells that are merely sensed again."""
    sensed = was.hands.sensed
    return cells - sensed - was.faults.unread if sensed is not None else frozenset()


def brought_back(core: Core, was: State, board: Change, now: float) -> int:
    """Count the moves that people have undone by restoring an earlier position on the board.

    The last change must leave the expected position, and affect at most HANDFUL cells. Untouched
    stones must be the pieces that stood there then.
    """
    game = core.game
    should = was.situation.pieces.keys()
    away = board.changed & (board.stand ^ should) - was.hands.swapping
    fallen = was.hands.knocked_over or len(should - board.stand) > FALLEN
    if fallen or not 1 <= len(away) <= HANDFUL:
        return 0
    ring = set(game.board.rings[was.ring_turn.ring]) if was.ring_turn is not None else set[str]()
    pending = {cell for edit in was.pending for cell in cells_of(edit, game.board)}
    still_turning = pending and pending | board.changed <= ring
    if still_turning or any(leads_to_stones(core, key) for key in game.keys):
        return 0
    steady = set(should)
    for count, played in enumerate(reversed(was.history), start=1):
        if game.arranging(played.before, played.player) is not None:
            # Clearing the board does not undo a secret set-up.
            return 0
        pieces = game.pieces(played.before)
        steady &= pieces.keys()
        if board.stand == pieces.keys() and _may_stand(core, was, pieces, steady, now):
            return count if board.stand or count <= HANDFUL else 0
        if not pieces:
            # What stood before an empty board was an earlier round.
            return 0
    return 0


def _may_stand(
    core: Core, was: State, pieces: Mapping[str, str], steady: set[str], now: float
) -> bool:
    """Return whether the standing stones can be these pieces; untouched stones are known.

    A stone that a recent move placed may have been brought back, except on a `steady` cell, which
    was occupied before and after each of the moves.
    """
    right = was.situation.pieces
    recent = {cell for cell, at in was.hands.placed_at.items() if now < at + UNDO_S} - steady
    return all(
        was.standing.get(cell, piece) in (piece, UNKNOWN_PIECE)
        or was.standing[cell] != right.get(cell)
        or cell in recent
        for cell, piece in pieces.items()
    )


def _undone(was: State, now: float) -> tuple[str, ...]:
    """Return the moves that were taken back by hand and may count again, in their order."""
    hands = was.hands
    recent = hands.undone and now < hands.undone_at + UNDO_S
    return was.undone[-hands.undone :][::-1] if recent else ()


def made_again(core: Core, was: State, board: Change, now: float) -> Entries | None:
    """Redo moves whose stones are back, as when a stone was only adjusted; None if none is back.

    While only some stones of several moves are back, no change counts as a move.
    """
    texts, game, position = _undone(was, now), core.game, was.position
    if not texts or not board.came or was.taps:
        return None
    again, cells = 0, set[str]()
    for count, text in enumerate(texts, start=1):
        before = game.pieces(position).keys()
        position = game.play(position, game.parse_move(position, text))
        cells |= game.pieces(position).keys() - before
        if board.stand == game.pieces(position).keys():
            again = count
    if not again:
        return () if len(texts) > 1 and board.came <= cells else None
    entries = core.record(*(Entry(EntryKind.MOVE, text) for text in texts[:again]))
    hands = replace(core.state.hands, undone=len(texts) - again)
    core.state = replace(core.state, hands=hands)
    return entries


def ate_before(core: Core, was: State, board: Change, now: float) -> Entries | None:
    """Treat a stone that was set as a move if it eats all missing stones; None if it does not.

    People may lift the prey before they set the stone. If the prey was the stone set last, lifting
    it took its move back, and that move is redone first.
    """
    if len(board.came) != 1 or was.taps:
        return None
    (cell,) = board.came
    game, position, hands = core.game, was.position, was.hands
    # Moves that players have just undone themselves do not count again.
    moved_at = hands.moved_at
    soon = moved_at is not None and 0 <= hands.undone_at - moved_at < SECOND_THOUGHT_S
    texts = () if soon else _undone(was, now)
    for text in texts:
        position = game.play(position, game.parse_move(position, text))
    situation = Situation(game, position)
    should = situation.pieces.keys()
    missing = should - board.stand
    if bound_taps(replace(was, situation=situation)) not in (None, (cell,)):
        return None
    move = situation.walk.move((cell,)) if missing else None
    if move is None or board.stand - should != board.came:
        return None
    if not missing <= set(game.result(position, move).removed):
        return None
    entries = core.record(*(Entry(EntryKind.MOVE, text) for text in texts))
    entries += tap(core, cell, now) or ()
    if texts:
        # The owner may have moved the stone instead, which sensors cannot tell apart.
        lifted = tuple(sorted(missing))
        core.notify(say("table.counts_as_eaten", cells=lifted, cell=cell), now)
    return entries


HAND_CELLS = 4  # Least number of simultaneous stones that are taken for a hand resting on the board


def stones_changed(core: Core, cells: frozenset[str], now: float) -> Entries:
    """Handle a change of the sensed stones: as taps if it can be, else as edits by hand."""
    was = core.state
    core.state = replace(was, hands=replace(was.hands, sensed=cells))
    if was.faults.reasons:
        if came(was, cells) - was.expected.keys():
            core.notify(PAUSED, now)
        return ()
    core.state = replace(core.state, faults=replace(was.faults, unverified=frozenset()))
    _trust(core, was.faults.unverified)
    sensed = was.hands.sensed
    if sensed is None or was.draft is not None:
        # The board's first report, or a draft, discards a move that a key has begun.
        core.state = replace(core.state, taps=())
        return ()
    if was.phase is Phase.MENU:
        changed = (cells ^ sensed) & set(core.game.board.cells) - was.faults.unread
        # Several stones at once choose nothing.
        return touch_menu(core, min(changed), now) if len(changed) == 1 else ()
    if was.arranging:
        return setup_stones_changed(core, was, cells, now)
    covered: Entries = ()
    seen = was.phase is Phase.SHOW and (cells ^ sensed) - was.faults.unread
    if seen and not too_soon(was, now):
        covered = core.record(Entry(EntryKind.COVER))
        was = replace(was, phase=core.state.phase, showing_faces=False)
    if was.phase in (Phase.TAP, Phase.EDIT):
        entries = _meant(core, was, cells, now)
        if any(entry.kind is EntryKind.MOVE for entry in entries):
            placed = was.hands.placed_at
            recent = {cell: at for cell, at in placed.items() if now < at + UNDO_S}
            recent |= dict.fromkeys(came(was, cells), now)
            hands = replace(core.state.hands, moved_at=now, placed_at=recent)
            core.state = replace(core.state, hands=hands)
        if entries or core.state.taps:
            return covered + entries
    read_stones(core)
    pending = core.state.pending
    fallen = sum(edit.kind is EditKind.PUT for edit in pending) > FALLEN
    if fallen or not pending:
        core.state = replace(core.state, hands=replace(core.state.hands, knocked_over=fallen))
    _explain(core, was, now)
    # Sensors cannot show after a restart which pieces were swapped by hand.
    swapped = was.hands.swapping & came(was, cells) - core.state.hands.swapping
    right = sorted(swapped & core.state.standing.keys())
    return covered + core.record(*(Entry(EntryKind.EDIT, cell) for cell in right))


def read_stones(core: Core) -> None:
    """Update the standing pieces from the sensed stones, and enter the phase that follows.

    A stone that has not moved keeps its piece. Any other stone is the expected piece of its cell,
    else the piece that stood there before the last move, else unknown.
    """
    state, game, sensed = core.state, core.game, core.state.hands.sensed
    if sensed is None or state.faults.reasons or state.arranging:
        return
    if state.draft is not None:
        draft_stones_changed(core, state.draft, sensed)
        return
    unread = state.faults.unread | being_entered(core)
    expected = state.situation.pieces
    earlier = game.pieces(state.history[-1].before) if state.history else {}
    standing, there = {}, sensed | unread
    for cell in [cell for cell in game.board.cells if cell in there]:
        piece = state.standing.get(cell, "")
        if piece in ("", UNKNOWN_PIECE) and cell not in unread:
            piece = expected.get(cell) or earlier.get(cell, UNKNOWN_PIECE)
        if piece:
            standing[cell] = piece
    for edit in edits_between(standing, expected, game.board, game.keys):
        if edit.kind is EditKind.TURN:
            # Sensors cannot tell stones apart: assume that a ring carries the right ones along.
            ring = game.board.rings[edit.cell]
            right = {cell: expected[cell] for cell in ring if cell in standing and cell in expected}
            standing |= right
    swaps = {cell for cell, piece in standing.items() if piece != expected.get(cell, piece)}
    wanting = {c for c in state.hands.swapping if standing.get(c) != expected.get(c)}
    hands = replace(state.hands, swapping=frozenset(swaps | wanting) & expected.keys())
    core.state = replace(state, standing=standing, hands=hands)
    if state.phase in (Phase.TAP, Phase.EDIT, Phase.CONFIRM):
        # If stones are sensed, people need not confirm anything.
        core.state = core.state.after(Event.BOARD_READ)


def being_entered(core: Core) -> frozenset[str]:
    """Return the cells that people may change while a move is entered: tapped, or of its ring."""
    state, board = core.state, core.game.board
    rings: set[str] = set()
    if state.taps and state.taps[-1] in core.game.keys:
        turning = core.next_taps() & board.rings.keys()
        rings.update(*(board.rings[ring] for ring in turning))
    return frozenset(rings.union(state.taps))


def _trust(core: Core, unwatched: frozenset[str]) -> None:
    """Assume that stones on cells that were not sensed for a while are the expected ones."""
    state = core.state
    if state.draft is None:
        expected = state.situation.pieces
        cells = unwatched - state.faults.masked
        right = {cell: expected[cell] for cell in cells if cell in expected}
        core.state = replace(state, standing={**state.standing, **right})


def _meant(core: Core, was: State, cells: frozenset[str], now: float) -> Entries:
    """Interpret a change of the board; no entries if it only corrects or disturbs the board."""
    masked, before = was.faults.masked, was.hands.sensed or frozenset()
    readable = frozenset(core.game.board.cells) - masked
    stand = (cells & readable) | (was.standing.keys() & masked)
    changed = (stand ^ before) & readable - was.faults.unverified
    board = Change(stand, came(was, cells), changed)
    entries = made_again(core, was, board, now)
    if entries is None:
        entries = ate_before(core, was, board, now)
    if entries is None and was.phase is Phase.TAP:
        entries = _tapped(core, was, board, now)
    if entries is not None:
        return entries
    asks = was.agreement.strict or was.engine.shared
    count = 0 if asks else brought_back(core, was, board, now)
    if not count:
        return ()
    entries = take_moves_back(core, count)
    # Later changes may redo some of these moves.
    hands = replace(core.state.hands, undone=was.hands.undone + count, undone_at=now)
    core.state = replace(core.state, hands=hands)
    core.notify(say("table.restored", count=count), now, good=True)
    _trust(core, cells)
    return entries


def _tapped(core: Core, was: State, board: Change, now: float) -> Entries | None:
    """Treat changes of a board that is right except on tapped cells as taps; None if they are none.

    Any other change discards the taps.
    """
    off = frozenset(board.stand ^ was.situation.pieces.keys())
    # A single change, or a stone that moved between two cells; the order of more is unknown.
    lifted, set_down = sorted(board.changed - board.came), sorted(board.came)
    order = (*lifted, *set_down) if len(lifted) <= 1 and len(set_down) <= 1 else ()
    entries: Entries = ()
    made = None
    for n, cell in enumerate(order):
        made = _went_on(core, board, off.difference(order[n + 1 :]), cell, now)
        if made is None:
            break
        entries += made
    if entries or made is not None:
        return entries
    if core.state.taps and not off - being_entered(core):
        # A key may continue a move whose stone was lifted and is back.
        one_cell = len(set(core.state.taps) - set(core.game.keys)) <= 1
        if off or (one_cell and not core.next_taps().isdisjoint(core.game.keys)):
            return ()
    if board.changed or off:
        core.state = replace(core.state, taps=())
    return None


def _went_on(
    core: Core, board: Change, off: frozenset[str], cell: str, now: float
) -> Entries | None:
    """Treat a changed cell as the next tap; None if it cannot be one.

    `off` are the cells that differ from the position now. If all cells tapped before are right
    again, try to begin a new move first; else continue after as many taps as possible.
    """
    taps = core.state.taps
    lengths = [*range(len(taps), -1, -1)]
    # A second try of the same taps would insist on a move that is held back.
    for length in dict.fromkeys([0, *lengths] if off == {cell} else lengths):
        made = taps[:length]
        counts = cell in off
        if cell in made:
            # Another tap of the cell, unless a lifted stone is put back.
            done = made[-1] in board.stand or made[-1] in core.state.faults.masked
            counts = cell not in board.came or (cell != made[-1] and done)
        if off - {cell} - set(made) or not counts:
            continue
        entries = tap(core, cell, now, made)
        if entries is not None:
            return entries
    return None


def _explain(core: Core, was: State, now: float) -> None:
    """Show why a stone that was just set must be removed; clear the notice once it is."""
    state, game = core.state, core.game
    sensed, before = state.hands.sensed or frozenset(), was.hands.sensed or frozenset()
    pending = state.pending
    new = came(was, sensed)
    turning = was.phase in (Phase.TAP, Phase.EDIT) and sensed != before and state.ring_turn is None
    keys = [key for key in game.keys if turning and pending and leads_to_stones(core, key)]
    if keys:
        words = tuple(say("table.key", key=spot_word(state, key)) for key in keys)
        core.state = replace(state, notices=replace(state.notices, rejected=None))
        core.notify(say("table.press_for_it", keys=words), now)
        return
    astray = [edit.cell for edit in pending if edit.kind is EditKind.REMOVE and edit.cell in new]
    if not astray:
        rejected = state.notices.rejected
        if rejected is not None and rejected.cell in before - sensed:
            core.clear_notice(rejected=True)
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
    elif cell in core.next_taps() and not why_held(state, (*state.taps, cell)):
        why = say("table.set_again", cell=cell)
    else:
        why = illegal_tap(core, cell)
    core.refuse(EntryRefused(why, cell), now)
