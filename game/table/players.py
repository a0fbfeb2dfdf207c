"""Who plays: new games, computer players and their answers, the menu on the board; and all help.

The coach shows an idea if its weight is above the player's knowledge of it, which grows by one when
the idea is shown, grows by one when it is heeded, and drops by one when it is ignored. After an
idea it is silent for some turns, unless much is at stake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from game.rules.base.advice import ideas
from game.rules.base.game import known_options, settle
from game.rules.base.grades import COACHED, help_in
from game.rules.base.message import say
from game.rules.base.names import player_name
from game.rules.base.values import Advice
from game.table import hands, inputs
from game.table.entries import (
    HELP_LEVELS,
    OTHER_BOARD,
    Entries,
    Entry,
    EntryKind,
    computers_text,
    names_text,
    options_text,
    parse,
)
from game.table.phases import Event, Phase
from game.table.reducer import Core, EntryRefused
from game.table.words import NO_COMPUTERS, STRICT

COACH_PAUSE = 2  # Number of turns after an idea in which only ideas of weight COACH_MUCH are shown
COACH_MUCH = 7  # Least weight of an idea that is shown at any time


def follow_coach(core: Core, now: float) -> None:
    """When a person's turn begins, find ideas, and show the best one if it is worth showing."""
    game, state, coach = core.game, core.state, core.state.coach
    helped = hands.help_of_mover(state).level >= COACHED
    if not helped or state.position is coach.position:
        return
    known, player = dict(coach.known), state.situation.to_move or 0
    top = next((each for each in coach.ideas if each.heeding), None)
    last = next((each for each in state.history[-3:] if each.before is coach.position), None)
    if top is not None and last is not None:
        # Learn whether the last turn heeded the coach's idea.
        move = game.plain_text(last.before, game.parse_move(last.before, last.text))
        who = (last.player, top.message.key)
        known[who] = max(0, known.get(who, 0) + (1 if move in top.heeding else -1))
    past = tuple(game.seen_by(played.before, None) for played in state.history[-2:])
    found = ideas(game, state.situation.public, past)
    least = 0 if coach.silent >= COACH_PAUSE else COACH_MUCH
    worth_it = (
        each
        for each in found
        if each.weight >= least and each.weight > known.get((player, each.message.key), 0)
    )
    idea = next(worth_it, None)
    coach = replace(
        coach, position=state.position, ideas=found, known=known, silent=coach.silent + 1
    )
    core.state = replace(state, coach=coach)
    if idea is not None:
        show_idea(core, idea, now)


def show_idea(core: Core, idea: Advice, now: float) -> None:
    """Show an idea of the coach; the player to move then knows it better."""
    state, coach = core.state, core.state.coach
    who = (state.situation.to_move or 0, idea.message.key)
    known = {**coach.known, who: coach.known.get(who, 0) + 1}
    core.state = replace(state, coach=replace(coach, shown=idea, known=known, silent=0))
    if state.notices.current is None:
        core.notify(idea.message, now, good=True)


def set_help(core: Core, request: inputs.SetHelp) -> None:
    """Set how much help the players have from now on; raises RulesError."""
    agreement = core.state.agreement
    if agreement.strict:
        raise EntryRefused(STRICT)
    count = len(core.game.players)
    before = [each.text for each in help_in(agreement.help_levels, count)]
    levels = ",".join(new or old for new, old in zip(request.levels, before, strict=False))
    help_in(levels, count)
    core.defaults.pop(HELP_LEVELS, None)
    guidance = replace(core.state.guidance, looks=frozenset())
    agreement = replace(agreement, help_levels=levels)
    core.state = replace(core.state, agreement=agreement, guidance=guidance)


DRAW_S = 2.4  # Time for which the lights run to draw who begins


