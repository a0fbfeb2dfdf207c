"""Motions of fingers and stones, contact by contact, on the emulated body of a board.

Owns how a press, a slide, a palm, or a stone that is set and lifted comes about at the electrodes,
and what that does to the stones on the desk. Must not know why anybody moves, nor what is shown.
Chance is a seeded generator; time comes in, in seconds.
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count, pairwise
from math import inf
from random import Random

from game.app.soak.desk import Desk
from game.app.soak.traits import Span
from hal.sim.body import Body


class Deed(Enum):
    """Name what happens at one spot in one moment."""

    LAY = "lay"
    """Flesh comes down."""
    LIFT = "lift"
    """Flesh goes up."""
    PUT = "put"
    """A stone comes to stand."""
    TAKE = "take"
    """A stone goes."""
    LOSE = "lose"
    """A stone that bounces is in the air for a moment."""
    LAND = "land"
    """It is down again."""
    TURN = "turn"
    """A ring goes on by some cells, with all that stands on it."""


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """Hold one change at one spot; `order` keeps those of one moment in the order of asking.

    A ring that turns has its `cells` and `steps` beside its name.
    """

    time_s: float
    order: int
    deed: Deed = field(compare=False)
    spot: str = field(compare=False)
    piece: str = field(compare=False, default="")
    cells: tuple[str, ...] = field(compare=False, default=())
    steps: int = field(compare=False, default=0)


BOUNCES_S = 0.012
"""How long a contact bounces at the most."""


class Fingers:
    """Make motions on a body and its desk.

    `feels_stones` tells whether stones load the electrodes; else flesh alone does. A motion begins
    when it is told to and gives the time of its end. `done_s` is when the newest contact was made.
    """

    def __init__(
        self, body: Body, desk: Desk, rng: Random, *, feels_stones: bool, bounce: float
    ) -> None:
        self.desk = desk
        self.done_s = -inf
        self._body = body
        self._rng = rng
        self._feels_stones = feels_stones
        self._bounce = bounce
        self._coming: list[Contact] = []
        self._numbers = count()
        self._deeds: dict[Deed, Callable[[str], None]] = {
            Deed.LAY: body.lay,
            Deed.LIFT: body.lift,
            Deed.LOSE: self._lose,
            Deed.LAND: self._land,
        }

    @property
    def due(self) -> float:
        """Give when the next contact is made; infinity for never."""
        return self._coming[0].time_s if self._coming else inf

    @property
    def ends_s(self) -> float:
        """Give when the last contact that was asked for is made; minus infinity for none."""
        return max((contact.time_s for contact in self._coming), default=-inf)

    def move(self, now: float) -> list[Contact]:
        """Make the contacts that are due, each at its time, and give them."""
        made = []
        while self._coming and self._coming[0].time_s <= now:
            contact = heapq.heappop(self._coming)
            self._body.advance(contact.time_s)
            self._make(contact)
            self.done_s = contact.time_s
            made.append(contact)
        return made

    def moved_to(self, body: Body, now: float) -> "Fingers":
        """Give fingers that go on with this desk on a body that has just been given power."""
        fingers = Fingers(
            body, self.desk, self._rng, feels_stones=self._feels_stones, bounce=self._bounce
        )
        fingers.done_s = now
        return fingers

    def press(self, spot: str, at: float, hold_s: float) -> float:
        """Touch a spot, and lift."""
        self._lay(spot, at)
        return self._lift(spot, at + hold_s)

    def slide(self, path: Sequence[str], at: float, step_s: float) -> float:
        """Drag a finger along cells: it leaves one a moment after it has come to the next."""
        self._lay(path[0], at)
        for earlier, later in pairwise(path):
            at += step_s
            self._ask(at, Deed.LAY, later)
            self._ask(at + self._rng.uniform(-0.3, 0.6) * step_s, Deed.LIFT, earlier)
        return self._lift(path[-1], at + step_s)

    def rest(self, cells: Iterable[str], at: float, hold_s: float, landing_s: float) -> float:
        """Rest a hand on cells; it lands and leaves bit by bit."""
        end = at
        for cell in cells:
            self._ask(at + self._rng.uniform(0.0, landing_s), Deed.LAY, cell)
            end = max(end, self._ask(at + hold_s + self._rng.uniform(0.0, 0.1), Deed.LIFT, cell))
        return end

    def put(self, cell: str, piece: str, at: float, hold_s: float, touch: bool = True) -> float:
        """Set a stone; the finger on it is felt where stones are not, if it touches at all."""
        self._ask(at, Deed.PUT, cell, piece)
        if self._feels_stones:
            for begin, end in self._bounces(at):
                self._ask(begin, Deed.LOSE, cell)
                self._ask(end, Deed.LAND, cell)
            return at + hold_s
        return self.press(cell, at, hold_s) if touch else at + hold_s

    def take(self, cell: str, at: float, hold_s: float, touch: bool = True) -> float:
        """Take a stone away; the finger on it is felt where stones are not, if it touches."""
        if touch and not self._feels_stones:
            self.press(cell, at, hold_s)
        return self._ask(at + 0.8 * hold_s, Deed.TAKE, cell)

    def drag(self, path: Sequence[str], piece: str, at: float, step_s: float) -> float:
        """Slide the stone of the first cell over the next ones, to stay on the last."""
        for earlier, later in pairwise(path):
            at += step_s
            self._ask(at, Deed.TAKE, earlier)
            self._ask(at + self._rng.uniform(0.0, 0.5) * step_s, Deed.PUT, later, piece)
        return at + step_s

    def turn(self, ring: str, cells: Sequence[str], steps: int, at: float, turns_s: float) -> float:
        """Turn a ring with all that stands on it, which is felt nowhere while it is on its way."""
        if turns_s > 0.0:
            for cell in cells:
                self._ask(at, Deed.LOSE, cell)
        end = at + turns_s
        contact = Contact(end, next(self._numbers), Deed.TURN, ring, "", tuple(cells), steps)
        heapq.heappush(self._coming, contact)
        return end

    def wobble(self, cell: str, at: float, gone_s: float) -> float:
        """Lift a stone a little and let it stand again."""
        self._ask(at, Deed.LOSE, cell)
        return self._ask(at + gone_s, Deed.LAND, cell)

    def span(self, span: Span) -> float:
        """Draw a time."""
        return self._rng.uniform(*span)

    def _ask(self, at: float, deed: Deed, spot: str, piece: str = "") -> float:
        heapq.heappush(self._coming, Contact(at, next(self._numbers), deed, spot, piece))
        return at

    def _lay(self, spot: str, at: float) -> None:
        self._ask(at, Deed.LAY, spot)
        for begin, end in self._bounces(at):
            self._ask(begin, Deed.LIFT, spot)
            self._ask(end, Deed.LAY, spot)

    def _lift(self, spot: str, at: float) -> float:
        for begin, end in self._bounces(at):
            self._ask(begin - BOUNCES_S, Deed.LIFT, spot)
            self._ask(end - BOUNCES_S, Deed.LAY, spot)
        return self._ask(at + BOUNCES_S, Deed.LIFT, spot)

    def _bounces(self, at: float) -> list[Span]:
        """Draw when a contact that was made is lost again, and until when."""
        if self._rng.random() >= self._bounce:
            return []
        times = sorted(at + self._rng.uniform(0.001, BOUNCES_S) for _ in range(4))
        return [(times[0], times[1]), (times[2], times[3])][: self._rng.randint(1, 2)]

    def _make(self, contact: Contact) -> None:
        spot = contact.spot
        if contact.deed is Deed.PUT:
            self.desk.put(spot, contact.piece)
            self._land(spot)
        elif contact.deed is Deed.TAKE:
            self.desk.take(spot)
            self._lose(spot)
        elif contact.deed is Deed.TURN:
            self.desk.turn(contact.cells, contact.steps)
            for cell in contact.cells:
                (self._land if cell in self.desk.stones else self._lose)(cell)
        else:
            self._deeds[contact.deed](spot)

    def _land(self, cell: str) -> None:
        if self._feels_stones:
            self._body.put(cell)

    def _lose(self, cell: str) -> None:
        if self._feels_stones:
            self._body.take(cell)
