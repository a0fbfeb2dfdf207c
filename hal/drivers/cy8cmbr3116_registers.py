"""The registers of a CY8CMBR3116 touch chip: its settings as bytes, and the meaning of its answers.

Owns the encoding. Pure. Must not know how a chip is reached. Electrode n is input CSn, 0 to 11.

Sources: the data sheet 001-85330, revision *Q (DS, with its page); Cypress's own
CY8CMBR3xxx_Registers.h 1.00 for addresses and commands; SparkFun's CY8CMBR3 library 1.0.0 for the
fields within a register, the sensitivities, and the numbers of errors; the Zephyr driver
cy8cmbr3xxx for the order of writing, saving and resetting. The registers' manual 001-90412 could
not be read. Unchecked therefore:

- A finger threshold may be 31 to 200.
- A touch begins at threshold + hysteresis and ends below threshold - hysteresis. The maker's guide
  to an older family (001-78329, equation 3-1) says so.
- SENSOR_DEBOUNCE counts the scans that must agree, from 1.
- The CRC goes over 0x00 to 0x7D, polynomial 0x1021, from 0xFFFF; open drivers agree on that.
"""

from binascii import crc_hqx
from collections.abc import Mapping

from hal.base.errors import SensorFault
from hal.drivers.reading import SHORTED_COUNTS, Reading
from hal.profile import ELECTRODES, Measuring
from hal.profile.memory import Tuning
from hal.profile.profile import FINGER_COUNTS

SETTINGS = (0x00, 128)
"""Address and length of all settings, with their CRC at the end."""
_SENSOR_EN = 0x00  # 16 bits, the lower byte first
_FSS_EN, _TOGGLE_EN, _LED_ON_EN = 0x02, 0x04, 0x06  # 16 bits each
_SENSITIVITY = 0x08  # two bits a sensor
_FINGER_THRESHOLD = 0x0C
_SENSOR_DEBOUNCE = 0x1C
_BUTTON_HYS = 0x1D
_PROX_EN = 0x26
_SPO_CFG = 0x4C
_DEVICE_CFG1 = 0x4E
_REFRESH_CTRL = 0x52
_CONFIG_CRC = 0x7E
CRC = (_CONFIG_CRC, 2)
"""Address and length of the CRC of the settings."""

COMMAND = 0x86
SAVE, RESET = 2, 255
"""Commands: save the settings if their CRC fits, start anew."""
COMMAND_STATE = (COMMAND, 4)
"""Address and length of the command, until it is carried out, and of its error."""
FAMILY_ID = (0x8F, 1)
FAMILY = 154
"""What every chip of the family CY8CMBR3xxx says there."""
TOUCHES = (0xAA, 2)
"""Address and length of BUTTON_STAT."""
_SNS_CP_HIGH = 0x98  # then shorts to VDD, to ground and to another sensor: 16 bits each
_SYNC_COUNTER0 = 0xB9
_DIFFERENCES = 0xBA  # 16 bits a sensor
_SYNC_COUNTER1 = 0xDB
MEASURES = (_SNS_CP_HIGH, _SYNC_COUNTER1 + 1 - _SNS_CP_HIGH)
"""Address and length of what the last start has found wrong, and of the measurements."""

EMPTY_COUNTS = 605
"""The reading of an empty electrode. The chip tells by how much a capacitance has risen, not what
it is: readings lie that much below this level, which is where an MPR121 is set to read."""

# 50 counts for 0.2 pF, at 5 to 45 pF (DS p. 27): the finest step that suits electrodes below 12 pF.
_SENSITIVITY_CODE = 0b01
_HOST_INTERRUPT = 4  # SPO0: pin 23
_OWN_HYSTERESIS, _MOST_HYSTERESIS = 0x80, 31
# System diagnostics (DEVICE_CFG1); no shield, guard, EMC, automatic threshold or automatic reset
# (2): those would change thresholds, or end a touch after 5 s; regulated from 3.3 V (3).
_DEVICE = bytes([1, 0, 0])


def settings(held: bytes, measuring: Measuring, tunings: Mapping[int, Tuning]) -> bytes:
    """Give the settings that a chip should have, from those that it holds.

    What is not ours stays as it is. One hysteresis serves all electrodes: half the distance of the
    profile's two thresholds.
    """
    distance = measuring.touch_threshold - measuring.release_threshold
    hysteresis = max(1, min(_MOST_HYSTERESIS, distance // 2))
    own = {
        _SENSOR_EN: ((1 << ELECTRODES) - 1).to_bytes(2, "little"),
        _FSS_EN: bytes(2),
        _TOGGLE_EN: bytes(2),
        _LED_ON_EN: bytes(2),
        _SENSITIVITY: bytes([_SENSITIVITY_CODE * 0b01010101] * (ELECTRODES // 4)),
        _FINGER_THRESHOLD: bytes(
            _touch_counts(measuring, tunings.get(number)) - hysteresis
            for number in range(ELECTRODES)
        ),
        _SENSOR_DEBOUNCE: bytes([measuring.touch_debounce + 1]),
        _BUTTON_HYS: bytes([_OWN_HYSTERESIS | hysteresis]),
        _PROX_EN: bytes(1),
        _SPO_CFG: bytes([_HOST_INTERRUPT]),
        _DEVICE_CFG1: _DEVICE,
        _REFRESH_CTRL: bytes([1]),  # x 20 ms, also while nothing is touched
    }
    wanted = bytearray(held)
    for register, values in own.items():
        wanted[register : register + len(values)] = values
    wanted[_CONFIG_CRC:] = crc_hqx(bytes(wanted[:_CONFIG_CRC]), 0xFFFF).to_bytes(2, "little")
    return bytes(wanted)


def steady(answer: bytes | bytearray) -> bool:
    """Tell whether the bytes at MEASURES are of one scan."""
    first, last = (answer[each - _SNS_CP_HIGH] for each in (_SYNC_COUNTER0, _SYNC_COUNTER1))
    return first & 0x0F == last & 0x0F


def readings_of(
    answer: bytes | bytearray, touched: frozenset[int], who: object
) -> tuple[Reading, ...]:
    """Decode all electrodes' measurements from the bytes at MEASURES; `touched` is known already.

    An electrode that the last start has found shorted reads 0. Raises SensorFault, which names
    `who`, for impossible values.
    """
    words = [answer[place] | answer[place + 1] << 8 for place in range(0, 8, 2)]
    shorted = words[0] | words[1] | words[2] | words[3]
    at = _DIFFERENCES - _SNS_CP_HIGH
    rises = [answer[at + 2 * n] | answer[at + 2 * n + 1] << 8 for n in range(ELECTRODES)]
    if any(rise == 0xFFFF for rise in rises):
        raise SensorFault(f"{who} measures {max(rises)}: allowed is 0 to {0xFFFE}")
    return tuple(
        # Two fingers may rise beyond the scale: that is no short.
        Reading(
            0 if shorted >> n & 1 else max(SHORTED_COUNTS + 1, EMPTY_COUNTS - rise),
            EMPTY_COUNTS,
            n in touched,
        )
        for n, rise in enumerate(rises)
    )


def _touch_counts(measuring: Measuring, tuning: Tuning | None) -> int:
    """Give the rise at which a touch begins; a measured one is brought into the chip's range."""
    if tuning is None or tuning.touch_threshold is None:
        return measuring.touch_threshold
    low, high = FINGER_COUNTS
    return max(low, min(high, tuning.touch_threshold))
