"""What Adaptoid says to people: names of pieces, why something is refused, what a turn did.

Owns these messages. Must not know how texts are read.
"""

from collections.abc import Sequence

from game.rules.adaptoid_field import (
    BLACK,
    BODIES,
    CELL,
    CODE,
    LIMBS,
    NEAREST,
    PLACE,
    SOCKETS,
    WHITE,
    Phase,
    Position,
    cells_in,
    free_around,
    places_in,
)
from game.rules.adaptoid_turns import (
    NOWHERE,
    Choice,
    Move,
    Moved,
    Part,
    Placing,
    Turn,
    goals,
    moved,
    turned,
)
from game.rules.game import CHOICES, Inspection, Role
from game.rules.message import Message, say

LEG_KEY, PINCER_KEY = CHOICES
PART_OF = {LEG_KEY: Part.LEG, PINCER_KEY: Part.PINCER}
COLOUR_WORDS = (say("adaptoid.player_white"), say("adaptoid.player_black"))
_PLACES = frozenset(PLACE.values())
_BODY_WORDS = (say("adaptoid.white"), say("adaptoid.black"))


def piece_word(code: str) -> Message:
    """Name a piece by its colour and limbs."""
    read = CODE.fullmatch(code)
    if read is None:
        return say("adaptoid.any")
    body = _BODY_WORDS["WB".index(read[1])]
    legs, pincers = int(read[2]), int(read[3])
    words = [say("adaptoid.legs", count=legs)] if legs else []
    words += [say("adaptoid.pincers", count=pincers)] if pincers else []
    if not words:
        return say("adaptoid.bare", adaptoid=body)
    if len(words) == 1:
        return say("adaptoid.with_one", adaptoid=body, limbs=words[0])
    return say("adaptoid.with_two", adaptoid=body, legs=words[0], pincers=words[1])


def cell_flaw(cell: str) -> Message | None:
    """Say that a text or a key is no cell; None if it is one."""
    if cell in CHOICES:
        return say("adaptoid.no_key")
    return None if cell in PLACE else say("adaptoid.no_such_cell", text=cell)


def move_flaw(position: Position, start: int, goal: int) -> Message | None:
    """Say why a move of one adaptoid is not legal; None if it is."""
    own, enemy, limbs = position.own, position.enemy, position.limbs[start]
    if not own >> start & 1:
        return say("adaptoid.not_yours", cell=CELL[start])
    if start == goal:
        return say("adaptoid.stays", cell=CELL[start])
    if own >> goal & 1:
        return say("adaptoid.occupied", cell=CELL[goal])
    if enemy >> goal & 1 and not limbs & 7:
        return say("adaptoid.no_pincer", start=CELL[start], goal=CELL[goal])
    if not goals(own, enemy, limbs, start) >> goal & 1:
        count = limbs >> 3
        return say("adaptoid.too_far", start=CELL[start], goal=CELL[goal], count=count)
    return None


def growth_flaw(step: Moved, part: Part | None, at: int) -> Message | None:
    """Say why a growth is not legal when a turn's move is made; None if it is."""
    room = step.room()
    if part is None:
        return say("adaptoid.must_grow") if len(room) else None
    if step.ends:
        return say("adaptoid.ended")
    if not len(room):
        return say("adaptoid.nothing_grows")
    if room.mask(part) >> at & 1:
        return None
    cell = CELL[at]
    if part is Part.BODY:
        if (step.own | step.enemy) >> at & 1:
            return say("adaptoid.occupied", cell=cell)
        if step.own.bit_count() >= BODIES:
            return say("adaptoid.no_bodies")
        return say("adaptoid.not_adjacent", cell=cell)
    if not step.own >> at & 1:
        return say("adaptoid.not_yours", cell=cell)
    if LIMBS[step.limbs[at]] >= SOCKETS:
        return say("adaptoid.no_socket", cell=cell, most=SOCKETS)
    return say("adaptoid.no_legs") if part is Part.LEG else say("adaptoid.no_pincers")


def turn_flaw(position: Position, turn: Turn) -> Message | None:
    """Say why a turn is not legal; None if it is."""
    if turn.start != NOWHERE and (flaw := move_flaw(position, turn.start, turn.goal)):
        return flaw
    return growth_flaw(moved(position, turn.start, turn.goal), turn.part, turn.at)


def move_refusal(position: Position, move: Move) -> Message:
    """Say why a move is not legal in a position."""
    if position.over:
        return say("rules.game_over")
    if position.phase is Phase.PLACE:
        if isinstance(move, Placing) and move.white == move.black:
            return say("adaptoid.same_cell", cell=CELL[move.white])
        return say("adaptoid.place_first")
    if position.phase is Phase.CHOOSE:
        return say("adaptoid.choose_first")
    if not isinstance(move, Turn):
        return say("adaptoid.all_placed")
    places = [at for at in (move.start, move.goal, move.at) if at != NOWHERE]
    paired = (move.start == NOWHERE) == (move.goal == NOWHERE)
    if paired and (move.at == NOWHERE) == (move.part is None) and _PLACES.issuperset(places):
        return turn_flaw(position, move) or say("rules.not_legal", text=str(move))
    return say("rules.not_legal", text=str(move))


