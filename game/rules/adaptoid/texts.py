"""The texts of Adaptoid: moves as in records, positions on one line and as JSON.

Owns reading and writing them, and refusing invalid ones.
"""

import re
from collections.abc import Mapping

from game.rules.adaptoid import field, turns
from game.rules.adaptoid.moves import played
from game.rules.adaptoid.presentation import cell_flaw, move_flaw, move_refusal
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.game import Game, settle
from game.rules.base.message import LONGEST, say
from game.rules.base.reading import (
    Data,
    bad_key,
    bad_piece,
    no_such_cell,
    not_over,
    read_choice,
    read_pieces,
    read_score,
    read_to_move,
    read_winner,
)
from game.rules.base.values import Json

_CHOICES = {"white": turns.Choice(field.WHITE), "black": turns.Choice(field.BLACK)}
_CHOICE_TEXTS = {choice: text for text, choice in _CHOICES.items()}
_NAME = r"[a-z][0-9]{1,2}"
_PLACING = re.compile(rf"W:({_NAME}) B:({_NAME})")
_TURN = re.compile(
    rf"(?:(?P<start>{_NAME})(?P<how>[-x])(?P<goal>{_NAME}))?"
    rf"/(?:\+(?P<body>{_NAME})|(?P<grown>{_NAME})(?P<limb>[LP]))?"
)
_TEXT = re.compile(
    r"(?P<pieces>-|[^ ]+) (?P<phase>place|choose|play) (?P<over>#?)(?P<mover>[12])"
    r" (?P<colours>--|WB|BW) (?P<score1>[0-9]{1,4})-(?P<score2>[0-9]{1,4})"
)
_ALLOWED = "[WB][0-6]L[0-6]P, L + P <= 6"


class AdaptoidTexts(Game[field.Position, turns.Move]):
    """The text forms of Adaptoid."""

    def move_text(self, position: field.Position, move: turns.Move) -> str:
        """Write a placing (`W:d4 B:e4`), a colour (`white`) or a turn (`b2-c4/c4L`)."""
        if isinstance(move, turns.Placing):
            return f"W:{field.CELL[move.white]} B:{field.CELL[move.black]}"
        if isinstance(move, turns.Choice):
            return _CHOICE_TEXTS[move]
        text = "/"
        if move.start != turns.NOWHERE:
            how = "x" if position.enemy >> move.goal & 1 else "-"
            text = f"{field.CELL[move.start]}{how}{field.CELL[move.goal]}/"
        if move.part is turns.Part.BODY:
            return f"{text}+{field.CELL[move.at]}"
        return text if move.part is None else f"{text}{field.CELL[move.at]}{move.part.value}"

    def parse_move(self, position: field.Position, text: str) -> turns.Move:
        if position.over:
            raise IllegalMove(say("rules.game_over"))
        if position.phase is field.TurnPhase.PLACE:
            move: turns.Move = _read_placing(text)
        elif position.phase is field.TurnPhase.CHOOSE:
            if text not in _CHOICES:
                raise IllegalMove(say("adaptoid.bad_choice", text=text))
            move = _CHOICES[text]
        else:
            move = _read_turn(position, text)
        if played(position, move) is None:
            raise IllegalMove(move_refusal(position, move))
        return move

    def text(self, position: field.Position) -> str:
        """Write pieces, phase, who moves (or `#` and who has won), colours by player, and score."""
        pieces = ",".join(f"{cell}={code}" for cell, code in field.pieces_of(position).items())
        won = "#" if position.over else ""
        colours = "".join(_colours_of(position) or "--")
        score = "-".join(str(n) for n in position.score)
        return f"{pieces or '-'} {position.phase.value} {won}{position.mover + 1} {colours} {score}"

    def parse(self, text: str) -> field.Position:
        read = _TEXT.fullmatch(text)
        if read is None:
            raise BadPosition(say("adaptoid.bad_text", text=text[: 2 * LONGEST]))
        pieces: dict[str, str] = {}
        for each in read["pieces"].split(",") if read["pieces"] != "-" else ():
            cell, _, code = each.partition("=")
            if cell in pieces:
                raise BadPosition(say("rules.cell_twice", cell=cell))
            pieces[cell] = code
        mover = int(read["mover"])
        data: Json = {
            "pieces": pieces,
            "phase": read["phase"],
            "colours": None if read["colours"] == "--" else list(read["colours"]),
            "score": [int(read["score1"]), int(read["score2"])],
            "to_move": None if read["over"] else mover,
            "outcome": {"winner": mover},
        }
        position = self.from_json(data, {})
        if self.text(position) != text:
            raise BadPosition(say("adaptoid.bad_text", text=text[: 2 * LONGEST]))
        return position

    def extras(self, position: field.Position) -> Json:
        colours, supply = _colours_of(position), _supply_of(position)
        return {"phase": position.phase.value, "colours": colours, "supply": supply}

    def from_json(self, position: Data, options: Mapping[str, str]) -> field.Position:
        """Read a position. Without a phase, it is in play if it has pieces. Without colours,
        player 1 is White. The supply must agree with the pieces.
        """
        data, first = position, int(settle(self, options)["first"])
        bodies, limbs = _read_pieces(data)
        usual = field.TurnPhase.PLAY if any(bodies) else field.TurnPhase.PLACE
        phase = read_choice(data, "phase", usual)
        colours, score = data.get("colours"), read_score(data)
        allowed = [["W", "B"], ["B", "W"]] if phase is field.TurnPhase.PLAY else []
        if colours is not None and colours not in allowed:
            raise bad_key("colours", colours, " | ".join(map(str, ["null", *allowed])))
        found = field.Position(phase, 0, int(colours == ["B", "W"]), bodies, limbs, score)
        if phase is field.TurnPhase.PLAY:
            found = _settled(found, data, first)
        else:
            found = _started(found, data, first)
        left, supplied = _supply_of(found), data.get("supply")
        if supplied not in (None, left):
            raise bad_key("supply", supplied, str(left))
        return found


