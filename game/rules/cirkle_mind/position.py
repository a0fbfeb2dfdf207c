"""Positions of CirKle Mind and the effects of moves.

Owns legality, attacks on the board, the end, and what each player may see. A move is its own text:
`B4-B5` moves, `B4-B5*C5` attacks from the square moved to, `pass` passes; set-ups are
`game.rules.cirkle_mind.set_up`'s. Must not know words or text forms. Players and sides
count from 0 in this module.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from game.rules.base.moves import MoveList
from game.rules.cirkle_mind.faces import EMPTY, GREEN, OWN_TARGET, UNKNOWN, Result, bare, shielded
from game.rules.cirkle_mind.squares import CELLS, COLUMNS, Squares

FULL = (1 << len(CELLS)) - 1
BARE = bytes(len(CELLS))
PASS = "pass"
NOWHERE = -1

_FIRST_COLUMN = sum(1 << index for index in range(0, len(CELLS), COLUMNS))
_LAST_COLUMN = _FIRST_COLUMN << COLUMNS - 1


class RuleLevel(Enum):
    """The level of difficulty of a game."""

    EASY = "easy"
    MEDIUM = "medium"
    SUPER = "super"
    SUPER_EASY = "super-easy"

    @property
    def shields(self) -> bool:
        """Whether squares protect the pieces that match them."""
        return self in (RuleLevel.MEDIUM, RuleLevel.SUPER)

    @property
    def exchanged(self) -> bool:
        """Whether each player leads the army that the other has set up."""
        return self in (RuleLevel.SUPER, RuleLevel.SUPER_EASY)


class MindPhase(Enum):
    """What is decided next."""

    SET_UP = "setup"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces, the player who decides next, and the faces that have been shown.

    `armies` has a set of cells per side, an integer with a bit per cell in the board's order, and
    `faces` has a number per cell. `shown` are the cells of pieces that an attack has uncovered, and
    `lost` are the faces that are no longer on the board, as bits per side: these too
    have been shown. Players set up in their order; `begins` is the player who then makes the first
    move, None once it is made. In a game that is over, the `mover` has won. `repr` hides all
    faces.
    """

    level: RuleLevel = RuleLevel.EASY
    phase: MindPhase = MindPhase.SET_UP
    mover: int = 0
    begins: int | None = 0
    score: tuple[int, int] = (0, 0)
    over: bool = False
    armies: tuple[int, int] = field(default=(0, 0), repr=False)
    faces: bytes = field(default=BARE, repr=False)
    shown: int = field(default=0, repr=False)
    lost: tuple[int, int] = field(default=(0, 0), repr=False)

    def army(self, player: int) -> int:
        """Return the side that a player leads now."""
        return player ^ (self.level.exchanged and self.phase is MindPhase.PLAY)


@dataclass(frozen=True, slots=True)
class Action:
    """A piece's start and goal, and the square that it then attacks, or `NOWHERE`."""

    start: int
    goal: int
    target: int = NOWHERE


@dataclass(frozen=True, slots=True)
class _Step:
    goal: int
    text: str
    attacks: tuple[tuple[int, str], ...]


def _towards(side: int) -> tuple[tuple[int, int], ...]:
    """List the directions in which a side attacks: forward, left and right."""
    return ((0, 1 if side == GREEN else -1), (-1, 0), (1, 0))


def _beside(index: int, dx: int, dy: int) -> int | None:
    column, row = index % COLUMNS + dx, index // COLUMNS + dy
    inside = 0 <= column < COLUMNS and 0 <= row < len(CELLS) // COLUMNS
    return row * COLUMNS + column if inside else None


