"""The firmware, run by its own loop on the quick emulated Pico, and the host's client."""

import struct
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random

import pytest

from firmware import messages as m
from firmware.channel import MOST_WAITING, SILENCE_MS
from firmware.lights import AGAIN_MS, BREATH_MS
from firmware.scanner import STUCK_MS
from hal.backends.coprocessor.client import Client
from hal.backends.coprocessor.platform import wiring_of
from hal.base.errors import LinkFault
from hal.drivers.mpr121_registers import SATURATED_COUNTS, SHORTED_COUNTS, set_up_blocks
from hal.sim.body import Body
from tests.helpers.boards.bad_wires import fail, garble
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.profile_text import SMALL_ON_PICO, load_text
from tests.helpers.pico.backend import LockstepPort
from tests.helpers.pico.quick import EmulatedPico, QuickHardware

BOARD = load_text(SMALL_ON_PICO)
A, B = 0x5A, 0x5B
DARK = bytes(12)
MINUTE_S = 60.0
SILENCE_S = SILENCE_MS / 1000
BLOCKS = set_up_blocks(BOARD.measuring, {}, {})
MODE = BLOCKS[-1][1][0]


class Bench:
    """A Pico under a board of two chips, and a host.

    `shown` has what the strip took, and when, `states` what the host was told, `met` how much of
    that came before it was ready.
    """

    def __init__(self, flash: Path) -> None:
        self.clock = FakeClock()
        self.body = Body(BOARD, self.clock(), seed=1)
        self.pico = EmulatedPico(BOARD, self.body, self.clock, flash=flash)
        self.shown: list[tuple[float, bytes]] = []
        self.reads: list[tuple[float, int, int]] = []
        self.pico.platform.show = lambda levels: self.shown.append((self.pico.time_s, levels))
        for number in (0, 1):
            self._record(self.bus(number))
        self.states: list[m.State] = []
        self.met = 0
        self.client = self.greeted(1)

    def greeted(self, seed: int) -> Client:
        """Make a host that has not greeted the Pico yet."""
        port = partial(LockstepPort, self.pico, self.clock.pass_time)
        client = Client("", self.clock, lambda *_: port(), Random(seed), lambda: None)
        client.on_report = lambda report: self.states.append(report.state)
        return client

    def _record(self, bus) -> None:
        whole = bus._transfer

        def transfer(address, data, count):
            if count is not None:
                self.reads.append((self.pico.time_s, address, data[0]))
            return whole(address, data, count)

        bus._transfer = transfer

    def bus(self, number: int):
        return self.pico.platform.bus(number)

    def wire(self, **changes) -> list[tuple[int, int]]:
        """Send the wiring with some changes; give the chips that were found."""
        wiring = wiring_of(BOARD, BOARD.pico)._replace(**changes)
        return m.unpack_found(self.client.call(m.WIRING, m.pack_wiring(wiring)).payload)[1]

    def set_up(self, chip: int) -> int:
        payload = m.pack_set_up(chip, MODE, BLOCKS)
        return m.unpack_result(self.client.call(m.SET_UP, payload).payload)[1]

    def read(self, chip: int, register: int, count: int) -> tuple[int, bytes]:
        payload = m.pack_read(chip, register, count)
        return m.unpack_result(self.client.call(m.READ, payload).payload)[1:]

    def meet(self, **changes) -> None:
        """Greet the Pico, wire it, and set up both chips."""
        self.client.open(6.0)
        self.wire(**changes)
        assert (self.set_up(0), self.set_up(1)) == (0, 0)
        self.run(0.6)
        self.met = len(self.states)
        self.reads.clear()

    def run(self, seconds: float) -> None:
        """Let both ends run."""
        end_s = self.clock() + seconds
        while self.clock() < end_s:
            self.client.attend()
            self.clock.pass_time(0.002)
            self.pico.settle()

    def silence(self, seconds: float) -> list[bytes]:
        """Let the firmware run without its host; give what the strip took meanwhile."""
        before = len(self.shown)
        self.clock.pass_time(seconds)
        self.pico.settle()
        return [levels for _, levels in self.shown[before:]]

    def state(self) -> m.State:
        """Let both ends run; give the newest state of all."""
        self.run(0.6)
        return self.states[-1]

    def health(self) -> list[int]:
        return [chip.health for chip in self.state().chips]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_wiring_is_answered_by_the_chips_that_answer(bench):
    bench.client.open(6.0)
    bench.bus(0).cut_off(5)
    bench.bus(1).stuck = True
    assert bench.wire() == [(0, A)]
    bench.bus(1).stuck = False
    bench.bus(1).attach(0x20, bench.body.chips["A"])
    assert bench.wire(poll_ms=100) == [(0, A), (1, B)]


