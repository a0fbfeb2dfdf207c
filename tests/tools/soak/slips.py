"""What hands do wrong; each function tells whether it came about.

Must not know how often (`hands`), nor how it is put right again (`player`).
"""

from collections.abc import Callable, Mapping, Sequence

from game.rules.base.situation import Situation
from game.table.inputs import Command
from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak.hands import Chances
from tests.tools.soak.intended_move import choose, choose_capture, entered
from tests.tools.soak.moving import (
    Target,
    cluster,
    empty_cells,
    neighbours,
    next_touch,
    path,
    piece_of,
    target,
)
from tests.tools.soak.person import Person
from tests.tools.soak.view import View

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


def wrong_cell(person: Person) -> bool:
    """Set a piece, of any player out of turn, where none may be set now."""
    view, rng = person.view, person.rng
    may = {*view.lit(Cue.LEGAL), *view.to_do()}
    wrong = [cell for cell in empty_cells(person) if cell not in may]
    if not wrong or view.phase is Phase.OVER or person.unconfirmed:
        return False
    own = view.piece(view.turn)
    piece = own if view.phase is Phase.TAP else rng.choice([own, *view.others()])
    cell = rng.choice(wrong)
    end = person.place(cell, piece)
    # During the draw the answer may be words alone.
    answer = person.change() if view.phase is Phase.DRAW else person.answer(cell)
    return person.wait(f"sets {piece} on {cell} by mistake", end, answer)


def echo(person: Person) -> bool:
    view, rng, fingers = person.view, person.rng, person.fingers
    if shown := list(view.to_do()):
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
    again = end + rng.uniform(0.03, 0.45)
    if cell in view.game.keys:
        person.press_game_key(cell, again)
    elif not person.feels_stones:
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
    if (aim := target(person)) is None:
        return False
    cell, piece = aim.cell, aim.piece
    way = path(person, cell, rng.randint(1, 2))
    if len(way) < 2:
        return False
    person.unconfirmed[cell] = piece
    _intend(person, aim)
    back = way[::-1]
    if person.feels_stones:
        end = fingers.drag(back, piece, fingers.put(back[0], piece, at, step_s), step_s)
    else:
        fingers.put(cell, piece, at, step_s, touch=False)
        inwards = rng.random() < 0.3 and not _enters_move(view, back)
        end = fingers.slide(back if inwards else way, at, step_s)
    what = f"sets {piece} on {cell} and slides over {', '.join(way[1:])}"
    return person.wait(what, end, person.answer(cell))


def _enters_move(view: View, way: Sequence[str]) -> bool:
    """Return whether touches along a way are another move, which nobody can tell from a slide."""
    walk = Situation(view.game, view.position).walk
    return any(walk.move(way[:n]) is not None for n in range(2, len(way) + 1))


def _slide_off(person: Person, cell: str, at: float, step_s: float) -> bool:
    fingers, way = person.fingers, path(person, cell, 2)
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


def brush(person: Person) -> bool:
    if (aim := target(person)) is None:
        return False
    beside = person.rng.choice(neighbours(person, aim.cell))
    _intend(person, aim)
    end = person.place(aim.cell, aim.piece)
    at = max(person.now, end - person.rng.uniform(0.0, 0.4))
    person.fingers.rest([beside], at, person.rng.uniform(0.05, 0.6), 0.0)
    person.log(f"brushes {beside}")
    return True


def two_stones(person: Person) -> bool:
    if (aim := target(person)) is None:
        return False
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


def put_and_take(person: Person) -> bool:
    if (aim := target(person)) is None:
        return False
    rng, fingers = person.rng, person.fingers
    _intend(person, aim)
    person.intended = None
    end = fingers.put(aim.cell, aim.piece, person.start(), rng.uniform(0.06, 0.12))
    end = fingers.take(aim.cell, end + rng.uniform(0.05, 0.8), rng.uniform(0.06, 0.12))
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
    if not person.stones:
        return False
    cell = person.rng.choice(sorted(person.stones))
    end = person.fingers.press(cell, person.start(), person.rng.uniform(0.8, 2.5))
    return person.go_on(f"holds a finger on {cell}", end)