def tap_refusal(position: Position, taps: Sequence[str]) -> Message:
    """Say why touches, all but the last of them accepted, enter no legal move."""
    last = taps[-1]
    if position.over:
        return say("rules.game_over")
    if position.phase is not Phase.PLAY or last not in CHOICES:
        flaw = cell_flaw(last)
        if flaw is not None:
            return flaw
    if position.phase is Phase.PLACE:
        return say("adaptoid.same_cell", cell=last)
    if position.phase is Phase.CHOOSE:
        return say("adaptoid.touch_colour")
    if len(taps) == 1:
        return _first_tap_refusal(position, last)
    start, goal = PLACE[taps[0]], PLACE.get(taps[1], NOWHERE)
    if len(taps) == 2:
        if last in CHOICES:
            flaw = growth_flaw(moved(position, NOWHERE, NOWHERE), PART_OF[last], start)
        else:
            flaw = move_flaw(position, start, goal)
        return flaw or say("adaptoid.must_grow")
    step = moved(position, start, goal)
    if last in CHOICES:
        if len(taps) == 3:
            return say("adaptoid.must_grow")
        return growth_flaw(step, PART_OF[last], PLACE[taps[2]]) or say("adaptoid.must_grow")
    if len(taps) == 4:
        return say("adaptoid.press_key")
    return _growth_refusal(step, PLACE[last])


def _first_tap_refusal(position: Position, tap: str) -> Message:
    step = moved(position, NOWHERE, NOWHERE)
    return say("adaptoid.must_grow") if tap in CHOICES else _growth_refusal(step, PLACE[tap])


def _growth_refusal(step: Moved, at: int) -> Message:
    """Say why nothing can grow where somebody touched."""
    if step.enemy >> at & 1:
        return say("adaptoid.not_yours", cell=CELL[at])
    part = Part.LEG if step.own >> at & 1 else Part.BODY
    return growth_flaw(step, part, at) or say("adaptoid.must_grow")


def key_word(position: Position, taps: Sequence[str], key: str) -> Message:
    """Say what a key does now."""
    if not taps:
        return say("adaptoid.key_end")
    return say("adaptoid.key_leg") if key == LEG_KEY else say("adaptoid.key_pincer")


def summary(position: Position, move: Move, who: Message) -> Message:
    """Tell in words what a legal move does; `who` is how its player is called."""
    if isinstance(move, Placing):
        white, black = CELL[move.white], CELL[move.black]
        return say("adaptoid.placed", player=who, white=white, black=black)
    if isinstance(move, Choice):
        return say("adaptoid.chose", player=who, colour=COLOUR_WORDS[move.colour])
    done = turned(position, move)
    deeds: list[Message] = []
    if move.start != NOWHERE:
        start, goal = CELL[move.start], CELL[move.goal]
        if done is None or not done.captured | done.lost:
            deeds.append(say("adaptoid.did_move", start=start, goal=goal))
        elif not done.lost:
            deeds.append(say("adaptoid.did_capture", start=start, goal=goal))
        elif not done.captured:
            deeds.append(say("adaptoid.did_lose", start=start, goal=goal))
        else:
            deeds.append(say("adaptoid.did_both", start=start, goal=goal))
    if move.part is Part.BODY:
        deeds.append(say("adaptoid.did_body", cell=CELL[move.at]))
    elif move.part is Part.LEG:
        deeds.append(say("adaptoid.did_leg", cell=CELL[move.at]))
    elif move.part is Part.PINCER:
        deeds.append(say("adaptoid.did_pincer", cell=CELL[move.at]))
    if done is not None and done.starved:
        cells = cells_in(done.starved)
        deeds.append(say("adaptoid.did_starve", count=len(cells), cells=cells))
    return say("adaptoid.turn", player=who, deeds=tuple(deeds) or say("adaptoid.did_nothing"))


def inspection(position: Position, place: int) -> Inspection:
    """Show an adaptoid, what it could capture by a move now, and its limbs on the nearest cells.

    Cells of prey count no limbs. Those that do go round it clockwise from the upper right, then
    round in the next ring: first its legs, then its pincers.
    """
    colour = WHITE if position.bodies[WHITE] >> place & 1 else BLACK
    limbs, cell = position.limbs[place], CELL[place]
    legs, pincers = limbs >> 3, limbs & 7
    enemies = position.bodies[1 - colour]
    cells = {cell: Role.CRITTER}
    for prey in places_in(goals(position.bodies[colour], enemies, limbs, place) & enemies):
        if position.limbs[prey] & 7 <= pincers:
            cells[CELL[prey]] = Role.PREY
    counting = [other for other in NEAREST[cell] if other not in cells]
    cells.update(dict.fromkeys(counting[:legs], Role.MARK))
    cells.update(dict.fromkeys(counting[legs : legs + pincers], Role.OTHER_MARK))
    told = {
        "legs": say("adaptoid.legs", count=legs),
        "pincers": say("adaptoid.pincers", count=pincers),
        "free": say("adaptoid.free", count=free_around(position, place)),
        "adaptoid": _BODY_WORDS[colour],
    }
    if free_around(position, place) < legs + pincers:
        return Inspection(cells, {}, say("adaptoid.inspected_starving", **told))
    return Inspection(cells, {}, say("adaptoid.inspected", **told))
