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
from game.web.access.throttle import LoginThrottle

MAX_BODY = 1024
"""Bytes of a request that brings the PIN."""

log = logging.getLogger(__name__)


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
                self._throttle.failed(address, now)
                if wait_s := ceil(self._throttle.wait_s(address, now)):
                    reply["wait_s"] = wait_s
            return JSONResponse(reply, 403)
        self._throttle.succeeded(address)
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
