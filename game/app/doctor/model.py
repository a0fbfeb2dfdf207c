"""Which Raspberry Pi this is, told from the name that its device tree gives.

A data table with its reader. Must not read files.
"""

from dataclasses import dataclass
from enum import Enum

_PI = "Raspberry Pi "


class Family(Enum):
    """Tell apart the Pis that need different things."""

    ZERO_2 = "Zero 2 W"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    OTHER = "another"


@dataclass(frozen=True, slots=True)
class Model:
    """Name a Pi, and the sections of config.txt ("[pi4]") that hold for it."""

    name: str
    family: Family
    filters: frozenset[str]


# The beginning of the name after "Raspberry Pi ", the first that fits; the sections are those of
# Raspberry Pi's documentation of config.txt, "Model Filters".
_MODELS = (
    ("Zero 2", Family.ZERO_2, "pi0 pi0w pi02"),
    ("Zero W", Family.OTHER, "pi0 pi0w"),
    ("Zero", Family.OTHER, "pi0"),
    ("2", Family.OTHER, "pi2"),
    ("3 Model A Plus", Family.THREE, "pi3 pi3+"),
    ("3 Model B Plus", Family.THREE, "pi3 pi3+"),
    ("3", Family.THREE, "pi3"),
    ("Compute Module 3", Family.THREE, "pi3"),
    ("400", Family.FOUR, "pi4 pi400"),
    ("4", Family.FOUR, "pi4"),
    ("Compute Module 4S", Family.FOUR, "pi4 cm4s"),
    ("Compute Module 4", Family.FOUR, "pi4 cm4"),
    ("500", Family.FIVE, "pi5 pi500"),
    ("5", Family.FIVE, "pi5"),
    ("Compute Module 5", Family.FIVE, "pi5 cm5"),
    ("Compute Module", Family.OTHER, "pi1"),
    ("Model", Family.OTHER, "pi1"),
)


def model_of(name: str) -> Model | None:
    """Tell the model by the device tree's name for it; None when it is no Raspberry Pi."""
    if not name.startswith(_PI):
        return None
    short = name.removeprefix(_PI)
    for begin, family, filters in _MODELS:
        if short.startswith(begin):
            return Model(name, family, frozenset(filters.split()))
    return Model(name, Family.OTHER, frozenset())
