"""What touches, holds and keys of the game do in each phase.

Must not know whether a touch came from a sensor or from a key.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from game.rules.base.edits import cells_of
from game.rules.base.errors import RulesError
from game.rules.base.grades import BLUNDER, LOOKS, WARNED
from game.rules.base.message import Message, say
from game.rules.boards.fingers import Effect, Fingers, TouchVerdict
from game.table.entries import Entries, Entry, EntryKind
from game.table.hands import computers_turn_refusal, help_of_mover, looks_left
from game.table.phases import Event, Phase
from game.table.players import touch_menu
from game.table.reducer import Core, EntryRefused
from game.table.setup import touch_draft, touch_setup
from game.table.state import State
from game.table.words import WAIT_FOR_DRAW, too_early

SETTLE_S = 1.0
"""Time after something new is shown in which touches do not confirm it, as it is still unseen."""


def touch(core: Core, spot: str, now: float) -> Entries:
    """Handle one touch of a cell or of a key of the game."""
    state, act = core.state, _ACTS[core.state.phase]
    fingers, board = state.fingers, core.game.board
    if spot in core.game.keys:
        after, counts = fingers.press(spot, now)
        _set_fingers(core, after)
        return act(core, spot, now) if counts else ()
    if spot not in board.cells or spot in state.faults.masked:
        return act(core, spot, now)
    if state.phase in (Phase.ARRANGE, Phase.SHOW):
        _set_fingers(core, fingers.rest(spot, now))
        if state.phase is Phase.SHOW:
            return act(core, spot, now)
        slid = bool(fingers.beside(board.neighbours[spot], now))
        # Ignore a repeated touch only if it set a piece; refuse a refused one again.
        setup = state.setups.on_board
        if setup is None or spot not in setup.cells or not fingers.is_repeat(spot, now):
            touch_setup(core, spot, slid)
        return ()
    fingers, verdict = fingers.touch(spot, board.neighbours[spot], _effect(core, spot), now)
    _set_fingers(core, fingers)
    if verdict.rejected:
        raise EntryRefused(say("table.touch_again", cell=spot), spot)
    if verdict is TouchVerdict.TAP and state.phase is Phase.TAP and waits_for_look(core, spot):
        _set_fingers(core, fingers.wait_for_hold(spot))
    elif verdict is TouchVerdict.TAP:
        entries = act(core, spot, now)
        if any(entry.kind is EntryKind.MOVE for entry in entries):
            _set_fingers(core, core.state.fingers.moved(spot))
        return entries
    elif spot in state.standing and state.phase is not Phase.SET_UP:
        # The same finger may still be held to inspect.
        _set_fingers(core, fingers.wait_for_hold(spot, repeat=True))
    return ()


def _effect(core: Core, spot: str) -> Effect:
    state = core.state
    enters = state.phase is Phase.TAP and spot in core.next_taps()
    pending = bool(_pending_edit(core, spot))
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


def confirm_board(core: Core) -> Entries:
    """Confirm that the board matches what is shown, also after laying it out again."""
    edits = core.state.pending if core.state.rebuilding else ()
    entries = core.record(*(Entry(EntryKind.EDIT, edit.cell) for edit in edits))
    core.state = core.state.after(Event.BOARD_READ)
    core.clear_notice()
    return entries


def hold(core: Core, spot: str) -> None:
    """Inspect the piece under a finger that stays, or show a move's grade; undo its tap."""
    state = core.state
    if state.phase is Phase.TAP and state.taps[-1:] == (spot,) and spot in state.standing:
        state = replace(state, taps=state.taps[:-1])
    elif spot not in state.fingers.down:
        return
    else:
        state = replace(state, fingers=state.fingers.release({spot}))
    notices = replace(state.notices, rejected=None)
    core.state = replace(state, inspecting=spot, notices=notices)
    if waits_for_look(core, spot):
        look(core, spot)


def lift(core: Core, spot: str, now: float) -> Entries:
    """End an inspection. If the finger was not held, carry out or refuse its touch."""
    state = core.state
    fingers, was_waiting = state.fingers.lift(spot, spot in core.game.keys, now)
    inspecting = "" if state.inspecting == spot else state.inspecting
    core.state = replace(state, fingers=fingers, inspecting=inspecting)
    if was_waiting and state.phase is Phase.TAP and waits_for_look(core, spot):
        return _enter_move(core, spot, now)
    if was_waiting:
        raise _refusal(core, spot)
    return ()


