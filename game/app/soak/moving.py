"""How hands make a move touch by touch, and how they turn the rings of a board.

Owns what hands do at each cell or key of a move that is wanted. Must not know what the move is for
(`wish`), nor what else there is to be done (`person`).
"""

from collections.abc import Mapping, Sequence

from game.app.soak.ground import Ground
from game.app.soak.sight import Sight, went_on
from game.app.soak.wish import Taps, Wish

TURNS_FIRST = 0.25
"""The chance to turn a ring, and to press its key afterwards."""
PUTS_BACK = 0.3
"""The chance to put down at once what is lifted and stays where it was."""
LIFTS = 0.7
"""The chance to take what leaves a cell by the touch itself, where touches are felt."""


class Moving(Ground):
    """Make moves with an actor's hands."""

    def go_on(self, sight: Sight, wish: Wish, taken: Taps, now: float) -> None:
        """Make the next touch of a move, `taken` being those that were accepted."""
        spot = wish.taps[len(taken)]
        if spot in sight.game.keys:
            self._press(sight, wish, taken, spot, now)
        elif len(wish.taps) == 1 and spot not in sight.page and spot not in self.stones:
            self.actor.place(spot, wish.stands.get(spot) or sight.piece(sight.turn), sight, now)
        elif self.actor.feels_stones:
            self._change(sight, wish, taken, spot, now)
        else:
            self._touch(sight, wish, taken, spot, now)

    def turn(self, sight: Sight, ring: str, steps: int, at: float) -> tuple[str, float]:
        """Turn a ring in one of the ways in which people do it; say how, and give the end."""
        cells = sight.game.board.rings[ring]
        hand = self.actor.fingers
        way = self.rng.random()
        if way < 0.1:
            return f"moves what stands on {ring} by {steps}, one by one", self._carry(
                cells, steps, at
            )
        if way < 0.2:
            end = hand.turn(ring, cells, steps + 1, at, self._turns_s())
            end = hand.turn(ring, cells, -1, end + self.rng.uniform(0.2, 1.5), self._turns_s())
            return f"turns {ring} by {steps + 1}, and back by 1", end
        if abs(steps) > 1 and way < 0.5:
            step = 1 if steps > 0 else -1
            for _ in range(abs(steps)):
                at = hand.turn(ring, cells, step, at, self._turns_s())
                at += self.rng.uniform(0.1, 1.0)
            return f"turns {ring} by {steps}, step by step", at
        return f"turns {ring} by {steps}", hand.turn(ring, cells, steps, at, self._turns_s())

    def steps(self, sight: Sight, ring: str) -> int | None:
        """Count the steps by which a ring is to be turned; None where that alone is not enough."""
        cells = sight.game.board.rings[ring]
        stand = [self.stones.get(cell, "") for cell in cells]
        should = [sight.page.get(cell, "") for cell in cells]
        half = len(cells) // 2
        for steps in sorted(range(-half, half + 1), key=lambda n: (abs(n), -n)):
            if [stand[(n - steps) % len(cells)] for n in range(len(cells))] == should:
                return steps
        return None

    def _turns_s(self) -> float:
        return 0.0 if self.rng.random() < 0.4 else self.rng.uniform(0.1, 1.5)

    def _carry(self, cells: Sequence[str], steps: int, at: float) -> float:
        """Take the stones of a ring one by one, and set them down further on."""
        hand, count = self.actor.fingers, len(cells)
        stood = {n: self.stones[cell] for n, cell in enumerate(cells) if cell in self.stones}
        for n in stood:
            at = hand.take(cells[n], at, 0.1, touch=False) + self.rng.uniform(0.1, 0.5)
        for n, piece in stood.items():
            at = hand.put(cells[(n + steps) % count], piece, at, 0.1, touch=False)
            at += self.rng.uniform(0.1, 0.5)
        return at

    def _press(self, sight: Sight, wish: Wish, taken: Taps, key: str, now: float) -> None:
        """Press a key of the game; sometimes a ring is turned before that is said."""
        actor, at = self.actor, self.actor.start(now)
        last = len(taken) + 1 == len(wish.taps)
        if last and wish.turns and not actor.turned_first and self.rng.random() < TURNS_FIRST:
            (edit,) = wish.turns
            what, end = self.turn(sight, edit.cell, edit.steps, at)
            actor.turned_first = True
            actor.turning.add(edit.cell)
            actor.go_on(f"{what}, before pressing {key}", end)
            return
        end = actor.press_game_key(key, at)
        actor.wait(f"presses {key}", end, lambda seen: went_on(sight, seen, key))

    def _touch(self, sight: Sight, wish: Wish, taken: Taps, cell: str, now: float) -> None:
        """Touch a cell, and move the stone that this is about, as far as one hand can."""
        actor, at, press_s = self.actor, self.actor.start(now), self.actor.press_s()
        stands, final = self.stones.get(cell), wish.stands.get(cell, "")
        actor.asked.add(cell)
        if stands and not final and self.rng.random() < LIFTS:
            end = actor.fingers.take(cell, at, press_s)
            what = f"takes {stands} from {cell}"
        elif not stands and final and cell not in sight.page:
            again = cell in wish.taps[len(taken) + 1 :] or sight.game.hidden
            piece = (self._held(sight, taken) if again else "") or final
            end = actor.fingers.put(cell, piece, at, press_s)
            what = f"sets {piece} on {cell}"
        else:
            end = actor.fingers.press(cell, at, press_s)
            what = f"touches {cell}"
        actor.wait(f"{what}, to move", end, lambda seen: went_on(sight, seen, cell))

    def _change(self, sight: Sight, wish: Wish, taken: Taps, cell: str, now: float) -> None:
        """Lift what stands on a cell, or set what has been lifted there."""
        actor, at, press_s = self.actor, self.actor.start(now), self.actor.press_s()
        stands, final = self.stones.get(cell), wish.stands.get(cell, "")
        actor.asked.add(cell)
        held = self._held(sight, taken)
        if not stands:
            # Whoever attacks does not know yet which of both will stand there.
            again = cell in wish.taps[len(taken) + 1 :] or sight.game.hidden
            piece = (
                (held if again else "") or final or sight.page.get(cell) or sight.piece(sight.turn)
            )
            end = actor.fingers.put(cell, piece, at, press_s)
            actor.wait(f"sets {piece} on {cell}", end, lambda seen: went_on(sight, seen, cell))
            return
        what, piece = f"lifts {stands} from {cell}", ""
        end = actor.fingers.take(cell, at, press_s)
        again = cell in wish.taps[len(taken) + 1 :]
        taken_over = held and final and not sight.game.hidden
        if taken_over and sight.page.get(cell) == stands and cell not in taken:
            # What stood here is taken, and its place with it.
            enemy = sight.game.side(final) != sight.game.side(stands)
            piece = (held if enemy else stands) if again or self.rng.random() < 0.7 else ""
        elif final and not again and self.rng.random() < PUTS_BACK:
            piece = stands
        if piece:
            end = actor.fingers.put(cell, piece, end + self.rng.uniform(0.2, 1.5), press_s)
            what += f" and sets {piece} there"
        actor.wait(what, end, lambda seen: went_on(sight, seen, cell))

    def _held(self, sight: Sight, taken: Taps) -> str:
        """Give the piece that was lifted to be moved, "" for none."""
        lifted: Mapping[str, str] = {
            cell: sight.page[cell]
            for cell in taken
            if cell in sight.page and cell not in self.stones
        }
        return next(iter(lifted.values()), "")
