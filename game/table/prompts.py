"""What the table says: what has happened, and what people do now.

Owns the choice of messages for each state. The sentences are in the catalogues.
"""

from collections.abc import Mapping, Sequence

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table.computer import bound_taps, computer_prompts, help_prompts, level_word, spot_word
from game.table.menu import choices
from game.table.names import named, told
from game.table.records import UNKNOWN_PIECE, Draft, Phase
from game.table.rings import edits_to_show
from game.table.state import State

WAIT_FOR_DRAW = say("table.wait_for_draw")
PAUSED = say("table.paused")
CONFIRM_FIRST = say("table.confirm_first")
NOTHING_TO_CONFIRM = say("table.nothing_to_confirm")
NOT_BEGUN = say("table.not_begun")
STRICT = say("table.strict")
NO_COMPUTERS = say("table.no_computers")
LISTED = 6
"""Most cells that a sentence lists; the lights show all of them."""


def prompt(
    game: AnyGame, state: State, next_taps: frozenset[str] = frozenset()
) -> tuple[Message, ...]:
    """Return the standing message of a state, sentence by sentence."""
    said = (*_prompt(game, state, next_taps), *state.faults.warnings)
    return tuple(named(game, state, each) for each in said)


def _prompt(game: AnyGame, state: State, next_taps: frozenset[str]) -> tuple[Message, ...]:
    if state.faults.reasons:
        pause = (*state.faults.reasons, say("table.pause"))
        by_key = (say("fault.mask_key"),) if "cell" in state.board_keys else ()
        return (*pause, say("fault.mask_hint"), *by_key) if state.faults.cells else pause
    if state.phase is Phase.DRAW:
        return (say("table.drawing"),)
    if state.phase is Phase.CONFIRM:
        return _of_confirm(game, state)
    if state.phase is Phase.ARRANGE:
        return _of_arranging(game, state)
    if state.phase is Phase.SHOW:
        return _of_faces(game, state)
    if state.phase is Phase.MENU:
        return *_of_menu(game, state), *_by_key(state)
    if state.draft is not None:
        return *_of_set_up(game, state, state.draft), *_by_key(state)
    return *_of_play(game, state, next_taps), *_by_key(state)


