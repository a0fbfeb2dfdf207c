"""Setting up: players lay out pieces in secret, or people set up a position.

Owns who has still to lay out pieces and when play begins, and the draft of a position until a game
begins from it or people leave it. Nothing that is shown tells a cell or piece laid out in secret.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from game.rules.base.errors import BadPosition, RulesError
from game.rules.base.game import AnyGame, known_options
from game.rules.base.message import Message, say
from game.rules.base.options import Option
from game.rules.base.values import Arranging, Flaw
from game.table.entries import Entries, Entry, EntryKind, pieces_text, seal_text
from game.table.inputs import Command, SelectPiece, SetPiece, SetScore, SubmitSetup
from game.table.phases import Event, Phase
from game.table.players import record_start
from game.table.reducer import Book
from game.table.state import UNKNOWN_PIECE, BoardSetup, Draft, State
from game.table.words import NOTHING_TO_CONFIRM, PAUSED, WAIT_FOR_DRAW


def submit_setup(book: Book, request: SubmitSetup, now: float) -> Entries:
    """Record what a player has laid out, or take it back; a refusal does not tell what it is."""
    state, player = book.state, request.player
    if player not in _arrangers(book.game, state) or state.level_of(player):
        book.notify(say("table.nothing_to_arrange"), now)
        return ()
    if request.pieces is not None:
        return _submit(book, player, request.pieces, now)
    if player not in state.setups.submitted:
        return ()
    return book.record(Entry(EntryKind.SEAL, seal_text(player, None)))


def advance_setups(book: Book) -> Entries:
    """Let computer players lay out their pieces, and begin play when all have."""
    entries: Entries = ()
    game = book.game
    for player in book.state.still_arranging:
        if book.state.level_of(player):
            position = book.state.position
            pieces = game.arranged_at_random(position, player, book.rng)
            move = game.arrangement(position, player, pieces)
            entries += book.record(Entry(EntryKind.SEAL, seal_text(player, move)))
    while book.state.arranging and not book.state.still_arranging:
        mover = book.state.situation.to_move or 0
        entries += book.record(Entry(EntryKind.MOVE, book.state.setups.submitted[mover]))
    return entries


def change_seats(book: Book, players: frozenset[int], known: bool, now: float) -> Entries:
    """Note whose sides are held by devices.

    Unless the seats were not `known` before, a player who took one may be another person: what
    was laid out on that side before is taken back.
    """
    state, game = book.state, book.game
    setups = state.setups
    came = players - setups.seated
    again = set()
    on_board = setups.on_board
    if on_board is not None and on_board.player in came:
        again.add(on_board.player)
        on_board = None
    book.state = replace(state, setups=replace(setups, seated=players, on_board=on_board))
    entries: Entries = ()
    for player in sorted(came & setups.submitted.keys() if known else ()):
        if not state.level_of(player):
            again.add(player)
            entries += book.record(Entry(EntryKind.SEAL, seal_text(player, None)))
    if again:
        who = _called(game, state, sorted(again))
        book.notify(say("table.seat_was_taken", count=len(who), players=who), now)
    return entries


def begin_setup_on_board(book: Book, now: float) -> None:
    """Let the first player who has still to do so lay out pieces on the board; then the next.

    Not where a device holds the side: the person who has it would see them.
    """
    state, setup = book.state, book.state.setups.on_board
    left = [each for each in state.still_arranging if not state.level_of(each)]
    people = [each for each in left if each not in state.setups.seated]
    if setup is not None and setup.cells:
        book.notify(say("table.covering_first"), now)
    elif left and not people:
        who = _called(book.game, state, left)
        book.notify(say("table.covering_seated", count=len(who), players=who), now)
    elif people:
        at = people.index(setup.player) + 1 if setup is not None else 0
        _set_on_board(book, BoardSetup(people[at % len(people)]))
        book.clear_notice(rejected=True)


def undo_on_board(book: Book) -> None:
    """Take back the piece that was set last on the board, or stop laying out there."""
    setup = book.state.setups.on_board
    if setup is not None:
        _set_on_board(book, replace(setup, cells=setup.cells[:-1]) if setup.cells else None)
        book.clear_notice()


def confirm_on_board(book: Book, now: float) -> Entries:
    """Record what was set on the board, once all is set."""
    setup, arranges = _on_board(book)
    if setup is None or arranges is None:
        book.notify(NOTHING_TO_CONFIRM, now)
    elif len(setup.cells) < len(arranges.pieces):
        book.notify(say("table.covering_unfinished"), now)
    else:
        pieces = dict(zip(setup.cells, arranges.pieces, strict=True))
        return _submit(book, setup.player, pieces, now)
    return ()


def touch_setup(book: Book, spot: str, slid: bool, now: float) -> Entries:
    """Set the next piece where a finger has come down; one that `slid` there sets nothing."""
    if book.state.setups.on_board is None:
        book.notify(say("table.board_is_free"), now)
    elif slid:
        book.notify(say("table.covering_refused"), now)
    else:
        _set_next(book, spot, now)
    return ()


def press_in_setup(book: Book, key: str, now: float) -> Entries:
    """Refuse a key of the game: no move can be made yet."""
    book.notify(say("table.board_is_free"), now)
    return ()


def setup_stones_changed(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Set the next piece where a stone came; take back one that went, and all after it.

    Of several stones that come at once the order is unknown: none counts.
    """
    setup, felt = was.setups.on_board, was.hands.felt
    if setup is None or felt is None:
        return ()
    stays = cells | was.faults.masked
    left = next((n for n, cell in enumerate(setup.cells) if cell not in stays), None)
    if left is not None:
        back = len(setup.cells) - left
        _set_on_board(book, replace(setup, cells=setup.cells[:left]))
        book.notify(say("table.covering_back", count=back), now)
    came = cells - felt - was.faults.unread
    if len(came) > 1:
        book.notify(say("table.covering_one"), now)
    elif came and left is None:
        _set_next(book, min(came), now)
    return ()


