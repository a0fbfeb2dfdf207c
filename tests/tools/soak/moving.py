"""Where hands can go, how they make a move touch by touch, and how they turn the rings of a board.

Must not know why a move is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from game.table.scene import Cue
from tests.tools.soak.intended_move import Move, Taps, choose_through, entered, turns
from tests.tools.soak.person import Person

TURNS_FIRST = 0.25
"""Chance to turn a ring before pressing its key."""
PUTS_BACK = 0.3
"""Chance to put down at once a lifted piece that stays where it was."""
LIFTS = 0.7
"""Chance that the touch itself takes the piece that leaves a cell, where touches are sensed."""


def piece_of(person: Person, move: Move, cell: str) -> str:
    """Return the piece that stands on a cell after a move, or one of the player."""
    return move.pieces[1].get(cell) or person.view.piece(person.view.turn)


def next_touch(person: Person, move: Move, taken: Taps) -> None:
    """Make the next touch of a move, `taken` being those that were accepted."""
    spot, view = move.taps[len(taken)], person.view
    if spot in view.game.keys:
        _press(person, move, taken, spot)
    elif len(move.taps) == 1 and spot not in view.page and spot not in person.stones:
        person.place(spot, piece_of(person, move, spot))
    else:
        person.to_check.add(spot)
        act = _lift_or_set if person.feels_stones else _touch
        what, end = act(person, move, taken, spot)
        person.wait(what, end, person.answer(spot))


def turn_ring(person: Person, ring: str, steps: int, at: float) -> tuple[str, float]:
    """Turn a ring in one of the ways in which people do it; return the way and the end."""
    cells, fingers, rng = person.view.game.board.rings[ring], person.fingers, person.rng
    way = rng.random()
    if way < 0.1:
        end = _carry(person, cells, steps, at)
        return f"moves what stands on {ring} by {steps}, one by one", end
    parts, shown = [steps], ""
    if way < 0.2:
        parts, shown = [steps + 1, -1], ", too far and back"
    elif way < 0.5:
        parts, shown = [1 if steps > 0 else -1] * abs(steps), ", step by step"
    for part in parts:
        turns_s = 0.0 if rng.random() < 0.4 else rng.uniform(0.1, 1.5)
        end = fingers.turn(ring, cells, part, at, turns_s)
        at = end + rng.uniform(0.1, 1.5)
    return f"turns {ring} by {steps}{shown}", end


def steps_to_turn(person: Person, ring: str) -> int | None:
    """Count the steps that bring a ring right; None where turning is not enough."""
    cells = person.view.game.board.rings[ring]
    stand = [person.stones.get(cell, "") for cell in cells]
    should = [person.view.page.get(cell, "") for cell in cells]
    half = len(cells) // 2
    for steps in sorted(range(-half, half + 1), key=lambda n: (abs(n), -n)):
        if [stand[(n - steps) % len(cells)] for n in range(len(cells))] == should:
            return steps
    return None


def _carry(person: Person, cells: Sequence[str], steps: int, at: float) -> float:
    stood = {n: person.stones[cell] for n, cell in enumerate(cells) if cell in person.stones}
    for n in stood:
        at = person.fingers.take(cells[n], at, 0.1, touch=False) + person.rng.uniform(0.1, 0.5)
    for n, piece in stood.items():
        cell = cells[(n + steps) % len(cells)]
        at = person.fingers.put(cell, piece, at, 0.1, touch=False) + person.rng.uniform(0.1, 0.5)
    return at


def _press(person: Person, move: Move, taken: Taps, key: str) -> None:
    """Press a key of the game; sometimes a ring is turned before that."""
    at, last = person.start(), len(taken) + 1 == len(move.taps)
    rings = turns(move) if last and not person.key_pending else []
    if rings and person.rng.random() < TURNS_FIRST:
        (edit,) = rings
        what, end = turn_ring(person, edit.cell, edit.steps, at)
        person.key_pending = True
        person.rings_to_check.add(edit.cell)
        person.go_on(f"{what}, before pressing {key}", end)
    else:
        person.wait(f"presses {key}", person.press_game_key(key, at), person.answer(key))


def _touch(person: Person, move: Move, taken: Taps, cell: str) -> tuple[str, float]:
    """Touch a cell where touches are sensed, and perhaps move its stone by that."""
    stands, final = person.stones.get(cell), move.pieces[1].get(cell, "")
    if stands and not final and person.rng.random() < LIFTS:
        return f"takes {stands} from {cell}, to move", person.take(cell)
    if not stands and final and cell not in person.view.page:
        again = cell in move.taps[len(taken) + 1 :] or person.view.game.hidden
        piece = (_held(person, taken) if again else "") or final
        return f"sets {piece} on {cell}, to move", person.put(cell, piece)
    return f"touches {cell}, to move", person.press(cell)


def _lift_or_set(person: Person, move: Move, taken: Taps, cell: str) -> tuple[str, float]:
    """Lift what stands on a cell where stones are sensed, or set what has been lifted there."""
    view, rng = person.view, person.rng
    stands, final = person.stones.get(cell), move.pieces[1].get(cell, "")
    held, again = _held(person, taken), cell in move.taps[len(taken) + 1 :]
    if not stands:
        # An attacker does not know yet which of both pieces will stand there.
        piece = held if again or view.game.hidden else ""
        piece = piece or final or view.page.get(cell) or view.piece(view.turn)
        return f"sets {piece} on {cell}", person.put(cell, piece)
    what, piece, end = f"lifts {stands} from {cell}", "", person.take(cell)
    captures = held and final and not view.game.hidden
    if captures and view.page.get(cell) == stands and cell not in taken:
        # The piece that stood here is captured, and the held one takes its place.
        enemy = view.game.presentation.side(final) != view.game.presentation.side(stands)
        piece = (held if enemy else stands) if again or rng.random() < 0.7 else ""
    elif final and not again and rng.random() < PUTS_BACK:
        piece = stands
    if not piece:
        return what, end
    return f"{what} and sets {piece} there", person.put(cell, piece, end + rng.uniform(0.2, 1.5))


def _held(person: Person, taken: Taps) -> str:
    """Return the piece that was lifted to be moved, "" for none."""
    page = person.view.page
    lifted = (page[cell] for cell in taken if cell in page and cell not in person.stones)
    return next(lifted, "")


@dataclass(frozen=True, slots=True)
class Target:
    """An empty cell on which a move can go on, the piece that it takes, and such a move."""

    cell: str
    piece: str
    move: Move


def empty_cells(person: Person) -> list[str]:
    return [cell for cell in person.view.game.board.cells if cell not in person.stones]


def neighbours(person: Person, cell: str) -> list[str]:
    return sorted(person.view.game.board.neighbours[cell])


def target(person: Person) -> Target | None:
    """Draw an empty cell to play on; None where there is none."""
    view = person.view
    first = entered(view, person.intended)
    free = [c for c in view.lit(Cue.LEGAL) if c not in person.stones and c not in view.page]
    if not free or first is None:
        return None
    cell = person.rng.choice(free)
    move = choose_through(view, (*first, cell))
    return Target(cell, piece_of(person, move, cell), move) if move else None


def cluster(person: Person, least: int, most: int) -> list[str]:
    """Draw cells that lie together, in the order in which a hand comes to them."""
    rng = person.rng
    cells = [rng.choice(person.view.game.board.cells)]
    size = rng.randint(least, most)
    while len(cells) < size:
        cell = rng.choice(neighbours(person, rng.choice(cells)))
        cells += [cell] if cell not in cells else []
    return cells


def path(person: Person, begin: str, steps: int) -> list[str]:
    """Draw a way from a cell over its neighbours, only over empty ones if stones are sensed."""
    cells = [begin]
    shut = person.stones if person.feels_stones else ()
    for _ in range(steps):
        near = neighbours(person, cells[-1])
        ways = [cell for cell in near if cell not in cells and cell not in shut]
        if not ways:
            break
        cells.append(person.rng.choice(ways))
    return cells
