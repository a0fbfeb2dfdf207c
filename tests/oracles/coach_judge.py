"""A judge of what the coach says, written from the documents of the rules and of the coach.

It knows the rules by the naive implementations only, and must not know `game`. It plays out what
each sentence claims, and counts in stones; a lost or won game is infinite.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import wraps
from math import inf, isfinite
from typing import Any

from tests.oracles import naive_adaptoid, naive_azteka, naive_circle, naive_cirkle_mind
from tests.oracles import naive_neighbor as neighbor
from tests.oracles.naive import Naive
from tests.oracles.naive_circle import groups
from tests.oracles.puzzle_judge import NaiveGo

STARTS: dict[str, Callable[[], Any]] = {
    "circle-of-life": naive_circle.NaivePosition,
    "eat-your-neighbor": neighbor.NaiveNeighbor,
    "azteka": lambda: naive_azteka.naive_start("basic"),
    "azteka-three": lambda: naive_azteka.naive_start("three"),
    "adaptoid": naive_adaptoid.NaiveAdaptoid,
    "cirkle-mind": naive_cirkle_mind.NaiveMind,
    "capture-go": lambda: NaiveGo({}, 1, (0, 0), 3),
}
SIZES = {1: "singleton", 2: "pair", 3: "trio", 4: "quartet"}
SMALLER = {"pair": "singleton", "trio": "pair", "quartet": "trio", "singleton": "quartet"}
UNDECIDED, DRAWN = 0, -1


def winner(position: Naive) -> int:
    """Return who has won; UNDECIDED while the game goes on."""
    won = position.outcome
    return UNDECIDED if won is None else won[0] or DRAWN


def won_by(position: Any, move: str) -> tuple[int, Any]:
    """Play a move; return who wins the match, else a round, by it, and the position after it."""
    after = position.play(move)
    if winner(after) == UNDECIDED and getattr(after, "round", 1) > getattr(position, "round", 1):
        return after.first_round["winner"], after
    return winner(after), after


def remembered(search: Callable[..., Any]) -> Callable[..., Any]:
    """Let a judge search each position of a food web once."""

    @wraps(search)
    def found(judge: Any, position: Any) -> Any:
        stones = frozenset(position.stones.items())
        key = search.__name__, stones, position.to_move, position.score
        if key not in judge.known:
            judge.known[key] = search(judge, position)
        return judge.known[key]

    return found


def other(position: Any) -> Any:
    return replace(position, to_move=3 - position.to_move)


def can_win(position: Any, player: int) -> bool:
    """Return whether a player to move can win within the turn, all its actions included."""
    if winner(position) or position.to_move != player:
        return False
    for move in position.legal():
        won, after = won_by(position, move)
        if won == player or (not won and can_win(after, player)):
            return True
    return False


def loses(position: Any, move: str, player: int) -> bool:
    """Return whether another player wins by a move, or can win in the turn after it."""
    won, after = won_by(position, move)
    if won:
        return won not in (player, DRAWN)
    if after.to_move == player:
        return all(loses(after, each, player) for each in after.legal())
    return can_win(after, after.to_move)


class Judge:
    """Judges the ideas at the end of a game: `line` has its positions, `moves` what led to them."""

    def __init__(self, line: Sequence[Any], moves: Sequence[str]) -> None:
        self.line, self.moves, self.now = line, moves, line[-1]
        self.me = self.now.to_move
        self.near = neighbor.NEAR[getattr(self.now, "side", 5)]
        self.known: dict[Any, Any] = {}

    def holds(self, idea: Any) -> bool:
        """Return whether all that an idea says and lights is true."""
        name = idea.message.key.rpartition(".")[2]
        check: Callable[..., bool] = getattr(self, name)
        return check(idea, **idea.message.args)

    # What follows is named after the keys of the ideas, and takes what their sentences say.

    def finish(self, idea: Any, count: int) -> bool:
        won = {move for move in self.now.legal() if won_by(self.now, move)[0] == self.me}
        return won == idea.heeding and len(won) == count > 0 and self._names_the_round(idea)

    def guard(self, idea: Any, count: int, player: Any) -> bool:
        moves = set(self.now.legal())
        safe = {move for move in moves if not loses(self.now, move, self.me)}
        shown = 0 < len(safe) == count < len(moves) and safe == idea.heeding
        return shown and self._names_the_round(idea)

    def _names_the_round(self, idea: Any) -> bool:
        """Return whether a sentence speaks of a round if, and only if, that is what is won."""
        azteka = isinstance(self.now, naive_azteka.NaiveAzteka)
        of_match = not azteka or self.now.variant == "three" or self.now.round == 2
        return idea.message.key.startswith("coach.") == of_match

    def new_danger(self, idea: Any, count: int) -> bool:
        then, ring = self._dangers(self.line[-2], self.me), self.moves[-1][-1]
        # A turned ring carries a danger that was there before.
        for _ in range(self.moves[-1].count("T")):
            on = {cell for cell in then if cell[1] == ring}
            then = then - on | {naive_azteka.next_segment(cell[0]) + ring for cell in on}
        now = self._dangers(self.now, self.me) - then
        return idea.threats.endangered == now and count == len(now) > 0

    def endangered(self, idea: Any, count: int) -> bool:
        found = self._dangers(self.now, self.me)
        return idea.threats.endangered == found and count == len(found) > 0

    def edible(self, idea: Any, count: int) -> bool:
        found = self._dangers(self.now, 3 - self.me)
        return idea.threats.edible == found and count == len(found) > 0

    new_attack, attackable, can_attack = new_danger, endangered, edible

    def _dangers(self, position: Any, player: int) -> set[str]:
        """Return a player's cells that the other one could take or attack in a turn of theirs."""
        turn = replace(position, to_move=3 - player)
        if isinstance(turn, naive_cirkle_mind.NaiveMind):
            return {move.partition("*")[2] for move in turn.legal() if "*" in move}
        if isinstance(turn, naive_azteka.NaiveAzteka):
            turn = replace(turn, birth=False)
            places = turn.places("D") if turn.mover == "D" else []
            return {cell for move in places for cell in turn.play(move).gone}
        if turn.phase != "play":
            return set()
        gone = {cell for move in turn.legal() for cell in turn.play(move).gone}
        own = turn.colours[player - 1]
        return {cell for cell in gone if turn.pieces.get(cell, own)[0] == own}

    # Food webs. A meal is a placement that eats.

    @remembered
    def meals(self, position: Any) -> dict[str, set[str]]:
        cells = position.legal() if not winner(position) else ()
        beside = (cell for cell in cells if self.near[cell] & position.stones.keys())
        found = ((cell, position.eaten_by(cell)) for cell in beside)
        return {cell: eaten for cell, eaten in found if eaten}

    def eaten(self, position: Any) -> set[str]:
        return set[str]().union(*self.meals(position).values())

    def largest(self, position: Any) -> int:
        return max(map(len, self.meals(position).values()), default=0)

    @remembered
    def swing(self, position: Any) -> float:
        """Return what the mover gains if both only eat, or stop."""
        best, meals = 0.0, self.meals(position)
        for move in sorted(meals, key=lambda move: -len(meals[move])):
            if len(meals[move]) > best or winner(position.play(move)):
                best = max(best, self.worth(position, move))
        return best

    def worth(self, position: Any, move: str) -> float:
        won, after = won_by(position, move)
        if won:
            return inf if won == position.to_move else -inf
        return len(self.meals(position).get(move, ())) - self.swing(after)

    def worths(self) -> dict[str, float]:
        return {move: self.worth(self.now, move) for move in self.now.legal()}

    def species(self, cells: Set[str]) -> str:
        if isinstance(self.now, neighbor.NaiveNeighbor):
            return SIZES[len(cells)]
        return naive_circle.species_of(set(cells))

    def _owned(self, player: int, position: Any = None) -> list[set[str]]:
        stones = (position or self.now).stones
        return groups({cell for cell in stones if stones[cell] == player}, self.near)

    def coach_pays(self, idea: Any, cell: str, count: int, net: int | None = None) -> bool:
        worth = self.worths()
        eaten = self.meals(self.now)[cell]
        shown = isfinite(worth[cell]) and worth[cell] == (net or worth[cell])
        best = worth[cell] == max(worth.values()) > 0
        return shown and best and eaten == idea.threats.edible and len(eaten) == count

    def coach_several(self, idea: Any, prey: int, cell: str, count: int) -> bool:
        eaten = groups(self.meals(self.now)[cell], self.near)
        return len(eaten) == prey > 1 and self.coach_pays(idea, cell, count)

    def coach_beware(self, idea: Any, cell: str, count: int, player: Any, lost: int) -> bool:
        worth, eaten = self.worths(), self.meals(self.now)[cell]
        shown = isfinite(worth[cell]) and worth[cell] == count - lost < 0 and len(eaten) == count
        better = {move for move in idea.heeding if worth[move] > worth[cell]}
        return shown and eaten == idea.threats.edible and bool(better)

    def coach_beware_loses(self, idea: Any, cell: str, count: int, player: Any) -> bool:
        worth, eaten = self.worths(), self.meals(self.now)[cell]
        better = {move for move in worth if worth[move] > -inf}
        return can_win(self.now.play(cell), 3 - self.me) and len(eaten) == count and bool(better)

    def coach_danger(self, idea: Any, player: Any, count: int) -> bool:
        turn = other(self.now)
        lower = {m for m in self.now.legal() if self.largest(self.now.play(m)) < count}
        lit = (idea.threats.endangered, idea.attackers) == (self.eaten(turn), {*self.meals(turn)})
        return lit and count == self.largest(turn) and set() < idea.heeding <= lower

    def coach_four(self, idea: Any, player: Any, most: int) -> bool:
        four, threats = idea.threats.endangered, self.meals(other(self.now))
        saves = {m for m in self.now.legal() if not four & self.eaten(self.now.play(m))}
        eaters = {cell for cell in threats if four <= threats[cell]}
        shown = four in self._owned(self.me) and len(four) == most == 4
        return shown and set() < eaters == idea.attackers and set() < idea.heeding <= saves

    def coach_doomed(self, idea: Any, species: Any, player: Any) -> bool:
        lost = idea.threats.endangered
        replies = {m: self.now.play(m) for m in self.now.legal()}
        shown = lost in self._owned(self.me) and self.species(lost) == word(species)
        if not shown or not all(lost <= self.eaten(after) for after in replies.values()):
            return False
        for after in (replies[cell] for cell in idea.spots | idea.heeding):
            for reply, eaten in self.meals(after).items():
                if lost & eaten and not self.meals(after.play(reply)):
                    return False
        return bool(idea.spots)

    def coach_no_hurry(self, idea: Any, species: Any, player: Any) -> bool:
        prey = idea.threats.edible
        shown = {self.species(each) for each in groups(prey, self.near)} == {word(species)}

        def waits(move: str) -> bool:
            after = self.now.play(move)
            return all(prey <= self.eaten(after.play(reply)) for reply in after.legal())

        quiet = idea.heeding - set(self.meals(self.now))
        calm = self.swing(other(self.now)) == 0 and prey <= self.eaten(self.now)
        return shown and calm and any(map(waits, quiet))

    def coach_safe(self, idea: Any, species: Any, prey: Any) -> bool:
        owner = self.me if idea.message.key.endswith("safe") else 3 - self.me
        web = SMALLER if isinstance(self.now, neighbor.NaiveNeighbor) else naive_circle.EATS
        around = set[str]().union(*(self.near[cell] for cell in idea.subject))
        kinds = web[word(species)] == word(prey) == self.species(idea.subject)
        kinds = kinds and self.species(idea.attackers) == word(species)
        stand = idea.subject in self._owned(owner) and idea.attackers in self._owned(3 - owner)
        eaten = self.eaten(replace(self.now, to_move=3 - owner))
        return kinds and stand and bool(around & idea.attackers) and not idea.subject & eaten

    def coach_eaten(self, idea: Any, player: Any, species: Any = None, most: int = 4) -> bool:
        start, middle, now = self.line[-3:]
        made = next(each for each in self._owned(self.me, middle) if self.moves[-2] in each)
        gone = middle.stones.keys() - now.stones.keys()
        kind = self.species(made) == word(species) if species else len(made) == most == 4
        earlier = gone & self.eaten(other(start))
        return kind and made <= gone and idea.attackers == {self.moves[-1]} and not earlier

    coach_placed, coach_four_eaten = coach_safe, coach_eaten

    def coach_count(self, idea: Any, **shown: Any) -> bool:
        mine, theirs = set(self.now.legal()), set(other(self.now).legal())
        counts = {"own": len(mine), "other": len(theirs), "alone": len(mine - theirs)}
        return all(counts.get(name, value) == value for name, value in shown.items())

    def coach_count_wins(self, idea: Any, count: int, **shown: Any) -> bool:
        won = {m for m in self.now.legal() if not self._mover_wins(self.now.play(m))}
        lit = won == idea.heeding == idea.spots and len(won) == count
        return lit and self.coach_count(idea, **shown)

    def coach_alone(self, idea: Any) -> bool:
        alone = set(self.now.legal()) - set(other(self.now).legal())
        return idea.heeding == alone and self.coach_count_wins(idea, len(alone))

    @remembered
    def _mover_wins(self, position: Any) -> bool:
        """Return whether the player to move wins with best play, by playing everything."""
        if won := winner(position):
            return bool(won == position.to_move)
        return any(not self._mover_wins(position.play(move)) for move in position.legal())


def word(said: Any) -> str:
    """Return the name of a species in the documents."""
    return str(said.key.removeprefix("species.").replace("_", "-"))
