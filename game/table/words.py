"""The words of the table: prompts, speech, and players' names in messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import hands
from game.table.phases import Phase
from game.table.state import UNKNOWN_PIECE, Played, State

_WHO = ("player", "players", "other", "loser", "winner")
"""Names of message arguments that are players; in other arguments the words name a side."""


def named(state: State, message: Message, position: Any = None) -> Message:
    """Put players' names into a message on a position, by default the current one.

    The player whom messages address is named by `table.you`.
    """
    at, you = state.position if position is None else position, state.you
    words: list[tuple[Message, object]] = []
    for player, word in enumerate(state.game.players, start=1):
        called = state.game.presentation.called(at, player)
        name: object = state.names[player - 1] if any(state.names) else ""
        if player == you:
            name = say("table.you", name=name or called)
        words += [(called, name), (word, name)] if name else []
    return _filled(message, words) if words else message


def move_sentence(state: State, played: Played) -> Message:
    """Return the summary of a move, with the players' names."""
    return named(state, played.summary, played.before)


def _filled(message: Message, words: list[tuple[Message, object]]) -> Message:
    def who(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(who(each) for each in value)
        return next((name for word, name in words if word == value), value)

    def inner(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(inner(each) for each in value)
        return _filled(value, words) if isinstance(value, Message) else value

    args = message.args.items()
    return Message(message.key, {key: who(v) if key in _WHO else inner(v) for key, v in args})


WAIT_FOR_DRAW = say("table.wait_for_draw")
PAUSED = say("table.paused")
CONFIRM_FIRST = say("table.confirm_first")
NOTHING_TO_CONFIRM = say("table.nothing_to_confirm")
STRICT = say("table.strict")
NO_COMPUTERS = say("table.no_computers")
LISTED = 6  # Most cells that a sentence lists; the lights show all cells
_WHERE_SENSED: Mapping[str, Message] = {
    "table.covering": say("table.covering_felt"),
    "table.cover": say("table.cover_felt"),
    "table.go_on": say("table.go_on_felt"),
    "table.to_touch": say("table.to_lift_or_set"),
    "table.begins": say("table.begins_to_set"),
    "table.to_play": say("table.to_set"),
    "table.menu": say("table.menu_felt"),
    "table.setting_up": say("table.setting_up_felt"),
    "table.take_away": say("table.lift"),
    "table.take_away_many": say("table.lift_many"),
    "table.put": say("table.lay"),
    "table.put_many": say("table.lay_many"),
    "table.exchange": say("table.exchange_felt"),
    "table.turn_ring": say("table.turn_ring_felt"),
    "table.turn_ring_back": say("table.turn_ring_back_felt"),
    "table.wants_touched": say("table.wants_set"),
}
"""Replacements of messages if stones are sensed, so that people need not confirm by touches."""

_OF_HANDS = (
    *("table.take_away", "table.lift", "table.put", "table.lay", "table.exchange", "table.first_"),
    *("table.turn_ring", "table.wants_", "table.clear_", "table.confirm_board", "table.stays"),
)
"""Prefixes of the keys of messages that ask people to move pieces."""


def not_of_hands(said: Iterable[Message]) -> tuple[Message, ...]:
    """Leave out messages that ask people to move pieces."""
    covered = ("table.cover", "table.cover_felt")
    asked = (say("table.seen") if each.key in covered else each for each in said)
    return tuple(each for each in asked if not each.key.startswith(_OF_HANDS))


def prompt(state: State, next_taps: frozenset[str] = frozenset()) -> tuple[Message, ...]:
    """Return the prompt of a state, sentence by sentence."""
    said = (*_prompt(state, next_taps), *state.faults.warnings)
    return tuple(_said(state, each) for each in said)


def _said(state: State, message: Message) -> Message:
    sensed = _WHERE_SENSED.get(message.key) if state.senses_stones else None
    return named(state, Message(sensed.key, message.args) if sensed else message)


def _prompt(state: State, next_taps: frozenset[str]) -> tuple[Message, ...]:
    if state.faults.reasons:
        pause = (*state.faults.reasons, say("table.pause"))
        by_key = (say("fault.mask_key"),) if "cell" in state.board_keys else ()
        return (*pause, say("fault.mask_hint"), *by_key) if state.faults.cells else pause
    if state.phase is Phase.DRAW:
        return (say("table.drawing"),)
    if state.phase is Phase.CONFIRM:
        return _of_confirm(state)
    if state.phase is Phase.ARRANGE:
        return _of_arranging(state)
    if state.phase is Phase.SHOW:
        return *_happened(state), say("table.cover")
    if state.phase is Phase.MENU:
        return *_of_menu(state), *_by_key(state)
    if state.draft is not None:
        piece = state.game.presentation.piece_word(state.draft.brush)
        to_do = edit_prompts(state, state.pending)
        flaw = (state.draft.flaw.message,) if state.draft.flaw is not None else ()
        return say("table.setting_up", piece=piece), *flaw, *to_do, *_by_key(state)
    return *_of_play(state, next_taps), *_by_key(state)


def _of_arranging(state: State) -> tuple[Message, ...]:
    """Return messages on who has laid out pieces, and who has still to do it, but not where.

    The holder of a seat reads only whether the others are ready.
    """
    setups, called = state.setups, state.called
    done = tuple(say("table.has_arranged", player=called(n)) for n in sorted(setups.submitted))
    setup, viewer, left = setups.on_board, state.viewer, state.still_arranging
    if viewer is not None and (setup is None or setup.player != viewer):
        if viewer in left:
            return *done, say("table.arrange_yours")
        return *done, *(say("table.still_arranging", player=called(each)) for each in left)
    arranges = None if setup is None else state.game.arranging(state.position, setup.player)
    if setup is None or arranges is None:
        here = tuple(called(each) for each in left if each not in setups.seated)
        there = tuple(called(each) for each in left if each in setups.seated)
        if here:
            done = (*done, say("table.to_arrange", count=len(here), players=here))
            if "resign" in state.board_keys:
                done = (*done, say("table.cover_key"))
        if there:
            done = (*done, say("table.to_arrange_seated", count=len(there), players=there))
        return done
    who, left_over = called(setup.player), arranges.pieces[len(setup.cells) :]
    if not left_over:
        return *done, say("table.covering_done", player=who)
    piece = state.game.presentation.piece_word(left_over[0])
    how = say("table.covering", player=who, piece=piece)
    return *done, how, say("table.covering_left", count=len(left_over))


def _of_confirm(state: State) -> tuple[Message, ...]:
    if state.rebuilding and not state.expected:
        return *_happened(state), say("table.clear_all")
    if state.rebuilding:
        return (say("table.lay_out"),)
    to_do = edit_prompts(state, state.pending)
    return (say("table.confirm_board", count=len(state.standing)), *to_do)


def _happened(state: State) -> tuple[Message, ...]:
    return tuple(move_sentence(state, played) for played in state.history[-1:])


def _of_play(state: State, next_taps: frozenset[str]) -> tuple[Message, ...]:
    to_do = edit_prompts(state, hands.edits_to_show(state))
    happened = _happened(state)
    if state.outcome is not None:
        happened = () if state.ended_by_people else happened
        return *happened, state.outcome.message, *to_do, say("table.play_again")
    if to_do:
        # While a move is being taken back, do not mention the move before it.
        return (*happened, *to_do) if state.after_last_move else to_do
    mover = state.situation.to_move
    if mover is None:
        return happened
    if state.waits:
        who = state.called(state.turn or mover)
        return *happened, say("table.to_wait", player=who)
    instead = hands.computer_prompts(state, mover)
    if instead and hands.bound_taps(state) is not None:
        return *happened, *instead
    turn = _of_turn(state, mover, next_taps, begins=not (instead or happened))
    happened = () if state.taps else happened
    return *happened, *instead, *turn, *hands.help_prompts(state)


def _of_turn(
    state: State, mover: int, next_taps: frozenset[str], begins: bool
) -> tuple[Message, ...]:
    player = state.called(mover)
    question = state.game.presentation.asks(state.position, state.taps)
    keys, rings = _keys(state, next_taps)
    only_keys = bool(next_taps) and next_taps <= set(state.game.keys)
    if rings:
        keys = (*keys, say("table.a_ring")) if only_keys else keys
    if state.taps:
        taps = tuple(hands.spot_word(state, spot) for spot in state.taps)
        if question is not None:
            return (say("table.go_on_asked", player=player, taps=taps, what=question),)
        if only_keys:
            return (say("table.go_on_by_key", player=player, taps=taps, keys=keys),)
        on = say("table.go_on", player=player, taps=taps)
    elif only_keys:
        return (say("table.to_press", player=player, keys=keys),)
    elif question is not None:
        on = say("table.asked", player=player, what=question)
    elif next_taps & state.standing.keys():
        on = say("table.to_touch", player=player)
    else:
        on = say("table.begins", player=player) if begins else say("table.to_play", player=player)
    turns = (say("table.or_turn"),) if rings else ()
    return (on, *turns, say("table.or_press", keys=keys)) if keys else (on, *turns)


def _keys(state: State, next_taps: frozenset[str]) -> tuple[tuple[Message, ...], bool]:
    """Return words for the keys that come next, and whether there are several rings to choose."""
    keys = [key for key in state.game.keys if key in next_taps]
    rings = [key for key in keys if key in state.game.board.rings]
    named_keys = keys if len(rings) == 1 else [key for key in keys if key not in rings]
    words = tuple(say("table.key", key=hands.spot_word(state, key)) for key in named_keys)
    return words, len(rings) > 1


def _of_menu(state: State) -> tuple[Message, ...]:
    rows: dict[int | None, list[tuple[str, str]]] = {}
    learn: tuple[Message, ...] = ()
    for cell, choice in hands.menu_choices(state).items():
        if choice.level == hands.HELP_MENU:
            learn = (say("table.menu_help", cell=cell),)
        elif choice.level == hands.LESSON:
            learn = (say("table.menu_learn", cell=cell),)
        else:
            rows.setdefault(choice.player, []).append((cell, choice.level))
    if state.menu_of_help:
        done = say("table.menu_help_done", cell=rows.pop(None)[0][0])
        names, mine = state.game.players, list[Message]()
        for player, row in rows.items():
            cells, levels = zip(*row, strict=True)
            side = names[(player or 1) - 1]
            mine.append(say("table.menu_help_row", side=side, cells=cells, levels=levels))
        return (*mine, done)
    said = (_menu_row(state.game, player, row) for player, row in rows.items())
    return say("table.menu"), *said, *learn, say("table.menu_back")


def _menu_row(game: AnyGame, player: int | None, row: Sequence[tuple[str, str]]) -> Message:
    (first, easiest), (last, hardest) = row[0], row[-1]
    if player is None:
        return say("table.menu_people", cell=first)
    side = game.players[player - 1]
    least, most = hands.level_word(easiest), hands.level_word(hardest)
    if first == last:
        return say("table.menu_one", side=side, cell=first, level=least)
    return say("table.menu_row", side=side, first=first, last=last, easiest=least, hardest=most)


def _by_key(state: State) -> tuple[Message, ...]:
    if not state.cursor:
        return ()
    on_page = say("table.by_key_many", cell=state.cursor)
    if len(state.faults.masked) == 1:
        on_page = say("table.by_key", cell=state.cursor)
    return (on_page, say("table.or_cell_key")) if "cell" in state.board_keys else (on_page,)


def edit_prompts(
    state: State, pending: Sequence[Edit], listed: int = LISTED
) -> tuple[Message, ...]:
    """Return messages on the edits that people must make; empty when the board is right.

    A sentence on more than `listed` cells only counts them.
    """
    said, word = list[Message](), state.game.presentation.piece_word
    away, put, swap = list[str](), list[Message](), list[Message]()
    for edit in pending:
        other = state.standing.get(edit.cell, UNKNOWN_PIECE)
        match edit.kind:
            case EditKind.TURN:
                ring, count = edit.cell.removeprefix("ring"), abs(edit.steps)
                back = say("table.turn_ring_back", ring=ring, count=count)
                said.append(back if edit.steps < 0 else say("table.turn_ring", **back.args))
            case EditKind.REMOVE:
                away.append(edit.cell)
            case EditKind.PUT:
                put.append(say("table.piece_at", piece=word(edit.piece), cell=edit.cell))
            case EditKind.SWAP if other == UNKNOWN_PIECE:
                swap.append(say("table.piece_instead", piece=word(edit.piece), cell=edit.cell))
            case EditKind.SWAP:
                pieces = {"piece": word(edit.piece), "cell": edit.cell, "other": word(other)}
                swap.append(say("table.piece_for", **pieces))
    if n := len(away):
        few = say("table.take_away", count=n, cells=tuple(away))
        said.append(say("table.take_away_many", count=n) if n > listed else few)
    if n := len(put):
        few = say("table.put", count=n, pieces=tuple(put))
        said.append(say("table.put_many", count=n) if n > listed else few)
    if n := len(swap):
        few = say("table.exchange", count=n, pieces=tuple(swap))
        said.append(say("table.exchange_many", count=n) if n > listed else few)
    return tuple(said)


def too_early(cell: str, stands: bool, pending: Sequence[Edit]) -> Message:
    """Return why a touch is refused while people must change the board."""
    if stands:
        return say("table.stays", cell=cell)
    if any(edit.kind is EditKind.REMOVE for edit in pending):
        return say("table.first_take_away", cell=cell)
    return say("table.first_put", cell=cell)


def spoken_details(
    state: State, next_taps: frozenset[str], prompt: Sequence[Message]
) -> tuple[Message, ...]:
    """Return messages on what the lights show and the `prompt` leaves out: the cells."""
    said = tuple(_said(state, each) for each in _details(state, next_taps))
    return tuple(each for each in said if each not in prompt)


def spoken_news(before: State | None, after: State) -> tuple[Message, ...]:
    """Return news since a state, in order; without that state, the last move and the outcome."""
    moves, notice = after.history, after.notices.current
    if before is not None and notice == before.notices.current:
        notice = None
    if before is None:
        news = [move_sentence(after, played) for played in moves[-1:]]
    else:
        same = _in_common(before, after)
        lost = () if after.phase is Phase.DRAW else before.history[same:]
        news = [say("aloud.taken_back", did=move_sentence(before, each)) for each in reversed(lost)]
        for ply, played in enumerate(moves[same:], start=same + 1):
            news.append(move_sentence(after, played))
            stands = after.position if ply == len(moves) else moves[ply].before
            if played.removed:
                news += _scores(after, played.before, stands)
    if after.outcome is not None and (before is None or before.outcome is None):
        news.append(named(after, after.outcome.message))
    idea = hands.shown_idea(after)
    # An idea of the coach is spoken once, with the prompt.
    shown_once = notice is not None and idea is not None and notice.message == idea.message
    if notice and not shown_once:
        news.append(named(after, notice.message))
    return tuple(news)


def spoken_prompt(
    state: State, prompt: Sequence[Message], aloud: Sequence[Message]
) -> tuple[Message, ...]:
    """Return the current requests: the words of a scene without news."""
    past = [move_sentence(state, played) for played in state.history[-1:]]
    if state.outcome is not None:
        past.append(named(state, state.outcome.message))
    idea = hands.shown_idea(state)
    advice = named(state, idea.message) if idea else None
    more = (*aloud, advice) if advice is not None and advice not in prompt else aloud
    return tuple(each for each in (*prompt, *more) if each not in past)


def _in_common(before: State, after: State) -> int:
    """Count the moves that two states have in common, with or without hidden faces."""
    pairs, text = zip(before.history, after.history, strict=False), before.game.covered_text
    same = (text(old.text) == text(new.text) and old.player == new.player for old, new in pairs)
    return sum(1 for _ in takewhile(bool, same))


def _scores(state: State, before: object, after: object) -> Iterator[Message]:
    for old, new in zip(state.game.goals(before), state.game.goals(after), strict=False):
        if new != old:
            named_so = "".join(state.names[new.player - 1 : new.player])
            name = named_so or state.game.presentation.called(after, new.player)
            yield say("page.goal", name=name, goal=new.word, reached=new.reached, wanted=new.wanted)


def _details(state: State, next_taps: frozenset[str]) -> Iterator[Message]:
    if state.faults.reasons:
        if state.faults.cells:
            yield say("aloud.not_felt", cells=tuple(sorted(state.faults.cells)))
        return
    if state.inspecting:
        inspected = state.game.presentation.inspect(state.position, state.inspecting)
        at = inspected.cells if inspected else {}
        for role, word in state.game.presentation.roles.items():
            if having := [cell for cell, each in at.items() if each is role]:
                yield say("aloud.cells", what=word, cells=tuple(sorted(having)))
        return
    if state.phase in (Phase.MENU, Phase.SHOW, Phase.ARRANGE, Phase.DRAW):
        return
    if state.phase is Phase.CONFIRM:
        pieces = state.expected
        for piece in sorted(set(pieces.values()) - {UNKNOWN_PIECE}):
            there = tuple(cell for cell in state.game.board.cells if pieces.get(cell) == piece)
            yield say("aloud.cells", what=state.game.presentation.piece_word(piece), cells=there)
    edits = hands.edits_to_show(state)
    yield from edit_prompts(state, edits, max(1, len(edits)))
    if state.phase is not Phase.TAP or hands.proposal(state) is not None:
        return
    if not state.history:
        for number, player in enumerate(state.game.players, start=1):
            side = state.called(number)
            if side != player:
                yield say("aloud.plays", player=player, side=side)
    if 0 < len(next_taps) <= LISTED:
        spots = tuple(hands.spot_word(state, spot) for spot in sorted(next_taps))
        yield say("aloud.lit", spots=spots)
    idea = hands.shown_idea(state)
    taken = (idea.threats.endangered, idea.threats.edible) if idea is not None else ((), ())
    for word, cells in zip(state.game.presentation.threat_words, taken, strict=True):
        if cells:
            yield say("aloud.cells", what=word, cells=tuple(sorted(cells)))