def _steps(side: int, start: int) -> Iterator[_Step]:
    onward = _towards(side)
    back = (0, -onward[0][1])
    for direction in (*onward, back):
        goal = _beside(start, *direction)
        if goal is None:
            continue
        text = f"{CELLS[start]}-{CELLS[goal]}"
        near = (_beside(goal, *each) for each in onward) if direction != back else ()
        # The piece has just left its start, so there is nothing to attack.
        attacks = [(at, f"{text}*{CELLS[at]}") for at in near if at not in (None, start)]
        yield _Step(
            1 << goal, text, tuple((1 << at, attack) for at, attack in attacks if at is not None)
        )


_STEPS = tuple(
    {1 << start: tuple(_steps(side, start)) for start in range(len(CELLS))} for side in (0, 1)
)


def _actions(side: int) -> Iterator[tuple[str, Action]]:
    for start, steps in _STEPS[side].items():
        at = start.bit_length() - 1
        for step in steps:
            goal = step.goal.bit_length() - 1
            yield step.text, Action(at, goal)
            for target, text in step.attacks:
                yield text, Action(at, goal, target.bit_length() - 1)


ACTIONS: tuple[dict[str, Action], ...] = (dict(_actions(0)), dict(_actions(1)))
"""By side, the action of each move's text on an empty board."""


def around(cells: int) -> int:
    """Return all neighbours of a set of cells."""
    sideways = (cells & ~_LAST_COLUMN) << 1 | (cells & ~_FIRST_COLUMN) >> 1
    return (cells << COLUMNS | cells >> COLUMNS | sideways) & FULL


def cells_in(cells: int) -> Iterator[str]:
    """Yield the names of the cells, in the board's order."""
    while cells:
        low = cells & -cells
        yield CELLS[low.bit_length() - 1]
        cells ^= low


def moves_of(position: Position) -> MoveList[str]:
    """List the legal moves of a position in play, which do not depend on faces."""
    if position.over:
        return MoveList()
    side = position.army(position.mover)
    own, enemies = position.armies[side], position.armies[1 - side]
    free, steps, moves = FULL & ~(own | enemies), _STEPS[side], []
    movable = own & around(free)
    while movable:
        start = movable & -movable
        movable ^= start
        for step in steps[start]:
            if free & step.goal:
                moves.append(step.text)
                for target, text in step.attacks:
                    if enemies & target:
                        moves.append(text)
    return MoveList(tuple(moves) or (PASS,))


def may(position: Position, move: object) -> bool:
    """Return whether a move is legal in a position in play, without listing all moves."""
    if position.over or not isinstance(move, str):
        return False
    side = position.army(position.mover)
    action = ACTIONS[side].get(move)
    if action is None:
        return move == PASS and stuck(position)
    own, enemies = position.armies[side], position.armies[1 - side]
    return bool(
        own >> action.start & 1
        and not (own | enemies) >> action.goal & 1
        and (action.target == NOWHERE or enemies >> action.target & 1)
    )


def stuck(position: Position) -> bool:
    """Return whether the mover has no move but to pass."""
    own = position.armies[position.army(position.mover)]
    return not own & around(FULL & ~(position.armies[0] | position.armies[1]))


def attacks_after(position: Position, action: Action) -> bool:
    """Return whether the mover could declare an attack after this move."""
    side = position.army(position.mover)
    enemies = position.armies[1 - side]
    for step in _STEPS[side][1 << action.start]:
        if step.goal == 1 << action.goal:
            return any(enemies & target for target, _ in step.attacks)
    return False


def is_backward(side: int, action: Action) -> bool:
    """Return whether an action moves towards its side's own edge of the board."""
    return action.goal - action.start == (-COLUMNS if side == GREEN else COLUMNS)


def is_hidden(position: Position, action: Action) -> bool:
    """Return whether an attack depends on a face that this position hides."""
    fighters = (position.faces[action.start], position.faces[action.target])
    return action.target != NOWHERE and UNKNOWN in fighters


def shields_of(position: Position, action: Action, squares: Squares) -> tuple[int, int]:
    """Return the shields of attacker and defender in an attack, even if they do not count."""
    own = squares.shields[position.faces[action.start]][action.goal]
    return own, squares.shields[position.faces[action.target]][action.target]


