"""What hands do wrong with single stones and touches, and the choice among all slips.

Owns how each slip comes about; each function tells whether it did. Must not know how often
(`traits`), nor how it is put right again (`player`).
"""

from collections.abc import Callable, Mapping
from functools import wraps

from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak import mishaps
from tests.tools.soak.intended_move import choose, choose_capture, entered
from tests.tools.soak.moving import next_touch
from tests.tools.soak.paths import Target, empty_cells, neighbours, path, target
from tests.tools.soak.person import Person
from tests.tools.soak.traits import Chances

Slip = Callable[[Person], bool]

_FAR = 3
"""Least distance of two stones that are set at once, in cells."""


def slip(person: Person, chances: Chances) -> bool:
    """Perhaps slip; tell whether that was done instead of the right thing."""
    drawn = person.rng.random()
    impossible = TOUCH_ONLY if person.feels_stones else PRESENCE_ONLY
    for name, chance in chances.items():
        drawn -= chance
        if drawn < 0.0:
            if name in impossible or not SLIPS[name](person):
                return False
            person.counts[f"slip.{name}"] += 1
            return True
    return False


def _intend(person: Person, aim: Target) -> None:
    """Intend the move through a cell; check that cell later unless it is the whole move."""
    person.intended = aim.move
    if len(aim.move.taps) > 1:
        person.to_check.add(aim.cell)


def _aimed(slip: Callable[[Person, Target], bool]) -> Slip:
    """Make a slip at a cell on which a move can go on, if there is one."""

    @wraps(slip)
    def at_target(person: Person) -> bool:
        aim = target(person)
        return aim is not None and slip(person, aim)

    return at_target


def wrong_cell(person: Person) -> bool:
    """Set a stone where none may be set."""
    view = person.view
    wrong = [cell for cell in empty_cells(person) if view.cue(cell) is not Cue.LEGAL]
    if wrong:
        person.place(person.rng.choice(wrong), view.piece(view.turn))
    return bool(wrong)


def echo(person: Person) -> bool:
    """Touch the same cell twice."""
    view, rng, fingers = person.view, person.rng, person.fingers
    shown = list(view.to_do())
    if shown:
        cell = rng.choice(shown)
        end = person.obey(cell)
    else:
        taken = entered(view, person.intended)
        move = None if taken is None else choose(view, rng, person.stones, taken)
        if move is None or taken is None:
            return False
        cell, person.intended = move.taps[len(taken)], move
        next_touch(person, move, taken)
        end = max(person.now, fingers.ends_s)
        if cell in view.game.keys:
            person.press_game_key(cell, end + rng.uniform(0.03, 0.45))
            return True
    again = end + rng.uniform(0.03, 0.45)
    if not person.feels_stones:
        fingers.press(cell, again, rng.uniform(0.05, 0.12))
    elif not shown and cell not in person.stones and cell not in view.page:
        fingers.wobble(cell, again, rng.uniform(0.05, 0.25))
    return True


def slide(person: Person) -> bool:
    """Slide over the neighbours with the finger or the stone, into a cell or out of it."""
    view, rng, fingers = person.view, person.rng, person.fingers
    step_s, at = rng.uniform(0.05, 0.15), person.start()
    if view.to_do():
        removes = [cell for cell in view.lit(Cue.REMOVE) if cell in person.stones]
        return bool(removes) and _slide_off(person, rng.choice(removes), at, step_s)
    aim = target(person)
    if aim is None:
        return False
    cell, piece = aim.cell, aim.piece
    way = path(person, cell, rng.randint(1, 2), empty=person.feels_stones)
    if len(way) < 2:
        return False
    person.unconfirmed[cell] = piece
    _intend(person, aim)
    if person.feels_stones:
        end = fingers.put(way[-1], piece, at, step_s)
        end = fingers.drag(way[::-1], piece, end, step_s)
    else:
        fingers.put(cell, piece, at, step_s, touch=False)
        end = fingers.slide(way[::-1] if rng.random() < 0.3 else way, at, step_s)
    what = f"sets {piece} on {cell} and slides over {', '.join(way[1:])}"
    return person.wait(what, end, person.answer(cell))


