"""What the table says: what has happened, and what is to be done now.

Owns the choice of messages for each state. The sentences stand in the catalogues.
"""

from collections.abc import Sequence
from typing import Any

from game.rules.game import Edit, EditKind, Game
from game.rules.message import Message, say
from game.table.helping import of_computer, of_help
from game.table.menu import choices
from game.table.state import Draft, Phase, State
from game.table.thinking import bound, word

WAIT_FOR_DRAW = say("table.wait_for_draw")
PAUSED = say("table.paused")
CONFIRM_FIRST = say("table.confirm_first")
NOTHING_TO_CONFIRM = say("table.nothing_to_confirm")
NO_COMPUTERS = say("table.no_computers")
LISTED = 6
"""So many cells are listed in a sentence; the lights tell of more."""


def prompt(game: Game[Any, Any], state: State) -> tuple[Message, ...]:
    """Return the standing message of a state, sentence by sentence."""
    if state.disturbed:
        pause = (*state.disturbed, say("table.pause"))
        return (*pause, say("fault.mask_hint")) if state.lost else pause
    if state.phase is Phase.DRAW:
        return (say("table.drawing"),)
    if state.phase is Phase.CONFIRM:
        to_do = edit_prompts(game, state.pending(game), felt=False)
        return (say("table.confirm_board", count=len(state.standing)), *to_do)
    if state.phase is Phase.MENU:
        return *_of_menu(game, state), *_by_key(state)
    if state.draft is not None:
        return *_of_set_up(game, state, state.draft), *_by_key(state)
    return *_of_play(game, state), *_by_key(state)


def _of_play(game: Game[Any, Any], state: State) -> tuple[Message, ...]:
    """Say what has happened and who does what now."""
    felt = state.felt is not None
    to_do = edit_prompts(game, state.pending(game), felt)
    happened = (state.history[-1].summary,) if state.history else ()
    if state.outcome is not None:
        resigned = game.outcome(state.position) is None
        end = (state.outcome.message, *to_do, say("table.play_again"))
        return end if resigned else (*happened, *end)
    if to_do:
        # While a move is being taken back, the move before it is not what the players look at.
        return (*happened, *to_do) if state.after_last_move(game) else to_do
    mover = game.to_move(state.position)
    if mover is None:
        return happened
    player = game.players[mover - 1]
    instead = of_computer(game, state, mover)
    if instead and bound(game, state, state.position) is not None:
        return *happened, *instead
    if state.taps:
        return *instead, say("table.go_on", player=player, taps=state.taps), *of_help(game, state)
    if instead or state.history:
        return *happened, *instead, _to_play(player, felt), *of_help(game, state)
    return _begins(player, felt), *of_help(game, state)


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
    to_do = edit_prompts(game, state.pending(game), felt)
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


def edit_prompts(game: Game[Any, Any], pending: Sequence[Edit], felt: bool) -> tuple[Message, ...]:
    """Say which cells hands must still change; empty when the board is right.

    Where stones are felt, hands need not tell by touches what they do.
    """
    away = tuple(edit.cell for edit in pending if edit.kind is EditKind.REMOVE)
    put = tuple(_laid(game, edit) for edit in pending if edit.kind is not EditKind.REMOVE)
    said = []
    if away:
        said.append(_lift(away) if felt else _take_away(away))
    if put:
        said.append(_lay(put) if felt else _put(put))
    return tuple(said)


def _laid(game: Game[Any, Any], edit: Edit) -> Message:
    piece = game.piece_word(edit.piece)
    if edit.kind is EditKind.SWAP:
        return say("table.piece_instead", piece=piece, cell=edit.cell)
    return say("table.piece_at", piece=piece, cell=edit.cell)


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
