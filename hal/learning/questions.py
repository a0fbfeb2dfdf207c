"""The draft of a board's wiring, and the questions: what each asks and shows, and what its answer
changes in the draft.

Open items are asked in this order; one that an answer reopens is asked at once.

    GLOW   one pixel glows, and its cell is touched
    NAME   one cell is named, and touched
    GROUP  pixels are shown as the lights of a group, in their order
    KEY    one key is named, and touched if it is a pad
    DONE   nothing is open

An electrode belongs to the item that it answered for last; an earlier item is asked again.
English only, like all makers' tools.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from hal.profile import Electrode, Pin, Profile


class LearnStep(Enum):
    """The kinds of questions, in their order."""

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
    groups_open: list[str]
    keys_open: list[str]

    glows: dict[int, Electrode] = field(default_factory=dict)
    """The electrode that answered for a pixel."""
    named: dict[str, Electrode] = field(default_factory=dict)
    """The electrode of a cell."""
    lights: dict[str, tuple[int, ...]] = field(default_factory=dict)
    keys: dict[str, Electrode] = field(default_factory=dict)
    """The electrode of a key, if it has one."""
    beside: set[int] = field(default_factory=set)
    """The pixels that belong to no cell."""
    dead: set[int] = field(default_factory=set)

    shown: tuple[int, ...] = ()
    """The pixels that may be the next lights of the open group, as they are shown.

    The template's pixels may occur twice: first in the template's order, then in the strip's.
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


class Lit(Enum):
    """Why a pixel glows: ASKED ones are steady, and a light runs over the NEXT ones of a group."""

    ASKED = "asked"
    NEXT = "next"
    ANSWER = "answer"


class Choice(NamedTuple):
    """An answer that is no touch, and the key to type for it."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. `progress` counts the answered questions of this phase, and all of them.

    `lit` is in order: a light runs over the `Lit.NEXT` pixels in this order.
    """

    step: LearnStep
    message: str
    choices: Mapping[str, Choice]
    lit: Mapping[int, Lit] = field(default_factory=dict)
    cell: str | None = None
    progress: tuple[int, int] = (1, 1)


Questions = Generator[Prompt, str, None]
"""Questions; an electrode as text, or the name of a choice, is sent as the answer to each."""

TOUCHED = (LearnStep.GLOW, LearnStep.NAME, LearnStep.KEY)
"""The steps that a touch answers."""

# Keys of choices offered together differ, and a key that answers several questions in a row must
# not answer the next kind of question.
CHOICES = {
    "light": Choice("l", "a light beside the cells"),
    "dead": Choice("d", "nothing glows"),
    "silent": Choice("c", "its cell does not answer"),
    "skip": Choice("s", "it does not answer"),
    "yes": Choice("y", "yes"),
    "one": Choice("o", "only the one that stays lit is right"),
    "reverse": Choice("r", "the other way round"),
    "turn": Choice("t", "begin one further"),
    "no": Choice("n", "no, show others"),
    "absent": Choice("x", "there are none, or no more"),
    "pin": Choice("p", "it is no pad"),
    "write": Choice("w", "write the profile"),
    "again": Choice("a", "ask again for what is missing"),
    "back": Choice("b", "back"),
}


def dialogue(task: Profile, draft: Draft) -> Questions:
    """Ask all that is open, and store the answers in the draft; the last question has no answer."""
    while not draft.ended:
        if len(draft.glows) == len(task.cells):
            # The other pixels belong to no cell.
            draft.beside.update(draft.pixels_open)
            draft.pixels_open.clear()
        if draft.pixels_open:
            yield from _glow(draft)
        elif draft.cells_open:
            yield from _name(draft)
        elif draft.groups_open:
            yield from _group(task, draft)
        elif draft.keys_open:
            yield from _key(task, draft)
        else:
            yield from _done(task, draft)
    yield Prompt(LearnStep.DONE, "The board is learned.", {})


def _glow(draft: Draft) -> Questions:
    pixel = draft.pixels_open[0]
    choices = _choices("light", "dead", "silent")
    text = f"Pixel {pixel} glows: touch its cell."
    answer = yield Prompt(LearnStep.GLOW, text, choices, {pixel: Lit.ASKED})
    del draft.pixels_open[0]
    match answer:
        case "light":
            draft.beside.add(pixel)
            draft.note = f"Pixel {pixel} is no cell's."
        case "dead":
            draft.dead.add(pixel)
            draft.note = f"Pixel {pixel} is dead."
        case "silent":
            draft.note = f"Pixel {pixel} is over a cell that does not answer."
        case pad:
            again = _ask_again(pad, "pixel", draft.glows, draft.pixels_open)
            draft.note = f"Pixel {pixel} is over electrode {pad}.{again}"
            draft.glows[pixel] = Electrode.parse(pad)