def _set_next(book: Book, spot: str, now: float) -> None:
    setup, arranges = _on_board(book)
    if setup is None or arranges is None:
        return
    if len(setup.cells) == len(arranges.pieces):
        book.notify(say("table.covering_full"), now)
    elif spot not in arranges.cells or spot in setup.cells:
        book.notify(say("table.covering_refused"), now)
    else:
        _set_on_board(book, replace(setup, cells=(*setup.cells, spot)))
        book.clear_notice()


def _on_board(book: Book) -> tuple[BoardSetup | None, Arranging | None]:
    """Return the set-up that is made on the board, and what belongs to it."""
    state, setup = book.state, book.state.setups.on_board
    return setup, None if setup is None else book.game.arranging(state.position, setup.player)


def _set_on_board(book: Book, setup: BoardSetup | None) -> None:
    book.state = replace(book.state, setups=replace(book.state.setups, on_board=setup))


def _submit(book: Book, player: int, pieces: Mapping[str, str], now: float) -> Entries:
    state, game = book.state, book.game
    try:
        move = game.arrangement(state.position, player, pieces)
    except RulesError:
        who = game.presentation.called(state.position, player)
        book.notify(say("table.cannot_stand_so", player=who), now)
        return ()
    if state.setups.submitted.get(player) == move:
        return ()
    return book.record(Entry(EntryKind.SEAL, seal_text(player, move)))


def _called(game: AnyGame, state: State, players: Iterable[int]) -> tuple[Message, ...]:
    return tuple(game.presentation.called(state.position, each) for each in players)


def _arrangers(game: AnyGame, state: State) -> tuple[int, ...]:
    """List the players who may lay out pieces now, done or not."""
    if not state.arranging:
        return ()
    players = range(1, len(game.players) + 1)
    return tuple(each for each in players if game.arranging(state.position, each) is not None)


SCORES = Option("0", least=0, most=9999)
"""Scores that can be set: four digits fit the score lights of every board."""


def begin_draft(book: Book, now: float) -> Entries:
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
        book.turn_to(Event.DRAFT_BEGINS)
        draft = Draft(pieces, brush, mover, state.situation.score, state.standing)
        _set_draft(book, draft, pieces)
    return ()


def touch_draft(book: Book, cell: str, now: float) -> Entries:
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


def draft_stones_changed(book: Book, cells: frozenset[str]) -> None:
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


def change_draft(book: Book, request: SetPiece | SelectPiece | SetScore, now: float) -> None:
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
    book.pass_on(Event.DRAFT_ENDS)
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
    book.pass_on(Event.BOARD_READ)
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


DRAFT_COMMANDS: Mapping[Command, Callable[[Book, Draft, float], Entries]] = {
    Command.NEW_GAME: _finish,
    Command.TAKE_BACK: _leave,
    Command.RESIGN: _next_piece,
}
"""What these keys mean while a position is being set up."""
