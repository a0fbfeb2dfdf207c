"""The questions of learning: what each asks and shows, and how its answers change the draft.

Open items are asked in this order; one that an answer reopens is asked at once.

    GLOW   one pixel glows, and its cell is touched
    REST   when every cell has one, all other pixels glow, to find those that are dead
    NAME   one cell is named, and touched
    GROUP  pixels are shown as a whole group of lights (`hal.learning.light_groups`)
    PLACE  the same light by light
    KEY    one key is named, and touched if it is a pad
    DONE   nothing is open

Each answer makes a new draft, and leaves the old one unchanged. English only, like all makers'
tools.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeVar

from hal.learning import light_groups
from hal.learning.draft import Draft, Step, sorted_pads
from hal.learning.touch_listener import ListenerState, TouchListener
from hal.profile import Pin, Profile

_Spot = TypeVar("_Spot", int, str)


class Lit(Enum):
    """Why a pixel glows: a group's first one is steady, and a light runs over the next ones."""

    ASKED = "asked"
    FIRST = "first"
    NEXT = "next"
    ANSWER = "answer"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. `progress` counts the answered questions of the present phase, and all of it.

    `lit` is in order: a light runs over the `Lit.NEXT` pixels in this order. `choices` are the
    answers that are no touch, and the label of each.
    """

    step: Step
    message: str
    lit: Mapping[int, Lit]
    cell: str | None
    choices: Mapping[str, str]
    progress: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Question:
    """A question, and the draft that each choice leads to; `labels` has the labels that vary."""

    text: str
    lit: Mapping[int, Lit] = field(default_factory=dict)
    answers: Mapping[str, Draft] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    cell: str | None = None


_TOUCHED = (Step.GLOW, Step.NAME, Step.KEY)
_LABELS = {
    "light": "a light beside the cells",
    "rest": "this one and all that are left are lights",
    "dead": "nothing glows",
    "silent": "its cell does not answer",
    "skip": "it does not answer",
    "yes": "yes",
    "no": "no",
    "reverse": "the other way round",
    "turn": "begin one further",
    "dark": "that light is dead",
    "enough": "there are no more of them",
    "pin": "it is no pad",
    "pins": "no pads are left",
    "write": "write the profile",
    "again": "ask again for what is missing",
}


def ask(
    task: Profile,
    draft: Draft,
    heard: TouchListener,
    answered: frozenset[str],
    stuck: frozenset[str],
    *,
    can_go_back: bool,
) -> Ask:
    """Return the question about a draft, or what a person must do first.

    `answered` are the answer's electrodes that are still touched, `stuck` the newly stuck ones.
    """
    choices: dict[str, str] = {}
    notes = [draft.note]
    lifting = heard.state is ListenerState.LIFTING and heard.down
    if heard.state is ListenerState.LISTENING:
        notes = []
        question = _Question("Take your hands off the board for a moment.")
    elif lifting and not draft.clash and (answered or draft.step in _TOUCHED):
        text = f"{_pads(heard.long)} still touched." if heard.long else "Lift your finger."
        question = _Question(text, _answer_lights(draft, answered))
        if heard.long:
            choices["ignore"] = "no finger is there: ignore it"
    else:
        question = _question(task, draft, heard.down)
        labels = {**_LABELS, **question.labels}
        choices = {name: labels[name] for name in question.answers}
    if can_go_back and not draft.ended:
        choices["back"] = "back"
    if stuck:
        notes.append(f"{_pads(stuck)} touched all the time: ignored.")
    message = " ".join(each for each in (*notes, question.text) if each)
    return Ask(draft.step, message, question.lit, question.cell, choices, _progress(task, draft))


def answer(task: Profile, draft: Draft, pads: frozenset[str]) -> Draft | None:
    """Apply electrodes that answered together, mostly one; return None where none is asked for."""
    if draft.ended or not pads or draft.step not in _TOUCHED:
        return None
    if len(pads) != 1:
        return _answer_together(draft, pads)
    (pad,) = pads
    return None if pad == draft.clash else _answer_one(task, draft, pad)


def _answer_one(task: Profile, draft: Draft, pad: str) -> Draft:
    draft = replace(draft, clash="")
    if _owner(draft, pad) is not None:
        return replace(draft, clash=pad, note="")
    return settled(task, _learn(draft, pad))


def choose(task: Profile, draft: Draft, name: str) -> Draft | None:
    """Apply a choice that the question offers; return None for any other."""
    chosen = _question(task, draft).answers.get(name)
    return None if chosen is None else settled(task, chosen)


def settled(task: Profile, draft: Draft) -> Draft:
    """Go on to a draft's next question: close items without one, and choose the shown pixels."""
    if draft.pixels_open and draft.rest is None and draft.pixels_missing(task) == 0:
        draft = replace(draft, rest=True)
    if draft.step not in (Step.GROUP, Step.PLACE):
        # A pixel that was assigned to a light may turn out to belong to a cell.
        cells = set(draft.cell_pixels().values())
        for group, pixels in draft.lights.items():
            if cells.intersection(pixels):
                rest = {name: each for name, each in draft.lights.items() if name != group}
                draft = replace(draft, lights=rest, groups_open=(*draft.groups_open, group))
    while draft.step is Step.GROUP and not draft.shown:
        draft = light_groups.propose(task, draft)
    return draft


