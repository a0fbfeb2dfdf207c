"""Masks of up to 64 cells, in plain Python.

It is not compiled: compiled modules inline the functions of `bits.pxd` instead.
"""

WORD = (1 << 64) - 1


def lowest(mask: int) -> int:
    """Return the lowest cell of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def count(mask: int) -> int:
    """Count the cells of a mask."""
    return mask.bit_count()
