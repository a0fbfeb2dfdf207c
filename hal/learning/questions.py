"""The questions of learning, in words and lights.

English only, like all makers' tools.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from hal.learning import light_groups, transitions
from hal.learning.draft import Draft, Step, Task, sorted_pads
from hal.learning.touch_listener import ListenerState


class Lit(Enum):
    """Why a pixel glows: a group's first one is steady, and a light runs over the next ones."""

    ASKED = "asked"
    FIRST = "first"
    NEXT = "next"
    ANSWER = "answer"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Choice:
    """The answers that are not touches; a label gives the present meaning."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. `progress` counts the answered questions of the present phase, and all of it.

    `lit` is in order: a light runs over the `Lit.NEXT` pixels in this order.
    """

    step: Step
    message: str
    lit: Mapping[int, Lit]
    cell: str | None
    choices: tuple[Choice, ...]
    progress: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Touches:
    """What is touched, for how long, and what has just been answered."""

    state: ListenerState
    down: frozenset[str] = frozenset()
    long: frozenset[str] = frozenset()
    answer: frozenset[str] = frozenset()
    stuck: frozenset[str] = frozenset()
    """Stuck and not reported yet."""


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    lit: Mapping[int, Lit] = field(default_factory=dict)
    cell: str | None = None


def ask(task: Task, draft: Draft, heard: Touches, *, can_go_back: bool) -> Ask:
    """Ask about a draft, or say what must happen before."""
    back = (Choice("back", "back"),) if can_go_back and not draft.ended else ()
    lifting = heard.state is ListenerState.LIFTING and bool(heard.down)
    if heard.state is ListenerState.LISTENING:
        question = _Question("Take your hands off the board for a moment.")
        offered: tuple[Choice, ...] = ()
    elif lifting and not draft.clash and (heard.answer or draft.step in _TOUCHED):
        question, offered = _wait(draft, heard), back
        if heard.long:
            offered = (Choice("ignore", "no finger is there: ignore it"), *back)
    else:
        question = _question(task, draft, heard)
        labels = _labels(task, draft)
        names = transitions.choices(task, draft)
        offered = (*(Choice(name, labels[name]) for name in names), *back)
    told = [draft.note] if heard.state is not ListenerState.LISTENING else []
    if heard.stuck:
        told.append(f"{_pads(heard.stuck)} touched all the time: ignored.")
    message = " ".join(each for each in (*told, question.text) if each)
    return Ask(draft.step, message, question.lit, question.cell, offered, _progress(task, draft))


def subject(draft: Draft) -> tuple[object, ...]:
    """Return what tells two questions apart."""
    opened = (draft.pixels_open, draft.cells_open, draft.groups_open, draft.keys_open)
    return (*opened, draft.rest, draft.shown, draft.placed, draft.clash, draft.ended)


def report(task: Task, draft: Draft, stuck: frozenset[str]) -> tuple[str, ...]:
    """Report problems, one line each."""
    bare = [cell for cell in task.cells if cell not in draft.named]
    unlit = [cell for cell in draft.unlit(task) if cell in draft.named]
    lines = []
    if bare:
        lines.append(f"{_listed(bare)}: no electrode; the profile is not complete")
    if unlit:
        lines.append(f"{_listed(unlit)}: no pixel; played without light")
    for pads in sorted(draft.joined, key=sorted_pads):
        lines.append(f"electrodes {_listed(sorted_pads(pads))}: always together; look for a short")
    if stuck:
        lines.append(f"electrodes {_listed(sorted_pads(stuck))}: touched all the time")
    for group, count in task.groups.items():
        found = len(draft.lights.get(group, ()))
        if found < count and group not in draft.groups_open:
            lines.append(f"lights {group}: {found} of {count}")
    if draft.dead:
        lines.append(f"pixels {_listed(map(str, sorted(draft.dead)))}: dead")
    return tuple(lines)


_TOUCHED = (Step.GLOW, Step.NAME, Step.KEY)


def _wait(draft: Draft, heard: Touches) -> _Question:
    pixels = (draft.pixel_of(pad) for pad in heard.answer)
    lit = {pixel: Lit.ANSWER for pixel in pixels if pixel is not None}
    if heard.long:
        return _Question(f"{_pads(heard.long)} still touched.", lit)
    return _Question("Lift your finger.", lit)


def _question(task: Task, draft: Draft, heard: Touches) -> _Question:
    if draft.clash:
        return _clash(draft)
    match draft.step:
        case Step.GLOW:
            pixel = draft.pixels_open[0]
            return _Question(f"Pixel {pixel} glows: touch its cell.", {pixel: Lit.ASKED})
        case Step.REST:
            left = draft.pixels_open
            others = "Does the other one" if len(left) == 1 else f"Do the other {len(left)}"
            text = f"Every cell has its pixel. {others} glow, beside the cells?"
            return _Question(text, dict.fromkeys(left, Lit.ASKED))
        case Step.NAME:
            cell = draft.cells_open[0]
            return _Question(f"Touch {cell}.", cell=cell)
        case Step.GROUP:
            return _group(draft)
        case Step.PLACE:
            return _light(task, draft)
        case Step.KEY:
            return _key(task, draft)
        case Step.DONE:
            return _done(task, draft, heard)


