"""The page of a service that waits: why, what was found, and what to do.

The page has the sentences, by key; the texts of errors and devices are passed on as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from game.common.errors import AppError, Cause, StoreError
from game.common.translation import words
from game.rules.base.errors import RulesError
from game.rules.base.values import Json
from game.service.hardware_search import FoundHardware, one_line
from game.web.access.access import Access, AccessLevel
from game.web.game_pages import page_words
from game.web.page_messages import ON_WAITING_PAGE, ChooseLanguage, MessageError, parse
from game.web.server import App, PageLink, Subscribers, site
from game.web.views import state_view
from hal.base.errors import HalError, LightsFault, LinkFault, ProfileError, SpiOff, WrongFirmware

KIND = "waiting"
"""The page's name in its messages; a page that gets another name loads itself again."""


class Why(Enum):
    """Why the service waits; the page knows the values."""

    UNLEARNT = "unlearnt"
    """No board was learned, and the settings name none."""
    NO_CHIPS = "no_chips"
    """The same, and no touch chip answers."""
    NO_BOARD = "no_board"
    """The same, and no board can be wired to this computer."""
    PROFILE = "profile"
    """The file of the board is missing or wrong."""
    SETTINGS = "settings"
    """Game, board and players do not fit together."""
    IN_USE = "in_use"
    """Another lifeboard, such as `learn`, has the board."""
    LINK = "link"
    """The Pico under the board is not plugged in, or does not answer."""
    FIRMWARE = "firmware"
    """The Pico's firmware is of another version."""
    HARDWARE = "hardware"
    """Buses, pins or other devices cannot be opened."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the service waits; `detail` is the text of an error, in English on one line."""

    why: Why
    detail: str = ""

    @classmethod
    def of(cls, error: Exception) -> "Reason":
        match error:
            case ProfileError():
                why = Why.PROFILE
            case StoreError(cause=Cause.IN_USE):
                why = Why.IN_USE
            case WrongFirmware():
                why = Why.FIRMWARE
            case LinkFault():
                why = Why.LINK
            case HalError():
                why = Why.HARDWARE
            case StoreError():
                why = Why.OTHER
            case AppError() | RulesError():
                why = Why.SETTINGS
            case _:
                why = Why.OTHER
        return cls(why, one_line(error))

    @classmethod
    def unlearnt(cls, found: FoundHardware) -> "Reason":
        """Return what to do first where no board was learned: learning needs chips that answer."""
        if found.chips:
            return cls(Why.UNLEARNT)
        return cls(Why.NO_CHIPS if found.pi else Why.NO_BOARD)


def news_of(
    reason: Reason,
    found: FoundHardware | None,
    strip: LightsFault | None,
    *,
    lit: bool,
    taken: bool,
) -> Json:
    """Return what a page shows.

    `strip` is why the strip takes no frames; it takes them if `lit`. `taken`: another program has
    the board.
    """
    return {
        "type": KIND,
        "page": KIND,
        "why": reason.why.value,
        "detail": reason.detail,
        "taken": taken,
        "strip": "" if lit else strip and str(strip),
        "spi_off": isinstance(strip, SpiOff),
        "found": None if found is None else _found(found),
    }


def _found(found: FoundHardware) -> Json:
    return {
        "trouble": found.trouble,
        "pi": found.pi,
        "ports": None if found.ports is None else [each.device for each in found.ports],
        "buses": list(found.buses),
        "muxes": [{"bus": mux.bus, "mux": f"0x{mux.address:X}"} for mux in found.search.muxes],
        "chips": [
            {
                "bus": chip.bus,
                "mux": None if chip.mux is None else f"0x{chip.mux:X}",
                "channel": chip.channel,
                "address": f"0x{chip.address:X}",
                "recognised": chip.recognised,
            }
            for chip in found.search.chips
        ],
        "troubles": [{"bus": each.bus, "detail": each.detail} for each in found.search.troubles],
    }


class WaitingPage:
    """Serve the page; `show` may be called from any thread."""

    def __init__(self) -> None:
        self._subscribers = Subscribers()
        self._news: Json = {}

    def show(self, news: Json) -> None:
        if news != self._news:
            self._news = news
            self._subscribers.notify()

    def app(self, access: Access) -> App:
        return site("waiting.html", self._talk, access)

    async def _talk(self, link: PageLink) -> None:
        with self._subscribers.subscribed() as event:
            visit = _Visit(link, lambda: self._news, event.set)
            await link.converse(event, visit.tell, visit.take)


class _Visit:
    """One open page: its language, its level, and what it was sent."""

    def __init__(
        self, link: PageLink, news: Callable[[], Json], tell_soon: Callable[[], None]
    ) -> None:
        self._link = link
        self._news = news
        self._tell_soon = tell_soon
        self._language = link.caller.language
        self._greeted = ""
        self._sent: Json = {}

    async def tell(self) -> None:
        language, locked = self._language, self._link.level is AccessLevel.NOTHING
        if self._greeted != language:
            self._greeted, self._sent = language, {}
            first = state_view.locked(
                words(language), page_words(language), pin=self._link.about_pin()
            )
            # An open page gets the same texts as a locked one.
            await self._link.send({**first, "page": KIND, **({} if locked else {"type": "hello"})})
        news = self._news()
        if not locked and news and news != self._sent:
            self._sent = news
            await self._link.send(news)

    def take(self, message: object) -> str:
        """Act on a message; return why it is refused, or nothing."""
        try:
            asked = parse(message, ON_WAITING_PAGE)
        except MessageError as error:
            return str(error)
        if isinstance(asked, ChooseLanguage):
            self._language = asked.lang
            self._tell_soon()
        return ""
