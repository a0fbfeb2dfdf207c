"""Sensed stones: infer from changes of the board what people do by hand.

Sensors cannot tell stones apart, so only cells count. Changes enter a move only while all other
cells match, except lifted prey. Turned rings are known by their keys, not by stones.
"""

from dataclasses import dataclass, replace

from game.rules.base.edits import EditKind
from game.rules.base.message import say
from game.table.entries import Entries, Entry, EntryKind
from game.table.phases import Event, Phase
from game.table.players import touch_menu
from game.table.reducer import Core, EntryRefused
from game.table.setup import draft_stones_changed, setup_stones_changed
from game.table.state import UNKNOWN_PIECE, State
from game.table.touches import illegal_tap, tap, too_soon, why_held
from game.table.words import WAIT_FOR_DRAW, too_early


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the board: cells where stones `stand` now, where they `came`, or that `changed`.

    The stones on masked cells are known only from touches.
    """

    stand: frozenset[str]
    came: frozenset[str]
    changed: frozenset[str]


def stones_changed(core: Core, cells: frozenset[str], now: float) -> Entries:
    """Handle a change of the sensed stones: as taps if it can be, else as edits by hand."""
    was, sensed = core.state, core.state.hands.sensed
    core.state = replace(was, hands=replace(was.hands, sensed=cells))
    if was.faults.reasons:
        return ()
    core.state = replace(core.state, faults=replace(was.faults, unverified=frozenset()))
    if sensed is None or was.draft is not None:
        # A key may have begun a move before the board's first report, or before a draft.
        core.state = replace(core.state, taps=())
        return ()
    masked, changed = was.faults.masked, (cells ^ sensed) - was.faults.unread
    stand = (cells - masked) | (was.standing.keys() & masked)
    board = Change(stand, changed & cells, changed)
    if was.phase is Phase.MENU:
        # Several stones at once choose nothing.
        return touch_menu(core, min(changed), now) if len(changed) == 1 else ()
    if was.arranging:
        return setup_stones_changed(core, was, cells)
    entries: Entries = ()
    if was.phase is Phase.SHOW and changed and not too_soon(was, now):
        entries = core.record(Entry(EntryKind.COVER))
        was = replace(was, phase=core.state.phase, showing_faces=False)
    if was.phase in (Phase.TAP, Phase.EDIT):
        made = _ate_before(core, was, board, now)
        if made is None and was.phase is Phase.TAP:
            made = _tapped(core, was, board, now)
        if made or core.state.taps:
            return entries + (made or ())
    read_stones(core)
    _explain(core, was, board, now)
    # Sensors cannot show after a restart which pieces were swapped by hand.
    swapped = was.hands.swapping & board.came - core.state.hands.swapping
    right = sorted(swapped & core.state.standing.keys())
    return entries + core.record(*(Entry(EntryKind.EDIT, cell) for cell in right))


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


def _ate_before(core: Core, was: State, board: Change, now: float) -> Entries | None:
    """Treat a stone that was set as a move if it eats all missing stones; None if it does not.

    People may lift the prey before they set the stone.
    """
    should = was.situation.pieces.keys()
    missing = should - board.stand
    if not missing or len(board.came) != 1 or board.stand - should != board.came or was.taps:
        return None
    (cell,) = board.came
    move = was.situation.walk.move((cell,)) if cell in core.next_taps(()) else None
    if move is None or not missing <= set(was.situation.result(move).removed):
        return None
    return tap(core, cell, now)


def _tapped(core: Core, was: State, board: Change, now: float) -> Entries | None:
    """Treat changes as taps if all cells except tapped ones are right; None if they are no taps.

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
    if core.state.taps and off and off <= being_entered(core):
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


def _explain(core: Core, was: State, board: Change, now: float) -> None:
    """Show why a stone that was just set must be removed; clear the notice once it is."""
    state, pending = core.state, core.state.pending
    removed = {edit.cell for edit in pending if edit.kind is EditKind.REMOVE}
    astray = [cell for cell in core.game.board.cells if cell in board.came & removed]
    if not astray:
        rejected = state.notices.rejected
        if rejected is not None and rejected.cell in board.changed:
            core.clear_notice(rejected=True)
        return
    cell, others = astray[0], [edit for edit in pending if edit.cell not in astray]
    if was.phase is Phase.DRAW:
        why = WAIT_FOR_DRAW
    elif was.phase is Phase.OVER:
        why = say("rules.game_over")
    elif others:
        why = too_early(cell, False, others)
    elif cell in core.next_taps() and not why_held(state, (*state.taps, cell)):
        why = say("table.set_again", cell=cell)
    else:
        why = illegal_tap(core, cell)
    core.refuse(EntryRefused(why, cell), now)
