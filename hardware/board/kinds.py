"""The kinds of parts, from kinds.toml: symbol, footprint, part number and an alternate."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """A kind of part. `symbol` and `footprint` are names in KiCad's own libraries.

    `part_number` and `lcsc` are "" where they are unknown, and where nothing is bought, as for a
    test point. `alternate` fits on the same footprint. `centre` is the middle of all pads relative
    to the anchor of the footprint on the bottom, unrotated, in mm, x right and y down.
    """

    symbol: str
    footprint: str
    value: str
    manufacturer: str = ""
    part_number: str = ""
    lcsc: str = ""
    alternate: "Kind | None" = None
    bought: bool = True
    centre: tuple[float, ...] = (0.0, 0.0)


_KINDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _kind(name: str) -> Kind:
    own = Kind(**{**_KINDS[name], "alternate": None})
    own = replace(own, centre=tuple(own.centre))
    other = _KINDS[name].get("alternate")
    return replace(own, alternate=replace(own, **{"lcsc": "", **other})) if other else own


MPR121, C100N = _kind("MPR121"), _kind("C100N")
LED, SHIFTER = _kind("LED"), _kind("SHIFTER")
C10U, C470U = _kind("C10U"), _kind("C470U")
R330, R1K, R2K2 = _kind("R330"), _kind("R1K"), _kind("R2K2")
R5K1, R10K, R75K = _kind("R5K1"), _kind("R10K"), _kind("R75K")
TVS, ESD, SCHOTTKY = _kind("TVS"), _kind("ESD"), _kind("SCHOTTKY")
FUSE, POLYFUSE = _kind("FUSE"), _kind("POLYFUSE")
USB_C, BUTTON = _kind("USB_C"), _kind("BUTTON")
PI_HEADER, SOCKET, BENCH_HEADER = _kind("PI_HEADER"), _kind("SOCKET"), _kind("BENCH_HEADER")
TEST_POINT, HOLE = _kind("TEST_POINT"), _kind("HOLE")
