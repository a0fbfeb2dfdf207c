"""The ASGI middleware before every page: refuses foreign requests and adds safe headers.

Owns the refusals, each one line of English, and the places for open websockets. Must not know what
a page shows. Limits on connections stand in `game.web.access.connections`.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game.web.access.access import Access, AccessLevel, Caller
from game.web.access.addresses import url

CALLER = "lifeboard.caller"
"""The key of the scope at which the Caller stands for the application."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
MAX_PAGES_LOCAL = 32
MAX_PAGES_NETWORK = 32
MAX_PAGES_EACH = 8
"""Open pages of one address of the network."""
MAX_PAGES_WITHOUT_PIN = 16
"""Open pages of the network without control, so that places are left for devices with the PIN."""

log = logging.getLogger(__name__)


class Gate:
    """Pass on to an application the requests that `access` allows."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or websocket."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        caller = Caller.of(scope)
        refusal = self._refusal(scope, caller)
        if refusal is None:
            await self._app({**scope, CALLER: caller}, receive, send_with_headers)
            return
        status, reason = refusal
        log.debug("%s refused: %d %s", caller.client, status, reason)
        answer = PlainTextResponse(f"{reason}\n", status, {"Connection": "close"})
        await answer(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, caller: Caller) -> tuple[int, str] | None:
        """Return status and reason why a request is refused; None to pass it on."""
        if not (self._access.network or caller.local):
            return 403, "this page is for this computer only"
        if not self._access.knows_host(caller):
            named = f"this computer is not known as {caller.host[:80]!r}"
            remedy = f"open {url(caller.server, caller.port, secure=caller.secure)} instead"
            more = " or set names under [page] in its settings" if self._access.network else ""
            return 400, f"{named}; {remedy}{more}"
        if scope["type"] == "websocket":
            if not self._access.may_connect(caller):
                return 403, "only pages of this same host may connect here"
        elif scope["method"] not in ("GET", "HEAD") and not caller.from_own_page:
            return 403, "only pages of this same host may ask for that"
        return None


class Places:
    """Places for open websockets: counted in all, for each address, and without the PIN."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def place(self, caller: Caller, level: AccessLevel) -> Iterator[bool]:
        """Hold a place until the context is left; False where none is free."""
        limits = {"local": MAX_PAGES_LOCAL}
        if not caller.local:
            limits = {"network": MAX_PAGES_NETWORK, caller.client: MAX_PAGES_EACH}
            if level is not AccessLevel.CONTROL:
                limits["without PIN"] = MAX_PAGES_WITHOUT_PIN
        if any(self._taken[each] >= most for each, most in limits.items()):
            yield False
            return
        self._taken.update(limits.keys())
        try:
            yield True
        finally:
            self._taken.subtract(limits.keys())
            self._taken += Counter()  # drops what counts none
