"""Finding the lights beside the cells: which pixel is which light of which group.

A group is shown as a whole first: as the template has it, if the cells are wired as there, then the
next pixels of the strip that are no cell's. If that is wrong, its lights are found one by one:
first the pixel after the previous one, then halves of all that are left.
"""

from dataclasses import replace

from hal.learning.draft import Draft
from hal.profile import Profile


def propose(task: Profile, draft: Draft) -> Draft:
    """Show the most likely pixels of the open group, or skip a group that can have none."""
    for likely in _likely(task, draft):
        return replace(draft, shown=likely)
    begun = _ask_light(task, replace(draft, placed=()))
    if begun.placed is not None:
        return begun
    return replace(
        begun, note=f"{draft.note} No pixel is left for {draft.groups_open[0]}.".lstrip()
    )


def _likely(task: Profile, draft: Draft) -> list[tuple[int, ...]]:
    """List what the open group may be, the most likely first."""
    group, free, cells = draft.groups_open[0], draft.beside(task), draft.cell_pixels()
    count = task.lights[group]
    planned = tuple(task.pixels.get(f"{group}.{place}", -1) for place in range(count))
    alike = sum(task.pixels.get(cell) == pixel for cell, pixel in cells.items())
    found = [planned] if 2 * alike > len(cells) and set(planned) <= set(free) else []
    if len(free) >= count and (not found or set(free[:count]) != set(planned)):
        found.append(free[:count])
    return found


def others(task: Profile, draft: Draft) -> tuple[int, ...]:
    """Return what to show if the shown group is wrong; nothing if its lights are to be found."""
    first, *rest = _likely(task, draft)
    return rest[0] if rest and set(draft.shown) == set(first) else ()


def one_by_one(task: Profile, draft: Draft) -> Draft:
    """Show others, or begin to find the lights of the group that is shown one by one."""
    if other := others(task, draft):
        return replace(draft, shown=other, note="")
    begun = replace(draft, placed=(), note="")
    if len(draft.shown) > 1:
        return _ask_light(task, begun)
    # The only light of the group is not the one that was shown.
    return no(task, replace(begun, among=_candidates(task, begun)))


def no(task: Profile, draft: Draft) -> Draft:
    """Take it that the light is not among those shown."""
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
    """Close the open group; without pixels it has no light at all."""
    group, *rest = draft.groups_open
    lights = {**draft.lights, group: pixels} if pixels else draft.lights
    return draft.advanced(groups_open=tuple(rest), lights=lights, note="")
