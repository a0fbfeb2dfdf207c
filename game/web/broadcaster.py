"""The newest state, lights and course, passed from the board's thread to every open page.

Holds the newest only: a slow page misses frames and never delays the board.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from game.opponent import Course
from game.play import Snapshot
from game.web.server import Subscribers
from hal.lights import Frame


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest state, lights and course, each with a number that grows with each change.

    The course is of a game that is over, and None until a page asks for it. `holders` has the
    digest of each taken seat's key in this state, by player.
    """

    snapshot: Snapshot | None = None
    colours: Frame = ()
    course: Course | None = None
    state_number: int = 0
    lights_number: int = 0
    course_number: int = 0
    holders: Mapping[int, str] = field(default_factory=dict)


class Broadcaster(Subscribers):
    """An audience that passes what it sees on to any number of pages.

    `holders` returns the holders of seats, which change on the board's thread only.
    """

    def __init__(self, holders: Callable[[], Mapping[int, str]] = dict) -> None:
        super().__init__()
        self._holders = holders
        self.latest = Latest()

    def see(self, snapshot: Snapshot) -> None:
        old = self.latest
        self.latest = replace(
            old, snapshot=snapshot, holders=self._holders(), state_number=old.state_number + 1
        )
        self.notify()

    def see_lights(self, colours: Frame) -> None:
        old = self.latest
        self.latest = replace(old, colours=colours, lights_number=old.lights_number + 1)
        self.notify()

    def see_course(self, course: Course | None) -> None:
        """Take the newest course of the game, on the board's thread."""
        old = self.latest
        self.latest = replace(old, course=course, course_number=old.course_number + 1)
        self.notify()
