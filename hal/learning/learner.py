"""Learning a board's wiring by touch, without I/O: questions out, touches in, then a profile."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any, Literal

from hal.base.errors import HalError
from hal.base.schema import SchemaError, Struct, decode, to_builtins
from hal.learning import questions
from hal.learning.draft import Draft, fresh, redoing
from hal.learning.questions import Prompt, TouchListener
from hal.profile import ELECTRODES, Chip, Electrode, Key, Pin, Profile


class _File(Struct):
    """A saved draft. `start` is what was known at first; the journal has electrodes and choices."""

    wires: str
    lights: dict[str, int]
    start: Any
    chips: list[Chip]
    journal: list[str]
    version: Literal[4] = 4


class DraftError(HalError, ValueError):
    """Report a draft that cannot be used: damaged, of another board, or not finished."""


class Learner:
    """Learn one board. `template` has everything but the wiring, and the names of all parts.

    With `redo` only these cells are learned, and the template's wiring is kept for all others.
    `chips` are the chips that answer; in a redo a chip at the same place as one of the template
    takes its name. `pixels` is the length of the strip, if it differs from the template's. `wires`
    describes the learned wiring in words; a draft is valid for that wiring only. `draft` is what is
    known now.
    """

    def __init__(
        self,
        template: Profile,
        chips: Sequence[Chip],
        *,
        pixels: int | None = None,
        redo: Collection[str] = (),
        wires: str = "",
    ) -> None:
        unknown = [cell for cell in redo if cell not in template.cells]
        if unknown:
            raise DraftError(f"cell {unknown[0]} cannot be learned: board {template.name} has none")
        self.chips = merged(template.chips, chips) if redo else tuple(chips)
        self._found = chips
        self._wires = wires
        self._task = task = template if pixels is None else template.with_pixels(pixels)
        self._start = questions.settled(task, redoing(task, redo) if redo else fresh(task))
        self._listener = TouchListener()
        self._journal: list[str] = []
        self.draft: Draft = self._start

    @property
    def started(self) -> bool:
        """Whether there is anything to save."""
        return bool(self._journal)

    def sense(self, now: float, pads: frozenset[Electrode]) -> bool:
        """Process touched electrodes at time `now`, in seconds; return True for an answer."""
        answer = self._listener.update(now, pads)
        if len(answer) > 1:
            self.draft = questions.refused(self.draft, answer)
        return len(answer) == 1 and self._take(str(*answer))

    def act(self, name: str) -> bool:
        """Apply a choice that `ask` offers; return False, and change nothing, for any other."""
        if name not in self.ask().choices:
            return False
        if name != "back":
            return self._take(name)
        self._journal, entries = [], self._journal[:-1]
        self._replay(entries)
        return True

    def ask(self) -> Prompt:
        """Return the present question, the pixels that glow for it, and the choices."""
        return questions.ask(self._task, self.draft, self._listener, can_go_back=self.started)

    def report(self) -> tuple[str, ...]:
        """Report problems, one line each."""
        return questions.report(self._task, self.draft, self._listener.stuck)

    def profile(self) -> Profile:
        """Make the profile; raise DraftError while a cell has no electrode."""
        draft, task = self.draft, self._task
        bare = draft.bare(task)
        if bare:
            raise DraftError(f"the profile is not complete: {bare[0]} has no electrode")
        lights = {name: draft.lights[name] for name in task.lights if name in draft.lights}
        pixels = draft.cell_pixels()
        in_order = {cell: pixels[cell] for cell in task.cells if cell in pixels}
        for group, numbers in lights.items():
            in_order.update((f"{group}.{place}", pixel) for place, pixel in enumerate(numbers))
        keys: dict[str, Key] = {
            name: draft.keys.get(name, key)
            for name, key in task.keys.items()
            if name in draft.keys or isinstance(key, Pin)
        }
        return replace(
            task,
            chips=self.chips,
            cells=MappingProxyType({cell: draft.named[cell] for cell in task.cells}),
            pixels=MappingProxyType(in_order),
            keys=MappingProxyType(keys),
            lights=MappingProxyType({group: len(each) for group, each in lights.items()}),
        )

    def to_json(self) -> str:
        """Serialise the journal, and which board it belongs to."""
        file = _File(
            self._wires, dict(self._task.lights), self._start, list(self.chips), self._journal
        )
        return json.dumps(to_builtins(file, str_keys=True), indent=1) + "\n"

    def resume(self, text: str) -> None:
        """Restore what `to_json` wrote; raise DraftError if it does not fit this board.

        Chips keep the names that they have in the draft. After an error the learner must be
        discarded.
        """
        try:
            file = decode(text, _File)
        except SchemaError as error:
            raise DraftError(f"the draft is damaged: {error}") from error
        if file.wires != self._wires:
            other = " ".join(file.wires.split())
            raise DraftError(f"the draft belongs to {other}, not to {self._wires}")
        mine = decode(self.to_json(), _File)
        if (file.start, file.lights) != (mine.start, mine.lights):
            raise DraftError("the draft belongs to another board, or to other cells of it")
        self.chips = merged(file.chips, self._found)
        self._replay(file.journal)

    def _take(self, entry: str) -> bool:
        after = questions.answered(self._task, self.draft, entry)
        if after is None:
            return False
        self.draft = after
        self._journal.append(entry)
        return True

    def _replay(self, entries: Iterable[str]) -> None:
        """Answer all questions anew; raise DraftError for an answer to none."""
        self.draft = self._start
        pads = {f"{chip.name}.{number}" for chip in self.chips for number in range(ELECTRODES)}
        for number, entry in enumerate(entries, start=1):
            if ("." in entry and entry not in pads) or not self._take(entry):
                raise DraftError(f"the draft is damaged: answer {number} fits no question")


def merged(known: Iterable[Chip], found: Iterable[Chip]) -> tuple[Chip, ...]:
    """Merge named chips with found ones, by place; new ones get the next free letters."""
    chips = list(known)
    places = {replace(chip, name="") for chip in chips}
    names = {chip.name for chip in chips}
    for chip in found:
        if replace(chip, name="") in places:
            continue
        name = next(each for each in ascii_uppercase if each not in names)
        names.add(name)
        chips.append(replace(chip, name=name))
    return tuple(chips)
