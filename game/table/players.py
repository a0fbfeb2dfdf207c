"""Who plays: new games, computer players and their answers, the menu on the board; and the coach.

Owns the first entries of a game, which computer players are allowed, which answers of the engine
count, and how seldom the coach speaks. It shows an idea when its weight is above what its player
has shown to know: one for each time it was shown, and one for each time it was heeded; one less
when it was ignored. After an idea it keeps silent for some turns, unless much is at stake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from game.rules.base.advice import ideas
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, known_options, settle
from game.rules.base.message import Message, say
from game.rules.base.values import Advice
from game.table.entries import (
    OTHER_BOARD,
    Entries,
    Entry,
    EntryKind,
    computers_text,
    names_text,
    options_text,
    parse,
)
from game.table.hands import HINTS, is_persons_turn, menu_choices, mover, proposed_move
from game.table.inputs import REPEAT, EngineUnavailable, SearchResult, SetOpponents, StartGame
from game.table.phases import Event, Phase
from game.table.reducer import Book
from game.table.state import Coach, State
from game.table.words import NO_COMPUTERS, PAUSED, WAIT_FOR_DRAW

COACH_PAUSE = 2
"""Turns after an idea in which only one of much weight is told."""
COACH_MUCH = 7
"""The weight from which an idea is told at any time."""


def follow_coach(book: Book, now: float) -> None:
    """When a person's turn begins, look for ideas, and tell one if it is worth it."""
    game, state, coach = book.game, book.state, book.state.coach
    if not coach.on or state.position is coach.position or not is_persons_turn(game, state):
        return
    known = _known_ideas(game, state)
    player = state.situation.to_move or 0
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
    book.state = replace(state, coach=coach)
    if idea is not None:
        _show_idea(book, idea, now)


def ask_coach(book: Book, now: float) -> bool:
    """Tell the first idea, which a player asks for; False if there is none or it is told."""
    state, coach = book.state, book.state.coach
    if not coach.on or not is_persons_turn(book.game, state) or coach.told or not coach.ideas:
        return False
    _show_idea(book, coach.ideas[0], now)
    return True


def _show_idea(book: Book, idea: Advice, now: float) -> None:
    state, coach = book.state, book.state.coach
    who = (state.situation.to_move or 0, idea.message.key)
    known = {**coach.known, who: coach.known.get(who, 0) + 1}
    book.state = replace(state, coach=replace(coach, told=idea, known=known, silent=0))
    if state.notices.current is None:
        book.notify(idea.message, now, good=True)


def _known_ideas(game: AnyGame, state: State) -> dict[tuple[int, str], int]:
    """Count what the last turn showed of what its player knows."""
    coach: Coach = state.coach
    known = dict(coach.known)
    top = next((each for each in coach.ideas if each.heeding), None)
    last = next((each for each in state.history[-3:] if each.before is coach.position), None)
    if top is not None and last is not None:
        move = game.plain_text(last.before, game.parse_move(last.before, last.text))
        who = (last.player, top.message.key)
        known[who] = max(0, known.get(who, 0) + (1 if move in top.heeding else -1))
    return known


DRAW_S = 2.4
"""Time the lights run to draw who begins."""


def begin(book: Book, now: float, request: StartGame = REPEAT) -> Entries:
    """Begin a new game; who begins is drawn unless the options say. Raises BadOption."""
    chosen = {**book.state.agreement.options, **book.defaults}
    if request.options is not None:
        chosen = dict(request.options)
    agreed, own = parse(chosen)
    options = settle(book.game, own) | agreed.options
    if "first" not in chosen:
        options["first"] = book.rng.choice(known_options(book.game)["first"].choices)
    book.defaults = chosen
    to_clear = bool(book.state.standing)
    if request.names is not None:
        book.state = replace(book.state, names=request.names)
    entries = record_start(book, options, request.computers)
    book.state = replace(book.state.after(Event.GAME_BEGINS), draw_until=now + DRAW_S)
    if to_clear:
        book.notify(say("table.clear_board"), now)
    return entries


def record_start(
    book: Book, options: Mapping[str, str], computers: tuple[str, ...] | None = None
) -> Entries:
    """Record that a game begins, and who plays: the same as before unless told otherwise.

    Where pieces are hidden, no computer plays for a side that a device holds: it would see them.
    """
    before = book.state.computers
    who = before if computers is None else computers
    if book.game.hidden:
        seated = book.state.setups.seated
        who = tuple("" if n in seated else level for n, level in enumerate(who, start=1))
    entries = book.record(Entry(EntryKind.START, options_text(dict(options))))
    if any(book.state.names):
        entries += book.record(Entry(EntryKind.NAMES, names_text(book.state.names)))
    if any(who) or any(before):
        who = who or ("",) * len(book.game.players)
        entries += book.record(Entry(EntryKind.COMPUTERS, computers_text(who)))
    return entries


def start_game(book: Book, request: StartGame, now: float) -> Entries:
    """Begin the game that people chose; refuse what cannot be, and say why."""
    computers = request.computers
    why = None if computers is None else _opponents_refusal(book, computers, new=True)
    if why is None and book.state.draft is not None:
        why = say("table.setting_up_first")
    if why is None:
        try:
            return begin(book, now, request)
        except RulesError as error:
            why = error.message
    book.notify(why, now)
    return ()


def decide(book: Book, entries: Entries, now: float) -> Entries:
    """Record what was decided with another board; say why if the rules forbid it."""
    before = book.state
    try:
        for entry in entries:
            book.record(entry)
    except RulesError as error:
        book.state = before
        book.notify(error.message, now)
        return ()
    return entries


