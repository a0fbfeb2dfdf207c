"""What the table says: what has happened, and what is to be done now.

Owns the choice of messages for each state. The sentences stand in the catalogues.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from game.rules.game import Edit, EditKind, Game
from game.rules.message import Message, say
from game.table.helping import of_computer, of_help
from game.table.menu import choices
from game.table.state import UNKNOWN_PIECE, Draft, Phase, State
from game.table.thinking import bound, spot_word, word
from game.table.travelling import asked

WAIT_FOR_DRAW = say("table.wait_for_draw")
PAUSED = say("table.paused")
CONFIRM_FIRST = say("table.confirm_first")
NOTHING_TO_CONFIRM = say("table.nothing_to_confirm")
NOT_BEGUN = say("table.not_begun")
NO_COMPUTERS = say("table.no_computers")
LISTED = 6
"""So many cells are listed in a sentence; the lights tell of more."""


def prompt(
    game: Game[Any, Any], state: State, next_taps: frozenset[str] = frozenset()
) -> tuple[Message, ...]:
    """Return the standing message of a state, sentence by sentence."""
    if state.disturbed:
        pause = (*state.disturbed, say("table.pause"))
        return (*pause, say("fault.mask_hint")) if state.lost else pause
    if state.phase is Phase.DRAW:
        return (say("table.drawing"),)
    if state.phase is Phase.CONFIRM:
        return _of_confirm(game, state)
    if state.phase is Phase.ARRANGE:
        return _of_arranging(game, state)
    if state.phase is Phase.SHOW:
        return _of_faces(state)
    if state.phase is Phase.MENU:
        return *_of_menu(game, state), *_by_key(state)
    if state.draft is not None:
        return *_of_set_up(game, state, state.draft), *_by_key(state)
    return *_of_play(game, state, next_taps), *_by_key(state)


def _of_arranging(game: Game[Any, Any], state: State) -> tuple[Message, ...]:
    """Say who has laid out his pieces, and who has still to do it; never where."""
    called = {n: game.called(state.position, n) for n in range(1, len(game.players) + 1)}
    done = tuple(say("table.has_arranged", player=called[each]) for each in sorted(state.sealed))
    covering = state.covering
    arranges = None if covering is None else game.arranging(state.position, covering.player)
    if covering is None or arranges is None:
        left = state.unsealed(game)
        here = tuple(called[each] for each in left if each not in state.seated)
        there = tuple(called[each] for each in left if each in state.seated)
        if here:
            done = (*done, say("table.to_arrange", count=len(here), players=here))
        if there:
            done = (*done, say("table.to_arrange_seated", count=len(there), players=there))
        return done
    who, left_over = called[covering.player], arranges.pieces[len(covering.cells) :]
    if not left_over:
        return *done, say("table.covering_done", player=who)
    how = (
        say("table.covering_felt", player=who, piece=game.piece_word(left_over[0]))
        if state.felt is not None
        else say("table.covering", player=who, piece=game.piece_word(left_over[0]))
    )
    return *done, how, say("table.covering_left", count=len(left_over))


def _of_faces(state: State) -> tuple[Message, ...]:
    """Say what the last move has shown, and how to go on."""
    on = say("table.cover_felt") if state.felt is not None else say("table.cover")
    return *(played.summary for played in state.history[-1:]), on


def _of_confirm(game: Game[Any, Any], state: State) -> tuple[Message, ...]:
    """Say what people compare, or lay out anew."""
    if state.relaying:
        happened = (state.history[-1].summary,) if state.history else ()
        cleared = not state.expected(game)
        return (*happened, say("table.clear_all")) if cleared else (say("table.lay_out"),)
    to_do = edit_prompts(game, state.pending(game), False, state.standing)
    return (say("table.confirm_board", count=len(state.standing)), *to_do)


def _of_play(game: Game[Any, Any], state: State, next_taps: frozenset[str]) -> tuple[Message, ...]:
    """Say what has happened and who does what now."""
    felt = state.felt is not None
    to_do = edit_prompts(game, asked(game, state), felt, state.standing)
    happened = (state.history[-1].summary,) if state.history else ()
    if state.outcome is not None:
        by_people = game.outcome(state.position) is None
        end = (state.outcome.message, *to_do, say("table.play_again"))
        return end if by_people else (*happened, *end)
    if to_do:
        # While a move is being taken back, the move before it is not what the players look at.
        return (*happened, *to_do) if state.after_last_move(game) else to_do
    mover = game.to_move(state.position)
    if mover is None:
        return happened
    instead = of_computer(game, state, mover)
    if instead and bound(game, state, state.position) is not None:
        return *happened, *instead
    turn = _of_turn(game, state, mover, next_taps, begins=not (instead or happened))
    if state.taps:
        return *instead, *turn, *of_help(game, state)
    return *happened, *instead, *turn, *of_help(game, state)


def _of_turn(
    game: Game[Any, Any], state: State, mover: int, next_taps: frozenset[str], begins: bool
) -> tuple[Message, ...]:
    """Say who does what now: which touches go on, and which keys."""
    felt, player = state.felt is not None, game.called(state.position, mover)
    asked = game.asks(state.position, state.taps)
    keys, rings = _keys(game, state, next_taps)
    only_keys = bool(next_taps) and next_taps <= set(game.keys)
    if rings:
        keys = (*keys, say("table.a_ring")) if only_keys else keys
    if state.taps:
        taps = tuple(spot_word(game, state, spot) for spot in state.taps)
        if only_keys:
            return (say("table.go_on_by_key", player=player, taps=taps, keys=keys),)
        if asked is not None:
            return (say("table.go_on_asked", player=player, taps=taps, what=asked),)
        on = (
            say("table.go_on_felt", player=player, taps=taps)
            if felt
            else say("table.go_on", player=player, taps=taps)
        )
    elif only_keys:
        return (say("table.to_press", player=player, keys=keys),)
    elif asked is not None:
        on = say("table.asked", player=player, what=asked)
    elif next_taps & state.standing.keys():
        on = (
            say("table.to_lift_or_set", player=player)
            if felt
            else say("table.to_touch", player=player)
        )
    else:
        on = _begins(player, felt) if begins else _to_play(player, felt)
    turns = (say("table.or_turn"),) if rings else ()
    return (on, *turns, say("table.or_press", keys=keys)) if keys else (on, *turns)


def _keys(
    game: Game[Any, Any], state: State, next_taps: frozenset[str]
) -> tuple[tuple[Message, ...], bool]:
    """Return the words of the keys that go on, and whether there are rings to choose from too."""
    keys = [key for key in game.keys if key in next_taps]
    rings = [key for key in keys if key in game.board.rings]
    told = keys if len(rings) == 1 else [key for key in keys if key not in rings]
    words = tuple(game.key_word(state.position, state.taps, key) for key in told)
    return words, len(rings) > 1


def _of_menu(game: Game[Any, Any], state: State) -> tuple[Message, ...]:
    """Say what each lit cell stands for."""
    felt = state.felt is not None
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
                    player=game.players[player - 1],
                    cell=first,
                    level=word(easiest),
                )
            )
        else:
            said.append(
                say(
                    "table.menu_row",
                    player=game.players[player - 1],
                    first=first,
                    last=last,
                    easiest=word(easiest),
                    hardest=word(hardest),
                )
            )
    return *said, say("table.menu_back")


def _of_set_up(game: Game[Any, Any], state: State, draft: Draft) -> tuple[Message, ...]:
    """Say what the next touch sets, what is still to be laid, and what cannot stand so."""
    piece = game.piece_word(draft.brush)
    felt = state.felt is not None
    how = (
        say("table.setting_up_felt", piece=piece) if felt else say("table.setting_up", piece=piece)
    )
    to_do = edit_prompts(game, state.pending(game), felt, state.standing)
    flaw = (draft.flaw.message,) if draft.flaw is not None else ()
    return how, *flaw, *to_do


def _by_key(state: State) -> tuple[Message, ...]:
    """Say how masked cells are touched; of many only the one that the cell key would touch."""
    if not state.cursor:
        return ()
    if len(state.masked) == 1:
        return (say("table.by_key", cell=state.cursor),)
    return (say("table.by_key_many", cell=state.cursor),)


def _begins(player: Message, felt: bool) -> Message:
    return say("table.begins_to_set", player=player) if felt else say("table.begins", player=player)


def _to_play(player: Message, felt: bool) -> Message:
    return say("table.to_set", player=player) if felt else say("table.to_play", player=player)


def edit_prompts(
    game: Game[Any, Any], pending: Sequence[Edit], felt: bool, standing: Mapping[str, str]
) -> tuple[Message, ...]:
    """Say what hands must still change of what is standing; empty when the board is right.

    Where stones are felt, hands need not tell by touches what they do.
    """
    turns = [edit for edit in pending if edit.kind is EditKind.TURN]
    cells = [edit for edit in pending if edit.kind is not EditKind.TURN]
    away = tuple(edit.cell for edit in cells if edit.kind is EditKind.REMOVE)
    put = tuple(_laid(game, edit, standing) for edit in cells if edit.kind is EditKind.PUT)
    swap = tuple(_laid(game, edit, standing) for edit in cells if edit.kind is EditKind.SWAP)
    said = [_turn(edit, felt) for edit in turns]
    if away:
        said.append(_lift(away) if felt else _take_away(away))
    if put:
        said.append(_lay(put) if felt else _put(put))
    if swap:
        said.append(_exchange(swap, felt))
    return tuple(said)


def _exchange(pieces: tuple[Message, ...], felt: bool) -> Message:
    if len(pieces) > LISTED:
        return say("table.exchange_many", count=len(pieces))
    if felt:
        return say("table.exchange_felt", count=len(pieces), pieces=pieces)
    return say("table.exchange", count=len(pieces), pieces=pieces)


def _turn(edit: Edit, felt: bool) -> Message:
    ring, count = edit.cell.removeprefix("ring"), abs(edit.steps)
    if edit.steps < 0:
        return (
            say("table.turn_ring_back_felt", ring=ring, count=count)
            if felt
            else say("table.turn_ring_back", ring=ring, count=count)
        )
    return (
        say("table.turn_ring_felt", ring=ring, count=count)
        if felt
        else say("table.turn_ring", ring=ring, count=count)
    )


def _laid(game: Game[Any, Any], edit: Edit, standing: Mapping[str, str]) -> Message:
    piece = game.piece_word(edit.piece)
    if edit.kind is not EditKind.SWAP:
        return say("table.piece_at", piece=piece, cell=edit.cell)
    other = standing.get(edit.cell, UNKNOWN_PIECE)
    if other == UNKNOWN_PIECE:
        return say("table.piece_instead", piece=piece, cell=edit.cell)
    return say("table.piece_for", piece=piece, cell=edit.cell, other=game.piece_word(other))


def _lift(cells: tuple[str, ...]) -> Message:
    if len(cells) > LISTED:
        return say("table.lift_many", count=len(cells))
    return say("table.lift", count=len(cells), cells=cells)


def _lay(pieces: tuple[Message, ...]) -> Message:
    if len(pieces) > LISTED:
        return say("table.lay_many", count=len(pieces))
    return say("table.lay", count=len(pieces), pieces=pieces)


def _take_away(cells: tuple[str, ...]) -> Message:
    if len(cells) > LISTED:
        return say("table.take_away_many", count=len(cells))
    return say("table.take_away", count=len(cells), cells=cells)


def _put(pieces: tuple[Message, ...]) -> Message:
    if len(pieces) > LISTED:
        return say("table.put_many", count=len(pieces))
    return say("table.put", count=len(pieces), pieces=pieces)


def too_early(cell: str, stands: bool, pending: Sequence[Edit]) -> Message:
    """Say why a touch is refused while the board waits for hands."""
    if stands:
        return say("table.stays", cell=cell)
    if any(edit.kind is EditKind.REMOVE for edit in pending):
        return say("table.first_take_away", cell=cell)
    return say("table.first_put", cell=cell)
