"""Computer players: what is searched, what binds the hands, and what is shown of it.

Owns what follows from a state: the search that is wanted, the proposed move, hints and advice.
Knows no search, no process and no time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.values import Advice
from game.table.inputs import ScoredMove
from game.table.player_view import is_hidden, known, proposed_move
from game.table.records import OTHER_BOARD, Phase
from game.table.state import State

HINTS = 3
"""Number of hints shown: more would cover the board with lights."""

_WORDS = (
    *(say("level.random"), say("level.1"), say("level.2"), say("level.3")),
    *(say("level.4"), say("level.5"), say("level.6"), say("level.even")),
)
_LEVEL_WORDS: Mapping[str, Message] = {word.key.partition(".")[2]: word for word in _WORDS}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position to be searched at a level, and the number of moves wanted.

    A `level` of "" asks for hints, as good as possible.
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
    """Name a level for people; by its own name where there is no better word."""
    if level == OTHER_BOARD:
        return say("level.board")
    return _LEVEL_WORDS.get(level, level)


def spot_word(game: AnyGame, state: State, spot: str) -> Message | str:
    """Name a spot for people: a cell by its name, a key by what it does now."""
    return (
        game.presentation.key_word(state.position, state.taps, spot) if spot in game.keys else spot
    )


def mover(game: AnyGame, state: State) -> int | None:
    """Return who is to move in the position, None if play has not begun or is over."""
    if state.outcome is not None or state.draft is not None or state.arranging:
        return None
    return state.situation.to_move


def search_request(game: AnyGame, state: State) -> SearchRequest | None:
    """Return the search that is wanted now, None if none is."""
    player = mover(game, state)
    if player is None:
        return None
    level = state.level_of(player)
    if not level:
        return SearchRequest(state.position, "", HINTS) if state.engine.hinting else None
    if level not in state.engine.levels or proposed_move(game, state, state.position):
        return None
    return SearchRequest(known(game, state.position, player), level, 1)


def bound_taps(game: AnyGame, state: State, position: Any) -> tuple[str, ...] | None:
    """Return the only taps that may enter a move in a position; None if all legal ones may.

    While a computer player searches, none may (an empty tuple), then those of its move. Where the
    engine does not answer, people play for it.
    """
    level = state.level_of(game.to_move(position))
    if not level:
        return None
    text = proposed_move(game, state, position)
    if text:
        return game.taps(position, game.parse_move(position, text))
    if level == OTHER_BOARD and state.engine.shared:
        return ()
    answers = level in state.engine.levels and state.engine.unavailable is None
    return () if answers else None


def computers_turn_refusal(game: AnyGame, state: State, spot: str) -> Message | None:
    """Say why a touch does not count while a computer player is to move; None for a person."""
    only = bound_taps(game, state, state.position)
    if only is None:
        return None
    if not only and _is_elsewhere(game, state):
        return say("table.wait_for_board")
    if not only:
        return say("table.wait_for_computer")
    move, who = proposed_move(game, state, state.position), _who(game, state)
    if spot in game.keys:
        return say("table.not_its_key", who=who, move=move)
    return say("table.not_its_move", who=who, cell=spot_word(game, state, spot), move=move)


def is_persons_turn(game: AnyGame, state: State) -> bool:
    """Tell whether a person enters a move now."""
    player = mover(game, state)
    entering = state.phase is Phase.TAP and not state.faults.reasons
    return entering and player is not None and not state.level_of(player)


def is_searching(game: AnyGame, state: State) -> bool:
    """Tell whether the board is right and people wait for a computer player."""
    return _bound_now(game, state) == ()


def proposal(game: AnyGame, state: State) -> Proposal | None:
    """Return the move that hands are to make now for a computer player; None if there is none."""
    taps = _bound_now(game, state)
    if not taps:
        return None
    return Proposal(proposed_move(game, state, state.position), taps[len(state.taps) :])


def hints(game: AnyGame, state: State) -> tuple[Hint, ...]:
    """List the hints that go on from the taps made, best first."""
    if not is_persons_turn(game, state):
        return ()
    shown = []
    done = len(state.taps)
    for move in state.engine.hints:
        taps = game.taps(state.position, game.parse_move(state.position, move.move))
        if taps[:done] == state.taps and len(taps) > done:
            shown.append(Hint(taps[done], move))
    return tuple(shown)


def idea_told(game: AnyGame, state: State) -> Advice | None:
    """Return the idea that the coach tells the player to move."""
    return state.coach.told if is_persons_turn(game, state) else None


def computer_prompts(game: AnyGame, state: State, player: int) -> tuple[Message, ...]:
    """Say what a computer player does or wants, or why it does not; nothing for a person."""
    level, who = state.level_of(player), game.presentation.called(state.position, player)
    if not level:
        return ()
    if is_searching(game, state) and level == OTHER_BOARD:
        return (say("table.board_to_move", player=who),)
    if is_searching(game, state):
        return (say("table.thinking", player=who, level=level_word(level)),)
    wants = proposal(game, state)
    if wants is not None:
        return (_proposal_prompt(game, state, wants),)
    unavailable = state.engine.unavailable
    if level not in state.engine.levels or unavailable is None:
        return (say("table.unknown_level", player=who, level=level_word(level)),)
    return unavailable, say("table.play_for_it", player=who)


def help_prompts(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say the hints, and the coach's idea once its notice is gone."""
    said = []
    if state.engine.hinting and is_persons_turn(game, state):
        said.append(state.engine.unavailable or say("table.hinting"))
    shown = hints(game, state)
    if shown:
        said.append(say("table.hints", ideas=tuple(_hint_word(hint.move) for hint in shown)))
    idea, notice = idea_told(game, state), state.notices.current
    if idea is not None and (notice is None or notice.message != idea.message):
        said.append(idea.message)
    return tuple(said)


