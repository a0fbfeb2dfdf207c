"""Why there is no connection to a broker, in words; with real sockets and real TLS."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from game.common import LANGUAGES, words
from game.remote import mqtt
from game.remote.address import read_address
from game.remote.mqtt import MqttChannel, MqttTopics
from game.rules.base.message import Message
from tests.helpers import remote
from tests.helpers.programs.manager import free_port
from tests.helpers.remote.broker import PATIENCE_S, until

NOW, LATER = (
    Path(remote.__file__).with_name(name) for name in ("certificate.pem", "certificate_of_2099.pem")
)
# paho leaves a socket to the garbage collector where TLS cannot begin.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ACCEPTED, NOT_AUTHORIZED = b"\x20\x03\x00\x00\x00", b"\x20\x03\x00\x87\x00"
Answer = Callable[[socket.socket], object]


def broker(connection: socket.socket) -> None:
    """Close a connection that does not begin with MQTT's CONNECT, as Mosquitto does."""
    if connection.recv(1) == b"\x10":
        connection.recv(4096)
        connection.sendall(ACCEPTED)
        connection.recv(4096)


def ask_password(connection: socket.socket) -> None:
    if b"\x00\x03ada\x00\x06secret" in connection.recv(4096):
        connection.sendall(ACCEPTED)
        stay_silent(connection)
    else:
        connection.sendall(NOT_AUTHORIZED)


def stay_silent(connection: socket.socket) -> None:
    while connection.recv(4096):
        pass


@contextmanager
def server(answer: Answer, certificate: Path | None = None) -> Iterator[int]:
    """Serve one connection after the other at the returned port."""

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with suppress(OSError), ExitStack() as stack:
                stack.enter_context(connection)
                if context is not None:
                    connection = context.wrap_socket(connection, server_side=True)
                    stack.enter_context(connection)
                answer(connection)

    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)


def trouble_at(url: str) -> Message:
    """Wait until a room's channel reports why it is not connected, and return that."""
    event = Event()
    with closing(MqttChannel(read_address(url), "room", 1, event.set)) as channel:
        until(event, lambda: channel.trouble and channel.trouble.key != "remote.connecting")
        return channel.trouble


@pytest.fixture(autouse=True)
def little_patience(monkeypatch):
    monkeypatch.setattr(mqtt, "KEEPALIVE_S", 1)
    monkeypatch.setattr(mqtt, "FIRST_RETRY_S", 0.01)


@pytest.mark.parametrize(
    ("answer", "certificate", "url", "said"),
    [
        (broker, None, "mqtt://nothing.invalid/abcdef", "invalid failed: "),
        (None, None, "mqtt://127.0.0.1:{port}/abcdef", "Connection refused"),
        (stay_silent, None, "mqtt://127.0.0.1:{port}/abcdef", "does not answer"),
        (ask_password, None, "mqtt://127.0.0.1:{port}/abcdef", "this board (Not authorized)"),
        (broker, None, "mqtts://127.0.0.1:{port}/abcdef", "failed: "),
        (broker, NOW, "mqtt://127.0.0.1:{port}/abcdef", "failed: "),
        (broker, NOW, "mqtts://localhost:{port}/abcdef", "CERTIFICATE_VERIFY_FAILED"),
        (broker, NOW, "mqtts://127.0.0.1:{port}/abcdef?ca_file={now}", "is not valid for '127"),
        (broker, LATER, "mqtts://localhost:{port}/abcdef?ca_file={later}", "is not yet valid"),
    ],
)
def test_reason_of_no_connection_is_said_in_the_game_and_in_the_terminal(
    answer, certificate, url, said, caplog
):
    with ExitStack() as stack:
        served = answer and stack.enter_context(server(answer, certificate))
        trouble = trouble_at(url.format(port=served or free_port(), now=NOW, later=LATER))
    assert said in words("en").text(trouble)
    assert len({words(language).text(trouble) for language in LANGUAGES}) == len(LANGUAGES)
    (line,) = {record.getMessage() for record in caplog.records}
    assert said in line


def test_broker_with_tls_gets_the_password_of_the_file(tmp_path):
    (tmp_path / "password").write_text("secret\n")
    changed = Event()
    with server(ask_password, NOW) as port:
        url = f"mqtts://ada@localhost:{port}/abcdef?password_file={tmp_path}/password&ca_file={NOW}"
        with closing(MqttTopics(read_address(url), ["t"], print, changed.set)) as topics:
            until(changed, lambda: topics.connected)


def test_close_does_not_wait_for_a_broker_that_is_silent(monkeypatch):
    monkeypatch.setattr(mqtt, "CLOSE_S", 0.1)
    accepted, released, held = Event(), Event(), list[socket.socket]()

    def hold(connection: socket.socket) -> None:
        held.append(connection)
        accepted.set()
        released.wait(PATIENCE_S)

    with server(hold) as port:
        channel = MqttChannel(read_address(f"mqtts://127.0.0.1:{port}/abcdef"), "room", 1, int)
        assert accepted.wait(PATIENCE_S)
        channel.close()
        held[0].setblocking(False)
        with suppress(BlockingIOError):
            while held[0].recv(4096):
                pass
            pytest.fail("the library had given up before")
        released.set()
        for thread in threading.enumerate():
            if thread.name.startswith("paho"):
                thread.join(PATIENCE_S)
