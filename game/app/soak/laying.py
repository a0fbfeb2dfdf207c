"""Players who lay out their pieces unseen, on a page or under a cover, and who look at faces shown.

Owns what hands and pages do while pieces are laid out, and how faces are covered again. Must not
know any game's rules, nor how often hands slip otherwise (`traits`).
"""

from game.app.soak.actor import Actor
from game.app.soak.ground import Ground
from game.app.soak.sight import Sight, changed
from game.table.inputs import Arranged, Command
from game.table.scene import Cue
from game.table.state import Phase

BY_PAGE = 0.7
"""The chance that a player lays out his pieces on a page of his own."""
ERRS = 0.04
"""The chance to do something else first, each time that a piece is to be set under the cover."""
LOOKS_S = 1.3
"""For so long at the least people look at faces, unless they are in a hurry."""
HURRIES = 0.15
LEFT_OUT = 0.02
"""The chance of each piece to be forgotten when all are set on the board."""
SHOWN = 8
"""Where the lights ask for more pieces than this, hands set them all at once."""


class Laying(Ground):
    """Lay out pieces with an actor's hands and pages."""

    def __init__(self, actor: Actor) -> None:
        super().__init__(actor)
        self._plans: dict[int, dict[str, str]] = {}
        self._done: list[str] = []  # cells on which he knows to have set pieces under the cover
        self._next = ""
        self._seen_s: float | None = None  # since when faces are shown

    def lay_out(self, sight: Sight, now: float) -> bool:
        """Let whoever is next lay out his pieces, or go on with it."""
        if sight.phase is not Phase.ARRANGE:
            self._plans = {}
            return False
        actor, player = self.actor, sight.turn or 1
        actor.wishes = 0
        actor.tried.clear()
        actor.asked.clear()
        if actor.look_again(now):
            return True
        if player not in self._plans:
            way = sight.game.arranged_at_random(sight.position, player, self.rng)
            self._plans[player] = way
        if sight.left is not None:
            self._go_on(sight, player, now)
        elif self.rng.random() < BY_PAGE:
            self._seal(sight, player, now)
        elif self._unplugs():
            actor.unplugged = True
            actor.go_on("pulls the plug while pieces are laid out", now)
        else:
            self._done, self._next = [], ""
            actor.press_key(Command.SET_UP, now)
        return True

    def _unplugs(self) -> bool:
        return self.rng.random() < ERRS

    def _seal(self, sight: Sight, player: int, now: float) -> None:
        """Lay out pieces on a page; sometimes too few at first."""
        pieces = dict(self._plans[player])
        if self.rng.random() < ERRS and "table.cannot_stand_so" not in sight.words:
            pieces.popitem()
        self.actor.give(Arranged(player, pieces))
        self.actor.wait(f"{player} seals pieces", now, lambda seen: changed(sight, seen))

    def _go_on(self, sight: Sight, player: int, now: float) -> None:
        """Set the next piece under the cover, or seal what is set."""
        actor = self.actor
        arranges = sight.game.arranging(sight.position, player)
        if arranges is None or sight.left is None:
            return
        count = len(arranges.pieces) - sight.left
        if count == len(self._done) + 1 and self._next:
            self._done.append(self._next)
        self._next, self._done = "", self._done[:count]
        if count > len(self._done):
            # Something was taken for a piece that was none.
            actor.press_key(Command.TAKE_BACK, now)
        elif not sight.left:
            actor.press_key(Command.CONFIRM, now)
        elif self.rng.random() < ERRS:
            self._err(sight, now)
        else:
            piece = arranges.pieces[count]
            cells = {each: cell for cell, each in self._plans[player].items()}
            self._set(sight, cells[piece], piece, now)

    def _set(self, sight: Sight, cell: str, piece: str, now: float) -> None:
        actor, at, press_s = self.actor, self.actor.start(now), self.actor.press_s()
        stands = self.stones.get(cell)
        if stands and (stands != piece or actor.feels_stones):
            end = actor.fingers.take(cell, at, press_s, touch=False)
            actor.go_on(f"clears {cell} under the cover", end)
            return
        self._next = cell
        if stands:
            end = actor.fingers.press(cell, at, press_s)
        else:
            end = actor.fingers.put(cell, piece, at, press_s)
        what = f"sets {piece} on {cell} under the cover"
        actor.wait(what, end, lambda seen: seen.left != sight.left or changed(sight, seen))

    def _err(self, sight: Sight, now: float) -> None:
        """Touch or set something anywhere, rest a hand, or take the last piece back."""
        actor, at, press_s = self.actor, self.actor.start(now), self.actor.press_s()
        cell = self.rng.choice(sight.game.board.cells)
        way = self.rng.randrange(3)
        if way == 0:
            actor.press_key(Command.TAKE_BACK, now)
        elif way == 1:
            cells = self.cluster(sight, 3, 6)
            end = actor.fingers.rest(cells, at, press_s, 0.05)
            actor.go_on(f"rests a hand on {', '.join(cells)}", end)
        elif cell in self.stones:
            end = actor.fingers.take(cell, at, press_s)
            actor.go_on(f"lifts what stands on {cell}", end)
        else:
            end = actor.fingers.put(cell, sight.piece(sight.turn), at, press_s)
            end = actor.fingers.take(cell, end + 0.7, press_s)
            actor.go_on(f"sets something on {cell}, and takes it off again", end)

    def set_all(self, sight: Sight, now: float) -> bool:
        """Set all pieces that are to stand, where there are many; some are forgotten at first."""
        puts = [cell for cell, lamp in sight.to_do().items() if lamp.cue is Cue.PUT]
        free = [cell for cell in puts if cell not in self.stones and cell in sight.page]
        if len(free) <= SHOWN:
            return False
        actor, end = self.actor, self.actor.start(now)
        for cell in free:
            if self.rng.random() >= LEFT_OUT:
                touch = self.rng.random() < 0.1
                end = actor.fingers.put(cell, sight.page[cell], end + 0.3, 0.2, touch)
        actor.go_on(f"sets {len(free)} pieces", end)
        return True

    def look(self, sight: Sight, now: float) -> bool:
        """Look at the faces that are shown, and cover them again."""
        if sight.phase is not Phase.SHOW:
            self._seen_s = None
            return False
        actor = self.actor
        hurries = self._seen_s is None and self.rng.random() < HURRIES
        self._seen_s = now if self._seen_s is None else self._seen_s
        if not hurries and now < self._seen_s + LOOKS_S:
            actor.due = self._seen_s + LOOKS_S
            return True
        wrong = actor.fingers.desk.differences(sight.page)
        stands = [cell for cell in wrong if cell in self.stones]
        if self.rng.random() < 0.4:
            actor.press_key(Command.CONFIRM, now)
        elif not actor.feels_stones:
            cell = self.rng.choice(sight.game.board.cells)
            end = actor.fingers.press(cell, actor.start(now), actor.press_s())
            actor.wait(f"covers both by touching {cell}", end, lambda seen: changed(sight, seen))
        elif stands:
            cell = self.rng.choice(stands)
            end = actor.fingers.take(cell, actor.start(now), actor.press_s())
            actor.go_on(f"covers both and takes what stands on {cell}", end)
        else:
            actor.press_key(Command.CONFIRM, now)
        return True