def _bound_now(game: AnyGame, state: State) -> tuple[str, ...] | None:
    """Return the taps that a computer player allows now; None if a person acts, or play rests."""
    if state.phase is not Phase.TAP or state.faults.reasons or mover(game, state) is None:
        return None
    return bound_taps(game, state, state.position)


def _proposal_prompt(game: AnyGame, state: State, wants: Proposal) -> Message:
    """Say which stone to set, or which touch or key comes next."""
    move = game.parse_move(state.position, wants.text)
    spot, who = wants.taps[0], _who(game, state)
    if spot in game.keys:
        does = game.presentation.computer_plays(wants.text)
        if _is_elsewhere(game, state):
            does = say("table.board_plays", move=wants.text)
        return say("table.wants_key", does=does, keys=_key_words(game, state, wants))
    if is_hidden(game):
        # The result of a move may depend on hidden pieces.
        return say("table.wants_move", who=who, move=wants.text, spot=spot)
    pieces = game.pieces(game.play(state.position, move))
    stays = pieces.get(spot) == state.situation.pieces.get(spot)
    if stays or spot not in pieces or len(game.taps(state.position, move)) > 1:
        return say("table.wants_move", who=who, move=wants.text, spot=spot)
    piece = game.presentation.piece_word(pieces[spot])
    if state.feels_stones:
        return say("table.wants_set", who=who, piece=piece, cell=spot)
    return say("table.wants_touched", who=who, piece=piece, cell=spot)


def _who(game: AnyGame, state: State) -> Message:
    """Name who plays what is proposed."""
    elsewhere = _is_elsewhere(game, state)
    return say("table.the_board") if elsewhere else say("table.the_computer")


def _is_elsewhere(game: AnyGame, state: State) -> bool:
    """Tell whether the player to move is at another board."""
    return state.level_of(state.situation.to_move) == OTHER_BOARD


def _key_words(game: AnyGame, state: State, wants: Proposal) -> Message | str:
    """Name the key to press, and the ring's key that comes after it."""
    first, *later = (
        say("key.ring", ring=spot.removeprefix("ring"))
        if spot in game.board.rings
        else spot_word(game, state, spot)
        for spot in wants.taps
    )
    return say("key.then", first=first, then=later[0]) if later else first


def _hint_word(hint: ScoredMove) -> Message:
    if hint.decided and hint.value == 1.0:
        return say("table.idea_wins", move=hint.move)
    if hint.decided and hint.value == 0.0:
        return say("table.idea_loses", move=hint.move)
    return say("table.idea", move=hint.move, percent=round(100 * hint.value))
