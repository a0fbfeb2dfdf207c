"""Finding the lights beside the cells: which pixel is which light of which group.

A group is shown as a whole first: as the template has it, if the cells are wired as there, then the
next pixels of the strip that are no cell's. If that is wrong, its lights are found one by one:
first the pixel after the previous one, then halves of all that are left.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from hal.learning.draft import Draft, Step, Task, added


def choices(task: Task, draft: Draft) -> tuple[str, ...]:
    """List the answers to what is shown."""
    if draft.step is Step.GROUP:
        order = ("reverse", "turn")[: max(0, len(draft.shown) - 1)]
        return ("yes", *order, "one", "absent")
    shown = ("yes", "no") if draft.shown else ()
    dark = ("dark",) if _dark(task, draft) else ()
    enough = ("enough",) if draft.placed else ()
    return (*shown, *dark, *enough, "absent")


def choose(task: Task, draft: Draft, choice: str) -> Draft:
    """Take one of the choices."""
    return _CHOOSE[draft.step, choice](task, draft)


def propose(task: Task, draft: Draft) -> Draft:
    """Show the most likely pixels of the open group, or skip a group that can have none."""
    group = draft.groups_open[0]
    for likely in _likely(task, draft):
        return replace(draft, shown=likely)
    begun = _ask_light(task, replace(draft, placed=()))
    if begun.placed is not None:
        return begun
    return replace(begun, note=f"{draft.note} No pixel is left for {group}.".lstrip())


def others(task: Task, draft: Draft) -> tuple[int, ...]:
    """Return what to show if the shown group is wrong; nothing if its lights are to be found."""
    first, *rest = _likely(task, draft)
    return rest[0] if rest and set(draft.shown) == set(first) else ()


def _likely(task: Task, draft: Draft) -> list[tuple[int, ...]]:
    """List what the open group may be, the most likely first."""
    group, free, cells = draft.groups_open[0], draft.beside(task), draft.cell_pixels()
    count = task.groups[group]
    planned = tuple(task.pixels.get(f"{group}.{place}", -1) for place in range(count))
    alike = sum(task.pixels.get(cell) == pixel for cell, pixel in cells.items())
    found = [planned] if 2 * alike > len(cells) and set(planned) <= set(free) else []
    if len(free) >= count and (not found or set(free[:count]) != set(planned)):
        found.append(free[:count])
    return found


def _begin_one_by_one(task: Task, draft: Draft) -> Draft:
    if other := others(task, draft):
        return replace(draft, shown=other, note="")
    if len(draft.shown) > 1:
        return _ask_light(task, replace(draft, placed=(), note=""))
    # The only light of the group is not the one that was shown.
    begun = replace(draft, placed=(), among=_candidates(task, draft))
    return _no(task, begun)


def _yes(task: Task, draft: Draft) -> Draft:
    if len(draft.shown) == 1:
        return _place(task, draft, draft.shown[0])
    return _show_half(draft, draft.shown)


def _no(task: Task, draft: Draft) -> Draft:
    rest = tuple(pixel for pixel in draft.among if pixel not in draft.shown)
    if rest:
        return _show_half(draft, rest)
    again = _show_half(draft, _candidates(task, draft))
    return replace(again, note="None of the pixels that are left is this light. Once more.")


_CHOOSE: Mapping[tuple[Step, str], Callable[[Task, Draft], Draft]] = {
    (Step.GROUP, "yes"): lambda _, it: _ended(it, it.shown),
    (Step.GROUP, "reverse"): lambda _, it: replace(it, shown=it.shown[::-1], note=""),
    (Step.GROUP, "turn"): lambda _, it: replace(it, shown=it.shown[1:] + it.shown[:1], note=""),
    (Step.GROUP, "one"): _begin_one_by_one,
    (Step.GROUP, "absent"): lambda _, it: _ended(it, ()),
    (Step.PLACE, "yes"): _yes,
    (Step.PLACE, "no"): _no,
    (Step.PLACE, "dark"): lambda task, it: _place(task, it, _dark(task, it)[0]),
    (Step.PLACE, "enough"): lambda _, it: _ended(it, it.placed or ()),
    (Step.PLACE, "absent"): lambda _, it: _ended(it, ()),
}


def _place(task: Task, draft: Draft, pixel: int) -> Draft:
    """Record a pixel as the next light of the group."""
    placed = (*(draft.placed or ()), pixel)
    if len(placed) == task.groups[draft.groups_open[0]]:
        return _ended(draft, placed)
    return _ask_light(task, replace(draft, placed=placed, note=""))


def _ask_light(task: Task, draft: Draft) -> Draft:
    """Ask for the next light, or end the group when no candidate is left."""
    among = _candidates(task, draft)
    if not among and not _dark(task, draft):
        return _ended(draft, draft.placed or ())
    return replace(draft, among=among, shown=among[:1])


def _candidates(task: Task, draft: Draft) -> tuple[int, ...]:
    """List the candidates for the next light, first those after the known ones."""
    placed = draft.placed or ()
    free = [p for p in draft.beside(task) if p not in draft.dead and p not in placed]
    if not placed:
        return tuple(free)
    last = placed[-1]
    if len(placed) > 1 and last < placed[-2]:
        free.reverse()
        return (*(p for p in free if p < last), *(p for p in free if p > last))
    return (*(p for p in free if p > last), *(p for p in free if p < last))


def _dark(task: Task, draft: Draft) -> tuple[int, ...]:
    """List the dead pixels that may be lights; they all look the same."""
    placed = draft.placed or ()
    return tuple(p for p in draft.unused(task) if p in draft.dead and p not in placed)


def _show_half(draft: Draft, among: tuple[int, ...]) -> Draft:
    return replace(draft, among=among, shown=among[: (len(among) + 1) // 2], note="")


def _ended(draft: Draft, pixels: tuple[int, ...]) -> Draft:
    """Close the open group; without pixels it has no light at all."""
    group, *rest = draft.groups_open
    lights = added(draft.lights, group, pixels) if pixels else draft.lights
    return draft.advanced(groups_open=tuple(rest), lights=lights, note="")
