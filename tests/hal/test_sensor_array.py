"""In what order chips are read, and when reading ends, on scripted chips."""

from itertools import chain, repeat
from unittest.mock import Mock

from hal.drivers.reading import Reading
from hal.profile import BoardMemory, built_in
from hal.sensing import SensorArray


def test_chips_are_read_until_the_line_is_released():
    profile, chips = built_in(), []

    def open_chip(place):
        chip = Mock(automatic=False, chip=place)
        chip.touched.return_value = frozenset()
        chip.suspect.return_value = False
        chip.readings.return_value = (Reading(0, 0, False),) * 12
        chips.append(chip)
        return chip

    lows = repeat(False)
    array = SensorArray(profile, open_chip, lambda: next(lows), BoardMemory(), 0.0)
    array.scan(0.0)
    assert {chip.touched.call_count for chip in chips} == {1}
    lows = chain([True, True], repeat(False))
    array.scan(0.01)
    assert [chip.touched.call_count - 1 for chip in chips] == [1, 1, 0, 0, 0, 0]
