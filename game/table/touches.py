"""What a tap means in each phase: it enters a move, confirms an edit, or chooses.

Owns the effect of touches, of holds and of keys of the game. Must not know whether a sensor felt a
touch or a key stood in for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from game.rules.base.edits import cells_of
from game.rules.base.message import Message, say
from game.table.entries import Entries, Entry, EntryKind
from game.table.hands import RING_TURN_S, computers_turn_refusal
from game.table.inputs import Effect, Fingers, Verdict
from game.table.phases import TOUCHES, Event, Phase, TouchMeaning
from game.table.players import touch_menu
from game.table.reducer import Book
from game.table.setup import press_in_setup, touch_draft, touch_setup
from game.table.state import RingTurn, State
from game.table.words import WAIT_FOR_DRAW, too_early

SETTLE_S = 1.0
"""Time after something new is shown in which no touch confirms it: people have not seen it yet."""


def touch(book: Book, spot: str, now: float) -> Entries:
    """Take one touch of a cell or of a key of the game."""
    state, act = book.state, _ACTS[TOUCHES[book.state.phase]]
    fingers, board = state.fingers, book.game.board
    if spot in book.game.keys:
        after, counts = fingers.press(spot, now)
        _set_fingers(book, after)
        return act(book, spot, now) if counts else ()
    if spot not in board.cells or spot in state.faults.masked:
        return act(book, spot, now)
    if state.phase is Phase.ARRANGE:
        _set_fingers(book, fingers.rest(spot, now))
        slid = bool(fingers.beside(board.neighbours[spot], now))
        # Only a touch that set a piece is repeated; one that was refused is refused again.
        setup = state.setups.on_board
        repeat = setup is not None and spot in setup.cells and fingers.is_repeat(spot, now)
        return () if repeat else touch_setup(book, spot, slid, now)
    if state.phase is Phase.SHOW:
        _set_fingers(book, fingers.rest(spot, now))
        return act(book, spot, now)
    fingers, verdict = fingers.touch(spot, board.neighbours[spot], _effect(book, spot), now)
    _set_fingers(book, fingers)
    if verdict.rejected:
        book.refuse(spot, _rejection(verdict, spot), now)
    elif verdict is Verdict.TAP:
        entries = act(book, spot, now)
        if any(entry.kind is EntryKind.MOVE for entry in entries):
            _set_fingers(book, book.state.fingers.moved(spot))
        return entries
    elif spot in state.standing and state.phase is not Phase.SET_UP:
        # The same finger may still be held to inspect.
        _set_fingers(book, fingers.wait_for_hold(spot, repeat=True))
    return ()


def _rejection(verdict: Verdict, cell: str) -> Message:
    match verdict:
        case Verdict.BOUNCE:
            return say("table.echo", cell=cell)
        case Verdict.SLIDE:
            return say("table.slid", cell=cell)
        case Verdict.SECOND_STONE:
            return say("table.one_stone")
        case _:
            return say("table.slid_off", cell=cell)


def _effect(book: Book, spot: str) -> Effect:
    """Tell what a touch of a cell would do if it counts."""
    state = book.state
    enters = state.phase is Phase.TAP and spot in book.next_taps()
    pending = bool(_pending_edit(book, spot))
    of_last_move = pending and state.after_last_move
    if state.phase is Phase.TAP:
        nothing = not enters
    elif state.phase in (Phase.EDIT, Phase.OVER):
        nothing = not pending or (of_last_move and spot in state.fingers.sliding)
    else:
        nothing = state.phase is Phase.SET_UP or state.rebuilding
    return Effect(
        enters_move=enters,
        begins_move=enters and not state.taps,
        confirms_edit=state.rebuilding or of_last_move,
        nothing=nothing,
    )


def confirm_board(book: Book) -> Entries:
    """Go on: the board matches what is shown, also where it is laid out again."""
    entries: Entries = ()
    if book.state.rebuilding:
        for edit in book.state.pending:
            entries += book.record(Entry(EntryKind.EDIT, edit.cell))
    book.pass_on(Event.BOARD_READ)
    book.clear_notice()
    return entries


def hold(book: Book, spot: str) -> None:
    """Inspect the piece under a finger that stays; undo a tap that this finger began."""
    state = book.state
    if state.phase is Phase.TAP and state.taps[-1:] == (spot,) and spot in state.standing:
        state = replace(state, taps=state.taps[:-1])
    elif spot not in state.fingers.down:
        return
    else:
        state = replace(state, fingers=state.fingers.release({spot}))
    notices = replace(state.notices, rejected=None)
    book.state = replace(state, inspecting=spot, notices=notices)


def lift(book: Book, spot: str, now: float) -> None:
    """End an inspection, or refuse a touch on a piece that was not held."""
    state = book.state
    fingers, was_waiting = state.fingers.lift(spot, spot in book.game.keys, now)
    inspecting = "" if state.inspecting == spot else state.inspecting
    book.state = replace(state, fingers=fingers, inspecting=inspecting)
    if was_waiting:
        _refuse(book, spot, now)


def tap(book: Book, spot: str, now: float, after: tuple[str, ...] | None = None) -> Entries | None:
    """Go on with a move, and make it when it is complete; None if no move goes on like this.

    It goes on from the taps that have been made, or `after` others instead.
    """
    made = book.state.taps if after is None else after
    if spot not in book.next_taps(made):
        return None
    taps = (*made, spot)
    move = book.state.situation.walk.move(taps)
    if move is not None:
        return _make(book, move, taps, now)
    book.set_taps(taps)
    book.clear_notice(rejected=True)
    return ()


def _make(book: Book, move: Any, taps: tuple[str, ...], now: float) -> Entries:
    """Record a move, and the edits that its taps have made.

    Where no stones are felt, each stone that the move takes off needs a touch of its own.
    """
    state, board = book.state, book.game.board
    entries = book.record(Entry(EntryKind.MOVE, state.situation.result(move).text))
    last, felt = book.state.history[-1], state.hands.felt
    if not book.state.rebuilding:
        before, after = state.situation.pieces, book.state.situation.pieces
        turned = [edit.cell for edit in last.turned]
        for spot in dict.fromkeys(taps):
            cells = board.rings[spot] if spot in turned else (spot,)
            if all(before.get(cell) == after.get(cell) for cell in cells):
                continue
            unfelt = spot in board.cells and (felt is None or spot in state.faults.masked)
            stays = spot in last.faces and (unfelt or spot in (felt or ()))
            if not stays and not (unfelt and spot in last.removed):
                entries += book.record(Entry(EntryKind.EDIT, spot))
    if book.state.rebuilding or book.state.showing_faces:
        book.state = replace(book.state, hands=replace(book.state.hands, moved_at=now))
    for edit in last.turned:
        turn = RingTurn(edit.cell, edit.steps, now + RING_TURN_S)
        book.state = replace(book.state, ring_turn=turn)
    return entries


def perform(book: Book, spot: str, now: float) -> Entries:
    """Take what automatic hands do: part of a move, or an edit; nothing else."""
    if book.state.phase is Phase.TAP:
        return tap(book, spot, now) or ()
    edit = _pending_edit(book, spot) if book.state.phase in (Phase.EDIT, Phase.OVER) else ""
    return book.record(Entry(EntryKind.EDIT, edit)) if edit else ()


def cover_faces(book: Book) -> Entries:
    """Go on: people have seen the faces that the last move showed."""
    return book.record(Entry(EntryKind.COVER))


def stones_cover_faces(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Take a change of the board as a sign that people have seen the faces."""
    changed = cells ^ (was.hands.felt or frozenset())
    if was.phase is not Phase.SHOW or not was.feels_stones or not changed - was.faults.unread:
        return ()
    return () if _too_soon(was, now) else cover_faces(book)