def _slide_off(person: Person, cell: str, at: float, step_s: float) -> bool:
    fingers = person.fingers
    way = path(person, cell, 2, empty=person.feels_stones)
    if len(way) < 2:
        return False
    if person.feels_stones:
        end = fingers.drag(way, person.stones[cell], at, step_s)
        end = fingers.take(way[-1], end, step_s)
    else:
        fingers.take(cell, at, step_s, touch=False)
        end = fingers.slide(way, at, step_s)
    what = f"slides the stone of {cell} off over {', '.join(way[1:])}"
    return person.wait(what, end, person.new_light(cell))


@_aimed
def brush(person: Person, aim: Target) -> bool:
    """Touch a neighbouring cell too."""
    beside = person.rng.choice(neighbours(person, aim.cell))
    _intend(person, aim)
    end = person.place(aim.cell, aim.piece)
    at = max(person.now, end - person.rng.uniform(0.0, 0.4))
    person.fingers.rest([beside], at, person.rng.uniform(0.05, 0.6), 0.0)
    person.log(f"brushes {beside}")
    return True


@_aimed
def two_stones(person: Person, aim: Target) -> bool:
    """Set two stones at once."""
    near = {aim.cell}
    for _ in range(_FAR):
        near |= {each for one in near for each in neighbours(person, one)}
    far = [each for each in empty_cells(person) if each not in near]
    if not far:
        return False
    cell, piece, other, at = aim.cell, aim.piece, person.rng.choice(far), person.start()
    _intend(person, aim)
    person.unconfirmed.update({cell: piece, other: piece})
    end = person.put(cell, piece, at)
    person.put(other, piece, at + person.rng.uniform(0.0, 0.05))
    what = f"sets {piece} on {cell} and {other} at once"
    return person.wait(what, end, person.answer(cell, other))


@_aimed
def put_and_take(person: Person, aim: Target) -> bool:
    """Set a stone and take it back within a second."""
    rng = person.rng
    _intend(person, aim)
    person.intended = None
    end = person.fingers.put(aim.cell, aim.piece, person.start(), rng.uniform(0.06, 0.12))
    at = end + rng.uniform(0.05, 0.8)
    end = person.fingers.take(aim.cell, at, rng.uniform(0.06, 0.12))
    return person.go_on(f"sets {aim.piece} on {aim.cell} and takes it back", end)


def hesitate(person: Person) -> bool:
    """Touch one cell, or let the stone down on it, and go to another."""
    rng, fingers = person.rng, person.fingers
    one, other = target(person), target(person)
    if one is None or other is None or one.cell == other.cell:
        return False
    at, first = person.start(), one.cell
    if person.feels_stones:
        fingers.put(first, other.piece, at, 0.05)
        end = fingers.take(first, at + rng.uniform(0.05, 0.5), 0.05)
    else:
        if rng.random() < 0.5 and person.stones:
            first = rng.choice(sorted(person.stones))
        end = fingers.press(first, at, rng.uniform(0.05, 0.2))
    person.log(f"hesitates over {first}")
    _intend(person, other)
    person.place(other.cell, other.piece, end + person.draw_s(person.traits.travel_s))
    return True


def inspect(person: Person) -> bool:
    """Hold a finger on a stone."""
    if not person.stones:
        return False
    cell = person.rng.choice(sorted(person.stones))
    end = person.fingers.press(cell, person.start(), person.rng.uniform(0.8, 2.5))
    return person.go_on(f"holds a finger on {cell}", end)


