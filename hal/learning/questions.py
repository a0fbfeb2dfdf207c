"""The questions of learning: what each asks and shows, and how its answers change the draft.

Open items are asked in this order; one that an answer reopens is asked at once.

    GLOW   one pixel glows, and its cell is touched
    NAME   one cell is named, and touched
    GROUP  pixels are shown as the lights of a group, in their order
    KEY    one key is named, and touched if it is a pad
    DONE   nothing is open

An electrode belongs to what it answered for last; what it answered for before is asked again.
Each answer makes a new draft, and leaves the old one unchanged. English only, like all makers'
tools. Time comes in as `now`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple, TypeVar

from hal.base.events import CellTouch
from hal.learning.draft import Draft, LearnStep, reopened
from hal.profile import Electrode, Pin, Profile
from hal.sensing import Debouncer

_Spot = TypeVar("_Spot", int, str)

PRESS_S = 0.060
RELEASE_S = 0.100
LONG_S = 5.0  # a longer touch is no finger's
START_S = 1.0  # by then a board has reported what is touched without a finger


class Lit(Enum):
    """Why a pixel glows: a group's first one is steady, and a light runs over the next ones."""

    ASKED = "asked"
    FIRST = "first"
    NEXT = "next"
    ANSWER = "answer"


class Choice(NamedTuple):
    """An answer that is no touch, and the key to type for it."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. `progress` counts the answered questions of the present phase, and all of it.

    `lit` is in order: a light runs over the `Lit.NEXT` pixels in this order.
    """

    step: LearnStep
    message: str
    lit: Mapping[int, Lit]
    cell: str | None
    choices: Mapping[str, Choice]
    progress: tuple[int, int]


class TouchListener:
    """Turns touches into answers: first nothing is touched, and then the next touch answers.

    What is touched for longer than LONG_S is stuck, and ignored until it is lifted.
    """

    def __init__(self) -> None:
        self.lifting = True
        """Whether it still waits until nothing is touched."""
        self._touch = Debouncer(CellTouch, press_s=PRESS_S, release_s=RELEASE_S, hold_s=LONG_S)
        self._answer: set[str] = set()
        self._answer_s = 0.0
        self._ready_s: float | None = None

    @property
    def stuck(self) -> frozenset[Electrode]:
        """The electrodes that have been touched for longer than any finger would."""
        return frozenset(map(Electrode.parse, self._touch.held))

    @property
    def down(self) -> frozenset[Electrode]:
        """The electrodes that are touched now, without stuck ones."""
        return frozenset(map(Electrode.parse, self._touch.pressed - self._touch.held))

    def update(self, now: float, pads: frozenset[Electrode]) -> frozenset[Electrode]:
        """Process touched electrodes at time `now`, in seconds; return an answer, mostly empty."""
        before = self._touch.pressed
        down = frozenset(map(str, pads))
        self._touch.update(now, down)
        pressed = self._touch.pressed
        if self._ready_s is None:
            self._ready_s = now + START_S
        if self.lifting:
            self.lifting = now < self._ready_s or bool((down | pressed) - self._touch.held)
            return frozenset()
        # A second electrode that is touched with the first belongs to the same answer.
        if pressed - before and not self._answer:
            self._answer_s = now
        self._answer |= pressed - before
        if not self._answer or (down - pressed and now < self._answer_s + PRESS_S):
            return frozenset()
        answer = frozenset(map(Electrode.parse, self._answer))
        self._answer.clear()
        self.lifting = True
        return answer


@dataclass(frozen=True, slots=True)
class _Question:
    """A question, and the draft that each choice leads to."""

    text: str
    lit: Mapping[int, Lit] = field(default_factory=dict)
    answers: Mapping[str, Draft] = field(default_factory=dict)
    cell: str | None = None


TOUCHED = (LearnStep.GLOW, LearnStep.NAME, LearnStep.KEY)
"""The steps that a touch answers."""

