"""How players set up in secret, on a page or under a cover, and look at revealed faces.

Owns what hands and pages do during a set-up. Must not know any game's rules, nor how often hands
slip otherwise (`hands`).
"""

from dataclasses import dataclass, field

from game.table.inputs import Command, SubmitSetup
from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak.moving import cluster
from tests.tools.soak.person import Person

BY_PAGE = 0.7
"""Chance that a player sets up on their own page."""
ERRS = 0.04
"""Chance to do something else first, each time that a piece is to be set under the cover."""
LOOKS_S = 1.3
"""Time that people look at faces, unless they are in a hurry."""
HURRIES = 0.15
LEFT_OUT = 0.02
"""Chance of each piece to be forgotten when all are set on the board."""
MANY = 8
"""Above this number of pieces that lights ask for, hands set them all at once."""


@dataclass(eq=False)
class SettingUp(Person):
    """A person who sets up pieces in secret; `set_ups` are what each player has set up, or will."""

    set_ups: dict[int, dict[str, str]] = field(default_factory=dict)
    _under_cover: list[str] = field(default_factory=list)
    """Cells on which pieces were set under the cover; `_next` may be one more."""
    _next: str = ""
    _seen_s: float | None = None
    """Since when faces are shown."""

    def set_up(self) -> bool:
        """Let the next player set up pieces, or go on with it."""
        view = self.view
        if view.phase is not Phase.ARRANGE:
            self.set_ups = {}
            return False
        player = view.turn or 1
        self.take_backs = 0
        self.unconfirmed.clear()
        self.to_check.clear()
        if self.look_again():
            return True
        if player not in self.set_ups:
            plan = view.game.arranged_at_random(view.position, player, self.rng)
            self.set_ups[player] = plan
        if view.left is not None:
            return self._continue(player, view.left)
        if self.rng.random() < BY_PAGE:
            pieces = dict(self.set_ups[player])
            if self.rng.random() < ERRS and "table.cannot_stand_so" not in view.words:
                pieces.popitem()
            self.session.give(SubmitSetup(player, pieces))
            return self.wait(f"{player} submits a set-up", self.now, self.change())
        if self.rng.random() < ERRS:
            self.unplugged = True
            return self.go_on("pulls the plug during the set-up", self.now)
        self._under_cover, self._next = [], ""
        return self.press_key(Command.SET_UP)

    def _continue(self, player: int, left: int) -> bool:
        arranges = self.view.game.arranging(self.view.position, player)
        if arranges is None:
            return True
        count = len(arranges.pieces) - left
        if count == len(self._under_cover) + 1 and self._next:
            self._under_cover.append(self._next)
        self._next, self._under_cover = "", self._under_cover[:count]
        if count > len(self._under_cover):
            # The board took something else for a piece.
            return self.press_key(Command.TAKE_BACK)
        if not left:
            return self.press_key(Command.CONFIRM)
        if self.rng.random() < ERRS:
            return self._err()
        piece = arranges.pieces[count]
        cell = {each: at for at, each in self.set_ups[player].items()}[piece]
        stands = self.stones.get(cell)
        if stands and (stands != piece or self.feels_stones):
            end = self.take(cell, touch=False)
            return self.go_on(f"clears {cell} under the cover", end)
        self._next = cell
        end = self.press(cell) if stands else self.put(cell, piece)
        what, changed = f"sets {piece} on {cell} under the cover", self.change()
        return self.wait(what, end, lambda seen: seen.left != left or changed(seen))

    def _err(self) -> bool:
        """Touch or set something anywhere, rest a hand, or take the last piece back."""
        cell, way = self.rng.choice(self.view.game.board.cells), self.rng.randrange(3)
        if way == 0:
            return self.press_key(Command.TAKE_BACK)
        if way == 1:
            cells = cluster(self, 3, 6)
            end = self.fingers.rest(cells, self.start(), self.press_s(), 0.05)
            return self.go_on(f"rests a hand on {', '.join(cells)}", end)
        if cell in self.stones:
            return self.go_on(f"lifts what stands on {cell}", self.take(cell))
        end = self.put(cell, self.view.piece(self.view.turn))
        return self.go_on(f"sets and takes a piece on {cell}", self.take(cell, end + 0.7))

    def put_all(self) -> bool:
        """Set all pieces that are missing, where there are many; some are forgotten at first."""
        page = self.view.page
        puts = [cell for cell, lamp in self.view.to_do().items() if lamp.cue is Cue.PUT]
        free = [cell for cell in puts if cell not in self.stones and cell in page]
        if len(free) <= MANY:
            return False
        end = self.start()
        for cell in free:
            if self.rng.random() >= LEFT_OUT:
                touch = self.rng.random() < 0.1
                end = self.fingers.put(cell, page[cell], end + 0.3, 0.2, touch)
        return self.go_on(f"sets {len(free)} pieces", end)

    def look(self) -> bool:
        """Look at the faces that are shown, and cover them again."""
        if self.view.phase is not Phase.SHOW:
            self._seen_s = None
            return False
        hurries = self._seen_s is None and self.rng.random() < HURRIES
        self._seen_s = self.now if self._seen_s is None else self._seen_s
        if not hurries and self.now < self._seen_s + LOOKS_S:
            self.due = self._seen_s + LOOKS_S
            return True
        wrong = [cell for cell in self.differences() if cell in self.stones]
        if self.rng.random() < 0.4 or (self.feels_stones and not wrong):
            return self.press_key(Command.CONFIRM)
        if not self.feels_stones:
            cell = self.rng.choice(self.view.game.board.cells)
            return self.wait(f"covers both by touching {cell}", self.press(cell), self.change())
        cell = self.rng.choice(wrong)
        return self.go_on(f"covers both and takes what stands on {cell}", self.take(cell))
