"""A small game in which players do not see all, which can be thought through in one's head.

Each has three pieces, `a` `b` `c`, in three places, in an order that the other does not see. One
attacks another's place from an own one, or waits, in turn. Both faces are shown; the higher one
stays, the same two do. Losing `a` loses the game, and after so many plies it is a draw.

A position: the places of both, the plies, and who moves, as `aC? b2? 4 1`: small letters are known
to who sees the position, capitals were shown to all, digits are gone (`2` was a `b`), `?` unknown.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.game import settle
from game.rules.base.hidden import HiddenGame
from game.rules.base.message import say
from game.rules.base.moves import MoveList
from game.rules.base.values import Arranging, Goal, Outcome
from tests.helpers.games.small_games import Small

FACES, GONE = "abc", "123"
MOST = 12


class Setups:
    """All orders of the pieces: what can be laid out, too many to be listed."""

    def __iter__(self):
        raise AssertionError("set-ups are not to be listed")

    def __len__(self) -> int:
        raise OverflowError

    def __bool__(self) -> bool:
        return True

    def __contains__(self, move: object) -> bool:
        return isinstance(move, str) and sorted(move.removeprefix("setup ")) == list(FACES)

    def pick(self, rng: Random) -> str:
        return f"setup {''.join(rng.sample(FACES, 3))}"


class Duel(HiddenGame[Any, str], Small):
    name: ClassVar[str] = "duel"

    def initial(self, options: Mapping[str, str] = {}) -> str:
        return f"--- --- 0 {settle(self, options)['first']}"

    def parse(self, text: str) -> str:
        if len(text.split()) != 4:
            raise BadPosition(say("circle_of_life.bad_text", text=text))
        return text

    def to_move(self, position: str) -> int | None:
        return None if self.outcome(position) else int(position.split()[3])

    def side(self, piece: str) -> int | None:
        return int(piece[0])

    def legal_moves(self, position: str):
        if "-" in position:
            return Setups()
        if self.outcome(position):
            return MoveList()
        sides, _, mover = _read(position)
        own, other = sides[mover - 1], sides[2 - mover]
        attacks = [
            f"{at}{to}"
            for at in range(3)
            for to in range(3)
            if own[at] not in GONE and other[to] not in GONE
        ]
        return MoveList(("wait", *attacks))

    def play(self, position: str, move: str) -> str:
        if move not in self.legal_moves(position):
            raise IllegalMove(say("rules.not_legal", text=move))
        sides, plies, mover = _read(position)
        if move.startswith("setup "):
            sides[mover - 1] = list(move.removeprefix("setup "))
            return _written(sides, 0, 3 - mover)
        if move != "wait":
            own, other = sides[mover - 1], sides[2 - mover]
            at, to = int(move[0]), int(move[1])
            if "?" in (own[at], other[to]):
                raise IllegalMove(say("rules.not_legal", text=move))
            ours, theirs = own[at].lower(), other[to].lower()
            own[at] = ours.upper() if ours >= theirs else GONE[FACES.index(ours)]
            other[to] = theirs.upper() if theirs >= ours else GONE[FACES.index(theirs)]
        return _written(sides, plies + 1, 3 - mover)

    def outcome(self, position: str) -> Outcome | None:
        sides, plies, _ = _read(position)
        for player, places in enumerate(sides, start=1):
            if "1" in places:
                return Outcome(3 - player, "lost", say("rules.game_over"))
        return Outcome(None, "long", say("rules.game_over")) if plies >= MOST else None

    def goals(self, position: str) -> tuple[Goal, ...]:
        return ()

    def evaluate(self, position: str) -> tuple[float, ...]:
        sides, _, _ = _read(position)
        left = [sum(each not in GONE for each in places) for places in sides]
        return (0.5 + 0.1 * (left[0] - left[1]), 0.5 + 0.1 * (left[1] - left[0]))

    def arranging(self, position: str, player: int) -> Arranging | None:
        places = position.split()[player - 1]
        return Arranging(("A1", "B1", "C1"), tuple(FACES)) if places == "---" else None

    def arrangement(self, position: str, player: int, pieces: Mapping[str, str]) -> str:
        return f"setup {''.join(pieces[cell] for cell in ('A1', 'B1', 'C1'))}"

    def arranged_at_random(self, position: str, player: int, rng: Random) -> dict[str, str]:
        return dict(zip(("A1", "B1", "C1"), rng.sample(FACES, 3), strict=True))

    def parse_move(self, position: str, text: str) -> str:
        if text not in self.legal_moves(position):
            raise IllegalMove(say("rules.not_legal", text=text))
        return text

    def seen_by(self, position: str, player: int | None, remembers: bool = False) -> str:
        sides, plies, mover = _read(position)
        for number, places in enumerate(sides, start=1):
            if number != player:
                kept = "ABC123-" if remembers else "123-"
                places[:] = [each if each in kept else "?" for each in places]
        return _written(sides, plies, mover)

    def supposed(self, position: str, rng: Random) -> str:
        sides, plies, mover = _read(position)
        for places in sides:
            known = "".join(places).translate(str.maketrans("ABC123", "abcabc"))
            left = [face for face in FACES if face not in known]
            rng.shuffle(left)
            places[:] = [left.pop() if each == "?" else each for each in places]
        return _written(sides, plies, mover)

    def faces(self, position: str, move: str) -> Mapping[str, str]:
        if not move[0].isdigit():
            return {}
        sides, _, mover = _read(position)
        at, to = int(move[0]), int(move[1])
        return {
            f"{'ABC'[at]}{mover}": f"{mover}{sides[mover - 1][at].lower()}",
            f"{'ABC'[to]}{3 - mover}": f"{3 - mover}{sides[2 - mover][to].lower()}",
        }


def _read(position: str) -> tuple[list[list[str]], int, int]:
    first, second, plies, mover = position.split()
    return [list(first), list(second)], int(plies), int(mover)


def _written(sides: list[list[str]], plies: int, mover: int) -> str:
    first, second = ("".join(places) for places in sides)
    return f"{first} {second} {plies} {mover}"
