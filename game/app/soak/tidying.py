"""A person who brings the board to what it should be: as lights ask, as the page shows, by hand.

Owns what he does about each thing that is not as it should be. Must not know in which order, nor
why a move is made (`person`).
"""

from game.app.session import Snapshot
from game.app.soak.actor import Actor
from game.app.soak.moving import Moving
from game.app.soak.sight import Sight
from game.app.soak.slips import Slips
from game.table.inputs import Command
from game.table.scene import Cue
from game.table.state import Phase

NOTHING_BACK = frozenset({"table.nothing_to_take_back", "table.confirm_anew", "table.all_is_shown"})
"""The words that say that there is no move to take back."""


class Tidier(Actor):
    """Bring the board right; each concern tells whether there was something to be done.

    `slips` are those that he makes, and `moving` is how he makes moves.
    """

    moving: Moving
    slips: Slips

    def see(self, snapshot: Snapshot, now: float) -> None:
        """Take what is shown from now on, and remember what it asks for."""
        super().see(snapshot, now)
        if self.sight is not None:
            self.asked |= self.sight.to_do().keys()

    def restore_knocked(self, sight: Sight, now: float) -> bool:
        """Have shown what should stand where, after knocking over stones that no board can feel."""
        if not self.scrambled or sight.phase is Phase.CONFIRM:
            self.scrambled = False
            return False
        if sight.phase is Phase.OVER and sight.game.hidden:
            # He knows by himself what stood where.
            self.scrambled = False
            self.asked.update(self.fingers.desk.differences(sight.page))
            return False
        if sight.phase is Phase.OVER:
            # What slid made a move that ended the game, and at its end nothing can be compared.
            self.counts["unwanted"] += 1
            self.tell("did not want the game to end by a knock")
            self.press_key(Command.TAKE_BACK, now)
            return True
        self.press_key(Command.CONFIRM, now)
        return True

    def give_back(self, sight: Sight, now: float) -> bool:
        """Put back a stone that he took and was then told to leave, where the board cannot ask."""
        while self.mistaken:
            cell, piece = self.mistaken.popitem()
            gone = cell not in self.fingers.desk.stones and sight.page.get(cell) == piece
            if gone and sight.cue(cell) is not Cue.PUT:
                touch = self.rng.random() < 0.5
                end = self.fingers.put(cell, piece, self.start(now), self.press_s(), touch)
                self.go_on(f"puts {piece} back on {cell}", end)
                return True
        return False

    def take_back(self, sight: Sight, now: float) -> bool:
        """Go on taking back by the key."""
        if NOTHING_BACK & sight.words or sight.phase is Phase.CONFIRM:
            self.wishes = 0
        if not self.wishes or (sight.to_do() and self.rng.random() < 0.5):
            return False
        self.wishes -= 1
        self.counts["taken_back_by_key"] += 1
        self.press_key(Command.TAKE_BACK, now)
        return True

    def do_as_shown(self, sight: Sight, now: float) -> bool:
        """Do one of the things that lights ask for."""
        shown = sight.to_do()
        for cell in [each for each in self.blind if each not in shown]:
            del self.blind[cell]
        for cell in [each for each, until in self.blind.items() if now >= until]:
            del self.blind[cell]
            self.counts["insisted"] += 1
            self.tell(f"notices at last what {cell} asks for")
        seen = [cell for cell in shown if cell not in self.blind]
        if shown and not self.careful:
            tidying = self.traits.tidying
            if self.slips.make(tidying, sight, now):
                return True
            seen = [cell for cell in shown if cell not in self.blind]
        if not seen:
            if shown:
                self.due = min(self.blind.values())
            return bool(shown)
        self.obey(self.rng.choice(seen), sight, now)
        return True

    def confirm(self, sight: Sight, now: float) -> bool:
        """Compare the board with the lights, and say by a touch that it is right."""
        if sight.phase is not Phase.CONFIRM:
            return False
        shown = {cell: sight.page.get(cell, "") for cell in sight.lit(Cue.STANDS)}
        self.tried.clear()
        self.turning.clear()
        for cell, (stands, should) in self.fingers.desk.differences(shown).items():
            if cell in sight.to_do():
                continue
            if stands:
                end = self.fingers.take(cell, self.start(now), self.press_s(), touch=False)
            else:
                at = self.start(now)
                end = self.fingers.put(cell, should, at, self.press_s(), touch=False)
            self.go_on(f"brings {cell} right", end)
            return True
        cell = self.rng.choice(sight.game.board.cells)
        if cell in sight.to_do():
            # Whoever does what one light asks for says by that touch that the rest is right.
            self.obey(cell, sight, now)
            return True
        end = self.fingers.press(cell, self.start(now), self.press_s())
        what = f"says by touching {cell} that the board is right"
        self.wait(what, end, lambda seen: seen.phase is not Phase.CONFIRM)
        return True

    def say_turned(self, sight: Sight, now: float) -> bool:
        """Press the key for which a ring has been turned already."""
        wish = self.wish
        if not self.turned_first or wish is None or wish.before != sight.position:
            return False
        self.turned_first = False
        key = wish.taps[-1]
        end = self.press_game_key(key, self.start(now))
        self.wait(f"presses {key}", end, lambda seen: seen.position != sight.position)
        return True

    def turn_rings(self, sight: Sight, now: float) -> bool:
        """Turn the rings that stand otherwise than on the page, and say so where that is asked."""
        shown = sight.to_turn()
        for ring in sorted(self.turning.union(shown)):
            steps = self.moving.steps(sight, ring)
            if steps is None:
                self.asked.update(sight.game.board.rings[ring])
            self.turning.discard(ring)
            if ring in shown:
                self._say_right(sight, ring, steps or 0, now)
                return True
            if steps:
                self.go_on(*self.moving.turn(sight, ring, steps, self.start(now)))
                return True
        return False

    def _say_right(self, sight: Sight, ring: str, steps: int, now: float) -> None:
        """Bring a ring right and say so, by its key or by a touch of any of its cells."""
        what, end = f"sees that {ring} is right", self.start(now)
        if steps:
            what, end = self.moving.turn(sight, ring, steps, end)
        at = end + self.rng.uniform(0.2, 0.8)
        if self.rng.random() < 0.5:
            end = self.fingers.press(
                self.rng.choice(sight.game.board.rings[ring]), at, self.press_s()
            )
        else:
            end = self.press_game_key(ring, at)
        self.wait(f"{what}, and says so", end, lambda seen: ring not in seen.to_turn())

    def finish_asked(self, sight: Sight, now: float) -> bool:
        """Do without a light what a light has asked for, and something else than he put out.

        A slip can tell the board that what it asked for is done: a touch on a cell, or a stone of
        the wrong colour where stones are felt. He knows that he has not done it, and the page says
        that it is to be done.
        """
        if sight.begun:
            return False
        differences = self.fingers.desk.differences(sight.page)
        while self.asked:
            cell = min(self.asked)
            if cell not in differences or cell in self.tried:
                self.asked.discard(cell)
                continue
            if self.look_again(now):
                return True
            stands, should = differences[cell]
            if stands:
                end = self.fingers.take(cell, self.start(now), self.press_s(), touch=False)
            else:
                end = self.fingers.put(cell, should, self.start(now), self.press_s(), touch=False)
            self.counts["untold"] += 1
            self.go_on(f"sees to {cell}, for which the light went out before he did", end)
            return True
        return False

    def see_accepted(self, sight: Sight) -> None:
        """Think no more of stones that he sees taken as moves, or that he has taken off again."""
        for cell, piece in list(self.tried.items()):
            accepted = sight.cue(cell) is Cue.PLACED or sight.page.get(cell) == piece
            if accepted or cell in sight.begun or self.fingers.desk.stones.get(cell) != piece:
                del self.tried[cell]

    def settle_tried(self, sight: Sight, now: float) -> bool:
        """Touch again what was not felt, and take off what was refused."""
        for cell, piece in list(self.tried.items()):
            if self.look_again(now):
                return True
            if (
                sight.cue(cell) is Cue.LEGAL
                and piece in self._fitting(sight, cell)
                and not self.feels_stones
            ):
                self.touch_again(cell, sight, now)
                return True
            del self.tried[cell]
            if cell in sight.page:
                self.asked.add(cell)
            touch = self.rng.random() < 0.25
            end = self.fingers.take(cell, self.start(now), self.press_s(), touch)
            self.go_on(f"takes {piece} off {cell} again", end)
            return True
        return False

    def _fitting(self, sight: Sight, cell: str) -> frozenset[str]:
        """Give the pieces with which a move that he wants, or any, goes on at a cell."""
        wanted = self.wish.stands.get(cell, "") if self.wish is not None else ""
        return frozenset({wanted, sight.piece(sight.turn)})