def _place(cell: str) -> int:
    if flaw := cell_flaw(cell):
        raise IllegalMove(flaw)
    return field.PLACE[cell]


def _read_placing(text: str) -> turns.Placing:
    read = _PLACING.fullmatch(text)
    if read is None:
        raise IllegalMove(say("adaptoid.bad_placing", text=text))
    return turns.Placing(_place(read[1]), _place(read[2]))


def _read_turn(position: field.Position, text: str) -> turns.Turn:
    read = _TURN.fullmatch(text)
    if read is None:
        raise IllegalMove(say("adaptoid.bad_turn", text=text))
    start = goal = at = turns.NOWHERE
    part = None
    if read["start"]:
        start, goal = _place(read["start"]), _place(read["goal"])
        if flaw := move_flaw(position, start, goal):
            raise IllegalMove(flaw)
        fights = bool(position.enemy >> goal & 1)
        if read["how"] == "x" and not fights:
            raise IllegalMove(say("adaptoid.no_enemy", cell=read["goal"]))
        if read["how"] == "-" and fights:
            raise IllegalMove(say("adaptoid.write_x", start=read["start"], goal=read["goal"]))
    if read["body"]:
        part, at = turns.Part.BODY, _place(read["body"])
    elif read["grown"]:
        part, at = turns.Part(read["limb"]), _place(read["grown"])
    return turns.Turn(start, goal, part, at)


def _colours_of(position: field.Position) -> tuple[str, ...] | None:
    """Return the colour of each player as `W` or `B`; None before it is chosen."""
    if position.phase is not field.TurnPhase.PLAY:
        return None
    return (field.COLOURS[position.white], field.COLOURS[1 - position.white])


def _supply_of(position: field.Position) -> Json:
    data: Json = {}
    for colour, name in enumerate(field.COLOURS):
        left = field.supply(position.bodies[colour], position.limbs)
        data[name] = {"bodies": left.bodies, "legs": left.legs, "pincers": left.pincers}
    return data


def _read_pieces(data: Data) -> tuple[tuple[int, int], bytes]:
    bodies, limbs = [0, 0], bytearray(field.BARE)
    for cell, code in read_pieces(data).items():
        if cell not in field.PLACE:
            raise BadPosition(no_such_cell(field.BOARD, cell))
        read = field.CODE.fullmatch(code) if isinstance(code, str) else None
        if read is None or int(read[2]) + int(read[3]) > field.SOCKETS:
            raise bad_piece(cell, code, _ALLOWED)
        bodies[field.COLOURS.index(read[1])] |= 1 << field.PLACE[cell]
        limbs[field.PLACE[cell]] = int(read[2]) << 3 | int(read[3])
    for colour, mask in enumerate(bodies):
        left = field.supply(mask, limbs)
        if min(left.bodies, left.legs, left.pincers) < 0:
            wrong = say(
                "adaptoid.too_many",
                colour=field.COLOURS[colour],
                bodies=field.BODIES - left.bodies,
                legs=field.LEGS - left.legs,
                pincers=field.PINCERS - left.pincers,
                most=field.BODIES,
            )
            raise BadPosition(wrong)
    return (bodies[0], bodies[1]), bytes(limbs)


def _started(position: field.Position, data: Data, first: int) -> field.Position:
    """Check a position before play: nothing on the board, or one bare body of each colour."""
    phase, bodies = position.phase, position.bodies
    places = phase is field.TurnPhase.PLACE
    wanted = (0, 0) if places else (1, 1)
    counts = (bodies[0].bit_count(), bodies[1].bit_count())
    if counts != wanted or any(position.limbs) or any(position.score):
        raise BadPosition(say("adaptoid.bad_start", phase=phase.value))
    mover = read_to_move(data, first if places else 3 - first)
    if mover is None:
        raise not_over()
    return field.Position(phase, mover - 1, bodies=bodies)


def _settled(position: field.Position, data: Data, first: int) -> field.Position:
    """Find who moves, or who has won; if both qualify, the given winner, else who moved last."""
    white, bodies, limbs, score = position.white, position.bodies, position.limbs, position.score
    enemies = (bodies[1 ^ white], bodies[white])
    winners = [n + 1 for n in (0, 1) if score[n] >= turns.ENOUGH or not enemies[n]]
    mover = read_to_move(data, first)
    if mover is None:
        mover = read_winner(data, winners)
    elif 3 - mover in winners:
        mover = 3 - mover
    return field.Position(position.phase, mover - 1, white, bodies, limbs, score, bool(winners))
