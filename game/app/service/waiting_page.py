"""The page of a service that waits: why, what was found, and what to do.

Owns what that page is told. The sentences are the page's own, by key; what errors and devices say
is passed on as it is. Must not know how anything was found.
"""

from collections.abc import Callable
from functools import partial

from game.app import view
from game.app.gate.access import Access, Level
from game.app.serve import App, Bell, Link, about_pin, converse, language_of, send, site
from game.app.service.look_around import Surroundings
from game.app.service.reasons import Reason
from game.app.web import page_words
from game.app.words import LANGUAGES, words
from game.rules.game import Json
from hal.errors import LightsFault, SpiOff

KIND = "waiting"
"""What this page is called in its messages; a page that is told another name loads itself again."""


def news_of(
    reason: Reason,
    found: Surroundings | None,
    strip: LightsFault | None,
    *,
    lit: bool,
    taken: bool,
) -> Json:
    """Write what a page shows.

    Nothing is `found` where nobody looked. `strip` is why it takes no frames; it takes them when it
    is `lit`, and else was not tried. `taken` when somebody else has the board.
    """
    return {
        "type": KIND,
        "page": KIND,
        "why": reason.why.value,
        "detail": reason.detail,
        "taken": taken,
        "strip": "" if lit else strip and str(strip),
        "spi_off": isinstance(strip, SpiOff),
        "found": None
        if found is None
        else {
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
            "troubles": [
                {"bus": trouble.bus, "detail": trouble.detail} for trouble in found.search.troubles
            ],
        },
    }


class WaitingPage:
    """Serve the page; `show` may be called from any thread."""

    def __init__(self) -> None:
        self._bell = Bell()
        self._news: Json = {}

    def show(self, news: Json) -> None:
        """Show this from now on."""
        if news != self._news:
            self._news = news
            self._bell.ring()

    def app(self, access: Access) -> App:
        """Build the ASGI application, which answers only whom `access` lets in."""
        return site("waiting.html", self._talk, access)

    async def _talk(self, link: Link, level: Level) -> None:
        bell = self._bell.join()
        visit = _Visit(link, level, lambda: self._news, bell.set)
        try:
            await converse(link, bell, visit.tell, visit.take)
        finally:
            self._bell.leave(bell)


class _Visit:
    """One open page: its language, whether it may know anything, and what it has been told."""

    def __init__(
        self, link: Link, level: Level, news: Callable[[], Json], tell_soon: Callable[[], None]
    ) -> None:
        self._level = level
        self._send = partial(send, link)
        self._news = news
        self._tell_soon = tell_soon
        self._language = language_of(link)
        self._about_pin = about_pin(link)
        self._greeted = ""
        self._told: Json = {}

    async def tell(self) -> None:
        """Send what is new."""
        language, locked = self._language, self._level is Level.NOTHING
        if self._greeted != language:
            self._greeted, self._told = language, {}
            first = view.locked(words(language), page_words(language)) | self._about_pin
            # All that is told before the PIN is told of an open page, too.
            await self._send({**first, "page": KIND, **({} if locked else {"type": "hello"})})
        news = self._news()
        if not locked and news and news != self._told:
            self._told = news
            await self._send(news)

    def take(self, message: object) -> str:
        """Act on one message; return why it is refused, or nothing."""
        match message:
            case {"do": "language", "lang": str(language)}:
                if language not in LANGUAGES:
                    return f"language is {language!r}; allowed: {', '.join(LANGUAGES)}"
                self._language = language
                self._tell_soon()
                return ""
        return "message is unknown; allowed: language"
