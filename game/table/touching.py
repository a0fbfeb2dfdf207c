"""Touches as moments: a tap enters a move, a touch confirms an edit, a held finger inspects.

Owns what one touch means in each phase. Must not know whether a sensor felt it or a key stood in.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from game.rules.game import EditKind, differences
from game.rules.message import Message, say
from game.table import arranging, choosing, setting_up, showing
from game.table.book import Book, Entries
from game.table.edits import cells_of, edits_between
from game.table.entries import Entry, Kind
from game.table.prompts import WAIT_FOR_DRAW, too_early
from game.table.showing import SETTLE_S as SETTLE_S
from game.table.state import Phase, Travel
from game.table.thinking import not_yours, public
from game.table.travelling import leads_to_felt

ECHO_S = 0.5
"""So long after a finger has left a cell, a touch there is taken for the same finger's."""
TRAVEL_S = 4.0
"""For so long a ring is shown that has been turned."""
SLIDE_S = 0.25
"""So long after a finger has left a cell, a touch beside it is taken for the same finger's."""


def touch(book: Book, spot: str, now: float) -> Entries:
    """Take one touch of a cell or of a key of the game."""
    act = _IN_PHASE[book.state.phase]
    if spot in book.game.keys:
        return _press(book, spot, now)
    if spot not in book.game.board.cells or spot in book.state.masked:
        return act(book, spot, now)
    state = book.state
    echo, beside = _echoes(book, spot, now), _beside(book, spot, now)
    lately = {cell: end for cell, end in state.contacts.items() if end > now}
    if state.phase is Phase.ARRANGE:
        book.change(contacts={**lately, spot: inf})
        # Only what has set a piece echoes: what was refused is refused again, and with words.
        covering = state.covering
        if echo and covering is not None and spot in covering.cells:
            return ()
        return arranging.touched(book, spot, bool(beside), now)
    if state.phase is Phase.SHOW:
        book.change(contacts={**lately, spot: inf})
        return act(book, spot, now)
    done = echo and _is_done(book, spot)
    refusal = None if done else _refusal(book, spot, echo, beside)
    vain = {cell: end for cell, end in state.vain.items() if cell in lately and cell != spot}
    if refusal is not None:
        # Trying again must not be an echo for ever.
        vain[spot] = state.vain.get(spot, state.contacts[spot]) if echo else -inf
    slides_on = {spot} if beside & state.sliding else set()
    book.change(
        contacts={**lately, spot: inf},
        vain=vain,
        sliding=frozenset(state.sliding & lately.keys() | slides_on),
    )
    if refusal is not None:
        book.refuse(spot, refusal, now)
    elif not done:
        entries = act(book, spot, now)
        if any(entry.kind is Kind.MOVE for entry in entries):
            book.change(sliding=frozenset({spot}))
        return entries
    elif spot in state.standing and state.phase is not Phase.SET_UP:
        # An echo of a touch that has had its effect is no news, but may be held.
        book.change(down=state.down | {spot}, echoes=state.echoes | {spot})
    return ()


def _press(book: Book, key: str, now: float) -> Entries:
    """Take one press of a key of the game, unless it bounced, which is never news.

    Only what counted keeps it from counting again, so that trying again is not a bounce for ever.
    """
    state = book.state
    if state.contacts.get(key, -inf) > now:
        book.change(vain={**state.vain, key: state.contacts[key]})
        return ()
    lately = {spot: end for spot, end in state.contacts.items() if end > now}
    vain = {spot: end for spot, end in state.vain.items() if spot in lately}
    book.change(contacts={**lately, key: now + ECHO_S}, vain=vain)
    return _IN_PHASE[state.phase](book, key, now)


def confirm(book: Book) -> Entries:
    """Go on: the board stands as it is shown, also where it is laid out anew."""
    entries: Entries = ()
    if book.state.relaying:
        for edit in book.state.pending(book.game):
            entries += book.record(Entry(Kind.EDIT, edit.cell))
    book.change(phase=book.state.resting(book.game), notice=None)
    return entries


