"""What people are asked to do: moves of computer players, hints, the player menu, rings to turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist
from typing import Any

from game.rules.base.edits import Edit, EditKind, cells_of
from game.rules.base.grades import BEST_LIT, LOOKS, WARNED, Grade, Graded, Help
from game.rules.base.lessons import tutorial
from game.rules.base.message import Message, say
from game.rules.base.values import Advice
from game.rules.boards.board import DECIMALS, EASY, menu_layout, spread_levels
from game.table.entries import EVEN, OTHER_BOARD
from game.table.inputs import GRADE, JUDGE, ScoredMove
from game.table.phases import Phase
from game.table.state import RingTurn, State

EVEN_SCORE = 0.5
HELP_MENU, LESSON = "help", "lesson"
"""In place of a level: the way to the menu of help, and to the game's tutorial."""
NOT_JOINED = say("remote.waiting")
HINTS = 3  # Number of hints shown: more would cover the board with lights

_WORDS = (
    *(say("level.random"), say("level.0.5"), say("level.1"), say("level.2"), say("level.3")),
    *(say("level.3.5"), say("level.4"), say("level.5"), say("level.5.5"), say("level.6")),
    *(say("level.even"), say("level.board")),
)
_LEVEL_WORDS: Mapping[str, Message] = {word.key.partition(".")[2]: word for word in _WORDS}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position to be searched at a level, and the number of moves wanted.

    A `level` of "" requests hints, as good as possible; JUDGE requests who stands better,
    and GRADE the grades of all moves.
    """

    position: Any
    level: str
    count: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """The move that a computer player wants: its plain text, and the taps still to be made."""

    text: str
    taps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as it is shown: the tap that comes next, and the move."""

    spot: str
    move: ScoredMove


def level_word(level: str) -> Message | str:
    """Name a level for people; by its plain name if there is no word for it."""
    return _LEVEL_WORDS.get(level, level)


def spot_word(state: State, spot: str) -> Message | str:
    """Name a spot for people: a cell by its name, a key by what it does now."""
    if spot not in state.game.keys:
        return spot
    return state.game.presentation.key_word(state.position, state.taps, spot)


def mover(state: State) -> int | None:
    """Return who is to move in the position, None if play has not begun or is over."""
    if state.outcome is not None or state.draft is not None or state.arranging:
        return None
    return state.situation.to_move


def proposed_move(state: State) -> str:
    """Return the plain text of the move that a computer player wants now, "" if none."""
    result, player = state.engine.result, state.situation.to_move
    if result is None or not result.level:
        return ""
    current = result.position == state.game.seen_by(state.position, player, remembers=True)
    return result.moves[0].move if current and state.level_of(player) == result.level else ""


def search_request(state: State) -> SearchRequest | None:
    """Return the search that is wanted now; None if there is none."""
    player = mover(state)
    if player is None:
        return None
    level, engine = state.level_of(player), state.engine
    if not level and engine.hinting:
        return SearchRequest(state.position, "", HINTS)
    known = engine.judged is not None and engine.judged.position == state.position
    judges = not known and _shows_chances(state)
    moves = level in engine.levels and not proposed_move(state)
    # People do not wait for a judgement: a computer player's move comes first.
    if moves and not (judges and all(state.computers)):
        return SearchRequest(state.game.seen_by(state.position, player, remembers=True), level, 1)
    if judges:
        return SearchRequest(state.position, JUDGE, 1)
    helped = not level and state.helps[player - 1].level >= WARNED and bool(engine.levels)
    return SearchRequest(state.situation.public, GRADE, 0) if helped else None


def _shows_chances(state: State) -> bool:
    """Return whether people agreed to see who stands better, in an open game for two."""
    agreed = state.agreement.assistance == "chances" and bool(state.engine.levels)
    return agreed and not state.game.hidden and len(state.game.players) == 2


def chances(state: State) -> float | None:
    """Return the first player's expected score by the latest judgement; None if not shown."""
    if not _shows_chances(state) or state.draft is not None:
        return None
    judged, outcome = state.engine.judged, state.outcome
    if outcome is not None:
        return EVEN_SCORE if outcome.winner is None else float(outcome.winner == 1)
    value = EVEN_SCORE if judged is None else judged.moves[0].value
    return value if judged is None or state.game.to_move(judged.position) == 1 else 1 - value


def bound_taps(state: State) -> tuple[str, ...] | None:
    """Return the only taps that may enter a move; None if all legal taps may.

    The tuple is empty while a computer player searches; then it has the taps of its move. If the
    engine does not answer, people choose its move.
    """
    level = state.level_of(state.situation.to_move)
    if not level:
        return None
    if text := proposed_move(state):
        return state.game.taps(state.position, state.game.parse_move(state.position, text))
    if level == OTHER_BOARD and state.engine.shared:
        return ()
    answers = level in state.engine.levels and state.engine.unavailable is None
    return () if answers else None