def _go_on(book: Book, spot: str, now: float) -> Entries:
    """Take any touch as a sign that people have seen the faces."""
    if _too_soon(book.state, now):
        book.notify(say("table.look_first"), now)
        return ()
    entries = cover_faces(book)
    # This finger may slide on, and must confirm no edit by that.
    _set_fingers(book, book.state.fingers.moved(spot))
    return entries


def _too_soon(state: State, now: float) -> bool:
    moved_at = state.hands.moved_at
    return moved_at is not None and now < moved_at + SETTLE_S


def _pending_edit(book: Book, spot: str) -> str:
    """Return the cell or ring of the edit that a touch confirms; "" if it confirms none."""
    for edit in book.state.pending:
        if spot == edit.cell or spot in cells_of(edit, book.game.board):
            return edit.cell
    return ""


def _confirm_board(book: Book, spot: str, now: float) -> Entries:
    state, edit = book.state, _pending_edit(book, spot)
    if state.rebuilding and _too_soon(state, now) and not state.expected:
        # A player in a hurry has not seen yet that the round is over.
        book.refuse(spot, say("table.clear_all"), now)
        return ()
    if state.rebuilding and edit:
        # Pieces are laid out or removed one by one; that does not confirm the others.
        return book.record(Entry(EntryKind.EDIT, edit))
    entries = confirm_board(book)
    # Removing a stone confirms the rest of the board.
    return _confirm_edit(book, spot, now) if edit else entries


