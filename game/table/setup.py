"""Setting up: players lay out pieces in secret, or people set up a position.

Nothing shown may reveal a cell or piece laid out in secret.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from game.rules.base.errors import BadPosition, RulesError
from game.rules.base.game import AnyGame, known_options
from game.rules.base.message import say
from game.rules.base.reading import MOST_SCORE
from game.rules.base.situation import Situation
from game.rules.base.values import Arranging, Flaw
from game.table.entries import Entries, Entry, EntryKind, seal_text
from game.table.inputs import Command, SelectPiece, SetPiece, SetScore, SubmitSetup
from game.table.phases import Event, Phase
from game.table.players import record_start
from game.table.reducer import Core, EntryRefused
from game.table.state import UNKNOWN_PIECE, BoardSetup, PositionDraft, State
from game.table.words import NOTHING_TO_CONFIRM


def submit_setup(core: Core, request: SubmitSetup) -> Entries:
    """Record a player's set-up, or take it back; a refusal does not reveal the set-up."""
    state, player = core.state, request.player
    arrangers = state.situation.arrangers if state.arranging else ()
    if player not in arrangers or state.level_of(player):
        raise EntryRefused(say("table.nothing_to_arrange"))
    if request.pieces is not None:
        return _submit(core, player, request.pieces)
    if player not in state.setups.submitted:
        return ()
    return core.record(Entry(EntryKind.SEAL, seal_text(player, None)))


def advance_setups(core: Core) -> Entries:
    """Let computer players lay out their pieces, and begin play when all players have done so."""
    entries: Entries = ()
    game = core.game
    for player in core.state.still_arranging:
        if core.state.level_of(player):
            position = core.state.position
            pieces = game.arranged_at_random(position, player, core.rng)
            move = game.arrangement(position, player, pieces)
            entries += core.record(Entry(EntryKind.SEAL, seal_text(player, move)))
    while core.state.arranging and not core.state.still_arranging:
        mover = core.state.situation.to_move or 0
        entries += core.record(Entry(EntryKind.MOVE, core.state.setups.submitted[mover]))
    return entries


def change_seats(core: Core, players: frozenset[int], known: bool, now: float) -> Entries:
    """Record whose sides are held by devices.

    If seats were `known` before, a player who took a seat may be another person, so the set-up of
    that side is taken back.
    """
    state, setups, on_board = core.state, core.state.setups, core.state.setups.on_board
    came = players - setups.seated
    sealed = sorted(came & setups.submitted.keys()) if known else []
    taken = [each for each in sealed if not state.level_of(each)]
    again = {*taken}
    if on_board is not None and on_board.player in came:
        again.add(on_board.player)
        on_board = None
    core.state = replace(state, setups=replace(setups, seated=players, on_board=on_board))
    entries = core.record(*(Entry(EntryKind.SEAL, seal_text(each, None)) for each in taken))
    if again:
        who = tuple(map(state.called, sorted(again)))
        core.notify(say("table.seat_was_taken", count=len(who), players=who), now)
    return entries


def begin_setup_on_board(core: Core) -> None:
    """Let the first player without a set-up lay out pieces on the board; if repeated, the next.

    Skip a side that a device holds: the person who has that device would see the pieces.
    """
    state, setup = core.state, core.state.setups.on_board
    left = [each for each in state.still_arranging if not state.level_of(each)]
    people = [each for each in left if each not in state.setups.seated]
    if setup is not None and setup.cells:
        raise EntryRefused(say("table.covering_first"))
    if left and not people:
        who = tuple(map(state.called, left))
        raise EntryRefused(say("table.covering_seated", count=len(who), players=who))
    if people:
        at = people.index(setup.player) + 1 if setup is not None else 0
        _set_on_board(core, BoardSetup(people[at % len(people)]))
        core.clear_notice(rejected=True)


def undo_on_board(core: Core, setup: BoardSetup) -> None:
    """Take back the piece that was set last on the board; if there is none, end that set-up."""
    _set_on_board(core, replace(setup, cells=setup.cells[:-1]) if setup.cells else None)
    core.clear_notice()


def confirm_on_board(core: Core) -> Entries:
    """Record the set-up made on the board, once all pieces are set."""
    setup, arranges = _on_board(core)
    if setup is None or arranges is None:
        raise EntryRefused(NOTHING_TO_CONFIRM)
    if len(setup.cells) < len(arranges.pieces):
        raise EntryRefused(say("table.covering_unfinished"))
    pieces = dict(zip(setup.cells, arranges.pieces, strict=True))
    return _submit(core, setup.player, pieces)


