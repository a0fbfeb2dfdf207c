"""CirKle Mind as a fast board: a complete position, of which each player knows a part.

Owns a fast copy of `game.rules.cirkle_mind.position`, an evaluation, and the conversion of
positions and moves. A piece is the number of its face plus flags: its side's bit, `SHOWN` once an
attack has uncovered it, and `HIDDEN` if its face was drawn as the searching player cannot see it. A
move is 0 to pass, else 1 + (start * 4 + step) * 4 + attack: the step is ahead, left, right or back;
the attack goes ahead, left or right from the new square, or is `NO_ATTACK`. A move of chance
decides an attack by or on a hidden piece, so that the tree does not depend on the faces. Compiled
with the types of `cirkle_mind.pxd`.
"""

from array import array
from collections.abc import Sequence

from game.engine.fast import board as boards
from game.rules.cirkle_mind import faces
from game.rules.cirkle_mind.position import PASS, Position
from game.rules.cirkle_mind.squares import CELLS as NAMES
from game.rules.cirkle_mind.squares import COLUMNS, ROWS, SHIELDS_BY_FACE

CELLS = COLUMNS * ROWS
OUTSIDE = CELLS  # stands for all squares off the board, and holds `WALL`
WIDTH = CELLS + 1
WALL = 1
FACE = 31  # the bits of a face
FULL = faces.FULL_SHIELD
GREEN = 32
SHOWN = 128
HIDDEN = 256  # its face was drawn; other drawn boards have another, even after an attack
AS_BLACK = 2048  # an attack by a hidden piece that is black on this board, as its player knows
OUTCOME = 4096  # first of the moves of chance, OUTCOME + `BOTH` etc., which decide hidden attacks
SIDES = array("B", [GREEN, 2 * GREEN])
BACK = 3
NO_ATTACK = 3

# Results of an attack; the last two also end the game.
BOTH, ATTACKER, DEFENDER, TARGET_TAKEN, TARGET_LOST = range(5)
OUTCOMES = 5

COLOURED, BLACK, TARGET = 1.0, 2.2, 0.7  # values of pieces; an army's own target is the game
EXPOSED = 0.9  # value of a piece whose face has been shown, as a share of its value before
KEENNESS = 7.0  # log-odds of winning for a lead of 1, as a share of the strength of both armies
SPARE = 3.0  # added to each army's strength, to limit how much a piece gains as others go
ONWARD, FAR = 0.1, 7
"""Value of each row that a piece has advanced, and the last row that counts, from its own side.

Without this, no player would make the first step, after which the other could attack.
"""
SURE, EVEN_ODDS = 0.9, 0.45  # chance to beat an unknown piece, by a black piece and any other
SUPPORTED = 0.1  # weight of an attack's gain if the piece that won can be attacked in return
TURN, NEXT_TURN = 0.8, 0.3  # weight of an attack that can be made now, and next turn
FALLS, FLEES = 0.95, 0.4
"""Share of an army's strength that a threat to its known own target is worth, now or next turn."""
HUNT, LAYERS = 1.5, 8
"""How much more a lead counts if the leader's pieces are near enemies, within `LAYERS` cells."""
PLIES = 4
"""Plies that are played at random before a position is evaluated.

Without them, two players who know all faces chase the same pieces to and fro for ever.
"""


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
_RESULTS = (faces.AttackResult.BOTH, faces.AttackResult.ATTACKER, faces.AttackResult.DEFENDER)
_NUMBERS = range(1, len(faces.FACES) + 1)
BARE = array("B", bytes(FACE * FACE))
"""Result of an attack without shields, by attacker's face * `FACE` + defender's face."""
for _attacker in _NUMBERS:
    for _defender in _NUMBERS:
        BARE[_attacker * FACE + _defender] = _RESULTS.index(faces.bare(_attacker, _defender))
SHIELDS = array("B", b"".join(SHIELDS_BY_FACE))
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
"""The value of a piece's square, by side and square."""


