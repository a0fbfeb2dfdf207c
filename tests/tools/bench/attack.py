"""Measure touch to light while the page's server is attacked.

Owns a board in real time with its page, and the process that attacks it: pages that were let in by
the PIN send as much as they may, and strangers open connections without end.
"""

import json
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from game.common.errors import AppError
from game.play import night_mode
from game.play.night_mode import NightMode
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command
from game.table.table import DRAW_S
from game.web.access.access import Access
from game.web.access.pin import Pins
from game.web.addresses import own_addresses
from game.web.game_runtime import GameConfig, open_game
from game.web.server import MAX_MESSAGES_A_SECOND, Server, listen
from hal import profile as profiles
from hal.backends.backend import Hands

PAGES = 8
CONNECTIONS_A_SECOND = 2000
HELD = 500
"""Connections that the attacker keeps open."""
_FELT_S = 5.0
_REST_S = 0.3
"""Half of the time between two touches, so that none counts as a bounce of the last one."""
_SETTLE_S = 2.0
"""Until the attack is in full swing."""
_FLOOD = ({"do": "language", "lang": "de"}, {"do": "dance"}, {"do": "language", "lang": "en"})
"""Messages that change nothing on the board; a language has the whole page sent anew."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """Touch to light in real time, in milliseconds: quiet, under attack, and their ratio."""

    touches: int
    quiet_p50_ms: float
    quiet_p90_ms: float
    attacked_p50_ms: float
    attacked_p90_ms: float
    connections_a_second: int
    messages_a_second: int
    ratio_p50: float
    ratio_p90: float


def attacked(touches: int) -> Attacked:
    """Time so many touches without and so many with the attack; raises AppError."""
    addresses = own_addresses()
    if not addresses:
        raise AppError("--attack needs an address of this computer in a network: see `ip addr`")
    with TemporaryDirectory() as folder, ExitStack() as opened:
        board = _Board(Path(folder), opened)
        quiet = board.timed(touches)
        context = get_context("spawn")
        ended, (here, there) = context.Event(), context.Pipe(duplex=False)
        target = (addresses[0], board.port, board.cookie)
        attack = context.Process(target=_attack, args=(*target, ended, there))
        attack.start()
        try:
            board.pass_s(_SETTLE_S)
            under_attack = board.timed(touches)
        finally:
            ended.set()
            connections, messages = here.recv()
            attack.join()
    q50, q90 = _at(quiet)
    a50, a90 = _at(under_attack)
    ratios = round(a50 / q50, 2), round(a90 / q90, 2)
    return Attacked(touches, q50, q90, a50, a90, connections, messages, *ratios)


def report(figures: Attacked, *, as_json: bool) -> str:
    """Write the figures as JSON or for reading."""
    if as_json:
        return json.dumps(asdict(figures))
    lines = [
        f"touch to light over {figures.touches} touches, in real time      p50 ms   p90 ms",
        f"  {'quiet':<44}{figures.quiet_p50_ms:8.2f} {figures.quiet_p90_ms:8.2f}",
        f"  {'under attack':<44}{figures.attacked_p50_ms:8.2f} {figures.attacked_p90_ms:8.2f}",
        f"  {'ratio':<44}{figures.ratio_p50:8.2f} {figures.ratio_p90:8.2f}",
        f"  attack: {PAGES} pages that send {figures.messages_a_second} messages a second, and"
        f" {figures.connections_a_second} connections a second",
    ]
    return "\n".join(lines)


class _Board:
    """A session on the simulated board in real time, with its page in the network."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._rng = Random(5)
        profile = profiles.built_in()
        dimmer = night_mode.brightness(profile, NightMode.OFF)
        listening = opened.enter_context(listen(0, network=True))
        table = opened.enter_context(open_game(GameConfig(GAME, profile, "sim", folder, dimmer)))
        pins = Pins(folder)
        opened.enter_context(Server(table.page, listening, Access(pins)))
        self.port: int = listening.getsockname()[1]
        self.cookie = f"lifeboard={pins.token()}"
        self._session = table.session
        self.pass_s(DRAW_S + 1.0)

    def pass_s(self, seconds: float) -> None:
        """Play in real time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._step(end)

    def timed(self, touches: int) -> list[float]:
        """Play by touch; return each touch's time until the frame that its move changed."""
        return [self._touch(cell) for cell in self._cells(touches)]

    def _step(self, latest: float) -> None:
        self._session.step(time.monotonic())
        now = time.monotonic()
        self._session.wait(max(0.0, min(self._session.due(now), latest) - now))

    def _cells(self, touches: int) -> Iterator[str]:
        while touches:
            state = self._session.table.state
            if state.outcome is not None:
                self._session.give(Asked(Command.NEW_GAME))
                self.pass_s(DRAW_S + 1.0)
                continue
            pending = state.pending(GAME)
            yield pending[0].cell if pending else GAME.legal_moves(state.position).pick(self._rng)
            touches -= 1

    def _touch(self, cell: str) -> float:
        backend, before = self._session.device.backend, self._session.table.state
        if not isinstance(backend, Hands):
            raise AppError("the simulated board is replaced by another backend")
        # Fingers do not land in step with the chips.
        self.pass_s(_REST_S + self._rng.random() * 0.1)
        began = time.monotonic()
        backend.press("finger", cell)
        while self._session.table.state is before:
            if time.monotonic() > began + _FELT_S:
                raise AppError(f"a touch of {cell} was not felt within {_FELT_S:.0f} s")
            self._session.step(time.monotonic())
            if self._session.table.state is before:
                self._session.wait(max(0.0, self._session.due(now := time.monotonic()) - now))
        spent = time.monotonic() - began
        backend.lift("finger")
        self.pass_s(_REST_S)
        return spent * 1000


def _at(times_ms: list[float]) -> tuple[float, float]:
    cuts = quantiles(times_ms, n=10)
    return round(cuts[4], 2), round(cuts[8], 2)


def _attack(address: str, port: int, cookie: str, ended: Event, there: Connection) -> None:
    """Flood until told to end; send how many connections and messages a second there were."""
    sent: Counter[str] = Counter()
    for _ in range(PAGES):
        each = (address, port, cookie, ended, sent)
        threading.Thread(target=_flood, args=each, daemon=True).start()
    held: deque[socket.socket] = deque()
    began, tried = time.monotonic(), 0
    while not ended.is_set():
        while tried < CONNECTIONS_A_SECOND * (time.monotonic() - began):
            link = socket.socket()
            link.setblocking(False)
            link.connect_ex((address, port))
            held.append(link)
            tried += 1
            if len(held) > HELD:
                held.popleft().close()
        time.sleep(0.002)
    spent = time.monotonic() - began
    there.send((round(tried / spent), round(sent["messages"] / spent)))


def _flood(address: str, port: int, cookie: str, ended: Event, sent: "Counter[str]") -> None:
    """Send all that a page may, and open it again whenever it is closed."""
    host, headers = f"{address}:{port}", {"Cookie": cookie}
    while not ended.is_set():
        with (
            suppress(OSError, InvalidMessage, InvalidStatus, ConnectionClosed),
            connect(
                f"ws://{host}/ws", origin=Origin(f"http://{host}"), additional_headers=headers
            ) as page,
        ):
            threading.Thread(target=_read, args=(page,), daemon=True).start()
            for each in cycle(_FLOOD):
                page.send(json.dumps(each))
                sent["messages"] += 1
                # With room for those that arrive late together.
                time.sleep(1.2 / MAX_MESSAGES_A_SECOND)
        time.sleep(0.1)


def _read(page: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for _ in page:
            pass
