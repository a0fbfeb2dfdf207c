"""Positions of CirKle Mind, the effects of moves, and what each player may see.

A move is its own text: `B4-B5` moves, `B4-B5*C5` attacks from the square moved to, `pass` passes;
set-ups are in `game`. Players and sides count from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from random import Random

from game.rules.base.moves import MoveList
from game.rules.cirkle_mind.faces import EMPTY, NUMBER, OWN_TARGET, UNKNOWN, AttackResult, shielded
from game.rules.cirkle_mind.squares import BOARD, CELLS, COLUMNS, DEPTH, ROWS, SHIELDS_BY_FACE

cells_in = BOARD.in_mask
FULL = (1 << len(CELLS)) - 1
BARE = bytes(len(CELLS))
PASS = "pass"
NOWHERE = -1

AT_HOME = 3  # How many times likelier `supposed` puts an own target on a rear square of its zone
_REAR = (
    (1 << COLUMNS * DEPTH // 2) - 1,
    ((1 << COLUMNS * DEPTH // 2) - 1) << COLUMNS * (ROWS - DEPTH // 2),
)


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


def _beside(index: int, dx: int, dy: int) -> int | None:
    column, row = index % COLUMNS + dx, index // COLUMNS + dy
    inside = 0 <= column < COLUMNS and 0 <= row < len(CELLS) // COLUMNS
    return row * COLUMNS + column if inside else None


def _actions(side: int, start: int) -> Iterator[tuple[str, Action]]:
    """Yield the text and the action of each move that a piece could ever make from a square."""
    forward = (1, -1)[side]  # Green moves up, Mauve down
    onward = ((0, forward), (-1, 0), (1, 0))
    for way in (*onward, (0, -forward)):
        if (goal := _beside(start, *way)) is None:
            continue
        text = f"{CELLS[start]}-{CELLS[goal]}"
        yield text, Action(start, goal)
        for target in (_beside(goal, *each) for each in onward if way in onward):
            # The piece has just left its start, so there is nothing to attack.
            if target not in (None, start):
                yield f"{text}*{CELLS[target]}", Action(start, goal, target)


_BY_START = tuple([[*_actions(side, at)] for at in range(len(CELLS))] for side in (0, 1))
ACTIONS = tuple(dict(chain.from_iterable(starts)) for starts in _BY_START)
"""By side, the action of each move's text on an empty board."""


def moves_of(position: Position) -> MoveList[str]:
    """List the legal moves of a position in play, which do not depend on faces."""
    if position.over:
        return MoveList()
    side = position.army(position.mover)
    own, enemies = position.armies[side], position.armies[1 - side]
    free = FULL & ~(own | enemies)
    # This repeats the condition of `may`: calling it for each action would take half of the time.
    starts = (each for at, each in enumerate(_BY_START[side]) if own >> at & 1)
    moves = [
        text
        for each in starts
        for text, to in each
        if free >> to.goal & 1 and (to.target == NOWHERE or enemies >> to.target & 1)
    ]
    return MoveList(moves or (PASS,))


def may(position: Position, move: object) -> bool:
    """Return whether a move is legal in a position in play, without listing all moves."""
    if position.over or not isinstance(move, str):
        return False
    side = position.army(position.mover)
    if (action := ACTIONS[side].get(move)) is None:
        return move == PASS and stuck(position)
    own, enemies = position.armies[side], position.armies[1 - side]
    if not own >> action.start & 1 or (own | enemies) >> action.goal & 1:
        return False
    return action.target == NOWHERE or bool(enemies >> action.target & 1)


def stuck(position: Position) -> bool:
    """Return whether the mover has no move but to pass."""
    return PASS in moves_of(position)


def attacks_after(position: Position, action: Action) -> bool:
    """Return whether the mover could declare an attack after this move."""
    side, goal = position.army(position.mover), CELLS[action.goal]
    attacks = (f"{CELLS[action.start]}-{goal}*{near}" for near in BOARD.neighbours[goal])
    return any(attack in ACTIONS[side] and may(position, attack) for attack in attacks)


