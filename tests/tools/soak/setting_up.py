"""How players set up in secret, on a page or under a cover, and look at revealed faces.

Owns what hands and pages do during a set-up. Must not know any game's rules, nor how often hands
slip otherwise (`traits`).
"""

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


class SettingUp:
    """Set up pieces with the hands and pages of a person."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self.plans: dict[int, dict[str, str]] = {}
        self._done: list[str] = []  # cells on which pieces were set under the cover
        self._next = ""
        self._seen_s: float | None = None  # since when faces are shown

    def set_up(self) -> bool:
        """Let the next player set up pieces, or go on with it."""
        person, view = self._person, self._person.view
        if view.phase is not Phase.ARRANGE:
            self.plans = {}
            return False
        player = view.turn or 1
        person.take_backs = 0
        person.unconfirmed.clear()
        person.to_check.clear()
        if person.look_again():
            return True
        if player not in self.plans:
            plan = view.game.arranged_at_random(view.position, player, person.rng)
            self.plans[player] = plan
        if view.left is not None:
            return self._continue(player, view.left)
        if person.rng.random() < BY_PAGE:
            return self._submit(player)
        if person.rng.random() < ERRS:
            person.unplugged = True
            return person.go_on("pulls the plug during the set-up", person.now)
        self._done, self._next = [], ""
        return person.press_key(Command.SET_UP)

    def _submit(self, player: int) -> bool:
        person, pieces = self._person, dict(self.plans[player])
        if person.rng.random() < ERRS and "table.cannot_stand_so" not in person.view.words:
            pieces.popitem()
        person.session.give(SubmitSetup(player, pieces))
        return person.wait(f"{player} submits a set-up", person.now, person.change())

    def _continue(self, player: int, left: int) -> bool:
        person, view = self._person, self._person.view
        arranges = view.game.arranging(view.position, player)
        if arranges is None:
            return True
        count = len(arranges.pieces) - left
        if count == len(self._done) + 1 and self._next:
            self._done.append(self._next)
        self._next, self._done = "", self._done[:count]
        if count > len(self._done):
            # The board took something else for a piece.
            return person.press_key(Command.TAKE_BACK)
        if not left:
            return person.press_key(Command.CONFIRM)
        if person.rng.random() < ERRS:
            return self._err()
        piece = arranges.pieces[count]
        cells = {each: cell for cell, each in self.plans[player].items()}
        return self._set(cells[piece], piece)

    def _set(self, cell: str, piece: str) -> bool:
        person, stands, left = self._person, self._person.stones.get(cell), self._person.view.left
        if stands and (stands != piece or person.feels_stones):
            end = person.take(cell, touch=False)
            return person.go_on(f"clears {cell} under the cover", end)
        self._next = cell
        end = person.press(cell) if stands else person.put(cell, piece)
        what, changed = f"sets {piece} on {cell} under the cover", person.change()
        return person.wait(what, end, lambda seen: seen.left != left or changed(seen))

    def _err(self) -> bool:
        """Touch or set something anywhere, rest a hand, or take the last piece back."""
        person, rng = self._person, self._person.rng
        cell, way = rng.choice(person.view.game.board.cells), rng.randrange(3)
        if way == 0:
            return person.press_key(Command.TAKE_BACK)
        if way == 1:
            cells = cluster(person, 3, 6)
            end = person.fingers.rest(cells, person.start(), person.press_s(), 0.05)
            return person.go_on(f"rests a hand on {', '.join(cells)}", end)
        if cell in person.stones:
            return person.go_on(f"lifts what stands on {cell}", person.take(cell))
        end = person.put(cell, person.view.piece(person.view.turn))
        return person.go_on(f"sets and takes a piece on {cell}", person.take(cell, end + 0.7))

    def put_all(self) -> bool:
        """Set all pieces that are missing, where there are many; some are forgotten at first."""
        person, page = self._person, self._person.view.page
        puts = [cell for cell, lamp in person.view.to_do().items() if lamp.cue is Cue.PUT]
        free = [cell for cell in puts if cell not in person.stones and cell in page]
        if len(free) <= MANY:
            return False
        end = person.start()
        for cell in free:
            if person.rng.random() >= LEFT_OUT:
                touch = person.rng.random() < 0.1
                end = person.fingers.put(cell, page[cell], end + 0.3, 0.2, touch)
        return person.go_on(f"sets {len(free)} pieces", end)

    def look(self) -> bool:
        """Look at the faces that are shown, and cover them again."""
        person = self._person
        if person.view.phase is not Phase.SHOW:
            self._seen_s = None
            return False
        hurries = self._seen_s is None and person.rng.random() < HURRIES
        self._seen_s = person.now if self._seen_s is None else self._seen_s
        if not hurries and person.now < self._seen_s + LOOKS_S:
            person.due = self._seen_s + LOOKS_S
            return True
        wrong = [cell for cell in person.differences() if cell in person.stones]
        if person.rng.random() < 0.4 or (person.feels_stones and not wrong):
            return person.press_key(Command.CONFIRM)
        if not person.feels_stones:
            cell = person.rng.choice(person.view.game.board.cells)
            return person.wait(
                f"covers both by touching {cell}", person.press(cell), person.change()
            )
        cell = person.rng.choice(wrong)
        return person.go_on(f"covers both and takes what stands on {cell}", person.take(cell))