# Keys of choices offered together differ, and a key that answers several questions in a row must
# not answer the next kind of question.
CHOICES = {
    "light": Choice("l", "a light beside the cells"),
    "rest": Choice("r", "this one and all that are left are lights"),
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
    "pins": Choice("a", "no pads are left"),
    "write": Choice("w", "write the profile"),
    "again": Choice("a", "ask again for what is missing"),
    "back": Choice("b", "back"),
}


def ask(task: Profile, draft: Draft, heard: TouchListener, *, can_go_back: bool) -> Prompt:
    """Return the question about a draft, or what a person must do first."""
    if heard.lifting and heard.down and draft.step in TOUCHED:
        question = _Question("Lift your finger.", _answer_lights(draft, heard.down))
    else:
        question = _question(task, draft, heard.down)
    names = [*question.answers, *(["back"] if can_go_back and not draft.ended else [])]
    stuck = f"{_pads(heard.stuck)} touched all the time: ignored." if heard.stuck else ""
    return Prompt(
        draft.step,
        " ".join(each for each in (draft.note, stuck, question.text) if each),
        question.lit,
        question.cell,
        {name: CHOICES[name] for name in names},
        _progress(task, draft),
    )


def answered(task: Profile, draft: Draft, entry: str) -> Draft | None:
    """Apply an entry of the journal, an electrode or a choice; None where it is not asked for."""
    if "." not in entry:
        after = _question(task, draft).answers.get(entry)
    elif draft.step in TOUCHED:
        after = _touched(draft, Electrode.parse(entry))
    else:
        after = None
    return None if after is None else settled(task, after)


def refused(draft: Draft, pads: frozenset[Electrode]) -> Draft:
    """Report electrodes that answered together, where a single one is asked for."""
    if draft.step not in TOUCHED:
        return draft
    note = (
        f"Electrodes {_listed(sorted(pads))} answered together: a short, crosstalk, or more than"
        " one finger. Touch again."
    )
    return replace(draft, note=note)


def settled(task: Profile, draft: Draft) -> Draft:
    """Close what needs no question, and choose the pixels that are shown for a group."""
    if draft.pixels_open and len(draft.glows) == len(task.cells):
        draft = _rest_beside(draft, draft.note)
    while draft.step is LearnStep.GROUP and not draft.shown:
        shown = _candidates(task, draft)
        note = f"{draft.note} No pixel is left for {draft.groups_open[0]}.".lstrip()
        draft = replace(draft, shown=shown) if shown else _group_ended(draft, (), note)
    return draft


def report(task: Profile, draft: Draft, stuck: frozenset[Electrode]) -> tuple[str, ...]:
    """Report problems, one line each."""
    bare = draft.bare(task)
    unlit = [cell for cell in draft.unlit(task) if cell in draft.named]
    lines = []
    if bare:
        lines.append(f"{_listed(bare)}: no electrode; the profile is not complete")
    if unlit:
        lines.append(f"{_listed(unlit)}: no pixel; played without light")
    if stuck:
        lines.append(f"electrodes {_listed(sorted(stuck))}: touched all the time")
    for group, count in task.lights.items():
        found = len(draft.lights.get(group, ()))
        if found < count and group not in draft.groups_open:
            lines.append(f"lights {group}: {found} of {count}")
    if draft.dead:
        lines.append(f"pixels {_listed(sorted(draft.dead))}: dead")
    return tuple(lines)


def _question(task: Profile, draft: Draft, down: frozenset[Electrode] = frozenset()) -> _Question:
    if draft.ended:
        return _Question("The board is learned.")
    match draft.step:
        case LearnStep.GLOW:
            return _glow(draft)
        case LearnStep.NAME:
            cell, *cells = draft.cells_open
            skipped = _next(draft, f"{cell} does not answer.", cells_open=tuple(cells))
            return _Question(f"Touch {cell}.", {}, {"skip": skipped}, cell)
        case LearnStep.GROUP:
            return _group(task, draft)
        case LearnStep.KEY:
            return _key(task, draft)
        case LearnStep.DONE:
            return _done(task, draft, down)


