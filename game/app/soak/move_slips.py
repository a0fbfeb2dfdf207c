"""What hands do wrong in moves of several touches, with keys, with rings, and in exchanging pieces.

Owns how each of these slips comes about. Must not know how often (`traits`), nor how it is put
right again (`person`).
"""

from game.app.soak.ground import Ground
from game.app.soak.sight import Sight, changed
from game.table.scene import Cue


class MoveSlips(Ground):
    """Let an actor slip in a move; each method tells whether it came about."""

    def abandon(self, sight: Sight, now: float) -> bool:
        """Leave a move that has begun, and begin another."""
        actor = self.actor
        if not sight.begun:
            return False
        at, back = actor.start(now), 0
        begun = {cell for cell in sight.begun if cell}
        for cell in sorted(begun):
            piece = sight.page.get(cell)
            if piece and cell not in self.stones:
                at = actor.fingers.put(cell, piece, at, actor.press_s(), touch=False)
                back += 1
        others = [
            cell
            for cell, piece in sorted(self.stones.items())
            if sight.page.get(cell) == piece and cell not in sight.begun
        ]
        actor.wish = None
        if actor.feels_stones and not back:
            free = [cell for cell in self.empty(sight) if cell not in sight.page]
            if begun or not free:
                return False
            # Only keys have been pressed.
            actor.place(self.rng.choice(free), sight.piece(sight.turn), sight, now)
            return True
        if not others:
            return False
        cell, at = self.rng.choice(others), at + self.rng.uniform(0.5, 1.5)
        actor.asked.update({cell, *begun})
        if actor.feels_stones:
            end = actor.fingers.take(cell, at, actor.press_s())
        else:
            end = actor.fingers.press(cell, at, actor.press_s())
        actor.wait(f"leaves what was begun for {cell}", end, lambda seen: changed(sight, seen))
        return True

    def wrong_key(self, sight: Sight, now: float) -> bool:
        """Press a key of the game that is not meant."""
        if not sight.game.keys:
            return False
        actor, key = self.actor, self.rng.choice(sight.game.keys)
        actor.wish = None
        end = actor.press_game_key(key, actor.start(now))
        actor.go_on(f"presses {key}, and did not mean it", end)
        return True

    def wrong_ring(self, sight: Sight, now: float) -> bool:
        """Turn a ring that is to stay as it is."""
        rings = sight.game.board.rings
        full = [ring for ring, cells in rings.items() if any(cell in self.stones for cell in cells)]
        if not full or sight.begun:
            return False
        actor, ring = self.actor, self.rng.choice(full)
        steps = self.rng.choice((1, 1, 2, -1))
        end = actor.fingers.turn(
            ring, rings[ring], steps, actor.start(now), self.rng.uniform(0.0, 1.0)
        )
        actor.turning.add(ring)
        actor.go_on(f"turns {ring} by {steps}, which was to stay", end)
        return True

    def wrong_swap(self, sight: Sight, now: float) -> bool:
        """Put another piece than the right one for the one that is to go."""
        cells = [cell for cell in sight.lit(Cue.SWAP) if cell in self.stones]
        if not cells:
            return False
        actor, cell = self.actor, self.rng.choice(cells)
        wrong, lamp = self.rng.choice([self.stones[cell], *sight.others()]), sight.lamps[cell]
        at = actor.fingers.take(cell, actor.start(now), 0.1, touch=False)
        end = actor.fingers.put(cell, wrong, at + self.rng.uniform(0.5, 1.0), actor.press_s())
        actor.asked.add(cell)
        what = f"puts {wrong} on {cell}, and not what was meant"
        actor.wait(what, end, lambda seen: seen.lamps.get(cell) != lamp)
        return True

    def two_bodies(self, sight: Sight, now: float) -> bool:
        """Lift two pieces at once that could be moved."""
        able = [cell for cell in sight.lit(Cue.LEGAL) if cell in self.stones and cell in sight.page]
        if len(able) < 2 or sight.begun:
            return False
        actor, at = self.actor, self.actor.start(now)
        cells, end = self.rng.sample(able, 2), at
        actor.wish = None
        for cell in cells:
            when = at + self.rng.uniform(0.0, 0.3)
            end = max(end, actor.fingers.take(cell, when, actor.press_s()))
        actor.asked.update(cells)
        actor.wait(f"lifts {' and '.join(cells)}", end, lambda seen: changed(sight, seen))
        return True