def test_wiring_that_is_open_leaves_chips_as_they_are_and_is_written_once(bench, monkeypatch):
    written = []
    remember = QuickHardware.remember
    monkeypatch.setattr(
        QuickHardware, "remember", lambda it, data: (written.append(data), remember(it, data))
    )
    bench.meet()
    bench.wire()
    assert bench.health() == [m.WATCHED, m.WATCHED]
    assert len(written) == 1
    bench.wire(glow=7)
    assert bench.health() == [m.ASLEEP, m.ASLEEP]
    assert len(written) == 2


def test_each_touch_is_one_state_with_its_time(bench):
    bench.meet()
    for spot in ("a1", "resign"):
        bench.body.lay(spot)
        bench.run(0.2)
    bench.body.lift("a1")
    bench.run(0.2)
    bench.body.lay("new_game")
    bench.run(0.2)
    states = bench.states[bench.met :]
    assert [(each.chips[0].touched, each.keys) for each in states] == [
        (1, 0),
        (0x201, 0),
        (0x200, 0),
        (0x200, 1),
    ]
    gaps = [after.time_ms - before.time_ms for before, after in pairwise(states)]
    assert all(100 < gap < 300 for gap in gaps), gaps


def test_health_and_odd_electrodes_are_told_until_the_chip_is_set_up_again(bench):
    bench.meet()
    bench.body.damage("a1", inf)
    assert bench.state().chips[0].odd == 1
    bench.bus(0).stuck = True
    assert bench.health() == [m.HELD, m.WATCHED]
    assert bench.set_up(0) != 0
    bench.bus(0).stuck = False
    bench.body.chips["B"].power_cycle()
    assert bench.health() == [m.HELD, m.RESET]
    bench.bus(1).detach(B)
    assert bench.set_up(1) != 0
    assert bench.set_up(0) == 0
    assert bench.health() == [m.WATCHED, m.SILENT]
    bench.reads.clear()
    bench.run(1.0)
    assert B not in {address for _, address, _ in bench.reads}
    garble(bench.bus(0), A, b"\xff")
    assert bench.set_up(0) == 5
    assert bench.health() == [m.SILENT, m.SILENT]


@pytest.mark.parametrize(
    ("counts", "odd"),
    [
        (SHORTED_COUNTS, 1),
        (SHORTED_COUNTS + 1, 0),
        (SATURATED_COUNTS - 1, 0),
        (SATURATED_COUNTS, 1),
    ],
)
def test_counts_at_the_ends_of_the_range_are_odd(bench, counts, odd):
    bench.meet()
    measures = struct.pack("<12H", counts, *(300,) * 11)
    garble(bench.bus(0), A, lambda said: measures if len(said) == len(measures) else said)
    assert bench.state().chips[0].odd == odd


@pytest.mark.parametrize(("times", "health"), [(1, m.WATCHED), (2, m.SILENT)])
def test_read_that_fails_once_is_tried_again(bench, times, health):
    bench.meet()
    fail(bench.bus(0), times)
    bench.body.lay("a1")
    state = bench.state()
    assert (state.chips[0].health, state.chips[0].touched) == (health, int(health == m.WATCHED))


@pytest.mark.parametrize(("looks", "health"), [(2, m.WATCHED), (4, m.SILENT)])
def test_change_that_two_looks_disagree_about_is_a_failed_read(bench, looks, health):
    bench.meet()
    left = [looks]

    def flicker(said: bytes) -> bytes:
        if len(said) == 2 and left[0]:
            left[0] -= 1
            return bytes([left[0] + 1, 0])
        return said

    garble(bench.bus(0), A, flicker)
    assert bench.state().chips[0].health == health
    assert not any(state.chips[0].touched for state in bench.states)


def test_chips_are_read_one_at_a_time_each_poll(bench):
    bench.meet()
    bench.run(1.0)
    touches = [(at_s, address) for at_s, address, register in bench.reads if register == 0]
    assert sorted(address for _, address in touches) == [A] * 4 + [B] * 4
    assert all(b[0] - a[0] > 0.05 for a, b in pairwise(touches))


def test_line_that_stays_low_is_read_three_rounds_and_then_now_and_then(bench):
    bench.meet(poll_ms=10_000)
    bench.body.on_line(True)
    bench.run(0.01)
    assert len(bench.reads) == 6
    bench.run(10 * STUCK_MS / 1000)
    assert 24 <= len(bench.reads) <= 26


def test_states_wait_for_room_and_the_newest_stay(bench):
    bench.meet()
    bench.pico.usb.deaf = True
    changes = MOST_WAITING + 10
    for number in range(changes):
        (bench.body.lift if number % 2 else bench.body.lay)("new_game")
        bench.run(0.01)
    bench.pico.usb.deaf = False
    bench.run(1.0)
    states = bench.states[bench.met :]
    assert [state.keys for state in states[:4]] == [1, 0, 1, 0]
    assert (len(states), states[-1].merged, states[-1].keys) == (MOST_WAITING + 1, 9, 0)