def subject(draft: Draft) -> tuple[object, ...]:
    """Return the identity of a question, to compare two of them."""
    opened = (draft.pixels_open, draft.cells_open, draft.groups_open, draft.keys_open)
    return (*opened, draft.rest, draft.shown, draft.placed, draft.clash, draft.ended)


def report(task: Profile, draft: Draft, stuck: frozenset[str]) -> tuple[str, ...]:
    """Report problems, one line each."""
    bare = draft.bare(task)
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
    for group, count in task.lights.items():
        found = len(draft.lights.get(group, ()))
        if found < count and group not in draft.groups_open:
            lines.append(f"lights {group}: {found} of {count}")
    if draft.dead:
        lines.append(f"pixels {_listed(map(str, sorted(draft.dead)))}: dead")
    return tuple(lines)


def _question(task: Profile, draft: Draft, down: frozenset[str] = frozenset()) -> _Question:
    if draft.ended:
        return _Question("The board is learned.")
    if draft.clash:
        return _clash(draft)
    return {
        Step.GLOW: lambda: _glow(task, draft),
        Step.REST: lambda: _rest(draft),
        Step.NAME: lambda: _name(task, draft),
        Step.GROUP: lambda: _group(task, draft),
        Step.PLACE: lambda: _place(task, draft),
        Step.KEY: lambda: _key(task, draft),
        Step.DONE: lambda: _done(task, draft, down),
    }[draft.step]()


def _answer_lights(draft: Draft, pads: Iterable[str]) -> dict[int, Lit]:
    pixels = map(draft.pixel_of, pads)
    return {pixel: Lit.ANSWER for pixel in pixels if pixel is not None}


def _glow(task: Profile, draft: Draft) -> _Question:
    pixel = draft.pixels_open[0]
    no_answer = f"Pixel {pixel} is over a cell that does not answer."
    joined, labels = _joined(task, draft)
    answers = {
        **joined,
        "light": _passed(draft, 1, f"Pixel {pixel} is no cell's."),
        "rest": _all_beside(draft),
        "dead": _passed(draft, 1, f"Pixel {pixel} is dead.", dead=draft.dead | {pixel}),
        "silent": _passed(draft, 1, no_answer, silent=draft.silent | {pixel}),
    }
    text = f"Pixel {pixel} glows: touch its cell."
    return _Question(text, {pixel: Lit.ASKED}, answers, labels)


def _rest(draft: Draft) -> _Question:
    left = draft.pixels_open
    one = len(left) == 1
    others = "Does the other one" if one else f"Do the other {len(left)}"
    text = f"Every cell has its pixel. {others} glow, beside the cells?"
    answers = {"yes": _all_beside(draft), "one": replace(draft, rest=False, note="")}
    labels = {"one": "no" if one else "no, show them one by one"}
    return _Question(text, dict.fromkeys(left, Lit.ASKED), answers, labels)


def _name(task: Profile, draft: Draft) -> _Question:
    cell, *rest = draft.cells_open
    joined, labels = _joined(task, draft)
    unwired, note = draft.unwired | {cell}, f"{cell} does not answer."
    skipped = draft.advanced(cells_open=tuple(rest), unwired=unwired, note=note)
    return _Question(f"Touch {cell}.", {}, {**joined, "skip": skipped}, labels, cell)


