"""Kinds of hands, as data: how fast they are, and how often they slip.

Owns the numbers. Must not know how a slip is made (`slips`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

Span = tuple[float, float]
"""The least and the most of something, in seconds; uniformly distributed."""
Chances = Mapping[str, float]
"""The chance of each slip, by its name."""


@dataclass(frozen=True, slots=True)
class Traits:
    """One kind of hands: times in seconds, chances from 0 to 1.

    `bounce` is the chance of each contact to bounce. `placing` are the chances of slips each time
    that a stone is to be set, `moving` further ones in games with keys or moves of several touches,
    `tidying` each time that the board asks for something, and `drawing` for each draw.
    """

    reaction_s: Span
    travel_s: Span
    press_s: Span
    notice_s: Span
    bounce: float
    placing: Chances
    tidying: Chances
    drawing: Chances
    moving: Chances


_PLACING = {
    "wrong_cell": 0.03,
    "echo": 0.06,
    "slide": 0.04,
    "palm": 0.03,
    "brush": 0.04,
    "two_stones": 0.015,
    "put_and_take": 0.02,
    "hesitate": 0.03,
    "inspect": 0.03,
    "stray_key": 0.006,
    "take_back": 0.012,
    "restore": 0.012,
    "knock": 0.006,
    "unplug": 0.003,
    "prey_first": 0.08,
    "adjust": 0.02,
}
_MOVING = {"abandon": 0.06, "wrong_key": 0.02, "wrong_ring": 0.02, "two_bodies": 0.03}
_TIDYING = {
    "forget": 0.12,
    "wrong_removal": 0.05,
    "echo": 0.06,
    "slide": 0.04,
    "palm": 0.02,
    "two_at_once": 0.1,
    "take_back": 0.015,
    "knock": 0.006,
    "unplug": 0.003,
    "wrong_swap": 0.08,
}


def _scaled(chances: Chances, factor: float) -> Chances:
    return {slip: chance * factor for slip, chance in chances.items()}


HANDS: Mapping[str, Traits] = {
    name: Traits(
        *times_s,
        bounce,
        placing=_scaled(_PLACING, factor),
        tidying={**_scaled(_TIDYING, min(factor, 1.6)), "wrong_cell": hurry},
        drawing={"wrong_cell": early},
        moving=_scaled(_MOVING, factor),
    )
    # The four spans of Traits, then the chance of a bounce, of a stone during the draw, and to
    # hurry, and the factor of all other chances.
    for name, times_s, bounce, early, hurry, factor in (
        ("careful", ((0.8, 3.0), (0.5, 1.0), (0.12, 0.35), (3.0, 6.0)), 0.1, 0.02, 0.008, 0.1),
        ("hasty", ((0.15, 0.7), (0.15, 0.4), (0.06, 0.14), (1.0, 3.0)), 0.3, 0.5, 0.25, 0.7),
        ("clumsy", ((0.4, 2.0), (0.25, 0.8), (0.06, 0.45), (2.0, 8.0)), 0.4, 0.15, 0.08, 1.0),
        ("wild", ((0.1, 1.0), (0.1, 0.6), (0.06, 0.6), (0.5, 6.0)), 0.7, 0.6, 0.13, 2.2),
    )
}
"""The kinds of hands by name."""