class MindBoard(boards.FastBoard):
    """A position in play. If `exchanged`, players lead each other's army and know all faces."""

    def __init__(self, exchanged: bool, shielded: bool) -> None:
        super().__init__(2, exchanged, shielded)
        self.exchanged = exchanged
        self.shielded = shielded
        self.plies = PLIES
        self.goal = 0
        self.target = 0
        self.pieces = array("H", bytes(2 * WIDTH))
        self.pieces[OUTSIDE] = WALL
        self.near = array("B", bytes(WIDTH))

    def copy_from(self, other: "boards.FastBoard") -> None:
        boards.FastBoard.copy_from(self, other)
        source: MindBoard = other  # type: ignore[assignment]
        for at in range(CELLS):
            self.pieces[at] = source.pieces[at]
        self.goal = source.goal
        self.target = source.target

    def list_moves(self) -> int:
        """Fill `moves`: each of 24 pieces has at most 4 steps and 7 attacks, twice 7 if hidden."""
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
                hidden = self.pieces[start] & HIDDEN
                for attack in range(3):
                    if self.pieces[NEXT[(side * 4 + attack) * WIDTH + goal]] & enemy:
                        self.moves[count] = move + attack
                        count = count + 1
                        if hidden:
                            self.moves[count] = move + attack + AS_BLACK
                            count = count + 1
        if not count:
            self.moves[0] = 0
            count = 1
        return count

    def expand(self, after: "boards.FastBoard", informed: bool) -> int:
        if self.outcome < 0:
            return boards.FastBoard.expand(self, after, informed)
        for index in range(OUTCOMES):
            self.moves[index] = OUTCOME + index
            self.results[index] = 0
            self.weights[index] = 1.0
        return OUTCOMES

    def allows(self, move: int) -> bool:
        if not move or (move - 1) & 3 == NO_ATTACK:
            return True
        piece = self.pieces[((move - 1) & AS_BLACK - 1) >> 4]
        if not piece & HIDDEN:
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
        if (self.pieces[goal] | self.pieces[self.target]) & HIDDEN:
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
        """Apply the result of an attack, and end the turn."""
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

    def threat(self, side: int, target: int, defender: int) -> int:
        """Return flags of the pieces of a side that can attack a square in one turn.

        1: any piece can; 2: a black piece can; 4: a piece that beats the defender can.
        """
        found = 0
        own = SIDES[side]
        for attack in range(1, 4):
            # Attacks and steps are symmetric: step back from the target, then once more.
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
        """Estimate from the armies' strength, possible attacks, and who can hunt the other."""
        first = self.mover ^ self.exchanged
        own = self.strength(first)
        others = self.strength(1 - first)
        lead = own - others + self.gain(first, others, True) - self.gain(1 - first, own, False)
        lead = lead / (own + others + 2.0 * SPARE)
        leader = first if lead > 0.0 else 1 - first
        lead = lead * (1.0 + HUNT * self.nearness(leader))
        self.share_odds(KEENNESS * lead)

    def strength(self, side: int) -> float:
        """Add up the values of a side's pieces, except its own target."""
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
        """Return the expected gain of a side's next attack, as far as it knows the faces.

        `others` is the strength of the other side; `now` means that the side is to move.
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
                    # The target falls now, or must flee.
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
        """Return the flags of `threat` for the declared attack alone.

        0 if the attacker is its army's own target, which should not risk an attack.
        """
        attacker = self.pieces[self.goal] & FACE
        if attacker == OWN_TARGET[self.mover ^ self.exchanged]:
            return 0
        found = 3 if IS_BLACK[attacker] else 1
        if BARE[attacker * FACE + (self.pieces[self.target] & FACE)] == ATTACKER:
            return found | 4
        return found

    def nearness(self, side: int) -> float:
        """Return how near a side's pieces are to enemies; 1 if each stands beside one."""
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
    """Return the board of a position in play, whose faces were drawn to agree with `seen`."""
    board = MindBoard(position.level.exchanged, position.level.shields)
    board.mover = position.mover
    board.ended = position.mover + 1 if position.over else 0
    for at, face in enumerate(position.faces):
        if face != faces.EMPTY:
            side = SIDES[position.armies[1] >> at & 1]
            hidden = seen is not None and seen.faces[at] == faces.UNKNOWN
            shown = position.shown >> at & 1
            board.pieces[at] = face | side | SHOWN * shown | HIDDEN * hidden
    return board


def texts(position: Position, moves: Sequence[int]) -> list[str]:
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
