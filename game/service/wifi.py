"""Lets people choose a Wi-Fi, on a page of an open hotspot that the board opens.

`game.service.wifi_helper`, behind SOCKET, controls the radio. All blocking calls run on a thread.
"""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from math import inf
from pathlib import Path
from queue import Empty, Queue
from string import Template
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from game.common import accepted, choose, own_addresses, url, words
from game.rules.base.message import Message, say
from game.service.wifi_helper import ADDRESS, MOST_BYTES, OPEN, OTHER, PASSWORD
from game.web import page_folder
from hal.lights import Colour, Glow, Rhythm

log = logging.getLogger(__name__)

SOCKET = Path("/run/lifeboard-wifi.socket")
"""Where systemd listens, as `lifeboard-wifi.socket` says too."""
PORT = 8764
"""The page's port in the hotspot, to which `lifeboard-wifi.nft` leads port 80."""
KEY = "menu"
HOLD_S = 10.0
WAIT_S = 120.0
"""How long after the start a network may take before the hotspot opens."""
OPEN_S = 900.0
"""How long the hotspot is open without a choice."""
SHOWN_S = 6.0
"""How long the lights show what happened."""
COUNTRY = Path("/sys/module/cfg80211/parameters/ieee80211_regdom")
_SENT_S = 2.0
"""What the phone needs to receive the last page, before the hotspot closes."""
_MOST_FORM = 2000
_FRESH = {"Cache-Control": "no-store"}
_Problem = tuple[str, Message]
"""A network, and what is wrong with it."""

_OPENED = Glow(Colour(0, 60, 255), Rhythm.PULSE)
_JOINED = Glow(Colour(0, 255, 60))
_FAILED = Glow(Colour(255, 0, 0), Rhythm.BLINK)


class Wifi:
    """Open the hotspot when it is needed; `port` is that of the page of the game."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._due_s: float | None = None
        # A key that is down at the start may be stuck.
        self._held_s: float | None = inf
        self._signals: Queue[Glow] = Queue()
        self._shown: Glow | None = None
        self._shown_until_s = -inf
        self._thread = threading.Thread()

    def follow(self, held: bool, now: float) -> Glow | None:
        """Return what all lights show now; `held` tells whether the key is pressed."""
        if self._due_s is None:
            self._due_s = now + WAIT_S
        if not held or self._held_s is None:
            self._held_s = now if held else None
        elif now >= self._held_s + HOLD_S:
            self._held_s = inf
            self._open()
        if now >= self._due_s:
            self._due_s = inf
            if not own_addresses():
                self._open()
        if not self._signals.empty():
            self._shown, self._shown_until_s = self._signals.get(), now + SHOWN_S
        return self._shown if now < self._shown_until_s else None

    def _open(self) -> None:
        if not self._thread.is_alive():
            self._thread = threading.Thread(target=self._serve, name="wifi", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        """Keep the hotspot open until a network is joined, or for OPEN_S without a choice."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as helper:
                helper.connect(str(SOCKET))
                self._signals.put(self._offer(helper))
        except (OSError, ValueError) as error:
            log.warning("no hotspot: %s; `journalctl -u lifeboard-wifi` says why", error)
            self._signals.put(_FAILED)
        except Empty:
            log.info("the hotspot closes: no Wi-Fi was chosen")

    def _offer(self, helper: socket.socket) -> Glow:
        """Offer networks until one is joined; raises OSError, and Empty without a choice."""
        problem: _Problem | None = None
        while True:
            opened = _ask(helper)
            if "problem" in opened:
                log.warning("no hotspot: %s", opened["detail"])
                return _FAILED
            log.info("the hotspot %s is open, to choose a Wi-Fi", opened["name"])
            game = url(f"{socket.gethostname()}.local", self._port)
            page = WifiPage(opened["name"], dict(opened["networks"]), game, problem)
            with page.served():
                if problem is None:
                    self._signals.put(_OPENED)
                choice = page.chosen.get(timeout=OPEN_S)
                time.sleep(_SENT_S)
            answer = _ask(helper, **choice)
            log.info("Wi-Fi %s: %s", choice["ssid"], answer or "joined")
            if not answer:
                return _JOINED
            problem = choice["ssid"], say(f"wifi.{answer['problem']}")
            self._signals.put(_FAILED)


