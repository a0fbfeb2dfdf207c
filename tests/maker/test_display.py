"""The display: screens on page and terminal, actions from both."""

import json
import queue
from contextlib import ExitStack
from dataclasses import asdict
from io import StringIO
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from game.rules.circle_of_life import GAME
from hal.base.errors import SpotError

ANSWER_S = 20.0
SKIP, STOP, GO = Action("skip", "Skip", "s"), Action("stop", "Stop", "Q"), Action("go", "Go on", "")
SCREEN = ToolScreen(
    title="Calibrate",
    message="Touch e5",
    cells={"e5": CellNote("612", "asked", 0.5), "new_game": CellNote("A.11", "done")},
    actions=(SKIP, STOP),
    progress=(3, 61),
)


class FakeHands:
    """Records what is pressed and lifted."""

    def __init__(self, *keys: str) -> None:
        self._spots = {*GAME.board.cells, *keys}
        self.done: queue.Queue[tuple[str, str]] = queue.Queue()

    def press(self, pointer: str, spot: str) -> None:
        if spot not in self._spots:
            raise SpotError(f"cell {spot!r} is unknown")
        self.done.put((pointer, spot))

    def lift(self, pointer: str) -> None:
        self.done.put((pointer, ""))

    def lift_all(self, prefix: str) -> None:
        self.done.put((prefix, "all"))


@pytest.fixture
def shown():
    return StringIO()


@pytest.fixture
def opened(tmp_path, shown):
    """Return what opens a display, at a terminal where all of a text is typed at once."""
    with ExitStack() as stack:

        def open_it(typed: str = "", hands: FakeHands | None = None) -> ToolDisplay:
            (tmp_path / "typed").write_text(typed)
            source = stack.enter_context((tmp_path / "typed").open())
            display = ToolDisplay(GAME.board, 0, (source, shown), browser=False, hands=hands)
            return stack.enter_context(display)

        yield open_it


def page_of(display: ToolDisplay) -> ClientConnection:
    return connect(display.address.replace("http", "ws") + "ws", max_queue=None)


def reported(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Read up to the next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=ANSWER_S))
        if message["type"] == kind:
            return message


def asked_of(socket: ClientConnection, **message: object) -> None:
    """Send a message, and wait until it was handled."""
    socket.send(json.dumps(message))
    socket.send("{}")
    reported(socket, "error")


def test_page_is_told_the_board_and_the_newest_screen(opened):
    display = opened()
    display.show(ToolScreen("old", "old"))
    display.show(SCREEN)
    with page_of(display) as socket:
        hello, screen = reported(socket, "hello"), reported(socket, "screen")
        assert hello["board"]["shape"] == "hexagon"
        assert len(hello["board"]["cells"]) == 61
        assert not hello["simulated"]
        assert screen["message"] == "Touch e5"
        assert screen["cells"]["e5"] == asdict(SCREEN.cells["e5"]) | {"values": []}
        assert screen["actions"][1] == {"name": "stop", "label": "Stop", "key": "Q"}
        assert screen["progress"] == [3, 61]
        display.show(ToolScreen("Calibrate", "Done"))
        assert reported(socket, "screen")["message"] == "Done"


def test_actions_of_the_page_are_asked_once_and_in_order_and_others_are_refused(opened):
    display = opened()
    display.show(SCREEN)
    with page_of(display) as socket:
        for message, answer in (
            ({"do": "action", "name": "go"}, "action is 'go'; allowed: skip, stop"),
            ({"do": "press", "pointer": "x", "spot": "e5"}, "not simulated"),
            ({"do": "dance"}, "allowed: press, lift, action"),
        ):
            socket.send(json.dumps(message))
            assert answer in reported(socket, "error")["text"]
        assert display.asked() is None
        asked_of(socket, do="action", name="skip")
        asked_of(socket, do="action", name="stop")
        assert [display.asked() for _ in range(3)] == ["skip", "stop", None]


def test_terminal_tells_each_message_once_with_what_can_be_typed(opened, shown):
    display = opened("s\nwhat\n S \nskip\nq\n\n")
    assert display.asked() is None, "nothing was shown yet"
    display.show(SCREEN)
    display.show(ToolScreen("Calibrate", "Touch e5", actions=(SKIP, STOP), progress=(4, 61)))
    display.show(ToolScreen("Calibrate", "Touch e6", actions=(SKIP, STOP, GO)))
    every = "(s Enter: skip, Q Enter: stop, Enter: go on)"
    assert [display.asked() for _ in range(6)] == ["skip", "skip", "skip", "stop", "go", None]
    assert shown.getvalue().splitlines() == [
        f"The board is shown at {display.address}",
        "[3/61] Touch e5 (s Enter: skip, Q Enter: stop)",
        f"Touch e6 {every}",
        f"'what' is not known {every}",
    ]


def test_simulated_board_is_touched_and_let_go_through_the_page(opened):
    hands = FakeHands()
    with page_of(opened(hands=hands)) as socket:
        assert reported(socket, "hello")["simulated"]
        asked_of(socket, do="press", pointer="m", spot="e5")
        asked_of(socket, do="lift", pointer="m")
        socket.send(json.dumps({"do": "press", "pointer": "m", "spot": "z9"}))
        assert "'z9'" in reported(socket, "error")["text"]
    done = [hands.done.get(timeout=ANSWER_S) for _ in range(3)]
    assert done == [("page0.m", "e5"), ("page0.m", ""), ("page0.", "all")]