def forget(person: Person) -> bool:
    removes = [cell for cell in person.view.lit(Cue.REMOVE) if cell not in person.overlooked]
    if not removes:
        return False
    until = person.now + person.draw_s(person.traits.notice_s)
    forgotten = person.rng.sample(removes, person.rng.randint(1, len(removes)))
    person.overlooked.update(dict.fromkeys(forgotten, until))
    return person.go_on(f"forgets to remove {', '.join(forgotten)}", person.now)


def wrong_removal(person: Person) -> bool:
    shown = person.view.to_do()
    near = {each for cell in shown for each in neighbours(person, cell)}
    others = sorted(near.intersection(person.stones).difference(shown))
    if not others or person.view.phase is Phase.OVER:
        return False
    cell = person.rng.choice(others)
    person.taken_wrongly[cell] = piece = person.stones[cell]
    end = person.fingers.take(cell, person.start(), min(person.press_s(), 0.4))
    answers = (Cue.WRONG, Cue.PUT, Cue.LEGAL)
    what = f"takes {piece} from {cell} by mistake"
    return person.wait(what, end, lambda seen: seen.cue(cell) in answers)


def two_at_once(person: Person) -> bool:
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
    (cell,), gone = move.taps, [each for each in move.removed if each in person.stones]
    prey = rng.sample(gone, rng.randint(1, len(gone)))
    end = person.start()
    for each in prey:
        end = person.take(each, end + rng.uniform(0.0, 0.6))
    person.log(f"lifts {', '.join(prey)}, which {cell} will eat")
    person.intended = move
    end += person.draw_s(person.traits.travel_s)
    # The completed move may also remove the stone itself.
    person.place(cell, piece_of(person, move, cell), end + rng.uniform(0.0, 1.5))
    return True


def adjust(person: Person) -> bool:
    if not person.stones:
        return False
    rng, last = person.rng, person.view.placed
    cell = rng.choice(sorted(person.stones))
    if last is not None and last in person.stones and rng.random() < 0.7:
        cell = last
    piece = person.stones[cell]
    end = person.put(cell, piece, person.take(cell) + rng.uniform(0.1, 2.0))
    return person.go_on(f"adjusts the stone on {cell}", end)


def palm(person: Person) -> bool:
    rng, slowly = person.rng, person.rng.random() < 0.2
    cells = cluster(person, 3, 7)
    landing_s = rng.uniform(0.1, 0.5) if slowly else rng.uniform(0.0, 0.05)
    hold_s = max(landing_s, rng.uniform(0.2, 2.5))
    end = person.fingers.rest(cells, person.start(), hold_s, landing_s)
    return person.go_on(f"rests a hand on {', '.join(cells)}", end)


def stray_key(person: Person) -> bool:
    """Hit a key that asks for confirmation; sometimes it is hit twice."""
    view, rng = person.view, person.rng
    asked = any(word.startswith("table.confirm_") for word in view.words)
    if asked or not (view.placed or view.page):
        return False
    if view.game.agreed_draws and rng.random() < 0.3:
        return person.press_key(Command.DRAW)
    key = rng.choice((Command.RESIGN, Command.NEW_GAME))
    end = person.press(key.value)
    if key is Command.RESIGN and rng.random() < 0.3:
        end = person.press(key.value, end + rng.uniform(0.1, 0.6))
    return person.go_on(f"hits {key.value}", end)


def take_back(person: Person) -> bool:
    view = person.view
    if not (view.placed or view.page or view.started):
        return False
    person.take_backs = person.rng.choice((1, 1, 1, 2, 2, 3, 5))
    return person.go_on(f"wants {person.take_backs} moves back", person.now)


def knock(person: Person) -> bool:
    """Knock over a part of the board: stones fall off, or slide to an empty cell."""
    rng, fingers, stones = person.rng, person.fingers, person.stones
    cells = cluster(person, 3, 10)
    hit = [cell for cell in cells if cell in stones]
    if person.view.phase is Phase.OVER or not hit:
        return False
    at = end = person.start()
    taken = set(stones)
    for cell in hit:
        ways = [each for each in neighbours(person, cell) if each not in taken]
        when = at + rng.uniform(0.0, 0.3)
        if ways and rng.random() < 0.6:
            way = rng.choice(ways)
            taken.add(way)
            person.touched.add(way)  # a stone may belong there, but perhaps not this one
            end = max(end, fingers.drag([cell, way], stones[cell], when, 0.02))
        else:
            end = max(end, fingers.take(cell, when, 0.02, touch=False))
    person.to_check |= person.touched
    if rng.random() < 0.5:
        end = max(end, fingers.slide(cells[:4], at, 0.05))
    person.knocked_over = not person.feels_stones
    return person.go_on(f"knocks over {', '.join(hit)}", end)


