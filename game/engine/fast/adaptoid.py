"""Adaptoid as a fast board: a turn is entered as its move, then its growth.

Owns a fast copy of `game.rules.adaptoid.turns`, an evaluation, and the conversion of positions and
moves. A set of cells is a mask of places as in the rules. Placing a first body is its place,
choosing a colour is 0 or 1. Moving is `STILL` for none, else 1 + start * PLACES + goal; growing is
the place and the part's offset. Compiled with the types of `adaptoid.pxd`.
"""

from array import array
from collections.abc import Sequence

from game.engine.fast import bits
from game.engine.fast import board as boards
from game.rules.adaptoid import GAME, turns
from game.rules.adaptoid import field as fields
from game.rules.adaptoid.field import ALL, BODIES, LEGS, PINCERS, PLACES, SOCKETS, WHITE
from game.rules.adaptoid.turns import ENOUGH, played

NEAR = array("Q", fields.NEAR)
STILL = 0
LEG = 64
PINCER = 128
ONE = 1

FIRST_BODY, SECOND_BODY, CHOOSE, MOVE, GROW = range(5)
PARTS = {turns.Part.BODY: 0, turns.Part.LEG: LEG, turns.Part.PINCER: PINCER}

PLIES = 6  # half turns that are played at random before a position is evaluated
CAPTURED = 0.75
"""What one captured adaptoid adds to the log-odds of winning; BODY to FEARED likewise."""
BODY, LIMB = 0.15, 0.1
PREY, FEARED = 0.5, 0.25  # for each piece that the mover can capture now, or the other next turn


