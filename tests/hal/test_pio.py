"""The emulated PIO: what programs make of words, and what pixels make of that."""

import pytest

from hal.drivers.ws2812 import CLOCK_HZ
from tests.helpers.boards.pixel_receiver import WS2812B
from tests.helpers.pico.pio import PioError, Program, StateMachine
from tests.helpers.pico.strip import EmulatedPioStrip

PIN = 22
# The program for WS2812 of Raspberry Pi's own examples, as their assembler gives it:
# out x, 1 side 0 [2]; jmp !x, 3 side 1 [1]; jmp 0 side 1 [4]; nop side 0 [4].
EXAMPLE = (0x6221, 0x1123, 0x1400, 0xA442)
# The same in four clocks a bit: high for one or two of them.
SHORT = (0x6121, 0x1023, 0x1000, 0xA042)


def program(words):
    return Program(
        words=words,
        side_pin=PIN,
        wrap_target=0,
        wrap=len(words) - 1,
        pull_bits=8,
        shift_right=False,
    )


def word(level):
    """What a byte written by DMA is in the FIFO: four times itself."""
    return level * 0x01010101


def strip(pixels, hz=CLOCK_HZ):
    made = EmulatedPioStrip(PIN, pixels, "GRB")
    made.set_up(0, program(SHORT), hz)
    made.activate(0, 1)
    return made


def shown(strip, *levels):
    strip.feed(0, tuple(map(word, levels)), 0)
    strip.settle(20_000)
    return strip.chain.levels


def test_machine_runs_the_published_program_clock_by_clock():
    machine = StateMachine(program(EXAMPLE), PIN)
    # The low of a bit begins with the two clocks that are left of the one before, and its own.
    low, high = "000", {"0": "11" + "00000", "1": "11" + "11111"}
    expected = "".join(low + high[bit] for bit in "10100101")
    assert machine.feed((word(0b10100101),)).levels == expected


def test_machine_refuses_what_is_not_emulated():
    with pytest.raises(PioError, match="is not emulated"):
        StateMachine(program((0x2080,)), PIN)


def test_strip_knows_every_level():
    levels = bytes(range(256)) + bytes(2)
    assert shown(strip(256 // 3 + 1), *levels) == levels


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
