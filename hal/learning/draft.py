"""The draft of a board's wiring: what learning knows already, and what it has still to ask.

Owns the facts that follow from these. A draft is a value: nothing changes it. Electrodes are texts
here, such as "A.3". Must not know how it came to be (`hal.learning.walks`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, TypeVar

from hal.profile import Electrode, Key, Profile

_Spot = TypeVar("_Spot")
_Known = TypeVar("_Known")

TRIES = 3
"""How often two electrodes must answer together until they are taken for joined."""


class Step(Enum):
    """Name what is asked; `hal.learning.walks` says how one leads to the next."""

    GLOW = "glow"
    REST = "rest"
    NAME = "name"
    GROUP = "group"
    PLACE = "place"
    KEY = "key"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Task:
    """Say what a board has: cells, pixels, lights by group, and keys.

    `pins` names the pin of each key that is a button.
    """

    cells: tuple[str, ...]
    pixel_count: int
    groups: Mapping[str, int]
    keys: Mapping[str, Key]
    pins: Mapping[str, str]


def _empty() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold what is known and what is open; the first of what is open is asked."""

    pixels_open: tuple[int, ...] = ()
    cells_open: tuple[str, ...] = ()
    groups_open: tuple[str, ...] = ()
    keys_open: tuple[str, ...] = ()

    glows: Mapping[int, str] = field(default_factory=_empty)
    """Which electrode answered for a pixel."""
    named: Mapping[str, str] = field(default_factory=_empty)
    """Which electrode a cell has."""
    lights: Mapping[str, tuple[int, ...]] = field(default_factory=_empty)
    keys: Mapping[str, str] = field(default_factory=_empty)
    """Which electrode a key has, if it has one."""
    dead: frozenset[int] = frozenset()
    silent: frozenset[int] = frozenset()
    """Pixels under cells that did not answer."""
    unwired: frozenset[str] = frozenset()
    joined: frozenset[frozenset[str]] = frozenset()
    """Electrodes that only ever answered together."""

    rest: bool | None = None
    """Whether the open pixels are shown as a whole; False: that was done, and one was dark."""
    clash: str = ""
    """An electrode that has answered, and is known for something else."""
    tries: tuple[frozenset[str], ...] = ()
    """What has answered together to the present question."""
    shown: tuple[int, ...] = ()
    """The pixels that are shown as a group, or as those of which one may be the next light."""
    among: tuple[int, ...] = ()
    """The pixels of which one may be the next light."""
    placed: tuple[int, ...] | None = None
    """The lights of the group that are known, while they are asked one by one."""

    note: str = ""
    """What the last answer has taught."""
    ended: bool = False

    @property
    def step(self) -> Step:
        """Tell what is asked."""
        if self.pixels_open:
            return Step.REST if self.rest else Step.GLOW
        if self.cells_open:
            return Step.NAME
        if self.groups_open:
            return Step.GROUP if self.placed is None else Step.PLACE
        return Step.KEY if self.keys_open else Step.DONE

    def advanced(self, **changes: Any) -> "Draft":
        """Change what is told, and forget what belonged to the question that this answers."""
        return replace(
            self, **{"clash": "", "tries": (), "shown": (), "among": (), "placed": None, **changes}
        )

    @property
    def always(self) -> tuple[str, ...]:
        """Give the electrodes that have answered together at each of the last tries."""
        if len(self.tries) < TRIES:
            return ()
        common = frozenset.intersection(*self.tries[-TRIES:])
        return sorted_pads(common) if len(common) > 1 else ()

    def pixel_of(self, pad: str) -> int | None:
        """Give the pixel for which an electrode answered."""
        return next((pixel for pixel, each in self.glows.items() if each == pad), None)

    def spot_of(self, pad: str) -> str | None:
        """Give the cell or key that an electrode belongs to."""
        spots = (*self.named.items(), *self.keys.items())
        return next((spot for spot, each in spots if each == pad), None)

    def cell_pixels(self) -> dict[str, int]:
        """Give the pixel of each cell that has one."""
        pixels = {pad: pixel for pixel, pad in self.glows.items()}
        return {cell: pixels[pad] for cell, pad in self.named.items() if pad in pixels}

    def unlit(self, task: Task) -> tuple[str, ...]:
        """List the cells for which no pixel is known."""
        lit = self.cell_pixels()
        return tuple(cell for cell in task.cells if cell not in lit)

    def unused(self, task: Task) -> tuple[int, ...]:
        """List the pixels that are no cell's and no light."""
        used = {*self.cell_pixels().values(), *(p for each in self.lights.values() for p in each)}
        return tuple(pixel for pixel in range(task.pixel_count) if pixel not in used)

    def beside(self, task: Task) -> tuple[int, ...]:
        """List the pixels that may be lights, those that glow and those that are dead.

        Dead ones are left out while there is a cell without a light for each of them.
        """
        taken = set(self.silent)
        if self.unwired:  # what answered for a pixel may belong to a cell that did not answer
            taken |= self.glows.keys()
        found = [pixel for pixel in self.unused(task) if pixel not in taken]
        dead = self.dead.intersection(found)
        if len(dead) <= len(self.unlit(task)):
            found = [pixel for pixel in found if pixel not in dead]
        return tuple(found)

    def pixels_missing(self, task: Task) -> int:
        """Count how many more pixels must answer until each cell can have one."""
        spotless = sum(1 for pad in self.glows.values() if self.spot_of(pad) is None)
        nameless = sum(1 for cell in task.cells if cell not in self.named)
        lit = self.cell_pixels()
        dark = sum(1 for cell in self.named if cell not in lit)
        return dark + max(0, nameless - spotless)

    def complete(self, task: Task) -> bool:
        """Tell whether every cell has an electrode."""
        return all(cell in self.named for cell in task.cells)


def fresh(task: Task) -> Draft:
    """Begin with nothing known."""
    return Draft(
        pixels_open=tuple(range(task.pixel_count)),
        cells_open=task.cells,
        groups_open=tuple(task.groups),
        keys_open=tuple(task.keys),
    )


def redoing(task: Task, profile: Profile, cells: Iterable[str]) -> Draft:
    """Begin with all that a profile says, but for some cells."""
    again = frozenset(cells)
    kept = {cell: pad_name(e) for cell, e in profile.cells.items() if cell not in again}
    draft = Draft(
        cells_open=tuple(cell for cell in task.cells if cell in again),
        named=kept,
        glows={profile.pixels[cell]: pad for cell, pad in kept.items() if cell in profile.pixels},
        lights={
            group: tuple(profile.pixels[f"{group}.{place}"] for place in range(count))
            for group, count in profile.lights.items()
        },
        keys={n: pad_name(key) for n, key in profile.keys.items() if isinstance(key, Electrode)},
    )
    return replace(draft, pixels_open=draft.unused(task))


def added(known: Mapping[_Spot, _Known], spot: _Spot, what: _Known) -> Mapping[_Spot, _Known]:
    """Give a mapping with one more entry."""
    return MappingProxyType({**known, spot: what})


def pad_name(electrode: Electrode) -> str:
    """Write an electrode as the draft does."""
    return f"{electrode.chip}.{electrode.electrode}"


def pad_of(name: str) -> Electrode:
    """Read what `pad_name` wrote; raise ValueError for anything else."""
    chip, _, number = name.rpartition(".")
    return Electrode(chip, int(number))


def sorted_pads(pads: Iterable[str]) -> tuple[str, ...]:
    """Sort by chip, then by number."""
    return tuple(sorted(pads, key=lambda pad: (pad_of(pad).chip, pad_of(pad).electrode)))
