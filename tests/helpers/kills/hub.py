"""Kills of a club's hub while results come in: none may be lost that a board or the page has."""

import json
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from threading import Event

from tqdm import tqdm  # type: ignore[import-untyped]

from game.house.club import Club
from game.house.house import RESULTS
from game.house.published import read_publishing
from game.remote.mqtt import MqttTopics
from tests.helpers.programs.running import Lifeboard
from tests.helpers.remote.broker import Mosquitto

BOARDS = "abcd"
MOST_AT_ONCE = 30
"""Results that are published to one hub: fewer than one board publishes together."""
RESULT = {"game": "azteka", "players": ["Ada", "Bo"], "winner": 1, "reason": "eaten", "moves": 9}
PATIENCE_S = 60.0
Key = tuple[str, str]
"""A board, and when a game on it started."""


def kill_hubs(number: int, seed: int, folder: Path) -> list[str]:
    """Kill a hub that often; return what was lost."""
    chance, greeted, wrong = Random(seed), Event(), list[str]()
    results: dict[str, list[dict[str, object]]] = {board: [] for board in BOARDS}
    played, kept = set[Key](), set[Key]()
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder / "broker"))
        url = f"mqtt://127.0.0.1:{broker.port}/club"
        where = read_publishing(url).address
        topics = stack.enter_context(closing(MqttTopics(where, [], print, greeted.set)))
        assert greeted.wait(PATIENCE_S)
        for kill in tqdm(range(number + 1), unit="kill", disable=None):
            with Lifeboard(folder, url, command="club") as hub, hub.page() as page:
                for _ in range(chance.randrange(1, MOST_AT_ONCE) * (kill < number)):
                    board, at = chance.choice(BOARDS), f"{len(played):06}"
                    played.add((board, at))
                    results[board].append({**RESULT, "started": at, "ended": at})
                    told = {"version": 1, "results": results[board][-RESULTS:]}
                    topics.publish(f"club/{board}/results", json.dumps(told))
                # The last hub gets all; the others are killed at some moment while results come.
                missing = len(played - kept)
                wanted = len(kept) + (chance.randrange(missing + 1) if kill < number else missing)
                while len(kept) < wanted:
                    message = json.loads(page.recv(timeout=PATIENCE_S))
                    if message["type"] == "tables":
                        kept |= {(each["board"], each["started"]) for each in message["results"]}
                hub.kill()
            there = {(each["board"], each["started"]) for each in Club(folder).results}
            if lost := kept - there:
                wrong.append(f"hub {kill} of seed {seed} lost {sorted(lost)}")
            kept = there
    print(f"{number} kills of a hub, {len(played)} results; {len(wrong)} wrong")
    return wrong
