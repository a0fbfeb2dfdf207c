"""Whether a kit can be made of a board, as far as that is known at once.

Owns what is looked at before any work begins: that the guide has its facts, and that what the
profile places is apart. Needs no library, so that a profile can be checked wherever it is played.
Must not know wires, tracks or drawings.
"""

from collections.abc import Mapping

from hal.profile import Profile
from hardware.kit.layout import Grid, upper_side
from hardware.kit.places import given
from hardware.kit.scope import check_scope


def check_board(profile: Profile, grid: Grid, centres: Mapping[str, tuple[float, float]]) -> None:
    """Raise KitError for a board of which it is known at once that no kit can be made.

    `centres` has the middle of each cell, as for `hardware.kit.underside.lay_out`.
    """
    check_scope(profile)
    given(upper_side(profile, grid, centres))
