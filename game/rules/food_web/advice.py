"""The coach's advice for a food web, verified by a search. Players are 0 and 1."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from math import inf, isfinite
from operator import and_, or_

from game.rules.base.game import Game
from game.rules.base.message import Message, say
from game.rules.base.values import Advice, Threats
from game.rules.food_web.position import Position
from game.rules.food_web.web import Critter, Stuck, cells_in

MOST_MEALS = 1_500
"""Most meals tried to count the exchanges of a position; beyond that, no advice on them."""
MOST_NODES = 2_000  # Most positions of an endgame that are searched
TRIES = 6  # Most quiet placements that are tried to find out whether a meal can wait
FEW_LEFT, COUNTED = 12, 24
"""Open placements, of both players together, at which to search the endgame, and to show counts."""


class TooMuch(Exception):
    """The count would take too long."""


@dataclass(frozen=True, slots=True)
class Meal:
    """A placement that eats: its cell, the resulting critter, its prey, and the prey's stones."""

    cell: int
    critter: Critter
    prey: Sequence[Critter]
    size: int
    mask: int


def turn_of(position: Position, player: int) -> Position:
    """Return the position with a player to move."""
    return position if position.mover == player else replace(position, mover=player)


def played(position: Position, cell: int) -> Position:
    return position.placed(cell)[0]


def meals(position: Position) -> list[Meal]:
    """List the placements of the player to move that eat, the largest meals first."""
    player, tables, found = position.mover, position.tables, []
    occupied, near = position.occupied, tables.near
    for cell in cells_in(position.open_cells):
        if not occupied & near[cell]:
            continue
        critter = tables.critters[position.joined(player, cell)[0]]
        if prey := position.prey_of(player, critter):
            size, mask = sum(each.size for each in prey), sum(each.mask for each in prey)
            found.append(Meal(cell, critter, prey, size, mask))
    return sorted(found, key=lambda meal: -meal.size)


def edible(meals: Iterable[Meal]) -> int:
    """Return the mask of all stones that are prey of these meals."""
    return reduce(or_, (meal.mask for meal in meals), 0)


