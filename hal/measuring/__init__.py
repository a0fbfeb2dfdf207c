"""Thresholds and charge settings from measurements of a real board, and traces of them.

Owns the calibration. Must not know how readings are taken or where settings are stored.
"""