def is_hidden(position: Position, action: Action) -> bool:
    """Return whether an attack depends on a face that this position hides."""
    fighters = (position.faces[action.start], position.faces[action.target])
    return action.target != NOWHERE and UNKNOWN in fighters


def shields_of(position: Position, action: Action) -> tuple[int, int]:
    """Return the shields of attacker and defender in an attack, even if they do not count."""
    own = SHIELDS_BY_FACE[position.faces[action.start]][action.goal]
    return own, SHIELDS_BY_FACE[position.faces[action.target]][action.target]


def result_of(position: Position, action: Action) -> AttackResult:
    """Decide an attack between two known faces."""
    attacker, defender = position.faces[action.start], position.faces[action.target]
    shields = shields_of(position, action) if position.level.shields else (0, 0)
    return shielded(attacker, defender, *shields)


def after(position: Position, move: str) -> Position:
    """Return the position after a legal move in play; the faces in an attack must be known."""
    mover, score, lost = position.mover, [*position.score], [*position.lost]
    if move == PASS:
        return replace(position, mover=1 - mover, begins=None)
    side = position.army(mover)
    action = ACTIONS[side][move]
    start, goal, target = action.start, action.goal, action.target
    faces, armies = bytearray(position.faces), [*position.armies]
    faces[start], faces[goal] = EMPTY, faces[start]
    armies[side] ^= 1 << start | 1 << goal
    shown, following, over = _carried(position.shown, start, goal), 1 - mover, False
    if target != NOWHERE:
        shown |= 1 << goal | 1 << target
        result = result_of(position, action)
        if result is not AttackResult.BOTH:
            won = result is AttackResult.ATTACKER
            winner, loser = (mover, 1 - side) if won else (1 - mover, side)
            stands, gone = (goal, target) if won else (target, goal)
            score[winner] += 1
            lost[loser] |= 1 << faces[gone]
            over = faces[gone] == OWN_TARGET[loser]
            following = winner if over else following
            faces[stands], faces[gone] = EMPTY, faces[stands]
            armies[loser] ^= 1 << gone
            armies[1 - loser] ^= 1 << stands | 1 << gone
            shown = _carried(shown, stands, gone)
    return Position(
        position.level,
        MindPhase.PLAY,
        following,
        None,
        (score[0], score[1]),
        over,
        (armies[0], armies[1]),
        bytes(faces),
        shown,
        (lost[0], lost[1]),
    )


def _carried(shown: int, start: int, goal: int) -> int:
    """Move the mark of a shown piece along with it, onto a square that may be marked already."""
    return shown & ~(1 << start) | (shown >> start & 1) << goal


def seen_by(position: Position, player: int | None, remembers: bool) -> Position:
    """Return the position as a player, or a spectator (None), sees it.

    If armies are exchanged, players see the army that they lead until the first move is made, and
    both if they remember.
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


def supposed(position: Position, rng: Random) -> Position:
    """Draw a complete position that agrees with a position as a player sees it."""
    if position.phase is not MindPhase.PLAY or UNKNOWN not in position.faces:
        return position
    faces = bytearray(position.faces)
    for side, army in enumerate(position.armies):
        places = [at for at in range(len(CELLS)) if army >> at & 1]
        known = {faces[at] for at in places}
        known |= {n for n in NUMBER.values() if position.lost[side] >> n & 1}
        cells = [at for at in places if faces[at] == UNKNOWN]
        if not cells:
            continue
        rng.shuffle(cells)
        target = OWN_TARGET[side]
        if target not in known:
            # The target is on the board, as the game goes on; rear squares are likelier.
            odds = [AT_HOME if _REAR[side] >> at & 1 else 1 for at in cells]
            home = rng.choices(range(len(cells)), odds)[0]
            faces[cells.pop(home)] = target
        left = [n for n in NUMBER.values() if n != target and n not in known]
        for at, face in zip(cells, rng.sample(left, len(cells)), strict=True):
            faces[at] = face
    return replace(position, faces=bytes(faces))
