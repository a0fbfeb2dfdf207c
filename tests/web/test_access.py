"""Who may do what: host names, origins and access levels, from the requests alone."""

from pathlib import Path
from typing import Any

import pytest

from game.common import addresses
from game.web.access import LOCAL, Access, AccessLevel, Caller, Pins

PORT = 8765
HERE, PHONE = "127.0.0.1", "192.168.1.7"
BOARD = "192.168.1.5"


def caller(client: str = PHONE, server: str = BOARD, **headers: str) -> Caller:
    """Return the caller of a request as the server builds it; `host` has its usual value."""
    shown = {"host": f"{server}:{PORT}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    scope: dict[str, Any] = {
        "type": "http",
        "query_string": b"",
        "client": (client, 50000),
        "server": (server, PORT),
        "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in shown.items()],
    }
    return Caller.of(scope)


@pytest.fixture
def pins(tmp_path: Path) -> Pins:
    return Pins(tmp_path)


@pytest.fixture
def access(pins: Pins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Access:
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("nameserver 192.168.1.1\nsearch ISP.example. other.example\n")
    monkeypatch.setattr(addresses, "_RESOLVER", resolver)
    return Access(pins, names=("Board.home",), computer="gameroom.lan")


@pytest.mark.parametrize("client", [HERE, "127.0.0.9", "::1", "::ffff:127.0.0.1"])
def test_this_computer_controls_without_a_pin(access: Access, client: str):
    for each in (access, LOCAL):
        assert each.level(caller(client, client)) is AccessLevel.CONTROL


# In Debian's /etc/hosts the computer's own name is 127.0.1.1, which a refusal of it then names.
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.1.1", "localhost", "[::1]", "LOCALHOST"])
def test_this_computer_comes_by_its_own_names_on_any_port(access: Access, host: str):
    for each in (access, LOCAL):
        assert each.knows_host(caller(HERE, HERE, host=f"{host}:{PORT}"))
        assert each.knows_host(caller(HERE, HERE, host=f"{host}:9000"))
        assert each.knows_host(caller(HERE, HERE, host=host))


@pytest.mark.parametrize(
    "host", ["", "evil.example", "lifeboard.local", f"{BOARD}:{PORT}", "127.0.0.1.evil.example"]
)
def test_this_computer_is_not_answered_under_a_foreign_name(access: Access, host: str):
    assert not access.knows_host(caller(HERE, HERE, host=host))
    assert not LOCAL.knows_host(caller(HERE, HERE, host=host))


@pytest.mark.parametrize(
    "name",
    [
        BOARD,
        "GameRoom",
        "lifeboard-2.local",
        "lifeboard.local.",
        "board.home",
        "gameroom.fritz.box",
        # The router's own domain, in which a stranger could have any name but this computer's.
        "gameroom.isp.example",
        # Addresses are safe: DNS rebinding needs a host name.
        "192.168.1.6",
        "[fe80::5%25eth0]",
    ],
)
def test_network_comes_by_addresses_and_the_names_of_this_computer(access: Access, name: str):
    assert access.knows_host(caller(host=f"{name}:{PORT}"))
    assert access.knows_host(caller(host=name))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "localhost",
        "local",
        "gameroom.evil.example",
        "evil.isp.example",
        "evil-fritz.box",
        "192.168.1.5.evil.example",
        "[192.168.1.5",
        "192.168.1.5:8765@evil",
    ],
)
def test_network_is_not_answered_under_other_names(access: Access, name: str):
    assert not access.knows_host(caller(host=f"{name}:{PORT}"))


def test_addresses_of_a_socket_for_both_families_are_the_plain_ones(access: Access):
    found = caller(f"::ffff:{PHONE}", f"::ffff:{BOARD}", host=f"{BOARD}:{PORT}")
    assert (found.client, found.server) == (PHONE, BOARD)
    assert access.knows_host(found)
    assert not found.local


def test_zone_of_an_address_does_not_matter(access: Access):
    found = caller("fe80::7%eth0", "fe80::5%eth0", host=f"[fe80::5%25eth0]:{PORT}")
    assert (found.client, access.knows_host(found)) == ("fe80::7", True)


def test_level_of_a_device_follows_its_cookie(access: Access, pins: Pins):
    assert access.level(caller()) is AccessLevel.NOTHING
    assert access.level(caller(cookie=f"lifeboard={pins.token()}")) is AccessLevel.CONTROL
    assert access.level(caller(cookie="lifeboard=1.2")) is AccessLevel.NOTHING
    assert access.level(caller(cookie=f"other={pins.token()}")) is AccessLevel.NOTHING
    watched = Access(pins, watching_open=True)
    assert watched.level(caller(cookie="lifeboard=1.2")) is AccessLevel.WATCH
    assert watched.level(caller(cookie=f"a=b; lifeboard={pins.token()}")) is AccessLevel.CONTROL


@pytest.mark.parametrize(
    "header", ["x-forwarded-for", "forwarded", "x-real-ip", "via", "X-Forwarded-For"]
)
def test_proxy_of_this_computer_speaks_for_others(access: Access, header: str):
    for shown in ("127.0.0.1", "::1", ""):
        forwarded = caller(HERE, HERE, **{header: shown})
        assert access.level(forwarded) is AccessLevel.NOTHING
        assert LOCAL.level(forwarded) is AccessLevel.NOTHING


def test_client_without_an_address_is_a_stranger(access: Access):
    found = Caller.of(
        {"type": "http", "query_string": b"", "client": None, "server": None, "headers": []}
    )
    assert access.level(found) is AccessLevel.NOTHING
    assert not access.knows_host(found)


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        (b"lang=it", "de", "it"),
        (b"lang=xx", "de-CH, en", "de"),
        (b"", "xx", "en"),
        (b"lang=%ff", "", "en"),
    ],
)
def test_language_is_the_named_one_else_one_that_the_browser_accepts(
    query: bytes, accepted: str, language: str
):
    scope = {"type": "http", "headers": [(b"accept-language", accepted.encode())]}
    assert Caller.of({**scope, "query_string": query}).language == language
