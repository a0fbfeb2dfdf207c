"""No text from a channel is opened as a path, whichever message and field it is in.

The system itself reports opened files (inotify(7)), including those that C libraries open. Python
reports all paths that it was asked for, including missing ones.
"""

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from ssl import SSLError, create_default_context
from typing import Any
from urllib.parse import quote

import pytest
from msgspec import inspect
from starlette.routing import Mount, Route
from websockets.sync.client import connect

from game.rules.circle_of_life import GAME as CIRCLE
from game.rules.cirkle_mind import GAME as MIND
from game.web import Server, listen
from game.web.access import Access, Pins
from game.web.page_messages import FROM_PAGE
from hal.profile import built_in
from tests.helpers.house.published_board import published_board
from tests.helpers.pages.network_page import Network
from tests.helpers.remote.pair import KEYS, Pair

CANARY = "canary-file"
IN_OPEN = 0x20
ASKED = ("open", "os.", "shutil.", "glob.", "sqlite3.connect", "subprocess.", "import")
VALID = {"kind": "game", "game": CIRCLE.name, "computers": "", "cell": "e5", "piece": "1"}
VALID |= {"broker": "127.0.0.1:1", "code": "new", "spot": "e5", "cells": "e5"}
"""Texts without which a message is refused before its other ones are looked at."""

_asked: list[str] | None = None


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    # A hook cannot be removed again.
    if _asked is not None and event.startswith(ASKED):
        _asked.extend(f"{event} {each}" for each in arguments)


sys.addaudithook(_hear)


class Watch:
    """A file that must not be opened, the texts that name it, and what was opened."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / CANARY
        self.file.write_text("secret")
        up = "../" * 30
        query = f"127.0.0.1:1/new?password_file={self.file}&ca_file={self.file}"
        self.texts = str(self.file), f"{up}{self.file}", query
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(os.O_NONBLOCK)
        assert libc.inotify_add_watch(self._events, os.fsencode(self.file), IN_OPEN) >= 0

    def opened(self) -> list[str]:
        """Return what was requested and what was opened since the last call."""
        global _asked
        found = [each for each in _asked or () if CANARY in each]
        _asked = []
        with suppress(BlockingIOError):
            found += ["inotify"] * bool(os.read(self._events, 4096))
        return found

    def close(self) -> None:
        global _asked
        _asked = None
        os.close(self._events)


@pytest.fixture
def watch(tmp_path):
    with closing(Watch(tmp_path)) as watch:
        watch.opened()
        yield watch


def with_text(value: Any, text: str) -> Iterator[Any]:
    """Yield a copy of a value for each text in it, with that text replaced; keys are texts too."""
    match value:
        case str():
            yield text
        case dict():
            for key, each in value.items():
                rest = {k: v for k, v in value.items() if k != key}
                yield {**rest, text: each}
                yield from ({**value, key: made} for made in with_text(each, text))
        case list():
            for at, each in enumerate(value):
                yield from ([*value[:at], made, *value[at + 1 :]] for made in with_text(each, text))


def sample(field: str, kind: inspect.Type) -> Any:
    """Return a value of a message's field, as JSON has it."""
    match kind:
        case inspect.StrType():
            return VALID.get(field, "x")
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return 1
        case inspect.EnumType(cls):
            return next(iter(cls)).value
        case inspect.VarTupleType(item) | inspect.FrozenSetType(item):
            return [sample(field, item)] * 2
        case inspect.DictType(_, value):
            return {"first": "1"} if field == "options" else {"e5": sample(field, value)}
        case inspect.UnionType(kinds):
            return sample(field, next(each for each in kinds if type(each) is not inspect.NoneType))
        case inspect.Metadata(of):
            return sample(field, of)
    raise NotImplementedError(f"{field} is a {kind}")


MESSAGES: dict[str, Any] = {}
for _name, _kind in FROM_PAGE.items():
    _info = inspect.type_info(_kind)
    assert isinstance(_info, inspect.StructType | inspect.DataclassType)
    MESSAGES[_name] = {"do": _name} | {f.encode_name: sample(f.name, f.type) for f in _info.fields}