def result_of(position: Position, action: Action, squares: Squares) -> Result:
    """Decide an attack between two known faces."""
    attacker, defender = position.faces[action.start], position.faces[action.target]
    if not position.level.shields:
        return bare(attacker, defender)
    return shielded(attacker, defender, *shields_of(position, action, squares))


def after(position: Position, move: str, squares: Squares) -> Position:
    """Return the position after a legal move in play; the faces in an attack must be known."""
    mover, score = position.mover, position.score
    if move == PASS:
        return replace(position, mover=1 - mover, begins=None)
    side = position.army(mover)
    action = ACTIONS[side][move]
    start, goal, target = action.start, action.goal, action.target
    faces, shown, lost = bytearray(position.faces), position.shown, position.lost
    face = faces[start]
    faces[start], faces[goal] = EMPTY, face
    own, enemies = position.armies[side] ^ (1 << start | 1 << goal), position.armies[1 - side]
    shown = _carried(shown, start, goal)
    over = False
    if target != NOWHERE:
        shown |= 1 << goal | 1 << target
        result = result_of(position, action, squares)
        if result is Result.ATTACKER:
            over = faces[target] == OWN_TARGET[1 - side]
            faces[goal], faces[target] = EMPTY, face
            own, enemies = own ^ (1 << goal | 1 << target), enemies ^ 1 << target
            shown = _carried(shown, goal, target)
        elif result is Result.DEFENDER:
            over = face == OWN_TARGET[side]
            faces[goal], faces[target] = faces[target], EMPTY
            own, enemies = own ^ 1 << goal, enemies ^ (1 << goal | 1 << target)
            shown = _carried(shown, target, goal)
        if result is not Result.BOTH:
            won = result is Result.ATTACKER
            winner = mover if won else 1 - mover
            score = (score[0] + (winner == 0), score[1] + (winner == 1))
            lost = _with(lost, 1 - side if won else side, position.faces[target if won else start])
            mover = winner if over else mover
    return Position(
        position.level,
        MindPhase.PLAY,
        mover if over else 1 - mover,
        None,
        score,
        over,
        (own, enemies) if side == GREEN else (enemies, own),
        bytes(faces),
        shown,
        lost,
    )


def _carried(shown: int, start: int, goal: int) -> int:
    """Move the mark of a shown piece along with it; an attacked piece is also shown."""
    return shown & ~(1 << start) | (shown >> start & 1) << goal


def _with(lost: tuple[int, int], side: int, face: int) -> tuple[int, int]:
    """Add a face to those that a side has lost."""
    return (lost[0] | 1 << face, lost[1]) if side == GREEN else (lost[0], lost[1] | 1 << face)


def seen_by(position: Position, player: int | None, remembers: bool) -> Position:
    """Return the position as a player, or a spectator (None), sees it.

    During set-up, players see their own set-up. If armies are exchanged, they then see the army
    that they lead until the first move is made. A player who `remembers` knows both armies, having
    laid out the other one.
    """
    if position.phase is MindPhase.SET_UP:
        own = 0 if player is None else position.armies[player]
        armies = (own, 0) if player == 0 else (0, own)
        return replace(position, armies=armies, faces=_only(position.faces, own, EMPTY))
    known = 0
    if player is not None:
        known = position.armies[position.army(player)]
        if position.level.exchanged:
            known = FULL if remembers else known if position.begins is not None else 0
        elif remembers:
            known |= position.shown
    return replace(position, faces=_only(position.faces, known, UNKNOWN))


def _only(faces: bytes, known: int, instead: int) -> bytes:
    """Keep the faces on known cells, and replace all others by one number."""
    return bytes(
        face if face == EMPTY or known >> at & 1 else instead for at, face in enumerate(faces)
    )