def begin(core: Core, now: float, request: inputs.StartGame = inputs.REPEAT) -> Entries:
    """Begin a new game; who begins is drawn unless the options say. Raises BadOption."""
    chosen = {**core.state.agreement.options, **core.defaults}
    if request.options is not None:
        chosen = {HELP_LEVELS: core.state.agreement.help_levels, **request.options}
    agreed, own = parse(chosen)
    options = settle(core.game, own) | agreed.options
    if "first" not in chosen:
        options["first"] = core.rng.choice(known_options(core.game)["first"].choices)
    to_clear = bool(core.state.standing)
    entries = record_start(core, options, request.computers, request.names)
    core.defaults = chosen
    core.state = replace(core.state.after(Event.GAME_BEGINS), draw_until=now + DRAW_S)
    if to_clear:
        core.notify(say("table.clear_board"), now)
    return entries


def record_start(
    core: Core,
    options: Mapping[str, str],
    computers: tuple[str, ...] | None = None,
    names: tuple[str, ...] | None = None,
    set_up: str = "",
) -> Entries:
    """Record that a game begins, who plays (by default the same as before), and its position.

    If pieces are hidden, no computer plays a side held by a device, which would see its pieces.
    """
    before = core.state.computers
    who = before if computers is None else computers
    if core.game.hidden:
        seated = core.state.setups.seated
        who = tuple("" if n in seated else level for n, level in enumerate(who, start=1))
    entries = [Entry(EntryKind.START, options_text(dict(options)))]
    names = core.state.names if names is None else tuple(map(player_name, names))
    if any(names) or any(core.state.names):
        entries.append(Entry(EntryKind.NAMES, names_text(names)))
    if any(who) or any(before):
        who = who or ("",) * len(core.game.players)
        entries.append(Entry(EntryKind.COMPUTERS, computers_text(who)))
    if set_up:
        entries.append(Entry(EntryKind.SET_UP, set_up))
    return core.record(*entries)


def start_game(core: Core, request: inputs.StartGame, now: float) -> Entries:
    """Begin the game that people chose; raises RulesError."""
    if request.computers is not None:
        _check_opponents(core, request.computers, new=True)
    if core.state.draft is not None:
        raise EntryRefused(say("table.setting_up_first"))
    return begin(core, now, request)


def set_names(core: Core, names: Iterable[str]) -> Entries:
    """Set the players' names; raises RulesError."""
    tidy = tuple(map(player_name, names))
    if tidy == core.state.all_names:
        return ()
    return core.record(Entry(EntryKind.NAMES, names_text(tidy)))


def set_opponents(core: Core, request: inputs.SetOpponents) -> Entries:
    """Set the computer players from now on."""
    _check_opponents(core, request.computers)
    if core.state.menu_offered:
        close_menu(core)
    if request.computers == core.state.levels:
        return ()
    return core.record(Entry(EntryKind.COMPUTERS, computers_text(request.computers)))


def _check_opponents(core: Core, computers: tuple[str, ...], new: bool = False) -> None:
    """Raise EntryRefused unless computers may play: their moves must not reveal secrets.

    The device that holds a side would also see what a computer lays out there.
    """
    state, game = core.state, core.game
    levels, count = state.engine.levels, len(game.players)
    if not levels and any(computers):
        raise EntryRefused(NO_COMPUTERS)
    if len(computers) != count or set(computers) - {"", *levels}:
        raise EntryRefused(say("table.bad_computers", players=count, allowed=levels))
    if not game.hidden:
        return
    chosen = [n for n, level in enumerate(computers, start=1) if level]
    made = [n for n in chosen if new or not state.level_of(n)]
    seated = tuple(state.called(n) for n in made if n in state.setups.seated)
    if seated:
        raise EntryRefused(say("table.no_computer_seated", count=len(seated), players=seated))
    secret = any(n in state.setups.submitted or not state.arranging for n in made)
    if secret and not new and state.outcome is None:
        raise EntryRefused(say("table.no_computer_where_hidden"))


