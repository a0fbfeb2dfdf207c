"""In what order chips are read, and when reading ends, on scripted chips."""

from itertools import chain, repeat

from hal.drivers.reading import Reading
from hal.profile import BoardMemory, Chip, built_in
from hal.sensing import SensorArray


class ScriptedChip:
    """A chip with nothing on it; counts how often its touches are read."""

    automatic = False

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.looks = 0

    def set_up(self, *_: object) -> None:
        """Take any settings."""

    def touched(self) -> frozenset[int]:
        self.looks += 1
        return frozenset()

    def check(self) -> None:
        """Do nothing: the chip is well."""

    def suspect(self, _now: float) -> bool:
        return False

    def readings(self, *_: object, **__: object) -> tuple[Reading, ...]:
        return (Reading(0, 0, False),) * 12

    def charges(self) -> dict[int, object]:
        return {}


def test_chips_are_read_until_the_line_is_released():
    profile, chips = built_in(), []

    def open_chip(chip: Chip) -> ScriptedChip:
        chips.append(ScriptedChip(chip))
        return chips[-1]

    lows = repeat(False)
    array = SensorArray(profile, open_chip, lambda: next(lows), BoardMemory(), 0.0)
    array.scan(0.0)
    assert {chip.looks for chip in chips} == {1}
    lows = chain([True, True], repeat(False))
    array.scan(0.01)
    assert [chip.looks - 1 for chip in chips] == [1, 1, 0, 0, 0, 0]
