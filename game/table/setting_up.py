"""Set up a position: by touches, by setting and lifting stones, or on the page.

Owns the draft until a game begins from it or people leave it. The game that was at the table stays
as it was meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from game.rules.base.errors import BadPosition, RulesError
from game.rules.base.game import AnyGame, known_options
from game.rules.base.message import say
from game.rules.base.options import Option
from game.rules.base.values import Flaw
from game.table.book import Book, Entries
from game.table.entries import Entry, EntryKind, pieces_text
from game.table.inputs import Command, SelectPiece, SetPiece, SetScore
from game.table.players import record_start
from game.table.prompts import PAUSED, WAIT_FOR_DRAW
from game.table.records import UNKNOWN_PIECE, Draft, Phase

SCORES = Option("0", least=0, most=9999)
"""Scores that can be set: four digits fit the score lights of every board."""


def enter(book: Book, now: float) -> Entries:
    """Begin a draft with what stands on the board; in a draft, clear it."""
    state, game = book.state, book.game
    if state.draft is not None:
        _set_draft(book, replace(state.draft, pieces={}))
    elif not game.palette:
        book.notify(say("rules.no_set_up", game=game.title), now)
    elif state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
    elif state.faults.reasons:
        book.notify(PAUSED, now)
    else:
        pieces = {
            cell: game.palette[0] if piece == UNKNOWN_PIECE else piece
            for cell, piece in state.standing.items()
        }
        mover = state.turn or 1
        brush = next(
            (each for each in game.palette if game.presentation.side(each) == mover),
            game.palette[0],
        )
        book.turn_to(Phase.SET_UP)
        draft = Draft(pieces, brush, mover, state.situation.score, state.standing)
        _set_draft(book, draft, pieces)
    return ()


def touched(book: Book, cell: str, now: float) -> Entries:
    """Set the brush's piece on an empty cell, or remove what stands there."""
    state = book.state
    if state.draft is None or cell not in book.game.board.cells:
        return ()
    pieces, standing = dict(state.draft.pieces), dict(state.standing)
    wanted, stood = pieces.get(cell, ""), standing.pop(cell, "")
    if wanted == stood:
        # The hand changes the draft; otherwise it does what the page has asked for.
        wanted = "" if wanted else state.draft.brush
        pieces.pop(cell, None)
    if wanted:
        pieces[cell] = standing[cell] = wanted
    _set_draft(book, replace(state.draft, pieces=pieces), standing)
    return ()


def stones_changed(book: Book, cells: frozenset[str]) -> None:
    """Follow the stones that have been set and lifted since the board was last read."""
    state = book.state
    if state.draft is None:
        return
    pieces, standing = dict(state.draft.pieces), dict(state.standing)
    for cell in book.game.board.cells:
        if cell in state.faults.unread or (cell in cells) == (cell in standing):
            continue
        if cell in cells:
            standing[cell] = pieces.setdefault(cell, state.draft.brush)
        else:
            del standing[cell]
            pieces.pop(cell, None)
    _set_draft(book, replace(state.draft, pieces=pieces), standing)


def change(book: Book, request: SetPiece | SelectPiece | SetScore, now: float) -> None:
    """Change the draft as the page says; refuse what cannot be, and say why."""
    state, draft, game = book.state, book.state.draft, book.game
    if draft is None:
        book.notify(say("table.not_setting_up"), now)
        return
    match request:
        case SetPiece(cell, piece):
            if cell not in game.board.cells or piece not in ("", *game.palette):
                book.notify(say("table.cannot_lay", cell=cell, piece=piece), now)
                return
            standing = state.standing
            if piece and state.feels_stones and cell in standing.keys() - state.faults.masked:
                # Sensors do not tell the colour of a stone.
                standing = {**standing, cell: piece}
            pieces = {each: draft.pieces[each] for each in draft.pieces if each != cell}
            pieces |= {cell: piece} if piece else {}
            _set_draft(book, replace(draft, pieces=pieces), standing)
        case SelectPiece(piece):
            if piece not in game.palette:
                book.notify(say("table.cannot_lay", cell="", piece=piece), now)
                return
            _set_draft(book, replace(draft, brush=piece))
        case SetScore(score, to_move):
            counts = len(score) == len(draft.score)
            fits = counts and all(SCORES.accepts(str(each)) for each in score)
            if not fits or not 1 <= to_move <= len(game.players):
                book.notify(say("table.cannot_tally", score=str(score), to_move=to_move), now)
                return
            _set_draft(book, replace(draft, score=score, to_move=to_move))