def hold(book: Book, spot: str) -> None:
    """Inspect the piece under a finger that stays; a tap that this finger began is undone."""
    state = book.state
    if state.phase is Phase.TAP and state.taps[-1:] == (spot,) and spot in state.standing:
        book.change(taps=state.taps[:-1], inspecting=spot, wrong=None)
    elif spot in state.down:
        book.change(
            down=state.down - {spot},
            echoes=state.echoes - {spot},
            inspecting=spot,
            wrong=None,
        )


def lift(book: Book, spot: str, now: float) -> None:
    """End an inspection, or refuse a touch on a piece that was not held."""
    if spot == book.state.inspecting:
        book.change(inspecting="")
    if spot in book.state.contacts and not (spot in book.game.keys and spot in book.state.vain):
        book.change(contacts={**book.state.contacts, spot: now + ECHO_S})
    if spot in book.state.echoes:
        book.change(down=book.state.down - {spot}, echoes=book.state.echoes - {spot})
    elif spot in book.state.down:
        book.change(down=book.state.down - {spot})
        _refuse(book, spot, now)


def tap(book: Book, spot: str, now: float, after: tuple[str, ...] | None = None) -> Entries | None:
    """Go on with a move, and make it when it is complete; None if no move goes on like this.

    It goes on from the taps that have been made, or `after` others instead.
    """
    made = book.state.taps if after is None else after
    if spot not in book.next_taps(made):
        return None
    taps = (*made, spot)
    move = book.walk.move(taps)
    if move is not None:
        return _make(book, move, taps, now)
    book.change(taps=taps, wrong=None, notice=None)
    return ()


def _make(book: Book, move: Any, taps: tuple[str, ...], now: float) -> Entries:
    """Record a move, and the edits that the hand which entered it has made by its touches.

    Where no stones are felt, the same hand touches once more what the move takes off a cell.
    """
    state, game = book.state, book.game
    entries = book.record(Entry(Kind.MOVE, game.move_text(state.position, move)))
    last, untold = book.state.history[-1], frozenset(game.board.cells)
    if state.felt is not None:
        untold = state.masked
    if not book.state.relaying:
        before, pieces = game.pieces(last.before), game.pieces(book.state.position)
        done = {
            edit.cell
            for edit in edits_between(before, pieces, game.board, game.keys)
            if edit.kind is EditKind.TURN
        }
        done.update(edit.cell for edit in differences(before, pieces, game.board.cells))
        for spot in dict.fromkeys(taps):
            stays = spot in last.faces and (spot in untold or spot in (state.felt or ()))
            if spot in done and not stays and spot not in untold & set(last.removed):
                entries += book.record(Entry(Kind.EDIT, spot))
    if book.state.relaying or book.state.showing:
        book.change(moved_at=now)
    for edit in last.turned:
        book.change(travel=Travel(edit.cell, edit.steps, now + TRAVEL_S))
    return entries


def _echoes(book: Book, spot: str, now: float) -> bool:
    """Tell whether a finger that has just had its effect on a cell is there again."""
    state = book.state
    return state.contacts.get(spot, -inf) > now and state.vain.get(spot, inf) > now


def _beside(book: Book, spot: str, now: float) -> frozenset[str]:
    """Return the cells beside this one that a finger touches or has just left."""
    return frozenset(
        cell
        for cell in book.game.board.neighbours[spot]
        if book.state.contacts.get(cell, -inf) - (ECHO_S - SLIDE_S) > now
    )


def _refusal(book: Book, spot: str, echo: bool, beside: frozenset[str]) -> Message | None:
    """Say so if a finger that bounced, or that slid here from beside, must have no effect.

    It begins no move, nor takes away what the move that it has just made ate; and while the finger
    rests that has just made a move, another one makes none. Otherwise hands may
    put and take stones on neighbouring cells as fast as they like.
    """
    state = book.state
    if echo and _enters_move(book, spot):
        return say("table.echo", cell=spot)
    begins = not state.taps and _enters_move(book, spot)
    if begins and beside:
        return say("table.slid", cell=spot)
    if begins and any(state.contacts.get(cell) == inf for cell in state.sliding):
        return say("table.one_stone")
    slid_off = state.relaying or (_pending(book, spot) and state.after_last_move(book.game))
    if beside & state.sliding and slid_off:
        return say("table.slid_off", cell=spot)
    return None


