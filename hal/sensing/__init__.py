"""Readings of touch chips become touches and standing stones; it decides what can be trusted."""

from hal.sensing.sensor_array import SensorArray
from hal.sensing.touch import Debouncer, TouchAnomalies, TouchFilter
