"""Finding the lights beside the cells: which pixel is which light of which group.

A group is first shown as a whole: the template's pixels, if the cells are wired as in the template,
then the next pixels of the strip that belong to no cell. If both are wrong, its lights are found
one by one: first the pixel after the previous light, then by halving the candidates.
"""

from dataclasses import replace

from hal.learning.draft import Draft
from hal.profile import Profile


def propose(task: Profile, draft: Draft) -> Draft:
    """Show the most likely pixels of the open group, or skip a group that can have none."""
    for likely in _likely(task, draft):
        return replace(draft, shown=likely)
    next_draft = _ask_light(task, replace(draft, placed=()))
    if next_draft.placed is not None:
        return next_draft
    return replace(
        next_draft, note=f"{draft.note} No pixel is left for {draft.groups_open[0]}.".lstrip()
    )


def _likely(task: Profile, draft: Draft) -> list[tuple[int, ...]]:
    """List the possible pixels of the open group, the most likely first."""
    group, free, cells = draft.groups_open[0], draft.beside(task), draft.cell_pixels()
    count = task.lights[group]
    planned = tuple(task.pixels.get(f"{group}.{place}", -1) for place in range(count))
    alike = sum(task.pixels.get(cell) == pixel for cell, pixel in cells.items())
    found = [planned] if 2 * alike > len(cells) and set(planned) <= set(free) else []
    if len(free) >= count and (not found or set(free[:count]) != set(planned)):
        found.append(free[:count])
    return found


def others(task: Profile, draft: Draft) -> tuple[int, ...]:
    """Return the pixels to show next if the shown group is wrong; () to go on light by light."""
    first, *rest = _likely(task, draft)
    return rest[0] if rest and set(draft.shown) == set(first) else ()


def one_by_one(task: Profile, draft: Draft) -> Draft:
    """Show the next likely pixels, or begin to find the group's lights one by one."""
    if other := others(task, draft):
        return replace(draft, shown=other, note="")
    next_draft = replace(draft, placed=(), note="")
    if len(draft.shown) > 1:
        return _ask_light(task, next_draft)
    # The group has a single light, and the shown pixel is not it.
    return no(task, replace(next_draft, among=_candidates(task, next_draft)))


def no(task: Profile, draft: Draft) -> Draft:
    """Exclude the shown pixels as the wanted light."""
    rest = tuple(pixel for pixel in draft.among if pixel not in draft.shown)
    if rest:
        return show_half(draft, rest)
    again = show_half(draft, _candidates(task, draft))
    return replace(again, note="None of the pixels that are left is this light. Once more.")


def found(task: Profile, draft: Draft, pixel: int) -> Draft:
    """Record a pixel as the next light of the group."""
    placed = (*(draft.placed or ()), pixel)
    if len(placed) == task.lights[draft.groups_open[0]]:
        return ended(draft, placed)
    return _ask_light(task, replace(draft, placed=placed, note=""))


def _ask_light(task: Profile, draft: Draft) -> Draft:
    """Ask for the next light, or end the group when no candidate is left."""
    among = _candidates(task, draft)
    if not among and not dark(task, draft):
        return ended(draft, draft.placed or ())
    return replace(draft, among=among, shown=among[:1])


def _candidates(task: Profile, draft: Draft) -> tuple[int, ...]:
    """List the candidates for the next light, first those after the known ones."""
    placed = draft.placed or ()
    free = [p for p in draft.beside(task) if p not in draft.dead and p not in placed]
    if not placed:
        return tuple(free)
    last = placed[-1]
    falling = len(placed) > 1 and last < placed[-2]
    return tuple(sorted(free, key=lambda p: ((p < last) != falling, -p if falling else p)))


def dark(task: Profile, draft: Draft) -> tuple[int, ...]:
    """List the dead pixels that may be lights; they all look the same."""
    placed = draft.placed or ()
    return tuple(p for p in draft.unused(task) if p in draft.dead and p not in placed)


def show_half(draft: Draft, among: tuple[int, ...]) -> Draft:
    """Show the first half of the candidates."""
    return replace(draft, among=among, shown=among[: (len(among) + 1) // 2], note="")


def ended(draft: Draft, pixels: tuple[int, ...]) -> Draft:
    """Close the open group with these pixels as its lights, maybe none."""
    group, *rest = draft.groups_open
    lights = {**draft.lights, group: pixels} if pixels else draft.lights
    return draft.advanced(groups_open=tuple(rest), lights=lights, note="")