def _clash(draft: Draft) -> _Question:
    held = transitions.owner(draft, draft.clash)
    text = f"Electrode {draft.clash} answered for {held} already. Which is right?"
    pixel = draft.pixel_of(draft.clash)
    lit = {} if pixel is None else {pixel: Lit.OTHER}
    if draft.step is Step.GLOW:
        return _Question(text, {**lit, draft.pixels_open[0]: Lit.ASKED})
    return _Question(text, lit, draft.cells_open[0] if draft.step is Step.NAME else None)


def _group(draft: Draft) -> _Question:
    group, shown = draft.groups_open[0], draft.shown
    if len(shown) == 1:
        return _Question(f"Is this the light of {group}?", {shown[0]: Lit.ASKED})
    lit = dict.fromkeys(shown, Lit.NEXT) | {shown[0]: Lit.FIRST}
    text = f"Are these the {len(shown)} lights of {group}, as they run from the one that stays lit?"
    return _Question(text, lit)


def _light(task: Task, draft: Draft) -> _Question:
    group = draft.groups_open[0]
    light = f"light {len(draft.placed or ()) + 1} of {task.groups[group]} of {group}"
    if not draft.shown:
        return _Question(f"No pixel is left that glows for {light}.")
    lit = dict.fromkeys(draft.placed or (), Lit.ANSWER)
    lit |= dict.fromkeys(draft.shown, Lit.ASKED)
    if len(draft.shown) == 1:
        return _Question(f"Is this {light}?", lit)
    return _Question(f"Is {light} among these {len(draft.shown)}?", lit)


def _key(task: Task, draft: Draft) -> _Question:
    name = draft.keys_open[0]
    what = f"a button on {task.pins[name]}" if name in task.pins else "not there"
    return _Question(f"Touch the key {name}, if it is a pad and not {what}.")


def _done(task: Task, draft: Draft, heard: Touches) -> _Question:
    if draft.ended:
        return _Question("The board is learned.")
    pixels = (draft.pixel_of(pad) for pad in heard.down)
    lit = {pixel: Lit.ANSWER for pixel in pixels if pixel is not None}
    bare = [cell for cell in task.cells if cell not in draft.named]
    if bare:
        text = (
            f"{_listed(bare)} did not answer, so there can be no profile yet. Mend the wires and"
            " ask again, or stop: what is known is kept."
        )
        return _Question(text, lit)
    spots = [spot for pad in sorted_pads(heard.down) if (spot := draft.spot_of(pad))]
    tried = f" This is {_listed(spots)}." if spots else ""
    return _Question(f"All cells are known. Try them, then write the profile.{tried}", lit)


def _labels(task: Task, draft: Draft) -> Mapping[str, str]:
    """Return the present label of each choice."""
    labels = {
        "light": "a light beside the cells",
        "rest": "this one and all that are left are lights",
        "dead": "nothing glows",
        "silent": "its cell does not answer",
        "skip": "it does not answer",
        "yes": "yes",
        "no": "no",
        "reverse": "the other way round",
        "turn": "begin one further",
        "one": "no, find them one by one",
        "dark": "that light is dead",
        "enough": "there are no more of them",
        "pin": "it is no pad",
        "pins": "no pads are left",
        "write": "write the profile",
        "again": "ask again for what is missing",
    }
    if draft.clash:
        labels["old"] = f"{transitions.owner(draft, draft.clash)}: ask once more"
        labels["new"] = {
            Step.GLOW: lambda: f"pixel {draft.pixels_open[0]}",
            Step.NAME: lambda: f"cell {draft.cells_open[0]}",
            Step.KEY: lambda: f"key {draft.keys_open[0]}",
        }[draft.step]()
    elif draft.always:
        labels |= {"first": f"take {draft.always[0]}", "second": f"take {draft.always[1]}"}
    elif draft.step is Step.REST:
        labels["one"] = "no" if len(draft.pixels_open) == 1 else "no, show them one by one"
    elif draft.step is Step.GROUP and light_groups.others(task, draft):
        labels["one"] = "no, show others"
    if draft.step in (Step.GROUP, Step.PLACE):
        labels["absent"] = f"there are no {draft.groups_open[0]} lights"
    return labels


def _progress(task: Task, draft: Draft) -> tuple[int, int]:
    match draft.step:
        case Step.GLOW | Step.REST:
            left, count = len(draft.pixels_open), task.pixel_count
        case Step.NAME:
            left, count = len(draft.cells_open), len(task.cells)
        case Step.GROUP | Step.PLACE:
            left, count = len(draft.groups_open), len(task.groups)
        case Step.KEY:
            left, count = len(draft.keys_open), len(task.keys)
        case Step.DONE:
            left, count = 0, 1
    return count - left, count


def _pads(pads: Iterable[str]) -> str:
    names = sorted_pads(pads)
    return f"Electrode {names[0]} is" if len(names) == 1 else f"Electrodes {_listed(names)} are"


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
