"""Commands that people give by key or on the page: a new game, undo, resigning, hints."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from game.rules.base.grades import COACHED, LOOKS, NONE
from game.rules.base.message import say
from game.table import players, setup, words
from game.table.entries import Entries, Entry, EntryKind
from game.table.hands import help_of_mover, is_persons_turn
from game.table.inputs import Command, SetHelp
from game.table.phases import Event, Phase
from game.table.reducer import Core, EntryRefused
from game.table.state import Coach, State
from game.table.touches import confirm_board, touch


def take_back(core: Core, now: float) -> Entries:
    """Take back a begun move, an end without a move (resigning), or a person's last move."""
    state, game = core.state, core.game
    if state.taps:
        core.state = replace(core.state, taps=())
        core.clear_notice(rejected=True)
        return ()
    if state.agreement.strict:
        raise EntryRefused(words.STRICT)
    if game.hidden and state.outcome is not None:
        raise EntryRefused(say("table.all_is_shown"))
    if state.ended_by_people:
        return core.record(Entry(EntryKind.TAKE_BACK))
    own = _own_moves(state)
    if state.phase is Phase.DRAW or not own:
        raise EntryRefused(say("table.nothing_to_take_back"))
    entries: Entries = ()
    for played in reversed(state.history[own[-1] :]):
        turned = played.turned if state.senses_stones else ()
        # A restart needs to know which pieces moved with a ring.
        edits = (Entry(EntryKind.EDIT, edit.cell) for edit in turned)
        entries += core.record(Entry(EntryKind.TAKE_BACK), *edits)
        core.show_turns(turned, now, back=True)
    return entries


def redo(core: Core, now: float) -> Entries:
    """Redo the moves that were taken back last, up to a person's turn."""
    state = core.state
    if not state.undone or state.outcome is not None or state.phase in (Phase.DRAW, Phase.SHOW):
        raise EntryRefused(say("table.nothing_to_redo"))
    mixed = any(state.computers) and not all(state.computers)
    entries = core.record(Entry(EntryKind.MOVE, state.undone[-1]))
    while mixed and core.state.undone and not core.state.showing_faces:
        if not core.state.level_of(core.state.situation.to_move):
            break
        entries += core.record(Entry(EntryKind.MOVE, core.state.undone[-1]))
    if state.senses_stones:
        core.show_turns(core.state.history[-1].turned, now)
    return entries


def requests_to_undo(state: State) -> tuple[int, ...]:
    """Return, for each move so far, how many requests take it back; 0 if it cannot be."""
    if state.agreement.strict or (state.game.hidden and state.outcome is not None):
        return (0,) * len(state.history)
    own, counts, count = _own_moves(state), list[int](), 0
    left = bool(state.taps) + state.ended_by_people + len(own)
    for ply in range(len(state.history)):
        # A computer's move is taken back together with the person's move before it.
        if ply in own:
            count, left = left, left - 1
        counts.append(count)
    return tuple(counts)


def _own_moves(state: State) -> tuple[int, ...]:
    """List the indices of moves by people, or of all moves if only computers play.

    Pieces that were laid out in secret stay until a new game begins.
    """
    only_computers = bool(state.computers) and all(state.computers)
    return tuple(
        ply
        for ply, played in enumerate(state.history)
        if (only_computers or not state.level_of(played.player))
        and state.game.arranging(played.before, played.player) is None
    )


def ask(core: Core, command: Command, now: float, player: int = 0) -> Entries:
    """Handle one command; `player` is the seat whose page gave it, 0 for none."""
    draft, phase = core.state.draft, core.state.phase
    match command:
        case Command.SET_UP if phase is Phase.ARRANGE:
            setup.begin_setup_on_board(core)
        case _ if draft is not None and command in setup.DRAFT_COMMANDS:
            return setup.DRAFT_COMMANDS[command](core, draft)
        case Command.DRAW | Command.REDO | Command.MENU if draft is not None:
            raise EntryRefused(say("table.setting_up_first"))
        case _ if phase is Phase.MENU and command in _CLOSING_MENU:
            players.close_menu(core)
        case _ if core.state.faults.reasons and command in _NOT_WHILE_PAUSED:
            raise EntryRefused(words.PAUSED)
        case Command.SET_UP | Command.NEW_GAME | Command.MENU if phase is Phase.DRAW:
            raise EntryRefused(words.WAIT_FOR_DRAW)
        case Command.SET_UP:
            setup.begin_draft(core)
        case Command.CONFIRM | Command.TOUCH_CELL if phase is Phase.CONFIRM:
            return confirm_board(core)
        case Command.CONFIRM if phase is Phase.MENU:
            return players.confirm_menu(core, now)
        case Command.CONFIRM if phase is Phase.ARRANGE:
            return setup.confirm_on_board(core)
        case Command.CONFIRM if phase is Phase.SHOW:
            return core.record(Entry(EntryKind.COVER))
        case Command.TAKE_BACK if phase is Phase.ARRANGE and core.state.setups.on_board:
            setup.undo_on_board(core, core.state.setups.on_board)
        case Command.TAKE_BACK | Command.REDO | Command.RESIGN | Command.DRAW if (
            phase is Phase.CONFIRM and not (command is Command.TAKE_BACK and core.state.rebuilding)
        ):
            raise EntryRefused(words.CONFIRM_FIRST)
        case Command.NEXT_CELL | Command.TOUCH_CELL if not core.state.cursor:
            raise EntryRefused(say("table.no_cell"))
        case Command.DRAW | Command.RESIGN if core.state.arranging:
            raise EntryRefused(say("table.not_begun"))
        case Command.DRAW:
            return _draw(core, now, player)
        case Command.RESIGN:
            return _resign(core, now, player)
        case Command.CONFIRM if phase not in (Phase.TAP, Phase.EDIT) or core.state.senses_stones:
            # A board that senses stones compares itself with the game.
            raise EntryRefused(words.NOTHING_TO_CONFIRM)
        case Command.CONFIRM:
            core.turn_to(Event.BOARD_COMPARED)
        case Command.TOUCH_CELL:
            return touch(core, core.state.cursor, now)
        case Command.NEXT_CELL:
            cells = _masked(core)
            at = cells.index(core.state.cursor) + 1
            core.state = replace(core.state, cursor=cells[at % len(cells)])
        case _:
            return _ANSWERS[command](core, now)
    return ()


