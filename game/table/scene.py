"""What the board shows: cues on cells and legend, scores, the turn, and the words for it.

Owns the cues and the picture that follows from a state of the table. Knows no colours, no
rhythms and no pixels.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from game.rules.game import HUES, EditKind, Game, Goal, Inspection, Role, Signal
from game.rules.message import Message
from game.table.helping import Hint, Proposal, hints, is_thinking, proposal, threats
from game.table.menu import Choice, choices
from game.table.prompts import prompt
from game.table.state import UNKNOWN_PIECE, Phase, Played, State
from game.table.travelling import asked, running


class Cue(Enum):
    """What a light means; the values are the names that the page shows to programs."""

    PLACED = "placed"
    """The stone placed last."""
    CRITTER = "critter"
    """The rest of its critter, or the critter that is inspected."""
    LEGAL = "legal"
    """A cell that can be touched next."""
    CHOSEN = "chosen"
    """A touch accepted as part of a move."""
    REMOVE = "remove"
    """Take away what stands here."""
    PUT = "put"
    """Put here what should stand."""
    WRONG = "wrong"
    """The touch here was refused."""
    PREY = "prey"
    """What the inspected critter would eat."""
    PREDATOR = "predator"
    """What would eat the inspected critter."""
    DRAW = "draw"
    """Who begins is being drawn."""
    WIN = "win"
    """The winner's pieces."""
    CURSOR = "cursor"
    """A masked cell, which the cell key touches."""
    FAULT = "fault"
    """A cell that cannot be felt now."""
    FELT = "felt"
    """A touch that is felt, and is being kept."""
    STANDS = "stands"
    """What stands here is right: to be compared with the board."""
    PROPOSED = "proposed"
    """What the computer player wants: to be touched, or its piece to be set, for it."""
    HINT = "hint"
    """One of the best moves, for the asking."""
    ENDANGERED = "endangered"
    """A piece of whoever moves that could be taken next turn."""
    EDIBLE = "edible"
    """A piece that whoever moves could take."""
    TURNED = "turned"
    """A ring that turns, or was just turned: it runs round as the ring goes."""
    SWAP = "swap"
    """Take away what stands here, and put another piece."""
    MARK = "mark"
    """A light that counts something of the inspected piece."""
    OTHER_MARK = "other_mark"
    """The same of another kind."""
    FACE = "face"
    """A hidden piece that is shown to everybody."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One light's meaning, the side (from 1) whose colour it takes, and its phase in periods.

    Of several hints the best has `rank` 0. A `signal` depicts a hidden piece that is shown.
    """

    cue: Cue
    side: int | None = None
    phase: float = 0.0
    rank: int = 0
    signal: Signal | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is to be shown at one moment.

    `keys` are the game's keys that mean something now. `legend` maps indices of the game's legend.
    `turn` is the player whose turn light is on. `sides` has the side of each player, `hues` the
    colour of each side. `goals` fill the bars; without any there are none. `score` is a number a
    player, and `goal` the score that wins, if one does. `unkept` warns that the game
    would not outlive a power cut. `thinking` says that a computer player thinks about its move, and
    nobody else can do anything; `proposal` is the move that it wants then. `hints` are best first.
    `menu` is what each cell stands for while the board is a menu. `shown_at` is when faces were
    uncovered that are being shown, if hands have just done it.
    """

    phase: Phase
    cells: Mapping[str, Lamp]
    legend: Mapping[int, Lamp]
    score: tuple[int, ...]
    goal: int | None
    turn: int | None
    prompt: tuple[Message, ...]
    notice: Message | None
    unkept: bool = False
    thinking: bool = False
    proposal: Proposal | None = None
    hints: tuple[Hint, ...] = ()
    menu: Mapping[str, Choice] = field(default_factory=dict)
    keys: Mapping[str, Lamp] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    hues: tuple[str, ...] = HUES
    goals: tuple[Goal, ...] = ()
    shown_at: float | None = None


_ROLE_CUES = {
    Role.CRITTER: Cue.CRITTER,
    Role.PREY: Cue.PREY,
    Role.PREDATOR: Cue.PREDATOR,
    Role.MARK: Cue.MARK,
    Role.OTHER_MARK: Cue.OTHER_MARK,
}
_MARKS = (Role.MARK, Role.OTHER_MARK)
_EDIT_CUES = {EditKind.REMOVE: Cue.REMOVE, EditKind.PUT: Cue.PUT, EditKind.SWAP: Cue.SWAP}


def scene(game: Game[Any, Any], state: State, next_taps: frozenset[str]) -> Scene:
    """Picture a state of the table."""
    inspected = game.inspect(state.position, state.inspecting) if state.inspecting else None
    last = state.history[-1] if state.history else None
    made = game.inspect(state.position, last.focus) if last and last.focus else None
    if state.phase is Phase.DRAW:
        cells, legend = _draw_lamps(game)
    elif state.phase is Phase.MENU:
        cells, legend = _menu_lamps(game, state), {}
    elif state.phase is Phase.ARRANGE:
        cells, legend = _zone_lamps(game, state), {}
    elif state.phase is Phase.SHOW:
        cells, legend = _face_lamps(game, state), {}
    elif state.phase in (Phase.CONFIRM, Phase.SET_UP):
        cells, legend = _standing_lamps(game, state), {}
    elif inspected is not None:
        cells = _inspection_lamps(game, state, inspected)
        legend = {n: Lamp(_ROLE_CUES[role]) for n, role in inspected.legend.items()}
    else:
        cells = _turn_lamps(game, state, next_taps, made)
        roles = made.legend if made is not None else {}
        own = [n for n, role in roles.items() if role is Role.CRITTER]
        legend = {n: Lamp(Cue.CRITTER, _side(game, last)) for n in own}
    cells.update(_urgent_lamps(game, state, cells))
    players = range(1, len(game.players) + 1)
    return Scene(
        phase=state.phase,
        cells={spot: lamp for spot, lamp in cells.items() if spot in game.board.centres},
        keys={spot: lamp for spot, lamp in cells.items() if spot in game.keys},
        legend=legend,
        score=game.score(state.position) if state.draft is None else state.draft.score,
        goal=game.goal(state.position),
        goals=_goals(game, state),
        turn=state.turn(game),
        sides=tuple(game.side_of(state.position, player) for player in players),
        hues=game.hues,
        prompt=(inspected.message,) if inspected else prompt(game, state, next_taps),
        notice=state.notice.message if state.notice else None,
        unkept=not state.kept,
        thinking=is_thinking(game, state),
        proposal=proposal(game, state),
        hints=hints(game, state),
        menu=choices(game, state) if state.phase is Phase.MENU else {},
        shown_at=state.moved_at if state.phase is Phase.SHOW else None,
    )


def _draw_lamps(game: Game[Any, Any]) -> tuple[dict[str, Lamp], dict[int, Lamp]]:
    """Let the lights run round the board and round the legend."""
    rim, size = game.board.rim, len(game.legend)
    cells = {cell: Lamp(Cue.DRAW, None, n / len(rim)) for n, cell in enumerate(rim)}
    return cells, {n: Lamp(Cue.DRAW, None, n / size) for n in range(size)}


def _standing_lamps(game: Game[Any, Any], state: State) -> dict[str, Lamp]:
    """Show what should stand where, to be compared with the board."""
    pieces = state.expected(game)
    return {cell: Lamp(Cue.STANDS, game.side(piece)) for cell, piece in pieces.items()}


def _zone_lamps(game: Game[Any, Any], state: State) -> dict[str, Lamp]:
    """Show where one may lay out his pieces on the board, the same whatever he has laid out."""
    covering = state.covering
    arranges = None if covering is None else game.arranging(state.position, covering.player)
    if covering is None or arranges is None:
        return {}
    side = game.side_of(state.position, covering.player)
    return {cell: Lamp(Cue.LEGAL, side) for cell in arranges.cells}


def _face_lamps(game: Game[Any, Any], state: State) -> dict[str, Lamp]:
    """Show the pieces that the last move has uncovered, and nothing else."""
    faces = state.history[-1].faces if state.history else {}
    return {
        cell: Lamp(Cue.FACE, game.side(piece), signal=game.signal(piece))
        for cell, piece in faces.items()
    }


def _inspection_lamps(game: Game[Any, Any], state: State, inspected: Inspection) -> dict[str, Lamp]:
    """Show the parts that pieces play for the inspected one, and nothing of the turn."""
    pieces = game.pieces(state.position)
    own = pieces.get(state.inspecting, "")
    return {
        cell: Lamp(_ROLE_CUES[role], game.side(own if role in _MARKS else pieces.get(cell, "")))
        for cell, role in inspected.cells.items()
    }


def _turn_lamps(
    game: Game[Any, Any], state: State, next_taps: frozenset[str], made: Inspection | None
) -> dict[str, Lamp]:
    """Show what can be touched, and what the last move made; at the end the winner's pieces."""
    if state.outcome is not None:
        winner = state.outcome.winner
        side = None if winner is None else game.side_of(state.position, winner)
        pieces = game.pieces(state.position)
        won = [cell for cell, piece in pieces.items() if game.side(piece) == side]
        return {cell: Lamp(Cue.WIN, side) for cell in won if side is not None}
    lamps: dict[str, Lamp] = {}
    mover = game.to_move(state.position)
    side = None if mover is None else game.side_of(state.position, mover)
    tapping = state.phase is Phase.TAP and not state.disturbed
    if tapping:
        cue = Cue.PROPOSED if proposal(game, state) is not None else Cue.LEGAL
        lamps.update({spot: Lamp(cue, side) for spot in next_taps})
    last = state.history[-1] if state.history and not state.taps else None
    if last is not None and last.focus:
        roles = made.cells if made is not None else {}
        own = [cell for cell, role in roles.items() if role is Role.CRITTER]
        shown = {cell: Lamp(Cue.CRITTER, _side(game, last)) for cell in own}
        shown[last.focus] = Lamp(Cue.PLACED, _side(game, last))
        # What goes on is more important than what has been done.
        lamps = shown | lamps
    lamps.update(_running_lamps(game, state))
    if tapping:
        lamps.update(_hint_lamps(game, state, side))
        lamps.update({spot: Lamp(Cue.CHOSEN, side) for spot in {*state.taps} - next_taps})
    taken, hinted = threats(game, state), {hint.spot for hint in hints(game, state)}
    covered = hinted | set(state.taps)
    lamps.update({cell: Lamp(Cue.ENDANGERED) for cell in taken.endangered - covered})
    lamps.update({cell: Lamp(Cue.EDIBLE) for cell in taken.edible - covered - next_taps})
    return lamps


