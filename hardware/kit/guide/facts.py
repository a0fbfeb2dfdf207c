"""What the chapters of a guide ask of a kit: counts, sizes and names, each worked out once.

Owns these answers. Must not know sentences.
"""

from dataclasses import dataclass

from hal.profile import Chip, Profile, built_in_names
from hardware.kit.computers import Computer, computer_of
from hardware.kit.contents import Contents
from hardware.kit.electric import Feeding
from hardware.kit.layout import Grid, Layout
from hardware.kit.wiring import Build, Wiring

COMMAND = ".venv/bin/lifeboard"
OWN_FILE = "board.toml"
"""The profile as the kit has it."""
_GAMES = {
    (Grid.HEXAGON, 61): ("circle-of-life", "adaptoid"),
    (Grid.HEXAGON, 37): ("adaptoid",),
    (Grid.DISC, 32): ("azteka", "azteka-aggressive", "azteka-three"),
    (Grid.RECTANGLE, 88): ("cirkle-mind",),
}
TITLES = {
    "circle-of-life": "Circle of Life",
    "adaptoid": "Adaptoid",
    "azteka": "Azteka",
    "azteka-aggressive": "Azteka, aggressive",
    "azteka-three": "Azteka for three",
    "cirkle-mind": "CirKle Mind",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """Answer what a guide wants to know of the board of a kit."""

    contents: Contents

    @property
    def layout(self) -> Layout:
        """Give the board's layout."""
        return self.contents.layout

    @property
    def profile(self) -> Profile:
        """Give the board's profile."""
        return self.contents.layout.profile

    @property
    def shipped(self) -> bool:
        """Tell whether lifeboard brings this board, so that its name is enough."""
        return self.contents.source in built_in_names()

    @property
    def board(self) -> str:
        """Give what follows --board: a name, or the kit's file in lifeboard's folder."""
        return self.contents.source if self.shipped else OWN_FILE

    @property
    def on_pico(self) -> bool:
        """Tell whether the board hangs on a Pico."""
        return self.profile.pico is not None

    @property
    def computer(self) -> Computer:
        """Give the computer under the board."""
        return computer_of(self.profile)

    @property
    def backend(self) -> str:
        """Give what follows --backend."""
        return "coprocessor" if self.on_pico else "pi"

    @property
    def presence(self) -> bool:
        """Tell whether stones are felt, and not touches."""
        return self.profile.sensing.mode == "presence"

    @property
    def games(self) -> tuple[str, ...]:
        """List the games for such a board, the one that it is made for first."""
        return _GAMES.get((self.layout.grid, len(self.profile.cells)), ())

    @property
    def size(self) -> str:
        """Give width and height of the board."""
        box = self.layout.box
        return f"{box.width:g} mm x {box.height:g} mm"

    @property
    def circuit_size(self) -> str:
        """Give width and height of the printed circuit."""
        xs = [at.x for at in self.contents.circuit.outline]
        ys = [at.y for at in self.contents.circuit.outline]
        return f"{max(xs) - min(xs):.1f} mm x {max(ys) - min(ys):.1f} mm"

    @property
    def tiled(self) -> bool:
        """Tell whether the kit has small boards too."""
        return bool(self.contents.tiles)

    @property
    def builds(self) -> tuple[Build, ...]:
        """List the ways to make the sensing layer that this kit has."""
        return tuple(build for build in Build if build in self.contents.wirings)

    @property
    def feeding(self) -> Feeding:
        """Give how the strip is fed."""
        return self.contents.figures[Build.CIRCUIT].feeding

    @property
    def wiring(self) -> Wiring:
        """Give the wiring for what is the same whatever the sensing layer is made of."""
        return self.contents.wirings[Build.CIRCUIT]

    @property
    def muxes(self) -> tuple[Chip, ...]:
        """List a chip for each multiplexer."""
        found = {(chip.bus, chip.mux): chip for chip in self.profile.chips if chip.mux is not None}
        return tuple(found.values())

    @property
    def buses(self) -> tuple[int, ...]:
        """List the buses."""
        return tuple(sorted({chip.bus for chip in self.profile.chips}))

    @property
    def pads(self) -> int:
        """Count the pads."""
        return len(self.layout.sensors)

    def chips_on(self, bus: int) -> tuple[Chip, ...]:
        """List the chips that hang on a bus itself."""
        return tuple(c for c in self.profile.chips if c.bus == bus and c.mux is None)

    def has_key(self, name: str) -> bool:
        """Tell whether the board has a key."""
        return name in self.profile.keys


def many(count: int, thing: str, things: str = "") -> str:
    """Say how many of a thing there are."""
    return f"{count} {thing if count == 1 else things or thing + 's'}"


def listed(words: tuple[str, ...], joint: str = "and") -> str:
    """Join words as a sentence does: "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
