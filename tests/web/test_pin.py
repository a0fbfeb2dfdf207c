"""The PIN: its file and tokens, how long who guesses it waits, and the devices that entered it."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from game.common import AppError, PageError, words
from game.service.board_commands import pin_folder, shown_pin
from game.web.access import DEVICES_FOLDER, PIN_FILE, Caller, Devices, Login, Pins
from game.web.access.login import ALL_TRIES, FORGIVEN_S, FREE_TRIES, LoginThrottle
from game.web.access.pin import MAX_AGENT, MAX_DEVICES, SEEN_S, KnownDevice
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.pages.network_page import closed_with, network


@pytest.fixture
def pins(tmp_path):
    return Pins(tmp_path)


def test_pin_is_made_when_it_is_first_needed_for_its_owner_alone(tmp_path, pins):
    assert not pins.path.exists()
    pin = pins.pin
    assert len(pin) == 6
    assert pin.isdecimal()
    assert Pins(tmp_path).pin == pin == shown_pin(tmp_path, new=False)
    assert (tmp_path / PIN_FILE).stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [PIN_FILE]
    assert pins.is_pin(pin)
    for wrong in ("", pin[:-1], pin + "0", "١٢٣٤٥٦", "\ud800", f"{(int(pin) + 1) % 10**6:06}"):
        assert not pins.is_pin(wrong)


def test_file_that_root_writes_belongs_to_whom_the_folder_belongs(tmp_path, monkeypatch):
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    shown_pin(tmp_path, new=True)
    folder = tmp_path.stat()
    assert given == [(folder.st_uid, folder.st_gid)]


def test_forged_tokens_are_refused(tmp_path, pins):
    token = pins.token()
    device, _, signature = token.partition(".")
    until, chance = device.split("-")
    other = tmp_path / "other"
    other.mkdir()
    forged = [
        "",
        device,
        f"{int(until) + 1}-{chance}.{signature}",
        f"{device}.{signature[:-1]}",
        f"{device}\u00e9.{signature}",
        f"../{device}.{signature}",
        f"\ud800.{signature}",
        Pins(other).token(),
    ]
    assert [each for each in forged if pins.is_token(each)] == []


def test_new_pin_of_another_process_holds_at_once_and_voids_tokens(tmp_path, pins):
    old, token = pins.pin, pins.token()
    new = shown_pin(tmp_path, new=True)
    assert not pins.is_token(token)
    assert pins.is_pin(new)
    assert new == old or not pins.is_pin(old)
    token = pins.token()
    assert pins.is_token(token)
    # A file that goes away is replaced by another one.
    pins.path.unlink()
    assert not pins.is_token(token)
    assert pins.path.exists()
    assert pins.devices.listed() == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"version": 2}',
        '{"version": 1, "pin": "12345", "key": "' + "00" * 32 + '"}',
        '{"version": 1, "pin": "123456", "key": "00"}',
    ],
    ids=lambda text: text[:30],
)
def test_damaged_file_is_logged_and_replaced(pins, tmp_path, caplog, text):
    pins.path.write_text(text)
    with pytest.raises(AppError, match="pin --new"):
        shown_pin(tmp_path, new=False)
    pin = pins.pin
    assert "is replaced" in caplog.text
    assert shown_pin(tmp_path, new=False) == pin == pins.pin


def refused(number: int) -> Callable[..., Any]:
    """Return a function that fails as the system does; root is refused nothing by modes."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


