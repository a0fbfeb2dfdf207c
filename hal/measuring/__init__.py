"""Thresholds and charge settings from measurements of a real board.

Owns the calibration. Must not know how readings are taken or where settings are stored.
"""

from hal.measuring.calibrator import CalibrationPhase, Calibrator, Tunings
from hal.measuring.charge import Charge
from hal.measuring.margins import LEAST_CHANGE, LEAST_SNR, Margin, Verdict
from hal.measuring.presses import Hand