class Look:
    """One position, for the player to move, with the data that all ideas use.

    Exchanges are counted in stones: both players only eat, or stop; a won game is infinite.
    """

    def __init__(
        self, game: Game[Position, str], position: Position, past: Sequence[Position]
    ) -> None:
        self.game, self.position, self.past = game, position, past
        self.tables, self.web = position.tables, position.tables.web
        self.me, self.foe = position.mover, 1 - position.mover
        self.rival = game.players[self.foe]
        self.own, self.others = position.stones[self.me], position.stones[self.foe]
        self.meals_of = cache(meals)
        self._wins: dict[Position, bool] = {}
        self._left = MOST_MEALS
        self.meals = {meal.cell: meal for meal in self.meals_of(position)}
        self.threats = self.meals_of(turn_of(position, self.foe))
        """The meals of the other player if it were their turn."""
        self.endangered = self.edible(turn_of(position, self.foe))
        self.after = {cell: played(position, cell) for cell in cells_in(position.open_cells)}

    def edible(self, position: Position) -> int:
        """Return the mask of all stones that the player to move could eat by one placement."""
        return edible(self.meals_of(position))

    def value(self, position: Position, most: float = inf) -> float:
        """Return how many more stones the mover can eat than lose, up to `most`; raises TooMuch."""
        best: float = 0
        for meal in self.meals_of(position):
            if best >= most:
                break
            self._left -= 1
            if self._left < 0:
                raise TooMuch
            best = max(best, self.worth(position, meal.cell, meal.size, best))
        return best

    def worth(self, position: Position, cell: int, size: int, least: float = -inf) -> float:
        """Return the value of a placement that eats `size` stones; it can be negative."""
        after = played(position, cell)
        if after.open_cells:
            return size - self.value(after, size - least)
        return -inf if self.wins(after) else inf

    def wins(self, position: Position) -> bool:
        """Return, by searching to the end, whether the player to move wins; raises TooMuch."""
        if not position.open_cells:
            outcome = self.game.outcome(position)
            return outcome is not None and outcome.winner == position.mover + 1
        if position not in self._wins:
            if len(self._wins) >= MOST_NODES:
                raise TooMuch
            self._wins[position] = False
            cells = cells_in(position.open_cells)
            self._wins[position] = any(not self.wins(played(position, each)) for each in cells)
        return self._wins[position]

    def advice(self) -> Iterator[Advice]:
        """Yield a coach's ideas for the player whose turn it is; see `Presentation.advice`."""
        yield from self._lessons()
        yield from self._count()
        sizes = dict.fromkeys(self.after, 0) | {n: meal.size for n, meal in self.meals.items()}
        try:
            worth = {cell: self.worth(self.position, cell, sizes[cell]) for cell in sizes}
            at_stake = self.value(turn_of(self.position, self.foe))
        except TooMuch:
            return
        yield from self._eating(worth, at_stake)
        yield from self._danger(worth, at_stake)

    def _eating(self, worth: Mapping[int, float], at_stake: float) -> Iterator[Advice]:
        """Yield which meal pays while stones are at stake, which does not, and which can wait."""
        best = max(worth.values())
        pays = 1 <= best < inf
        top = next(
            (meal for meal in self.meals.values() if pays and worth[meal.cell] == best), None
        )
        if top is not None and at_stake:
            words = {"cell": self.tables.cells[top.cell], "count": top.size}
            many = len(top.prey) > 1
            message = say("circle_of_life.coach_pays", net=best, **words)
            if many:
                message = say("circle_of_life.coach_several", prey=len(top.prey), **words)
            weight = min(7, 3 + int(best) + many)
            yield self._idea(message, weight, edible=top.mask, spots=[top.cell], heeding=[top.cell])
        goes_on = (cell for cell in self.meals if self.after[cell].open_cells)
        poor = {cell for cell in goes_on if worth[cell] < min(0, best - 1)}
        if poor:
            meal = max((self.meals[cell] for cell in poor), key=lambda meal: meal.size)
            lost = meal.size - worth[meal.cell]
            words = {"cell": self.tables.cells[meal.cell], "count": meal.size, "player": self.rival}
            message = say("circle_of_life.coach_beware", lost=lost, **words)
            if not isfinite(lost):
                message = say("circle_of_life.coach_beware_loses", **words)
            heeding = set(worth) - poor
            yield self._idea(message, 5, edible=meal.mask, attackers=[meal.cell], heeding=heeding)
        quiet = [cell for cell in worth if cell not in self.meals and worth[cell] == 0]
        if top is not None and not at_stake and self._waits(quiet, top.mask):
            species = self.web.species[top.critter.prey].word
            message = say("circle_of_life.coach_no_hurry", species=species, player=self.rival)
            yield self._idea(message, 4, edible=top.mask, heeding=quiet)

    def _waits(self, quiet: Sequence[int], prey: int) -> bool:
        """Return whether some quiet placement leaves the prey edible after every reply."""
        for after in (self.after[cell] for cell in quiet[::-1][:TRIES]):
            replies = (played(after, reply) for reply in cells_in(after.open_cells))
            if all(prey & ~self.edible(reply) == 0 for reply in replies):
                return True
        return False

    def _danger(self, worth: Mapping[int, float], at_stake: float) -> Iterator[Advice]:
        """Yield the stones that the other player can win, and how to save or to avenge them."""
        best = max(worth.values())
        if not 1 <= at_stake < inf or best == -inf:
            return
        lost = reduce(and_, map(self.edible, self.after.values()), self.own)
        doomed = [each for each in self._critters(lost) if each.mask & ~lost == 0]
        heeding = [cell for cell in worth if worth[cell] == best]
        if best > -at_stake and not doomed:
            yield from self._avoidable(heeding, min(7, 2 + int(at_stake)))
        for each in doomed:
            revenge = [cell for cell in heeding if self._eats_back(cell, each.mask)]
            if revenge and best > -each.size:
                species = self.web.species[each.species].word
                message = say("circle_of_life.coach_doomed", species=species, player=self.rival)
                yield self._idea(message, 5, each.mask, spots=revenge[:1], heeding=revenge)
                return

    def _avoidable(self, best: Sequence[int], weight: int) -> Iterator[Advice]:
        """Yield a threat that a move reduces: to a critter of full size, else the largest one."""
        after = {cell: self.after[cell] for cell in best}
        for each in self._critters(self.endangered):
            saves = [cell for cell in after if not self.edible(after[cell]) & each.mask]
            if saves and each.size == self.web.most:
                message = say("circle_of_life.coach_four", player=self.rival, most=self.web.most)
                eaters = [meal.cell for meal in self.threats if meal.mask & each.mask]
                yield self._idea(message, weight, each.mask, attackers=eaters, heeding=saves)
                return
        count = self.threats[0].size
        larger = {c for c in after if any(meal.size >= count for meal in self.meals_of(after[c]))}
        if saves := [cell for cell in after if cell not in larger]:
            message = say("circle_of_life.coach_danger", player=self.rival, count=count)
            cells = [meal.cell for meal in self.threats]
            yield self._idea(message, weight, self.endangered, attackers=cells, heeding=saves)

    def _eats_back(self, cell: int, doomed: int) -> bool:
        """Return whether the player can eat after every reply that eats the lost critter."""
        after = self.after[cell]
        replies = [played(after, meal.cell) for meal in meals(after) if meal.mask & doomed]
        return all(map(meals, replies))

    def _critters(self, mask: int) -> list[Critter]:
        at = self.position.critter_at
        found = {each.mask: each for cell in cells_in(mask) if (each := at[cell]) is not None}
        return list(found.values())

    def _lessons(self) -> Iterator[Advice]:
        """Yield why a critter was just eaten, and why one beside its predator is safe."""
        yield from self._why_eaten()
        edible_now = self.edible(self.position)
        for mine, safe in ((True, self.own & ~self.endangered), (False, self.others & ~edible_now)):
            for prey in self._critters(safe):
                beside = self._critters(prey.border & (self.others if mine else self.own))
                eater = next((each for each in beside if each.prey == prey.species), None)
                if eater is None or prey.mask & ~safe:
                    continue
                species, word = (self.web.species[each.species].word for each in (eater, prey))
                message = say("circle_of_life.coach_placed", species=species, prey=word)
                if mine:
                    message = say("circle_of_life.coach_safe", species=species, prey=word)
                yield self._idea(message, 2, attackers=eater.cells, subject=prey.cells)
                break

    def _why_eaten(self) -> Iterator[Advice]:
        """Yield an idea if the player's last stone made a critter that was eaten at once."""
        if len(self.past) < 2:
            return
        start, middle = self.past[-2:]
        new = middle.stones[self.me] & ~start.stones[self.me]
        gone = middle.stones[self.me] & ~self.own
        before = self.edible(turn_of(start, self.foe))
        if start.mover != self.me or not new & gone or before & gone:
            return
        critter = middle.critter_at[cells_in(new)[0]]
        assert critter is not None
        species, most = self.web.species[critter.species].word, self.web.most
        message = say("circle_of_life.coach_eaten", species=species, player=self.rival)
        if critter.size == most:
            message = say("circle_of_life.coach_four_eaten", player=self.rival, most=most)
        eater = self.others & ~middle.stones[self.foe]
        yield self._idea(message, 5, attackers=cells_in(eater))

    def _count(self) -> Iterator[Advice]:
        """Yield the number of placements left, and who runs out first: the second way to win."""
        position = self.position
        mine = position.open_cells
        theirs = position.open_to(self.foe)
        left = mine.bit_count() + theirs.bit_count()
        alone, runs_out = mine & ~theirs, self.web.stuck is Stuck.WINS
        words = {"own": mine.bit_count(), "player": self.rival, "other": theirs.bit_count()}
        if left <= FEW_LEFT:
            try:
                good = [cell for cell, each in self.after.items() if not self.wins(each)]
            except TooMuch:
                good = []
            if 0 < len(good) < len(self.after):
                first = runs_out and set(good) == set(cells_in(alone))
                message = say("circle_of_life.coach_count_wins", count=len(good), **words)
                message = say("circle_of_life.coach_alone") if first else message
                yield self._idea(message, 7, spots=good, heeding=good)
                return
        if runs_out and left <= COUNTED and not self.meals and not self.threats:
            message = say("circle_of_life.coach_count", alone=alone.bit_count(), **words)
            yield self._idea(message, 3)

    def _idea(
        self,
        message: Message,
        weight: int,
        endangered: int = 0,
        edible: int = 0,
        **cells: Iterable[int],
    ) -> Advice:
        """Return an idea; `cells` are its further sets of cells, as indices."""
        threats = Threats(*(frozenset(self.tables.names(mask)) for mask in (endangered, edible)))
        names = {key: frozenset(self.tables.cells[n] for n in each) for key, each in cells.items()}
        return Advice(message, weight, threats, **names)