def set_opponents(book: Book, request: SetOpponents, now: float) -> Entries:
    """Set the computer players from now on; refuse what cannot be, and say why."""
    count = len(book.game.players)
    why = _opponents_refusal(book, request.computers)
    if why is not None:
        book.notify(why, now)
        return ()
    if request.computers == (book.state.computers or ("",) * count):
        return ()
    return book.record(Entry(EntryKind.COMPUTERS, computers_text(request.computers)))


def _opponents_refusal(book: Book, computers: tuple[str, ...], new: bool = False) -> Message | None:
    levels, count = book.state.engine.levels, len(book.game.players)
    if not levels and any(computers):
        return NO_COMPUTERS
    if len(computers) != count or set(computers) - {"", *levels}:
        return say("table.bad_computers", players=count, allowed=levels)
    return _secrets_refusal(book, computers, new)


def _secrets_refusal(book: Book, computers: tuple[str, ...], new: bool) -> Message | None:
    """Say why a computer may not play for a side: its moves would tell what its player hides.

    The device that holds a side would also see what a computer lays out there.
    """
    state, game = book.state, book.game
    if not game.hidden:
        return None
    chosen = [n for n, level in enumerate(computers, start=1) if level]
    made = [n for n in chosen if new or not state.level_of(n)]
    seated = tuple(
        game.presentation.called(state.position, n) for n in made if n in state.setups.seated
    )
    if seated:
        return say("table.no_computer_seated", count=len(seated), players=seated)
    secret = any(n in state.setups.submitted or not state.arranging for n in made)
    if secret and not new and state.outcome is None:
        return say("table.no_computer_where_hidden")
    return None


def take_search_result(book: Book, result: SearchResult) -> None:
    """Take a search result if it is wanted now; another, or nonsense, changes nothing."""
    state, game, engine = book.state, book.game, book.state.engine
    player = mover(game, state)
    if player is None or result.position != game.seen_by(state.position, player, remembers=True):
        return
    known_levels = ("", *engine.levels, *([OTHER_BOARD] if engine.shared else ()))
    if result.level != state.level_of(player) or result.level not in known_levels:
        return
    if result.level == OTHER_BOARD:
        # What was taken back there is not wanted any more.
        book.state = replace(state, engine=replace(engine, result=None), taps=())
        state, engine = book.state, book.state.engine
    moves = tuple(each for each in result.moves if _is_legal(book, each.move))
    if not moves or moves[0] != result.moves[0]:
        return
    if not result.level:
        if engine.hinting:
            # The moves that were searched most come first; show the best scores first.
            best = tuple(sorted(moves[:HINTS], key=lambda each: -each.value))
            engine = replace(engine, hinting=False, hints=best, unavailable=None)
            book.state = replace(state, engine=engine)
    elif not proposed_move(game, state, state.position):
        taps = game.taps(state.position, game.parse_move(state.position, moves[0].move))
        goes_on = taps[: len(state.taps)] == state.taps
        engine = replace(engine, result=result, unavailable=None)
        book.state = replace(state, engine=engine, taps=state.taps if goes_on else ())


def _is_legal(book: Book, move: str) -> bool:
    try:
        book.game.parse_move(book.state.position, move)
    except RulesError:
        return False
    return True


def set_engine_trouble(book: Book, event: EngineUnavailable, now: float) -> None:
    """Note why the engine does not answer, or that it answers again."""
    engine = book.state.engine
    if event.trouble is not None and engine.hinting:
        # A person is to move; the engine may answer again when it is a computer's turn.
        book.state = replace(book.state, engine=replace(engine, hinting=False))
        book.notify(event.trouble, now)
    else:
        book.state = replace(book.state, engine=replace(engine, unavailable=event.trouble))


def toggle_menu(book: Book, now: float) -> Entries:
    state = book.state
    if state.phase is Phase.MENU:
        close_menu(book)
    elif state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
    elif state.phase is Phase.SET_UP:
        book.notify(say("table.setting_up_first"), now)
    elif state.faults.reasons:
        book.notify(PAUSED, now)
    elif not _may_use_menu(book):
        book.notify(say("table.no_menu_where_hidden"), now)
    elif not menu_choices(book.game, state):
        book.notify(NO_COMPUTERS, now)
    else:
        book.turn_to(Event.MENU_OPENS, menu_return_phase=state.phase)
    return ()


def _may_use_menu(book: Book) -> bool:
    """Tell whether touches may choose in a menu: not if they may tell of hidden pieces."""
    state = book.state
    if not state.hides:
        return True
    by_people = any(not state.level_of(player) for player in state.setups.submitted)
    return state.phase is Phase.ARRANGE and state.setups.on_board is None and not by_people


def close_menu(book: Book) -> None:
    """Go back to what the menu covers."""
    state = book.state
    confirms = state.menu_return_phase is Phase.CONFIRM
    book.turn_to(Event.BOARD_COMPARED if confirms else Event.MENU_CLOSES)


def touch_menu(book: Book, spot: str, now: float) -> Entries:
    """Choose what a cell stands for, and begin a new game; refuse a cell outside the menu."""
    menu = menu_choices(book.game, book.state)
    choice = menu.get(spot)
    if choice is not None:
        players = range(1, len(book.game.players) + 1)
        computers = tuple(choice.level if each == choice.player else "" for each in players)
        return start_game(book, StartGame(computers=computers), now)
    if book.state.arranging:
        # Where hands are while pieces are laid out must not be told.
        book.notify(say("table.not_in_menu_there"), now)
    else:
        book.refuse(spot, say("table.not_in_menu", cell=spot), now)
    return ()


def stones_in_menu(book: Book, changed: Iterable[str], now: float) -> Entries:
    """Take one stone that was set or lifted for a touch; several at once count for none."""
    cells = tuple(changed)
    return touch_menu(book, cells[0], now) if len(cells) == 1 else ()