def _running_lamps(game: Game[Any, Any], state: State) -> dict[str, Lamp]:
    """Let the lights run round the rings that turn, in the colours of what stands there."""
    return {
        cell: Lamp(Cue.TURNED, _standing_side(game, state, cell), phase)
        for cell, phase in running(game, state).items()
    }


def _standing_side(game: Game[Any, Any], state: State, cell: str) -> int | None:
    piece = state.standing.get(cell, UNKNOWN_PIECE)
    return None if piece == UNKNOWN_PIECE else game.side(piece)


def _side(game: Game[Any, Any], played: Played | None) -> int | None:
    """Return the side that made a move."""
    return None if played is None else game.side_of(played.before, played.player)


def _goals(game: Game[Any, Any], state: State) -> tuple[Goal, ...]:
    """Say how near the ends are; in a position that is being set up, by the score alone."""
    wanted = game.goal(state.position)
    if state.draft is None or wanted is None:
        return game.goals(state.position) if state.draft is None else ()
    scores = enumerate(state.draft.score, start=1)
    return tuple(Goal(player, game.score_word, each, wanted) for player, each in scores)


def _hint_lamps(game: Game[Any, Any], state: State, side: int | None) -> dict[str, Lamp]:
    """Show where the hints go on; where two do, the better one."""
    shown = tuple(enumerate(hints(game, state)))
    return {hint.spot: Lamp(Cue.HINT, side, rank=rank) for rank, hint in reversed(shown)}


