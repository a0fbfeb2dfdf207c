"""Where devices give the PIN and get their cookie, and where they give it back.

Owns the answers to both, and what is logged of them. Must not know the server's library. The
cookie is not marked Secure, since the page comes by plain HTTP, as a local network has no
certificates: whoever can read along there can also take a cookie. Pages' scripts cannot read it,
and pages of other sites cannot send it.
"""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from game.app.gate.access import COOKIE, Caller
from game.app.gate.bounds import Guesses
from game.app.gate.pin import TOKEN_S, Pins
from game.app.words import words
from game.rules.game import Json
from game.rules.message import say

_COOKIE_ENDS = "Path=/; HttpOnly; SameSite=Strict"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered: the status, an object with words for people, and headers."""

    status: int
    body: Json | None = None
    headers: dict[str, str] = field(default_factory=dict)


class PinDesk:
    """Take PINs; `clock` is a monotonic one, in seconds."""

    def __init__(self, pins: Pins, clock: Callable[[], float] = time.monotonic) -> None:
        self._pins = pins
        self._clock = clock
        self._guesses = Guesses()

    def enter(self, caller: Caller, body: bytes, language: str) -> Reply:
        """Answer a device that gives the PIN as JSON; it gets a cookie if that is right."""
        given = _given(body)
        if given is None:
            return Reply(400, {"text": 'the body is not JSON such as {"pin": "123456"}'})
        speak, now, address = words(language), self._clock(), caller.client
        wait_s = 0 if caller.local else ceil(self._guesses.wait_s(address, now))
        if wait_s > 0:
            told = {"text": speak.text(say("access.wait")), "wait_s": wait_s}
            return Reply(429, told, {"Retry-After": str(wait_s)})
        noted = {"fields": {"LIFEBOARD_CLIENT": address}}
        if not self._pins.is_pin(given):
            log.warning("wrong PIN from %s", address, extra=noted)
            refusal: Json = {"text": speak.text(say("access.wrong_pin"))}
            if not caller.local:
                self._guesses.wrong(address, now)
                if (next_s := ceil(self._guesses.wait_s(address, now))) > 0:
                    refusal["wait_s"] = next_s
            return Reply(403, refusal)
        self._guesses.right(address)
        log.info("PIN accepted from %s", address, extra=noted)
        cookie = f"{COOKIE}={self._pins.token()}; Max-Age={TOKEN_S}; {_COOKIE_ENDS}"
        return Reply(204, headers={"Set-Cookie": cookie})

    def forget(self) -> Reply:
        """Take the cookie off a device."""
        return Reply(204, headers={"Set-Cookie": f"{COOKIE}=; Max-Age=0; {_COOKIE_ENDS}"})


def _given(body: bytes) -> str | None:
    """Read the PIN from a request, without the spaces that people put between digits."""
    try:
        what = json.loads(body)
    except (ValueError, RecursionError):
        return None
    pin = what.get("pin") if isinstance(what, dict) else None
    return "".join(pin.split()) if isinstance(pin, str) else None
