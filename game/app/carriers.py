"""What carries a board: the backends of real boards, and which of them a profile is made for.

Owns this distinction, which many commands make. Must not know what a backend does, and is imported
by the command line before anything else is.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hal.profile import Profile

PI, COPROCESSOR = "pi", "coprocessor"
WIRED = (PI, COPROCESSOR)
"""The backends of real boards, which hang on wires that someone has laid.

Every other one can carry any board.
"""


def is_wired(backend: str) -> bool:
    """Tell whether a backend carries a real board."""
    return backend in WIRED


def carrier_of(profile: "Profile") -> str:
    """Name the backend that carries a real board of this profile."""
    return PI if profile.pico is None else COPROCESSOR
