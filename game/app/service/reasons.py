"""Why the service waits instead of playing.

Owns the kinds of reasons and which error is of which. Must not know what is done about them.
"""

from dataclasses import dataclass
from enum import Enum

from game.app.errors import AppError, Cause, StoreError
from game.app.service.look_around import Surroundings, reason
from game.rules.errors import RulesError
from hal.errors import HalError, LinkFault, ProfileError, WrongFirmware


class Why(Enum):
    """Name the kinds of reasons; the values are the names that the page knows them by."""

    UNLEARNT = "unlearnt"
    """No board has been learnt, and none was named."""
    NO_CHIPS = "no_chips"
    """Neither, and no touch chip answers with which one could be learnt."""
    NO_BOARD = "no_board"
    """Neither, and the computer is none to which a board is wired."""
    PROFILE = "profile"
    """The file of the board is gone, or says what is not allowed."""
    SETTINGS = "settings"
    """Game, board and players do not fit together."""
    IN_USE = "in_use"
    """Another lifeboard has the board, such as `learn`."""
    LINK = "link"
    """The Pico under the board cannot be reached: it is not plugged in, or does not answer."""
    FIRMWARE = "firmware"
    """The Pico has a firmware that this lifeboard cannot speak with."""
    HARDWARE = "hardware"
    """Buses, pins or other devices cannot be opened."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reason:
    """Say why nothing can be played; `detail` is what an error says, on one line, in English."""

    why: Why
    detail: str = ""


def without_board(found: Surroundings) -> Why:
    """Tell what comes first where no board has been learnt: learning needs chips that answer."""
    if found.chips:
        return Why.UNLEARNT
    return Why.NO_CHIPS if found.pi else Why.NO_BOARD


def reason_of(error: Exception) -> Reason:
    """Tell what kind of reason an error is."""
    match error:
        case ProfileError():
            why = Why.PROFILE
        case StoreError(cause=Cause.IN_USE):
            why = Why.IN_USE
        case WrongFirmware():
            why = Why.FIRMWARE
        case LinkFault():
            why = Why.LINK
        case HalError():
            why = Why.HARDWARE
        case StoreError():
            why = Why.OTHER
        case AppError() | RulesError():
            why = Why.SETTINGS
        case _:
            why = Why.OTHER
    return Reason(why, reason(error))