def take_search_result(core: Core, result: inputs.SearchResult) -> None:
    """Take a search result, whose moves are legal, if it is wanted now; ignore any other."""
    state, game, engine = core.state, core.game, core.state.engine
    player = hands.mover(state)
    if player is not None and result.level == inputs.JUDGE and result.position == state.position:
        core.state = replace(state, engine=replace(engine, judged=result, unavailable=None))
        return
    if player is None or result.position != game.seen_by(state.position, player, remembers=True):
        return
    if result.level != state.level_of(player):
        return
    if result.level == OTHER_BOARD:
        # A move that was taken back at the other board is no longer wanted.
        core.state = replace(state, engine=replace(engine, result=None), taps=())
        state, engine = core.state, core.state.engine
    if not result.level and engine.hinting:
        # The result lists the most searched moves first; show the best scores first.
        best = tuple(sorted(result.moves[: hands.HINTS], key=lambda each: -each.value))
        engine = replace(engine, hinting=False, hints=best, unavailable=None)
        core.state = replace(state, engine=engine)
    elif result.level and result.moves and not hands.proposed_move(state):
        taps = game.taps(state.position, game.parse_move(state.position, result.moves[0].move))
        goes_on = taps[: len(state.taps)] == state.taps
        engine = replace(engine, result=result, unavailable=None)
        core.state = replace(state, engine=engine, taps=state.taps if goes_on else ())


def set_engine_trouble(core: Core, event: inputs.EngineUnavailable) -> None:
    """Record why the engine does not answer, or that it answers again."""
    engine = core.state.engine
    if event.trouble is not None and engine.hinting:
        # A person is to move; the engine may answer again when it is a computer's turn.
        core.state = replace(core.state, engine=replace(engine, hinting=False))
        raise EntryRefused(event.trouble)
    core.state = replace(core.state, engine=replace(engine, unavailable=event.trouble))


def open_menu(core: Core, now: float) -> Entries:
    """Open the menu, unless touches of it could reveal what people have laid out."""
    state = core.state
    by_people = any(not state.level_of(player) for player in state.setups.submitted)
    open_yet = state.phase is Phase.ARRANGE and state.setups.on_board is None and not by_people
    if state.hides and not open_yet:
        raise EntryRefused(say("table.no_menu_where_hidden"))
    if not hands.menu_choices(state):
        raise EntryRefused(NO_COMPUTERS)
    core.turn_to(Event.MENU_OPENS, menu_return_phase=state.phase)
    return ()


def offer_menu(core: Core) -> None:
    """Open the menu if nothing has been chosen yet."""
    state = core.state
    chosen = state.history or state.taps or any(state.computers) or state.phase is not Phase.TAP
    if not chosen and hands.menu_choices(state):
        core.turn_to(Event.MENU_OPENS)


def close_menu(core: Core) -> None:
    """Close the menu and return to the phase before it."""
    state = core.state
    confirms = state.menu_return_phase is Phase.CONFIRM
    core.turn_to(Event.BOARD_COMPARED if confirms else Event.MENU_CLOSES)


def touch_menu(core: Core, spot: str, now: float) -> Entries:
    """Apply a cell's choice: a new game, the tutorial, or help; refuse a cell outside the menu."""
    choice, players = hands.menu_choices(core.state).get(spot), range(1, len(core.game.players) + 1)
    if choice is None and core.state.arranging:
        # While pieces are laid out, the positions of hands are secret.
        raise EntryRefused(say("table.not_in_menu_there"))
    if choice is None:
        raise EntryRefused(say("table.not_in_menu", cell=spot), spot)
    levels = tuple(choice.level if each == choice.player else "" for each in players)
    if choice.of_help and choice.player is None:
        core.state = replace(core.state, menu_of_help=not core.state.menu_of_help)
    elif choice.of_help:
        set_help(core, inputs.SetHelp(levels))
    elif choice.level == hands.LESSON:
        core.state = replace(core.state, lesson_wanted=True)
    else:
        return start_game(core, inputs.StartGame(computers=levels), now)
    return ()


def confirm_menu(core: Core, now: float) -> Entries:
    """Apply the choice that is marked as current or suggested."""
    menu = hands.menu_choices(core.state)
    if core.state.menu_of_help:
        close_menu(core)
        return ()
    chosen = next((cell for cell, choice in menu.items() if choice.chosen), "")
    return touch_menu(core, chosen, now) if chosen else ()
