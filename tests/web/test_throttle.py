"""How long clients that enter wrong PINs wait, and that no others wait."""

from dataclasses import replace
from pathlib import Path

from game.web.access import Caller, Login, Pins
from game.web.access.login import ALL_TRIES, FORGIVEN_S, FREE_TRIES, LoginThrottle

DAY_S = 24 * 3600


def fail(throttle: LoginThrottle, address: str, now: float, times: int = FREE_TRIES) -> None:
    for _ in range(times):
        throttle.failed(address, now)


def test_throttle_waits_twice_as_long_each_time_up_to_a_limit():
    throttle, now, waits = LoginThrottle(), 0.0, []
    for _ in range(FREE_TRIES + 7):
        assert throttle.wait_s("10.0.0.1", now) == 0
        throttle.failed("10.0.0.1", now)
        waits.append(throttle.wait_s("10.0.0.1", now))
        now += waits[-1]
    assert waits == [0] * (FREE_TRIES - 1) + [30, 60, 120, 240, 480, 900, 900, 900]
    assert throttle.wait_s("10.0.0.2", now) == 0


def test_right_pin_and_a_day_of_rest_forgive():
    throttle = LoginThrottle()
    fail(throttle, "10.0.0.1", 0.0)
    fail(throttle, "10.0.0.2", 0.0)
    throttle.succeeded("10.0.0.1")
    assert throttle.wait_s("10.0.0.1", 1.0) == 0
    assert throttle.wait_s("10.0.0.2", 1.0) == 29
    throttle.failed("10.0.0.2", FORGIVEN_S)
    assert throttle.wait_s("10.0.0.2", FORGIVEN_S) == 0


def test_addresses_of_one_ipv6_network_wait_together():
    throttle = LoginThrottle()
    for number in range(FREE_TRIES):
        throttle.failed(f"fd00:0:0:1::{number:x}", 0.0)
    assert throttle.wait_s("fd00:0:0:1:ffff::9", 0.0) == 30
    assert throttle.wait_s("fd00:0:0:2::9", 0.0) == 0


def test_many_networks_together_guess_less_than_three_thousand_pins_a_day():
    throttle, guesses = LoginThrottle(), 0
    for now in range(0, DAY_S, 60):
        # Each guess from an address that has not guessed before.
        while not throttle.wait_s(address := f"10.0.{guesses // 256}.{guesses % 256}", now):
            throttle.failed(address, now)
            guesses += 1
    assert guesses < 3000


def test_device_with_a_token_enters_the_right_pin_whatever_others_guess(tmp_path: Path):
    pins = Pins(tmp_path)
    login, wrong = Login(pins, lambda: 0.0), "no PIN"
    phone, token = Caller("192.168.1.7", "192.168.1.5", 8765), pins.token()
    for number in range(ALL_TRIES):
        login.answer(replace(phone, client=f"10.0.{number // 256}.{number % 256}"), wrong)
    assert login.answer(phone, pins.pin).status_code == 429
    assert login.answer(replace(phone, token=token), pins.pin).status_code == 204
