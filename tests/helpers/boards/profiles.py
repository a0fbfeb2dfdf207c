"""Boards for tests: MPR121 behind a multiplexer, spare electrodes, and what a frame draws."""

from dataclasses import replace
from itertools import product

from hal.lights import IDLE_MA, Frame
from hal.profile import ELECTRODES, FIRST_ADDRESS, FIRST_MUX, Electrode, Profile, built_in, load
from tests.helpers.orders import ORDERED


def board_named(name: str) -> Profile:
    """Load a profile, or make "hexagon-61-mux": three MPR121 on each of two channels.

    A coupon, which has no keys, is given one on an electrode that is left.
    """
    if name.startswith("coupon"):
        coupon = load(ORDERED / name / f"{name}.toml")
        return replace(coupon, keys={"take_back": spare_electrode(coupon)})
    if name != "hexagon-61-mux":
        return built_in(name)
    whole = built_in("hexagon-61")
    chips = tuple(
        replace(chip, bus=1, mux=FIRST_MUX, channel=number // 3, address=FIRST_ADDRESS + number % 3)
        for number, chip in enumerate(whole.chips)
    )
    return replace(whole, name=name, chips=chips)


def spare_electrode(profile: Profile) -> Electrode:
    """Find an electrode that serves neither a cell nor a key; raise StopIteration without one."""
    used = {*profile.cells.values(), *profile.keys.values()}
    names = [chip.name for chip in profile.chips]
    spare = (Electrode(name, n) for name, n in product(names, range(ELECTRODES)))
    return next(each for each in spare if each not in used)


def current_ma(frame: Frame, channel_ma: int = 20) -> float:
    """Estimate the current of a strip, in mA; for four-colour pixels it is an upper bound."""
    total = sum(each.red + each.green + each.blue for each in frame)
    return total / 255 * channel_ma + len(frame) * IDLE_MA
