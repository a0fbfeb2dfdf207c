"""Mishaps and wishes: what happens to the whole board, or is wanted of it.

Owns how a palm, a knock, a key hit by chance, or a wish to have moves back comes about. Must not
know how often (`traits`), nor how it is put right again (`person`).
"""

from game.app.soak.ground import Ground
from game.app.soak.sight import Sight, changed
from game.table.inputs import Command
from game.table.state import Phase

_QUESTION = "table.confirm_"
_MOST_RESTORED = 12
"""Nobody remembers more cells than so many."""


class Mishaps(Ground):
    """Let an actor have mishaps; each method tells whether it came about."""

    def palm(self, sight: Sight, now: float) -> bool:
        """Rest a hand on the board."""
        actor, slowly = self.actor, self.rng.random() < 0.2
        cells = self.cluster(sight, 3, 7)
        at, hold_s = actor.start(now), self.rng.uniform(0.2, 2.5)
        landing_s = self.rng.uniform(0.1, 0.5) if slowly else self.rng.uniform(0.0, 0.05)
        end = actor.fingers.rest(cells, at, max(hold_s, landing_s), landing_s)
        actor.go_on(f"rests a hand on {', '.join(cells)}", end)
        return True

    def stray_key(self, sight: Sight, now: float) -> bool:
        """Hit a key that asks whether it is meant; sometimes it is hit twice."""
        asked = any(word.startswith(_QUESTION) for word in sight.words)
        if asked or not (sight.placed or sight.page):
            return False
        actor, fingers = self.actor, self.actor.fingers
        if sight.game.agreed_draws and self.rng.random() < 0.3:
            actor.press_key(Command.DRAW, now)
            return True
        key = self.rng.choice((Command.RESIGN, Command.NEW_GAME))
        end = fingers.press(key.value, actor.start(now), actor.press_s())
        if key is Command.RESIGN and self.rng.random() < 0.3:
            end = fingers.press(key.value, end + self.rng.uniform(0.1, 0.6), actor.press_s())
        actor.go_on(f"hits {key.value}", end)
        return True

    def want_back(self, sight: Sight, now: float) -> bool:
        """Want some moves back, by the key."""
        if not (sight.placed or sight.page or sight.begun):
            return False
        self.actor.wishes = self.rng.choice((1, 1, 1, 2, 2, 3, 5))
        self.actor.go_on(f"wants {self.actor.wishes} moves back", now)
        return True

    def restore(self, sight: Sight, now: float) -> bool:
        """Bring the board back to what it was some moves ago."""
        actor, fingers = self.actor, self.actor.fingers
        earlier = [fingers.desk.differences(board) for board in actor.boards[-4:]]
        near = [each for each in earlier if 0 < len(each) <= _MOST_RESTORED]
        if not near:
            return False
        differences = list(self.rng.choice(near).items())
        # Colours cannot be felt: what he has touched he compares with the page in the end.
        actor.handled.update(cell for cell, _ in differences)
        actor.asked |= actor.handled
        self.rng.shuffle(differences)
        end = actor.start(now)
        for cell, (stands, should) in differences:
            if stands:
                end = fingers.take(cell, end, actor.press_s(), touch=False)
                end += fingers.span(actor.traits.travel_s)
            if should:
                end = fingers.put(cell, should, end, actor.press_s(), touch=False)
                end += fingers.span(actor.traits.travel_s)
        cells = ", ".join(cell for cell, _ in differences)
        actor.go_on(f"restores an earlier board: {cells}", end)
        return True

    def knock(self, sight: Sight, now: float) -> bool:
        """Knock over a part of the board: stones fall off, or slide to a cell that was empty."""
        actor, fingers = self.actor, self.actor.fingers
        if sight.phase is Phase.OVER:
            return False
        cells = self.cluster(sight, 3, 10)
        hit = [cell for cell in cells if cell in self.stones]
        if not hit:
            return False
        at, taken = actor.start(now), set(self.stones)
        end = at
        for cell in hit:
            ways = [each for each in self.beside(sight, cell) if each not in taken]
            when = at + self.rng.uniform(0.0, 0.3)
            if ways and self.rng.random() < 0.6:
                way = self.rng.choice(ways)
                taken.add(way)
                actor.handled.add(way)  # if a stone should stand there, then perhaps not this one
                end = max(end, fingers.drag([cell, way], self.stones[cell], when, 0.02))
            else:
                end = max(end, fingers.take(cell, when, 0.02, touch=False))
        actor.asked |= actor.handled
        if self.rng.random() < 0.5:
            end = max(end, fingers.slide(cells[:4], at, 0.05))
        actor.scrambled = not actor.feels_stones
        actor.go_on(f"knocks over {', '.join(hit)}", end)
        return True

    def unplug(self, sight: Sight, now: float) -> bool:
        """Pull the plug, and put it back."""
        if sight.phase is Phase.OVER:
            return False
        self.actor.unplugged = True
        self.actor.go_on("pulls the plug, and puts it back", now)
        return True

    def early(self, sight: Sight, now: float) -> bool:
        """Set a stone while it is drawn who begins."""
        cell = self.rng.choice(self.empty(sight))
        piece = self.rng.choice([sight.piece(sight.turn), *sight.others()])
        end = self.actor.place(cell, piece, sight, now)
        # The answer may be words alone.
        what = f"sets {piece} on {cell} while it is drawn who begins"
        self.actor.wait(what, end, lambda seen: changed(sight, seen))
        return True
