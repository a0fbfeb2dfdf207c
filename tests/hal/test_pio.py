"""The emulated PIO: what programs make of words, and what pixels make of that."""

import pytest

from hal.drivers.ws2812 import CLOCK_HZ
from hal.sim.pico.pio import PinGroup, PioError, Program, StateMachine, clock_hz
from hal.sim.pico.strip import EmulatedPioStrip
from hal.sim.wire import WS2812B

PIN = 22
# The program for WS2812 of Raspberry Pi's own examples, as their assembler gives it:
# out x, 1 side 0 [2]; jmp !x, 3 side 1 [1]; jmp 0 side 1 [4]; nop side 0 [4].
EXAMPLE = (0x6221, 0x1123, 0x1400, 0xA442)
# The same in four clocks a bit: high for one or two of them.
SHORT = (0x6121, 0x1023, 0x1000, 0xA042)
SHORT_CODE = {"0": "1000", "1": "1100"}


def program(words, **settings):
    given = {
        "sides": PinGroup(PIN, 1),
        "optional": False,
        "outs": PinGroup(0, 0),
        "sets": PinGroup(0, 0),
        "wrap_target": 0,
        "wrap": len(words) - 1,
        "autopull": True,
        "pull_bits": 8,
        "shift_right": False,
    }
    return Program(words=tuple(words), **{**given, **settings})


def word(level):
    """What a byte written by DMA is in the FIFO: four times itself."""
    return level * 0x01010101


def strip(pixels=2, hz=CLOCK_HZ, words=SHORT, **settings):
    made = EmulatedPioStrip(PIN, pixels, "GRB")
    made.set_up(0, program(words, **settings), hz)
    made.activate(0, 1)
    return made


def shown(strip, *levels, now_us=0, rest_us=2000):
    strip.feed(0, tuple(map(word, levels)), now_us)
    strip.settle(now_us + rest_us)
    return strip.chain.levels


def test_machine_runs_the_published_program_clock_by_clock():
    machine = StateMachine(program(EXAMPLE), PIN)
    # The low of a bit begins with the two clocks that are left of the one before, and its own.
    low, high = "000", {"0": "11" + "00000", "1": "11" + "11111"}
    expected = "".join(low + high[bit] for bit in "10100101")
    assert machine.feed((word(0b10100101),)).levels == expected


def test_machine_pulls_each_word_when_the_one_before_is_out():
    machine = StateMachine(program(SHORT), PIN)
    assert machine.feed((word(1), word(2), word(3))).pulls == (0, 32, 64)


def test_machine_waits_low_for_words():
    machine = StateMachine(program(SHORT), PIN)
    machine.feed((word(255),))
    assert machine.level == 0


def test_machine_shifts_out_of_either_end():
    words = (0x6001,)  # out pins, 1
    settings = {"sides": PinGroup(0, 0), "outs": PinGroup(PIN, 1), "pull_bits": 4}
    left = StateMachine(program(words, **settings), PIN)
    right = StateMachine(program(words, shift_right=True, **settings), PIN)
    assert left.feed((0xA0000001,)).levels == "1010"
    assert right.feed((0xA0000001,)).levels == "1000"


def test_machine_counts_down_and_pulls_and_moves():
    # pull; mov x, osr; set pins, 1; jmp x--, 2; set pins, 0
    words = (0x80A0, 0xA027, 0xE001, 0x0042, 0xE000)
    settings = {"sides": PinGroup(0, 0), "sets": PinGroup(PIN, 1), "autopull": False}
    machine = StateMachine(program(words, **settings), PIN)
    assert machine.feed((2,)).levels == "00" + "11" * 3 + "0"


def test_machine_has_optional_side_sets():
    # out x, 1; nop side 1; nop side 0, with a bit more in each that enables it.
    words = (0x6021, 0xA042 | 1 << 12 | 1 << 11, 0xA042 | 1 << 12)
    machine = StateMachine(program(words, optional=True, pull_bits=2), PIN)
    assert machine.feed((0,)).levels == "010" * 2


@pytest.mark.parametrize("words", [(0x2080,), (0x4001,), (0xC000,)], ids=["wait", "in", "irq"])
def test_machine_refuses_what_is_not_emulated(words):
    with pytest.raises(PioError, match="is not emulated"):
        StateMachine(program(words), PIN)


def test_machine_that_never_asks_for_a_word_is_refused():
    with pytest.raises(PioError, match="without asking"):
        StateMachine(program((0xA042,)), PIN)


def test_clock_is_what_the_divider_makes():
    assert clock_hz(125_000_000) == 125_000_000
    assert clock_hz(CLOCK_HZ) == pytest.approx(CLOCK_HZ, rel=1e-4)
    assert clock_hz(CLOCK_HZ) != CLOCK_HZ


def test_strip_shows_what_is_fed():
    assert shown(strip(), 1, 2, 3, 250, 251, 252) == bytes([1, 2, 3, 250, 251, 252])


def test_strip_shows_nothing_before_the_line_has_rested():
    made = strip(1)
    made.feed(0, (word(9),) * 3, 0)
    made.settle(100)
    assert made.chain.levels == bytes(3)
    made.settle(700)
    assert made.chain.levels == bytes([9, 9, 9])


def test_strip_that_is_fed_again_at_once_gets_one_long_frame():
    made = strip(1)
    made.feed(0, (word(1), word(2), word(3)), 0)
    made.feed(0, (word(4), word(5), word(6)), 40)
    made.settle(2000)
    assert made.chain.levels == bytes([1, 2, 3])
    assert made.frames == 1


@pytest.mark.parametrize("hz", [2_000_000, 5_000_000])
def test_strip_refuses_another_clock(hz):
    made = strip(1, hz)
    assert shown(made, 255, 0, 255) == bytes(3)
    assert made.refused == 1
    assert WS2812B.name in made.refusal


def test_strip_hears_only_its_own_pin():
    made = strip(1, sides=PinGroup(PIN + 1, 1))
    assert shown(made, 255, 255, 255) == bytes(3)


def test_strip_takes_words_no_faster_than_it_sends_them():
    made = strip(4)
    clock_us = 1e6 / clock_hz(CLOCK_HZ)
    feeding = made.feed(0, (word(7),) * 12, 1000)
    # Four wait in the FIFO and one is being sent when the last one goes in.
    assert feeding.done_us == pytest.approx(1000 + 7 * 32 * clock_us, abs=1)
    assert made.feed(0, (), feeding.done_us).waiting == 4
    assert made.feed(0, (), 3000).waiting == 0
    assert made.busy_s == pytest.approx(12 * 32 * clock_us / 1e6)


def test_strip_that_is_unplugged_is_dark_and_hears_nothing():
    made = strip(1)
    shown(made, 5, 5, 5)
    made.unplug()
    assert made.chain.levels == bytes(3)
    assert shown(made, 6, 6, 6, now_us=5000) == bytes(3)
    made.plug()
    assert shown(made, 7, 7, 7, now_us=10_000) == bytes([7, 7, 7])


def test_strip_refuses_words_for_a_machine_that_stands():
    made = strip(1)
    made.activate(0, 0)
    with pytest.raises(ValueError, match="wait for ever"):
        made.feed(0, (word(1),), 0)


def test_strip_knows_every_level():
    made = strip(256 // 3 + 1)
    levels = bytes(range(256)) + bytes(2)
    assert shown(made, *levels, rest_us=20_000) == levels
    assert (
        "".join(SHORT_CODE[bit] for bit in f"{0xA5:08b}")
        == StateMachine(program(SHORT), PIN).feed((word(0xA5),)).levels[2:] + "00"
    )
