"""The transitions of learning: what an answer or a choice changes in the draft.

Each returns a new draft, or None for an answer that does not fit, and leaves the old draft as it
was.

What is open is asked in this order; a question that an answer makes open again is asked at once.

    GLOW   one pixel glows, and its cell is touched
    REST   when every cell has one, all other pixels glow, to find those that are dead
    NAME   one cell is named, and touched
    GROUP  the next unused pixels are shown as a whole group of lights
    PLACE  the same light by light: the candidate pixels glow
    KEY    one key is named, and touched if it is a pad
    DONE   nothing is open
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from hal.learning import light_groups
from hal.learning.draft import Draft, Step, Task, added, sorted_pads

_Spot = TypeVar("_Spot", int, str)


def choices(task: Task, draft: Draft) -> tuple[str, ...]:
    """List the choices that can be made instead of a touch, or that answer a question without
    touch."""
    if draft.ended:
        return ()
    if draft.clash:
        return ("new", "old")
    joined = ("first", "second") if draft.always else ()
    match draft.step:
        case Step.GLOW:
            return (*joined, "light", "rest", "dead", "silent")
        case Step.REST:
            return ("yes", "one")
        case Step.NAME:
            return (*joined, "skip")
        case Step.GROUP | Step.PLACE:
            return light_groups.choices(task, draft)
        case Step.KEY:
            return (*joined, "pin", "pins")
        case Step.DONE:
            again = ("again",) if _can_ask_again(task, draft) else ()
            return (*(("write",) if draft.complete(task) else ()), *again)


def answer(task: Task, draft: Draft, pads: frozenset[str]) -> Draft | None:
    """Take the electrodes that have answered together, mostly one."""
    if draft.ended or not pads or draft.step not in _LEARN:
        return None
    if len(pads) != 1:
        return _answer_together(draft, pads)
    (pad,) = pads
    if pad == draft.clash:
        return None
    draft = replace(draft, clash="")
    if owner(draft, pad) is not None:
        return replace(draft, clash=pad, note="")
    return settled(task, _LEARN[draft.step](draft, pad))


def choose(task: Task, draft: Draft, choice: str) -> Draft | None:
    """Take one of the `choices`."""
    if choice not in choices(task, draft):
        return None
    match choice:
        case "first" | "second":
            return answer(task, draft, frozenset({draft.always[choice == "second"]}))
        case "old":
            return replace(draft, clash="", note=f"Electrode {draft.clash} stays where it was.")
        case "new":
            return settled(task, _take_over(draft))
    if draft.step in (Step.GROUP, Step.PLACE):
        return settled(task, light_groups.choose(task, draft, choice))
    return settled(task, _CHOOSE[draft.step, choice](task, draft))


def owner(draft: Draft, pad: str) -> str | None:
    """Return what an electrode is known for already, if the present question must respect it."""
    if draft.step is Step.GLOW:
        pixel = draft.pixel_of(pad)
        return None if pixel is None else f"pixel {pixel}"
    spot = draft.spot_of(pad)
    if spot is None:
        return None
    return f"key {spot}" if spot in draft.keys else f"cell {spot}"


def settled(task: Task, draft: Draft) -> Draft:
    """Bring a draft to its next question: close what needs none, and choose what is shown."""
    if draft.pixels_open and draft.rest is None and draft.pixels_missing(task) == 0:
        draft = replace(draft, rest=True)
    if draft.step not in (Step.GROUP, Step.PLACE):
        # A pixel that was taken for a light may turn out to be a cell's.
        cells = set(draft.cell_pixels().values())
        for group, pixels in draft.lights.items():
            if cells.intersection(pixels):
                rest = {name: each for name, each in draft.lights.items() if name != group}
                draft = replace(draft, lights=rest, groups_open=(*draft.groups_open, group))
    while draft.step is Step.GROUP and not draft.shown:
        draft = light_groups.propose(task, draft)
    return draft


def _answer_together(draft: Draft, pads: frozenset[str]) -> Draft:
    tries = replace(draft, clash="", tries=(*draft.tries, pads))
    if not tries.always:
        note = (
            f"{_listed(pads)} answered together: a short, crosstalk, or more than one finger."
            " Touch again."
        )
        return replace(tries, note=note)
    joined = frozenset(tries.always)
    note = f"{_listed(joined)} always answer together: look for a short between them."
    return replace(tries, note=note, joined=draft.joined | {joined})


def _learn_glow(draft: Draft, pad: str) -> Draft:
    pixel, *rest = draft.pixels_open
    return draft.advanced(
        pixels_open=tuple(rest),
        glows=added(draft.glows, pixel, pad),
        dead=draft.dead - {pixel},
        silent=draft.silent - {pixel},
        note=f"Pixel {pixel} is over electrode {pad}.",
    )


def _learn_name(draft: Draft, pad: str) -> Draft:
    cell, *rest = draft.cells_open
    pixel = draft.pixel_of(pad)
    light = "no pixel is known for it" if pixel is None else f"pixel {pixel}"
    return draft.advanced(
        cells_open=tuple(rest),
        named=added(draft.named, cell, pad),
        note=f"{cell} is electrode {pad}, {light}.",
    )


def _learn_key(draft: Draft, pad: str) -> Draft:
    key, *rest = draft.keys_open
    note = f"Key {key} is electrode {pad}."
    return draft.advanced(keys_open=tuple(rest), keys=added(draft.keys, key, pad), note=note)


_LEARN: Mapping[Step, Callable[[Draft, str], Draft]] = {
    Step.GLOW: _learn_glow,
    Step.NAME: _learn_name,
    Step.KEY: _learn_key,
}


def _take_over(draft: Draft) -> Draft:
    """Assign the electrode to what is asked, and ask again for its previous owner."""
    pad = draft.clash
    if draft.step is Step.GLOW:
        glows, pixels = _parted(draft.glows, pad)
        learned = _learn_glow(replace(draft, glows=glows), pad)
        return replace(learned, pixels_open=(*pixels, *learned.pixels_open))
    named, cells = _parted(draft.named, pad)
    pads, keys = _parted(draft.keys, pad)
    learned = _LEARN[draft.step](replace(draft, named=named, keys=pads), pad)
    return replace(
        learned,
        cells_open=(*cells, *learned.cells_open),
        keys_open=(*keys, *learned.keys_open),
    )


def _parted(known: Mapping[_Spot, str], pad: str) -> tuple[Mapping[_Spot, str], tuple[_Spot, ...]]:
    """Take an electrode from its owner, and return that."""
    kept = {spot: each for spot, each in known.items() if each != pad}
    return MappingProxyType(kept), tuple(spot for spot in known if spot not in kept)


def _pass_pixel(draft: Draft, note: str) -> Draft:
    pixel, *rest = draft.pixels_open
    passed = draft.advanced(pixels_open=tuple(rest), note=f"Pixel {pixel} {note}.")
    return replace(passed, dead=draft.dead - {pixel}, silent=draft.silent - {pixel})


def _all_beside(_: Task, draft: Draft) -> Draft:
    left = frozenset(draft.pixels_open)
    note = "The pixels that are left are no cells'."
    passed = draft.advanced(pixels_open=(), rest=None, note=note)
    return replace(passed, dead=draft.dead - left, silent=draft.silent - left)


def _dead(_: Task, draft: Draft) -> Draft:
    passed = _pass_pixel(draft, "is dead")
    return replace(passed, dead=passed.dead | {draft.pixels_open[0]})


def _silent(_: Task, draft: Draft) -> Draft:
    passed = _pass_pixel(draft, "is over a cell that does not answer")
    return replace(passed, silent=passed.silent | {draft.pixels_open[0]})


def _skip_cell(_: Task, draft: Draft) -> Draft:
    cell, *rest = draft.cells_open
    note = f"{cell} does not answer."
    return draft.advanced(cells_open=tuple(rest), unwired=draft.unwired | {cell}, note=note)


def _ask_again(task: Task, draft: Draft) -> Draft:
    """Ask once more for the cells that did not answer, and for the pixels without a cell."""
    unused = draft.unused(task)
    cells = tuple(cell for cell in task.cells if cell in draft.unwired)
    glows = {pixel: pad for pixel, pad in draft.glows.items() if pixel not in unused}
    again = replace(draft, glows=MappingProxyType(glows), unwired=frozenset(), rest=None, note="")
    return replace(again, cells_open=cells, pixels_open=unused)


_CHOOSE: Mapping[tuple[Step, str], Callable[[Task, Draft], Draft]] = {
    (Step.GLOW, "light"): lambda _, it: _pass_pixel(it, "is no cell's"),
    (Step.GLOW, "rest"): _all_beside,
    (Step.GLOW, "dead"): _dead,
    (Step.GLOW, "silent"): _silent,
    (Step.REST, "yes"): _all_beside,
    (Step.REST, "one"): lambda _, it: replace(it, rest=False, note=""),
    (Step.NAME, "skip"): _skip_cell,
    (Step.KEY, "pin"): lambda _, it: it.advanced(keys_open=it.keys_open[1:], note=""),
    (Step.KEY, "pins"): lambda _, it: it.advanced(keys_open=(), note=""),
    (Step.DONE, "write"): lambda _, it: replace(it, ended=True, note=""),
    (Step.DONE, "again"): _ask_again,
}


def _can_ask_again(task: Task, draft: Draft) -> bool:
    return bool(draft.unwired) or bool(draft.unlit(task) and draft.unused(task))


def _listed(pads: Iterable[str]) -> str:
    *most, last = sorted_pads(pads)
    return f"Electrodes {', '.join(most)} and {last}"
