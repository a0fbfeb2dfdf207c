"""Readings of touch chips become touches: scanning, retries, debouncing, presence, anomalies.

Owns what counts as a touch and which electrodes can be trusted. Must not know the computer that the
chips are connected to, nor what a touch means in a game.
"""

from hal.sensing.anomalies import TouchAnomalies
from hal.sensing.sensor_array import SensorArray
from hal.sensing.touch import Debouncer, TouchFilter
