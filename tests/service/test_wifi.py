"""Choosing a Wi-Fi on the board's own hotspot: real helper and page, nmcli a program of ours."""

import re
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest

from game.common import LANGUAGES, words
from game.service import wifi, wifi_helper
from game.service.wifi import HOLD_S, SHOWN_S, WAIT_S, Wifi, WifiPage
from hal.lights import Glow
from tests.helpers.programs.fake_programs import FakeNmcli
from tests.helpers.programs.manager import free_port

ANSWER_S = 20.0
HOME = "Home: \\Wi<b>"
NETWORKS = {
    b"far": "20:{}:WPA1 WPA2",
    HOME.encode(): "90:{}:WPA2 WPA3",
    "café".encode(): "70:{}:",
    b"far ": "60:{}:OWE",
    b"office": "80:{}:WPA2 802.1X",
    b"new": "10:{}:WPA3",
    b"old": "9:{}:--",
    b"\xff\xfe": "99:{}:WPA2",
    b"": "98:{}:WPA2",
}


@pytest.fixture
def nmcli(tmp_path, monkeypatch):
    fake = FakeNmcli(tmp_path / "nmcli", monkeypatch)
    lines = (line.format(ssid.hex().upper()) for ssid, line in NETWORKS.items())
    fake.say("networks", "".join(f"{line}\n" for line in lines))
    monkeypatch.setattr(wifi, "SOCKET", fake.socket)
    monkeypatch.setattr(wifi, "PORT", free_port())
    monkeypatch.setattr(wifi, "ADDRESS", "127.0.0.1")
    monkeypatch.setattr(wifi, "_SENT_S", 0.0)
    monkeypatch.setattr(wifi, "own_addresses", lambda: ())
    yield fake
    fake.close()


class Board:
    """The board's side, whose loop goes on; time passes as the test says."""

    def __init__(self) -> None:
        self.wifi, self.now = Wifi(8765), 0.0
        self.wifi.follow(False, self.now)

    def until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + ANSWER_S
        while not holds():
            assert time.monotonic() < end, self.shown()

    def shown(self) -> Glow | None:
        return self.wifi.follow(False, self.now)

    def lights(self, glow: Glow) -> None:
        """Wait for a light, and let it end."""
        self.until(lambda: self.shown() == glow)
        self.now += SHOWN_S
        assert self.shown() is None


@pytest.fixture
def board(nmcli):
    """Return a board whose hotspot has opened, since there was no network for two minutes."""
    board = Board()
    board.now = WAIT_S
    board.lights(wifi._OPENED)
    return board


def fetch(path: str = "/", host: str = "127.0.0.1", **form: str) -> str:
    """Ask as a phone; an answer that leads elsewhere is returned as its address."""
    headers = {"Host": host, "Accept-Language": "en"}
    headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    end = time.monotonic() + ANSWER_S
    while True:
        phone = HTTPConnection("127.0.0.1", wifi.PORT, timeout=ANSWER_S)
        try:
            phone.request("POST" if form else "GET", path, urlencode(form), headers)
        except ConnectionRefusedError:
            # The page is there again as soon as the hotspot is.
            assert time.monotonic() < end
        else:
            with closing(phone), phone.getresponse() as answer:
                return answer.getheader("Location") or answer.read().decode()


def said(page: str) -> str:
    (problem,) = re.findall(r'role="alert">(.*?)</p>', page)
    return problem


def text(key: str) -> str:
    return words("en").template(f"wifi.{key}")


def test_hotspot_opens_without_a_network_or_by_the_key_and_else_stays_closed(nmcli, monkeypatch):
    monkeypatch.setattr(wifi, "own_addresses", lambda: ("192.168.1.9",))
    board = Board()
    for now, held in ((WAIT_S, True), (WAIT_S + HOLD_S - 1, False), (WAIT_S + HOLD_S, True)):
        assert board.wifi.follow(held, now) is None
    # A key that is down from the start may be stuck.
    stuck = Wifi(8765)
    assert [stuck.follow(True, now) for now in (0.0, HOLD_S, 2 * HOLD_S)] == [None] * 3
    assert nmcli.ran == []
    board.now = WAIT_S + 2 * HOLD_S
    board.wifi.follow(True, board.now)
    board.lights(wifi._OPENED)
    assert [each for each in nmcli.ran if "save no" in each]


def test_phone_finds_the_page_by_any_address_and_the_networks_on_it(board):
    assert fetch("/generate_204", "connectivitycheck.gstatic.com") == "http://127.0.0.1/"
    page = fetch("/hotspot-detect.html")
    assert re.findall(r'value="([^"]*)"( disabled)?', page) == [
        ("Home: \\Wi&lt;b&gt;", ""),
        ("office", " disabled"),
        ("café", ""),
        ("far ", ""),
        ("far", ""),
        ("new", " disabled"),
        ("old", ""),
    ]
    assert "<script" not in page
    assert said(page) == ""