def _key(task: Profile, draft: Draft) -> _Question:
    name, *rest = draft.keys_open
    key = task.keys[name]
    what = f"a button on {task.pin_name(key.number)}" if isinstance(key, Pin) else "not there"
    joined, labels = _joined(task, draft)
    answers = {
        **joined,
        "pin": draft.advanced(keys_open=tuple(rest), note=""),
        "pins": draft.advanced(keys_open=(), note=""),
    }
    text = f"Touch the key {name}, if it is a pad and not {what}."
    return _Question(text, {}, answers, labels)


def _done(task: Profile, draft: Draft, down: frozenset[str]) -> _Question:
    lit = _answer_lights(draft, down)
    missing = draft.unwired or (draft.unlit(task) and draft.unused(task))
    answers = {"again": _ask_again(task, draft)} if missing else {}
    if bare := draft.bare(task):
        text = (
            f"{_listed(bare)} did not answer, so there can be no profile yet. Mend the wires and"
            " ask again, or stop: what is known is kept."
        )
        return _Question(text, lit, answers)
    spots = [spot for pad in sorted_pads(down) if (spot := draft.spot_of(pad))]
    tried = f" This is {_listed(spots)}." if spots else ""
    text = f"All cells are known. Try them, then write the profile.{tried}"
    return _Question(text, lit, {"write": replace(draft, ended=True, note=""), **answers})


def _clash(draft: Draft) -> _Question:
    """Ask which is right, where an electrode is already assigned to something else."""
    held, pixel = _owner(draft, draft.clash), draft.pixel_of(draft.clash)
    lit = {} if pixel is None else {pixel: Lit.OTHER}
    cell = draft.cells_open[0] if draft.step is Step.NAME else None
    new = f"key {draft.keys_open[0]}" if draft.step is Step.KEY else f"cell {cell}"
    if draft.step is Step.GLOW:
        lit[draft.pixels_open[0]] = Lit.ASKED
        new = f"pixel {draft.pixels_open[0]}"
    note = f"Electrode {draft.clash} stays where it was."
    answers = {"new": _take_over(draft), "old": replace(draft, clash="", note=note)}
    text = f"Electrode {draft.clash} answered for {held} already. Which is right?"
    labels = {"new": new, "old": f"{held}: ask once more"}
    return _Question(text, lit, answers, labels, cell)


def _joined(task: Profile, draft: Draft) -> tuple[Mapping[str, Draft], Mapping[str, str]]:
    """Return answers and labels that choose one of two electrodes that always answer together."""
    pads = dict(zip(("first", "second"), draft.always, strict=False))
    answers = {name: _answer_one(task, draft, pad) for name, pad in pads.items()}
    return answers, {name: f"take {pad}" for name, pad in pads.items()}


def _answer_together(draft: Draft, pads: frozenset[str]) -> Draft:
    tries = replace(draft, clash="", tries=(*draft.tries, pads))
    if not tries.always:
        note = (
            f"Electrodes {_listed(sorted_pads(pads))} answered together: a short, crosstalk, or"
            " more than one finger. Touch again."
        )
        return replace(tries, note=note)
    note = f"Electrodes {_listed(tries.always)} always answer together: look for a short between"
    joined = draft.joined | {frozenset(tries.always)}
    return replace(tries, note=f"{note} them.", joined=joined)


def _learn(draft: Draft, pad: str) -> Draft:
    if draft.step is Step.GLOW:
        pixel = draft.pixels_open[0]
        note = f"Pixel {pixel} is over electrode {pad}."
        return _passed(draft, 1, note, glows={**draft.glows, pixel: pad})
    if draft.step is Step.NAME:
        cell, *cells = draft.cells_open
        under = draft.pixel_of(pad)
        light = "no pixel is known for it" if under is None else f"pixel {under}"
        named, note = {**draft.named, cell: pad}, f"{cell} is electrode {pad}, {light}."
        return draft.advanced(cells_open=tuple(cells), named=named, note=note)
    key, *keys = draft.keys_open
    note = f"Key {key} is electrode {pad}."
    return draft.advanced(keys_open=tuple(keys), keys={**draft.keys, key: pad}, note=note)


def _owner(draft: Draft, pad: str) -> str | None:
    """Return what an electrode is already assigned to, if that conflicts with the question."""
    if draft.step is Step.GLOW:
        pixel = draft.pixel_of(pad)
        return None if pixel is None else f"pixel {pixel}"
    spot = draft.spot_of(pad)
    if spot is None:
        return None
    return f"key {spot}" if spot in draft.keys else f"cell {spot}"