def aim_cursor(core: Core) -> None:
    """Keep the cursor on a masked cell, if there is one."""
    cells = _masked(core)
    if core.state.cursor not in cells:
        core.state = replace(core.state, cursor=next(iter(cells), ""))


def _masked(core: Core) -> tuple[str, ...]:
    return tuple(cell for cell in core.game.board.cells if cell in core.state.faults.masked)


def _new_game(core: Core, now: float) -> Entries:
    state = core.state
    started = state.history or state.setups.submitted or state.setups.on_board is not None
    started = started or state.position != core.game.initial(state.options)
    unfinished = started and state.outcome is None
    if unfinished and not core.confirmed(Command.NEW_GAME, say("table.confirm_new"), now):
        return ()
    return players.begin(core, now)


def _resign(core: Core, now: float, player: int) -> Entries:
    """Resign for the seat that asks, or for the player to move; only they see the question."""
    state = core.state
    loser = player or state.turn
    if loser is not None and state.computers:
        # A computer player does not resign.
        loser = state.you or loser
    if state.outcome is not None or loser is None:
        raise EntryRefused(say("table.nothing_to_resign"))
    question = say("table.confirm_resign", player=state.called(loser))
    if not core.confirmed(Command.RESIGN, question, now, player, loser):
        return ()
    return core.record(Entry(EntryKind.RESIGN, str(loser)))


def _draw(core: Core, now: float, player: int) -> Entries:
    """Agree on a draw by two commands, which one seat cannot both give in a game for two."""
    game, state = core.game, core.state
    if not game.agreed_draws:
        raise EntryRefused(say("table.no_agreed_draws"))
    if state.outcome is not None or state.turn is None:
        raise EntryRefused(say("table.nothing_to_draw"))
    if any(state.computers):
        raise EntryRefused(say("table.no_draw_with_computer"))
    question, offering = say("table.confirm_draw"), player or state.turn
    if len(game.players) == 2:
        names = [state.called(n) for n in (offering, 3 - offering)]
        question = say("table.draw_offered", player=names[0], other=names[1])
    if not core.confirmed(Command.DRAW, question, now, player, player and 3 - player):
        return ()
    return core.record(Entry(EntryKind.DRAW))


def _hint(core: Core, now: float) -> Entries:
    """Show the coach's idea; if there is none or it is shown, request hints, or hide them."""
    state, engine, coach = core.state, core.state.engine, core.state.coach
    level = help_of_mover(state).level
    if level >= COACHED and coach.ideas and not coach.shown:
        players.show_idea(core, coach.ideas[0], now)
        return ()
    if core.game.hidden:
        raise EntryRefused(say("table.no_help_where_hidden"))
    if state.agreement.strict:
        raise EntryRefused(words.STRICT)
    if any(each.level for each in state.helps) and (level < COACHED or level == LOOKS):
        raise EntryRefused(say("help.no_hints"))
    if engine.hints or engine.hinting:
        core.state = replace(state, engine=engine.without_hints())
        return ()
    if not engine.levels:
        raise EntryRefused(words.NO_COMPUTERS)
    if not is_persons_turn(state):
        why = {Phase.DRAW: words.WAIT_FOR_DRAW, Phase.CONFIRM: words.CONFIRM_FIRST}
        raise EntryRefused(why.get(state.phase, say("table.no_hint")))
    core.state = replace(state, engine=replace(engine, hinting=True))
    return ()


def _coach(core: Core, now: float) -> Entries:
    """Give all players the coach's help, or none any help."""
    on = not core.state.coached
    players.set_help(core, SetHelp((str(COACHED if on else NONE),) * len(core.game.players)))
    if core.state.coached is on:
        core.state = replace(core.state, coach=Coach(known=core.state.coach.known))
        core.notify(say("table.coaching") if on else say("table.not_coaching"), now, good=True)
    return ()


_ANSWERS: Mapping[Command, Callable[[Core, float], Entries]] = {
    Command.NEW_GAME: _new_game,
    Command.TAKE_BACK: take_back,
    Command.REDO: redo,
    Command.HINT: _hint,
    Command.COACH: _coach,
    Command.MENU: players.open_menu,
}
_CLOSING_MENU = frozenset(
    {Command.NEW_GAME, Command.TAKE_BACK, Command.REDO, Command.RESIGN, Command.DRAW, Command.MENU}
)
_NOT_WHILE_PAUSED = frozenset(
    {Command.NEXT_CELL, Command.TOUCH_CELL, Command.CONFIRM, Command.SET_UP, Command.MENU}
    | {Command.REDO, Command.HINT}
)
