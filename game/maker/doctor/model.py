"""The models of Raspberry Pi, recognised by the name in the device tree. Must not read files."""

from dataclasses import dataclass
from enum import Enum

_PI = "Raspberry Pi "


class Family(Enum):
    """Tell apart the Pis that need different settings.

    The values are the sections of config.txt that apply (its documentation, "Model Filters").
    """

    ZERO_2 = frozenset({"pi0", "pi0w", "pi02"})
    THREE = frozenset({"pi3", "pi3+"})
    FOUR = frozenset({"pi4", "pi400"})
    FIVE = frozenset({"pi5", "pi500"})
    OTHER = frozenset[str]()


@dataclass(frozen=True, slots=True)
class Model:
    """Name a Pi and its family."""

    name: str
    family: Family


# How the name goes on after "Raspberry Pi ": a Pi 400 is a 4, a Zero W is none of these.
_FAMILIES = {
    "Zero 2": Family.ZERO_2,
    "3": Family.THREE,
    "Compute Module 3": Family.THREE,
    "4": Family.FOUR,
    "Compute Module 4": Family.FOUR,
    "5": Family.FIVE,
    "Compute Module 5": Family.FIVE,
}


def model_of(name: str) -> Model | None:
    """Recognise a model by its name in the device tree; None for other computers."""
    if not name.startswith(_PI):
        return None
    rest = name.removeprefix(_PI)
    found = (family for begin, family in _FAMILIES.items() if rest.startswith(begin))
    return Model(name, next(found, Family.OTHER))
