"""The ASGI middleware before every page: refuses foreign requests and adds safe headers.

Owns the refusals, each one line of English. Must not know what a page shows.
"""

import logging

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game.common import url
from game.web.access.access import Access, AccessLevel, Caller
from game.web.access.connections import Client, Listening

CALLER = "lifeboard.caller"
"""The key in the scope under which the application finds the Caller."""
ROOM = "/room"
"""Where other boards connect."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
TRY_LATER = 1013
"""Close code of a websocket for which there is no place (IANA's registry of close codes)."""
LINES_A_SECOND = 10

log = logging.getLogger(__name__)


class Gate:
    """Pass on to an application the requests that `access` allows, and pages that have a place."""

    def __init__(self, app: ASGIApp, access: Access, listening: Listening) -> None:
        self._app = app
        self._access = access
        self._listening = listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        caller, page = Caller.of(scope), scope["type"] == "websocket"
        if refusal := self._refusal(scope, caller):
            log.debug("%s refused: %d %s", caller.client, *refusal)
            if page:
                # The server would log a refusal with a reason as an error.
                await send({"type": "websocket.close"})
            else:
                status, reason = refusal
                answer = PlainTextResponse(f"{reason}\n", status, {"Connection": "close"})
                await answer(scope, receive, send_with_headers)
        elif page and not self._has_place(scope, caller):
            log.debug("%s refused: no place for another page", caller.client)
            # Only an open websocket can be closed with a code.
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_LATER})
        else:
            await self._app({**scope, CALLER: caller}, receive, send_with_headers)

    def _has_place(self, scope: Scope, caller: Caller) -> bool:
        controls = self._access.level(caller) is AccessLevel.CONTROL
        client = Client.LET_IN if controls else Client.STRANGER
        return self._listening.open_page(scope["client"], Client.LOCAL if caller.local else client)

    def _refusal(self, scope: Scope, caller: Caller) -> tuple[int, str] | None:
        """Return status and reason why a request is refused; None to pass it on."""
        if not (self._access.network or caller.local):
            return 403, "this page is for this computer only"
        if not self._access.is_near(caller):
            return 403, f"this page is for the local network only, and not for {caller.client}"
        if not self._access.knows_host(caller):
            named = f"this computer is not known as {caller.host[:80]!r}"
            remedy = f"open {url(caller.server, caller.port, secure=caller.secure)} instead"
            # `play`, which prints the PIN in the terminal, has no settings file.
            more = " or set names under [page] in its settings" if self._access.pin_command else ""
            return 400, f"{named}; {remedy}{more}"
        if scope["type"] == "websocket":
            # Another board proves later that it knows the room's code.
            if (scope["path"], caller.origin) == (ROOM, None):
                return None
            if not self._access.may_connect(caller):
                return 403, "only pages of this same host may connect here"
        elif scope["method"] not in ("GET", "HEAD") and not caller.from_own_page:
            return 403, "only pages of this same host may ask for that"
        return None


class Seldom(logging.Filter):
    """Let few lines a second pass, and none about text that is not UTF-8.

    Any client can send such text, and the server logs it as an error with a traceback.
    """

    _second = _lines = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.getMessage().startswith("Invalid UTF-8"):
            record.levelno, record.levelname, record.exc_info = logging.DEBUG, "DEBUG", None
            return log.isEnabledFor(logging.DEBUG)
        self._lines = self._lines + 1 if int(record.created) == self._second else 1
        self._second = int(record.created)
        return self._lines <= LINES_A_SECOND


for _name in ("uvicorn.error", __name__):
    logging.getLogger(_name).addFilter(Seldom())
