"""The service as its unit runs it: notifying its manager, played on, reloaded and ended."""

import socket
from contextlib import ExitStack
from importlib.resources import files

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from game.common import own_addresses, words
from game.service.activity import STARTING, open_activity
from game.service.paths import ServicePaths
from game.service.settings import BoardSettings, GameSettings, Settings
from game.store import BOARD, JournalLine, Store
from game.table.entries import Entry, EntryKind
from tests.helpers.programs.manager import SIM, Managed, moves_shown
from tests.helpers.programs.running import Talk


def playing(service: Managed) -> Talk:
    """Wait until play is possible, and open a page."""
    service.until(lambda manager: moves_shown(manager.status))
    talk = Talk(service.page())
    talk.until(lambda t: t.state.get("phase") in ("tap", "confirm") and t.lights)
    return talk


def test_service_waits_for_a_board_takes_new_settings_and_goes_on_with_the_game(tmp_path):
    with Managed(tmp_path) as service:
        service.until(lambda manager: manager.ready)
        assert "learn" in service.status
        waiting = Talk(service.page())
        waiting.until(lambda t: t.hello)
        assert waiting.hello["page"] == "service"
        # Once its settings name a board that exists, it starts by itself.
        service.reload(SIM)
        talk = playing(service)
        assert talk.state["hands"] == "automatic"
        service.reload(SIM + "[page]\nnetwork = 7\n")
        assert "[page] network is 7; allowed: true or false" in service.written
        talk.tap("e5")
        service.until(lambda manager: moves_shown(manager.status) == 2)
        # Names and opponents hold for the game that is played.
        other = "3,person" if talk.state["to_move"] == 1 else "3"
        service.reload(SIM + f'[game]\nplayers = ["Ann", "Bo"]\nopponent = "{other}"\n')
        talk = playing(service)
        talk.until(lambda t: t.state["names"] == ["Ann", "Bo"] and "3" in t.state["computers"])
        service.reload(
            SIM + '[game]\nplayers = ["Ann", "Bo"]\nopponent = "person"\nhelp = "3:2,0"\n'
        )
        talk = playing(service)
        talk.until(lambda t: "3" not in t.state["computers"] and t.state["help"] == ["3:2", "0"])
        assert talk.state["ply"] == 1
        # Another board is opened, with the same game.
        service.reload(SIM + 'profile = "hexagon-61-pico"\n')
        service.until(lambda manager: moves_shown(manager.status) == 2)
        again = playing(service)
        assert again.state["ply"] == 1
        assert again.state["cells"]["e5"]["piece"]
        assert again.state["names"] == ["Ann", "Bo"]
        assert service.end() == 0
        service.until(lambda manager: ("STOPPING", "1") in manager.shown)


def test_port_of_the_page_and_level_of_the_log_change_with_a_reload(tmp_path):
    with Managed(tmp_path, SIM) as service:
        playing(service).tap("e5")
        service.until(lambda manager: moves_shown(manager.status) == 2)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            other = taken.getsockname()[1]
            service.reload(SIM + f"[page]\nport = {other}\n")
            # The port is in use: the game goes on all the same, and the reason is logged.
            assert str(other) in service.written
        old, service.port = service.port, other
        assert "Touched" not in service.written
        service.reload(SIM + f'[page]\nport = {other}\n[log]\nlevel = "debug"\n')
        talk = playing(service)
        assert talk.state["ply"] == 1
        # So is the level of the log. A touch may be refused that comes too soon after another.
        talk.tap("a1")
        talk.until(lambda t: t.state["ply"] == 2 or t.state["notice"])
        assert "Touched(spot='a1')" in service.written
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", old))
        # The page is for the network only as far as the settings say.
        (address, *_) = own_addresses()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((address, other))
        service.reload(SIM + f"[page]\nport = {other}\nnetwork = true\n")
        # A client without a browser needs the PIN even to be told that it is locked.
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{address}:{other}/ws")


def test_service_opens_the_last_game_or_that_of_the_settings_on_the_board_that_it_needs(tmp_path):
    moves = (Entry(EntryKind.START, '{"first": "1"}'), Entry(EntryKind.MOVE, "a1"))
    with Store(tmp_path) as store:
        lines = [JournalLine(each, "2026-11-28T08:00:00.000+00:00", 0.0) for each in moves]
        store.begin("azteka", BOARD, lines, None)
    shipped = files("hal").joinpath("boards", "hexagon-61.toml")
    (tmp_path / "board.toml").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    for settings, title, board in (
        (Settings(BoardSettings("mock")), "Azteka", "disc-32"),
        (Settings(BoardSettings("mock"), GameSettings("adaptoid")), "Adaptoid", "hexagon-61"),
        (Settings(BoardSettings("mock", "hexagon-61")), "Circle of Life", "hexagon-61"),
        (Settings(game=GameSettings("azteka")), "does not fit azteka", None),
    ):
        with ExitStack() as stack:
            activity = open_activity(stack, settings, ServicePaths(data=tmp_path), words("en"))
            if board is None:
                assert title in activity.status
            else:
                # No frame has been shown yet.
                assert (activity.shown, activity.status) == (False, STARTING)
                page = activity.page.running.page
                assert (page.game.title, page.profile.name) == (title, board)
