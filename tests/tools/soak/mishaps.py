"""Slips that concern the whole board, its keys, or a move of several touches.

Owns how each comes about; each function tells whether it did. Must not know how often (`traits`),
nor how it is put right again (`player`).
"""

from game.table.inputs import Command
from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak.paths import cluster, empty_cells, neighbours
from tests.tools.soak.person import Person

_CONFIRMATION = "table.confirm_"
_MOST_RESTORED = 12
"""Most cells that a person remembers."""


def palm(person: Person) -> bool:
    """Rest a hand on the board."""
    rng, slowly = person.rng, person.rng.random() < 0.2
    cells = cluster(person, 3, 7)
    landing_s = rng.uniform(0.1, 0.5) if slowly else rng.uniform(0.0, 0.05)
    hold_s = max(landing_s, rng.uniform(0.2, 2.5))
    end = person.fingers.rest(cells, person.start(), hold_s, landing_s)
    return person.go_on(f"rests a hand on {', '.join(cells)}", end)


def stray_key(person: Person) -> bool:
    """Hit a key that asks for confirmation; sometimes it is hit twice."""
    view, rng = person.view, person.rng
    asked = any(word.startswith(_CONFIRMATION) for word in view.words)
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
    """Want some moves back, by the key."""
    view = person.view
    if not (view.placed or view.page or view.started):
        return False
    person.take_backs = person.rng.choice((1, 1, 1, 2, 2, 3, 5))
    return person.go_on(f"wants {person.take_backs} moves back", person.now)


def restore(person: Person) -> bool:
    """Want some moves back, and put the stones back as they stood."""
    earlier = [person.fingers.board.differences(board) for board in person.earlier_boards[-4:]]
    near = [each for each in earlier if 0 < len(each) <= _MOST_RESTORED]
    if not near:
        return False
    differences = list(person.rng.choice(near).items())
    # Colours are not sensed, so the person finally compares these cells with the page.
    person.touched.update(cell for cell, _ in differences)
    person.to_check |= person.touched
    person.rng.shuffle(differences)
    end = person.start()
    for cell, (stands, should) in differences:
        if stands:
            end = person.take(cell, end, touch=False) + person.draw_s(person.traits.travel_s)
        if should:
            end = person.put(cell, should, end, touch=False)
            end += person.draw_s(person.traits.travel_s)
    cells = ", ".join(cell for cell, _ in differences)
    return person.go_on(f"restores an earlier board: {cells}", end)


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
    """Pull the plug, and put it back."""
    if person.view.phase is Phase.OVER:
        return False
    person.unplugged = True
    return person.go_on("pulls the plug, and puts it back", person.now)


def early(person: Person) -> bool:
    """Set a stone while the first player is being drawn."""
    view, cell = person.view, person.rng.choice(empty_cells(person))
    piece = person.rng.choice([view.piece(view.turn), *view.others()])
    end = person.place(cell, piece)
    # The answer may be words alone.
    return person.wait(f"sets {piece} on {cell} during the draw", end, person.change())


def abandon(person: Person) -> bool:
    """Leave a move that has begun, and begin another."""
    view, rng = person.view, person.rng
    if not view.started:
        return False
    at, put_back = person.start(), False
    started = {cell for cell in view.started if cell}
    for cell in sorted(started):
        if cell in view.page and cell not in person.stones:
            at, put_back = person.put(cell, view.page[cell], at, touch=False), True
    person.intended = None
    if person.feels_stones and not put_back:
        free = [cell for cell in empty_cells(person) if cell not in view.page]
        if started or not free:
            return False
        # Only keys have been pressed.
        person.place(rng.choice(free), view.piece(view.turn))
        return True
    others = [
        cell
        for cell, piece in sorted(person.stones.items())
        if view.page.get(cell) == piece and cell not in view.started
    ]
    if not others:
        return False
    cell, at = rng.choice(others), at + rng.uniform(0.5, 1.5)
    person.to_check.update({cell, *started})
    end = person.take(cell, at) if person.feels_stones else person.press(cell, at)
    return person.wait(f"leaves the move that was begun for {cell}", end, person.change())


def wrong_key(person: Person) -> bool:
    """Press a key of the game by mistake."""
    if not person.view.game.keys:
        return False
    key, person.intended = person.rng.choice(person.view.game.keys), None
    end = person.press_game_key(key, person.start())
    return person.go_on(f"presses {key} by mistake", end)


def wrong_ring(person: Person) -> bool:
    """Turn a ring that should stay as it is."""
    rings = person.view.game.board.rings
    full = [ring for ring, cells in rings.items() if any(cell in person.stones for cell in cells)]
    if not full or person.view.started:
        return False
    ring, steps = person.rng.choice(full), person.rng.choice((1, 1, 2, -1))
    turns_s = person.rng.uniform(0.0, 1.0)
    end = person.fingers.turn(ring, rings[ring], steps, person.start(), turns_s)
    person.rings_to_check.add(ring)
    return person.go_on(f"turns {ring} by {steps}, which should stay", end)


def wrong_swap(person: Person) -> bool:
    """Put a wrong piece in exchange."""
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
    """Lift two pieces at once that could be moved."""
    view, stones = person.view, person.stones
    able = [cell for cell in view.lit(Cue.LEGAL) if cell in stones and cell in view.page]
    if len(able) < 2 or view.started:
        return False
    at, cells, person.intended = person.start(), person.rng.sample(able, 2), None
    end = max(person.take(cell, at + person.rng.uniform(0.0, 0.3)) for cell in cells)
    person.to_check.update(cells)
    return person.wait(f"lifts {' and '.join(cells)}", end, person.change())