def _next_piece(book: Book, draft: Draft, now: float) -> Entries:
    palette = book.game.palette
    brush = palette[(palette.index(draft.brush) + 1) % len(palette)]
    to_move = book.game.presentation.side(brush) or draft.to_move
    _set_draft(book, replace(draft, brush=brush, to_move=to_move))
    return ()


def _leave(book: Book, draft: Draft, now: float) -> Entries:
    """Go back to the game that is at the table; hands bring the board back to it."""
    changed = book.state.standing != draft.stood
    book.state = replace(book.state, draft=None)
    book.clear_notice()
    book.rest()
    return _record_standing(book) if changed else ()


def _finish(book: Book, draft: Draft, now: float) -> Entries:
    """Begin a game from the draft, if it can be."""
    state, game = book.state, book.game
    options = {**state.options, "first": _first(book, draft)}
    try:
        if draft.flaw is not None:
            book.notify(draft.flaw.message, now)
            return ()
        position = _position(game, draft, options, draft.score)
    except RulesError as error:
        book.notify(error.message, now)
        return ()
    entries = record_start(book, {**options, **state.agreement.options})
    entries += book.record(Entry(EntryKind.SET_UP, game.text(position)))
    book.state = replace(book.state, standing=state.standing)
    book.rest()
    # Hands must still bring what the page has asked for.
    return entries + (_record_standing(book) if book.state.pending else ())


def _first(book: Book, draft: Draft) -> str:
    """Return the beginner that fits: the player to move, if all keep the sides they have."""
    state, game = book.state, book.game
    players = range(1, len(game.players) + 1)
    now = [game.presentation.side_of(state.position, player) for player in players]
    choices = known_options(game)["first"].choices
    for first in sorted(choices, key=lambda choice: choice != str(draft.to_move)):
        start = game.initial({**state.options, "first": first})
        if [game.presentation.side_of(start, player) for player in players] == now:
            return first
    return choices[0]


def _record_standing(book: Book) -> Entries:
    """Record what stands where it is not felt: no other entry tells what hands did meanwhile."""
    state = book.state
    if state.feels_stones and not state.faults.masked:
        return ()
    palette = book.game.palette
    known = {cell: piece for cell, piece in state.standing.items() if piece in palette}
    return book.record(Entry(EntryKind.STANDS, pieces_text(known)))


def _position(game: AnyGame, draft: Draft, options: Mapping[str, str], score: Sequence[int]) -> Any:
    """Build the position that a draft describes; raises RulesError."""
    told = {"pieces": dict(draft.pieces), "to_move": draft.to_move, "score": list(score)}
    return game.from_json(told, options)


def _set_draft(book: Book, draft: Draft, standing: Mapping[str, str] | None = None) -> None:
    """Set a draft, and why its pieces cannot stand together as they do."""
    flaw = None
    try:
        _position(book.game, draft, book.state.options, (0,) * len(draft.score))
    except BadPosition as error:
        flaw = Flaw(error.cells, error.message) if error.cells else None
    draft = replace(draft, flaw=flaw)
    stands = book.state.standing if standing is None else standing
    book.state = replace(book.state, draft=draft, standing=stands)


ANSWERS: Mapping[Command, Callable[[Book, Draft, float], Entries]] = {
    Command.NEW_GAME: _finish,
    Command.TAKE_BACK: _leave,
    Command.RESIGN: _next_piece,
}
"""What these keys mean while a position is being set up."""
