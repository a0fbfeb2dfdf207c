"""Learning a board's wiring by touch, without I/O: questions out, touches in, then a profile."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import Annotated, Any, Literal

from hal.base.errors import HalError
from hal.base.schema import Meta, SchemaError, Struct, astuple, decode, field
from hal.learning import questions
from hal.learning.draft import Draft, fresh, redoing
from hal.learning.questions import Ask
from hal.learning.touch_listener import ListenerState, TouchListener
from hal.profile import ELECTRODES, Chip, Electrode, Key, Pin, Profile

VERSION: Literal[3] = 3

Entry = frozenset[str] | str
"""An entry of the journal: electrodes that answered, or a choice."""


class _Written(Struct):
    said: str | None = None
    heard: list[Annotated[str, Meta(pattern=r"^\w+\.\d{1,2}\Z")]] = field(default_factory=list)


class _Chip(Struct, array_like=True):
    name: str
    bus: int
    address: int
    mux: int | None = None
    channel: int | None = None
    kind: str = "mpr121"  # in drafts written before 0.1.0


class _File(Struct):
    version: Literal[3]
    wires: str
    board: Any
    chips: list[_Chip]
    journal: list[_Written]


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
        self._found = tuple(chips)
        self.chips = merged(template.chips, chips) if redo else self._found
        self._template = template
        self._wires = wires
        self._redo = tuple(cell for cell in template.cells if cell in redo)
        self._task = template if pixels is None else template.with_pixels(pixels)
        self._listener = TouchListener()
        self._journal: list[Entry] = []
        self._answer: frozenset[str] = frozenset()
        self._reported_stuck: frozenset[str] = frozenset()
        self.draft = self._start()

    @property
    def started(self) -> bool:
        """Whether there is anything to save."""
        return bool(self._journal)

    def sense(self, now: float, pads: frozenset[Electrode]) -> bool:
        """Process touched electrodes at time `now`, in seconds; return True for an answer."""
        answer = self._listener.update(now, frozenset(map(str, pads)))
        if self._listener.state is not ListenerState.LIFTING:
            self._answer = frozenset()
        if answer and self._take(answer):
            self._answer = answer
            return True
        return False

    def act(self, name: str) -> bool:
        """Apply a choice that `ask` offers; return False, and change nothing, for any other."""
        if name not in self.ask().choices:
            return False
        self._answer = frozenset()
        if name == "back":
            self._back()
        elif name == "ignore":
            self._listener.ignore_long()
        else:
            return self._take(name)
        return True

    def ask(self) -> Ask:
        """Return the present question, the pixels that glow for it, and the choices."""
        new, heard = self._listener.stuck - self._reported_stuck, self._listener
        return questions.ask(
            self._task, self.draft, heard, self._answer, new, can_go_back=self.started
        )

    def report(self) -> tuple[str, ...]:
        """Report problems, one line each."""
        return questions.report(self._task, self.draft, self._listener.stuck)

    def profile(self) -> Profile:
        """Make the profile; raise DraftError while a cell has no electrode."""
        draft = self.draft
        bare = draft.bare(self._task)
        if bare:
            raise DraftError(f"the profile is not complete: {bare[0]} has no electrode")
        lights = {name: draft.lights[name] for name in self._task.lights if name in draft.lights}
        pixels = draft.cell_pixels()
        in_order = {cell: pixels[cell] for cell in self._task.cells if cell in pixels}
        for group, numbers in lights.items():
            in_order.update((f"{group}.{place}", pixel) for place, pixel in enumerate(numbers))
        keys: dict[str, Key] = {
            name: Electrode.parse(draft.keys[name]) if name in draft.keys else key
            for name, key in self._task.keys.items()
            if name in draft.keys or isinstance(key, Pin)
        }
        return replace(
            self._template,
            chips=self.chips,
            cells=MappingProxyType(
                {cell: Electrode.parse(draft.named[cell]) for cell in self._task.cells}
            ),
            pixels=MappingProxyType(in_order),
            strip=self._task.strip,
            keys=MappingProxyType(keys),
            lights=MappingProxyType({group: len(each) for group, each in lights.items()}),
        )

    def to_json(self) -> str:
        """Serialise the journal, and which board it belongs to."""
        journal = [
            {"said": e} if isinstance(e, str) else {"heard": sorted(e)} for e in self._journal
        ]
        chips = [[c.name, c.bus, c.address, c.mux, c.channel] for c in self.chips]
        whose = {"version": VERSION, "wires": self._wires, "board": self._board()}
        return json.dumps({**whose, "chips": chips, "journal": journal}, indent=1) + "\n"

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
        if file.board != json.loads(json.dumps(self._board())):
            raise DraftError("the draft belongs to another board, or to other cells of it")
        self.chips = merged([Chip(*astuple(each)[:5]) for each in file.chips], self._found)
        names = {chip.name for chip in self.chips}
        entries = [_entry(each, names) for each in file.journal]
        for number, entry in enumerate(entries, start=1):
            if not self._take(entry):
                raise DraftError(f"the draft is damaged: answer {number} fits no question")

    def _start(self) -> Draft:
        task, redo = self._task, self._redo
        draft = redoing(task, self._template, redo) if redo else fresh(task)
        return questions.settled(task, draft)

    def _take(self, entry: Entry) -> bool:
        after = self._after(self.draft, entry)
        if after is None:
            return False
        self.draft = after
        self._journal.append(entry)
        self._reported_stuck = self._listener.stuck
        return True

    def _after(self, draft: Draft, entry: Entry) -> Draft | None:
        if isinstance(entry, str):
            return questions.choose(self._task, draft, entry)
        return questions.answer(self._task, draft, entry)

    def _back(self) -> None:
        """Undo answers until the question changes."""
        drafts = [self._start()]
        for entry in self._journal:
            after = self._after(drafts[-1], entry)
            drafts.append(drafts[-1] if after is None else after)
        asked = questions.subject(self.draft)
        while self._journal:
            self._journal.pop()
            drafts.pop()
            self.draft = drafts[-1]
            if questions.subject(self.draft) != asked:
                return

    def _board(self) -> dict[str, Any]:
        start = self._start()
        return {
            "cells": list(self._task.cells),
            "pixels": self._task.pixel_count,
            "groups": dict(self._task.lights),
            "keys": list(self._task.keys),
            "redo": list(self._redo),
            "known": {"cells": dict(start.named), "pixels": start.cell_pixels()},
        }


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


def _entry(written: _Written, chips: Collection[str]) -> Entry:
    if written.said is not None:
        return written.said
    pads = [Electrode.parse(pad) for pad in written.heard]
    if any(pad.chip not in chips or pad.electrode not in range(ELECTRODES) for pad in pads):
        raise DraftError(f"the draft is damaged: {written.heard} are not all of the board's chips")
    return frozenset(written.heard)