def test_watch_sees_what_is_opened(watch):
    for open_it in (
        watch.file.read_text,
        watch.file.with_suffix(".other").read_text,
        lambda: create_default_context(cafile=str(watch.file)),
    ):
        with suppress(OSError, SSLError):
            open_it()
        assert watch.opened()
        assert watch.opened() == []


@pytest.mark.parametrize("game", [CIRCLE, MIND])
def test_no_message_of_a_page(watch, tmp_path, game):
    with (
        published_board(tmp_path, game=game) as board,
        Server(board.host, listen(0)) as server,
        connect(f"{server.address.replace('http', 'ws')}ws", max_queue=None) as page,
    ):

        def send(message: Any) -> None:
            page.send(json.dumps(message))
            page.send("no JSON")
            while json.loads(page.recv(timeout=10)).get("text") != "message is not JSON":
                pass
            board.step(0.2)

        for name, text in product(MESSAGES, watch.texts):
            every = MESSAGES[name]
            for key in list(every)[1:]:
                for value in with_text(every[key], text):
                    send({**every, key: value})
                    assert watch.opened() == [], (name, key, text)
            if name == "room":
                send({"do": "leave"})


def test_no_address_query_or_body(watch, tmp_path):
    pins = Pins(tmp_path)
    with published_board(tmp_path) as board:
        access, listening = Access(pins), listen(0, network=True)
        with Server(board.host, listening, access) as server:
            port = int(server.address.rpartition(":")[2].strip("/"))
            client: Any = Network(server, pins, None, None, "127.0.0.1", port)  # type: ignore[arg-type]
            routes = board.host.app(access).routes
            for route, text in product(routes, watch.texts):
                named, query = quote(text, safe=""), f"before={quote(text)}&json={quote(text)}"
                asked = f"?lang={quote(text)}&game={quote(text)}&{query}"
                if isinstance(route, Mount):
                    paths = [f"{route.path}/{text}", f"{route.path}/{named}"]
                else:
                    path = getattr(route, "path", "")
                    parts = path.replace("{number:int}", "1").replace("{folder}", named)
                    paths = [path.partition("{")[0] + named, parts.replace("{file}", named)]
                    paths += [parts.replace("{file}", quote(text))]
                for path in paths:
                    if isinstance(route, Route) and "POST" in (route.methods or ()):
                        client.post(path, {"pin": text, "remove": text}, user_agent=text)
                    else:
                        client.get(path + asked, user_agent=text, cookie=f"lifeboard={text}")
                    assert watch.opened() == [], path
            for text in watch.texts:
                where = f"lang={quote(text)}&game={quote(text)}"
                with connect(f"ws://127.0.0.1:{port}/ws?{where}", max_queue=None) as page:
                    page.recv(timeout=10)
                assert watch.opened() == [], text


def test_no_message_of_another_board(watch, tmp_path):
    profile = built_in()
    with closing(Pair(tmp_path / "pair", CIRCLE, profile)) as pair:
        pair.run(5)
        body = json.loads(pair.network.retained[2][64:])
        body["asks"] = {"take_back": 1}
        for text in watch.texts:
            for each in with_text(body, text):
                content = json.dumps(each).encode()
                pair.network.under_way[1].append(
                    (0.0, KEYS.sign(content).encode() + content, False)
                )
                pair.run(0.1, step_s=0.1)
            assert watch.opened() == []


def test_no_topic_of_a_house(watch, tmp_path):
    with published_board(tmp_path, control=True) as board:
        for topic, text in product(board.broker.subscribed, watch.texts):
            messages = [each for every in MESSAGES.values() for each in with_text(every, text)]
            for message in [text, *map(json.dumps, messages)]:
                board.broker.hear(topic, message.encode(), False)
                board.now[0] += 1.0
            board.step(0.2)
            assert watch.opened() == [], topic
