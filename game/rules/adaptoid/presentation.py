"""The presentation of Adaptoid: its words, inspection and threats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from game.rules.adaptoid import field, turns
from game.rules.adaptoid.turns import NOWHERE, ColourChoice, Move, Moved, Part, Placing
from game.rules.base.game import MoveResult, Presentation
from game.rules.base.message import Message, say
from game.rules.base.reading import no_such_cell
from game.rules.base.values import CHOICES, Inspection, Role, Threats

LEG_KEY, PINCER_KEY = CHOICES
COLOUR_WORDS = (say("adaptoid.player_white"), say("adaptoid.player_black"))
CAPTURED = say("goal.captured")
_CHAPTERS = ("start", "move", "fight", "grow", "starve", "win")
_RULES = tuple(say(f"adaptoid.rule_{chapter}") for chapter in _CHAPTERS)
_MOVED = {
    (False, False): say("adaptoid.did_move"),
    (True, False): say("adaptoid.did_capture"),
    (False, True): say("adaptoid.did_lose"),
    (True, True): say("adaptoid.did_both"),
}
"""The words for a move, by whether it captured and whether it was captured."""
_BODY_WORDS = (say("adaptoid.white"), say("adaptoid.black"))


def _move_refusal(position: field.Position, start: int, goal: int) -> Message:
    way = {"start": field.CELL[start], "goal": field.CELL[goal]}
    limbs = position.limbs[start]
    if position.own >> goal & 1:
        return say("adaptoid.occupied", cell=field.CELL[goal])
    if position.enemy >> goal & 1 and not limbs & 7:
        return say("adaptoid.no_pincer", **way)
    return say("adaptoid.too_far", **way, count=limbs >> 3)


def _growth_refusal(step: Moved, at: int) -> Message:
    cell = field.CELL[at]
    if step.enemy >> at & 1:
        return say("adaptoid.not_yours", cell=cell)
    if step.own >> at & 1 and field.LIMBS[step.limbs[at]] >= field.SOCKETS:
        return say("adaptoid.no_socket", cell=cell, most=field.SOCKETS)
    if step.own >> at & 1 or step.own.bit_count() >= field.BODIES:
        return say("adaptoid.none_left")
    return say("adaptoid.not_adjacent", cell=cell)


class AdaptoidPresentation(Presentation[field.Position, Move]):
    """The words of Adaptoid."""

    sides = tuple(field.COLOURS)
    side_words = COLOUR_WORDS
    hues = ("#ffd278", "#1e5aff")
    score_word = CAPTURED
    about = say("adaptoid.about")
    meanings: Mapping[str, Message] = {CAPTURED.key: say("adaptoid.about_captured")}
    notation = say("adaptoid.notation")
    rules = (*_RULES, say("adaptoid.rule_touch"))
    presence_rules = (*_RULES, say("adaptoid.rule_hands"))
    roles: Mapping[Role, Message] = {
        Role.INSPECTED: say("adaptoid.role_itself"),
        Role.VICTIM: say("adaptoid.role_prey"),
        Role.MARK: say("adaptoid.role_legs"),
        Role.OTHER_MARK: say("adaptoid.role_pincers"),
    }

    def piece_word(self, piece: str) -> Message:
        read = field.CODE.fullmatch(piece)
        if read is None:
            return say("adaptoid.any")
        body = _BODY_WORDS["WB".index(read[1])]
        legs, pincers = int(read[2]), int(read[3])
        of_legs = say("adaptoid.legs", count=legs)
        of_pincers = say("adaptoid.pincers", count=pincers)
        if legs and pincers:
            return say("adaptoid.with_two", adaptoid=body, legs=of_legs, pincers=of_pincers)
        if legs or pincers:
            return say("adaptoid.with_one", adaptoid=body, limbs=of_legs if legs else of_pincers)
        return say("adaptoid.bare", adaptoid=body)

    def side_of(self, position: field.Position, player: int) -> int:
        """Return the side that a player has chosen; before that, the side of the same number."""
        if position.phase is not field.TurnPhase.PLAY:
            return player
        return 1 + (player - 1 ^ position.white)

    def token(self, side: int) -> str:
        """Return the code of an adaptoid with limbs that depicts a side."""
        return ("W2L2P", "B2L2P")[side - 1]

    def token_of(self, position: field.Position, player: int) -> str:
        open_ = position.phase is not field.TurnPhase.PLAY
        return "" if open_ else super().token_of(position, player)

    def called(self, position: field.Position, player: int) -> Message:
        open_ = position.phase is not field.TurnPhase.PLAY
        return self.game.players[player - 1] if open_ else super().called(position, player)

    def asks(self, position: field.Position, taps: Sequence[str]) -> Message | None:
        if position.phase is field.TurnPhase.PLACE:
            return say("adaptoid.ask_black") if taps else say("adaptoid.ask_white")
        if position.phase is field.TurnPhase.CHOOSE:
            return say("adaptoid.ask_colour")
        if not taps:
            room = turns.moved(position, NOWHERE, NOWHERE).room()
            return say("adaptoid.ask_turn") if all(room.values()) else None
        if len(taps) == 2:
            return say("adaptoid.ask_growth")
        if len(taps) not in (1, 3) or taps[-1] not in field.PLACE:
            return None
        *way, at = (field.PLACE[tap] for tap in taps)
        step = turns.moved(position, *(way or (NOWHERE, NOWHERE)))
        if not all(step.room()[part] >> at & 1 for part in (Part.LEG, Part.PINCER)):
            return None
        walks = not taps[1:] and turns.goals(position.own, position.enemy, position.limbs[at], at)
        return say("adaptoid.ask_way") if walks else say("adaptoid.ask_limb")

    def key_word(self, position: field.Position, taps: Sequence[str], key: str) -> Message:
        if not taps:
            return say("adaptoid.key_end")
        return say("adaptoid.key_leg") if key == LEG_KEY else say("adaptoid.key_pincer")

    def refusal(self, position: field.Position, taps: Sequence[str]) -> Message:
        last, at = taps[-1], field.PLACE.get(taps[-1], NOWHERE)
        if position.over:
            return say("rules.game_over")
        if last in CHOICES and position.phase is not field.TurnPhase.PLAY:
            return say("adaptoid.no_key")
        if at == NOWHERE and last not in CHOICES:
            return no_such_cell(field.BOARD, last)
        if position.phase is field.TurnPhase.PLACE:
            return say("adaptoid.same_cell", cell=last)
        if position.phase is field.TurnPhase.CHOOSE:
            return say("adaptoid.touch_colour")
        if len(taps) == 2 and at != NOWHERE:
            return _move_refusal(position, field.PLACE[taps[0]], at)
        if len(taps) == 4 and at != NOWHERE:
            return say("adaptoid.press_key")
        if at == NOWHERE and len(taps) % 2:
            return say("adaptoid.must_grow")
        way = [field.PLACE[tap] for tap in taps[:2]] if len(taps) > 2 else [NOWHERE, NOWHERE]
        grows_at = field.PLACE[taps[-2]] if at == NOWHERE else at
        return _growth_refusal(turns.moved(position, *way), grows_at)

    def inspect(self, position: field.Position, cell: str) -> Inspection | None:
        """Show an adaptoid, what it could capture by a move now, and its limbs on near cells.

        The limbs are marked on the cells around it, clockwise from the upper right, then on the
        next ring: legs first, then pincers. Cells of possible captures are left out.
        """
        place = field.PLACE.get(cell, len(field.CELL))
        colour = next((n for n, bodies in enumerate(position.bodies) if bodies >> place & 1), None)
        if colour is None:
            return None
        limbs, taken = position.limbs[place], position.bodies[0] | position.bodies[1]
        legs, pincers = limbs >> 3, limbs & 7
        free = (field.NEAR[place] & ~taken).bit_count()
        enemies = position.bodies[1 - colour]
        cells = {cell: Role.INSPECTED}
        reach = turns.goals(position.bodies[colour], enemies, limbs, place)
        for prey in field.places_in(reach & enemies):
            if position.limbs[prey] & 7 <= pincers:
                cells[field.CELL[prey]] = Role.VICTIM
        counting = [other for other in field.NEAREST[cell] if other not in cells]
        cells.update(dict.fromkeys(counting[:legs], Role.MARK))
        cells.update(dict.fromkeys(counting[legs : legs + pincers], Role.OTHER_MARK))
        numbers = {
            "legs": say("adaptoid.legs", count=legs),
            "pincers": say("adaptoid.pincers", count=pincers),
            "free": say("adaptoid.free", count=free),
            "adaptoid": _BODY_WORDS[colour],
        }
        if free < legs + pincers:
            return Inspection(cells, {}, say("adaptoid.inspected_starving", **numbers))
        return Inspection(cells, {}, say("adaptoid.inspected", **numbers))

    def threats(self, position: field.Position, player: int) -> Threats:
        """Find the pieces that each player could capture in a turn, by a fight or by starving."""
        if position.phase is not field.TurnPhase.PLAY or position.over:
            return Threats()
        movers = (replace(position, mover=who) for who in (2 - player, player - 1))
        return Threats(*(frozenset(field.cells_in(turns.takeable(each))) for each in movers))

    def summary(self, result: MoveResult[field.Position, Move]) -> Message:
        position, move = result.before, result.move
        who = self.called(position, position.mover + 1)
        if isinstance(move, Placing):
            white, black = field.CELL[move.white], field.CELL[move.black]
            return say("adaptoid.placed", player=who, white=white, black=black)
        if isinstance(move, ColourChoice):
            return say("adaptoid.chose", player=who, colour=COLOUR_WORDS[move.colour])
        done = turns.turned(position, move)
        actions: list[Message] = []
        if move.start != NOWHERE:
            fought = (bool(done and done.captured), bool(done and done.lost))
            way = {"start": field.CELL[move.start], "goal": field.CELL[move.goal]}
            actions.append(Message(_MOVED[fought].key, way))
        if move.part is not None:
            actions.append(say(f"adaptoid.did_{move.part.name.lower()}", cell=field.CELL[move.at]))
        if done is not None and done.starved:
            cells = field.cells_in(done.starved)
            actions.append(say("adaptoid.did_starve", count=len(cells), cells=cells))
        return say("adaptoid.turn", player=who, deeds=tuple(actions) or say("adaptoid.did_nothing"))
