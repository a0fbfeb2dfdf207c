"""How each entry changes the state: the same in play as in resuming.

Owns what follows from entries alone, without a board. Knows no time, no sensor and no light.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from game.rules.errors import RulesError
from game.rules.game import Game, Outcome
from game.rules.message import say
from game.table.edits import edits_between, turned, turns_in
from game.table.entries import (
    BadEntry,
    Entry,
    Kind,
    computers_in,
    names_in,
    options_in,
    pieces_in,
    seal_in,
)
from game.table.state import UNKNOWN_PIECE, Played, State

AnyGame = Game[Any, Any]

RESIGNED, AGREED = "resigned", "agreed"
"""The reasons of outcomes that no move makes."""
MANY = 8
"""Where taking back one move changes more than this, the board is laid out anew."""


def applied(game: AnyGame, state: State, entry: Entry) -> State:
    """Return the state after an entry; raises RulesError if it cannot follow or means nothing."""
    if entry.kind is Kind.NAMES:
        return _names(game, state, entry.text)
    if entry.kind is Kind.COMPUTERS:
        return _computers(game, state, entry.text)
    after = _KINDS[entry.kind](game, state, entry.text)
    return replace(
        after,
        phase=after.resting(game),
        travel=state.travel if entry.kind is Kind.EDIT else None,
        taps=(),
        down=frozenset(),
        echoes=frozenset(),
        undone=None,
        wrong=None,
        notice=None,
        question=None,
        hinting=False,
        hints=(),
        beneath=None,
    )


def _start(game: AnyGame, state: State, text: str) -> State:
    options = options_in(text)
    position = game.initial(options)
    standing = game.pieces(position)
    if state.felt is not None:
        # What is felt stays until hands take it away. Of masked cells, as of a whole board that
        # feels touches only, nobody can tell: people clear and lay them out unasked.
        stays = {cell: each for cell, each in state.standing.items() if cell not in state.masked}
        unfelt = {cell: each for cell, each in standing.items() if cell in state.masked}
        standing = stays | unfelt
    return replace(
        state,
        position=position,
        options=options,
        standing=standing,
        history=(),
        outcome=None,
        inspecting="",
        draw_until=None,
        draft=None,
        upset=False,
        relaying=False,
        thought=None,
        sealed={},
        covering=None,
        showing=False,
    )


def _set_up(game: AnyGame, state: State, text: str) -> State:
    if state.history or state.position != game.initial(state.options):
        raise BadEntry(say("table.bad_entry", kind=Kind.SET_UP.value, text=text))
    position = game.parse(text)
    pieces = game.pieces(position)
    return replace(
        state,
        position=position,
        # Where stones are felt, what stands is read off the board.
        standing=pieces if state.felt is None else state.standing,
        outcome=game.outcome(position),
        relaying=False,
    )


def _stands(game: AnyGame, state: State, text: str) -> State:
    standing = pieces_in(text)
    if standing.keys() - set(game.board.cells) or set(standing.values()) - set(game.palette):
        raise BadEntry(say("table.bad_entry", kind=Kind.STANDS.value, text=text))
    return replace(state, standing=standing, relaying=False)


def _names(game: AnyGame, state: State, text: str) -> State:
    names = names_in(text)
    if len(names) != len(game.players):
        raise BadEntry(say("table.bad_entry", kind=Kind.NAMES.value, text=text))
    return replace(state, names=names if any(names) else ())


def _computers(game: AnyGame, state: State, text: str) -> State:
    computers = computers_in(text)
    if len(computers) != len(game.players):
        raise BadEntry(say("table.bad_entry", kind=Kind.COMPUTERS.value, text=text))
    return replace(
        state,
        computers=computers if any(computers) else (),
        taps=(),
        hinting=False,
        hints=(),
    )


def _move(game: AnyGame, state: State, text: str) -> State:
    before = state.position
    if state.arranging(game):
        return _arranged(game, state, text)
    move = game.parse_move(before, text)
    after = game.play(before, move)
    taps = game.taps(before, move)
    stood, pieces = game.pieces(before), game.pieces(after)
    outcome = game.outcome(after)
    played = Played(
        before=before,
        player=game.to_move(before) or 0,
        text=game.move_text(before, move),
        focus=next((tap for tap in reversed(taps) if tap in pieces), ""),
        removed=game.removed(before, move),
        summary=game.summary(before, move),
        turned=turns_in(game, before, move, after),
        covered=game.covered_summary(before, move) if game.hidden else None,
        faces=game.faces(before, move),
    )
    # Stones have no names: where they are felt, the right ones go on with a ring.
    standing = stood if state.felt is None else turned(stood, game.board, played.turned)
    if played.faces:
        standing = _shown(standing, played.faces, taps)
    relaying = bool(stood) and not pieces and outcome is None and state.felt is None
    if relaying:
        # The piece that ended the round was set too, and is cleared away with the others.
        token = game.token(game.side_of(before, played.player))
        piece = token if token in game.palette else UNKNOWN_PIECE
        standing = {**dict.fromkeys(set(taps) & set(game.board.cells), piece), **stood}
    return replace(
        state,
        position=after,
        # A move is entered on a board that is right. Where stones are felt no entry tells by whose
        # hands it became so.
        standing=standing,
        history=(*state.history, played),
        outcome=outcome,
        relaying=relaying,
        showing=bool(played.faces),
    )


def _shown(
    standing: Mapping[str, str], faces: Mapping[str, str], taps: Sequence[str]
) -> Mapping[str, str]:
    """Return what stands while pieces are shown: the hand that moved one has lifted it before."""
    lifted = {cell for cell in taps if cell not in faces and standing.get(cell) in faces.values()}
    return {cell: each for cell, each in standing.items() if cell not in lifted} | {**faces}


def _arranged(game: AnyGame, state: State, text: str) -> State:
    """Take the move by which a player has laid out his pieces; hands lay out the board anew."""
    before = state.position
    mover = game.to_move(before) or 0
    try:
        move = game.parse_move(before, text)
    except RulesError:
        move = None
    if move is None or state.sealed.get(mover, text) != text:
        raise _untold(Kind.MOVE) from None
    after = game.play(before, move)
    played = Played(
        before=before,
        player=mover,
        text=game.move_text(before, move),
        focus="",
        removed=(),
        summary=game.summary(before, move),
        covered=game.covered_summary(before, move),
    )
    done = replace(
        state,
        position=after,
        standing={},
        history=(*state.history, played),
        outcome=game.outcome(after),
        sealed={each: move for each, move in state.sealed.items() if each != mover},
        covering=None,
        **_NO_HANDS,
    )
    return replace(done, relaying=state.felt is None and not done.arranging(game))


def _seal(game: AnyGame, state: State, text: str) -> State:
    player, move = seal_in(text)
    players = range(1, len(game.players) + 1)
    if not state.arranging(game) or player not in players:
        raise _untold(Kind.SEAL)
    others = {each: told for each, told in state.sealed.items() if each != player}
    sealed = others if move is None else {**others, player: move}
    nothing = move is None and player not in state.sealed
    if nothing or game.arranging(state.position, player) is None or not _fits(game, state, sealed):
        raise _untold(Kind.SEAL)
    covers = state.covering if state.covering and state.covering.player != player else None
    return replace(state, sealed=sealed, covering=covers, **_NO_HANDS)


def _fits(game: AnyGame, state: State, sealed: Mapping[int, str]) -> bool:
    """Tell whether sealed moves can be made, as far as those before them are known."""
    position = state.position
    try:
        while (mover := game.to_move(position)) in sealed:
            if game.arranging(position, mover or 0) is None:
                return True
            position = game.play(position, game.parse_move(position, sealed[mover or 0]))
    except RulesError:
        return False
    return True


def _cover(game: AnyGame, state: State, text: str) -> State:
    if not state.showing:
        raise BadEntry(say("table.bad_entry", kind=Kind.COVER.value, text=text))
    return replace(state, showing=False)


def _untold(kind: Kind) -> BadEntry:
    """Refuse an entry without telling its text, in which a secret stands."""
    return BadEntry(say("table.bad_entry", kind=kind.value, text=""))


_NO_HANDS: Mapping[str, Any] = {
    "contacts": {},
    "sliding": frozenset(),
    "vain": {},
    "laid": {},
    "moved_at": None,
}
"""Where hands have been while a player laid out his pieces on the board is nobody's business."""


