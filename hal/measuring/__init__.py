"""Thresholds and charge settings from measurements of a real board.

Owns the calibration. Must not know how readings are taken or where settings are stored.
"""