class AdaptoidBoard(boards.FastBoard):
    """A position of Adaptoid. `bodies` is by colour, `captured` by player."""

    def __init__(self) -> None:
        super().__init__(2)
        self.plies = PLIES
        self.phase = FIRST_BODY
        self.white = 0
        self.bodies = array("Q", bytes(16))
        self.limbs = array("B", bytes(PLACES))
        self.captured = array("B", bytes(2))

    def copy_from(self, other: "boards.FastBoard") -> None:
        boards.FastBoard.copy_from(self, other)
        source: AdaptoidBoard = other  # type: ignore[assignment]
        for index in range(2):
            self.bodies[index] = source.bodies[index]
            self.captured[index] = source.captured[index]
        for place in range(PLACES):
            self.limbs[place] = source.limbs[place]
        self.phase = source.phase
        self.white = source.white

    def list_moves(self) -> int:
        count = 0
        if self.ended:
            return 0
        if self.phase == CHOOSE:
            self.moves[0] = 0
            self.moves[1] = 1
            return 2
        if self.phase < CHOOSE:
            return self.list_cells(0, ALL & ~self.bodies[0], 0)
        if self.phase == GROW:
            count = self.list_cells(0, self.room(0), 0)
            count = self.list_cells(count, self.room(LEG), LEG)
            return self.list_cells(count, self.room(PINCER), PINCER)
        self.moves[0] = STILL
        count = 1
        left = self.bodies[self.mover ^ self.white]
        while left:
            start = bits.lowest(left)
            left = left & left - 1
            count = self.list_cells(count, self.goals(start), 1 + start * PLACES)
        return count

    def goals(self, start: int) -> int:
        """Return the mask of places where the body at a place can end its move."""
        legs = self.limbs[start] >> 3
        if not legs:
            return 0
        home = ONE << start
        enemy = self.bodies[0] | self.bodies[1]
        empty = ALL & ~enemy
        enemy = self.bodies[0] if self.bodies[1] & home else self.bodies[1]
        seen = home
        near = home
        for _ in range(legs):
            near = around(seen)
            seen = seen | near & empty
        seen = seen ^ home
        return seen | near & enemy if self.limbs[start] & 7 else seen

    def room(self, part: int) -> int:
        """Return the mask of places where the mover can add a body, a leg or a pincer."""
        own = self.bodies[self.mover ^ self.white]
        if not part:
            taken = self.bodies[0] | self.bodies[1]
            return around(own) & ~taken if bits.count(own) < BODIES else 0
        found = own
        used = 0
        left = own
        while left:
            place = bits.lowest(left)
            left = left & left - 1
            legs = self.limbs[place] >> 3
            pincers = self.limbs[place] & 7
            used = used + (legs if part == LEG else pincers)
            if legs + pincers >= SOCKETS:
                found = found ^ ONE << place
        return found if used < (LEGS if part == LEG else PINCERS) else 0

    def play(self, move: int) -> None:
        if self.phase < CHOOSE:
            self.bodies[self.phase] = ONE << move
            self.phase = self.phase + 1
            self.within = self.phase == SECOND_BODY
            if self.phase == CHOOSE:
                self.mover = 1 - self.mover
        elif self.phase == CHOOSE:
            self.white = self.mover if move == WHITE else 1 - self.mover
            self.mover = self.white
            self.phase = MOVE
        elif self.phase == MOVE:
            if move != STILL:
                self._move((move - 1) // PLACES, (move - 1) % PLACES)
            self._decide()
            if self.ended:
                return
            if self.room(0) or self.room(LEG) or self.room(PINCER):
                self.phase = GROW
                self.within = True
            else:
                self._starve()
        else:
            if move < LEG:
                self.bodies[self.mover ^ self.white] |= ONE << move
            elif move < PINCER:
                self.limbs[move - LEG] += 8
            else:
                self.limbs[move - PINCER] += 1
            self._starve()

    def _move(self, start: int, goal: int) -> None:
        """Move a body, and fight where an enemy stands."""
        own = self.mover ^ self.white
        mine = self.limbs[start]
        its = self.limbs[goal]
        there = ONE << goal
        self.bodies[own] ^= ONE << start
        self.limbs[start] = 0
        if self.bodies[1 - own] & there:
            if mine & 7 >= its & 7:
                self.captured[self.mover] += 1
                self.bodies[1 - own] ^= there
                self.limbs[goal] = 0
            if mine & 7 <= its & 7:
                self.captured[1 - self.mover] += 1
                return
        self.bodies[own] |= there
        self.limbs[goal] = mine

    def _decide(self) -> None:
        """Check whether the game is over; if both have won, the mover wins."""
        own = self.mover ^ self.white
        if self.captured[self.mover] >= ENOUGH or not self.bodies[1 - own]:
            self.ended = self.mover + 1
        elif self.captured[1 - self.mover] >= ENOUGH or not self.bodies[own]:
            self.ended = 2 - self.mover

    def _starve(self) -> None:
        """Remove the enemies that starve, and end the turn."""
        enemy = 1 ^ self.mover ^ self.white
        starved = self.lacking(self.bodies[enemy], 0)
        self.bodies[enemy] ^= starved
        while starved:
            self.limbs[bits.lowest(starved)] = 0
            starved = starved & starved - 1
            self.captured[self.mover] += 1
        self._decide()
        self.phase = MOVE
        self.within = False
        if not self.ended:
            self.mover = 1 - self.mover

    def lacking(self, mask: int, spare: int) -> int:
        """Return the bodies whose empty neighbours are fewer than their limbs plus `spare`."""
        found = 0
        taken = self.bodies[0] | self.bodies[1]
        while mask:
            place = bits.lowest(mask)
            mask = mask & mask - 1
            limbs = (self.limbs[place] >> 3) + (self.limbs[place] & 7)
            if limbs and bits.count(NEAR[place] & ~taken) < limbs + spare:
                found = found | ONE << place
        return found

    def prey(self, colour: int) -> int:
        """Return the mask of the enemies that a colour could capture in one turn, roughly."""
        own = self.bodies[colour]
        enemies = self.bodies[1 - colour]
        reach = around(own)
        found = 0
        left = own
        while left:
            start = bits.lowest(left)
            left = left & left - 1
            ends = self.goals(start)
            reach = reach | ends
            ends = ends & enemies
            while ends:
                goal = bits.lowest(ends)
                ends = ends & ends - 1
                if self.limbs[start] & 7 > self.limbs[goal] & 7:
                    found = found | ONE << goal
        left = self.lacking(enemies, 1) & ~found
        while left:
            place = bits.lowest(left)
            left = left & left - 1
            if NEAR[place] & reach & ~(own | enemies):
                found = found | ONE << place
        return found

    def evaluate(self) -> None:
        """Estimate from captured pieces, pieces on the board, and pieces that can be captured."""
        if self.phase < MOVE:
            self.share_out(3)
            return
        own = self.mover ^ self.white
        lead = CAPTURED * (self.captured[self.mover] - 1.0 * self.captured[1 - self.mover])
        lead = lead + self.strength(own) - self.strength(1 - own)
        lead = lead + PREY * bits.count(self.prey(own))
        lead = lead - FEARED * bits.count(self.prey(1 - own))
        self.share_odds(lead)

    def strength(self, colour: int) -> float:
        total = 0.0
        left = self.bodies[colour]
        while left:
            limbs = self.limbs[bits.lowest(left)]
            left = left & left - 1
            total = total + BODY + LIMB * ((limbs >> 3) + (limbs & 7))
        return total


def around(mask: int) -> int:
    """Return all neighbours of the cells of a mask, which may include cells of the mask."""
    return (mask << 1 | mask >> 1 | mask << 7 | mask >> 7 | mask << 8 | mask >> 8) & ALL


def board_of(position: fields.Position, _: fields.Position | None = None) -> AdaptoidBoard:
    board = AdaptoidBoard()
    board.mover, board.white = position.mover, position.white
    if position.phase is fields.TurnPhase.CHOOSE:
        board.phase = CHOOSE
    elif position.phase is fields.TurnPhase.PLAY:
        board.phase = MOVE
    for index in range(2):
        board.bodies[index], board.captured[index] = position.bodies[index], position.score[index]
    for place, limbs in enumerate(position.limbs):
        board.limbs[place] = limbs
    board.ended = position.mover + 1 if position.over else 0
    return board


def texts(position: fields.Position, moves: Sequence[int]) -> list[str]:
    """Write whole turns; leave out a last turn that lacks its growth."""
    found: list[str] = []
    parts: list[int] = []
    board = board_of(position)
    for number in moves:
        board.play(number)
        parts.append(number)
        if board.within:
            continue
        move = _move_of(position, parts)
        after = played(position, move)
        found.append(GAME.plain_text(position, move))
        if after is None or after.over:
            break
        position, parts = after, []
    return found


def _move_of(position: fields.Position, parts: list[int]) -> turns.Move:
    if position.phase is fields.TurnPhase.PLACE:
        return turns.Placing(*parts)
    if position.phase is fields.TurnPhase.CHOOSE:
        return turns.ColourChoice(parts[0])
    start, goal = divmod(parts[0] - 1, PLACES) if parts[0] != STILL else (turns.NOWHERE,) * 2
    for part, offset in PARTS.items():
        if parts[1:] and offset <= parts[1] < offset + LEG:
            return turns.Turn(start, goal, part, parts[1] - offset)
    return turns.Turn(start, goal)
