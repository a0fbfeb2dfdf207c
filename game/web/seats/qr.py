"""A link as a QR code, for a phone's camera.

Must not know what a link means, nor who may see it.
"""

from functools import lru_cache
from itertools import groupby

from game.rules.base.values import Json

_QUIET = 4
"""Empty modules around a code (ISO/IEC 18004)."""


@lru_cache(maxsize=8)
def drawn(link: str) -> Json:
    """Draw a link: the length of a side in modules, and the dark ones as an SVG path."""
    # Imported late: most games have no seats, and start-up on a small computer is slow.
    import segno

    matrix = segno.make_qr(link, error="m").matrix
    path = []
    for y, row in enumerate(matrix, start=_QUIET):
        x = _QUIET
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return {"size": len(matrix) + 2 * _QUIET, "path": "".join(path)}
