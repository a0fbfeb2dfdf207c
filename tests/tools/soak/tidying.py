"""How a person brings the board to what it should be: as lights ask, and as the page shows.

Owns what is done about each thing that is wrong; each function tells whether there was something to
do. Must not know in which order they are called (`player`).
"""

from game.table.inputs import Command
from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak.moving import steps_to_turn, turn_ring
from tests.tools.soak.person import Person
from tests.tools.soak.slips import slip

NOTHING_BACK = frozenset({"table.nothing_to_take_back", "table.confirm_anew", "table.all_is_shown"})
"""The words for no move to take back."""


def restore_knocked(person: Person) -> bool:
    """After knocking over stones that the board cannot feel, ask it to show what stands where."""
    view = person.view
    if not person.knocked_over or view.phase is Phase.CONFIRM:
        return False
    if not person.differences():
        # A touch may confirm the board too early: they ask again until all is right.
        person.knocked_over = False
        return False
    if view.phase is Phase.OVER and view.game.hidden:
        # They know by themselves what stood where.
        person.knocked_over = False
        person.to_check.update(person.differences())
        return False
    if view.phase is Phase.OVER:
        # A sliding stone made a move that ended the game, so nothing is compared.
        person.counts["unwanted"] += 1
        person.log("did not want the game to end by a knock")
        return person.press_key(Command.TAKE_BACK)
    return person.press_key(Command.CONFIRM)


def give_back(person: Person) -> bool:
    """Put back a stone that was taken by mistake, where the board cannot ask for it."""
    while person.taken_wrongly:
        cell, piece = person.taken_wrongly.popitem()
        gone = cell not in person.stones and person.view.page.get(cell) == piece
        if gone and person.view.cue(cell) is not Cue.PUT:
            end = person.put(cell, piece, touch=person.rng.random() < 0.5)
            return person.go_on(f"puts {piece} back on {cell}", end)
    return False


def take_back_moves(person: Person) -> bool:
    view = person.view
    if NOTHING_BACK & view.words or view.phase is Phase.CONFIRM:
        person.take_backs = 0
    if not person.take_backs or (view.to_do() and person.rng.random() < 0.5):
        return False
    person.take_backs -= 1
    person.counts["taken_back_by_key"] += 1
    return person.press_key(Command.TAKE_BACK)


def do_as_shown(person: Person) -> bool:
    """Do one of the things that lights ask for, or slip."""
    shown, overlooked = person.view.to_do(), person.overlooked
    for cell, until in list(overlooked.items()):
        if cell not in shown:
            del overlooked[cell]
        elif person.now >= until:
            del overlooked[cell]
            person.counts["insisted"] += 1
            person.log(f"notices at last what {cell} asks for")
    if not shown:
        return False
    if not person.careful and slip(person, person.traits.tidying):
        return True
    seen = [cell for cell in shown if cell not in overlooked]
    if seen:
        person.obey(person.rng.choice(seen))
    else:
        person.due = min(overlooked.values())
    return True


def confirm_board(person: Person) -> bool:
    """Compare the board with the lights, and confirm by a touch that it is right."""
    view = person.view
    if view.phase is not Phase.CONFIRM:
        return False
    person.unconfirmed.clear()
    person.rings_to_check.clear()
    shown = {cell: view.page.get(cell, "") for cell in view.lit(Cue.STANDS)}
    for cell, (stands, should) in person.fingers.board.differences(shown).items():
        if cell in view.to_do():
            continue
        end = person.take(cell, touch=False) if stands else person.put(cell, should, touch=False)
        return person.go_on(f"brings {cell} right", end)
    cell = person.rng.choice(view.game.board.cells)
    if cell in view.to_do():
        # Doing what one light asks for also confirms the rest.
        person.obey(cell)
        return True
    what = f"confirms by touching {cell} that the board is right"
    return person.wait(what, person.press(cell), lambda seen: seen.phase is not Phase.CONFIRM)


def press_pending_key(person: Person) -> bool:
    move, position = person.intended, person.view.position
    if not person.key_pending or move is None or move.before != position:
        return False
    person.key_pending = False
    key = move.taps[-1]
    end = person.press_game_key(key, person.start())
    return person.wait(f"presses {key}", end, lambda seen: seen.position != position)


def turn_rings(person: Person) -> bool:
    """Turn the rings that differ from the page, and confirm it where the board asks."""
    shown = person.view.to_turn()
    for ring in sorted(person.rings_to_check.union(shown)):
        steps = steps_to_turn(person, ring)
        if steps is None:
            person.to_check.update(person.view.game.board.rings[ring])
        person.rings_to_check.discard(ring)
        if ring in shown:
            return _confirm_ring(person, ring, steps or 0)
        if steps:
            return person.go_on(*turn_ring(person, ring, steps, person.start()))
    return False


def _confirm_ring(person: Person, ring: str, steps: int) -> bool:
    """Bring a ring right and confirm it, by its key or by a touch of any of its cells."""
    what, end = f"sees that {ring} is right", person.start()
    if steps:
        what, end = turn_ring(person, ring, steps, end)
    at = end + person.rng.uniform(0.2, 0.8)
    if person.rng.random() < 0.5:
        end = person.press(person.rng.choice(person.view.game.board.rings[ring]), at)
    else:
        end = person.press_game_key(ring, at)
    return person.wait(f"{what}, and confirms it", end, lambda seen: ring not in seen.to_turn())


def check_cells(person: Person) -> bool:
    """Do what a light has asked for when something else put that light out.

    A touch on the cell, or a stone of the wrong colour where stones are felt, can tell the board
    that it is done. The person knows that it is not, and the page shows what should be.
    """
    if person.view.started:
        return False
    differences = person.differences()
    while person.to_check:
        cell = min(person.to_check)
        if cell not in differences or cell in person.unconfirmed:
            person.to_check.discard(cell)
            continue
        if person.look_again():
            return True
        person.counts["untold"] += 1
        what = f"corrects {cell}, whose light went out too early"
        return person.go_on(what, person.correct(cell))
    return False


def forget_accepted(person: Person) -> None:
    view = person.view
    for cell, piece in list(person.unconfirmed.items()):
        accepted = view.cue(cell) is Cue.PLACED or view.page.get(cell) == piece
        if accepted or cell in view.started or person.stones.get(cell) != piece:
            del person.unconfirmed[cell]


def settle_unconfirmed(person: Person) -> bool:
    """Touch again what was not sensed, and take off what was refused."""
    view, move = person.view, person.intended
    for cell, piece in list(person.unconfirmed.items()):
        if person.look_again():
            return True
        fitting = {view.piece(view.turn), *((move.stands.get(cell),) if move else ())}
        if view.cue(cell) is Cue.LEGAL and piece in fitting and not person.feels_stones:
            end = person.press(cell)
            return person.wait(f"touches {cell} once more", end, person.answer(cell))
        del person.unconfirmed[cell]
        if cell in view.page:
            person.to_check.add(cell)
        end = person.take(cell, touch=person.rng.random() < 0.25)
        return person.go_on(f"takes {piece} off {cell} again", end)
    return False