def _enters_move(book: Book, spot: str) -> bool:
    return book.state.phase is Phase.TAP and spot in book.next_taps()


def _is_done(book: Book, spot: str) -> bool:
    """Tell whether a touch of a cell has nothing to do there any more."""
    state = book.state
    if state.phase is Phase.TAP:
        return spot not in book.next_taps()
    if state.phase in (Phase.EDIT, Phase.OVER):
        its_own = spot in state.sliding and state.after_last_move(book.game)
        return its_own or not _pending(book, spot)
    return state.phase is Phase.SET_UP or state.relaying


def _pending(book: Book, spot: str) -> str:
    """Return the cell or ring that a touch brings right; "" if it brings none."""
    for edit in book.state.pending(book.game):
        if spot == edit.cell or spot in cells_of(edit, book.game.board):
            return edit.cell
    return ""


def _in_confirm(book: Book, spot: str, now: float) -> Entries:
    state, edit = book.state, _pending(book, spot)
    just_over = state.moved_at is not None and now < state.moved_at + SETTLE_S
    if state.relaying and just_over and not state.expected(book.game):
        # A hurried hand has not even seen that the round is over.
        book.refuse(spot, say("table.clear_all"), now)
        return ()
    if state.relaying and edit:
        # Whoever takes or lays the pieces one by one has not said yet that all is right.
        return book.record(Entry(Kind.EDIT, edit))
    entries = confirm(book)
    # The hand that takes a stone away says by that, too, that the rest is right.
    return _in_edit(book, spot, now) if edit else entries


def _in_draw(book: Book, spot: str, now: float) -> Entries:
    book.notify(WAIT_FOR_DRAW, now)
    return ()


def _in_tap(book: Book, spot: str, now: float) -> Entries:
    entries = tap(book, spot, now)
    state = book.state
    if entries is None and len(state.taps) == 1 and spot in state.standing.keys() - {*state.taps}:
        # Another piece is chosen instead.
        entries = tap(book, spot, now, ())
    if entries is None:
        _defer_or_refuse(book, spot, now)
    return entries or ()


def _in_edit(book: Book, spot: str, now: float) -> Entries:
    felt = book.state.felt is not None
    edit = "" if felt and spot in book.game.keys else _pending(book, spot)
    if edit:
        return book.record(Entry(Kind.EDIT, edit))
    if felt and leads_to_felt(book, spot):
        return tap(book, spot, now) or ()
    _defer_or_refuse(book, spot, now)
    return ()


def _defer_or_refuse(book: Book, spot: str, now: float) -> None:
    """Wait whether the finger on a piece is held; on a masked cell no finger is ever felt."""
    state = book.state
    if spot in state.standing and spot not in state.masked:
        book.change(down=state.down | {spot})
    else:
        _refuse(book, spot, now)


def _refuse(book: Book, spot: str, now: float) -> None:
    state, game = book.state, book.game
    pending = state.pending(game)
    if spot not in game.board.cells and spot not in game.keys:
        why = say("table.no_key", key=spot)
    elif state.phase is Phase.OVER:
        why = say("rules.game_over")
    elif pending and spot in game.keys:
        why = say("table.first_put_right")
    elif pending:
        why = too_early(spot, spot in state.standing, pending)
    else:
        taps = (*state.taps, spot)
        why = not_yours(game, state, spot) or game.refusal(public(game, state.position), taps)
    book.refuse(spot, why, now)


_IN_PHASE: Mapping[Phase, Callable[[Book, str, float], Entries]] = {
    Phase.DRAW: _in_draw,
    Phase.TAP: _in_tap,
    Phase.EDIT: _in_edit,
    Phase.OVER: _in_edit,
    Phase.CONFIRM: _in_confirm,
    Phase.SET_UP: setting_up.touched,
    Phase.ARRANGE: arranging.pressed,
    Phase.SHOW: showing.touched,
    Phase.MENU: choosing.touched,
}
