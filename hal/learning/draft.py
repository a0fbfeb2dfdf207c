"""The immutable draft of a board's wiring: what is known, and what is open."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from hal.profile import Electrode, Profile


class LearnStep(Enum):
    """The kinds of questions; `hal.learning.questions` gives their order."""

    GLOW = "glow"
    NAME = "name"
    GROUP = "group"
    KEY = "key"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known and what is open; the first open item is asked. `task` has all names."""

    pixels_open: tuple[int, ...] = ()
    cells_open: tuple[str, ...] = ()
    groups_open: tuple[str, ...] = ()
    keys_open: tuple[str, ...] = ()

    glows: Mapping[int, Electrode] = field(default_factory=dict)
    """The electrode that answered for a pixel."""
    named: Mapping[str, Electrode] = field(default_factory=dict)
    """The electrode of a cell."""
    lights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    keys: Mapping[str, Electrode] = field(default_factory=dict)
    """The electrode of a key, if it has one."""
    beside: frozenset[int] = frozenset()
    """The pixels that are no cell's."""
    dead: frozenset[int] = frozenset()

    placed: tuple[int, ...] = ()
    """The first lights of the open group, as far as they are known."""
    shown: tuple[int, ...] = ()
    """The pixels that may be its next lights, as they are shown; () before it is asked.

    Those of the template may stand there twice: first in their order, and then in the strip's.
    """

    note: str = ""
    """What the last answer showed, as a sentence for people."""
    ended: bool = False

    @property
    def step(self) -> LearnStep:
        """The present question."""
        opened = {
            LearnStep.GLOW: self.pixels_open,
            LearnStep.NAME: self.cells_open,
            LearnStep.GROUP: self.groups_open,
            LearnStep.KEY: self.keys_open,
        }
        return next((step for step, each in opened.items() if each), LearnStep.DONE)

    def spot_of(self, pad: Electrode) -> str | None:
        """Return the cell or key of an electrode."""
        spots = (*self.named.items(), *self.keys.items())
        return next((spot for spot, each in spots if each == pad), None)

    def cell_pixels(self) -> dict[str, int]:
        """Return the pixel of each cell that has one."""
        pixels = {pad: pixel for pixel, pad in self.glows.items()}
        return {cell: pixels[pad] for cell, pad in self.named.items() if pad in pixels}

    def bare(self, task: Profile) -> tuple[str, ...]:
        """List the cells without an electrode."""
        return tuple(cell for cell in task.cells if cell not in self.named)

    def unlit(self, task: Profile) -> tuple[str, ...]:
        """List the cells for which no pixel is known."""
        lit = self.cell_pixels()
        return tuple(cell for cell in task.cells if cell not in lit)

    def unused(self, task: Profile) -> tuple[int, ...]:
        """List the pixels that are neither a cell's nor a light."""
        used = {*self.cell_pixels().values(), *(p for each in self.lights.values() for p in each)}
        return tuple(pixel for pixel in range(task.pixel_count) if pixel not in used)


def fresh(task: Profile) -> Draft:
    """Return a draft in which nothing is known."""
    return Draft(
        pixels_open=tuple(range(task.pixel_count)),
        cells_open=tuple(task.cells),
        groups_open=tuple(task.lights),
        keys_open=tuple(task.keys),
    )


def redoing(task: Profile, cells: Collection[str]) -> Draft:
    """Return a draft that knows all of the board but the given cells."""
    known = {cell: pad for cell, pad in task.cells.items() if cell not in cells}
    draft = Draft(
        named=known,
        glows={task.pixels[cell]: pad for cell, pad in known.items() if cell in task.pixels},
        lights={
            group: tuple(task.pixels[f"{group}.{place}"] for place in range(count))
            for group, count in task.lights.items()
        },
        keys={name: key for name, key in task.keys.items() if isinstance(key, Electrode)},
    )
    return reopened(task, draft)


def reopened(task: Profile, draft: Draft) -> Draft:
    """Ask for the cells without an electrode, and for the pixels that have no use."""
    unused = draft.unused(task)
    return replace(
        draft,
        pixels_open=unused,
        cells_open=draft.bare(task),
        glows={pixel: pad for pixel, pad in draft.glows.items() if pixel not in unused},
        beside=frozenset(),
        dead=frozenset(),
        note="",
    )