def _wait_for_draw(book: Book, spot: str, now: float) -> Entries:
    book.notify(WAIT_FOR_DRAW, now)
    return ()


def _enter_move(book: Book, spot: str, now: float) -> Entries:
    entries = tap(book, spot, now)
    state = book.state
    if entries is None and len(state.taps) == 1 and spot in state.standing.keys() - {*state.taps}:
        # Another piece is chosen instead.
        entries = tap(book, spot, now, ())
    if entries is None:
        _defer_or_refuse(book, spot, now)
    return entries or ()


def _confirm_edit(book: Book, spot: str, now: float) -> Entries:
    felt = book.state.feels_stones
    edit = "" if felt and spot in book.game.keys else _pending_edit(book, spot)
    if edit:
        return book.record(Entry(EntryKind.EDIT, edit))
    if felt and leads_to_felt(book, spot):
        return tap(book, spot, now) or ()
    _defer_or_refuse(book, spot, now)
    return ()


def _defer_or_refuse(book: Book, spot: str, now: float) -> None:
    """Wait for a hold of a piece; on a masked cell, which feels no finger, refuse at once."""
    state = book.state
    if spot in state.standing and spot not in state.faults.masked:
        _set_fingers(book, state.fingers.wait_for_hold(spot))
    else:
        _refuse(book, spot, now)


def _refuse(book: Book, spot: str, now: float) -> None:
    state, game = book.state, book.game
    pending = state.pending
    if spot not in game.board.cells and spot not in game.keys:
        why = say("table.no_key", key=spot)
    elif state.phase is Phase.OVER:
        why = say("rules.game_over")
    elif pending and spot in game.keys:
        why = say("table.first_put_right")
    elif pending:
        why = too_early(spot, spot in state.standing, pending)
    else:
        why = illegal_tap(book, spot)
    book.refuse(spot, why, now)


def leads_to_felt(book: Book, key: str) -> bool:
    """Tell whether a key continues a move that leads to exactly the stones that are felt.

    This is so where hands have turned a ring before they press its key.
    """
    state, game = book.state, book.game
    felt = state.hands.felt
    if key not in game.keys or key not in book.next_taps() or felt is None:
        return False
    masked = state.faults.masked
    stand = (felt - masked) | (state.standing.keys() & masked)
    taps = (*state.taps, key)
    return any(
        made[: len(taps)] == taps and stand == game.pieces(game.play(state.position, move)).keys()
        for made, move in state.situation.walk.going_on(taps)
    )


def illegal_tap(book: Book, spot: str) -> Message:
    """Say why a touch enters no move, telling only what everybody may know."""
    state, game = book.state, book.game
    why = computers_turn_refusal(game, state, spot)
    return why or game.presentation.refusal(state.situation.public, (*state.taps, spot))


def _set_fingers(book: Book, fingers: Fingers) -> None:
    book.state = replace(book.state, fingers=fingers)


_ACTS: Mapping[TouchMeaning, Callable[[Book, str, float], Entries]] = {
    TouchMeaning.WAIT: _wait_for_draw,
    TouchMeaning.ENTER_MOVE: _enter_move,
    TouchMeaning.CONFIRM_EDIT: _confirm_edit,
    TouchMeaning.CONFIRM_BOARD: _confirm_board,
    TouchMeaning.CHANGE_DRAFT: touch_draft,
    TouchMeaning.LAY_OUT: press_in_setup,
    TouchMeaning.GO_ON: _go_on,
    TouchMeaning.CHOOSE: touch_menu,
}
