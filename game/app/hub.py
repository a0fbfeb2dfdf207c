"""What every open page is shown: the newest state and lights, handed from thread to thread.

Owns the passing of snapshots from the board's thread to the server's. Keeps the newest only: a
slow page misses frames and never holds up the board.
"""

from dataclasses import dataclass

from game.app.serve import Bell
from game.app.session import Snapshot
from hal.light import Frame


@dataclass(frozen=True, slots=True)
class News:
    """The newest state and lights, with numbers that grow with each change."""

    snapshot: Snapshot | None = None
    colours: Frame = ()
    state_number: int = 0
    lights_number: int = 0


class Hub(Bell):
    """An audience that passes on what it sees to any number of pages."""

    def __init__(self) -> None:
        super().__init__()
        self.news = News()

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state, on the board's thread."""
        old = self.news
        self.news = News(snapshot, old.colours, old.state_number + 1, old.lights_number)
        self.ring()

    def see_lights(self, colours: Frame) -> None:
        """Take the newest colours, on the board's thread."""
        old = self.news
        self.news = News(old.snapshot, colours, old.state_number, old.lights_number + 1)
        self.ring()
