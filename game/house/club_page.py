"""The page of a club: every board, live, and what they have played.

Owns the connection to the broker and what open pages are sent. A page may only watch.
"""

import logging
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from game.common.errors import AppError
from game.common.translation import words
from game.house import published
from game.house.club import Club, Told, drawing
from game.house.house import Open
from game.house.pairings import Tournament
from game.remote.address import read_broker
from game.remote.mqtt import MqttTopics
from game.web.access.access import Access, AccessLevel
from game.web.game_pages import page_words
from game.web.page_messages import ON_WAITING_PAGE, ChooseLanguage, MessageError, parse
from game.web.server import App, PageLink, Subscribers, site
from game.web.views import state_view

log = logging.getLogger(__name__)

KIND = "club"
SHOWN = 100
"""Results that a page shows, the newest."""
_TOPICS = (published.AVAILABILITY, published.STATE, published.RESULTS)
_ALLOWED = "mqtt://HOST/TOPIC or mqtts://USER@HOST/TOPIC?password_file=FILE&ca_file=FILE"


class ClubPage:
    """The page of the boards that publish below the topic of an address."""

    def __init__(
        self,
        address: str,
        folder: Path,
        tournament: Tournament,
        open_topics: Open = MqttTopics,
    ) -> None:
        """Begin to connect; raises AppError."""
        where, _ = read_broker(address, "club", _ALLOWED)
        if not published.is_topic(where.code):
            raise AppError(f"the topic of the club is {where.code!r}; allowed: {_ALLOWED}")
        self._prefix = where.code
        self._club = Club(folder, tournament, datetime.now(UTC).isoformat(timespec="milliseconds"))
        self._subscribers, self._lock = Subscribers(), Lock()
        self._numbers: dict[str, int] = {}
        self._results = 0
        topics = [f"{self._prefix}/+/{topic}" for topic in _TOPICS]
        self._topics = open_topics(where, topics, self._hear, lambda: None, None)

    def close(self) -> None:
        self._topics.close()

    def app(self, access: Access) -> App:
        return site("club.html", self._talk, access)

    def _hear(self, topic: str, payload: bytes, __: bool) -> None:
        board, _, what = topic.removeprefix(f"{self._prefix}/").rpartition("/")
        try:
            with self._lock:
                if not self._club.hear(board, what, payload, time.monotonic()):
                    return
                self._results += what == published.RESULTS
                self._numbers[board] = self._numbers.get(board, 0) + 1
        except OSError as error:
            log.error("club file cannot be written: %s", error)
            return
        self._subscribers.notify()

    async def _talk(self, link: PageLink) -> None:
        with self._subscribers.subscribed() as event:
            language, greeted = link.caller.language, ""
            sent: dict[str, int] = {}
            told = -1

            async def send() -> None:
                nonlocal greeted, told
                locked = link.level is AccessLevel.NOTHING
                if greeted != language:
                    greeted = language
                    sent.clear()
                    told = -1
                    first = dict(
                        state_view.locked(
                            words(language), page_words(language), pin=link.about_pin()
                        )
                    )
                    await link.send(first | {"page": KIND} | ({} if locked else {"type": "hello"}))
                if locked:
                    return
                with self._lock:
                    new = {b: n for b, n in self._numbers.items() if sent.get(b) != n}
                    boards = [self._view(board) for board in new]
                    tables = self._tables() if told != self._results else None
                    told = self._results
                sent.update(new)
                for each in boards:
                    await link.send(each)
                if tables is not None:
                    await link.send(tables)

            def take(message: object) -> str:
                nonlocal language
                try:
                    match parse(message, ON_WAITING_PAGE):
                        case ChooseLanguage(chosen):
                            language = chosen
                            event.set()
                except MessageError as error:
                    return str(error)
                return ""

            await link.converse(event, send, take)

    def _view(self, name: str) -> Told:
        board = self._club.boards.get(name)
        if board is None:
            return {"type": "board", "name": name, "online": False, "state": None}
        age_s = round(time.monotonic() - board.at, 1)
        return {
            "type": "board",
            "name": name,
            "online": board.online,
            "state": {**board.state, "age_s": age_s} if board.state else None,
            "drawing": drawing(board.state["game"]) if board.state else None,
        }

    def _tables(self) -> Told:
        return {
            "type": "tables",
            "rounds": self._club.rounds(),
            "points": self._club.points(),
            "results": self._club.results[-SHOWN:],
        }


def serve(
    address: str, folder: Path, port: int, tournament: Tournament, network: bool, browser: bool
) -> None:
    """Serve the page until SIGINT or SIGTERM; raises AppError."""
    from game.common.translation import system_language
    from game.play.loop import LONGEST_WAIT_S, Flag, stop_on_signals
    from game.rules.base.message import say
    from game.web.access.pin import Pins
    from game.web.server import Server, listen, show_in_browser

    stop = Flag()
    stop_on_signals(stop)
    with (
        listen(port, network=network) as listening,
        closing(ClubPage(address, folder, tournament)) as page,
    ):
        pins = Pins(folder) if network else None
        with Server(page, listening, Access(pins, watching_open=network)) as server:
            told = say("club.ready", address=server.address)
            print(words(system_language()).text(told), *server.addresses, flush=True)
            if browser:
                show_in_browser(server.address)
            while not stop.is_set():
                time.sleep(LONGEST_WAIT_S)
