"""All wires of a board.

Owns what belongs to it, from the pads to the supply. Must not know how the wires are shown.
"""

from collections.abc import Sequence

from hardware.kit.circuit.circuit import Circuit
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.wiring.buses import Rails, bus_wires, button_wires, interrupt_pull_up
from hardware.kit.wiring.sensing import sensing_wires
from hardware.kit.wiring.strip import fed_pixels, strip_wires
from hardware.kit.wiring.wires import Build, Wiring


def wire(
    layout: Layout,
    build: Build,
    circuits: Sequence[Circuit] = (),
    feeds: Sequence[int] = (),
) -> Wiring:
    """Wire a board whose sensing layer is built in some way: of these circuits, unless of foil.

    `feeds` are the numbers of the pixels at which 5 V and ground come to the strip; without any
    they are the first and the last. Raises KitError when a wire is too long or a part has no room.
    """
    fed = fed_pixels(layout, feeds)
    where = places(layout, len(fed))
    rails = Rails(layout)
    chips = bus_wires(layout, where, rails)
    wires = [
        *sensing_wires(layout, build, circuits),
        *chips,
        *interrupt_pull_up(chips),
        *button_wires(layout, rails),
        *strip_wires(layout, where, rails, fed),
    ]
    return Wiring(build, tuple(wires))
