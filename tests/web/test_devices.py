"""The devices that have entered the PIN: listed, seen, and removed one by one."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from game.common import words
from game.web.access import DEVICES_FOLDER, Caller, Devices, Login, Pins
from game.web.access.pin import MAX_AGENT, MAX_DEVICES, SEEN_S, Device
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.pages.network_page import Network, Talk, network

ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/139.0.0.0 Mobile Safari/537.36"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
)
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0"
)
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1_900_000_000.0)


@pytest.fixture
def devices(tmp_path: Path, clock: FakeClock) -> Devices:
    return Devices(tmp_path, clock)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Network]:
    with network(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (ANDROID, "Chrome on Android"),
        (IPHONE, "Safari on iPhone"),
        (WINDOWS, "Edge on Windows"),
        (MAC, "Firefox on Mac"),
        ("curl/8", "A device of unknown kind"),
        ("Chrome/\x1b[2J\nAndroid", "Chrome on Android"),
    ],
)
def test_device_is_called_by_its_browser_and_system(agent: str, name: str):
    assert words("en").text(Device("", agent, 0).words) == name


def test_removed_device_is_not_known_at_once_and_others_are(tmp_path: Path, clock: FakeClock):
    pins = Pins(tmp_path, clock)
    tokens = []
    for agent in (ANDROID, IPHONE, MAC):
        clock.now += 1
        tokens.append(pins.token(agent))
    assert [each.agent for each in pins.devices.listed()] == [ANDROID, IPHONE, MAC]
    # Another process, such as `lifeboard pin`.
    others = Devices(tmp_path, clock)
    others.remove(others.listed()[1].name)
    assert [pins.is_token(each) for each in tokens] == [True, False, True]
    assert [each.agent for each in pins.devices.listed()] == [ANDROID, MAC]
    # Its PIN has not changed, so the page must not say that it has.
    assert pins.device(tokens[1])


def test_file_is_for_its_owner_alone_and_short(tmp_path: Path, devices: Devices):
    name = devices.add("x" * 100_000)
    folder = tmp_path / DEVICES_FOLDER
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert (folder / name).stat().st_size == MAX_AGENT


def test_last_seen_is_written_at_most_once_an_hour(
    devices: Devices, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
):
    name, written = devices.add(""), []
    assert devices.see(name)
    touch = os.utime
    monkeypatch.setattr(os, "utime", lambda *how: (written.append(how), touch(*how)))
    start = clock.now
    for _ in range(3 * SEEN_S // 10):
        clock.now += 10
        assert devices.see(name)
    assert len(written) == 3
    assert devices.listed()[0].last_seen == start + 3 * SEEN_S


def test_device_that_was_seen_longest_ago_falls_out_of_a_full_list(
    devices: Devices, clock: FakeClock
):
    names = []
    for _ in range(MAX_DEVICES):
        clock.now += 2 * SEEN_S
        names.append(devices.add(""))
        assert devices.see(names[-1])
    clock.now += 2 * SEEN_S
    assert devices.see(names[0])
    newest = devices.add("")
    assert not devices.see(names[1])
    assert len(devices.listed()) == MAX_DEVICES
    assert all(devices.see(each) for each in (names[0], *names[2:], newest))
    assert devices.listed()[-1].name == newest


def test_device_that_cannot_be_written_is_known_until_the_end(
    tmp_path: Path, clock: FakeClock, devices: Devices, caplog: pytest.LogCaptureFixture
):
    (tmp_path / DEVICES_FOLDER).write_text("in the way")
    name = devices.add(ANDROID)
    assert devices.see(name)
    assert "must enter the PIN again" in caplog.text
    assert not Devices(tmp_path).see(name)
    devices.remove(name)
    assert not devices.see(name)


def test_device_that_enters_the_pin_again_is_listed_once(tmp_path: Path):
    pins = Pins(tmp_path)
    login, token = Login(pins), pins.token(ANDROID)
    caller = Caller("192.168.1.7", "192.168.1.5", 8765, token=token)
    assert login.answer(caller, pins.pin, ANDROID).status_code == 204
    assert len(pins.devices.listed()) == 1
    assert not pins.is_token(token)


def test_new_pin_empties_the_list(tmp_path: Path):
    pins = Pins(tmp_path)
    pins.token()
    pins.path.unlink()
    assert pins.pin
    assert pins.devices.listed() == []


def test_page_lists_devices_and_removes_one_whose_open_page_is_locked(served: Network):
    pin = {"pin": served.pins.pin}
    phone, own = (
        (served.post("/pin", pin, user_agent=agent).headers["Set-Cookie"] or "").partition(";")[0]
        for agent in (ANDROID, MAC)
    )
    with served.page(phone) as page:
        talk = Talk(page)
        talk.until(lambda t: t.hello)
        assert talk.hello["devices"] is True
        listed = served.post("/devices?lang=de", {}, cookie=own).shown["devices"]
        assert [(text, mine) for _, text, _, mine in listed] == [
            ("Chrome auf Android", False),
            ("Firefox auf Mac", True),
        ]
        left = served.post("/devices", {"remove": listed[0][0]}, cookie=own).shown["devices"]
        assert left == [[listed[1][0], "Firefox on Mac", listed[1][2], True]]
        with pytest.raises(ConnectionClosed) as closed:
            talk.until(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    with served.page(phone) as page:
        shown = json.loads(page.recv(timeout=10))
        assert (shown["type"], shown["pin_changed"]) == ("locked", False)
    here = served.post("/devices", {"remove": "../page-pin.json"}, address="127.0.0.1")
    assert [mine for *_, mine in here.shown["devices"]] == [False]
    assert served.pins.path.exists()


def test_only_who_controls_lists_and_removes(served: Network):
    cookie = served.give_pin()
    wish = {"remove": served.pins.devices.listed()[0].name}
    assert served.post("/devices", wish).status == 403
    assert served.post("/devices", wish, cookie="lifeboard=1.2").status == 403
    elsewhere = served.post("/devices", wish, cookie=cookie, origin="http://evil.example")
    assert elsewhere.status == 403
    assert served.get("/devices", cookie=cookie).status == 405
    assert served.post("/devices", b"[1]", cookie=cookie).status == 200
    assert served.post("/devices", {"remove": 1}, cookie=cookie).status == 200
    assert len(served.pins.devices.listed()) == 1


def test_device_that_stops_playing_is_not_listed_any_more(served: Network):
    cookie = served.give_pin()
    assert len(served.pins.devices.listed()) == 1
    served.post("/forget", cookie=cookie)
    assert served.pins.devices.listed() == []
    # A copy of the cookie is void too.
    assert served.post("/devices", {}, cookie=cookie).status == 403
