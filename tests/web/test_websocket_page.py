"""The example of docs/websocket.md, played."""

import json
import re
from pathlib import Path

from tests.helpers.pages.hosted import hosted

PAGE = (Path(__file__).parents[2] / "docs" / "websocket.md").read_text(encoding="utf-8")


def test_program_plays_as_the_page_says(tmp_path: Path):
    with hosted(tmp_path, first="1") as board, board.page() as socket:
        kinds, state = set(), {}
        while state.get("phase") != "tap":
            message = json.loads(socket.recv(timeout=30))
            kinds.add(message["type"])
            state = message if message["type"] == "state" else state
        for line in re.findall(r"^> (\{.*\})$", PAGE, re.MULTILINE):
            socket.send(line)
        while state["ply"] != 1:
            message = json.loads(socket.recv(timeout=30))
            state = message if message["type"] == "state" else state
        assert kinds >= {"hello", "guide", "state", "lights"}


def test_server_answers_a_ping_at_once(tmp_path: Path):
    with hosted(tmp_path, first="1") as board, board.page() as socket:
        socket.send('{"do":"ping"}')
        while json.loads(socket.recv(timeout=30))["type"] != "pong":
            pass
