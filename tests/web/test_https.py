"""HTTPS: the board's own certificate, made by openssl, and real connections that pin it."""

import http.client
import json
import socket
import ssl
import subprocess
from contextlib import ExitStack, suppress

import pytest
from websockets.sync.client import connect

from game.cli.main import main
from game.common import PageError, own_addresses
from game.service.board_commands import page_addresses
from game.service.settings import read
from game.web.access import (
    CERTIFICATE_FILE,
    Access,
    Caller,
    Certificate,
    Pins,
    fingerprint,
    https,
)
from game.web.seats import address_for
from tests.helpers.pages.network_page import network
from tests.helpers.programs.manager import SIM, Managed
from tests.helpers.programs.running import Lifeboard


@pytest.fixture
def served(tmp_path):
    with network(tmp_path, certificate=Certificate(tmp_path)) as running:
        yield running


@pytest.fixture
def trusting(tmp_path, served):
    """A context that trusts the board's certificate and no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    text = (tmp_path / CERTIFICATE_FILE).read_text()
    context.load_verify_locations(cadata=text[text.index("-----BEGIN CERT") :])
    return context


def test_certificate_is_made_once_for_its_owner_alone(tmp_path):
    made = Certificate(tmp_path, ("board.home",))
    file = tmp_path / CERTIFICATE_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [CERTIFICATE_FILE]
    before = file.read_bytes()
    assert Certificate(tmp_path, ("other.home",)).fingerprint == made.fingerprint
    assert file.read_bytes() == before
    asked = ("openssl", "x509", "-in", str(file), "-noout", "-fingerprint", "-sha256", "-text")
    text = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    assert f"={made.fingerprint}\n" in text
    for part in ("CA:FALSE", "DNS:localhost", "DNS:board.home", "IP Address:"):
        assert part in text


def test_certificate_that_ends_soon_or_is_damaged_is_made_again(tmp_path, monkeypatch):
    with monkeypatch.context() as short:
        short.setattr(https, "DAYS", 29)
        known = {Certificate(tmp_path).fingerprint}
    known.add(Certificate(tmp_path).fingerprint)
    file = tmp_path / CERTIFICATE_FILE
    for content in ("", file.read_text()[:600]):
        file.write_text(content)
        known.add(Certificate(tmp_path).fingerprint)
    assert len(known) == 4
    assert Certificate(tmp_path).fingerprint in known


def test_why_openssl_makes_none_is_told(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(https, "own_addresses", lambda: ("nonsense",))
        with pytest.raises(PageError, match=r"page-certificate\.pem: .*nonsense"):
            Certificate(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PageError, match=r"HTTPS, .*page-certificate\.pem: .*No such file.*openssl"):
        Certificate(tmp_path)


def test_page_is_played_by_tls(served, trusting):
    link = http.client.HTTPSConnection(served.address, served.port, context=trusting, timeout=10)
    own = {"Origin": f"https://{served.host}", "Host": served.host}
    link.request("POST", "/pin", json.dumps({"pin": served.pins.pin}), own)
    answer = link.getresponse()
    answer.read()
    assert answer.status == 204
    cookie, *ends = (answer.headers["Set-Cookie"] or "").split("; ")
    assert cookie.startswith("__Host-lifeboard=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=strict"} <= set(ends)
    with connect(
        f"wss://{served.host}/ws",
        ssl=trusting,
        origin=f"https://{served.host}",
        additional_headers={"Cookie": cookie},
    ) as page:
        assert json.loads(page.recv(timeout=10))["access"] == "control"
    # A page that came by plain HTTP is of another origin.
    link.request("POST", "/pin", "{}", own | {"Origin": f"http://{served.host}"})
    assert link.getresponse().status == 403
    link.close()


def test_this_computer_comes_by_https_too(served, trusting):
    with connect(f"wss://localhost:{served.port}/ws", ssl=trusting) as page:
        assert json.loads(page.recv(timeout=10))["access"] == "control"


def test_what_is_no_tls_after_its_first_byte_is_dropped_in_silence(served, caplog):
    for said in (b"\x16", b"\x16\x03\x01\x02\x00\x01", b"\x16" * 5000, b"\x00"):
        with served.connected() as link:
            link.sendall(said)
            link.shutdown(socket.SHUT_WR)
            while link.recv(4096):
                pass
    assert [each for each in caplog.records if each.levelno >= 30] == []
    assert fingerprint(ssl.get_server_certificate((served.address, served.port), timeout=10))


def test_no_connection_outlives_the_server(tmp_path):
    with ExitStack() as links:
        with network(tmp_path, certificate=Certificate(tmp_path)) as served:
            silent, half = (links.enter_context(served.connected()) for _ in range(2))
            half.sendall(b"\x16\x03\x01")
        for link in (silent, half):
            with suppress(ConnectionResetError):
                while link.recv(4096):
                    pass


def test_addresses_for_others_say_https(served, tmp_path):
    assert served.server.address == f"https://127.0.0.1:{served.port}/"
    assert f"https://{served.host}/" in served.server.addresses
    access = Access(Pins(tmp_path), certificate=Certificate(tmp_path))
    local = Caller("127.0.0.1", "127.0.0.1", 8765, host="localhost:8765")
    assert address_for(access, local).startswith("https://")
    phone = Caller("192.168.1.7", "192.168.1.5", 8765, host="board.local:8765", secure=True)
    assert address_for(access, phone) == "https://board.local:8765/"


def test_play_and_the_pin_command_tell_the_certificate_that_is_served(tmp_path, capsys):
    with Lifeboard(tmp_path, "--https") as lifeboard:
        served = fingerprint(ssl.get_server_certificate(("127.0.0.1", lifeboard.port), timeout=10))
        status, errors = lifeboard.stop()
    assert (status, errors) == (0, "")
    assert served in lifeboard.output
    assert f"https://{own_addresses()[0]}:{lifeboard.port}/" in lifeboard.output
    main(["pin", "--data", str(tmp_path)])
    pin, line = capsys.readouterr().out.splitlines()
    assert pin == Pins(tmp_path).pin
    assert line == f"certificate for HTTPS, SHA-256: {served}"


def test_service_turns_https_on_and_off_and_its_status_shows_the_address(tmp_path):
    with Managed(tmp_path, SIM) as service:
        service.until(lambda manager: manager.ready)
        service.reload(SIM + "[page]\nnetwork = true\nhttps = true\n")
        settings = read(service.settings).page
        shown = page_addresses(settings)
        assert shown[0] == f"https://localhost:{service.port}/"
        assert f"https://{own_addresses()[0]}:{service.port}/" in shown
        service.reload(SIM + "[page]\nnetwork = true\n")
        settings = read(service.settings).page
        assert not any(each.startswith("https:") for each in page_addresses(settings))


def test_service_without_openssl_plays_without_a_page_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with Managed(tmp_path, SIM + "[page]\nnetwork = true\nhttps = true\n") as service:
        service.until(lambda manager: manager.ready)
        assert "no page is served: openssl cannot make" in service.written
