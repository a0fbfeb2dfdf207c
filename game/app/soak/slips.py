"""What hands do beside what they should: each slip as motions, and what is wanted with it.

Owns how each slip comes about. Must not know how often (`traits`), nor how it is put right again
(`person`).
"""

from collections.abc import Callable, Mapping, Sequence

from game.app.soak.actor import Actor
from game.app.soak.ground import Ground, Target
from game.app.soak.mishaps import Mishaps
from game.app.soak.move_slips import MoveSlips
from game.app.soak.moving import Moving
from game.app.soak.sight import Sight, went_on
from game.app.soak.traits import BY_STONES_ONLY, BY_TOUCH_ONLY, Slip
from game.app.soak.wish import draw, draw_meal, entered
from game.table.scene import Cue
from game.table.state import Phase

_ACROSS = 3
"""Stones that are set at once stand so far apart at the least, in cells."""


class Slips(Ground):
    """Let an actor slip."""

    def __init__(self, actor: Actor, moving: Moving) -> None:
        super().__init__(actor)
        mishaps, moves = Mishaps(actor), MoveSlips(actor)
        self._moving = moving
        self._ways: Mapping[Slip, Callable[[Sight, float], bool]] = {
            Slip.WRONG_CELL: self._wrong_cell,
            Slip.ECHO: self._echo,
            Slip.SLIDE: self._slide,
            Slip.PALM: mishaps.palm,
            Slip.BRUSH: self._brush,
            Slip.TWO_STONES: self._two_stones,
            Slip.PUT_AND_TAKE: self._put_and_take,
            Slip.HESITATE: self._hesitate,
            Slip.INSPECT: self._inspect,
            Slip.STRAY_KEY: mishaps.stray_key,
            Slip.TAKE_BACK: mishaps.want_back,
            Slip.RESTORE: mishaps.restore,
            Slip.KNOCK: mishaps.knock,
            Slip.UNPLUG: mishaps.unplug,
            Slip.EARLY: mishaps.early,
            Slip.FORGET: self._forget,
            Slip.WRONG_REMOVAL: self._wrong_removal,
            Slip.HURRY: self._hurry,
            Slip.TWO_AT_ONCE: self._two_at_once,
            Slip.PREY_FIRST: self._prey_first,
            Slip.ADJUST: self._adjust,
            Slip.ABANDON: moves.abandon,
            Slip.WRONG_KEY: moves.wrong_key,
            Slip.WRONG_RING: moves.wrong_ring,
            Slip.WRONG_SWAP: moves.wrong_swap,
            Slip.TWO_BODIES: moves.two_bodies,
        }

    def make(self, chances: Mapping[Slip, float], sight: Sight, now: float) -> bool:
        """Perhaps slip; tell whether that was done instead of what should be."""
        drawn = self.rng.random()
        impossible = BY_TOUCH_ONLY if self.actor.feels_stones else BY_STONES_ONLY
        for slip, chance in chances.items():
            drawn -= chance
            if drawn < 0.0:
                if slip in impossible or not self._ways[slip](sight, now):
                    return False
                self.actor.counts[f"slip.{slip.value}"] += 1
                return True
        return False

    def _wish(self, target: Target) -> None:
        """Want the move that goes on at a cell, and see to that cell where it is not the whole."""
        self.actor.wish = target.wish
        if len(target.wish.taps) > 1:
            self.actor.asked.add(target.cell)

    def _wrong_cell(self, sight: Sight, now: float) -> bool:
        wrong = [cell for cell in self.empty(sight) if sight.cue(cell) is not Cue.LEGAL]
        if not wrong:
            return False
        self.actor.place(self.rng.choice(wrong), sight.piece(sight.turn), sight, now)
        return True

    def _echo(self, sight: Sight, now: float) -> bool:
        """Do what is to be done, and touch again."""
        actor, fingers = self.actor, self.actor.fingers
        shown = list(sight.to_do())
        if shown:
            cell = self.rng.choice(shown)
            end = actor.obey(cell, sight, now)
        else:
            taken = entered(sight, actor.wish)
            wish = None if taken is None else draw(sight, self.rng, self.stones, taken)
            if wish is None or taken is None:
                return False
            cell, actor.wish = wish.taps[len(taken)], wish
            self._moving.go_on(sight, wish, taken, now)
            end = max(now, fingers.ends_s)
            if cell in sight.game.keys:
                actor.press_game_key(cell, end + self.rng.uniform(0.03, 0.45))
                return True
        again = end + self.rng.uniform(0.03, 0.45)
        if not actor.feels_stones:
            fingers.press(cell, again, self.rng.uniform(0.05, 0.12))
        elif not shown and cell not in self.stones and cell not in sight.page:
            fingers.wobble(cell, again, self.rng.uniform(0.05, 0.25))
        return True

    def _slide(self, sight: Sight, now: float) -> bool:
        """Set or take a stone and slide: into the cell, or out of it."""
        actor, fingers = self.actor, self.actor.fingers
        step_s, at = self.rng.uniform(0.05, 0.15), actor.start(now)
        shown = [cell for cell in sight.to_do() if cell in self.stones]
        if sight.to_do():
            removes = [cell for cell in shown if sight.cue(cell) is Cue.REMOVE]
            if not removes:
                return False
            return self._slide_off(sight, self.rng.choice(removes), at, step_s)
        target = self.target(sight)
        if target is None:
            return False
        cell, piece = target.cell, target.piece
        path = self.path(sight, cell, self.rng.randint(1, 2), empty=actor.feels_stones)
        if len(path) < 2:
            return False
        actor.tried[cell] = piece
        self._wish(target)
        if actor.feels_stones:
            way = path[::-1]
            end = fingers.put(way[0], piece, at, step_s)
            end = fingers.drag(way, piece, end, step_s)
        else:
            fingers.put(cell, piece, at, step_s, touch=False)
            into = self.rng.random() < 0.3
            end = fingers.slide(path[::-1] if into else path, at, step_s)
        what = f"sets {piece} on {cell} and slides over {', '.join(path[1:])}"
        actor.wait(what, end, lambda seen: went_on(sight, seen, cell))
        return True

    def _slide_off(self, sight: Sight, cell: str, at: float, step_s: float) -> bool:
        actor, fingers, lamp = self.actor, self.actor.fingers, sight.lamps[cell]
        path = self.path(sight, cell, 2, empty=actor.feels_stones)
        if len(path) < 2:
            return False
        if actor.feels_stones:
            end = fingers.drag(path, self.stones[cell], at, step_s)
            end = fingers.take(path[-1], end, step_s)
        else:
            fingers.take(cell, at, step_s, touch=False)
            end = fingers.slide(path, at, step_s)
        what = f"slides the stone of {cell} off over {', '.join(path[1:])}"
        actor.wait(what, end, lambda seen: seen.lamps.get(cell) != lamp)
        return True

    def _brush(self, sight: Sight, now: float) -> bool:
        actor, target = self.actor, self.target(sight)
        if target is None:
            return False
        beside = self.rng.choice(self.beside(sight, target.cell))
        self._wish(target)
        end = actor.place(target.cell, target.piece, sight, now)
        hold_s = self.rng.uniform(0.05, 0.6)
        at = max(now, end - self.rng.uniform(0.0, 0.4))
        actor.fingers.rest([beside], at, hold_s, 0.0)
        actor.tell(f"grazes {beside}")
        return True

    def _two_stones(self, sight: Sight, now: float) -> bool:
        actor, target = self.actor, self.target(sight)
        if target is None:
            return False
        cell, piece = target.cell, target.piece
        near = {cell}
        for _ in range(_ACROSS):
            near |= {each for one in near for each in self.beside(sight, one)}
        far = [each for each in self.empty(sight) if each not in near]
        if not far:
            return False
        other = self.rng.choice(far)
        self._wish(target)
        at, press_s = actor.start(now), actor.press_s()
        actor.tried.update({cell: piece, other: piece})
        end = actor.fingers.put(cell, piece, at, press_s)
        actor.fingers.put(other, piece, at + self.rng.uniform(0.0, 0.05), press_s)
        what = f"sets {piece} on {cell} and {other} at once"
        actor.wait(
            what, end, lambda seen: went_on(sight, seen, cell) or went_on(sight, seen, other)
        )
        return True

    def _put_and_take(self, sight: Sight, now: float) -> bool:
        actor, target = self.actor, self.target(sight)
        if target is None:
            return False
        at, cell, piece = actor.start(now), target.cell, target.piece
        self._wish(target)
        actor.wish = None
        end = actor.fingers.put(cell, piece, at, self.rng.uniform(0.06, 0.12))
        back = end + self.rng.uniform(0.05, 0.8)
        end = actor.fingers.take(cell, back, self.rng.uniform(0.06, 0.12))
        actor.go_on(f"sets {piece} on {cell} and takes it back", end)
        return True

    def _hesitate(self, sight: Sight, now: float) -> bool:
        """Touch one cell, or let the stone down on it, and go to another."""
        actor, fingers = self.actor, self.actor.fingers
        one, other = self.target(sight), self.target(sight)
        if one is None or other is None or one.cell == other.cell:
            return False
        at, first, cell, piece = actor.start(now), one.cell, other.cell, other.piece
        if actor.feels_stones:
            fingers.put(first, piece, at, 0.05)
            end = fingers.take(first, at + self.rng.uniform(0.05, 0.5), 0.05)
        else:
            if self.rng.random() < 0.5 and self.stones:
                first = self.rng.choice(sorted(self.stones))
            end = fingers.press(first, at, self.rng.uniform(0.05, 0.2))
        actor.tell(f"hesitates over {first}")
        self._wish(other)
        actor.place(cell, piece, sight, end)
        return True

    def _inspect(self, sight: Sight, now: float) -> bool:
        if not self.stones:
            return False
        actor, cell = self.actor, self.rng.choice(sorted(self.stones))
        end = actor.fingers.press(cell, actor.start(now), self.rng.uniform(0.8, 2.5))
        actor.go_on(f"holds a finger on {cell}", end)
        return True

    def _forget(self, sight: Sight, now: float) -> bool:
        actor = self.actor
        removes = [cell for cell in sight.lit(Cue.REMOVE) if cell not in actor.blind]
        if not removes:
            return False
        until = now + actor.fingers.span(actor.traits.notice_s)
        forgotten = self.rng.sample(removes, self.rng.randint(1, len(removes)))
        actor.blind.update(dict.fromkeys(forgotten, until))
        actor.go_on(f"does not see that {', '.join(forgotten)} are to go", now)
        return True

    def _wrong_removal(self, sight: Sight, now: float) -> bool:
        actor, shown = self.actor, sight.to_do()
        near = {each for cell in shown for each in self.beside(sight, cell)}
        others = [cell for cell in sorted(near) if cell in self.stones and cell not in shown]
        if not others or sight.phase is Phase.OVER:
            return False
        cell = self.rng.choice(others)
        actor.mistaken[cell] = piece = self.stones[cell]
        end = actor.fingers.take(cell, actor.start(now), min(actor.press_s(), 0.4))
        what = f"takes {piece} from {cell}, which was to stay"
        actor.wait(what, end, lambda seen: seen.cue(cell) in (Cue.WRONG, Cue.PUT, Cue.LEGAL))
        return True

    def _hurry(self, sight: Sight, now: float) -> bool:
        """Set the other player's stone while there is still something to do."""
        shown = sight.to_do()
        free = [cell for cell in self.empty(sight) if cell not in shown]
        if not free or sight.phase is Phase.OVER or self.actor.tried:
            return False
        self.actor.place(self.rng.choice(free), self.rng.choice(sight.others()), sight, now)
        return True

    def _two_at_once(self, sight: Sight, now: float) -> bool:
        cells: Sequence[str] = list(sight.to_do())
        if len(cells) < 2:
            return False
        one, other = self.rng.sample(cells, 2)
        before = sight.lamps[other]
        self.actor.obey(one, sight, now)
        end = self.actor.obey(other, sight, now)
        self.actor.wait("does both", end, lambda seen: seen.lamps.get(other) != before)
        return True

    def _prey_first(self, sight: Sight, now: float) -> bool:
        """Lift some of what a stone is about to eat, or all of it, before setting that stone."""
        actor = self.actor
        wish = None if sight.begun else draw_meal(sight, self.rng, self.stones)
        if wish is None:
            return False
        (cell,), gone = wish.taps, [each for each in wish.gone if each in self.stones]
        prey = self.rng.sample(gone, self.rng.randint(1, len(gone)))
        end = actor.start(now)
        for each in prey:
            end = actor.fingers.take(each, end + self.rng.uniform(0.0, 0.6), actor.press_s())
        actor.tell(f"lifts {', '.join(prey)}, which {cell} is to eat")
        actor.wish = wish
        actor.place(cell, wish.stands[cell], sight, end + self.rng.uniform(0.0, 1.5))
        return True

    def _adjust(self, sight: Sight, now: float) -> bool:
        """Lift a stone, most likely the one set last, and set it down again."""
        if not self.stones:
            return False
        actor, last = self.actor, sight.placed
        cell = self.rng.choice(sorted(self.stones))
        if last is not None and last in self.stones and self.rng.random() < 0.7:
            cell = last
        piece = self.stones[cell]
        end = actor.fingers.take(cell, actor.start(now), actor.press_s())
        end = actor.fingers.put(cell, piece, end + self.rng.uniform(0.1, 2.0), actor.press_s())
        actor.go_on(f"adjusts the stone on {cell}", end)
        return True
