"""What every open page is shown: the newest state, lights and course, handed from thread to thread.

Owns the passing of snapshots from the board's thread to the server's. Keeps the newest only: a
slow page misses frames and never holds up the board.
"""

from dataclasses import dataclass, replace

from game.app.opponent.analysing import Course
from game.app.serve import Bell
from game.app.session import Snapshot
from hal.light import Frame


@dataclass(frozen=True, slots=True)
class News:
    """The newest state, lights and course, with numbers that grow with each change.

    The course is of a game that is over, and None while nobody has asked for it.
    """

    snapshot: Snapshot | None = None
    colours: Frame = ()
    course: Course | None = None
    state_number: int = 0
    lights_number: int = 0
    course_number: int = 0


class Hub(Bell):
    """An audience that passes on what it sees to any number of pages."""

    def __init__(self) -> None:
        super().__init__()
        self.news = News()

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state, on the board's thread."""
        old = self.news
        self.news = replace(old, snapshot=snapshot, state_number=old.state_number + 1)
        self.ring()

    def see_lights(self, colours: Frame) -> None:
        """Take the newest colours, on the board's thread."""
        old = self.news
        self.news = replace(old, colours=colours, lights_number=old.lights_number + 1)
        self.ring()

    def see_course(self, course: Course | None) -> None:
        """Take how the game went, as far as that is worked out; on the board's thread."""
        old = self.news
        self.news = replace(old, course=course, course_number=old.course_number + 1)
        self.ring()
