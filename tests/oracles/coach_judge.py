"""A second judge of the coach's ideas, which knows the rules only.

It plays every move that an idea mentions, to the end of what it claims, and shares no code with the
detectors.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from random import Random
from typing import Any

from game.engine.catalogue import new_search
from game.rules.base.game import AnyGame
from game.rules.base.values import Advice

OPENING = 4
"""Random moves at the beginning, so that no two games are the same."""


def positions(game: AnyGame, count: int, nodes: int, seed: int) -> Iterator[tuple[Any, list[Any]]]:
    """Yield every third position of games of the engine against itself, and those before each."""
    rng = Random(seed)
    while True:
        position, past = game.initial({"first": "1"}), list[Any]()
        while game.outcome(position) is None:
            if len(past) >= OPENING and (len(past) + seed) % 3 == 0:
                yield position, past
                count -= 1
                if not count:
                    return
            if len(past) < OPENING or not nodes:
                move = rng.choice(list(game.legal_moves(position)))
            else:
                search = new_search(game, position, rng.randrange(1 << 30))
                search.go_on(nodes)
                move = game.parse_move(position, search.choices()[0].move)
            past.append(position)
            position = game.play(position, move)
        seed += 1


class Judge:
    """Plays out what ideas claim. Values are for the player to move, in stones."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._swings: dict[str, int] = {}
        self._wins: dict[str, bool] = {}

    def eaten(self, position: Any, move: Any) -> set[str]:
        """Return the cells that a move empties."""
        before, after = (self.game.pieces(p) for p in (position, self.game.play(position, move)))
        return before.keys() - after.keys()

    def other(self, position: Any) -> Any:
        """Return the position with the other player to move."""
        board, mover, *rest = self.game.text(position).split()
        return self.game.parse(" ".join((board, "21"[int(mover) - 1], *rest)))

    def swing(self, position: Any) -> int:
        """Count the best exchange by trying all: both only eat, or stop."""
        text = self.game.text(position)
        if text not in self._swings:
            moves, best = self.game.legal_moves(position), 0
            meals = {move: len(self.eaten(position, move)) for move in moves}
            for move in sorted(filter(meals.__getitem__, meals), key=lambda move: -meals[move]):
                # A meal is worth no more than it eats, unless it ends the game.
                ends = self.game.outcome(self.game.play(position, move)) is not None
                if ends or meals[move] > best:
                    best = max(best, self.worth(position, move))
            self._swings[text] = best
        return self._swings[text]

    def worth(self, position: Any, move: Any) -> int:
        after = self.game.play(position, move)
        outcome = self.game.outcome(after)
        if outcome is not None:
            return 100 if outcome.winner == self.game.to_move(position) else -100
        return len(self.eaten(position, move)) - self.swing(after)

    def wins(self, position: Any) -> bool:
        """Return whether the player to move wins with best play, by playing everything."""
        text, outcome = self.game.text(position), self.game.outcome(position)
        if outcome is not None:
            return bool(outcome.winner == int(text.split()[1]))
        if text not in self._wins:
            replies = (self.game.play(position, m) for m in self.game.legal_moves(position))
            self._wins[text] = any(not self.wins(reply) for reply in replies)
        return self._wins[text]

    def all_eaten(self, position: Any) -> set[str]:
        return set[str]().union(*(self.eaten(position, m) for m in self.game.legal_moves(position)))

    def holds(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        """Return whether all claims of an idea are true."""
        name = idea.message.key.rpartition(".")[2]
        check: Callable[[Any, Sequence[Any], Advice], bool] = getattr(self, name)
        return check(position, past, idea)

    # What follows is named after the keys of the ideas.

    def finish(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        won = {move for move in self.game.legal_moves(position) if self._winner(position, move)}
        return bool(won) and {self.game.plain_text(position, m) for m in won} == idea.heeding

    def _winner(self, position: Any, move: Any, rival: bool = False) -> bool:
        """Return whether a move wins the game, or a round of it, for its player, or for a rival."""
        after, me = self.game.play(position, move), self.game.to_move(position)
        outcome = self.game.outcome(after)
        if outcome is not None:
            return outcome.winner is not None and (outcome.winner == me) is not rival
        before, now = (getattr(p, "rounds_won", ()) for p in (position, after))
        gained = [n for n, (a, b) in enumerate(zip(before, now, strict=True), start=1) if b > a]
        return bool(gained) and (gained[0] == me) is not rival

    def guard(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        me, safe = self.game.to_move(position), set()

        def fails(position: Any, move: Any) -> bool:
            if self._winner(position, move) or self._winner(position, move, rival=True):
                return self._winner(position, move, rival=True)
            after = self.game.play(position, move)
            replies = list(self.game.legal_moves(after))
            if self.game.to_move(after) == me:
                return all(fails(after, reply) for reply in replies)
            return any(self._winner(after, reply) for reply in replies)

        moves = list(self.game.legal_moves(position))
        safe = {self.game.plain_text(position, m) for m in moves if not fails(position, m)}
        return bool(safe) and 2 * len(safe) < len(moves) and safe == idea.heeding

    def new_danger(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        me = self.game.to_move(position)
        now, before = (self.game.presentation.threats(p, me) for p in (position, past[-1]))
        wanted = {
            "new_danger": (now.endangered - before.endangered, frozenset()),
            "endangered": (now.endangered, frozenset()),
            "edible": (frozenset(), now.edible),
        }[idea.message.key.rpartition(".")[2]]
        return (idea.threats.endangered, idea.threats.edible) == wanted

    endangered = edible = new_danger

    def coach_pays(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        (cell,), shown = idea.spots, idea.message.args
        worth = {move: self.worth(position, move) for move in self.game.legal_moves(position)}
        quiet = max((worth[m] for m in worth if not self.eaten(position, m)), default=-1000)
        eaten = self.eaten(position, cell)
        true = len(eaten) == shown["count"] and eaten == idea.threats.edible
        net = shown.get("net", worth[cell])
        at_stake = self.swing(self.other(position))
        return true and at_stake > 0 and worth[cell] == net == max(worth.values()) > max(0, quiet)

    def coach_several(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        left, groups = set(idea.threats.edible), 0
        while left:
            groups, left = groups + 1, left - self._group(left, min(left))
        return groups == idea.message.args["prey"] > 1 and self.coach_pays(position, past, idea)

    def _group(self, cells: Set[str], start: str) -> set[str]:
        """Return the cells that are connected with one."""
        group, reached = {start}, [start]
        while reached:
            near = cells & set(self.game.board.neighbours[reached.pop()]) - group
            group |= near
            reached += near
        return group

    def coach_beware(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        (cell,), shown = idea.attackers, idea.message.args
        worth = {move: self.worth(position, move) for move in self.game.legal_moves(position)}
        lost = shown["count"] == len(self.eaten(position, cell)) == shown["lost"] + worth[cell]
        return lost and worth[cell] < 0 and worth[cell] < max(worth[m] for m in idea.heeding)

    def coach_danger(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        other = self.other(position)
        worth = {move: self.worth(position, move) for move in self.game.legal_moves(position)}
        best = {move for move in worth if worth[move] == max(worth.values())}
        lit = {m for m in self.game.legal_moves(other) if self.eaten(other, m)}
        return (
            idea.threats.endangered == self.all_eaten(other)
            and idea.attackers == lit
            and idea.heeding == best
            and self.swing(other) > -max(worth.values())
        )

    def coach_four(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        other, four = self.other(position), idea.threats.endangered
        after = [self.game.play(position, move) for move in self.game.legal_moves(position)]
        saved = any(not four & self.all_eaten(each) for each in after)
        attacks = all(four <= self.eaten(other, cell) for cell in idea.attackers)
        return len(four) == 4 and bool(idea.attackers) and attacks and saved

    def coach_doomed(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        lost, me = idea.threats.endangered, str(self.game.to_move(position))
        for move in self.game.legal_moves(position):
            after = self.game.play(position, move)
            if not lost <= self.all_eaten(after):
                return False
        assert all(self.game.pieces(position)[cell] == me for cell in lost)
        for move in idea.heeding:
            after = self.game.play(position, move)
            for reply in self.game.legal_moves(after):
                if lost & self.eaten(after, reply):
                    then = self.game.play(after, reply)
                    if self.game.outcome(then) is None and not self.all_eaten(then):
                        return False
        return bool(idea.heeding)

    def coach_no_hurry(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        prey = idea.threats.edible

        def waits(move: Any) -> bool:
            after = self.game.play(position, move)
            replies = [self.game.play(after, m) for m in self.game.legal_moves(after)]
            return all(prey <= self.all_eaten(each) for each in replies)

        good = all(self.worth(position, move) == 0 for move in idea.heeding)
        return good and prey <= self.all_eaten(position) and any(map(waits, idea.heeding))

    def coach_safe(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        return bool(idea.subject) and not idea.subject & self.all_eaten(self.other(position))

    def coach_placed(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        return bool(idea.subject) and not idea.subject & self.all_eaten(position)

    def coach_eaten(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        start, middle = past[-2:]
        pieces = [self.game.pieces(each) for each in (start, middle, position)]
        (new,) = pieces[1].keys() - pieces[0].keys()
        gone = pieces[1].keys() - pieces[2].keys()
        four = len(self._group(gone, new)) == 4
        return (
            new in gone
            and idea.attackers == pieces[2].keys() - pieces[1].keys()
            and four == idea.message.key.endswith("four_eaten")
            and not gone & self.all_eaten(self.other(start))
        )

    coach_four_eaten = coach_eaten

    def coach_count(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        mine, theirs = (
            set(self.game.legal_moves(each)) for each in (position, self.other(position))
        )
        counts = {"own": len(mine), "other": len(theirs), "alone": len(mine - theirs)}
        return all(counts.get(key, value) == value for key, value in idea.message.args.items())

    def coach_count_wins(self, position: Any, past: Sequence[Any], idea: Advice) -> bool:
        moves = set(self.game.legal_moves(position))
        won = {move for move in moves if not self.wins(self.game.play(position, move))}
        alone = moves - set(self.game.legal_moves(self.other(position)))
        first = won <= alone or not idea.message.key.endswith("alone")
        return (
            won == idea.heeding == idea.spots and first and self.coach_count(position, past, idea)
        )

    coach_alone = coach_count_wins
