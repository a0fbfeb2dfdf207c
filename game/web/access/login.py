"""Where devices log in with the PIN, get their cookie, and log out.

Scripts cannot read the cookie, and pages of other sites cannot send it. It is marked Secure where
the page comes by HTTPS; by plain HTTP an attacker who can read the traffic can also steal it.

Wrong PINs are counted by network: an IPv4 address, or the /64 of an IPv6 one. After its free tries
a network can make at most four guesses an hour. All networks together can make 2,940 a day, a
chance of 0.3 % to find a PIN of six digits. After that every network waits, except this computer
and devices that have entered the PIN before.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from math import ceil, inf
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from game.common import network_of, words
from game.rules.base.message import say
from game.web.access.gate import CALLER, COOKIE, SECURE_COOKIE, Caller
from game.web.access.pin import Pins
from hal.base import schema

LIFE_S = 90 * 24 * 3600
"""How long a browser keeps its cookie, and so control, in seconds."""
MAX_BODY = 1024
"""Bytes of a request that brings the PIN."""
FREE_TRIES = 5
"""Wrong PINs of one network before it must wait, twice as long each time."""
FIRST_WAIT_S, MAX_WAIT_S = 30, 900
FORGIVEN_S = 24 * 3600
"""Rest after which a network's wrong PINs no longer count."""
ALL_TRIES, TRY_S = 1500, 60
"""Most wrong PINs of all networks together, and the seconds until one of them is forgiven."""

log = logging.getLogger(__name__)


class LoginThrottle:
    """Counts wrong PINs, by network and in total; times are in seconds of one monotonic clock."""

    # When all wrong PINs will be forgiven.
    _clear_at = -inf

    def __init__(self) -> None:
        # By network: how many, and when the last one was.
        self._failures: dict[str, tuple[int, float]] = {}

    def wait_s(self, address: str, now: float) -> float:
        """Return how many seconds an address must wait before it may try; 0 if it may."""
        wait_s = max(0.0, self._clear_at - (ALL_TRIES - 1) * TRY_S - now)
        count, last = self._failures.get(network_of(address), (0, now))
        if count < FREE_TRIES or now - last >= FORGIVEN_S:
            return wait_s
        own_s: int = min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** min(count - FREE_TRIES, 16))
        return max(wait_s, last + own_s - now)

    def failed(self, address: str, now: float) -> None:
        recent = {each: at for each, at in self._failures.items() if now - at[1] < FORGIVEN_S}
        count, _ = recent.get(network_of(address), (0, now))
        self._failures = recent | {network_of(address): (count + 1, now)}
        self._clear_at = max(self._clear_at, now) + TRY_S

    def succeeded(self, address: str) -> None:
        """Forgive an address that entered the PIN."""
        self._failures.pop(network_of(address), None)


class Login:
    """Checks PINs and keeps the list of devices; `clock` is a monotonic one, in seconds."""

    def __init__(self, pins: Pins, clock: Callable[[], float] = time.monotonic) -> None:
        self._pins = pins
        self._clock = clock
        self._throttle = LoginThrottle()
        self.routes = [
            Route("/pin", self._enter, methods=["POST"]),
            Route("/forget", self._forget, methods=["POST"]),
            Route("/devices", self._devices, methods=["POST"]),
        ]

    async def _enter(self, request: Request) -> Response:
        pin = (await _content(request)).get("pin")
        if not isinstance(pin, str):
            return JSONResponse({"text": 'the body is not JSON such as {"pin": "123456"}'}, 400)
        # People put spaces between digits.
        pin, agent = "".join(pin.split()), request.headers.get("user-agent", "")
        return self.answer(request.scope[CALLER], pin, agent)

    def answer(self, caller: Caller, given: str, agent: str = "") -> Response:
        """Answer a device that enters a PIN; it gets a cookie if the PIN is right."""
        speak, now, address = words(caller.language), self._clock(), caller.client
        # Only this PIN's devices have a token that is signed with it.
        free = caller.local or self._pins.device(caller.token)
        if not free and (wait_s := ceil(self._throttle.wait_s(address, now))):
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
        self._pins.devices.remove(self._pins.device(caller.token))
        return _with_cookie(caller, self._pins.token(agent), LIFE_S)

    async def _forget(self, request: Request) -> Response:
        caller: Caller = request.scope[CALLER]
        self._pins.devices.remove(self._pins.device(caller.token))
        return _with_cookie(caller, "", 0)

    async def _devices(self, request: Request) -> Response:
        """List the devices to a device that controls, after removing the one named in "remove"."""
        caller: Caller = request.scope[CALLER]
        if not (caller.local or self._pins.is_token(caller.token)):
            raise HTTPException(403)
        unwanted, known = (await _content(request)).get("remove"), self._pins.devices
        if unwanted in [each.name for each in known.listed()]:
            known.remove(unwanted)
        own, say_it = self._pins.device(caller.token), words(caller.language).text
        rows = [(d.name, say_it(d.words), d.last_seen, d.name == own) for d in known.listed()]
        return JSONResponse({"devices": rows})


def _with_cookie(caller: Caller, token: str, max_age_s: int) -> Response:
    response = Response(status_code=204)
    name = SECURE_COOKIE if caller.secure else COOKIE
    response.set_cookie(
        name, token, max_age_s, secure=caller.secure, httponly=True, samesite="strict"
    )
    return response


async def _content(request: Request) -> dict[str, Any]:
    """Read the JSON object of a request, empty if it is not one; raises HTTPException."""
    if int(request.headers.get("content-length", MAX_BODY + 1)) > MAX_BODY:
        why = f"the body is longer than {MAX_BODY} bytes"
        raise HTTPException(413, why, {"Connection": "close"})
    with suppress(ClientDisconnect, schema.SchemaError):
        return schema.decode(await request.body(), dict[str, Any])
    return {}
