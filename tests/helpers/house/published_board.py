"""A board that publishes to a broker which the test plays, or to a real one."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Queue
from typing import Any
from unittest.mock import patch

from game.common import words
from game.house.house import House
from game.house.published import read_publishing
from game.play import Dimmer, default_board
from game.remote.address import Address
from game.rules.base.game import AnyGame
from game.rules.circle_of_life import GAME
from game.table.inputs import Input
from game.web import GameConfig, Host

PATIENCE_S = 10.0
STEP_S = 0.05
PREFIX = "lifeboard/hall"


class FakeBroker:
    """Remembers what is published; the test says what arrives. All is lost until `connect`."""

    def __init__(self) -> None:
        self.retained: dict[str, str] = {}
        self.events: Queue[tuple[str, str]] = Queue()
        self.lost: Queue[tuple[str, str]] = Queue()
        self.will: tuple[str, str] | None = None
        self.subscribed: Sequence[str] = ()
        self.broken = True

    def open(
        self,
        _: Address,
        topics: Sequence[str],
        hear: Callable[[str, bytes, bool], None],
        greet: Callable[[], None],
        will: tuple[str, str] | None = None,
    ) -> "FakeBroker":
        self.subscribed, self.hear, self.greet, self.will = topics, hear, greet, will
        return self

    def publish(self, topic: str, payload: str, retained: bool = True) -> bool:
        if self.broken:
            self.lost.put((topic, payload))
            return False
        if retained:
            self.retained[topic] = payload
        self.events.put((topic, payload))
        return True

    def connect(self) -> None:
        self.broken = False
        self.greet()

    def close(self) -> None:
        if self.will is not None:
            self.retained.update([self.will])

    def until(
        self, topic: str, holds: Callable[[Any], object] = lambda _: True, lost: bool = False
    ) -> Any:
        """Wait for a publication, or a lost one, for which `holds` is true, and return it."""
        while True:
            each, payload = (self.lost if lost else self.events).get(timeout=PATIENCE_S)
            if each == topic:
                shown = json.loads(payload) if payload.startswith("{") else payload
                if holds(shown):
                    return shown


@dataclass
class PublishedBoard:
    """A board of this process; the test acts as its thread and moves its clock."""

    host: Host
    house: House
    dimmer: Dimmer
    broker: FakeBroker
    now: list[float]

    def step(self, seconds: float = 3.0) -> None:
        """Step as often as the loop does while these seconds pass."""
        for _ in range(round(seconds / STEP_S)):
            self.now[0] += STEP_S
            self.host.step(self.now[0])
        self.house.follow()

    def save(self) -> None:
        """Step until all is on disk and published."""
        self.step()
        while self.host.running.journal and self.host.running.journal.unsaved:
            self.host.wait(1.0)
            self.step()
        self.step()

    def give(self, *inputs: Input) -> None:
        for each in inputs:
            self.host.give(each)
            self.save()

    def send(self, topic: str, message: object, retained: bool = False) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self.broker.hear(f"{PREFIX}/{topic}", text.encode(), retained)
        self.save()


@contextmanager
def published_board(
    folder: Path,
    game: AnyGame = GAME,
    control: bool = False,
    **options: str,
) -> Iterator[PublishedBoard]:
    profile = default_board("sim", game)
    dimmer = Dimmer(profile)
    where = replace(read_publishing(f"mqtt://localhost/{PREFIX}"), control=control)
    broker, now = FakeBroker(), [0.0]
    plan = GameConfig(
        *(game, profile, "sim", folder, dimmer),
        seed=1,
        clock=lambda: now[0],
        options=options,
        automatic=True,
    )
    with Host(plan) as host:
        with patch("game.house.house.MqttTopics", broker.open):
            house = House(host, where, dimmer, folder, words("en"))
        with closing(house):
            board = PublishedBoard(host, house, dimmer, broker, now)
            board.save()
            broker.connect()
            yield board
