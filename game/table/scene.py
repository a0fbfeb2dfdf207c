"""The scene that the board shows, and each player's view of a table.

In a game that hides pieces, lights, pages and computer players get only such views.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import takewhile
from typing import Any

from game.rules.base.edits import EditKind, cells_of
from game.rules.base.game import AnyGame, score_goals
from game.rules.base.message import Message
from game.rules.base.situation import Situation
from game.rules.base.values import HUES, Goal, Inspection, Role, Signal
from game.rules.boards.fingers import Fingers
from game.table import hands
from game.table.inputs import Command, ScoredMove, SearchResult
from game.table.phases import Phase
from game.table.state import UNKNOWN_PIECE, BoardSetup, Notices, Played, State
from game.table.words import named, not_of_hands, prompt, spoken_details

Viewer = int | None
"""A player, or None for spectators: the board's lights, shared screens, people who watch."""


class PlayerView:
    """The views of one table, by viewer; views of a state and of past moves are cached."""

    def __init__(self) -> None:
        self._states: dict[Viewer, tuple[State, State]] = {}
        self._moves: dict[Viewer, tuple[tuple[Played, ...], list[Played]]] = {}

    def seen(self, state: State, viewer: Viewer = None) -> State:
        """Return a state as a viewer may see it; the same object in an open game."""
        if not state.hides and (viewer is None or not state.game.hidden):
            return state
        last = self._states.get(viewer)
        if last is None or last[0] is not state:
            view = self._view(state, viewer) if state.hides else state
            last = (state, replace(view, viewer=viewer, notices=_own_notices(state, viewer)))
            self._states[viewer] = last
        return last[1]

    def _view(self, state: State, viewer: Viewer) -> State:
        game, setups, engine = state.game, state.setups, state.engine
        position = game.seen_by(state.position, viewer)
        submitted = {n: move if n == viewer else "" for n, move in setups.submitted.items()}
        on_board = setups.on_board
        if on_board is not None and on_board.player != viewer:
            on_board = BoardSetup(on_board.player, ("",) * len(on_board.cells))
        result = _result(state, position)
        view = replace(
            state,
            situation=Situation(game, position),
            undone=("",) * len(state.undone),
            history=self._history(state, viewer),
            setups=replace(setups, submitted=submitted, on_board=on_board),
            engine=replace(engine.without_hints(), result=result),
            coach=replace(state.coach, position=None),
        )
        if not state.arranging:
            return replace(view, standing=_standing(state, position))
        # While pieces are laid out in secret, no trace of hands and stones is shown.
        sensed = frozenset[str]() if state.senses_stones else None
        return replace(
            view,
            standing={},
            inspecting="",
            fingers=Fingers(),
            hands=replace(view.hands, sensed=sensed, swapping=frozenset()),
            faults=replace(view.faults, unverified=frozenset()),
            notices=replace(view.notices, rejected=None),
        )

    def _history(self, state: State, viewer: Viewer) -> tuple[Played, ...]:
        """Hide faces in past moves, except those of the last move while the board shows them."""
        before, views = self._moves.get(viewer, ((), []))
        pairs = zip(before, state.history, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        new = (_played(state.game, each, viewer) for each in state.history[same:])
        moves = [*views[:same], *new]
        self._moves[viewer] = state.history, moves
        if state.showing_faces and moves:
            last = state.history[-1]
            return (*moves[:-1], replace(moves[-1], summary=last.summary, faces=last.faces))
        return tuple(moves)


def _own_notices(state: State, viewer: Viewer) -> Notices:
    """Leave out a question to another player; the notice of a draw offer is shown to all."""
    notices, asked = state.notices, state.notices.confirmation
    if asked is None or viewer is None or asked.player in (0, viewer):
        return notices
    current = notices.current if asked.command is Command.DRAW else None
    return replace(notices, confirmation=None, current=current)


def _played(game: AnyGame, played: Played, viewer: Viewer) -> Played:
    move = game.parse_move(played.before, played.text)
    return replace(
        played,
        before=game.seen_by(played.before, viewer),
        text=game.covered_text(played.text),
        summary=game.covered_summary(played.before, move) or played.summary,
        faces={cell: _back(game, piece) for cell, piece in played.faces.items()},
    )


def _standing(state: State, position: Any) -> Mapping[str, str]:
    """Return the standing pieces: right ones as the viewer sees them, others without faces."""
    right, sight = state.situation.pieces, state.game.pieces(position)
    stands = {}
    for cell, piece in state.standing.items():
        if piece == right.get(cell):
            stands[cell] = sight[cell]
        else:
            # A wrong piece that looks right to the viewer is unknown, so that it is replaced.
            back = piece if piece == UNKNOWN_PIECE else _back(state.game, piece)
            stands[cell] = UNKNOWN_PIECE if back == sight.get(cell) else back
    return stands


def _back(game: AnyGame, piece: str) -> str:
    side = game.presentation.side(piece)
    return UNKNOWN_PIECE if side is None else game.presentation.token(side)


def _result(state: State, position: Any) -> SearchResult | None:
    """Return the computer player's move once people must make it, without its value."""
    result = state.engine.result
    move = hands.proposed_move(state) if state.phase is Phase.TAP else ""
    if not move or result is None:
        return None
    knows = state.game.seen_by(position, state.game.to_move(position), remembers=True)
    return SearchResult(knows, result.level, (ScoredMove(move, 0.5),))


class Cue(Enum):
    """The meaning of a light; the values are the names that the page shows to programs."""

    PLACED = "placed"  # The stone placed last
    CRITTER = "critter"  # The other stones of that stone's critter, or the inspected critter
    LEGAL = "legal"  # A cell that can be touched next
    CHOSEN = "chosen"  # A touch that was accepted as part of a move
    REMOVE = "remove"  # Remove the piece here
    PUT = "put"  # Put a piece here
    WRONG = "wrong"  # The touch here was refused
    PREY = "prey"  # What the inspected critter would eat
    PREDATOR = "predator"  # What would eat the inspected critter
    DRAW = "draw"  # The beginner is being drawn
    WIN = "win"  # The winner's pieces
    CURSOR = "cursor"  # A masked cell, which the cell key touches
    FAULT = "fault"  # A cell that cannot be sensed now
    FELT = "felt"  # A touch that was sensed, and is being saved
    STANDS = "stands"  # The piece expected here, to be compared with the board
    PROPOSED = "proposed"
    """The move of a computer player: make it by a touch or by setting the piece."""
    HINT = "hint"  # One of the best moves, on request
    ENDANGERED = "endangered"  # A piece of the player to move that could be taken next turn
    EDIBLE = "edible"  # A piece that the player to move could take
    TURNED = "turned"  # A ring that must be turned or was just turned: the light runs round it
    GOOD = "good"  # A good move that is looked at; the next four are the other grades
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    LOSING = "losing"
    SWAP = "swap"  # Replace the piece here by another one
    MARK = "mark"  # A light that counts something of the inspected piece
    OTHER_MARK = "other_mark"  # Like MARK, in a second style
    FACE = "face"  # The uncovered face of a hidden piece


@dataclass(frozen=True, slots=True)
class Lamp:
    """One light's meaning, the side (from 1) that gives its colour, and its phase in periods.

    The best hint has `rank` 0. A `signal` depicts the face of a hidden piece.
    """

    cue: Cue
    side: int | None = None
    phase: float = 0.0
    rank: int = 0
    signal: Signal | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is shown at one moment.

    `keys` are the game's keys that have a use now. `legend` has lamps by index in the legend.
    `turn` is the player whose turn light is on. `sides` has the side of each player, `hues` the
    colour of each side. `goals` fill the bars, if there are any. `score` has a number per player,
    `goal` is the score that wins, if one does. `unsaved` warns that a power cut would lose the
    game. While a computer player is `thinking`, people wait; then `proposal` is its move. `hints`
    are best first. `time_short` means that the player to move has little time left.
    `menu` is the choice at each cell while the board is a menu. `shown_at` is the time when
    the shown faces were uncovered. `aloud` describes in words what only lights show. `chances` is
    the first player's expected score, from 0 to 1, where people agreed to see it.
    """

    phase: Phase
    cells: Mapping[str, Lamp]
    legend: Mapping[int, Lamp]
    score: tuple[int, ...]
    goal: int | None
    turn: int | None
    prompt: tuple[Message, ...]
    notice: Message | None
    unsaved: bool = False
    thinking: bool = False
    proposal: hands.Proposal | None = None
    hints: tuple[hands.Hint, ...] = ()
    menu: Mapping[str, hands.MenuChoice] = field(default_factory=dict)
    keys: Mapping[str, Lamp] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    legend_lights: str = ""
    hues: tuple[str, ...] = HUES
    goals: tuple[Goal, ...] = ()
    shown_at: float | None = None
    time_short: bool = False
    aloud: tuple[Message, ...] = ()
    chances: float | None = None

    def without_hands(self) -> "Scene":
        """Return this scene without requests to move pieces, for programs that move them."""
        notice = next(iter(not_of_hands((self.notice,) if self.notice else ())), None)
        prompt, aloud = not_of_hands(self.prompt), not_of_hands(self.aloud)
        return replace(self, prompt=prompt, aloud=aloud, notice=notice)


ROLE_CUES: Mapping[Role, Cue] = {
    Role.INSPECTED: Cue.CRITTER,
    Role.VICTIM: Cue.PREY,
    Role.THREAT: Cue.PREDATOR,
    Role.MARK: Cue.MARK,
    Role.OTHER_MARK: Cue.OTHER_MARK,
}
_MARKS = (Role.MARK, Role.OTHER_MARK)


def scene_of(state: State, next_taps: frozenset[str]) -> Scene:
    if state.waits:
        next_taps = frozenset()
    show, notice = state.game.presentation, state.notices.current
    inspected = show.inspect(state.position, state.inspecting) if state.inspecting else None
    cells, legend = _lamps(state, next_taps, inspected)
    cells.update(_urgent_lamps(state, cells))
    inspection = (inspected.message,) if inspected and not hands.looked_at(state) else ()
    words = inspection or prompt(state, next_taps)
    return Scene(
        phase=state.phase,
        cells={spot: lamp for spot, lamp in cells.items() if spot in state.game.board.centres},
        keys={spot: lamp for spot, lamp in cells.items() if spot in state.game.keys},
        legend=legend,
        score=state.situation.score if state.draft is None else state.draft.score,
        goal=_winning_score(state),
        goals=_goals(state),
        turn=state.turn,
        sides=state.situation.sides,
        hues=show.hues,
        legend_lights=show.legend_lights,
        prompt=words,
        aloud=spoken_details(state, next_taps, words),
        notice=named(state, notice.message) if notice else None,
        unsaved=not state.notices.saved,
        thinking=hands.is_searching(state),
        proposal=hands.proposal(state),
        hints=hands.hints(state),
        menu=hands.menu_choices(state) if state.phase is Phase.MENU else {},
        time_short=state.clocks is not None and state.clocks.short,
        shown_at=state.hands.moved_at if state.phase is Phase.SHOW else None,
        chances=hands.chances(state),
    )


def _lamps(
    state: State, next_taps: frozenset[str], inspected: Inspection | None
) -> tuple[dict[str, Lamp], dict[int, Lamp]]:
    """Return the lamps of cells and keys, and of the legend, without urgent ones."""
    show, cells, legend = state.game.presentation, dict[str, Lamp](), dict[int, Lamp]()
    if state.phase is Phase.DRAW:
        rim, size = state.game.board.rim, len(show.legend)
        cells = {cell: Lamp(Cue.DRAW, None, n / len(rim)) for n, cell in enumerate(rim)}
        legend = {n: Lamp(Cue.DRAW, None, n / size) for n in range(size)}
    elif state.phase is Phase.MENU:
        for cell, choice in hands.menu_choices(state).items():
            cue = Cue.CHOSEN if choice.chosen else Cue.LEGAL
            cue = Cue.HINT if choice.level == hands.LESSON else cue
            whose = choice.player
            cells[cell] = Lamp(cue, state.situation.sides[whose - 1] if whose else None)
    elif state.phase is Phase.ARRANGE:
        setup = state.setups.on_board
        arranges = setup and state.game.arranging(state.position, setup.player)
        side = show.side_of(state.position, setup.player) if setup else None
        # All cells of the set-up are lit, so that the lights do not reveal the pieces set so far.
        cells = {cell: Lamp(Cue.LEGAL, side) for cell in (arranges.cells if arranges else ())}
    elif state.phase is Phase.SHOW:
        faces = state.history[-1].faces if state.history else {}
        cells = {
            cell: Lamp(Cue.FACE, show.side(piece), signal=state.game.signal(piece))
            for cell, piece in faces.items()
        }
    elif state.phase in (Phase.CONFIRM, Phase.SET_UP):
        # The expected pieces, to be compared with the board.
        cells = {c: Lamp(Cue.STANDS, show.side(piece)) for c, piece in state.expected.items()}
    elif inspected is not None:
        pieces = state.situation.pieces
        own = pieces.get(state.inspecting, "")
        cells = {
            cell: Lamp(ROLE_CUES[role], show.side(own if role in _MARKS else pieces.get(cell, "")))
            for cell, role in inspected.cells.items()
        }
        legend = {n: Lamp(ROLE_CUES[role]) for n, role in inspected.legend.items()}
    else:
        last = state.history[-1] if state.history else None
        made = show.inspect(state.position, last.focus) if last and last.focus else None
        cells = _turn_lamps(state, next_taps, made)
        roles = made.legend if made is not None else {}
        own_cues = [n for n, role in roles.items() if role is Role.INSPECTED]
        legend = {n: Lamp(Cue.CRITTER, _side(state, last)) for n in own_cues}
    if (graded := hands.looked_at(state)) and (grade := hands.grade_at(state, graded)):
        cells[graded] = Lamp(Cue[grade.grade.name])
    return cells, legend


def _turn_lamps(
    state: State, next_taps: frozenset[str], made: Inspection | None
) -> dict[str, Lamp]:
    show = state.game.presentation
    if state.outcome is not None:
        if (winner := state.outcome.winner) is None:
            return {}
        won, pieces = show.side_of(state.position, winner), state.situation.pieces
        return {c: Lamp(Cue.WIN, won) for c, piece in pieces.items() if show.side(piece) == won}
    lamps: dict[str, Lamp] = {}
    mover = state.situation.to_move
    side = None if mover is None else show.side_of(state.position, mover)
    tapping = state.phase is Phase.TAP and not state.faults.reasons
    if tapping:
        cue = Cue.PROPOSED if hands.proposal(state) is not None else Cue.LEGAL
        lamps.update({spot: Lamp(cue, side) for spot in next_taps})
    last = state.history[-1] if state.history and not state.taps else None
    if last is not None and last.focus:
        roles = made.cells if made is not None else {}
        own = [cell for cell, role in roles.items() if role is Role.INSPECTED]
        shown = {cell: Lamp(Cue.CRITTER, _side(state, last)) for cell in own}
        shown[last.focus] = Lamp(Cue.PLACED, _side(state, last))
        # The next touches are more important than the last move.
        lamps = shown | lamps
    lamps.update(_running_lamps(state))
    if tapping:
        if not hands.looked_at(state):
            best = hands.best_spots(state, next_taps)
            lamps.update(dict.fromkeys(best, Lamp(Cue.HINT, side)))
            for rank, hint in reversed([*enumerate(hands.hints(state))]):
                # If two hints share a touch, the better one is shown.
                lamps[hint.spot] = Lamp(Cue.HINT, side, rank=rank)
        lamps.update({spot: Lamp(Cue.CHOSEN, side) for spot in {*state.taps} - next_taps})
    notice = state.notices.current
    if notice is not None and notice.message == state.guided.why:
        if (answer := state.guidance.answer) is not None:
            lamps.update({spot: Lamp(Cue.PREDATOR) for spot in answer.taps})
            lamps.update({cell: Lamp(Cue.ENDANGERED) for cell in answer.removed})
    elif (idea := hands.shown_idea(state)) and not hands.looked_at(state):
        covered = {hint.spot for hint in hands.hints(state)} | set(state.taps)
        for cell in idea.subject - covered:
            lamps[cell] = Lamp(Cue.CRITTER, _standing_side(state, cell))
        lamps.update({spot: Lamp(Cue.HINT, side) for spot in idea.spots - covered})
        lamps.update({cell: Lamp(Cue.PREDATOR) for cell in idea.attackers - covered})
        lamps.update({cell: Lamp(Cue.ENDANGERED) for cell in idea.threats.endangered - covered})
        edible = idea.threats.edible - covered - next_taps
        lamps.update({cell: Lamp(Cue.EDIBLE) for cell in edible})
    return lamps


def _running_lamps(state: State) -> dict[str, Lamp]:
    """Light the cells of turning rings, each later than the one before it."""
    edits = [edit for edit in hands.edits_to_show(state) if edit.kind is EditKind.TURN]
    if not edits and (turn := hands.shown_turn(state)) is not None:
        edits.append(hands.turn_edit(turn))
    lamps = {}
    for edit in edits if not state.faults.reasons else ():
        cells = cells_of(edit, state.game.board)
        for n, cell in enumerate(cells):
            phase = (n if edit.steps > 0 else -n) % len(cells) / len(cells)
            lamps[cell] = Lamp(Cue.TURNED, _standing_side(state, cell), phase)
    return lamps


def _standing_side(state: State, cell: str) -> int | None:
    piece = state.standing.get(cell, UNKNOWN_PIECE)
    return None if piece == UNKNOWN_PIECE else state.game.presentation.side(piece)


def _side(state: State, played: Played | None) -> int | None:
    return None if played is None else state.game.presentation.side_of(played.before, played.player)


def _winning_score(state: State) -> int | None:
    """Return the score that wins, if each player's only goal is the same score; else None."""
    goals, score = state.situation.goals, state.situation.score
    counted = {goal.wanted for goal in goals}
    if len(counted) != 1 or tuple(goal.reached for goal in goals) != score:
        return None
    return counted.pop()


def _goals(state: State) -> tuple[Goal, ...]:
    """Return the goals with their progress; while a position is set up, only score goals."""
    if state.draft is None:
        return state.situation.goals
    wanted = _winning_score(state)
    word = state.game.presentation.score_word
    return () if wanted is None else score_goals(word, state.draft.score, wanted)


def _urgent_lamps(state: State, below: Mapping[str, Lamp]) -> dict[str, Lamp]:
    """Return lamps for edits, overridden by a rejected touch, overridden by cells with a fault."""
    lamps: dict[str, Lamp] = {}
    if not state.faults.reasons and state.phase not in (Phase.MENU, Phase.SHOW):
        for edit in hands.edits_to_show(state):
            if edit.kind is EditKind.TURN:
                # On a board that senses touches, people press a ring's key after turning it.
                key = {edit.cell: Lamp(Cue.TURNED)} if not state.senses_stones else {}
                lamps.update(_running_lamps(state) | key)
                continue
            piece = edit.piece or state.standing.get(edit.cell, "")
            side = None if piece == UNKNOWN_PIECE else state.game.presentation.side(piece)
            lamps[edit.cell] = Lamp(Cue(edit.kind.value), side)
    if not state.faults.reasons:
        if state.cursor:
            under = lamps.get(state.cursor) or below.get(state.cursor)
            lamps[state.cursor] = Lamp(Cue.CURSOR, under.side if under else None)
        if state.draft is not None and state.draft.flaw is not None:
            lamps.update({cell: Lamp(Cue.WRONG) for cell in state.draft.flaw.cells})
    if state.notices.rejected is not None:
        lamps[state.notices.rejected.cell] = Lamp(Cue.WRONG)
    lamps.update({cell: Lamp(Cue.FAULT) for cell in state.faults.cells})
    return lamps
