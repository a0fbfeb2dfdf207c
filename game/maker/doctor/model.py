"""The models of Raspberry Pi, recognised by the name in the device tree. Must not read files."""

from dataclasses import dataclass
from enum import Enum

_PI = "Raspberry Pi "


class Family(Enum):
    """Tell apart the Pis that need different settings."""

    ZERO_2 = "Zero 2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Model:
    """Name a Pi and its family, and the `sections` of config.txt that apply to it."""

    name: str
    family: Family
    sections: frozenset[str] = frozenset()


# How the name goes on after "Raspberry Pi ", and the sections that apply (documentation of
# config.txt, "Model Filters"). The first that fits: a Pi 400 is a 4, a Zero W is none of these.
_MODELS = {
    "Zero 2": (Family.ZERO_2, "pi0 pi0w pi02"),
    "Compute Module 0": (Family.ZERO_2, "pi0 pi0w pi02 cm0"),
    "3 Model A Plus": (Family.THREE, "pi3 pi3+"),
    "3 Model B Plus": (Family.THREE, "pi3 pi3+"),
    "3": (Family.THREE, "pi3"),
    "Compute Module 3 Plus": (Family.THREE, "pi3 pi3+ cm3+"),
    "Compute Module 3": (Family.THREE, "pi3 cm3"),
    "400": (Family.FOUR, "pi4 pi400"),
    "4": (Family.FOUR, "pi4"),
    "Compute Module 4S": (Family.FOUR, "pi4 cm4s"),
    "Compute Module 4": (Family.FOUR, "pi4 cm4"),
    "500": (Family.FIVE, "pi5 pi500"),
    "5": (Family.FIVE, "pi5"),
    "Compute Module 5": (Family.FIVE, "pi5 cm5"),
}


def model_of(name: str) -> Model | None:
    """Recognise a model by its name in the device tree; None for other computers."""
    if not name.startswith(_PI):
        return None
    rest = name.removeprefix(_PI)
    for begin, (family, sections) in _MODELS.items():
        if rest.startswith(begin):
            return Model(name, family, frozenset(sections.split()))
    return Model(name, Family.OTHER)
