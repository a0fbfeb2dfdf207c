"""Positions of CirKle Mind and what a move does to them.

Owns legality, attacks on the board, the end, and what each player may see. A move is its own text:
`B4-B5` moves, `B4-B5*C5` attacks from the square moved to, `pass` passes; set-ups are
`game.rules.cirkle_mind_setup`'s. Must not know how any of it is said or written down. Players and
sides count from 0 in here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from game.rules.cirkle_mind_attack import Result, bare, shielded
from game.rules.cirkle_mind_faces import EMPTY, GREEN, OWN_TARGET, UNKNOWN
from game.rules.cirkle_mind_squares import CELLS, COLUMNS, Squares
from game.rules.moves import MoveList

FULL = (1 << len(CELLS)) - 1
BARE = bytes(len(CELLS))
PASS = "pass"
NOWHERE = -1

_FIRST_COLUMN = sum(1 << index for index in range(0, len(CELLS), COLUMNS))
_LAST_COLUMN = _FIRST_COLUMN << COLUMNS - 1


class Level(Enum):
    """How difficult a game is."""

    EASY = "easy"
    MEDIUM = "medium"
    SUPER = "super"
    SUPER_EASY = "super-easy"

    @property
    def shields(self) -> bool:
        """Whether squares protect the pieces that match them."""
        return self in (Level.MEDIUM, Level.SUPER)

    @property
    def exchanged(self) -> bool:
        """Whether each player leads the army that the other has set up."""
        return self in (Level.SUPER, Level.SUPER_EASY)


class Phase(Enum):
    """What is decided next."""

    SET_UP = "setup"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Position:
    """Where the pieces stand, who decides next, and what everybody has been shown.

    `armies` has a set of cells a side, an integer with a bit a cell in the board's order, and
    `faces` a number a cell. `shown` are the cells of pieces that an attack has uncovered, and
    `lost` the numbers of the faces that are no longer there, as a set of bits a side: these too
    everybody has been shown. Players set up in their order; `begins` is who then makes the first
    move, None once it is made. In a game that is over, the `mover` has won. Its `repr` tells no
    face.
    """

    level: Level = Level.EASY
    phase: Phase = Phase.SET_UP
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
        return player ^ (self.level.exchanged and self.phase is Phase.PLAY)


@dataclass(frozen=True, slots=True)
class Deed:
    """From where to where a piece moves, and which square it attacks then, or `NOWHERE`."""

    start: int
    goal: int
    target: int = NOWHERE


@dataclass(frozen=True, slots=True)
class _Step:
    goal: int
    text: str
    attacks: tuple[tuple[int, str], ...]


def _towards(side: int) -> tuple[tuple[int, int], ...]:
    """List the directions in which a side attacks: forward and to both sides."""
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
        # It has just left the square it came from, so nothing is to be attacked there.
        attacks = [(at, f"{text}*{CELLS[at]}") for at in near if at not in (None, start)]
        yield _Step(
            1 << goal, text, tuple((1 << at, attack) for at, attack in attacks if at is not None)
        )


_STEPS = tuple(
    {1 << start: tuple(_steps(side, start)) for start in range(len(CELLS))} for side in (0, 1)
)


def _deeds(side: int) -> Iterator[tuple[str, Deed]]:
    for start, steps in _STEPS[side].items():
        at = start.bit_length() - 1
        for step in steps:
            goal = step.goal.bit_length() - 1
            yield step.text, Deed(at, goal)
            for target, text in step.attacks:
                yield text, Deed(at, goal, target.bit_length() - 1)


DEEDS: tuple[dict[str, Deed], ...] = (dict(_deeds(0)), dict(_deeds(1)))
"""What a piece of each side does on an empty board, by the text of the move."""


def around(cells: int) -> int:
    """Return every cell that is next to at least one of these."""
    sideways = (cells & ~_LAST_COLUMN) << 1 | (cells & ~_FIRST_COLUMN) >> 1
    return (cells << COLUMNS | cells >> COLUMNS | sideways) & FULL


def cells_in(cells: int) -> Iterator[str]:
    """Walk the names of the cells, in the board's order."""
    while cells:
        low = cells & -cells
        yield CELLS[low.bit_length() - 1]
        cells ^= low