def touch_setup(core: Core, spot: str, slid: bool) -> None:
    """Set the next piece on a touched cell; a finger that `slid` there sets nothing."""
    if core.state.setups.on_board is None:
        raise EntryRefused(say("table.board_is_free"))
    if slid:
        raise EntryRefused(say("table.covering_refused"))
    _set_next(core, spot)


def setup_stones_changed(core: Core, was: State, cells: frozenset[str]) -> Entries:
    """Set the next piece where a stone came; take back a piece that went, and all after it.

    If several stones come at once, none counts, as their order is unknown.
    """
    setup, sensed = was.setups.on_board, was.hands.sensed
    if setup is None or sensed is None:
        return ()
    stays = cells | was.faults.masked
    left = next((n for n, cell in enumerate(setup.cells) if cell not in stays), None)
    if left is not None:
        _set_on_board(core, replace(setup, cells=setup.cells[:left]))
    came = cells - sensed - was.faults.unread
    if len(came) > 1:
        raise EntryRefused(say("table.covering_one"))
    if came and left is None:
        _set_next(core, min(came))
    return ()


def _set_next(core: Core, spot: str) -> None:
    setup, arranges = _on_board(core)
    if setup is None or arranges is None:
        return
    if len(setup.cells) == len(arranges.pieces):
        raise EntryRefused(say("table.covering_full"))
    if spot not in arranges.cells or spot in setup.cells:
        raise EntryRefused(say("table.covering_refused"))
    _set_on_board(core, replace(setup, cells=(*setup.cells, spot)))
    core.clear_notice()


def _on_board(core: Core) -> tuple[BoardSetup | None, Arranging | None]:
    """Return the set-up that is being made on the board, and its pieces and cells."""
    state, setup = core.state, core.state.setups.on_board
    return setup, None if setup is None else core.game.arranging(state.position, setup.player)


def _set_on_board(core: Core, setup: BoardSetup | None) -> None:
    core.state = replace(core.state, setups=replace(core.state.setups, on_board=setup))


def _submit(core: Core, player: int, pieces: Mapping[str, str]) -> Entries:
    state, game = core.state, core.game
    try:
        move = game.arrangement(state.position, player, pieces)
    except RulesError:
        who = state.called(player)
        raise EntryRefused(say("table.cannot_stand_so", player=who)) from None
    if state.setups.submitted.get(player) == move:
        return ()
    return core.record(Entry(EntryKind.SEAL, seal_text(player, move)))


def begin_draft(core: Core) -> None:
    """Begin a draft with the pieces on the board."""
    state, game = core.state, core.game
    if not game.palette:
        raise EntryRefused(say("rules.no_set_up", game=game.title))
    first, mover = game.palette[0], state.turn or 1
    pieces = {c: first if piece == UNKNOWN_PIECE else piece for c, piece in state.standing.items()}
    own = (each for each in game.palette if game.presentation.side(each) == mover)
    core.turn_to(Event.DRAFT_BEGINS)
    draft = PositionDraft(pieces, next(own, first), mover, state.situation.score, state.standing)
    _set_draft(core, draft, pieces)


def touch_draft(core: Core, cell: str, now: float) -> Entries:
    """Set the brush's piece on an empty cell, or remove the piece there."""
    state = core.state
    if state.draft is None or cell not in core.game.board.cells:
        return ()
    pieces, standing = dict(state.draft.pieces), dict(state.standing)
    wanted, stood = pieces.get(cell, ""), standing.pop(cell, "")
    if wanted == stood:
        # The draft already matched, so the touch changes it. Otherwise the stone is what the page
        # had asked for.
        wanted = "" if wanted else state.draft.brush
        pieces.pop(cell, None)
    if wanted:
        pieces[cell] = standing[cell] = wanted
    _set_draft(core, replace(state.draft, pieces=pieces), standing)
    return ()


def draft_stones_changed(core: Core, draft: PositionDraft, cells: frozenset[str]) -> None:
    """Apply the stones that were set and lifted since the board was last read."""
    state = core.state
    pieces, standing = dict(draft.pieces), dict(state.standing)
    for cell in core.game.board.cells:
        if cell in state.faults.unread or (cell in cells) == (cell in standing):
            continue
        if cell in cells:
            standing[cell] = pieces.setdefault(cell, draft.brush)
        else:
            del standing[cell]
            pieces.pop(cell, None)
    _set_draft(core, replace(draft, pieces=pieces), standing)