def _glow(draft: Draft) -> _Question:
    pixel, *left = draft.pixels_open

    def closed(note: str, **changes: Any) -> Draft:
        return _next(draft, f"Pixel {pixel} is {note}.", pixels_open=tuple(left), **changes)

    answers = {
        "light": closed("no cell's", beside=draft.beside | {pixel}),
        "rest": _rest_beside(draft, "The pixels that are left are no cells'."),
        "dead": closed("dead", dead=draft.dead | {pixel}),
        "silent": closed("over a cell that does not answer"),
    }
    return _Question(f"Pixel {pixel} glows: touch its cell.", {pixel: Lit.ASKED}, answers)


def _group(task: Profile, draft: Draft) -> _Question:
    """Ask for the lights of a group that are not known yet, all of them at once."""
    group, first, count = draft.groups_open[0], len(draft.placed) + 1, _left(task, draft)
    run, others = draft.shown[:count], draft.shown[count:]
    which = f"{first} to {first + len(run) - 1} of {group}, as they run from the one that stays lit"
    text = f"Are these the lights {which}?"
    lit = {run[0]: Lit.FIRST, **dict.fromkeys(run[1:], Lit.NEXT)}
    answers = {"yes": _found(task, draft, run)}
    if len(run) == 1:
        text = f"Is this light {first} of {task.lights[group]} of {group}?"
        lit = {run[0]: Lit.ASKED}
    else:
        answers["one"] = _found(task, draft, run[:1])
        answers["reverse"] = _next(draft, shown=run[::-1] + others)
    if len(run) > 2:
        answers["turn"] = _next(draft, shown=run[1:] + run[:1] + others)
    if others:
        passed = tuple(pixel for pixel in run if pixel not in others)
        answers["no"] = _next(draft, shown=others + passed)
    answers["absent"] = _group_ended(draft, draft.placed)
    return _Question(text, dict.fromkeys(draft.placed, Lit.ANSWER) | lit, answers)


def _key(task: Profile, draft: Draft) -> _Question:
    name, *rest = draft.keys_open
    key = task.keys[name]
    what = f"a button on {task.pin_name(key.number)}" if isinstance(key, Pin) else "not there"
    answers = {"pin": _next(draft, keys_open=tuple(rest)), "pins": _next(draft, keys_open=())}
    return _Question(f"Touch the key {name}, if it is a pad and not {what}.", {}, answers)


def _done(task: Profile, draft: Draft, down: frozenset[Electrode]) -> _Question:
    bare = draft.bare(task)
    answers = {} if bare else {"write": _next(draft, ended=True)}
    if bare or (draft.unlit(task) and draft.unused(task)):
        answers["again"] = reopened(task, draft)
    spots = [spot for pad in sorted(down) if (spot := draft.spot_of(pad))]
    tried = f" This is {_listed(spots)}." if spots else ""
    text = f"All cells are known. Try them, then write the profile.{tried}"
    if bare:
        text = (
            f"{_listed(bare)} did not answer, so there can be no profile yet. Mend the wires and"
            " ask again, or stop: what is known is kept."
        )
    return _Question(text, _answer_lights(draft, down), answers)


def _touched(draft: Draft, pad: Electrode) -> Draft:
    """Give an electrode to what is asked, and ask again for what it answered for before."""
    if draft.step is LearnStep.GLOW:
        pixel, *left = draft.pixels_open
        others, lost = _parted(draft.glows, pad)
        note = f"Pixel {pixel} is over electrode {pad}.{_asked_again('pixel', lost)}"
        glows = {**others, pixel: pad}
        return _next(draft, note, glows=glows, pixels_open=(*lost, *left))
    named, cells = _parted(draft.named, pad)
    keys, lost_keys = _parted(draft.keys, pad)
    cells_open, keys_open = [*draft.cells_open], [*draft.keys_open]
    if draft.step is LearnStep.NAME:
        cell = cells_open.pop(0)
        under = next((pixel for pixel, each in draft.glows.items() if each == pad), None)
        light = "no pixel is known for it" if under is None else f"pixel {under}"
        note, named = f"{cell} is electrode {pad}, {light}.", {**named, cell: pad}
    else:
        key = keys_open.pop(0)
        note, keys = f"Key {key} is electrode {pad}.", {**keys, key: pad}
    return _next(
        draft,
        note + _asked_again("cell", cells) + _asked_again("key", lost_keys),
        named=named,
        keys=keys,
        cells_open=(*cells, *cells_open),
        keys_open=(*lost_keys, *keys_open),
    )


