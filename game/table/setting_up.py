"""Setting up a position: by touches, by setting and lifting stones, or on the page.

Owns the draft from its beginning until a game begins from it or people leave it. The game that was
at the table meanwhile stays as it was.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from game.rules.errors import RulesError
from game.rules.message import say
from game.rules.options import Option
from game.table.beginning import opened
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind, pieces_text
from game.table.inputs import Command, Laid, Picked, Tallied
from game.table.prompts import PAUSED, WAIT_FOR_DRAW
from game.table.state import UNKNOWN_PIECE, Draft, Phase

HIGHEST_SCORE = Option("0", least=0, most=9999)


def enter(book: Book, now: float) -> Entries:
    """Begin a draft with what stands on the board; in a draft, clear it."""
    state, game = book.state, book.game
    if state.draft is not None:
        _draw(book, replace(state.draft, pieces={}))
        return ()
    if not game.palette:
        book.notify(say("rules.no_set_up", game=game.title), now)
    elif state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
    elif state.disturbed:
        book.notify(PAUSED, now)
    else:
        pieces = {
            cell: game.palette[0] if piece == UNKNOWN_PIECE else piece
            for cell, piece in state.standing.items()
        }
        mover = state.turn(game) or 1
        brush = next((each for each in game.palette if game.side(each) == mover), game.palette[0])
        book.turn_to(Phase.SET_UP)
        book.change(standing=pieces)
        _draw(book, Draft(pieces, brush, mover, game.score(state.position), state.standing))
    return ()


def touched(book: Book, cell: str, now: float) -> Entries:
    """Set the brush's piece on an empty cell, or take away what stands there."""
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
    book.change(standing=standing)
    _draw(book, replace(state.draft, pieces=pieces))
    return ()


def stood(book: Book, cells: frozenset[str]) -> None:
    """Follow the stones that have been set and lifted since the board was last read."""
    state = book.state
    if state.draft is None:
        return
    unread = state.masked | state.unsure
    pieces, standing = dict(state.draft.pieces), dict(state.standing)
    for cell in book.game.board.cells:
        if cell in unread or (cell in cells) == (cell in standing):
            continue
        if cell in cells:
            standing[cell] = pieces.setdefault(cell, state.draft.brush)
        else:
            del standing[cell]
            pieces.pop(cell, None)
    book.change(standing=standing)
    _draw(book, replace(state.draft, pieces=pieces))


def change(book: Book, wish: Laid | Picked | Tallied, now: float) -> None:
    """Take what the page says of the draft; what makes no sense is refused with words."""
    draft, game = book.state.draft, book.game
    if draft is None:
        book.notify(say("table.not_setting_up"), now)
        return
    match wish:
        case Laid(cell, piece):
            if cell not in game.board.cells or piece not in ("", *game.palette):
                book.notify(say("table.cannot_lay", cell=cell, piece=piece), now)
                return
            state = book.state
            if piece and state.felt is not None and cell in state.standing.keys() - state.masked:
                # Of a stone that is felt nobody can tell the colour.
                book.change(standing={**state.standing, cell: piece})
            pieces = {each: draft.pieces[each] for each in draft.pieces if each != cell}
            _draw(book, replace(draft, pieces={**pieces, cell: piece} if piece else pieces))
        case Picked(piece):
            if piece not in game.palette:
                book.notify(say("table.cannot_lay", cell="", piece=piece), now)
                return
            _draw(book, replace(draft, brush=piece))
        case Tallied(score, to_move):
            counts = len(score) == len(draft.score)
            fits = counts and all(HIGHEST_SCORE.accepts(str(each)) for each in score)
            if not fits or not 1 <= to_move <= len(game.players):
                book.notify(say("table.cannot_tally", score=str(score), to_move=to_move), now)
                return
            _draw(book, replace(draft, score=score, to_move=to_move))


def _next_piece(book: Book, draft: Draft, now: float) -> Entries:
    palette = book.game.palette
    brush = palette[(palette.index(draft.brush) + 1) % len(palette)]
    to_move = book.game.side(brush) or draft.to_move
    _draw(book, replace(draft, brush=brush, to_move=to_move))
    return ()


def _leave(book: Book, draft: Draft, now: float) -> Entries:
    """Go back to the game that is at the table; hands bring the board back to it."""
    changed = book.state.standing != draft.stood
    book.change(draft=None, notice=None)
    book.change(phase=book.state.resting(book.game))
    return _told(book) if changed else ()


def _finish(book: Book, draft: Draft, now: float) -> Entries:
    """Begin a game from the draft, if it can be."""
    state, game = book.state, book.game
    options = {**state.options, "first": _first(book, draft)}
    try:
        if draft.flaw is not None:
            book.notify(draft.flaw.message, now)
            return ()
        position = game.set_up(draft.pieces, draft.to_move, draft.score, options)
    except RulesError as error:
        book.notify(error.message, now)
        return ()
    entries = opened(book, options)
    entries += book.record(Entry(Kind.SET_UP, game.text(position)))
    book.change(standing=state.standing)
    book.change(phase=book.state.resting(game))
    # What the page has asked for is still to be laid.
    return entries + (_told(book) if book.state.pending(game) else ())


def _first(book: Book, draft: Draft) -> str:
    """Say who counts as the one who began: whoever moves now, if all keep the sides they have."""
    state, game = book.state, book.game
    players = range(1, len(game.players) + 1)
    now = [game.side_of(state.position, player) for player in players]
    choices = game.known_options["first"].choices
    for first in sorted(choices, key=lambda choice: choice != str(draft.to_move)):
        start = game.initial({**state.options, "first": first})
        if [game.side_of(start, player) for player in players] == now:
            return first
    return choices[0]


def _told(book: Book) -> Entries:
    """Record what stands where it is not felt: no other entry tells what hands did meanwhile."""
    if book.state.felt is not None and not book.state.masked:
        return ()
    palette = book.game.palette
    known = {cell: piece for cell, piece in book.state.standing.items() if piece in palette}
    return book.record(Entry(Kind.STANDS, pieces_text(known)))


def _draw(book: Book, draft: Draft) -> None:
    book.change(draft=replace(draft, flaw=book.game.flaw(draft.pieces)))


ANSWERS: Mapping[Command, Callable[[Book, Draft, float], Entries]] = {
    Command.NEW_GAME: _finish,
    Command.TAKE_BACK: _leave,
    Command.RESIGN: _next_piece,
}
"""What the keys mean while a position is being set up."""