def change_draft(core: Core, request: SetPiece | SelectPiece | SetScore) -> None:
    """Change the draft as requested on the page."""
    state, draft, game = core.state, core.state.draft, core.game
    if draft is None:
        raise EntryRefused(say("table.not_setting_up"))
    match request:
        case SetPiece(cell, piece):
            if cell not in game.board.cells or piece not in ("", *game.palette):
                raise EntryRefused(say("table.cannot_lay", cell=cell, piece=piece))
            standing = state.standing
            if piece and state.senses_stones and cell in standing.keys() - state.faults.masked:
                # Sensors cannot tell the colour of a stone.
                standing = {**standing, cell: piece}
            pieces = {each: draft.pieces[each] for each in draft.pieces if each != cell}
            pieces |= {cell: piece} if piece else {}
            _set_draft(core, replace(draft, pieces=pieces), standing)
        case SelectPiece(piece):
            if piece not in game.palette:
                raise EntryRefused(say("table.cannot_lay", cell="", piece=piece))
            _set_draft(core, replace(draft, brush=piece))
        case SetScore(score, to_move):
            fits = len(score) == len(draft.score) and all(0 <= n <= MOST_SCORE for n in score)
            if not fits or not 1 <= to_move <= len(game.players):
                raise EntryRefused(say("table.cannot_tally", score=str(score), to_move=to_move))
            _set_draft(core, replace(draft, score=score, to_move=to_move))


def _clear(core: Core, draft: PositionDraft) -> Entries:
    _set_draft(core, replace(draft, pieces={}))
    return ()


def _next_piece(core: Core, draft: PositionDraft) -> Entries:
    palette = core.game.palette
    brush = palette[(palette.index(draft.brush) + 1) % len(palette)]
    to_move = core.game.presentation.side(brush) or draft.to_move
    _set_draft(core, replace(draft, brush=brush, to_move=to_move))
    return ()


def _leave(core: Core, draft: PositionDraft) -> Entries:
    """Return to the game at the table; people must bring the board back to it."""
    changed = core.state.standing != draft.stood
    standing = core.state.standing if core.state.senses_stones else draft.stood
    core.state = replace(core.state, draft=None, standing=standing).after(Event.DRAFT_ENDS)
    core.clear_notice()
    if changed:
        _compare(core)
    return ()


def _finish(core: Core, draft: PositionDraft) -> Entries:
    state, game = core.state, core.game
    if draft.flaw is not None:
        raise EntryRefused(draft.flaw.message)
    options = {**state.options, "first": _first(core, draft)}
    text = game.text(_position(game, draft, options))
    entries = record_start(core, {**options, **state.agreement.options}, set_up=text)
    if state.senses_stones:
        core.state = replace(core.state, standing=state.standing).after(Event.BOARD_READ)
    elif state.pending:
        # People must still bring the pieces that the page has asked for.
        _compare(core)
    return entries


def _compare(core: Core) -> None:
    """Let people compare a board that does not sense stones with the game."""
    if core.state.phase in (Phase.TAP, Phase.EDIT) and not core.state.senses_stones:
        core.turn_to(Event.BOARD_COMPARED)


def _first(core: Core, draft: PositionDraft) -> str:
    """Return a beginner with whom all players keep their sides, preferably the player to move."""
    state, game = core.state, core.game
    choices = known_options(game)["first"].choices
    for first in sorted(choices, key=lambda choice: choice != str(draft.to_move)):
        start = game.initial({**state.options, "first": first})
        if Situation(game, start).sides == state.situation.sides:
            return first
    return choices[0]


def _position(game: AnyGame, draft: PositionDraft, options: Mapping[str, str]) -> Any:
    pieces, score = dict(draft.pieces), list(draft.score)
    return game.from_json({"pieces": pieces, "to_move": draft.to_move, "score": score}, options)


def _set_draft(core: Core, draft: PositionDraft, standing: Mapping[str, str] | None = None) -> None:
    """Set a draft, with the flaw of its pieces if they cannot stand together."""
    draft = replace(draft, flaw=None)
    try:
        without_score = replace(draft, score=(0,) * len(draft.score))
        _position(core.game, without_score, core.state.options)
    except BadPosition as error:
        if error.cells:
            draft = replace(draft, flaw=Flaw(error.cells, error.message))
    stands = core.state.standing if standing is None else standing
    core.state = replace(core.state, draft=draft, standing=stands)


DRAFT_COMMANDS: Mapping[Command, Callable[[Core, PositionDraft], Entries]] = {
    Command.SET_UP: _clear,
    Command.NEW_GAME: _finish,
    Command.TAKE_BACK: _leave,
    Command.RESIGN: _next_piece,
}
"""The meaning of these keys while a position is being set up."""