def test_file_that_is_refused_is_named(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("game.web.access.pin.write_json", refused(errno.EROFS))
        with pytest.raises(PageError, match=rf"{PIN_FILE}: Read-only file system$"):
            _ = Pins(tmp_path).pin
        with pytest.raises(AppError, match=r"cannot be used: .*Read-only file system"):
            shown_pin(tmp_path, new=False)
    assert Pins(tmp_path).pin
    monkeypatch.setattr("game.web.access.pin.read_json", refused(errno.EACCES))
    with pytest.raises(PageError, match=rf"{PIN_FILE}: Permission denied$"):
        _ = Pins(tmp_path).pin
    with pytest.raises(AppError, match=r"Permission denied; put sudo before it"):
        shown_pin(tmp_path, new=False)


def test_pin_is_the_service_s_and_without_a_service_the_user_s(tmp_path, monkeypatch):
    service, mine = tmp_path / "service", tmp_path / "mine"
    monkeypatch.setattr("game.service.board_commands.data_folder", lambda: mine)
    with pytest.raises(AppError, match="there is no PIN yet") as caught:
        shown_pin(pin_folder(None, service), new=True)
    assert str(mine) in str(caught.value)
    assert not service.exists()
    assert not mine.exists()
    mine.mkdir()
    assert shown_pin(pin_folder(None, service), new=False) == Pins(mine).pin
    service.mkdir()
    shown_pin(mine, new=True)
    assert shown_pin(pin_folder(None, service), new=True) == Pins(service).pin
    assert shown_pin(pin_folder(mine, service), new=False) == Pins(mine).pin


DAY_S = 24 * 3600


def test_throttle_waits_twice_as_long_for_each_network_until_it_forgives():
    throttle, now, waits = LoginThrottle(), 0.0, []
    for number in range(FREE_TRIES + 7):
        # The addresses of an IPv6 network wait together.
        assert throttle.wait_s(f"fd00:0:0:1::{number:x}", now) == 0
        throttle.failed(f"fd00:0:0:1::{number:x}", now)
        waits.append(throttle.wait_s("fd00:0:0:1:ffff::9", now))
        now += waits[-1]
    assert waits == [0] * (FREE_TRIES - 1) + [30, 60, 120, 240, 480, 900, 900, 900]
    for _ in range(FREE_TRIES):
        throttle.failed("10.0.0.1", now)
    throttle.failed("fd00:0:0:1::1", now)
    waiting = {"10.0.0.1": 30, "10.0.0.2": 0, "fd00:0:0:1::1": 900, "fd00:0:0:2::9": 0}
    assert {each: throttle.wait_s(each, now) for each in waiting} == waiting
    # The right PIN and a day of rest.
    throttle.succeeded("10.0.0.1")
    assert throttle.wait_s("10.0.0.1", now) == 0
    now += FORGIVEN_S
    throttle.failed("fd00:0:0:1::1", now)
    assert throttle.wait_s("fd00:0:0:1::1", now) == 0


def test_many_networks_together_guess_less_than_three_thousand_pins_a_day():
    throttle, guesses = LoginThrottle(), 0
    for now in range(0, DAY_S, 60):
        # Each guess from an address that has not guessed before.
        while not throttle.wait_s(address := f"10.0.{guesses // 256}.{guesses % 256}", now):
            throttle.failed(address, now)
            guesses += 1
    assert guesses < 3000


def test_device_with_a_token_enters_the_pin_whatever_others_guess_and_is_listed_once(tmp_path):
    pins = Pins(tmp_path)
    login, wrong = Login(pins, lambda: 0.0), "no PIN"
    phone, token = Caller("192.168.1.7", "192.168.1.5", 8765), pins.token()
    for number in range(ALL_TRIES):
        login.answer(replace(phone, client=f"10.0.{number // 256}.{number % 256}"), wrong)
    assert login.answer(phone, pins.pin).status_code == 429
    assert login.answer(replace(phone, token=token), pins.pin).status_code == 204
    assert len(pins.devices.listed()) == 1
    assert not pins.is_token(token)


AGENTS = {
    "Chrome on Android": "Mozilla/5.0 (Linux; Android 10; K) Chrome/139.0.0.0 Mobile Safari/537.36",
    "Safari on iPhone": "Mozilla/5.0 (iPhone; CPU OS 18_6 like Mac OS X) Version/18.6 Safari/604.1",
    "Edge on Windows": "(Windows NT 10.0; Win64; x64) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
    "Firefox on Mac": "(Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
    "A device of unknown kind": "curl/8",
}
ANDROID, MAC = AGENTS["Chrome on Android"], AGENTS["Firefox on Mac"]


@pytest.fixture
def clock():
    return FakeClock(1_900_000_000.0)


@pytest.fixture
def devices(tmp_path, clock):
    return Devices(tmp_path, clock)


@pytest.fixture
def served(tmp_path):
    with network(tmp_path) as running:
        yield running


@pytest.mark.parametrize("name", AGENTS)
def test_device_is_called_by_its_browser_and_system(name):
    assert words("en").text(KnownDevice("", AGENTS[name], 0).words) == name


def test_file_is_for_its_owner_alone_and_short(tmp_path, devices):
    name = devices.add("x" * 100_000)
    folder = tmp_path / DEVICES_FOLDER
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / name).stat().st_mode & 0o777 == 0o600
    assert (folder / name).stat().st_size == MAX_AGENT


def test_last_seen_is_written_at_most_once_an_hour(devices, clock, monkeypatch):
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


def test_device_that_was_seen_longest_ago_falls_out_of_a_full_list(devices, clock):
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


def test_page_lists_devices_and_removes_one_whose_open_page_is_locked(served):
    pin = {"pin": served.pins.pin}
    phone, own = (
        (served.post("/pin", pin, user_agent=agent).headers["Set-Cookie"] or "").partition(";")[0]
        for agent in (ANDROID, MAC)
    )
    with served.talk(phone) as talk:
        listed = served.post("/devices?lang=de", {}, cookie=own).shown["devices"]
        assert [(text, mine) for _, text, _, mine in listed] == [
            ("Chrome auf Android", False),
            ("Firefox auf Mac", True),
        ]
        left = served.post("/devices", {"remove": listed[0][0]}, cookie=own).shown["devices"]
        assert left == [[listed[1][0], "Firefox on Mac", listed[1][2], True]]
        with closed_with(1008):
            talk.until(lambda _: False)
    with served.talk(phone) as talk:
        assert talk.locked
    here = served.post("/devices", {"remove": "../page-pin.json"}, address="127.0.0.1")
    assert [mine for *_, mine in here.shown["devices"]] == [False]
    assert served.pins.path.exists()


def test_only_who_controls_lists_and_removes_until_the_device_stops_playing(served):
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
    served.post("/forget", cookie=cookie)
    assert served.pins.devices.listed() == []
    # A copy of the cookie is void too.
    assert served.post("/devices", {}, cookie=cookie).status == 403
