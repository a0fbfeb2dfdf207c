"""A second, deliberately naive Adaptoid, written from the rules document alone.

It owns nothing but plainness: dictionaries from cell to adaptoid, and loops. It must not know
`game`: the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from tests.oracles.naive import Naive


def near_cells(lengths: dict[str, int]) -> dict[str, list[str]]:
    """List the cells around each cell of rows of these lengths, the first row at the bottom."""
    # Half cells to the right of the middle, and rows above the bottom.
    places = {
        f"{row}{k}": (2 * k - length, above)
        for above, (row, length) in enumerate(lengths.items())
        for k in range(1, length + 1)
    }
    near = (2, 0), (1, 1)
    return {
        cell: [each for each, (x2, y2) in places.items() if (abs(x - x2), abs(y - y2)) in near]
        for cell, (x, y) in places.items()
    }


NEIGHBOURS = near_cells({"a": 4, "b": 5, "c": 6, "d": 7, "e": 6, "f": 5, "g": 4})
CELLS = list(NEIGHBOURS)
PARTS, SOCKETS = 12, 6
Being = tuple[str, int, int]
"""An adaptoid: colour, legs, pincers."""
Pieces = dict[str, Being]


@dataclass(frozen=True)
class NaiveAdaptoid(Naive):
    """A position; `happened` names what is rare, for the tests to see that it was there."""

    to_move: int | None = 1
    phase: str = "place"
    colours: tuple[str, str] | None = None
    pieces: Pieces = field(default_factory=dict)
    score: tuple[int, int] = (0, 0)
    outcome: tuple[int, str] | None = None
    gone: tuple[str, ...] = ()
    happened: frozenset[str] = frozenset()

    def legal(self) -> list[str]:
        if self.outcome is not None:
            return []
        if self.phase == "place":
            return sorted(f"W:{one} B:{two}" for one in CELLS for two in CELLS if one != two)
        if self.phase == "choose":
            return ["black", "white"]
        found = []
        for move in self.moves():
            half = self.moved(move)
            growths = [] if half.winner() is not None else half.growths()
            if not growths:
                found.append(f"{move}/")
            found += [f"{move}/{growth}" for growth in growths]
        return sorted(found)

    def play(self, text: str) -> NaiveAdaptoid:
        if self.phase == "place":
            white, black = (part.split(":")[1] for part in text.split())
            pieces = {white: ("W", 0, 0), black: ("B", 0, 0)}
            return replace(self, phase="choose", to_move=self.other(), pieces=pieces)
        if self.phase == "choose":
            mine_is_white = text == "white"
            first_is_white = mine_is_white == (self.to_move == 1)
            colours = ("W", "B") if first_is_white else ("B", "W")
            return replace(self, phase="play", colours=colours, to_move=1 if first_is_white else 2)
        move, growth = text.split("/")
        step = self.moved(move)
        if step.winner() is None:
            step = step.grown(growth).starved()
        won = step.winner()
        if won is not None:
            return replace(step, outcome=won, to_move=None)
        return replace(step, to_move=self.other())

    def other(self) -> int:
        return 3 - (self.to_move or 0)

    def colour(self) -> str:
        assert self.colours is not None
        return self.colours[(self.to_move or 0) - 1]

    def own(self) -> list[str]:
        mine = self.colour()
        return [cell for cell, being in self.pieces.items() if being[0] == mine]

    def empty_around(self, cell: str) -> list[str]:
        return [near for near in NEIGHBOURS[cell] if near not in self.pieces]

    def moves(self) -> list[str]:
        """List what a turn may begin with: "" for no move."""
        found = [""]
        for start in self.own():
            colour, legs, pincers = self.pieces[start]
            reached = {start}
            for _ in range(legs):
                for cell in list(reached):
                    if cell != start and cell in self.pieces:
                        continue
                    reached.update(NEIGHBOURS[cell])
            for goal in reached - {start}:
                if goal not in self.pieces:
                    found.append(f"{start}-{goal}")
                elif self.pieces[goal][0] != colour and pincers >= 1:
                    found.append(f"{start}x{goal}")
        return found

    def moved(self, move: str) -> NaiveAdaptoid:
        fresh = replace(self, gone=(), happened=frozenset())
        if not move:
            return fresh
        start, goal = move[:2], move[3:]
        pieces = dict(self.pieces)
        mover = pieces.pop(start)
        enemy = pieces.pop(goal, None)
        if enemy is None:
            pieces[goal] = mover
            return replace(fresh, pieces=pieces)
        player, other = self.to_move or 0, self.other()
        if mover[2] > enemy[2]:
            pieces[goal] = mover
            return fresh.took(pieces, {player: [goal]}, "won")
        if mover[2] < enemy[2]:
            pieces[goal] = enemy
            return fresh.took(pieces, {other: [start]}, "lost")
        return fresh.took(pieces, {player: [goal], other: [start]}, "both")

    def took(self, pieces: Pieces, taken: dict[int, list[str]], event: str) -> NaiveAdaptoid:
        """Count what each player has captured, by where the pieces stood when the turn began."""
        one, two = (self.score[n - 1] + len(taken.get(n, ())) for n in (1, 2))
        gone = tuple(sorted([*self.gone, *taken.get(1, ()), *taken.get(2, ())]))
        happened = self.happened | {event}
        return replace(self, pieces=pieces, score=(one, two), gone=gone, happened=happened)

    def supply(self, colour: str) -> dict[str, int]:
        """Count the bodies, legs and pincers of a colour that are not on the board."""
        there = [being for being in self.pieces.values() if being[0] == colour]
        return {
            "bodies": PARTS - len(there),
            "legs": PARTS - sum(legs for _, legs, _ in there),
            "pincers": PARTS - sum(pincers for _, _, pincers in there),
        }

    def growths(self) -> list[str]:
        left = self.supply(self.colour())
        found = set()
        for cell in self.own():
            if left["bodies"] > 0:
                found.update(f"+{near}" for near in self.empty_around(cell))
            _, legs, pincers = self.pieces[cell]
            if legs + pincers < SOCKETS:
                if left["legs"] > 0:
                    found.add(f"{cell}L")
                if left["pincers"] > 0:
                    found.add(f"{cell}P")
        return list(found)

    def grown(self, growth: str) -> NaiveAdaptoid:
        if not growth:
            return replace(self, happened=self.happened | {"nothing grew"})
        pieces = dict(self.pieces)
        if growth[0] == "+":
            pieces[growth[1:]] = (self.colour(), 0, 0)
            return replace(self, pieces=pieces)
        colour, legs, pincers = pieces[growth[:2]]
        more_legs = growth[2] == "L"
        pieces[growth[:2]] = (colour, legs + more_legs, pincers + (not more_legs))
        return replace(self, pieces=pieces)

    def starved(self) -> NaiveAdaptoid:
        """Let the enemies starve that have too few empty neighbours: all judged, then all gone."""
        doomed = [
            cell
            for cell, (colour, legs, pincers) in self.pieces.items()
            if colour != self.colour() and len(self.empty_around(cell)) < legs + pincers
        ]
        if not doomed:
            return self
        left = {cell: being for cell, being in self.pieces.items() if cell not in doomed}
        event = f"starved {min(len(doomed), 2)}"
        return self.took(left, {self.to_move or 0: doomed}, event)

    def winner(self) -> tuple[int, str] | None:
        """Return who has won after a step of a turn, checking the mover first."""
        for player in (self.to_move or 0, self.other()):
            if self.score[player - 1] >= 5:
                return player, "five captured"
            assert self.colours is not None
            enemy = self.colours[2 - player]
            if all(being[0] != enemy for being in self.pieces.values()):
                return player, "no adaptoid left"
        return None

    def codes(self) -> dict[str, str]:
        return {
            cell: f"{colour}{legs}L{pincers}P"
            for cell, (colour, legs, pincers) in self.pieces.items()
        }

    def extras(self) -> dict[str, object]:
        return {
            "phase": self.phase,
            "colours": self.colours,
            "supply": {colour: self.supply(colour) for colour in "WB"},
        }


def read(codes: dict[str, str], **more: object) -> NaiveAdaptoid:
    """Build a position in play from the referee's codes, player 1 being White."""
    pieces = {cell: (code[0], int(code[1]), int(code[3])) for cell, code in codes.items()}
    start = NaiveAdaptoid(phase="play", colours=("W", "B"), pieces=pieces)
    return replace(start, **more)  # type: ignore[arg-type]


LIKES = ("fights", "bodies", "limbs", "anything", "hunger")
"""What a random mover prefers; without preferences some things happen too rarely."""


def random_move(
    likes: tuple[str, str], rng: Random, position: NaiveAdaptoid, legal: list[str]
) -> str:
    """Draw a move, mostly one that its player likes."""
    liked, chosen = likes[(position.to_move or 0) - 1], legal
    if rng.random() < 0.7:
        if liked == "fights":
            chosen = [move for move in legal if "x" in move]
        elif liked == "bodies":
            chosen = [move for move in legal if "/+" in move and "x" not in move]
        elif liked == "limbs":
            chosen = [move for move in legal if move.startswith("/") and move[-1] in "LP"]
        elif liked == "hunger":
            tried = rng.sample(legal, min(12, len(legal)))
            chosen = sorted(tried, key=lambda move: len(position.play(move).gone))[-1:]
    return rng.choice(chosen or legal)