def moves_of(position: Position) -> MoveList[str]:
    """List the legal moves of a position in play: they depend on no face."""
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
    """Tell whether a move is legal in a position in play, without listing all."""
    if position.over or not isinstance(move, str):
        return False
    side = position.army(position.mover)
    deed = DEEDS[side].get(move)
    if deed is None:
        return move == PASS and stuck(position)
    own, enemies = position.armies[side], position.armies[1 - side]
    return bool(
        own >> deed.start & 1
        and not (own | enemies) >> deed.goal & 1
        and (deed.target == NOWHERE or enemies >> deed.target & 1)
    )


def stuck(position: Position) -> bool:
    """Tell whether the mover has no move but to pass."""
    own = position.armies[position.army(position.mover)]
    return not own & around(FULL & ~(position.armies[0] | position.armies[1]))


def attacks_after(position: Position, deed: Deed) -> bool:
    """Tell whether the mover could declare an attack after this move."""
    side = position.army(position.mover)
    enemies = position.armies[1 - side]
    for step in _STEPS[side][1 << deed.start]:
        if step.goal == 1 << deed.goal:
            return any(enemies & target for target, _ in step.attacks)
    return False


def is_backward(side: int, deed: Deed) -> bool:
    """Tell whether a side moves towards its own edge of the board."""
    return deed.goal - deed.start == (-COLUMNS if side == GREEN else COLUMNS)


def is_hidden(position: Position, deed: Deed) -> bool:
    """Tell whether an attack is decided by a face that is not seen in this position."""
    fighters = (position.faces[deed.start], position.faces[deed.target])
    return deed.target != NOWHERE and UNKNOWN in fighters


def shields_of(position: Position, deed: Deed, squares: Squares) -> tuple[int, int]:
    """Return the shields of attacker and defender in an attack, also where they do not count."""
    own = squares.shields[position.faces[deed.start]][deed.goal]
    return own, squares.shields[position.faces[deed.target]][deed.target]


def result_of(position: Position, deed: Deed, squares: Squares) -> Result:
    """Decide an attack whose faces are both known."""
    attacker, defender = position.faces[deed.start], position.faces[deed.target]
    if not position.level.shields:
        return bare(attacker, defender)
    return shielded(attacker, defender, *shields_of(position, deed, squares))


def after(position: Position, move: str, squares: Squares) -> Position:
    """Return the position after a legal move in play; an attack must not be a hidden one."""
    mover, score = position.mover, position.score
    if move == PASS:
        return replace(position, mover=1 - mover, begins=None)
    side = position.army(mover)
    deed = DEEDS[side][move]
    start, goal, target = deed.start, deed.goal, deed.target
    faces, shown, lost = bytearray(position.faces), position.shown, position.lost
    face = faces[start]
    faces[start], faces[goal] = EMPTY, face
    own, enemies = position.armies[side] ^ (1 << start | 1 << goal), position.armies[1 - side]
    shown = _carried(shown, start, goal)
    over = False
    if target != NOWHERE:
        shown |= 1 << goal | 1 << target
        result = result_of(position, deed, squares)
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
        Phase.PLAY,
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
    """Move the mark of a shown piece along with it; whom it drives away was shown like itself."""
    return shown & ~(1 << start) | (shown >> start & 1) << goal


def _with(lost: tuple[int, int], side: int, face: int) -> tuple[int, int]:
    """Add a face to those that a side has lost."""
    return (lost[0] | 1 << face, lost[1]) if side == GREEN else (lost[0], lost[1] | 1 << face)


def seen_by(position: Position, player: int | None, remembers: bool) -> Position:
    """Return what a player sees, or who only watches (None).

    Of a set-up only his own is there at all. Where armies were exchanged he is told the set-up of
    the one he leads until the first move is made; who `remembers` knows both from then on, since
    the other is the one that he laid out himself.
    """
    if position.phase is Phase.SET_UP:
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
    """Keep the faces on some cells, and put a number in the place of all others."""
    return bytes(
        face if face == EMPTY or known >> at & 1 else instead for at, face in enumerate(faces)
    )
