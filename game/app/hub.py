"""What every open page is shown: the newest state and lights, handed from thread to thread.

Owns the passing of snapshots from the board's thread to the server's. Keeps the newest only: a
slow page misses frames and never holds up the board.
"""

import asyncio
import threading
from dataclasses import dataclass, field

from game.app.session import Snapshot
from hal.light import Frame


@dataclass(frozen=True, slots=True)
class News:
    """The newest state and lights, with numbers that grow with each change."""

    snapshot: Snapshot | None = None
    colours: Frame = ()
    state_number: int = 0
    lights_number: int = 0


@dataclass(eq=False)
class Hub:
    """An audience that passes on what it sees to any number of pages."""

    news: News = News()
    _pages: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state, on the board's thread."""
        old = self.news
        self._tell(News(snapshot, old.colours, old.state_number + 1, old.lights_number))

    def see_lights(self, colours: Frame) -> None:
        """Take the newest colours, on the board's thread."""
        old = self.news
        self._tell(News(old.snapshot, colours, old.state_number, old.lights_number + 1))

    def join(self) -> asyncio.Event:
        """Add a page, on the server's thread; its event is set at each change."""
        event = asyncio.Event()
        event.set()
        with self._lock:
            self._pages.add((asyncio.get_running_loop(), event))
        return event

    def leave(self, event: asyncio.Event) -> None:
        """Take a page away."""
        with self._lock:
            self._pages = {page for page in self._pages if page[1] is not event}

    def _tell(self, news: News) -> None:
        self.news = news
        with self._lock:
            pages = tuple(self._pages)
        for loop, event in pages:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)
