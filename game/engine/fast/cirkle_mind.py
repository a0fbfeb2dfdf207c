"""CirKle Mind as a fast board: a whole position, of which each player knows a part.

Owns a fast copy of `game.rules.cirkle_mind.position`, an evaluation, and the conversion of
positions and moves. A piece is the number of its face, its side's bit, `SHOWN` once an attack has
uncovered it, and `VEILED` where the searching player does not see it, so that its face was drawn. A
move is 0 to pass, else 1 + (start * 4 + step) * 4 + attack: the step is ahead, to either side or
back, the attack one of the first three from the new square, or `NO_ATTACK`. An attack of or on a
veiled piece is decided by a move of chance: which faces fought is not told in the tree. Compiled
with the types of `cirkle_mind.pxd`.
"""

import math
from array import array
from collections.abc import Sequence

from game.engine.fast import board as boards
from game.rules.cirkle_mind import faces
from game.rules.cirkle_mind.position import PASS, Position
from game.rules.cirkle_mind.squares import CELLS as NAMES
from game.rules.cirkle_mind.squares import COLUMNS, ROWS, SQUARES

CELLS = COLUMNS * ROWS
OUTSIDE = CELLS
"""Where steps off the board lead; `WALL` stands there."""
WIDTH = CELLS + 1
WALL = 1
FACE = 31  # the bits of a face
FULL = faces.FULL_SHIELD
GREEN = 32
SHOWN = 128
VEILED = 256
"""Of a piece whose face was drawn: it is another one in other worlds, even after an attack."""
AS_BLACK = 2048
"""Added to an attack of a veiled piece that is black in this world: its player knows that."""
OUTCOME = 4096
"""The first move of chance, which decides an attack of or on a veiled piece: `BOTH` and so on."""
SIDES = array("B", [GREEN, 2 * GREEN])
BACK = 3
NO_ATTACK = 3

BOTH = 0
ATTACKER = 1
DEFENDER = 2
TARGET_TAKEN = 3
TARGET_LOST = 4
OUTCOMES = 5
"""Who stays after an attack; the last two end the game, by the attacker's victory or defeat."""

COLOURED, BLACK, TARGET = 1.0, 2.2, 0.7
"""What pieces are worth; an army's own target is worth the game."""
EXPOSED = 0.9
"""Value of a piece whose face has been shown, as a share of its value before."""
KEENNESS = 7.0
"""The odds of a player all of whose enemies are gone are e to this times those of an even game."""
SPARE = 3.0
"""Added to each army: a piece matters more as others go, but not without limit."""
ONWARD, FAR = 0.1, 7
"""Worth of each row towards the enemy to a piece, and the last row that counts, from its own side.

Without it no player would make the first step, since the other could attack then.
"""
SURE, EVEN_ODDS = 0.9, 0.45
"""How likely an attack by a black piece wins, and by another one, not knowing on what."""
SUPPORTED = 0.1
"""Share of an attack's gain that counts where the piece that won can be attacked in return."""
TURN, NEXT_TURN = 0.8, 0.3
"""How much an attack counts that can be made now, and one that can be made in the turn after."""
FALLS, FLEES = 0.95, 0.4
"""Share of an army that a threat to its known own target counts, made now or in the turn after."""
HUNT, LAYERS = 1.5, 8
"""How much more a lead counts, the nearer the leader's pieces are, within `LAYERS` cells."""
PLIES = 4
"""Plies that are played at random before a position is evaluated.

Without them two players chase the same pieces to and fro for ever, where all faces are known.
"""
LIKELIER = 6.0
"""How much likelier a move is tried first, the better it is evaluated."""


def _next(side: int, step: int, at: int) -> int:
    """Return the square a step away, or `OUTSIDE`."""
    if at == OUTSIDE:
        return at
    column, row = at % COLUMNS, at // COLUMNS
    ahead = 1 if side == faces.GREEN else -1
    dx, dy = ((0, ahead), (-1, 0), (1, 0), (0, -ahead))[step]
    inside = 0 <= column + dx < COLUMNS and 0 <= row + dy < ROWS
    return at + dx + COLUMNS * dy if inside else OUTSIDE


