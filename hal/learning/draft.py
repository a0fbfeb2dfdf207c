"""The draft of a board's wiring: what is known, and what is open."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum

from hal.profile import Electrode, Profile


class LearnStep(Enum):
    """The kinds of questions; `hal.learning.questions` gives their order."""

    GLOW = "glow"
    NAME = "name"
    GROUP = "group"
    KEY = "key"
    DONE = "done"


@dataclass(slots=True)
class Draft:
    """What is known and what is open; the first open item is asked. `task` has all names."""

    pixels_open: list[int]
    cells_open: list[str]
    groups_open: list[str] = field(default_factory=list)
    keys_open: list[str] = field(default_factory=list)

    glows: dict[int, Electrode] = field(default_factory=dict)
    """The electrode that answered for a pixel."""
    named: dict[str, Electrode] = field(default_factory=dict)
    """The electrode of a cell."""
    lights: dict[str, tuple[int, ...]] = field(default_factory=dict)
    keys: dict[str, Electrode] = field(default_factory=dict)
    """The electrode of a key, if it has one."""
    beside: set[int] = field(default_factory=set)
    """The pixels that are no cell's."""
    dead: set[int] = field(default_factory=set)

    shown: tuple[int, ...] = ()
    """The pixels that may be the next lights of the open group, as they are shown.

    Those of the template may stand there twice: first in their order, and then in the strip's.
    """

    note: str = ""
    """What the last answer showed, as a sentence for people."""
    ended: bool = False

    def cell_pixels(self) -> dict[str, int]:
        """Return the pixel of each cell that has one."""
        pixels = {pad: pixel for pixel, pad in self.glows.items()}
        return {cell: pixels[pad] for cell, pad in self.named.items() if pad in pixels}

    def bare(self, task: Profile) -> list[str]:
        """List the cells without an electrode."""
        return [cell for cell in task.cells if cell not in self.named]

    def unlit(self, task: Profile) -> list[str]:
        """List the cells for which no pixel is known."""
        lit = self.cell_pixels()
        return [cell for cell in task.cells if cell not in lit]

    def unused(self, task: Profile) -> list[int]:
        """List the pixels that are neither a cell's nor a light."""
        used = {*self.cell_pixels().values(), *(p for each in self.lights.values() for p in each)}
        return [pixel for pixel in range(task.pixel_count) if pixel not in used]

    def reopen(self, task: Profile) -> None:
        """Ask for the cells without an electrode, and for the pixels that have no use."""
        self.pixels_open, self.cells_open = self.unused(task), self.bare(task)
        for pixel in self.pixels_open:
            self.glows.pop(pixel, None)
        self.beside.clear()
        self.dead.clear()


def fresh(task: Profile) -> Draft:
    """Return a draft in which nothing is known."""
    pixels = list(range(task.pixel_count))
    return Draft(pixels, list(task.cells), list(task.lights), list(task.keys))


def redoing(task: Profile, cells: Collection[str]) -> Draft:
    """Return a draft that knows all of the board but the given cells."""
    known = {cell: pad for cell, pad in task.cells.items() if cell not in cells}
    draft = Draft(
        [],
        [],
        named=known,
        glows={task.pixels[cell]: pad for cell, pad in known.items() if cell in task.pixels},
        lights={
            group: tuple(task.pixels[f"{group}.{place}"] for place in range(count))
            for group, count in task.lights.items()
        },
        keys={name: key for name, key in task.keys.items() if isinstance(key, Electrode)},
    )
    draft.reopen(task)
    return draft