def _ask(helper: socket.socket, **request: object) -> dict[str, Any]:
    helper.send(json.dumps(request).encode())
    if not (packet := helper.recv(MOST_BYTES)):
        raise OSError("its helper has ended")
    answer: dict[str, Any] = json.loads(packet)
    return answer


@dataclass(slots=True)
class WifiPage:
    """The page: the networks around with their kinds, and the one that was not joined.

    `game` is the address of the board's page in the network that is joined.
    """

    hotspot: str
    networks: Mapping[str, str]
    game: str
    problem: _Problem | None
    chosen: Queue[dict[str, Any]] = field(default_factory=Queue)

    @contextmanager
    def served(self) -> Iterator[None]:
        """Serve the page; what was chosen is in `chosen`. Raises OSError."""
        app = Starlette(routes=[Route("/{path:path}", self._answer, methods=["GET", "POST"])])
        # The levels of its logs are those of the board's page.
        config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None, log_level="error")
        server = uvicorn.Server(config)
        with socket.create_server((ADDRESS, PORT)) as listening:
            serving = threading.Thread(target=server.run, args=([listening],), name="wifi-page")
            serving.start()
            try:
                yield
            finally:
                # Browsers also hold connections that they do not use.
                server.should_exit = server.force_exit = True
                serving.join()

    async def _answer(self, request: Request) -> Response:
        """Answer a browser; phones whose internet check is redirected here open the page."""
        if request.headers.get("host") != ADDRESS:
            return RedirectResponse(f"http://{ADDRESS}/", 302)
        language = choose(accepted(request.headers.get("accept-language", "")))
        if request.method == "GET":
            return HTMLResponse(self.html(language), headers=_FRESH)
        length = request.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > _MOST_FORM:
            return Response(status_code=413)
        form = parse_qs((await request.body()).decode(errors="replace"))
        return HTMLResponse(self.take(language, form), headers=_FRESH)

    def take(self, language: str, form: Mapping[str, list[str]]) -> str:
        """Take a form that was sent, and return the page that answers it."""
        listed, typed, password = (form.get(n, [""])[0] for n in ("ssid", "typed", "password"))
        ssid = typed.strip() or listed
        kind = self.networks.get(ssid, PASSWORD if password else OPEN)
        if not 1 <= len(ssid.encode()) <= 32:
            return self.html(language, (ssid, say("wifi.name_length")))
        # 64 hexadecimal digits are not a password, but the key derived from one.
        if kind == PASSWORD and not 8 <= len(password.encode()) <= 64:
            return self.html(language, (ssid, say("wifi.password_length")))
        if kind == OTHER:
            return self.html(language, (ssid, say("wifi.other")))
        password = "" if kind == OPEN else password
        self.chosen.put({"ssid": ssid, "password": password, "hidden": bool(typed.strip())})
        return self.html(language, trying=ssid)

    def html(self, language: str, problem: _Problem | None = None, trying: str = "") -> str:
        """Write the page in a language; `trying` is the network that was just chosen."""

        def text(message: Message) -> str:
            return escape(words(language).text(message))

        problem = None if trying else problem or self.problem
        notes = {OPEN: text(say("wifi.open")), OTHER: text(say("wifi.other"))}
        networks = "".join(
            f'<label><input type="radio" name="ssid" value="{escape(ssid)}"'
            f"{' disabled' * (kind == OTHER)}><b>{escape(ssid)}</b>"
            f"<small>{notes.get(kind, '')}</small></label>"
            for ssid, kind in self.networks.items()
        )
        steps = (
            say("wifi.trying", ssid=trying),
            say("wifi.green", address=self.game),
            say("wifi.red", hotspot=self.hotspot),
        )
        unset = COUNTRY.exists() and COUNTRY.read_text("ascii").strip() == "00"
        plain = ("title", "typed", "password", "join", "air")
        return Template((page_folder() / "wifi.html").read_text("utf-8")).substitute(
            {key: text(say(f"wifi.{key}")) for key in plain},
            lang=language,
            problem=f"<b>{escape(problem[0])}</b> {text(problem[1])}" if problem else "",
            steps="".join(f"<p>{text(each)}</p>" for each in steps if trying),
            hidden="hidden" * bool(trying),
            networks=networks,
            country=text(say("wifi.country")) if unset else "",
        )
