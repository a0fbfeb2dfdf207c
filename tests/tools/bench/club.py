"""Measure touch to light on one of many boards that play on this computer, and that a club shows.

Owns the boards, each in a process of its own but the one that is timed, the broker, the hub, its
page, and what plays on the others by MQTT.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from game.common.errors import AppError
from game.common.translation import words
from game.house.house import House
from game.house.published import read_publishing
from game.play.night_mode import Dimmer, NightMode
from game.remote.mqtt import MqttTopics
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command
from game.table.table import DRAW_S
from game.web.game_runtime import GameConfig, open_game
from hal import profile as profiles
from hal.backends.backend import Hands
from tests.helpers.programs.running import Lifeboard
from tests.helpers.remote.broker import Mosquitto
from tests.tools.bench.bench import REST_S

TOUCH_S = 0.3
"""How often one of the other boards is touched: with 31 of them, each every nine seconds."""
PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class InClub:
    """Touch to light in real time, in milliseconds: alone, in a club of `boards`, and the ratio."""

    touches: int
    boards: int
    alone_p50_ms: float
    alone_p90_ms: float
    club_p50_ms: float
    club_p90_ms: float
    ratio_p50: float
    ratio_p90: float
    moves_on_page: int


class _Board:
    """A session on the simulated board, in real time."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._rng = Random(5)
        profile = profiles.built_in()
        self.dimmer = Dimmer(profile, NightMode.OFF)
        plan = GameConfig(GAME, profile, "sim", folder, self.dimmer)
        self.running = opened.enter_context(open_game(plan))
        self.after_step: Callable[[], None] = lambda: None
        self.pass_s(DRAW_S + 1.0)

    def pass_s(self, seconds: float) -> None:
        """Play in real time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._step()
            self._wait(end)

    def timed(self, touches: int) -> list[float]:
        """Play by touch; return each touch's time until the frame that its move changed."""
        return [self._touch(cell) for cell in self._cells(touches)]

    def _wait(self, latest: float) -> None:
        now = time.monotonic()
        self.running.session.wait(max(0.0, min(self.running.session.due(now), latest) - now))

    def _step(self) -> None:
        self.running.session.step(time.monotonic())
        self.after_step()

    def _cells(self, touches: int) -> Iterator[str]:
        while touches:
            state = self.running.session.table.state
            if state.outcome is not None:
                self.running.session.give(Asked(Command.NEW_GAME))
                self.pass_s(DRAW_S + 1.0)
                continue
            pending = state.pending(GAME)
            yield pending[0].cell if pending else GAME.legal_moves(state.position).pick(self._rng)
            touches -= 1

    def _touch(self, cell: str) -> float:
        session = self.running.session
        backend, before = session.device.backend, session.table.state
        if not isinstance(backend, Hands):
            raise AppError("the simulated board is replaced by another backend")
        # Fingers do not land in step with the chips.
        self.pass_s(REST_S + self._rng.random() * 0.1)
        began = time.monotonic()
        backend.press("finger", cell)
        self._step()
        while session.table.state is before:
            if time.monotonic() > began + PATIENCE_S:
                raise AppError(f"a touch of {cell} was not felt within {PATIENCE_S:.0f} s")
            self._wait(began + PATIENCE_S)
            self._step()
        spent = time.monotonic() - began
        backend.lift("finger")
        self.pass_s(REST_S)
        return spent * 1000


def in_club(touches: int, boards: int) -> InClub:
    """Time so many touches alone, and so many in a club; raises AppError."""
    with TemporaryDirectory() as folder, ExitStack() as opened:
        board = _Board(Path(folder) / "0", opened)
        alone = _p50_p90(board.timed(touches))
        broker = opened.enter_context(Mosquitto(Path(folder) / "broker"))
        club = f"mqtt://127.0.0.1:{broker.port}/club"
        house = House(board, read_publishing(f"{club}/0"), board.dimmer, Path(folder), words("en"))
        opened.enter_context(closing(house))
        board.after_step = house.follow
        for number in range(1, boards):
            publish = ("--publish", f"{club}/{number}?control=1", "--hands", "auto")
            opened.enter_context(Lifeboard(Path(folder) / str(number), *publish))
        hub = opened.enter_context(Lifeboard(Path(folder), club, command="club"))
        page = opened.enter_context(hub.page())
        shown, ended = dict[str, int](), Event()
        Thread(target=_watch, args=(page, shown), daemon=True).start()
        others = opened.enter_context(
            closing(MqttTopics(read_publishing(club).address, [], print, lambda: None))
        )
        until = time.monotonic() + PATIENCE_S
        while len(shown) < boards and time.monotonic() < until:
            board.pass_s(0.5)
        playing = Thread(target=_play, args=(others, boards, ended), daemon=True)
        playing.start()
        club_ms = _p50_p90(board.timed(touches))
        ended.set()
        playing.join()
    p50, p90 = (round(club / own, 2) for club, own in zip(club_ms, alone, strict=True))
    return InClub(touches, len(shown), *alone, *club_ms, p50, p90, sum(shown.values()))


def report(figures: InClub, *, as_json: bool) -> str:
    """Write the figures as JSON or for reading."""
    if as_json:
        return json.dumps(asdict(figures))
    lines = [
        f"touch to light over {figures.touches} touches, in real time      p50 ms   p90 ms",
        f"  {'a board alone':<44}{figures.alone_p50_ms:8.2f} {figures.alone_p90_ms:8.2f}",
        f"  {f'one of {figures.boards} boards with the page of a club':<44}"
        f"{figures.club_p50_ms:8.2f} {figures.club_p90_ms:8.2f}",
        f"  {'ratio':<44}{figures.ratio_p50:8.2f} {figures.ratio_p90:8.2f}",
        f"  the page showed {figures.moves_on_page} moves",
    ]
    return "\n".join(lines)


def _watch(page: ClientConnection, shown: dict[str, int]) -> None:
    """Count the moves of each board that the page shows."""
    try:
        for text in page:
            told = json.loads(text)
            if told["type"] == "board" and told["state"]:
                shown[told["name"]] = max(shown.get(told["name"], 0), told["state"]["moves"])
    except ConnectionClosed:
        pass


def _play(others: MqttTopics, boards: int, ended: Event) -> None:
    """Touch cells of the other boards, whether that is a move or not."""
    chance = Random(7)
    while not ended.wait(TOUCH_S):
        command = f"club/{chance.randrange(1, boards)}/command"
        press = {"do": "press", "pointer": "1", "spot": chance.choice(GAME.board.cells)}
        for message in (press, {"do": "lift", "pointer": "1"}):
            others.publish(command, json.dumps(message), kept=False)


def _p50_p90(times_ms: list[float]) -> tuple[float, float]:
    cuts = quantiles(times_ms, n=10)
    return round(cuts[4], 2), round(cuts[8], 2)
