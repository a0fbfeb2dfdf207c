"""Learning a board's wiring by touch, without I/O: questions out, touches in, then a profile."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import Literal

from hal.base.errors import HalError
from hal.base.events import CellTouch
from hal.base.schema import SchemaError, Struct, decode, to_builtins
from hal.learning.questions import (
    CHOICES,
    TOUCHED,
    Draft,
    LearnStep,
    Lit,
    Prompt,
    dialogue,
    listed,
)
from hal.profile import ELECTRODES, Chip, Electrode, Key, Pin, Profile
from hal.sensing import Debouncer

PRESS_S = 0.060
RELEASE_S = 0.100
LONG_S = 5.0  # a longer touch is not a finger


class TouchListener:
    """Turns touches into answers: the electrode that was touched first, once all are lifted.

    Electrodes touched at the same time belong to the answer too. An electrode touched for longer
    than LONG_S is stuck, and ignored until it is lifted.
    """

    def __init__(self) -> None:
        self._touch = Debouncer(CellTouch, press_s=PRESS_S, release_s=RELEASE_S, hold_s=LONG_S)
        self._answer = frozenset[str]()

    @property
    def stuck(self) -> list[Electrode]:
        """The electrodes that have been touched for longer than any finger would, in order."""
        return sorted(map(Electrode.parse, self._touch.held))

    @property
    def down(self) -> list[Electrode]:
        """The electrodes that are touched now, without stuck ones, in order."""
        return sorted(map(Electrode.parse, self._touch.pressed - self._touch.held))

    def update(self, now: float, pads: frozenset[Electrode]) -> list[Electrode]:
        """Process touched electrodes at time `now`, in seconds; return an answer, mostly empty."""
        touched = frozenset(map(str, pads))
        self._touch.update(now, touched)
        if self.down:
            self._answer = self._answer or touched
            return []
        answer = sorted(map(Electrode.parse, self._answer - self._touch.held))
        self._answer = frozenset()
        return answer


class _File(Struct):
    """A saved draft; the journal has electrodes and choices."""

    wires: str
    chips: list[Chip]
    journal: list[str]
    version: Literal[5] = 5


class DraftError(HalError, ValueError):
    """Report a draft that cannot be used: damaged, of another board, or not finished."""


class Learner:
    """Learn one board. `template` has everything but the wiring, and the names of all parts.

    `chips` are the chips that answer. `wires` describes the learned wiring in words; a draft is
    valid for that wiring only. `draft` is what is known now.
    """

    def __init__(self, template: Profile, chips: Sequence[Chip], wires: str = "") -> None:
        self.chips = tuple(chips)
        self._wires = wires
        self._task = template
        self._listener = TouchListener()
        self._begin()

    @property
    def started(self) -> bool:
        """Whether there is anything to save."""
        return bool(self._journal)

    def sense(self, now: float, pads: frozenset[Electrode]) -> bool:
        """Process touched electrodes at time `now`, in seconds; return True for an answer."""
        answer = self._listener.update(now, pads)
        if len(answer) > 1 and self._prompt.step in TOUCHED:
            self.draft.note = (
                f"Electrodes {listed(answer)} answered together: a short, crosstalk, or more than"
                " one finger. Touch again."
            )
        return len(answer) == 1 and self._take(str(*answer))

    def act(self, name: str) -> bool:
        """Apply a choice that `ask` offers; return False, and change nothing, for any other."""
        if name not in self.ask().choices:
            return False
        if name != "back":
            return self._take(name)
        self._replay(self._journal[:-1])
        return True

    def ask(self) -> Prompt:
        """Return the present question, the pixels that glow for it, and the choices."""
        prompt, draft, down = self._prompt, self.draft, self._listener.down
        lit = {pixel: Lit.ANSWER for pixel, pad in draft.glows.items() if pad in down}
        said = [draft.note]
        if stuck := self._listener.stuck:
            electrodes = "Electrodes {} are" if len(stuck) > 1 else "Electrode {} is"
            said.append(f"{electrodes.format(listed(stuck))} touched all the time: ignored.")
        if prompt.step in TOUCHED and down:
            prompt = Prompt(prompt.step, "Lift your finger.", {}, lit)
        elif prompt.step is LearnStep.DONE and not draft.ended:
            prompt = replace(prompt, lit=lit)
        said.append(prompt.message)
        places = {pad: spot for spot, pad in (*draft.named.items(), *draft.keys.items())}
        spots = [places[pad] for pad in down if pad in places]
        if spots and "write" in prompt.choices:
            said.append(f"This is {listed(spots)}.")
        back = {"back": CHOICES["back"]} if self.started and not draft.ended else {}
        left, count = {
            LearnStep.GLOW: (len(draft.pixels_open), self._task.pixel_count),
            LearnStep.NAME: (len(draft.cells_open), len(self._task.cells)),
            LearnStep.GROUP: (len(draft.groups_open), len(self._task.lights)),
            LearnStep.KEY: (len(draft.keys_open), len(self._task.keys)),
            LearnStep.DONE: (0, 1),
        }[prompt.step]
        return replace(
            prompt,
            message=" ".join(filter(None, said)),
            choices={**prompt.choices, **back},
            progress=(count - left, count),
        )

    def report(self) -> tuple[str, ...]:
        """Report problems, one line each."""
        draft, task, stuck = self.draft, self._task, self._listener.stuck
        lines = []
        if bare := draft.bare(task):
            lines.append(f"{listed(bare)}: no electrode; the profile is not complete")
        if unlit := [cell for cell in draft.unlit(task) if cell in draft.named]:
            lines.append(f"{listed(unlit)}: no pixel; played without light")
        if stuck:
            lines.append(f"electrodes {listed(stuck)}: touched all the time")
        for group, count in task.lights.items():
            found = len(draft.lights.get(group, ()))
            if found < count and group not in draft.groups_open:
                lines.append(f"lights {group}: {found} of {count}")
        if draft.dead:
            lines.append(f"pixels {listed(sorted(draft.dead))}: dead")
        return tuple(lines)

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
        file = _File(self._wires, list(self.chips), self._journal)
        return json.dumps(to_builtins(file), indent=1) + "\n"

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
        self.chips = merged(file.chips, self.chips)
        self._replay(file.journal)

    def _begin(self) -> None:
        task, pixels = self._task, range(self._task.pixel_count)
        self.draft = Draft(list(pixels), list(task.cells), list(task.lights), list(task.keys))
        self._journal: list[str] = []
        self._questions = dialogue(self._task, self.draft)
        self._prompt = next(self._questions)

    def _take(self, entry: str) -> bool:
        """Answer with an electrode or a choice; return False if the question does not allow it."""
        touches = "." in entry and self._prompt.step in TOUCHED
        if not touches and entry not in self._prompt.choices:
            return False
        self.draft.note = ""
        self._prompt = self._questions.send(entry)
        self._journal.append(entry)
        return True

    def _replay(self, entries: Iterable[str]) -> None:
        """Answer all questions again; raise DraftError for an answer that fits no question."""
        self._begin()
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