def _parted(
    known: Mapping[_Spot, Electrode], pad: Electrode
) -> tuple[Mapping[_Spot, Electrode], list[_Spot]]:
    """Return what other electrodes are known for, and what this one was."""
    others = {spot: each for spot, each in known.items() if each != pad}
    return others, [spot for spot in known if spot not in others]


def _asked_again(kind: str, lost: Iterable[object]) -> str:
    return "".join(f" It answered for {kind} {each} before, which is asked again." for each in lost)


def _rest_beside(draft: Draft, note: str) -> Draft:
    return _next(draft, note, pixels_open=(), beside=draft.beside.union(draft.pixels_open))


def _candidates(task: Profile, draft: Draft) -> tuple[int, ...]:
    """List the pixels that may be the open group's, the most likely first.

    These are the template's, if most cells are wired as there, and then all in the strip's order. A
    dead pixel for each cell without light is taken for that cell's.
    """
    group, cells = draft.groups_open[0], draft.cell_pixels()
    unused = draft.unused(task)
    dead = draft.dead.intersection(unused)
    may_be = draft.beside if len(dead) <= len(draft.unlit(task)) else draft.beside | dead
    free = tuple(pixel for pixel in unused if pixel in may_be)
    count = task.lights[group]
    planned = tuple(task.pixels.get(f"{group}.{place}", -1) for place in range(count))
    alike = sum(task.pixels.get(cell) == pixel for cell, pixel in cells.items())
    likely = 2 * alike > len(cells) and set(planned).issubset(free) and free[:count] != planned
    return planned + free if likely else free


def _left(task: Profile, draft: Draft) -> int:
    """Return how many lights of the open group are not known yet."""
    return task.lights[draft.groups_open[0]] - len(draft.placed)


def _found(task: Profile, draft: Draft, run: tuple[int, ...]) -> Draft:
    """Take pixels as the next lights of the open group."""
    placed = (*draft.placed, *run)
    shown = tuple(pixel for pixel in draft.shown if pixel not in run)
    if len(run) == _left(task, draft) or not shown:
        return _group_ended(draft, placed)
    return _next(draft, placed=placed, shown=shown)


def _group_ended(draft: Draft, pixels: tuple[int, ...], note: str = "") -> Draft:
    """Close the open group with these pixels as its lights, maybe none."""
    group, *rest = draft.groups_open
    lights = {**draft.lights, group: pixels} if pixels else draft.lights
    return _next(draft, note, groups_open=tuple(rest), lights=lights, placed=(), shown=())


def _next(draft: Draft, note: str = "", **changes: Any) -> Draft:
    return replace(draft, note=note, **changes)


def _answer_lights(draft: Draft, pads: frozenset[Electrode]) -> dict[int, Lit]:
    return {pixel: Lit.ANSWER for pixel, pad in draft.glows.items() if pad in pads}


def _progress(task: Profile, draft: Draft) -> tuple[int, int]:
    for left, count in (
        (draft.pixels_open, task.pixel_count),
        (draft.cells_open, len(task.cells)),
        (draft.groups_open, len(task.lights)),
        (draft.keys_open, len(task.keys)),
    ):
        if left:
            return count - len(left), count
    return 1, 1


def _pads(pads: Iterable[Electrode]) -> str:
    names = sorted(pads)
    return f"Electrode {names[0]} is" if len(names) == 1 else f"Electrodes {_listed(names)} are"


def _listed(things: Iterable[object]) -> str:
    *most, last = map(str, things)
    return f"{', '.join(most)} and {last}" if most else last
