"""Push buttons and the chips' interrupt line on GPIO pins.

Owns the reading of pins. Must not know what a key means, nor keys that are touch electrodes.
"""
