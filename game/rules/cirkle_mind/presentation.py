"""The presentation of CirKle Mind: its words say only what is in the given position."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from game.rules.base.game import MoveResult, Presentation
from game.rules.base.message import Message, say
from game.rules.base.reading import no_such_cell
from game.rules.base.values import CHOICES, Inspection, Role, Threats
from game.rules.cirkle_mind import faces
from game.rules.cirkle_mind import position as rules
from game.rules.cirkle_mind.faces import CODES, FACES, SIDES, UNKNOWN
from game.rules.cirkle_mind.position import ACTIONS, NOWHERE, PASS, MindPhase, Position, RuleLevel
from game.rules.cirkle_mind.squares import BOARD, CELLS, COLUMNS, INDEX, PRINTED, SHIELDS_BY_FACE

KEY = CHOICES[0]
SIDE_WORDS = (say("mind.green"), say("mind.mauve"))
BACKS = (say("piece.green_back"), say("piece.mauve_back"))
_COLOURS = {"y": "yellow", "g": "green", "b": "blue", "m": "mauve", "k": "black"}
_SHAPES = {"T": "triangle", "S": "square", "C": "cross", "O": "circle", "X": "target"}
FACE_WORDS = {face: say(f"piece.{_COLOURS[face[0]]}_{_SHAPES[face[1]]}") for face in FACES}
LEVELS = {level: say(f"mind.level_{level.name.lower()}") for level in RuleLevel}
SHIELDS, EXCHANGE = say("mind.rule_shield"), say("mind.rule_super")
_CHAPTERS = ("start", "move", "attack", "win", "black", "target", "shield", "super", "end")
RULES = tuple(say(f"mind.rule_{chapter}") for chapter in _CHAPTERS)
TOUCH, HANDS = say("mind.rule_touch"), say("mind.rule_hands")
HUES = {"y": "#ffd200", "g": "#32b450", "b": "#286eff", "m": "#aa5adc", "k": "#ffffff"}
"""Colours of lights; a light cannot be black, so black faces are white."""
FLASHES = {"T": 3, "S": 4, "C": 2, "O": 1, "X": 0}


def summary_of(position: Position, move: str, covered: bool) -> Message:
    """Describe a legal move; name the faces of an attack unless `covered`."""
    if position.phase is MindPhase.SET_UP:
        who = SIDE_WORDS[position.mover]
        last = position.mover == 1 and position.level.exchanged
        return say("mind.set_up_turned", player=who) if last else say("mind.set_up", player=who)
    side = position.army(position.mover)
    who, other = SIDE_WORDS[side], SIDE_WORDS[1 - side]
    if move == PASS:
        return say("mind.passed", player=who)
    action = ACTIONS[side][move]
    start, goal = CELLS[action.start], CELLS[action.goal]
    if action.target == NOWHERE:
        return say("mind.moved", player=who, start=start, goal=goal)
    target = CELLS[action.target]
    if rules.is_hidden(position, action):
        return say("mind.attacks", player=who, start=start, goal=goal, target=target)
    result = rules.result_of(position, action)
    if covered:
        way = {"goal": goal, "target": target}
        did = say(f"mind.covered_{result.value}", player=who, other=other, **way)
    else:
        one, two = position.faces[action.start], position.faces[action.target]
        piece, enemy = FACE_WORDS[FACES[one - 1]], FACE_WORDS[FACES[two - 1]]
        fighters = {"player": who, "piece": piece, "other": other, "enemy": enemy}
        did = say(f"mind.fought_{result.value}", **fighters, cell=target)
        if position.level.shields and not faces.is_target(two):
            own, others = rules.shields_of(position, action)
            did = say("mind.with_shields", did=did, own=own, other=others)
    # `did` does not say where the attacker came from.
    return say("mind.from", start=start, goal=goal, did=did)


class CirkleMindPresentation(Presentation[Position, str]):
    """The words of CirKle Mind, and the print on its squares."""

    about = say("mind.about")
    rules = (*RULES, TOUCH)
    presence_rules = (*RULES, HANDS)
    roles: Mapping[Role, Message] = {Role.INSPECTED: say("mind.role_itself")}
    threat_words = (say("cue.attackable"), say("cue.can_be_attacked"))
    advice_words = (say("mind.new_attack"), say("mind.attackable"), say("mind.can_attack"))
    sides = tuple(SIDES)
    side_words = SIDE_WORDS
    hues = ("#32b450", "#aa5adc")
    score_word = say("goal.pieces_captured")
    meanings: Mapping[str, Message] = {"goal.pieces_captured": say("mind.about_captured")}
    notation = say("mind.notation")
    printed: Mapping[str, str] = {
        cell: code for cell, code in zip(CELLS, PRINTED, strict=True) if code
    }

    def level(self, position: Position) -> Message:
        return LEVELS[position.level]

    def rules_of(self, position: Position, presence: bool) -> tuple[Message, ...]:
        rules = super().rules_of(position, presence)
        left_out = [] if position.level.shields else [SHIELDS]
        left_out += [] if position.level.exchanged else [EXCHANGE]
        return tuple(rule for rule in rules if rule not in left_out)

    def piece_word(self, piece: str) -> Message:
        back = piece in tuple(SIDES)
        return BACKS[SIDES.index(piece)] if back else FACE_WORDS[piece[1:]]

    def side_of(self, position: Position, player: int) -> int:
        """Return the side that a player sets up, or after an exchange the side that they lead."""
        return position.army(player - 1) + 1

    def asks(self, position: Position, taps: Sequence[str]) -> Message | None:
        if position.phase is MindPhase.SET_UP or position.over:
            return None
        if len(taps) == 2:
            return say("mind.ask_attack")
        return say("mind.ask_pass") if not taps and rules.stuck(position) else None

    def key_word(self, position: Position, taps: Sequence[str], key: str) -> Message:
        return say("mind.key_pass") if rules.stuck(position) else say("mind.key_no_attack")

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        *way, touched = taps
        if position.over:
            return say("rules.game_over")
        if position.phase is MindPhase.SET_UP:
            return say("mind.set_up_first", text=touched)
        if touched == KEY:
            return say("mind.no_key")
        if touched not in INDEX:
            return no_such_cell(BOARD, touched)
        if rules.stuck(position):
            return say("mind.ask_pass")
        side, at = position.army(position.mover), INDEX[touched]
        own, enemies = position.armies[side] >> at & 1, position.armies[1 - side] >> at & 1
        if not way:
            hemmed_in = say("mind.hemmed_in", cell=touched)
            return hemmed_in if own else say("mind.not_yours", cell=touched)
        if len(way) == 1:
            if (own or enemies) and way != [touched]:
                return say("mind.occupied", cell=touched)
            return say("mind.too_far", start=way[0], goal=touched)
        start, goal = way
        if not enemies:
            return say("mind.no_enemy", cell=touched)
        if INDEX[goal] - INDEX[start] == (-COLUMNS if side == faces.GREEN else COLUMNS):
            return say("mind.backward", start=start, goal=goal)
        return say("mind.not_in_reach", goal=goal, target=touched)

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Describe the piece on a cell, as far as this position shows it, and the print."""
        message = self._inspected(position, cell) if cell in INDEX else None
        return None if message is None else Inspection({cell: Role.INSPECTED}, {}, message)

    def _inspected(self, position: Position, cell: str) -> Message | None:
        at = INDEX[cell]
        side = next((n for n in (0, 1) if position.armies[n] >> at & 1), None)
        printed = FACE_WORDS.get(PRINTED[at])
        if side is None:
            return None if printed is None else say("mind.printed", cell=cell, square=printed)
        number = position.faces[at]
        piece = self.piece_word(CODES[side][number])
        if printed is None:
            return say("mind.on_plain", cell=cell, piece=piece)
        if number == UNKNOWN or not position.level.shields:
            return say("mind.on_square", cell=cell, piece=piece, square=printed)
        shield = SHIELDS_BY_FACE[number][at]
        return say("mind.on_square_shield", cell=cell, piece=piece, square=printed, shield=shield)

    def threats(self, position: Position, player: int) -> Threats:
        """Find the pieces that each player could attack on their turn, whatever the faces."""
        if position.phase is MindPhase.SET_UP or position.over:
            return Threats()
        attacks = (rules.moves_of(replace(position, mover=n)) for n in (2 - player, player - 1))
        return Threats(*(frozenset(m.partition("*")[2] for m in ms if "*" in m) for ms in attacks))

    def summary(self, result: MoveResult[Position, str]) -> Message:
        return summary_of(result.before, result.move, covered=False)