def _edit(game: AnyGame, state: State, spot: str) -> State:
    rings = game.board.rings
    if spot not in rings and spot not in game.board.cells:
        raise BadEntry(say("table.bad_entry", kind=Kind.EDIT.value, text=spot))
    standing, pieces = dict(state.standing), game.pieces(state.position)
    for cell in rings.get(spot, (spot,)):
        standing.pop(cell, None)
        expected = pieces.get(cell)
        if expected:
            standing[cell] = expected
    after = replace(state, standing=standing)
    return replace(after, relaying=state.relaying and bool(after.pending(game)))


def _take_back(game: AnyGame, state: State, _: str) -> State:
    if state.outcome is not None and game.outcome(state.position) is None:
        return replace(state, outcome=None, showing=False)
    if not state.history:
        raise BadEntry(say("table.bad_entry", kind=Kind.TAKE_BACK.value, text=""))
    *earlier, last = state.history
    standing, board = state.standing, game.board
    if state.felt is not None:
        # Stones have no names: what stands on a ring is what hands turn back with it.
        standing = turned(standing, board, last.turned, back=True)
    after = replace(
        state,
        position=last.before,
        history=tuple(earlier),
        outcome=None,
        standing=standing,
        showing=False,
        sealed={},
        covering=None,
    )
    if after.arranging(game):
        return replace(after, standing={}, relaying=False)
    edits = edits_between(game.pieces(state.position), game.pieces(last.before), board, game.keys)
    relaying = (state.relaying or len(edits) > MANY) and len(after.pending(game)) > MANY
    return replace(after, relaying=relaying and state.felt is None)