def tap(core: Core, spot: str, now: float, after: tuple[str, ...] | None = None) -> Entries | None:
    """Add a tap to the move being entered, and make a complete move; None if no move matches.

    The tap follows the current taps, or the taps in `after`.
    """
    made = core.state.taps if after is None else after
    if spot not in core.next_taps(made):
        return None
    taps = (*made, spot)
    move = core.state.situation.walk.move(taps)
    if move is not None:
        return None if holds_back(core, taps) else _make(core, move, taps, now)
    core.state = replace(core.state, taps=taps)
    core.clear_notice(rejected=True)
    return ()


def _make(core: Core, move: Any, taps: tuple[str, ...], now: float) -> Entries:
    """Record a move, and the edits that its taps have made.

    On cells that are not sensed, each stone that the move removes needs a touch of its own.
    """
    state, board = core.state, core.game.board
    entries = core.record(Entry(EntryKind.MOVE, state.situation.result(move).text))
    last, sensed = core.state.history[-1], state.hands.sensed
    if not core.state.rebuilding:
        before, after = state.situation.pieces, core.state.situation.pieces
        turned = [edit.cell for edit in last.turned]
        for spot in dict.fromkeys(taps):
            cells = board.rings[spot] if spot in turned else (spot,)
            if all(before.get(cell) == after.get(cell) for cell in cells):
                continue
            unsensed = spot in board.cells and (sensed is None or spot in state.faults.masked)
            stays = spot in last.faces and (unsensed or spot in (sensed or ()))
            if not stays and not (unsensed and spot in last.removed):
                entries += core.record(Entry(EntryKind.EDIT, spot))
    if core.state.rebuilding or core.state.showing_faces:
        core.state = replace(core.state, hands=replace(core.state.hands, moved_at=now))
    core.show_turns(last.turned, now)
    return entries


def perform(core: Core, spot: str, now: float) -> Entries:
    """Handle an act of automatic hands: part of a move, or an edit; nothing else."""
    if core.state.phase is Phase.TAP:
        return tap(core, spot, now) or ()
    edit = _pending_edit(core, spot) if core.state.phase in (Phase.EDIT, Phase.OVER) else ""
    return core.record(Entry(EntryKind.EDIT, edit)) if edit else ()


def _go_on(core: Core, spot: str, now: float) -> Entries:
    """Treat any touch as a sign that people have seen the faces."""
    if too_soon(core.state, now):
        raise EntryRefused(say("table.look_first"))
    entries = core.record(Entry(EntryKind.COVER))
    # This finger may slide on, which must not confirm an edit.
    _set_fingers(core, core.state.fingers.moved(spot))
    return entries


def too_soon(state: State, now: float) -> bool:
    moved_at = state.hands.moved_at
    return moved_at is not None and now < moved_at + SETTLE_S


def _pending_edit(core: Core, spot: str) -> str:
    """Return the cell or ring of the edit that a touch confirms; "" if it confirms none."""
    for edit in core.state.pending:
        if spot == edit.cell or spot in cells_of(edit, core.game.board):
            return edit.cell
    return ""


def _confirm_board(core: Core, spot: str, now: float) -> Entries:
    state, edit = core.state, _pending_edit(core, spot)
    if state.rebuilding and too_soon(state, now) and not state.expected:
        # A hasty player may not have seen yet that the round is over.
        raise EntryRefused(say("table.clear_all"), spot)
    if state.rebuilding and edit:
        # Pieces are laid out or removed one by one; this touch confirms only its own piece.
        return core.record(Entry(EntryKind.EDIT, edit))
    entries = confirm_board(core)
    # Removing a stone confirms the rest of the board.
    return _confirm_edit(core, spot, now) if edit else entries


def _refusing(why: Message) -> Callable[[Core, str, float], Entries]:
    def act(core: Core, spot: str, now: float) -> Entries:
        raise EntryRefused(why)

    return act


def _enter_move(core: Core, spot: str, now: float) -> Entries:
    state = core.state
    if why_held(state, (*state.taps, spot)):
        # This may be the finger that lifts the stone.
        core.state = replace(state, guidance=replace(state.guidance, why=None))
        core.clear_notice(rejected=True)
        core.notify(say("help.taken_back"), now, good=True)
        return ()
    entries = tap(core, spot, now)
    state = core.state
    if entries is None and len(state.taps) == 1 and spot in state.standing.keys() - {*state.taps}:
        # Begin a new move with another piece.
        entries = tap(core, spot, now, ())
    if entries is None and why_held(core.state, (*core.state.taps, spot)):
        raise _refusal(core, spot)
    if entries is None:
        _defer_or_refuse(core, spot)
    return entries or ()


