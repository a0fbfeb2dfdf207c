"""The newest state, lights and course, passed from the board's thread to every open page."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from game.opponent import Course
from game.play import Snapshot
from hal.lights import Frame


class Subscribers:
    """Wakes every open page from any thread, without waiting for any."""

    def __init__(self) -> None:
        self._pages: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @contextmanager
    def subscribed(self) -> Iterator[asyncio.Event]:
        """Add a page, on the server's thread; its event is set now and at each change."""
        event = asyncio.Event()
        event.set()
        page = (asyncio.get_running_loop(), event)
        self._pages.add(page)
        try:
            yield event
        finally:
            self._pages.discard(page)

    def notify(self) -> None:
        for loop, event in self._pages.copy():
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest state, lights and course; what has changed is another object.

    The course is of a game that is over, and None until a page asks for it. `holders` has the
    digest of each taken seat's key in this state, by player.
    """

    snapshot: Snapshot | None = None
    colours: Frame = ()
    course: Course | None = None
    holders: Mapping[int, str] = field(default_factory=dict)


class Broadcaster(Subscribers):
    """An audience of any number of pages; a slow page misses frames and never delays the board.

    `holders` returns the holders of seats, which change on the board's thread only.
    """

    def __init__(self, holders: Callable[[], Mapping[int, str]] = dict) -> None:
        super().__init__()
        self._holders = holders
        self.latest = Latest()

    def see(self, snapshot: Snapshot) -> None:
        self.latest = replace(self.latest, snapshot=snapshot, holders=self._holders())
        self.notify()

    def see_lights(self, colours: Frame) -> None:
        self.latest = replace(self.latest, colours=colours)
        self.notify()

    def see_course(self, course: Course | None) -> None:
        """Take the newest course of the game, on the board's thread."""
        self.latest = replace(self.latest, course=course)
        self.notify()
