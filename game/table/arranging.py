"""Players who lay out their pieces in secret: on a page, or on the board under a cover.

Owns who has still to do it, what a touch or a stone means then, and when play begins. Nothing
that the table shows or says tells a cell or a piece that was laid out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.values import Arranging
from game.table.book import Book, Entries
from game.table.entries import Entry, EntryKind, seal_text
from game.table.inputs import SubmitSetup
from game.table.prompts import NOTHING_TO_CONFIRM
from game.table.records import BoardSetup, Phase
from game.table.state import State


def submit(book: Book, request: SubmitSetup, now: float) -> Entries:
    """Record what a player has laid out, or take it back; a refusal does not tell what it is."""
    state, player = book.state, request.player
    if player not in _arrangers(book.game, state) or state.level_of(player):
        book.notify(say("table.nothing_to_arrange"), now)
        return ()
    if request.pieces is not None:
        return _submit(book, player, request.pieces, now)
    if player not in state.setups.submitted:
        return ()
    return _record(book, Entry(EntryKind.SEAL, seal_text(player, None)))


def advance(book: Book) -> Entries:
    """Let computer players lay out their pieces, and begin play when all have."""
    entries: Entries = ()
    game = book.game
    for player in book.state.still_arranging:
        if book.state.level_of(player):
            position = book.state.position
            pieces = game.arranged_at_random(position, player, book.rng)
            move = game.arrangement(position, player, pieces)
            entries += _record(book, Entry(EntryKind.SEAL, seal_text(player, move)))
    while book.state.arranging and not book.state.still_arranging:
        mover = book.state.situation.to_move or 0
        entries += _record(book, Entry(EntryKind.MOVE, book.state.setups.submitted[mover]))
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
            entries += _record(book, Entry(EntryKind.SEAL, seal_text(player, None)))
    if again:
        who = _called(game, state, sorted(again))
        book.notify(say("table.seat_was_taken", count=len(who), players=who), now)
    return entries


def begin_on_board(book: Book, now: float) -> None:
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


def undo(book: Book) -> None:
    """Take back the piece that was set last on the board, or stop laying out there."""
    setup = book.state.setups.on_board
    if setup is not None:
        _set_on_board(book, replace(setup, cells=setup.cells[:-1]) if setup.cells else None)
        book.clear_notice()


def confirm(book: Book, now: float) -> Entries:
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


def touched(book: Book, spot: str, slid: bool, now: float) -> Entries:
    """Set the next piece where a finger has come down; one that `slid` there sets nothing."""
    if book.state.setups.on_board is None:
        book.notify(say("table.board_is_free"), now)
    elif slid:
        book.notify(say("table.covering_refused"), now)
    else:
        _set(book, spot, now)
    return ()


def pressed(book: Book, key: str, now: float) -> Entries:
    """Refuse a key of the game: no move can be made yet."""
    book.notify(say("table.board_is_free"), now)
    return ()


def stones_changed(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
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
        _set(book, min(came), now)
    return ()


def _set(book: Book, spot: str, now: float) -> None:
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
    return _record(book, Entry(EntryKind.SEAL, seal_text(player, move)))


def _called(game: AnyGame, state: State, players: Iterable[int]) -> tuple[Message, ...]:
    return tuple(game.presentation.called(state.position, each) for each in players)


def _record(book: Book, entry: Entry) -> Entries:
    """Record an entry; while the lights run it ends nothing that is shown."""
    phase = book.state.phase
    entries = book.record(entry)
    if phase is Phase.DRAW:
        book.state = replace(book.state, phase=phase)
    return entries


def _arrangers(game: AnyGame, state: State) -> tuple[int, ...]:
    """List the players who may lay out pieces now, done or not."""
    if not state.arranging:
        return ()
    players = range(1, len(game.players) + 1)
    return tuple(each for each in players if game.arranging(state.position, each) is not None)