def _take_over(draft: Draft) -> Draft:
    """Assign the electrode to what is asked, and ask again for its previous owner."""
    pad = draft.clash
    if draft.step is Step.GLOW:
        glows, pixels = _parted(draft.glows, pad)
        learned = _learn(replace(draft, glows=glows), pad)
        return replace(learned, pixels_open=(*pixels, *learned.pixels_open))
    named, cells = _parted(draft.named, pad)
    pads, keys = _parted(draft.keys, pad)
    learned = _learn(replace(draft, named=named, keys=pads), pad)
    opened = (*cells, *learned.cells_open), (*keys, *learned.keys_open)
    return replace(learned, cells_open=opened[0], keys_open=opened[1])


def _parted(known: Mapping[_Spot, str], pad: str) -> tuple[Mapping[_Spot, str], tuple[_Spot, ...]]:
    """Remove an electrode's assignments; return the rest, and its owners."""
    remaining = {spot: each for spot, each in known.items() if each != pad}
    return remaining, tuple(spot for spot in known if spot not in remaining)


def _passed(draft: Draft, count: int, note: str, **more: Any) -> Draft:
    """Close the first open pixels: they belong to no cell unless `more` says so."""
    gone = frozenset(draft.pixels_open[:count])
    known = {"dead": draft.dead - gone, "silent": draft.silent - gone, **more}
    return draft.advanced(pixels_open=draft.pixels_open[count:], note=note, **known)


def _all_beside(draft: Draft) -> Draft:
    left = len(draft.pixels_open)
    return _passed(draft, left, "The pixels that are left are no cells'.", rest=None)


def _ask_again(task: Profile, draft: Draft) -> Draft:
    """Ask once more for the cells that did not answer, and for the pixels without a cell."""
    unused = draft.unused(task)
    return replace(
        draft,
        glows={pixel: pad for pixel, pad in draft.glows.items() if pixel not in unused},
        cells_open=tuple(cell for cell in task.cells if cell in draft.unwired),
        pixels_open=unused,
        unwired=frozenset(),
        rest=None,
        note="",
    )


def _group(task: Profile, draft: Draft) -> _Question:
    group, shown = draft.groups_open[0], draft.shown
    lit = dict.fromkeys(shown, Lit.NEXT) | {shown[0]: Lit.FIRST}
    text = f"Are these the {len(shown)} lights of {group}, as they run from the one that stays lit?"
    if len(shown) == 1:
        lit, text = {shown[0]: Lit.ASKED}, f"Is this the light of {group}?"
    answers = {"yes": light_groups.ended(draft, shown)}
    if len(shown) > 1:
        answers["reverse"] = replace(draft, shown=shown[::-1], note="")
    if len(shown) > 2:
        answers["turn"] = replace(draft, shown=shown[1:] + shown[:1], note="")
    answers["one"] = light_groups.one_by_one(task, draft)
    answers["absent"] = light_groups.ended(draft, ())
    one = "no, show others" if light_groups.others(task, draft) else "no, find them one by one"
    return _Question(text, lit, answers, {"one": one, "absent": f"there are no {group} lights"})


def _place(task: Profile, draft: Draft) -> _Question:
    group, placed, dark = draft.groups_open[0], draft.placed or (), light_groups.dark(task, draft)
    light = f"light {len(placed) + 1} of {task.lights[group]} of {group}"
    lit: Mapping[int, Lit] = {}
    text, answers = f"No pixel is left that glows for {light}.", {}
    if draft.shown:
        one = len(draft.shown) == 1
        text = f"Is this {light}?" if one else f"Is {light} among these {len(draft.shown)}?"
        lit = dict.fromkeys(placed, Lit.ANSWER) | dict.fromkeys(draft.shown, Lit.ASKED)
        answers = {
            "yes": light_groups.found(task, draft, draft.shown[0])
            if one
            else light_groups.show_half(draft, draft.shown),
            "no": light_groups.no(task, draft),
        }
    if dark:
        answers["dark"] = light_groups.found(task, draft, dark[0])
    if placed:
        answers["enough"] = light_groups.ended(draft, placed)
    answers["absent"] = light_groups.ended(draft, ())
    return _Question(text, lit, answers, {"absent": f"there are no {group} lights"})


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


def _pads(pads: Iterable[str]) -> str:
    names = sorted_pads(pads)
    return f"Electrode {names[0]} is" if len(names) == 1 else f"Electrodes {_listed(names)} are"


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