def _name(draft: Draft) -> Questions:
    cell = draft.cells_open[0]
    answer = yield Prompt(LearnStep.NAME, f"Touch {cell}.", _choices("skip"), cell=cell)
    del draft.cells_open[0]
    if answer == "skip":
        draft.note = f"{cell} does not answer."
        return
    under = [f"pixel {pixel}" for pixel, pad in draft.glows.items() if str(pad) == answer]
    light = under[0] if under else "no pixel is known for it"
    draft.note = f"{cell} is electrode {answer}, {light}.{_ask_spots_again(draft, answer)}"
    draft.named[cell] = Electrode.parse(answer)


def _group(task: Profile, draft: Draft) -> Questions:
    """Ask for the lights of a group that are not known yet, all of them at once."""
    group, placed = draft.groups_open[0], tuple[int, ...]()
    count = task.lights[group]
    draft.shown = _candidates(task, draft, group)
    if not draft.shown:
        draft.note = f"{draft.note} No pixel is left for {group}.".lstrip()
    while draft.shown and len(placed) < count:
        first, left = len(placed) + 1, count - len(placed)
        run, others = draft.shown[:left], draft.shown[left:]
        names = ["yes"]
        if len(run) == 1:
            text = f"Is this light {first} of {count} of {group}?"
        else:
            which = f"{first} to {first + len(run) - 1} of {group}"
            text = f"Are these the lights {which}, as they run from the one that stays lit?"
            names += ["one", "reverse", "turn"] if len(run) > 2 else ["one", "reverse"]
        choices = _choices(*names, *(["no"] if others else []), "absent")
        lit = dict.fromkeys(placed, Lit.ANSWER) | dict.fromkeys(run, Lit.NEXT)
        lit[run[0]] = Lit.ASKED
        match (yield Prompt(LearnStep.GROUP, text, choices, lit)):
            case "yes" | "one" as answer:
                found = run if answer == "yes" else run[:1]
                placed += found
                draft.shown = tuple(pixel for pixel in draft.shown if pixel not in found)
            case "reverse":
                draft.shown = run[::-1] + others
            case "turn":
                draft.shown = run[1:] + run[:1] + others
            case "no":
                draft.shown = others + tuple(pixel for pixel in run if pixel not in others)
            case _:
                break
    if placed:
        draft.lights[group] = placed
    del draft.groups_open[0]


def _candidates(task: Profile, draft: Draft, group: str) -> tuple[int, ...]:
    """List the pixels that may be a group's, the most likely first.

    These are the template's, if they are free, and then all in the strip's order. Dead pixels count
    only if there are more of them than cells without light.
    """
    unused = draft.unused(task)
    dead = draft.dead.intersection(unused)
    may_be = draft.beside if len(dead) <= len(draft.unlit(task)) else draft.beside | dead
    free = tuple(pixel for pixel in unused if pixel in may_be)
    count = task.lights[group]
    planned = tuple(task.pixels.get(f"{group}.{place}", -1) for place in range(count))
    likely = set(planned).issubset(free) and free[:count] != planned
    return planned + free if likely else free


def _key(task: Profile, draft: Draft) -> Questions:
    name = draft.keys_open[0]
    key = task.keys[name]
    what = f"a button on {task.pin_name(key.number)}" if isinstance(key, Pin) else "not there"
    text = f"Touch the key {name}, if it is a pad and not {what}."
    answer = yield Prompt(LearnStep.KEY, text, _choices("pin"))
    del draft.keys_open[0]
    if answer != "pin":
        draft.note = f"Key {name} is electrode {answer}.{_ask_spots_again(draft, answer)}"
        draft.keys[name] = Electrode.parse(answer)


def _done(task: Profile, draft: Draft) -> Questions:
    bare = draft.bare(task)
    names, text = ["write"], "All cells are known. Try them, then write the profile."
    if bare:
        names = []
        text = (
            f"{listed(bare)} did not answer, so there can be no profile yet. Mend the wires and"
            " ask again, or stop: what is known is kept."
        )
    if bare or (draft.unlit(task) and draft.unused(task)):
        names.append("again")
    if (yield Prompt(LearnStep.DONE, text, _choices(*names))) == "write":
        draft.ended = True
    else:
        draft.reopen(task)


def _choices(*names: str) -> dict[str, Choice]:
    return {name: CHOICES[name] for name in names}


def _ask_spots_again(draft: Draft, pad: str) -> str:
    cell = _ask_again(pad, "cell", draft.named, draft.cells_open)
    return cell + _ask_again(pad, "key", draft.keys, draft.keys_open)


def _ask_again(pad: str, kind: str, known: dict[Any, Electrode], opened: list[Any]) -> str:
    """Ask again for what an electrode answered for before; return a sentence that says so."""
    spot = next((spot for spot, each in known.items() if str(each) == pad), None)
    if spot is None:
        return ""
    del known[spot]
    opened.insert(0, spot)
    return f" It answered for {kind} {spot} before, which is asked again."


def listed(things: Iterable[object]) -> str:
    """Join things as a text: "a, b and c"."""
    *most, last = map(str, things)
    return f"{', '.join(most)} and {last}" if most else last