def forget(person: Person) -> bool:
    """Leave stones that were eaten until the lights have insisted."""
    removes = [cell for cell in person.view.lit(Cue.REMOVE) if cell not in person.overlooked]
    if not removes:
        return False
    until = person.now + person.draw_s(person.traits.notice_s)
    forgotten = person.rng.sample(removes, person.rng.randint(1, len(removes)))
    person.overlooked.update(dict.fromkeys(forgotten, until))
    return person.go_on(f"forgets to remove {', '.join(forgotten)}", person.now)


def wrong_removal(person: Person) -> bool:
    """Take a stone that was not eaten."""
    shown = person.view.to_do()
    near = {each for cell in shown for each in neighbours(person, cell)}
    others = [cell for cell in sorted(near) if cell in person.stones and cell not in shown]
    if not others or person.view.phase is Phase.OVER:
        return False
    cell = person.rng.choice(others)
    person.taken_wrongly[cell] = piece = person.stones[cell]
    end = person.fingers.take(cell, person.start(), min(person.press_s(), 0.4))
    answers = (Cue.WRONG, Cue.PUT, Cue.LEGAL)
    what = f"takes {piece} from {cell} by mistake"
    return person.wait(what, end, lambda seen: seen.cue(cell) in answers)


def hurry(person: Person) -> bool:
    """Set the other player's stone while something is still to be done."""
    view = person.view
    free = [cell for cell in empty_cells(person) if cell not in view.to_do()]
    if not free or view.phase is Phase.OVER or person.unconfirmed:
        return False
    person.place(person.rng.choice(free), person.rng.choice(view.others()))
    return True


def two_at_once(person: Person) -> bool:
    """Do two things at once, with two hands."""
    cells = list(person.view.to_do())
    if len(cells) < 2:
        return False
    one, other = person.rng.sample(cells, 2)
    person.obey(one)
    return person.wait("does both", person.obey(other), person.new_light(other))


def prey_first(person: Person) -> bool:
    """Lift some of what a stone will eat, or all of it, before setting that stone."""
    view, rng = person.view, person.rng
    move = None if view.started else choose_capture(view, rng, person.stones)
    if move is None:
        return False
    (cell,), gone = move.taps, [each for each in move.gone if each in person.stones]
    prey = rng.sample(gone, rng.randint(1, len(gone)))
    end = person.start()
    for each in prey:
        end = person.take(each, end + rng.uniform(0.0, 0.6))
    person.log(f"lifts {', '.join(prey)}, which {cell} will eat")
    person.intended = move
    end += person.draw_s(person.traits.travel_s)
    # The completed move may also remove the stone itself.
    piece = move.stands.get(cell) or view.piece(view.turn)
    person.place(cell, piece, end + rng.uniform(0.0, 1.5))
    return True


def adjust(person: Person) -> bool:
    """Lift a stone, probably the one set last, and set it down again."""
    if not person.stones:
        return False
    rng, last = person.rng, person.view.placed
    cell = rng.choice(sorted(person.stones))
    if last is not None and last in person.stones and rng.random() < 0.7:
        cell = last
    piece = person.stones[cell]
    end = person.put(cell, piece, person.take(cell) + rng.uniform(0.1, 2.0))
    return person.go_on(f"adjusts the stone on {cell}", end)


SLIPS: Mapping[str, Slip] = {
    function.__name__: function
    for function in (
        *(wrong_cell, echo, slide, brush, two_stones, put_and_take, hesitate, inspect),
        *(forget, wrong_removal, hurry, two_at_once, prey_first, adjust),
        *(mishaps.palm, mishaps.stray_key, mishaps.take_back, mishaps.restore, mishaps.knock),
        *(mishaps.unplug, mishaps.early, mishaps.abandon, mishaps.wrong_key),
        *(mishaps.wrong_ring, mishaps.wrong_swap, mishaps.two_bodies),
    )
}
"""All slips by name."""
TOUCH_ONLY = frozenset({"inspect"})
PRESENCE_ONLY = frozenset({"restore", "brush", "prey_first", "adjust"})
