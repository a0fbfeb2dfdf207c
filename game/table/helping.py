"""What is to be seen of computer players: the move that one wants, hints, and threats.

Owns how these follow from a state, in pieces that lights and words share.
"""

from dataclasses import dataclass
from typing import Any

from game.rules.game import Game, Threats
from game.rules.message import Message, say
from game.table.inputs import Idea
from game.table.state import Phase, State
from game.table.thinking import bound, computer, mover, proposed, spot_word, word

AnyGame = Game[Any, Any]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The move that a computer player wants: its plain text, and the taps still to be made."""

    text: str
    taps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as it shows: the tap that comes next, and the idea."""

    spot: str
    idea: Idea


def persons_turn(game: AnyGame, state: State) -> bool:
    """Tell whether a person enters a move now."""
    player = mover(game, state)
    entering = state.phase is Phase.TAP and not state.disturbed
    return entering and player is not None and not computer(state, player)


def is_thinking(game: AnyGame, state: State) -> bool:
    """Tell whether the board is right and everybody waits for a computer player."""
    if state.phase is not Phase.TAP or state.disturbed or mover(game, state) is None:
        return False
    return bound(game, state, state.position) == ()


def proposal(game: AnyGame, state: State) -> Proposal | None:
    """Return the move that hands are to make now for a computer player; None if there is none."""
    if state.phase is not Phase.TAP or state.disturbed or mover(game, state) is None:
        return None
    taps = bound(game, state, state.position)
    if not taps:
        return None
    return Proposal(proposed(game, state, state.position), taps[len(state.taps) :])


def hints(game: AnyGame, state: State) -> tuple[Hint, ...]:
    """List the hints that go on from the taps made, best first."""
    if not persons_turn(game, state):
        return ()
    shown = []
    done = len(state.taps)
    for idea in state.hints:
        taps = game.taps(state.position, game.parse_move(state.position, idea.move))
        if taps[:done] == state.taps and len(taps) > done:
            shown.append(Hint(taps[done], idea))
    return tuple(shown)


def threats(game: AnyGame, state: State) -> Threats:
    """Return what could be taken next turn, as far as it is taught now."""
    player = mover(game, state)
    if player is None or not state.teaching or not persons_turn(game, state):
        return Threats()
    return game.threats(state.position, player)


def of_computer(game: AnyGame, state: State, player: int) -> tuple[Message, ...]:
    """Say what a computer player does or wants, or why it does not; nothing of a person."""
    level, who = computer(state, player), game.called(state.position, player)
    if not level:
        return ()
    if is_thinking(game, state):
        return (say("table.thinking", player=who, level=word(level)),)
    wants = proposal(game, state)
    if wants is not None:
        return (_wanted(game, state, wants),)
    if level not in state.levels or state.stumped is None:
        return (say("table.unknown_level", player=who, level=word(level)),)
    return state.stumped, say("table.play_for_it", player=who)


def _wanted(game: AnyGame, state: State, wants: Proposal) -> Message:
    """Say which stone to set, or which touch or key comes next."""
    move = game.parse_move(state.position, wants.text)
    spot = wants.taps[0]
    if spot in game.keys:
        return say("table.wants_key", move=wants.text, key=spot_word(game, state, spot))
    if game.hidden:
        # What a move does may hang on what nobody sees.
        return say("table.wants_move", move=wants.text, spot=spot)
    pieces = game.pieces(game.play(state.position, move))
    stays = pieces.get(spot) == game.pieces(state.position).get(spot)
    if stays or spot not in pieces or len(game.taps(state.position, move)) > 1:
        return say("table.wants_move", move=wants.text, spot=spot)
    piece = game.piece_word(pieces[spot])
    if state.felt is None:
        return say("table.wants_touched", piece=piece, cell=spot)
    return say("table.wants_set", piece=piece, cell=spot)


def of_help(game: AnyGame, state: State) -> tuple[Message, ...]:
    """Say the hints, and what could be taken."""
    said = []
    if state.hinting and persons_turn(game, state):
        said.append(state.stumped or say("table.hinting"))
    shown = hints(game, state)
    if shown:
        said.append(say("table.hints", ideas=tuple(_idea(hint.idea) for hint in shown)))
    taken = threats(game, state)
    if taken.endangered:
        said.append(say("table.endangered", count=len(taken.endangered)))
    if taken.edible:
        said.append(say("table.edible", count=len(taken.edible)))
    return tuple(said)


def _idea(idea: Idea) -> Message:
    if idea.decided and idea.value == 1.0:
        return say("table.idea_wins", move=idea.move)
    if idea.decided and idea.value == 0.0:
        return say("table.idea_loses", move=idea.move)
    return say("table.idea", move=idea.move, percent=round(100 * idea.value))
