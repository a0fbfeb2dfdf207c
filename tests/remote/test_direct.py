"""A direct line over a real server and real websockets: who is admitted, what strangers learn."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Event, Thread
from threading import enumerate as threads

import pytest
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from game.remote import direct
from game.remote.address import Address, read_address
from game.remote.chain import MOST_BYTES, Keys
from game.remote.direct import Door, EnteredRoom, OfferedRoom
from game.web import Server, listen
from game.web.access import LOCAL, Access
from game.web.server import room_route
from tests.helpers.programs.manager import free_port
from tests.helpers.remote.broker import PATIENCE_S, until
from tests.helpers.remote.wire import nothing_found

KEYS, WRONG = Keys("room", b"k" * 32), Keys("room", b"w" * 32)


@dataclass
class Board:
    """A board's server with its door; `room` opens a room there, and `entered` enters it."""

    door: Door = field(default_factory=Door)
    port: int = field(default_factory=free_port)
    changed: Event = field(default_factory=Event)

    def app(self, _: Access) -> Starlette:
        return Starlette(routes=[room_route(self.door)])

    @contextmanager
    def served(self) -> Iterator[None]:
        with listen(self.port) as listening, Server(self, listening, LOCAL):
            yield

    @property
    def room(self) -> OfferedRoom:
        return OfferedRoom(KEYS, self.door, self.changed.set)

    @property
    def address(self) -> Address:
        return read_address(f"http://127.0.0.1:{self.port}/room#abcdef")

    def entered(self, keys: Keys = KEYS, address: Address | None = None) -> EnteredRoom:
        return EnteredRoom(address or self.address, keys, self.changed.set)

    def until(self, true: Callable[[], object]) -> None:
        until(self.changed, true)


@pytest.fixture
def board(monkeypatch):
    monkeypatch.setattr(direct, "find", nothing_found)
    monkeypatch.setattr(direct, "RETRY_S", 0.05)
    monkeypatch.setattr(direct, "GUESS_S", 0.0)
    return Board()


def test_messages_go_both_ways_and_again_after_the_server_was_away(board):
    with ExitStack() as stack:
        one, two = (stack.enter_context(closing(each)) for each in (board.room, board.entered()))
        for count in (1, 2):
            with board.served():
                board.until(lambda: one.connections == two.connections == count)  # noqa: B023
                assert one.trouble is two.trouble is None
                for sends, takes in ((one, two), (two, one)):
                    sends.send(b"hello")
                    arrived: list[tuple[bytes, bool]] = []
                    board.until(lambda: arrived.extend(takes.take()) or arrived)  # noqa: B023
                    assert arrived == [(b"hello", False)]
            board.until(lambda: one.trouble and two.trouble)
            assert one.connections == two.connections == 0


def test_two_programs_that_enter_hear_each_other_as_at_a_broker(board):
    with ExitStack() as stack:
        one, two, three = (
            stack.enter_context(closing(each))
            for each in (board.room, board.entered(), board.entered())
        )
        stack.enter_context(board.served())
        board.until(lambda: one.connections == 2 and two.connections and three.connections)
        two.send(b"twin")
        board.until(lambda: three.take())
        assert two.take() == []


@pytest.mark.parametrize(
    ("served", "keys", "address", "why"),
    [
        (False, KEYS, None, "remote.no_board"),
        (True, WRONG, None, "remote.not_offered"),
        (None, KEYS, None, "remote.not_offered"),
        (None, KEYS, read_address("abcdef"), "remote.no_board_found"),
    ],
)
def test_why_a_room_is_not_reached_is_said(board, served, keys, address, why):
    with ExitStack() as stack:
        if served is not False:
            stack.enter_context(board.served())
        if served:
            stack.enter_context(closing(board.room))
        two = stack.enter_context(closing(board.entered(keys, address)))
        board.until(lambda: two.trouble and two.trouble.key == why)


def proof(keys: Keys, nonce: bytes, own: bytes = b"n" * 32) -> bytes:
    return own + keys.sign(b"enter" + nonce + own).encode()


def sends(payload: str | bytes) -> Callable[[ClientConnection], None]:
    return lambda line: line.send(payload)


STRANGERS = {
    "forges": lambda line: line.send(proof(WRONG, line.recv(decode=False))),
    "replays the proof of another line": sends(proof(KEYS, b"0" * 32)),
    "sends text": sends("hello"),
    "sends too much": sends(b"x" * (MOST_BYTES + 1)),
    "sends a message": sends(KEYS.sign(b"{}").encode() + b"{}"),
    "stays silent": lambda _: None,
}


@pytest.mark.parametrize("attack", STRANGERS)
def test_a_stranger_learns_nothing_and_changes_nothing(board, attack, monkeypatch):
    monkeypatch.setattr(direct, "PROOF_S", 0.1 if attack == "stays silent" else PATIENCE_S)
    with board.served(), closing(board.room) as one:
        with connect(f"ws://127.0.0.1:{board.port}/room") as line:
            STRANGERS[attack](line)
            one.send(b"secret")
            learnt = []
            with suppress(ConnectionClosed):
                while True:
                    learnt.append(line.recv(PATIENCE_S, decode=False))
        assert [len(each) for each in learnt] in ([], [32]), "a nonce at most"
        assert (one.connections, one.take()) == (0, [])


def test_pages_of_others_and_rooms_that_are_not_open_are_closed_at_once(board):
    at = f"ws://127.0.0.1:{board.port}/room"
    with board.served():
        with closing(board.room), pytest.raises(InvalidStatus, match="403"):
            connect(at, origin="http://elsewhere.example")
        with pytest.raises(InvalidStatus, match="403"):
            connect(at)


def test_a_room_is_found_by_its_code(monkeypatch):
    monkeypatch.setattr(direct, "CHECK_S", 0.03)
    monkeypatch.setattr(direct, "own_addresses", lambda: ("127.0.0.1",))
    keys, door = Keys.of(token_hex(8)), Door(network=True)
    with closing(OfferedRoom(keys, door, lambda: None)):
        door.served = (8765, True)
        assert asyncio.run(direct.find(keys.name)) == [("127.0.0.1", 8765, True)]


def test_a_board_is_no_longer_searched_for_once_the_room_is_closed(monkeypatch):
    searching = Event()

    async def endless(_: str) -> None:
        searching.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(direct, "find", endless)
    entered = EnteredRoom(read_address("abcdef"), KEYS, lambda: None)
    assert searching.wait(PATIENCE_S)
    entered.close()
    assert "line" not in {each.name for each in threads()}


def test_a_closed_room_admits_no_board(board):
    one = board.room
    with board.served(), closing(board.entered()) as two:
        board.until(lambda: two.connections)
        one.close()
        board.until(lambda: two.trouble and two.trouble.key == "remote.not_offered")


def test_a_line_that_is_closed_before_its_thread_runs_is_never_opened(board, monkeypatch):
    runs = Event()

    class Late(Thread):
        def run(self) -> None:
            runs.wait()
            super().run()

    monkeypatch.setattr(direct, "Thread", Late)
    board.entered().close()
    (late,) = (each for each in threads() if isinstance(each, Late))
    runs.set()
    late.join(PATIENCE_S)
    assert not late.is_alive()
