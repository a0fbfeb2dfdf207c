"""Where devices log in with the PIN, get their cookie, and log out.

The cookie is not marked Secure, since the page comes by plain HTTP: a local network has no
certificates, and an attacker who can read its traffic can also steal a cookie. Scripts cannot read
it, and pages of other sites cannot send it.
"""

import json
import logging
import time
from collections.abc import Callable
from math import ceil

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from game.common.translation import words
from game.rules.base.message import say
from game.web.access.access import COOKIE, Caller
from game.web.access.gate import CALLER
from game.web.access.pin import TOKEN_S, Pins

MAX_BODY = 1024
"""Bytes of a request that brings the PIN."""
FREE_TRIES = 5
"""Wrong PINs of one address before it must wait, twice as long each time."""
FIRST_WAIT_S, MAX_WAIT_S = 30, 900
TRIES_AN_HOUR = 60
"""Wrong PINs of all addresses together, so that many addresses guess no faster."""
HOUR_S = 3600

log = logging.getLogger(__name__)


class LoginThrottle:
    """Limit wrong PINs, of one address and of all together; an hour without a try is forgiven."""

    def __init__(self) -> None:
        self._failures: dict[str, list[float]] = {}

    def wait_s(self, address: str, now: float) -> float:
        """Return how many seconds an address must wait before it may try; 0 if it may."""
        wait = 0.0
        own = self._failures.get(address)
        if own and now - own[-1] < HOUR_S and (over := len(own) - FREE_TRIES) >= 0:
            wait = own[-1] + min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** min(over, 16)) - now
        recent = sorted(t for times in self._failures.values() for t in times if now - t < HOUR_S)
        if len(recent) >= TRIES_AN_HOUR:
            wait = max(wait, recent[-TRIES_AN_HOUR] + HOUR_S - now)
        return max(0.0, wait)

    def wrong(self, address: str, now: float) -> None:
        """Count a wrong PIN."""
        self._failures = {a: t for a, t in self._failures.items() if now - t[-1] < HOUR_S}
        self._failures.setdefault(address, []).append(now)

    def right(self, address: str) -> None:
        """Forgive an address that entered the PIN."""
        self._failures.pop(address, None)


class Login:
    """Checks PINs; `clock` is a monotonic one, in seconds."""

    def __init__(self, pins: Pins, clock: Callable[[], float] = time.monotonic) -> None:
        self._pins = pins
        self._clock = clock
        self._throttle = LoginThrottle()
        self.routes = [
            Route("/pin", self._enter, methods=["POST"]),
            Route("/forget", self._forget, methods=["POST"]),
        ]

    async def _enter(self, request: Request) -> Response:
        length, close = request.headers.get("content-length"), {"Connection": "close"}
        if length is None:
            return JSONResponse({"text": "the length of the body is missing"}, 411, close)
        # The server has checked that it is a number, and reads no more bytes than that.
        if int(length) > MAX_BODY:
            return JSONResponse({"text": f"the body is longer than {MAX_BODY} bytes"}, 413, close)
        try:
            given = _given_pin(await request.body())
        except ClientDisconnect:
            return Response(status_code=400)
        if given is None:
            return JSONResponse({"text": 'the body is not JSON such as {"pin": "123456"}'}, 400)
        return self.answer(request.scope[CALLER], given)

    def answer(self, caller: Caller, given: str) -> Response:
        """Answer a device that enters a PIN; it gets a cookie if the PIN is right."""
        speak, now, address = words(caller.language), self._clock(), caller.client
        if not caller.local and (wait_s := ceil(self._throttle.wait_s(address, now))):
            text = speak.text(say("access.wait"))
            headers = {"Retry-After": str(wait_s)}
            return JSONResponse({"text": text, "wait_s": wait_s}, 429, headers)
        if not self._pins.is_pin(given):
            log.warning("wrong PIN from %s", address)
            reply: dict[str, object] = {"text": speak.text(say("access.wrong_pin"))}
            if not caller.local:
                self._throttle.wrong(address, now)
                if wait_s := ceil(self._throttle.wait_s(address, now)):
                    reply["wait_s"] = wait_s
            return JSONResponse(reply, 403)
        self._throttle.right(address)
        log.info("PIN accepted from %s", address)
        return _with_cookie(self._pins.token(), TOKEN_S)

    async def _forget(self, _: Request) -> Response:
        return _with_cookie("", 0)


def _with_cookie(token: str, max_age_s: int) -> Response:
    response = Response(status_code=204)
    response.set_cookie(COOKIE, token, max_age_s, httponly=True, samesite="strict")
    return response


def _given_pin(body: bytes) -> str | None:
    """Read the PIN from a request, without the spaces that people put between digits."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    pin = content.get("pin") if isinstance(content, dict) else None
    return "".join(pin.split()) if isinstance(pin, str) else None