def _menu_lamps(game: Game[Any, Any], state: State) -> dict[str, Lamp]:
    """Show each choice in the colour of its player, and what is chosen now."""
    return {
        cell: Lamp(
            Cue.CHOSEN if choice.chosen else Cue.LEGAL,
            None if choice.player is None else game.side_of(state.position, choice.player),
        )
        for cell, choice in choices(game, state).items()
    }


def _urgent_lamps(game: Game[Any, Any], state: State, below: Mapping[str, Lamp]) -> dict[str, Lamp]:
    """Show what hands must change, over it the touch that was refused, over all what is lost.

    While play pauses nothing is asked of hands.
    """
    lamps: dict[str, Lamp] = {}
    if not state.disturbed and state.phase not in (Phase.MENU, Phase.SHOW):
        for edit in asked(game, state):
            if edit.kind is EditKind.TURN:
                # Where fingers are felt, a press of its key says that it has been turned.
                key = {edit.cell: Lamp(Cue.TURNED)} if state.felt is None else {}
                lamps.update(_running_lamps(game, state) | key)
                continue
            piece = edit.piece or state.standing.get(edit.cell, "")
            side = None if piece == UNKNOWN_PIECE else game.side(piece)
            lamps[edit.cell] = Lamp(_EDIT_CUES[edit.kind], side)
    if not state.disturbed:
        if state.cursor:
            under = lamps.get(state.cursor) or below.get(state.cursor)
            lamps[state.cursor] = Lamp(Cue.CURSOR, under.side if under else None)
        if state.draft is not None and state.draft.flaw is not None:
            lamps.update({cell: Lamp(Cue.WRONG) for cell in state.draft.flaw.cells})
    if state.wrong is not None:
        lamps[state.wrong.cell] = Lamp(Cue.WRONG)
    lamps.update({cell: Lamp(Cue.FAULT) for cell in state.lost})
    return lamps
