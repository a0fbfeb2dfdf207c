"""Board profiles: the electrodes, pixels, pins and chips of a board, read and written as TOML.

Owns the format of a profile file and of the file of learned settings. Must not know how touches are
sensed, how pixels are driven, or games.
"""

from hal.profile import writer
from hal.profile.memory import BoardMemory, Tuning
from hal.profile.profile import (
    CHARGE_TIMES_US,
    ELECTRODES,
    FIRST_ADDRESS,
    FIRST_MUX,
    HEADER_BUS,
    LAST_ADDRESS,
    LAST_MUX,
    MOST_CHIPS,
    MOST_PIXELS,
    MUX_CHANNELS,
    SPI_DRIVER,
    BusPins,
    Chip,
    Electrode,
    Key,
    Measuring,
    Night,
    Pico,
    Pin,
    Profile,
    Sensing,
    Strip,
)
from hal.profile.reader import built_in, built_in_names, load, read_as