def _of_arranging(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say who has laid out pieces, and who has still to do it; never where."""
    setups = state.setups
    called = {
        n: game.presentation.called(state.position, n) for n in range(1, len(game.players) + 1)
    }
    done = tuple(
        say("table.has_arranged", player=called[each]) for each in sorted(setups.submitted)
    )
    setup = setups.on_board
    arranges = None if setup is None else game.arranging(state.position, setup.player)
    if setup is None or arranges is None:
        left = state.still_arranging
        here = tuple(called[each] for each in left if each not in setups.seated)
        there = tuple(called[each] for each in left if each in setups.seated)
        if here:
            done = (*done, say("table.to_arrange", count=len(here), players=here))
            if "resign" in state.board_keys:
                done = (*done, say("table.cover_key"))
        if there:
            done = (*done, say("table.to_arrange_seated", count=len(there), players=there))
        return done
    who, left_over = called[setup.player], arranges.pieces[len(setup.cells) :]
    if not left_over:
        return *done, say("table.covering_done", player=who)
    piece = game.presentation.piece_word(left_over[0])
    how = (
        say("table.covering_felt", player=who, piece=piece)
        if state.feels_stones
        else say("table.covering", player=who, piece=piece)
    )
    return *done, how, say("table.covering_left", count=len(left_over))


def _of_faces(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say what the last move showed, and how to go on."""
    on = say("table.cover_felt") if state.feels_stones else say("table.cover")
    return *_happened(game, state), on


def _of_confirm(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say what people compare, or lay out again."""
    if state.rebuilding:
        happened = _happened(game, state)
        cleared = not state.expected
        return (*happened, say("table.clear_all")) if cleared else (say("table.lay_out"),)
    to_do = edit_prompts(game, state.pending, False, state.standing)
    return (say("table.confirm_board", count=len(state.standing)), *to_do)


def _happened(game: AnyGame, state: State) -> tuple[Message, ...]:
    return tuple(told(game, state, played) for played in state.history[-1:])


def _of_play(game: AnyGame, state: State, next_taps: frozenset[str]) -> tuple[Message, ...]:
    """Say what has happened and who does what now."""
    felt = state.feels_stones
    to_do = edit_prompts(game, edits_to_show(game, state), felt, state.standing)
    happened = _happened(game, state)
    if state.outcome is not None:
        by_people = state.situation.outcome is None
        end = (state.outcome.message, *to_do, say("table.play_again"))
        return end if by_people else (*happened, *end)
    if to_do:
        # While a move is being taken back, the move before it is not told.
        return (*happened, *to_do) if state.after_last_move else to_do
    mover = state.situation.to_move
    if mover is None:
        return happened
    instead = computer_prompts(game, state, mover)
    if instead and bound_taps(game, state, state.position) is not None:
        return *happened, *instead
    turn = _of_turn(game, state, mover, next_taps, begins=not (instead or happened))
    if state.taps:
        return *instead, *turn, *help_prompts(game, state)
    return *happened, *instead, *turn, *help_prompts(game, state)


def _of_turn(
    game: AnyGame, state: State, mover: int, next_taps: frozenset[str], begins: bool
) -> tuple[Message, ...]:
    """Say which touches and which keys go on."""
    felt, player = state.feels_stones, game.presentation.called(state.position, mover)
    question = game.presentation.asks(state.position, state.taps)
    keys, rings = _keys(game, state, next_taps)
    only_keys = bool(next_taps) and next_taps <= set(game.keys)
    if rings:
        keys = (*keys, say("table.a_ring")) if only_keys else keys
    if state.taps:
        taps = tuple(spot_word(game, state, spot) for spot in state.taps)
        if only_keys:
            return (say("table.go_on_by_key", player=player, taps=taps, keys=keys),)
        if question is not None:
            return (say("table.go_on_asked", player=player, taps=taps, what=question),)
        on = (
            say("table.go_on_felt", player=player, taps=taps)
            if felt
            else say("table.go_on", player=player, taps=taps)
        )
    elif only_keys:
        return (say("table.to_press", player=player, keys=keys),)
    elif question is not None:
        on = say("table.asked", player=player, what=question)
    elif next_taps & state.standing.keys():
        on = (
            say("table.to_lift_or_set", player=player)
            if felt
            else say("table.to_touch", player=player)
        )
    else:
        on = _to_play(player, felt, begins)
    turns = (say("table.or_turn"),) if rings else ()
    return (on, *turns, say("table.or_press", keys=keys)) if keys else (on, *turns)


def _keys(
    game: AnyGame, state: State, next_taps: frozenset[str]
) -> tuple[tuple[Message, ...], bool]:
    """Return the words of the keys that go on, and whether there are rings to choose from too."""
    keys = [key for key in game.keys if key in next_taps]
    rings = [key for key in keys if key in game.board.rings]
    told = keys if len(rings) == 1 else [key for key in keys if key not in rings]
    words = tuple(game.presentation.key_word(state.position, state.taps, key) for key in told)
    return words, len(rings) > 1


def _of_menu(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say what each lit cell stands for."""
    felt = state.feels_stones
    said = [say("table.menu_felt") if felt else say("table.menu")]
    rows: dict[int | None, list[tuple[str, str]]] = {}
    for cell, choice in choices(game, state).items():
        rows.setdefault(choice.player, []).append((cell, choice.level))
    for player, row in rows.items():
        (first, easiest), (last, hardest) = row[0], row[-1]
        if player is None:
            said.append(say("table.menu_people", cell=first))
        elif first == last:
            said.append(
                say(
                    "table.menu_one",
                    side=game.players[player - 1],
                    cell=first,
                    level=level_word(easiest),
                )
            )
        else:
            said.append(
                say(
                    "table.menu_row",
                    side=game.players[player - 1],
                    first=first,
                    last=last,
                    easiest=level_word(easiest),
                    hardest=level_word(hardest),
                )
            )
    return *said, say("table.menu_back")


def _of_set_up(game: AnyGame, state: State, draft: Draft) -> tuple[Message, ...]:
    """Say what the next touch sets, what hands must still bring, and what cannot stand."""
    piece = game.presentation.piece_word(draft.brush)
    felt = state.feels_stones
    how = (
        say("table.setting_up_felt", piece=piece) if felt else say("table.setting_up", piece=piece)
    )
    to_do = edit_prompts(game, state.pending, felt, state.standing)
    flaw = (draft.flaw.message,) if draft.flaw is not None else ()
    return how, *flaw, *to_do


def _by_key(state: State) -> tuple[Message, ...]:
    """Say how a masked cell is touched."""
    if not state.cursor:
        return ()
    on_page = say("table.by_key_many", cell=state.cursor)
    if len(state.faults.masked) == 1:
        on_page = say("table.by_key", cell=state.cursor)
    return (on_page, say("table.or_cell_key")) if "cell" in state.board_keys else (on_page,)


def _to_play(player: Message, felt: bool, begins: bool) -> Message:
    if begins:
        begin = say("table.begins", player=player)
        return say("table.begins_to_set", player=player) if felt else begin
    return say("table.to_set", player=player) if felt else say("table.to_play", player=player)


def edit_prompts(
    game: AnyGame,
    pending: Sequence[Edit],
    felt: bool,
    standing: Mapping[str, str],
    listed: int = LISTED,
) -> tuple[Message, ...]:
    """Say what hands must still change of what is standing; empty when the board is right.

    Where stones are felt, hands need not confirm by touches what they do. Above a number of cells
    that are `listed` in a sentence, it only counts them.
    """
    turns = [edit for edit in pending if edit.kind is EditKind.TURN]
    cells = [edit for edit in pending if edit.kind is not EditKind.TURN]
    away = tuple(edit.cell for edit in cells if edit.kind is EditKind.REMOVE)
    put = tuple(_piece(game, edit, standing) for edit in cells if edit.kind is EditKind.PUT)
    swap = tuple(_piece(game, edit, standing) for edit in cells if edit.kind is EditKind.SWAP)
    said = [_turn(edit, felt) for edit in turns]
    if n := len(away):
        if felt:
            few, many = say("table.lift", count=n, cells=away), say("table.lift_many", count=n)
        else:
            few = say("table.take_away", count=n, cells=away)
            many = say("table.take_away_many", count=n)
        said.append(many if n > listed else few)
    if n := len(put):
        if felt:
            few, many = say("table.lay", count=n, pieces=put), say("table.lay_many", count=n)
        else:
            few, many = say("table.put", count=n, pieces=put), say("table.put_many", count=n)
        said.append(many if n > listed else few)
    if n := len(swap):
        few = say("table.exchange", count=n, pieces=swap)
        few = say("table.exchange_felt", count=n, pieces=swap) if felt else few
        said.append(say("table.exchange_many", count=n) if n > listed else few)
    return tuple(said)


def _turn(edit: Edit, felt: bool) -> Message:
    ring, count = edit.cell.removeprefix("ring"), abs(edit.steps)
    if edit.steps < 0:
        back = say("table.turn_ring_back", ring=ring, count=count)
        return say("table.turn_ring_back_felt", ring=ring, count=count) if felt else back
    on = say("table.turn_ring", ring=ring, count=count)
    return say("table.turn_ring_felt", ring=ring, count=count) if felt else on


def _piece(game: AnyGame, edit: Edit, standing: Mapping[str, str]) -> Message:
    """Name the piece of an edit and its cell, and the piece that it replaces."""
    piece = game.presentation.piece_word(edit.piece)
    if edit.kind is not EditKind.SWAP:
        return say("table.piece_at", piece=piece, cell=edit.cell)
    other = standing.get(edit.cell, UNKNOWN_PIECE)
    if other == UNKNOWN_PIECE:
        return say("table.piece_instead", piece=piece, cell=edit.cell)
    return say(
        "table.piece_for", piece=piece, cell=edit.cell, other=game.presentation.piece_word(other)
    )


def too_early(cell: str, stands: bool, pending: Sequence[Edit]) -> Message:
    """Say why a touch is refused while hands must change the board."""
    if stands:
        return say("table.stays", cell=cell)
    if any(edit.kind is EditKind.REMOVE for edit in pending):
        return say("table.first_take_away", cell=cell)
    return say("table.first_put", cell=cell)
