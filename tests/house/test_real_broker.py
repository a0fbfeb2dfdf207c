"""A lifeboard that publishes to a real Mosquitto, and a script beside it that plays."""

import json
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from game.common import words
from game.house.published import read_publishing
from game.remote.mqtt import MqttTopics
from game.service.activity import open_activity
from game.service.paths import ServicePaths
from game.service.settings import BoardSettings, Settings
from tests.helpers.programs.running import Lifeboard
from tests.helpers.remote.broker import Mosquitto

PREFIX = "house/hall"
PATIENCE_S = 60.0


@pytest.fixture
def broker(tmp_path):
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


class Script:
    """A program that hears all topics."""

    def __init__(self, broker: Mosquitto) -> None:
        self.heard: Queue[tuple[str, str, bool]] = Queue()
        address = read_publishing(f"mqtt://127.0.0.1:{broker.port}/script").address
        self.topics = MqttTopics(address, ["#"], self._hear, lambda: None)

    def _hear(self, topic: str, payload: bytes, retained: bool) -> None:
        self.heard.put((topic, payload.decode(), retained))

    def until(self, topic: str, holds: Callable[[Any], object] = lambda _: True) -> Any:
        while True:
            each, payload, _ = self.heard.get(timeout=PATIENCE_S)
            reported = json.loads(payload) if payload.startswith("{") else payload
            if each == f"{PREFIX}/{topic}" and holds(reported):
                return reported

    def close(self) -> None:
        self.topics.close()


def board(broker: Mosquitto, folder: Path, *more: str) -> Lifeboard:
    url = f"mqtt://127.0.0.1:{broker.port}/{PREFIX}?control=1"
    options = ("--publish", url, "--option", "first=1", "--hands", "auto", *more)
    return Lifeboard(folder, *options)


def test_script_of_the_guide_plays_a_game(broker, tmp_path):
    guide = Path(__file__).parents[2] / "docs" / "house.md"
    script = guide.read_text().partition("```bash\n")[2].partition("```")[0]
    with board(broker, tmp_path / "data", "--game", "capture-go-7", "--board", "bench-7"):
        arguments = ("bash", "-c", script, "play.sh", f"127.0.0.1:{broker.port}", PREFIX, "1")
        said = subprocess.check_output(arguments, text=True, timeout=PATIENCE_S)
    assert said.startswith('"outcome": "')


def test_service_publishes_what_its_settings_say(broker, tmp_path):
    url = f"mqtt://127.0.0.1:{broker.port}/{PREFIX}"
    settings = Settings(BoardSettings("mock", publish=url))
    with ExitStack() as stack, closing(Script(broker)) as script:
        activity = open_activity(stack, settings, ServicePaths(data=tmp_path), words("en"))
        while script.heard.empty() or not activity.shown:
            activity.stepping.step(time.monotonic())
            activity.stepping.wait(0.01)
        assert script.until("state")["game"] == "circle-of-life"
        stack.close()
        script.until("availability", lambda reported: reported == "offline")


def test_killed_board_is_offline_and_all_is_there_again_after_the_broker_was_killed(
    broker, tmp_path
):
    with closing(Script(broker)) as script, board(broker, tmp_path / "data") as hall:
        script.until("availability", lambda reported: reported == "online")
        broker.stop()
        broker.start()
        script.until("availability", lambda reported: reported == "online")
        assert script.until("state")["game"] == "circle-of-life"
        hall.kill()
        script.until("availability", lambda reported: reported == "offline")
    with closing(Script(broker)) as late:
        topic, payload, retained = late.heard.get(timeout=PATIENCE_S)
        while topic != f"{PREFIX}/availability":
            topic, payload, retained = late.heard.get(timeout=PATIENCE_S)
        assert (payload, retained) == ("offline", True)