def _resign(game: AnyGame, state: State, text: str) -> State:
    players = [str(number + 1) for number in range(len(game.players))]
    if text not in players:
        raise BadEntry(say("table.bad_entry", kind=Kind.RESIGN.value, text=text))
    loser = int(text)
    who = game.called(state.position, loser)
    if len(players) > 2:
        # Nobody can say who of the others would have won.
        message = say("table.resigned_among_many", loser=who)
        return replace(state, outcome=Outcome(None, RESIGNED, message), **_ENDED)
    winner = loser % len(players) + 1
    message = say("table.resigned", loser=who, winner=game.called(state.position, winner))
    return replace(state, outcome=Outcome(winner, RESIGNED, message), **_ENDED)


def _draw(game: AnyGame, state: State, text: str) -> State:
    if not game.agreed_draws:
        raise BadEntry(say("table.bad_entry", kind=Kind.DRAW.value, text=text))
    return replace(state, outcome=Outcome(None, AGREED, say("table.agreed_draw")), **_ENDED)


_ENDED: Mapping[str, Any] = {"showing": False, "covering": None}


_KINDS: Mapping[Kind, Callable[[AnyGame, State, str], State]] = {
    Kind.START: _start,
    Kind.MOVE: _move,
    Kind.EDIT: _edit,
    Kind.TAKE_BACK: _take_back,
    Kind.RESIGN: _resign,
    Kind.DRAW: _draw,
    Kind.SET_UP: _set_up,
    Kind.STANDS: _stands,
    Kind.SEAL: _seal,
    Kind.COVER: _cover,
}
