"""Kinds of hands, as data: how fast they are, and how often they do what they should not.

Owns the numbers. Must not know how a slip is made with fingers (`fingers`), nor when (`person`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

Span = tuple[float, float]
"""The least and the most of something, in seconds; anything in between is as likely."""


class Slip(Enum):
    """Name what hands do beside what they are shown."""

    WRONG_CELL = "wrong_cell"
    """Set a stone where none may be set."""
    ECHO = "echo"
    """Touch the same cell once more by a trembling finger."""
    SLIDE = "slide"
    """Go on over the neighbours before the finger, or the stone, is lifted."""
    PALM = "palm"
    """Rest a hand on the board."""
    BRUSH = "brush"
    """Graze a cell beside."""
    TWO_STONES = "two_stones"
    """Set two stones at once."""
    PUT_AND_TAKE = "put_and_take"
    """Set a stone and take it back within a second."""
    HESITATE = "hesitate"
    """Put the finger, or the stone, down, and then go somewhere else."""
    INSPECT = "inspect"
    """Hold a finger on a stone."""
    STRAY_KEY = "stray_key"
    """Hit a key that asks for something big."""
    TAKE_BACK = "take_back"
    """Want some moves back, by the key."""
    RESTORE = "restore"
    """Want some moves back, and put the stones back as they stood."""
    KNOCK = "knock"
    """Knock over a part of the board."""
    UNPLUG = "unplug"
    """Pull the plug, and put it back."""
    EARLY = "early"
    """Set a stone while it is drawn who begins."""
    FORGET = "forget"
    """Leave stones that were eaten, until the lights have insisted for long enough."""
    WRONG_REMOVAL = "wrong_removal"
    """Take a stone that was not eaten."""
    HURRY = "hurry"
    """Set the next stone before all that were eaten are gone."""
    TWO_AT_ONCE = "two_at_once"
    """Take two stones at once, with two hands."""
    PREY_FIRST = "prey_first"
    """Lift what is about to be eaten, and then set the stone that eats it."""
    ADJUST = "adjust"
    """Lift a stone and set it down where it stood."""
    ABANDON = "abandon"
    """Leave a move that has begun, and begin another."""
    WRONG_KEY = "wrong_key"
    """Press a key of the game that is not meant."""
    WRONG_RING = "wrong_ring"
    """Turn a ring that is to stay."""
    WRONG_SWAP = "wrong_swap"
    """Put a wrong piece for one that is to be exchanged."""
    TWO_BODIES = "two_bodies"
    """Lift two pieces at once to move them."""


BY_TOUCH_ONLY = frozenset({Slip.INSPECT})
BY_STONES_ONLY = frozenset({Slip.RESTORE, Slip.BRUSH, Slip.PREY_FIRST, Slip.ADJUST})


@dataclass(frozen=True, slots=True)
class Traits:
    """Hold one kind of hands: times in seconds, chances from 0 to 1.

    `bounce` is the chance of each contact to bounce. `placing` are the chances of slips each time
    that a stone is to be set, `moving` further ones in games with keys or moves of several touches,
    `tidying` each time that the board shows something to be done, and `drawing` for each draw.
    """

    reaction_s: Span
    travel_s: Span
    press_s: Span
    notice_s: Span
    bounce: float
    placing: Mapping[Slip, float] = field(default_factory=dict)
    tidying: Mapping[Slip, float] = field(default_factory=dict)
    drawing: Mapping[Slip, float] = field(default_factory=dict)
    moving: Mapping[Slip, float] = field(default_factory=dict)


_PLACING = MappingProxyType(
    {
        Slip.WRONG_CELL: 0.03,
        Slip.ECHO: 0.06,
        Slip.SLIDE: 0.04,
        Slip.PALM: 0.03,
        Slip.BRUSH: 0.04,
        Slip.TWO_STONES: 0.015,
        Slip.PUT_AND_TAKE: 0.02,
        Slip.HESITATE: 0.03,
        Slip.INSPECT: 0.03,
        Slip.STRAY_KEY: 0.006,
        Slip.TAKE_BACK: 0.012,
        Slip.RESTORE: 0.012,
        Slip.KNOCK: 0.006,
        Slip.UNPLUG: 0.003,
        Slip.PREY_FIRST: 0.08,
        Slip.ADJUST: 0.02,
    }
)
_MOVING = MappingProxyType(
    {
        Slip.ABANDON: 0.06,
        Slip.WRONG_KEY: 0.02,
        Slip.WRONG_RING: 0.02,
        Slip.TWO_BODIES: 0.03,
    }
)
_TIDYING = MappingProxyType(
    {
        Slip.FORGET: 0.12,
        Slip.WRONG_REMOVAL: 0.05,
        Slip.HURRY: 0.08,
        Slip.ECHO: 0.06,
        Slip.SLIDE: 0.04,
        Slip.PALM: 0.02,
        Slip.TWO_AT_ONCE: 0.1,
        Slip.TAKE_BACK: 0.015,
        Slip.KNOCK: 0.006,
        Slip.UNPLUG: 0.003,
        Slip.WRONG_SWAP: 0.08,
    }
)


def _scaled(chances: Mapping[Slip, float], factor: float) -> Mapping[Slip, float]:
    return MappingProxyType({slip: chance * factor for slip, chance in chances.items()})


HANDS: Mapping[str, Traits] = MappingProxyType(
    {
        "careful": Traits(
            reaction_s=(0.8, 3.0),
            travel_s=(0.5, 1.0),
            press_s=(0.12, 0.35),
            notice_s=(3.0, 6.0),
            bounce=0.1,
            placing=_scaled(_PLACING, 0.1),
            tidying=_scaled(_TIDYING, 0.1),
            drawing={Slip.EARLY: 0.02},
            moving=_scaled(_MOVING, 0.1),
        ),
        "hasty": Traits(
            reaction_s=(0.15, 0.7),
            travel_s=(0.15, 0.4),
            press_s=(0.06, 0.14),
            notice_s=(1.0, 3.0),
            bounce=0.3,
            placing=_scaled(_PLACING, 0.7),
            tidying={**_scaled(_TIDYING, 0.7), Slip.HURRY: 0.25},
            drawing={Slip.EARLY: 0.5},
            moving=_scaled(_MOVING, 0.7),
        ),
        "clumsy": Traits(
            reaction_s=(0.4, 2.0),
            travel_s=(0.25, 0.8),
            press_s=(0.06, 0.45),
            notice_s=(2.0, 8.0),
            bounce=0.4,
            placing=_PLACING,
            tidying=_TIDYING,
            drawing={Slip.EARLY: 0.15},
            moving=_MOVING,
        ),
        "wild": Traits(
            reaction_s=(0.1, 1.0),
            travel_s=(0.1, 0.6),
            press_s=(0.06, 0.6),
            notice_s=(0.5, 6.0),
            bounce=0.7,
            placing=_scaled(_PLACING, 2.2),
            tidying=_scaled(_TIDYING, 1.6),
            drawing={Slip.EARLY: 0.6},
            moving=_scaled(_MOVING, 2.2),
        ),
    }
)
"""The kinds of hands by name, from those that hardly ever slip to those that do all the time."""
