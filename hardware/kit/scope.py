"""For which boards there are kits: those whose guide can give every fact that a maker needs.

Owns what is refused for want of such a fact, before any work begins. Must not know places.
"""

from hal.profile import Profile
from hardware.kit.errors import KitError

_SPI_PIN = 10
_BUSES = (1, 3)
"""The buses of a Raspberry Pi that the guide sets up."""
_MOST_UNLIT = 10


def check_scope(profile: Profile) -> None:
    """Raise KitError for a board whose guide would leave something open."""
    strip = profile.strip
    if strip.driver == "spi" and strip.pin != _SPI_PIN:
        raise KitError(
            f"[strip] pin is {strip.pin}, whose SPI is a matter of the computer's settings: allowed"
            f" with a kit is {_SPI_PIN}"
        )
    for chip in profile.chips:
        if profile.pico is None and chip.bus not in _BUSES:
            raise KitError(
                f"chip {chip.name} is on bus {chip.bus}, whose pins are a matter of the computer's"
                " settings: allowed with a kit are buses 1 and 3"
            )
    unlit = profile.pixel_count - len(profile.pixels)
    if unlit > _MOST_UNLIT:
        raise KitError(
            f"[strip] pixels is {profile.pixel_count}, of which {unlit} light nothing, so that"
            f" their places are unknown: allowed with a kit are up to {_MOST_UNLIT} such pixels"
        )