def unplug(person: Person) -> bool:
    if person.view.phase is Phase.OVER:
        return False
    person.unplugged = True
    return person.go_on("pulls the plug, and puts it back", person.now)


def abandon(person: Person) -> bool:
    view, rng = person.view, person.rng
    if not view.started:
        return False
    at, started, page = person.start(), {*view.started} - {""}, view.page
    lifted = sorted(cell for cell in started if cell in page and cell not in person.stones)
    for cell in lifted:
        at = person.put(cell, page[cell], at, touch=False)
    person.intended = None
    if person.feels_stones and not lifted:
        free = [cell for cell in empty_cells(person) if cell not in page]
        if started or not free:
            return False
        # Only keys have been pressed.
        person.place(rng.choice(free), view.piece(view.turn))
        return True
    others = sorted(cell for cell, piece in person.stones.items() if page.get(cell) == piece)
    others = [cell for cell in others if cell not in started]
    if not others:
        return False
    cell, at = rng.choice(others), at + rng.uniform(0.5, 1.5)
    person.to_check.update({cell, *started})
    end = person.take(cell, at) if person.feels_stones else person.press(cell, at)
    return person.wait(f"leaves the move that was begun for {cell}", end, person.change())


def wrong_key(person: Person) -> bool:
    if not person.view.game.keys:
        return False
    key, person.intended = person.rng.choice(person.view.game.keys), None
    end = person.press_game_key(key, person.start())
    return person.go_on(f"presses {key} by mistake", end)


def wrong_ring(person: Person) -> bool:
    rings = person.view.game.board.rings
    full = [ring for ring, cells in rings.items() if not person.stones.keys().isdisjoint(cells)]
    if not full or person.view.started:
        return False
    ring, steps = person.rng.choice(full), person.rng.choice((1, 1, 2, -1))
    turns_s = person.rng.uniform(0.0, 1.0)
    end = person.fingers.turn(ring, rings[ring], steps, person.start(), turns_s)
    person.rings_to_check.add(ring)
    return person.go_on(f"turns {ring} by {steps}, which should stay", end)


def wrong_swap(person: Person) -> bool:
    cells = [cell for cell in person.view.lit(Cue.SWAP) if cell in person.stones]
    if not cells:
        return False
    cell = person.rng.choice(cells)
    wrong = person.rng.choice([person.stones[cell], *person.view.others()])
    at = person.take(cell, touch=False) + person.rng.uniform(0.5, 1.0)
    end = person.put(cell, wrong, at)
    person.to_check.add(cell)
    return person.wait(f"puts {wrong} on {cell} by mistake", end, person.new_light(cell))


def two_bodies(person: Person) -> bool:
    view, stones = person.view, person.stones
    able = [cell for cell in view.lit(Cue.LEGAL) if cell in stones and cell in view.page]
    if len(able) < 2 or view.started:
        return False
    at, cells, person.intended = person.start(), person.rng.sample(able, 2), None
    end = max(person.take(cell, at + person.rng.uniform(0.0, 0.3)) for cell in cells)
    person.to_check.update(cells)
    return person.wait(f"lifts {' and '.join(cells)}", end, person.change())


TOUCH_ONLY = frozenset({"inspect"})
PRESENCE_ONLY = frozenset({"brush", "prey_first", "adjust"})
SLIPS: Mapping[str, Callable[[Person], bool]] = {
    function.__name__: function
    for function in (
        *(wrong_cell, echo, slide, brush, two_stones, put_and_take, hesitate, inspect),
        *(forget, wrong_removal, two_at_once, prey_first, adjust, palm, stray_key, take_back),
        *(knock, unplug, abandon, wrong_key, wrong_ring, wrong_swap, two_bodies),
    )
}
"""All slips by name."""