def test_wrong_password_brings_the_hotspot_back_and_the_right_one_joins(board, nmcli):
    # NetworkManager 1.52 of Debian 13 on radios of mac80211_hwsim.
    nmcli.say(
        "refuse-up id lifeboard-new",
        "Warning: password for '802-11-wireless-security.psk' not given in 'passwd-file' and"
        " nmcli cannot ask without '--ask' option.\nError: Connection activation failed: Secrets"
        " were required, but not provided\n",
    )
    page = fetch(ssid=HOME, password="password")
    assert "<p>The board tries Home: \\Wi&lt;b&gt;." in page
    assert "local:8765/" in page
    board.lights(wifi._FAILED)
    assert said(fetch()) == f"<b>Home: \\Wi&lt;b&gt;</b> {text('wrong_password')}"
    tried, joined = wifi_helper.TRIED, f"lifeboard {HOME}"
    assert f"connection delete id {tried}" in nmcli.ran
    # An earlier profile with the right password stays.
    assert not any(joined in each for each in nmcli.ran)
    (nmcli.folder / "refuse-up id lifeboard-new").unlink()
    fetch(ssid=HOME, password="password")
    board.lights(wifi._JOINED)
    change = nmcli.ran.index(
        f"connection modify id {tried} connection.id {joined} connection.autoconnect yes"
    )
    assert nmcli.ran[change - 1] == f"connection delete id {joined}"
    # The helper ends with the connection.
    board.until(lambda: nmcli.ran[-1] == f"connection delete id {wifi_helper.PROFILE}")
    assert not any("password" in each for each in nmcli.ran)


@pytest.mark.parametrize(
    ("form", "typed", "profile"),
    [
        # IEEE 802.11, J.4.2.
        (
            {"typed": "IEEE"},
            "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e",
            "ssid IEEE wifi.hidden True wifi-sec.key-mgmt wpa-psk",
        ),
        ({"ssid": "café"}, "", "ssid café wifi.hidden False"),
    ],
)
def test_password_becomes_the_key_that_the_standard_says_unless_the_network_is_open(
    board, nmcli, form, typed, profile
):
    fetch(**form, password="password")
    board.lights(wifi._JOINED)
    assert nmcli.typed == (typed and f"set wifi-sec.psk {typed}\nsave\nquit\n")
    assert any(each.endswith(profile) for each in nmcli.ran)


@pytest.mark.parametrize(
    ("name", "answer", "key"),
    [
        ("connectivity", "portal\n", "portal"),
        ("refuse-up id lifeboard-new", "Error: The Wi-Fi network could not be found.", "not_found"),
        ("refuse-up id lifeboard-new", "Error: Timeout expired (90 seconds)", "failed"),
    ],
)
def test_network_that_cannot_be_joined_is_told_why(board, nmcli, name, answer, key):
    nmcli.say(name, answer)
    fetch(ssid="café")
    board.lights(wifi._FAILED)
    assert said(fetch()) == f"<b>café</b> {text(key)}"


def test_choice_that_cannot_be_right_is_refused_with_the_hotspot_open(board, nmcli):
    before = nmcli.ran
    for form, key in (
        ({"ssid": HOME, "password": "1234567"}, "password_length"),
        ({"ssid": HOME, "password": "é" * 33}, "password_length"),
        ({"typed": "é" * 17, "password": "12345678"}, "name_length"),
        ({"password": "12345678"}, "name_length"),
        ({"ssid": "office", "password": "12345678"}, "other"),
    ):
        assert said(fetch(**form)).endswith(text(key))
    fetch(ssid="x" * 3000)
    assert nmcli.ran == before
    assert board.shown() is None


@pytest.mark.parametrize(
    ("break_it", "why"),
    [
        (lambda fake: fake.say("devices", "ethernet:eth0\nwifi:odd0\n"), "no radio for Wi-Fi"),
        (lambda fake: (fake.folder / "nmcli").unlink(), "NetworkManager is missing"),
        (lambda fake: fake.say("refuse-device", "Error: it is not running."), "not running"),
    ],
)
def test_computer_without_radio_or_manager_says_so(nmcli, break_it, why, caplog):
    break_it(nmcli)
    board = Board()
    board.now = WAIT_S
    board.lights(wifi._FAILED)
    assert why in caplog.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_written_in_each_language(language, monkeypatch, tmp_path):
    country = tmp_path / "country"
    monkeypatch.setattr(wifi, "COUNTRY", country)
    networks = {HOME: "password", "office": "other", "café": "open"}
    page = WifiPage("lifeboard-1234", networks, "http://board.local:8765/", None)
    for code, missing in (("00", True), ("IT", False)):
        country.write_text(f"{code}\n")
        written = page.html(language)
        assert "$" not in written
        assert (words(language).template("wifi.country") in written) == missing
