"""docs/websocket.md, held against the messages that a board takes and sends."""

import json
import re
from dataclasses import fields
from pathlib import Path

from game.table.inputs import Command
from game.web.page_messages import ON_SEATED_PAGE
from game.web.server import page_folder
from tests.helpers.pages.hosted import hosted

PAGE = (Path(__file__).parents[2] / "docs" / "websocket.md").read_text(encoding="utf-8")
TO_BOARD, FROM_BOARD = (
    PAGE.partition(f"| {head} |")[2].partition("\n\n")[0] for head in ("`do`", "type")
)


def test_page_lists_every_message_to_the_board_with_its_fields():
    rows = re.findall(r"^\| `(\w+)` \| (.*)\|$", TO_BOARD, re.MULTILINE)
    told = {do: tuple(re.findall(r"`(\w+)`", names)) for do, names in rows}
    assert told == {kind.do: tuple(f.name for f in fields(kind)) for kind in ON_SEATED_PAGE}
    named = PAGE.partition("names of\n`command` are")[2].partition(".")[0]
    assert re.findall(r"`(\w+)`", named) == [command.value for command in Command]


def test_page_lists_every_message_from_the_board():
    first = re.findall(r"^\| (`.*?`) \|", FROM_BOARD, re.MULTILINE)
    told = {name for cell in first for name in re.findall(r"`(\w+)`", cell)}
    script = (page_folder() / "messages.js").read_text(encoding="utf-8")
    sent = set(re.findall(r'type "(\w+)"|\{string\} type "(\w+)"', script))
    assert told | {"waiting"} == {one or other for one, other in sent}


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
