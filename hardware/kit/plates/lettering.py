"""How much room a text takes, so that no text is put on something else.

Owns an estimate that no font of a kit goes beyond. Must not know the fonts themselves.
"""

from math import cos, radians, sin

from hardware.kit.drawing import Anchor, Label, Points

_NARROW, _WIDE = "ijlI.,:;'|![]()ftr1 ", "mwMW%@"
_BOLD = 1.12
_ASCENT, _DESCENT = 0.76, 0.22


def width_mm(text: str, size_mm: float, bold: bool = False) -> float:
    """Give how wide a text is at most."""
    return sum(map(_share, text)) * size_mm * (_BOLD if bold else 1.0)


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.66 if letter == "1" else 0.43
    if letter in _WIDE:
        return 1.02
    return 0.79 if letter.isupper() else 0.66


def corners(label: Label) -> Points:
    """Give the corners of the box around a text, as it is turned."""
    wide = width_mm(label.text, label.size_mm, label.bold)
    left = {Anchor.START: 0.0, Anchor.MIDDLE: -wide / 2, Anchor.END: -wide}[label.anchor]
    low, high = -_DESCENT * label.size_mm, _ASCENT * label.size_mm
    x, y = cos(radians(label.turn_deg)), sin(radians(label.turn_deg))
    box = ((left, low), (left + wide, low), (left + wide, high), (left, high))
    return tuple(label.at.moved(a * x - b * y, a * y + b * x) for a, b in box)