def test_message_that_cannot_be_followed_fails_in_words_and_any_is_survived(bench):
    bench.meet()
    for kind, payload, why in (
        (m.WIRING, b"", "payload of another layout"),
        (m.SET_UP, m.pack_set_up(2, 0, []), "chip 2: there are 2, counted from 0"),
        (m.READ, b"", "payload of another layout"),
        (m.READ, bytes([5, 0, 1]), "chip 5: there are 2, counted from 0"),
    ):
        with pytest.raises(ValueError, match=why):
            bench.client.call(kind, payload)
    assert bench.read(0, 0x5E, 1) == (0, bytes([MODE])), "the wiring stays"
    for kind in range(m.HELLO, 128):
        for payload in (b"", b"\xff" * 20, b"\0\0\3"):
            bench.client.post(kind, payload)
            bench.run(0.01)
    bench.run(0.5)
    assert bench.client._channel.waiting == 0


def test_unexpected_errors_are_told_and_the_board_goes_on(bench, monkeypatch):
    bench.meet()
    with monkeypatch.context() as patched:
        patched.setattr(m, "unpack_read", lambda _: 1 // 0)
        with pytest.raises(ValueError, match="ZeroDivisionError"):
            bench.read(0, 0, 1)
    assert bench.read(0, 0x5E, 1)[0] == 0


def show(bench: Bench, *runs: tuple[int, bytes], show: bool = True, clear: bool = False) -> None:
    bench.client.post(m.PIXELS, m.pack_pixels(list(runs), show, clear))


def test_levels_are_changed_in_order_and_shown_together(bench):
    bench.meet()
    bench.shown.clear()
    show(bench, (0, b"abcdefghijkl"), show=False)
    show(bench, (1, b"XY"), (2, b"Z"))
    # Changes that are not shown yet must not appear, however late the frame is.
    show(bench, (0, b"c"), show=False)
    show(bench, (0, b"d"), (12, b"x"), clear=True)
    bench.run(0.1)
    assert [levels for _, levels in bench.shown] == [b"aXZdefghijkl"]
    assert bench.client.refusals == 1
    bench.run(AGAIN_MS / 1000)
    assert [levels for _, levels in bench.shown[1:]] == [b"aXZdefghijkl"]


def test_bye_puts_all_out_until_the_next_session(bench):
    bench.meet()
    show(bench, (0, b"abc"), clear=True)
    bench.run(0.05)
    bench.client.post(m.BYE, b"")
    bench.run(0.1)
    assert bench.client._channel.waiting == 0
    bench.reads.clear()
    assert set(bench.silence(2.0)) == {DARK}
    assert bench.reads == []
    bench.client.close()
    bench.client = bench.greeted(2)
    bench.meet()
    show(bench, (0, b"abc"), clear=True)
    bench.run(0.05)
    assert bench.shown[-1][1][:3] == b"abc"


def test_silent_host_lets_the_lights_breathe_for_a_minute_and_chips_rest(bench):
    lit = 0
    for _ in range(1000):
        bench.silence(0.01)
        lit += bench.pico.platform.led
    assert 20 <= lit <= 40, "the Pico's own light blinks"
    bench.meet()
    assert bench.pico.platform.led
    glow = wiring_of(BOARD, BOARD.pico).glow
    show(bench, (0, b"abc"), clear=True)
    bench.run(0.05)
    assert {levels[:3] for levels in bench.silence(SILENCE_S - 0.5)} <= {b"abc"}
    bench.silence(0.6)
    bench.reads.clear()
    breath = bench.silence(BREATH_MS / 1000)
    assert {len(set(levels)) for levels in breath} == {1}
    assert {levels[0] for levels in breath} - {glow} == set(range(glow))
    assert bench.reads == []
    bench.silence(MINUTE_S)
    assert set(bench.silence(5.0)) == {DARK}
    with pytest.raises(LinkFault):
        bench.read(0, 0, 2)
    bench.pico.unplug(power=True)
    bench.silence(1.0)
    bench.pico.plug()
    assert max(levels[0] for levels in bench.silence(4.0)) > 10, "it remembers its wiring"


@pytest.mark.parametrize(
    "stored", [b"", bytes([m.PROTOCOL]) + b"nonsense", bytes([m.PROTOCOL + 1]) + bytes(15)]
)
def test_what_was_remembered_and_makes_no_sense_is_forgotten(tmp_path, stored):
    (tmp_path / "wiring.bin").write_bytes(stored)
    bench = Bench(tmp_path)
    assert bench.silence(5.0) == []
    bench.meet()
    assert bench.health() == [m.WATCHED, m.WATCHED]