def _confirm_edit(core: Core, spot: str, now: float) -> Entries:
    sensed = core.state.senses_stones
    edit = "" if sensed and spot in core.game.keys else _pending_edit(core, spot)
    if edit:
        return core.record(Entry(EntryKind.EDIT, edit))
    if sensed and spot in core.game.keys and not core.state.after_last_move:
        # People may turn a ring before they press its key.
        return _enter_move(core, spot, now)
    _defer_or_refuse(core, spot)
    return ()


def _defer_or_refuse(core: Core, spot: str) -> None:
    """On a piece, wait for a hold; elsewhere, or on a masked cell, which senses no hold, refuse."""
    state = core.state
    if spot not in state.standing or spot in state.faults.masked:
        raise _refusal(core, spot)
    _set_fingers(core, state.fingers.wait_for_hold(spot))


def _refusal(core: Core, spot: str) -> EntryRefused:
    state, game = core.state, core.game
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
        why = illegal_tap(core, spot)
    return EntryRefused(why, spot)


def illegal_tap(core: Core, spot: str) -> Message:
    """Return why a touch enters no move, without hidden information."""
    state, game = core.state, core.game
    why = computers_turn_refusal(state, spot) or why_held(state, (*state.taps, spot))
    return why or game.presentation.refusal(state.situation.public, (*state.taps, spot))


def _set_fingers(core: Core, fingers: Fingers) -> None:
    core.state = replace(core.state, fingers=fingers)


def waits_for_look(core: Core, spot: str) -> bool:
    """Return whether a touch counts only when the finger leaves: if it stays, it is a look."""
    graded = help_of_mover(core.state).level >= LOOKS
    return graded and spot in core.next_taps() and spot in core.game.board.cells


def look(core: Core, spot: str) -> None:
    """Show the grade of a cell that can be touched next, if the player has a look left."""
    state = core.state
    guidance, taps = state.guided, (*state.taps, spot)
    if not waits_for_look(core, spot):
        core.state = replace(state, inspecting="" if not spot else state.inspecting)
    elif taps not in guidance.looks and looks_left(state) == 0:
        core.state = replace(state, inspecting="")
        raise EntryRefused(say("help.no_looks_left"))
    else:
        guidance = replace(guidance, looks=guidance.looks | {taps})
        core.state = replace(state, guidance=guidance, inspecting=spot)


def holds_back(core: Core, taps: tuple[str, ...]) -> bool:
    """Hold back a blunder if the player's help includes warnings; return whether it is held back.

    A move is held back once: after it was taken back, the same taps make it.
    """
    game, state, guidance = core.game, core.state, core.state.guided
    graded = guidance.grades.get(taps)
    if graded is None or graded.loss < 100 * BLUNDER or guidance.held == taps:
        return False
    if help_of_mover(state).level < WARNED:
        return False
    move = state.situation.walk.move(taps)
    text = game.plain_text(state.position, move)
    why, answer = say("help.held_bare", move=text, percent=graded.loss), None
    if graded.reply and not game.hidden:
        after = game.play(state.position, move)
        with suppress(RulesError):
            answer = game.result(after, game.parse_move(after, graded.reply))
            why = say("help.held", move=text, percent=graded.loss, answer=answer.summary)
    core.state = replace(state, guidance=replace(guidance, held=taps, why=why, answer=answer))
    return True


def why_held(state: State, taps: tuple[str, ...]) -> Message | None:
    """Return why the move of these taps is held back; None if it is not."""
    return state.guided.why if taps and state.guided.held == taps else None


_ACTS: Mapping[Phase, Callable[[Core, str, float], Entries]] = {
    Phase.DRAW: _refusing(WAIT_FOR_DRAW),
    Phase.TAP: _enter_move,
    Phase.EDIT: _confirm_edit,
    Phase.OVER: _confirm_edit,
    Phase.CONFIRM: _confirm_board,
    Phase.SET_UP: touch_draft,
    Phase.ARRANGE: _refusing(say("table.board_is_free")),
    Phase.SHOW: _go_on,
    Phase.MENU: touch_menu,
}
"""What a touch that counts does in each phase."""