def computers_turn_refusal(state: State, spot: str) -> Message | None:
    """Return why a touch does not count while a computer player is to move; None for a person."""
    only = bound_taps(state)
    if only is None:
        return None
    if not only:
        if awaits_joining(state):
            return NOT_JOINED
        elsewhere = _is_elsewhere(state)
        return say("table.wait_for_board") if elsewhere else say("table.wait_for_computer")
    move, who = proposed_move(state), _who(state)
    if spot in state.game.keys:
        return say("table.not_its_key", who=who, move=move)
    return say("table.not_its_move", who=who, cell=spot, move=move)


def is_persons_turn(state: State) -> bool:
    """Return whether a person enters a move now."""
    player = mover(state)
    entering = state.phase is Phase.TAP and not state.faults.reasons
    return entering and player is not None and not state.level_of(player)


def is_searching(state: State) -> bool:
    """Return whether the board is right and people wait for a computer player."""
    return _bound_now(state) == ()


def proposal(state: State) -> Proposal | None:
    """Return the move that people must make now for a computer player; None if there is none."""
    taps = _bound_now(state)
    if not taps:
        return None
    return Proposal(proposed_move(state), taps[len(state.taps) :])


def hints(state: State) -> tuple[Hint, ...]:
    """List the hints that match the current taps, best first."""
    if not is_persons_turn(state):
        return ()
    shown = []
    done = len(state.taps)
    for move in state.engine.hints:
        taps = state.game.taps(state.position, state.game.parse_move(state.position, move.move))
        if taps[:done] == state.taps and len(taps) > done:
            shown.append(Hint(taps[done], move))
    return tuple(shown)


def help_of_mover(state: State) -> Help:
    """Return the help of the person who enters a move now; none for others."""
    helped = state.agreement.help_levels and is_persons_turn(state)
    return state.helps[(state.situation.to_move or 1) - 1] if helped else Help()


def grade_at(state: State, spot: str) -> Graded | None:
    """Return the grade of the best move that goes on with a tap; None while it is not known."""
    return state.guided.grades.get((*state.taps, spot))


def looked_at(state: State) -> str:
    """Return the cell whose grade is shown now, "" if none is."""
    shown = (*state.taps, state.inspecting) in state.guided.looks
    return state.inspecting if state.inspecting and shown else ""


def looks_left(state: State) -> int | None:
    """Return how many looks the player to move has left in this turn; None for any number."""
    looks = help_of_mover(state).looks
    return None if looks is None else max(0, looks - len(state.guided.looks))


def best_spots(state: State, next_taps: frozenset[str]) -> tuple[str, ...]:
    """List a few of the best next taps, if the player's help shows them."""
    if help_of_mover(state).level < BEST_LIT:
        return ()
    graded = {spot: each for spot in next_taps if (each := grade_at(state, spot)) is not None}
    best = [spot for spot, each in graded.items() if each.grade is Grade.GOOD]
    return tuple(sorted(best, key=lambda spot: (graded[spot].loss, spot))[:HINTS])


def shown_idea(state: State) -> Advice | None:
    """Return the coach's current idea for the player to move."""
    return state.coach.shown if is_persons_turn(state) else None


def computer_prompts(state: State, player: int) -> tuple[Message, ...]:
    """Return messages on what a computer player does, wants, or cannot do; none for a person."""
    level, who = state.level_of(player), state.called(player)
    if not level:
        return ()
    if awaits_joining(state):
        return (NOT_JOINED,)
    if is_searching(state):
        thinks = say("table.thinking", player=who)
        return (say("table.board_to_move", player=who) if level == OTHER_BOARD else thinks,)
    if (wants := proposal(state)) is not None:
        return (_proposal_prompt(state, wants),)
    unavailable = state.engine.unavailable
    if level not in state.engine.levels or unavailable is None:
        return (say("table.unknown_level", player=who, level=level_word(level)),)
    return unavailable, say("table.play_for_it", player=who)


def help_prompts(state: State) -> tuple[Message, ...]:
    """Return messages on the hints, and the coach's idea once its notice is gone."""
    said = []
    if cell := looked_at(state):
        graded = grade_at(state, cell)
        said.append(graded.word(cell) if graded else say("help.not_graded", cell=cell))
    if help_of_mover(state).level == LOOKS:
        said.append(say("help.looks_left", count=looks_left(state) or 0))
    if state.engine.hinting and is_persons_turn(state):
        said.append(state.engine.unavailable or say("table.hinting"))
    shown = hints(state)
    if shown:
        said.append(say("table.hints", ideas=tuple(_hint_word(hint.move) for hint in shown)))
    idea, notice = shown_idea(state), state.notices.current
    if idea is not None and (notice is None or notice.message != idea.message):
        said.append(idea.message)
    return tuple(said)


def _bound_now(state: State) -> tuple[str, ...] | None:
    """Return `bound_taps`; None also while no move can be entered."""
    if state.phase is not Phase.TAP or state.faults.reasons or mover(state) is None:
        return None
    return bound_taps(state)


