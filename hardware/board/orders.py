"""Files to order an assembled board: the list of parts and their placements."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby

from hardware.board.circuit import Part


def parts_list(parts: Iterable[Part]) -> str:
    """Write the list of parts to buy (BOM), a line for each kind, as CSV.

    JLCPCB's columns come first; an unknown LCSC number is left empty.
    """
    head = ["Comment", "Designator", "Footprint", "JLCPCB Part #", "Quantity"]
    head += ["Manufacturer", "Part number", "Alternate", "Alternate JLCPCB Part #"]
    bought = sorted((part for part in parts if part.kind.bought), key=_order)
    rows = []
    for kind, same in groupby(bought, key=lambda part: part.kind):
        references = [part.reference for part in same]
        other = kind.alternate
        rows.append(
            [
                *(kind.value, ",".join(references), kind.footprint.partition(":")[2]),
                *(kind.lcsc, len(references)),
                *(kind.manufacturer, kind.part_number),
                *((other.part_number, other.lcsc) if other else ("none", "")),
            ]
        )
    return _csv([head, *rows])


def placements(parts: Iterable[Part]) -> str:
    """Write where the middles of parts' pads are (CPL) as CSV, in mm from the board's middle, y up.

    Rotations on the lower side are counted as JLCPCB does, mirrored left to right; parts whose reel
    is turned have to be corrected in JLCPCB's preview.
    """
    head = ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]
    rows = [
        [
            *(part.reference, f"{middle.x:.4f}mm", f"{0.0 - middle.y:.4f}mm", "Bottom"),
            f"{(180 - middle.turn) % 360:g}",
        ]
        for part in parts
        if part.kind.bought
        for middle in [part.spot.at(*part.kind.centre)]
    ]
    return _csv([head, *rows])


def _order(part: Part) -> tuple[str, str, str, int]:
    letters = part.reference.rstrip("0123456789")
    kind = part.kind
    return letters, kind.value, kind.footprint, int(part.reference.removeprefix(letters))


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