NEXT = array(
    "B", [_next(side, step, at) for side in (0, 1) for step in range(4) for at in range(WIDTH)]
)
"""The square a step away, by side, step and square."""
_RESULTS = (faces.Result.BOTH, faces.Result.ATTACKER, faces.Result.DEFENDER)
_NUMBERS = range(1, len(faces.FACES) + 1)
BARE = array("B", bytes(FACE * FACE))
"""Who stays without shields, by the attacker's face times `FACE` and the defender's."""
for _attacker in _NUMBERS:
    for _defender in _NUMBERS:
        BARE[_attacker * FACE + _defender] = _RESULTS.index(faces.bare(_attacker, _defender))
SHIELDS = array("B", b"".join(SQUARES.shields))
"""The shield of a square, by face and square."""
IS_BLACK = array("B", [0, *map(faces.is_black, _NUMBERS)])
IS_TARGET = array("B", [0, *map(faces.is_target, _NUMBERS)])
OWN_TARGET = array("B", faces.OWN_TARGET)
WORTH = array(
    "d", [0.0, *(TARGET if IS_TARGET[n] else BLACK if IS_BLACK[n] else COLOURED for n in _NUMBERS)]
)
ADVANCE = array(
    "d",
    [
        ONWARD * min(at // COLUMNS if side == faces.GREEN else ROWS - 1 - at // COLUMNS, FAR)
        for side in (0, 1)
        for at in range(CELLS)
    ],
)
"""What a place is worth, by side and square."""


class MindBoard(boards.Board):
    """A position in play. With `exchanged` armies each player leads the other's, and knows all."""

    def __init__(self, exchanged: bool, shielded: bool) -> None:
        super().__init__(2)
        self.exchanged = exchanged
        self.shielded = shielded
        self.sharpness, self.plies = LIKELIER, PLIES
        self.ended = 0
        self.goal = 0
        self.target = 0
        self.pieces = array("H", bytes(2 * WIDTH))
        self.pieces[OUTSIDE] = WALL
        self.near = array("B", bytes(WIDTH))

    def fresh(self) -> "boards.Board":
        return MindBoard(self.exchanged, self.shielded)

    def copy_from(self, other: "boards.Board") -> None:
        source: MindBoard = other  # type: ignore[assignment]
        for at in range(CELLS):
            self.pieces[at] = source.pieces[at]
        self.mover = source.mover
        self.ended = source.ended
        self.outcome = source.outcome
        self.goal = source.goal
        self.target = source.target

    def list_moves(self) -> int:
        """Fill `moves`: at most 4 steps and 7 attacks, these twice if veiled, for each of 24."""
        if self.ended:
            return 0
        if self.outcome >= 0:
            self.moves[0] = self.outcome
            return 1
        count = 0
        side = self.mover ^ self.exchanged
        own = SIDES[side]
        enemy = SIDES[1 - side]
        for start in range(CELLS):
            if not self.pieces[start] & own:
                continue
            for step in range(4):
                goal = NEXT[(side * 4 + step) * WIDTH + start]
                if self.pieces[goal]:
                    continue
                move = 1 + (start * 4 + step) * 4
                self.moves[count] = move + NO_ATTACK
                count = count + 1
                if step == BACK:
                    continue
                veiled = self.pieces[start] & VEILED
                for attack in range(3):
                    if self.pieces[NEXT[(side * 4 + attack) * WIDTH + goal]] & enemy:
                        self.moves[count] = move + attack
                        count = count + 1
                        if veiled:
                            self.moves[count] = move + attack + AS_BLACK
                            count = count + 1
        if not count:
            self.moves[0] = 0
            count = 1
        return count

    def expand(self, after: "boards.Board", informed: bool) -> int:
        if self.outcome < 0:
            return boards.Board.expand(self, after, informed)
        for index in range(OUTCOMES):
            self.moves[index] = OUTCOME + index
            self.results[index] = 0
            self.weights[index] = 1.0
        return OUTCOMES

    def allows(self, move: int) -> bool:
        if not move or (move - 1) & 3 == NO_ATTACK:
            return True
        piece = self.pieces[((move - 1) & AS_BLACK - 1) >> 4]
        if not piece & VEILED:
            return True
        return (move > AS_BLACK) == (IS_BLACK[piece & FACE] > 0)

    def play(self, move: int) -> None:
        if self.outcome >= 0:
            self._settle(self.outcome - OUTCOME)
            return
        side = self.mover ^ self.exchanged
        attack = NO_ATTACK
        if move:
            move = (move - 1) & AS_BLACK - 1
            attack = move & 3
            start = move >> 4
            goal = NEXT[(side * 4 + (move >> 2 & 3)) * WIDTH + start]
            self.pieces[goal] = self.pieces[start]
            self.pieces[start] = 0
        if attack == NO_ATTACK:
            self.mover = 1 - self.mover
            return
        self.goal = goal
        self.target = NEXT[(side * 4 + attack) * WIDTH + goal]
        if (self.pieces[goal] | self.pieces[self.target]) & VEILED:
            self.outcome = OUTCOME + self._outcome()
        else:
            self._settle(self._outcome())

    def _outcome(self) -> int:
        """Decide the attack that was declared."""
        side = self.mover ^ self.exchanged
        attacker = self.pieces[self.goal] & FACE
        defender = self.pieces[self.target] & FACE
        result = self.decided(attacker, defender)
        if result == ATTACKER and defender == OWN_TARGET[1 - side]:
            return TARGET_TAKEN
        if result == DEFENDER and attacker == OWN_TARGET[side]:
            return TARGET_LOST
        return result

    def _settle(self, outcome: int) -> None:
        """Do what was decided, and end the turn."""
        attacker = self.pieces[self.goal] | SHOWN
        defender = self.pieces[self.target] | SHOWN
        self.pieces[self.goal] = attacker
        self.pieces[self.target] = defender
        if outcome in (ATTACKER, TARGET_TAKEN):
            self.pieces[self.target] = attacker
            self.pieces[self.goal] = 0
        elif outcome != BOTH:
            self.pieces[self.goal] = defender
            self.pieces[self.target] = 0
        if outcome >= TARGET_TAKEN:
            self.ended = 1 + (self.mover if outcome == TARGET_TAKEN else 1 - self.mover)
        self.outcome = -1
        self.mover = 1 - self.mover

    def decided(self, attacker: int, defender: int) -> int:
        """Decide an attack from `goal` on `target`, as `faces.shielded` does."""
        result = BARE[attacker * FACE + defender]
        if not self.shielded or result == DEFENDER or IS_TARGET[defender]:
            return result
        shield = SHIELDS[attacker * CELLS + self.goal]
        other = SHIELDS[defender * CELLS + self.target]
        if result == BOTH:
            return ATTACKER if shield == FULL and other == FULL else BOTH
        if IS_BLACK[attacker] and not IS_BLACK[defender]:
            return BOTH if other == FULL and shield < FULL else ATTACKER
        return ATTACKER if shield >= other else DEFENDER

    def result(self) -> int:
        return self.ended

    def threat(self, side: int, target: int, defender: int) -> int:
        """Tell who of a side can attack a square in one turn.

        1 for anyone, and 2 more for a black piece, and 4 for one that takes a face.
        """
        found = 0
        own = SIDES[side]
        for attack in range(1, 4):
            # Who attacks a square comes from where its piece would go, and the same again.
            goal = NEXT[(side * 4 + attack) * WIDTH + target]
            if self.pieces[goal]:
                continue
            for step in range(1, 4):
                piece = self.pieces[NEXT[(side * 4 + step) * WIDTH + goal]]
                if piece & own:
                    found = found | 1
                    if IS_BLACK[piece & FACE]:
                        found = found | 2
                    if defender and BARE[(piece & FACE) * FACE + defender] == ATTACKER:
                        found = found | 4
        return found

    def evaluate(self) -> None:
        """Guess from what is left of the armies, what can be attacked next, and who can hunt."""
        first = self.mover ^ self.exchanged
        green = self.strength(0)
        mauve = self.strength(1)
        lead = green - mauve if first == 0 else mauve - green
        lead = lead + self.gain(first, mauve if first == 0 else green, True)
        lead = lead - self.gain(1 - first, green if first == 0 else mauve, False)
        lead = lead / (green + mauve + 2.0 * SPARE)
        leader = first if lead > 0.0 else 1 - first
        lead = lead * (1.0 + HUNT * self.nearness(leader))
        share = 1.0 / (1.0 + math.exp(-KEENNESS * lead))
        self.shares[self.mover] = share
        self.shares[1 - self.mover] = 1.0 - share

    def strength(self, side: int) -> float:
        """Add up the pieces of a side but for its own target."""
        total = 0.0
        for at in range(CELLS):
            piece = self.pieces[at]
            if piece & SIDES[side] and piece & FACE != OWN_TARGET[side]:
                worth = WORTH[piece & FACE]
                if piece & SHOWN:
                    worth = worth * EXPOSED
                total = total + worth + ADVANCE[side * CELLS + at]
        return total

    def gain(self, side: int, others: float, now: bool) -> float:
        """Return what a side may win by its next attack, as far as it knows.

        `others` is the strength of the other side; `now` tells that the side moves.
        """
        weight = TURN if now else NEXT_TURN
        enemy = SIDES[1 - side]
        most = 0.0
        victims = 0
        home = False
        odds = 0.0
        for at in range(CELLS):
            piece = self.pieces[at]
            if not piece & enemy:
                continue
            face = piece & FACE
            known = self.exchanged or piece & SHOWN
            attackers = self.threat(side, at, face if known else 0)
            if now and self.outcome >= 0:
                attackers = self.declared() if at == self.target else 0
            if not attackers:
                continue
            victims = victims + 1
            if face == OWN_TARGET[1 - side]:
                if known:
                    # It falls now, or must flee.
                    return others * (FALLS if now else FLEES)
                home = True
            share = SUPPORTED if self.threat(1 - side, at, 0) else 1.0
            if not known:
                odds = max(odds, share * (SURE if attackers & 2 else EVEN_ODDS))
            elif attackers & 4:
                most = max(most, share * WORTH[face])
        most = weight * max(most, odds)
        if home:
            most = most + others * weight * odds / victims
        return most

    def declared(self) -> int:
        """Tell of the attack that was declared what `threat` tells of all.

        0 for an own target, which should not risk it.
        """
        attacker = self.pieces[self.goal] & FACE
        if attacker == OWN_TARGET[self.mover ^ self.exchanged]:
            return 0
        found = 3 if IS_BLACK[attacker] else 1
        if BARE[attacker * FACE + (self.pieces[self.target] & FACE)] == ATTACKER:
            return found | 4
        return found

    def nearness(self, side: int) -> float:
        """Tell how near the pieces of a side are to enemies, 1 where all stand beside one."""
        enemy = SIDES[1 - side]
        for at in range(CELLS):
            self.near[at] = 1 if self.pieces[at] & enemy else LAYERS + 2
        # Distances in two sweeps (A. Rosenfeld and J. Pfaltz, 1966).
        for at in range(1, CELLS):
            self.near[at] = min(
                self.near[at],
                self.near[at - 1] + 1 if at % COLUMNS else LAYERS + 2,
                self.near[at - COLUMNS] + 1 if at >= COLUMNS else LAYERS + 2,
            )
        count = total = 0
        for at in range(CELLS - 1, -1, -1):
            self.near[at] = min(
                self.near[at],
                self.near[at + 1] + 1 if (at + 1) % COLUMNS else LAYERS + 2,
                self.near[at + COLUMNS] + 1 if at + COLUMNS < CELLS else LAYERS + 2,
            )
            piece = self.pieces[at]
            if piece & SIDES[side] and piece & FACE != OWN_TARGET[side]:
                count = count + 1
                total = total + LAYERS + 2 - self.near[at]
        return total / (1.0 * LAYERS * count) if count else 0.0


def board_of(position: Position, seen: Position | None = None) -> MindBoard:
    """Return the board of a whole position in play, drawn for what is `seen` of it."""
    board = MindBoard(position.level.exchanged, position.level.shields)
    board.mover = position.mover
    board.ended = position.mover + 1 if position.over else 0
    for at, face in enumerate(position.faces):
        if face != faces.EMPTY:
            side = SIDES[position.armies[1] >> at & 1]
            veiled = seen is not None and seen.faces[at] == faces.UNKNOWN
            shown = position.shown >> at & 1
            board.pieces[at] = face | side | SHOWN * shown | VEILED * veiled
    return board


def texts_from(position: Position, moves: Sequence[int]) -> list[str]:
    """Write moves, up to an attack that chance decides."""
    side, found = position.army(position.mover), []
    for move in moves:
        if move >= OUTCOME:
            break
        found.append(_text(side, move))
        side = 1 - side
    return found


def _text(side: int, move: int) -> str:
    if not move:
        return PASS
    move = (move - 1) & AS_BLACK - 1
    start, step, attack = move >> 4, move >> 2 & 3, move & 3
    goal = NEXT[(side * 4 + step) * WIDTH + start]
    text = f"{NAMES[start]}-{NAMES[goal]}"
    if attack == NO_ATTACK:
        return text
    return f"{text}*{NAMES[NEXT[(side * 4 + attack) * WIDTH + goal]]}"
