"""The immutable draft of a board's wiring; electrodes are texts here, such as "A.3"."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from hal.profile import Electrode, Profile

TRIES = 3  # after this many common answers two electrodes count as joined


class Step(Enum):
    """The kinds of questions; `hal.learning.questions` gives their order."""

    GLOW = "glow"
    REST = "rest"
    NAME = "name"
    GROUP = "group"
    PLACE = "place"
    KEY = "key"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known and what is open; the first open item is asked. `task` has all names."""

    pixels_open: tuple[int, ...] = ()
    cells_open: tuple[str, ...] = ()
    groups_open: tuple[str, ...] = ()
    keys_open: tuple[str, ...] = ()

    glows: Mapping[int, str] = field(default_factory=dict)
    """The electrode that answered for a pixel."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The electrode of a cell."""
    lights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    """The electrode of a key, if it has one."""
    dead: frozenset[int] = frozenset()
    silent: frozenset[int] = frozenset()
    """Pixels under cells that did not answer."""
    unwired: frozenset[str] = frozenset()
    joined: frozenset[frozenset[str]] = frozenset()
    """Electrodes that only ever answered together."""

    rest: bool | None = None
    """True while all open pixels are shown at once, False after one was dark, None before."""
    clash: str = ""
    """An electrode that has answered, but is already assigned to something else."""
    tries: tuple[frozenset[str], ...] = ()
    """For each try of the present question, the electrodes that answered together."""
    shown: tuple[int, ...] = ()
    """The pixels that are shown as a group, or the candidates for the next light."""
    among: tuple[int, ...] = ()
    """The candidates for the next light."""
    placed: tuple[int, ...] | None = None
    """The known lights of the group while its lights are asked one by one, else None."""

    note: str = ""
    """What the last answer showed, as a sentence for people."""
    ended: bool = False

    @property
    def step(self) -> Step:
        """The present question."""
        if self.pixels_open:
            return Step.REST if self.rest else Step.GLOW
        if self.cells_open:
            return Step.NAME
        if self.groups_open:
            return Step.GROUP if self.placed is None else Step.PLACE
        return Step.KEY if self.keys_open else Step.DONE

    def advanced(self, **changes: Any) -> "Draft":
        """Apply changes, and reset the fields of the answered question."""
        return replace(
            self, **{"clash": "", "tries": (), "shown": (), "among": (), "placed": None, **changes}
        )

    @property
    def always(self) -> tuple[str, ...]:
        """Return the electrodes that have answered at each of the last tries."""
        if len(self.tries) < TRIES:
            return ()
        common = frozenset.intersection(*self.tries[-TRIES:])
        return sorted_pads(common) if len(common) > 1 else ()

    def pixel_of(self, pad: str) -> int | None:
        """Return the pixel for which an electrode answered."""
        return next((pixel for pixel, each in self.glows.items() if each == pad), None)

    def spot_of(self, pad: str) -> str | None:
        """Return the cell or key of an electrode."""
        spots = (*self.named.items(), *self.keys.items())
        return next((spot for spot, each in spots if each == pad), None)

    def cell_pixels(self) -> dict[str, int]:
        """Return the pixel of each cell that has one."""
        pixels = {pad: pixel for pixel, pad in self.glows.items()}
        return {cell: pixels[pad] for cell, pad in self.named.items() if pad in pixels}

    def unlit(self, task: Profile) -> tuple[str, ...]:
        """List the cells for which no pixel is known."""
        lit = self.cell_pixels()
        return tuple(cell for cell in task.cells if cell not in lit)

    def unused(self, task: Profile) -> tuple[int, ...]:
        """List the pixels that are neither a cell's nor a light."""
        used = {*self.cell_pixels().values(), *(p for each in self.lights.values() for p in each)}
        return tuple(pixel for pixel in range(task.pixel_count) if pixel not in used)

    def beside(self, task: Profile) -> tuple[int, ...]:
        """List the pixels that may be lights, but for a dead one for each cell without light."""
        taken = set(self.silent)
        # The electrode that answered for a pixel may belong to a cell that did not answer.
        if self.unwired:
            taken |= self.glows.keys()
        found = [pixel for pixel in self.unused(task) if pixel not in taken]
        dead = self.dead.intersection(found)
        if len(dead) <= len(self.unlit(task)):
            found = [pixel for pixel in found if pixel not in dead]
        return tuple(found)

    def pixels_missing(self, task: Profile) -> int:
        """Return how many more pixels must answer until each cell can have one."""
        spotless = sum(1 for pad in self.glows.values() if self.spot_of(pad) is None)
        nameless = len(self.bare(task))
        lit = self.cell_pixels()
        dark = sum(1 for cell in self.named if cell not in lit)
        return dark + max(0, nameless - spotless)

    def bare(self, task: Profile) -> tuple[str, ...]:
        """List the cells without an electrode."""
        return tuple(cell for cell in task.cells if cell not in self.named)


def fresh(task: Profile) -> Draft:
    """Return a draft in which nothing is known."""
    return Draft(
        pixels_open=tuple(range(task.pixel_count)),
        cells_open=tuple(task.cells),
        groups_open=tuple(task.lights),
        keys_open=tuple(task.keys),
    )


def redoing(task: Profile, profile: Profile, cells: Iterable[str]) -> Draft:
    """Return a draft that knows all of a profile but the given cells."""
    again = frozenset(cells)
    known = {cell: str(e) for cell, e in profile.cells.items() if cell not in again}
    draft = Draft(
        cells_open=tuple(cell for cell in task.cells if cell in again),
        named=known,
        glows={profile.pixels[cell]: pad for cell, pad in known.items() if cell in profile.pixels},
        lights={
            group: tuple(profile.pixels[f"{group}.{place}"] for place in range(count))
            for group, count in profile.lights.items()
        },
        keys={n: str(key) for n, key in profile.keys.items() if isinstance(key, Electrode)},
    )
    return replace(draft, pixels_open=draft.unused(task))


def sorted_pads(pads: Iterable[str]) -> tuple[str, ...]:
    """Sort by chip, then by number."""
    return tuple(sorted(pads, key=Electrode.parse))
