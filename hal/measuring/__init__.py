"""Thresholds and charge settings from measurements of a real board.

Owns the calibration. Must not know how readings are taken or where settings are stored.
"""

from hal.measuring.calibrator import CalibrationPhase, Calibrator, Hand
from hal.measuring.margins import (
    FINGER_SHARES,
    LEAST_CHANGE,
    LEAST_SNR,
    STONE_SHARES,
    Charge,
    Margin,
    Noise,
    Verdict,
)
