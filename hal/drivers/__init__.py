"""Drivers of single parts: touch chips, multiplexers, I2C buses and pixels, and their contract.

Owns registers, protocols and timings, and finding chips on a bus. Must not know cells or backends.
"""
