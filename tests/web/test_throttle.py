"""How long those who enter wrong PINs wait, and that no others do."""

from game.web.access.login import FORGIVEN_S, FREE_TRIES, LoginThrottle

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


def test_wrong_pins_from_many_addresses_hold_no_other_address_up():
    throttle = LoginThrottle()
    for number in range(12):
        fail(throttle, f"10.0.0.{number}", number)
    assert throttle.wait_s("10.0.0.99", 12.0) == 0
    assert all(throttle.wait_s(f"10.0.0.{number}", 12.0) > 0 for number in range(12))


def test_addresses_of_one_ipv6_network_wait_together():
    throttle = LoginThrottle()
    for number in range(FREE_TRIES):
        throttle.failed(f"fd00:0:0:1::{number:x}", 0.0)
    assert throttle.wait_s("fd00:0:0:1:ffff::9", 0.0) == 30
    assert throttle.wait_s("fd00:0:0:2::9", 0.0) == 0


def test_a_whole_home_network_guesses_less_than_three_thousand_pins_a_day():
    throttle, guesses = LoginThrottle(), 0
    due = {f"10.0.0.{number}": 0.0 for number in range(253)}
    while (now := min(due.values())) < DAY_S:
        address = min(due, key=due.__getitem__)
        throttle.failed(address, now)
        guesses += 1
        due[address] = now + max(1.0, throttle.wait_s(address, now))
        assert throttle.wait_s("10.0.0.254", now) == 0
    assert guesses < 3000


def test_networks_are_forgotten_after_a_day():
    throttle = LoginThrottle()
    for number in range(100):
        throttle.failed(f"10.0.0.{number}", number)
    throttle.failed("10.0.1.1", FORGIVEN_S + 100.0)
    assert len(throttle._failures) == 1