def _proposal_prompt(state: State, wants: Proposal) -> Message:
    move = state.game.parse_move(state.position, wants.text)
    spot, who = wants.taps[0], _who(state)
    if spot in state.game.keys:
        does = state.game.presentation.computer_plays(wants.text)
        if _is_elsewhere(state):
            does = say("table.board_plays", move=wants.text)
        return say("table.wants_key", does=does, keys=_key_words(state, wants))
    wants_move = say("table.wants_move", who=who, move=wants.text, spot=spot)
    if state.game.hidden:
        # The result of a move may depend on hidden pieces.
        return wants_move
    pieces = state.game.pieces(state.game.play(state.position, move))
    stays = pieces.get(spot) == state.situation.pieces.get(spot)
    if stays or spot not in pieces or len(state.game.taps(state.position, move)) > 1:
        return wants_move
    piece = state.game.presentation.piece_word(pieces[spot])
    return say("table.wants_touched", who=who, piece=piece, cell=spot)


def _who(state: State) -> Message:
    """Name the proposer of a move: the computer or the other board."""
    elsewhere = _is_elsewhere(state)
    return say("table.the_board") if elsewhere else say("table.the_computer")


def awaits_joining(state: State) -> bool:
    """Return whether a game is offered to another board that has not joined yet."""
    return set(state.computers) == {OTHER_BOARD}


def _is_elsewhere(state: State) -> bool:
    return state.level_of(state.situation.to_move) == OTHER_BOARD


def _key_words(state: State, wants: Proposal) -> Message | str:
    first, *later = (
        say("key.ring", ring=spot.removeprefix("ring"))
        if spot in state.game.board.rings
        else say("table.key", key=spot_word(state, spot))
        for spot in wants.taps
    )
    return say("key.then", first=first, then=later[0]) if later else first


def _hint_word(hint: ScoredMove) -> Message:
    if hint.decided and hint.value == 1.0:
        return say("table.idea_wins", move=hint.move)
    if hint.decided and hint.value == 0.0:
        return say("table.idea_loses", move=hint.move)
    return say("table.idea", move=hint.move, percent=round(100 * hint.value))


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """The choice at a cell of the menu: a level for a player; without a player, only people play.

    `chosen` means that it applies now, or is suggested. If it is `of_help`, it is a level of help;
    without a player, it opens or closes the menu of help.
    """

    player: int | None
    level: str
    chosen: bool
    of_help: bool = False


def menu_choices(state: State) -> dict[str, MenuChoice]:
    """Map each cell of the menu to its choice, row by row; empty if there can be no menu.

    A menu that opened by itself suggests an easy computer player, and offers the game's tutorial if
    a cell is free. On that cell a menu that people opened offers the menu of help.
    """
    of_help, last = state.menu_of_help, len(state.game.players)
    levels = tuple(level for level in state.engine.levels if level != EVEN)
    computers = state.levels
    if state.menu_offered:
        computers = (*("",) * (last - 1), EASY)
    if of_help:
        levels = tuple(map(str, range(BEST_LIT + 1)))
        computers = tuple(str(each.level) for each in state.helps)
    people, rows = menu_layout(state.game.board, last, len(levels))
    if not people:
        return {}
    menu = {people: MenuChoice(None, "", not any(computers), of_help=of_help)}
    for player, row in enumerate(rows, start=1):
        for cell, level in zip(row, spread_levels(levels, len(row)), strict=True):
            chosen = level == computers[player - 1]
            menu[cell] = MenuChoice(player, level, chosen, of_help=of_help)
    free = [cell for cell in state.game.board.cells if cell not in menu]
    learns = state.menu_offered and bool(tutorial(state.game))
    if free and (learns or not (state.menu_offered or of_help or state.agreement.strict)):
        at, others = state.game.board.centres, tuple(menu)
        # The cell for the tutorial or help is the farthest from all others.
        apart = {c: round(min(dist(at[c], at[o]) for o in others), DECIMALS) for c in free}
        more = MenuChoice(None, LESSON if learns else HELP_MENU, False, of_help=not learns)
        menu[max(free, key=apart.__getitem__)] = more
    return menu


RING_TURN_S = 6.0  # Time for which a ring turn is shown; afterwards wrong cells are shown


def edits_to_show(state: State) -> tuple[Edit, ...]:
    """List the edits that people are asked to make; a shown ring turn replaces its cells' edits."""
    if state.waits:
        return ()
    pending, turn = state.pending, shown_turn(state)
    return (turn_edit(turn),) if turn is not None and pending else pending


def shown_turn(state: State) -> RingTurn | None:
    """Return the ring turn that lights show: none while there is more to do than to turn it."""
    turn = state.ring_turn
    if turn is None or state.faults.reasons:
        return None
    ring, board = set(state.game.board.rings[turn.ring]), state.game.board
    return turn if all(ring.issuperset(cells_of(edit, board)) for edit in state.pending) else None


def turn_edit(turn: RingTurn) -> Edit:
    """Return a turn of a ring as an edit."""
    return Edit(EditKind.TURN, turn.ring, "", turn.steps)
