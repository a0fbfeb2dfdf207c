"""The texts of Adaptoid: moves as records have them, positions on one line and as JSON.

Owns reading and writing them, and refusing what is none.
"""

import re
from collections.abc import Mapping, Sequence

from game.rules.adaptoid import field, turns
from game.rules.adaptoid.moves import played
from game.rules.adaptoid.presentation import cell_flaw, move_flaw, move_refusal
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.message import Message, say
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
_MOST_SCORE = 9999
_ALLOWED = "[WB][0-6]L[0-6]P, L + P <= 6"


def move_text(position: field.Position, move: turns.Move) -> str:
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


def read_move(position: field.Position, text: str) -> turns.Move:
    """Read a legal move; raises IllegalMove and says why."""
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


def position_text(position: field.Position) -> str:
    """Write pieces, phase, who moves (or `#` and who has won), colours by player, and score."""
    pieces = ",".join(f"{cell}={code}" for cell, code in field.pieces_of(position).items())
    won = "#" if position.over else ""
    colours = "".join(colours_of(position) or ("-", "-"))
    score = "-".join(str(n) for n in position.score)
    return f"{pieces or '-'} {position.phase.value} {won}{position.mover + 1} {colours} {score}"


def read_position_text(text: str) -> field.Position:
    read = _TEXT.fullmatch(text)
    pieces: dict[str, str] = {}
    for each in read["pieces"].split(",") if read and read["pieces"] != "-" else ():
        cell, _, code = each.partition("=")
        if cell in pieces:
            raise BadPosition(say("rules.cell_twice", cell=cell))
        pieces[cell] = code
    if read is None:
        raise BadPosition(say("adaptoid.bad_text", text=text))
    mover = int(read["mover"])
    data: Json = {
        "pieces": pieces,
        "phase": read["phase"],
        "colours": None if read["colours"] == "--" else list(read["colours"]),
        "score": [int(read["score1"]), int(read["score2"])],
        "to_move": None if read["over"] else mover,
        "outcome": {"winner": mover} if read["over"] else None,
    }
    position = read_json(data, 1)
    if position_text(position) != text:
        raise BadPosition(say("adaptoid.bad_text", text=text))
    return position


def colours_of(position: field.Position) -> tuple[str, ...] | None:
    """Return the colour of each player as `W` or `B`; None before it is chosen."""
    if position.phase is not field.TurnPhase.PLAY:
        return None
    return (field.COLOURS[position.white], field.COLOURS[1 - position.white])


def supply_of(position: field.Position) -> Json:
    data: Json = {}
    for colour, name in enumerate(field.COLOURS):
        left = field.supply(position.bodies[colour], position.limbs)
        data[name] = {"bodies": left.bodies, "legs": left.legs, "pincers": left.pincers}
    return data


def read_json(data: Mapping[str, object], first: int) -> field.Position:
    """Read a position in the referee's keys; `first` begins. Raises BadPosition.

    Without a phase it is in play if something stands on the board. Without colours player 1 is
    White. The supply follows from the pieces, and must agree with them.
    """
    pieces = data.get("pieces", {})
    if not isinstance(pieces, dict):
        raise BadPosition(say("rules.bad_pieces", value=repr(pieces)))
    bodies, limbs = _read_pieces(pieces)
    phase = _read_phase(data, bodies)
    white = _read_white(data, phase)
    score = _read_score(data)
    if phase is field.TurnPhase.PLAY:
        position = field.Position(phase, 0, white, bodies, limbs, score)
        position = _settle(position, data, first)
    else:
        position = _read_start(data, phase, bodies, limbs, score, first)
    supplied = data.get("supply")
    if supplied is not None and supplied != supply_of(position):
        raise BadPosition(say("adaptoid.bad_supply", value=repr(supplied)))
    return position


def _read_pieces(pieces: Mapping[object, object]) -> tuple[tuple[int, int], bytes]:
    bodies, limbs = [0, 0], bytearray(field.BARE)
    for cell, code in pieces.items():
        if not isinstance(cell, str) or cell not in field.PLACE:
            raise BadPosition(say("adaptoid.no_such_cell", text=cell))
        read = field.CODE.fullmatch(code) if isinstance(code, str) else None
        if read is None or int(read[2]) + int(read[3]) > field.SOCKETS:
            value = repr(code)
            raise BadPosition(say("rules.bad_piece", cell=cell, value=value, allowed=_ALLOWED))
        bodies[field.COLOURS.index(read[1])] |= 1 << field.PLACE[cell]
        limbs[field.PLACE[cell]] = int(read[2]) << 3 | int(read[3])
    for colour, mask in enumerate(bodies):
        if flaw := _too_many(colour, mask, limbs):
            raise BadPosition(flaw)
    return (bodies[0], bodies[1]), bytes(limbs)


def _too_many(colour: int, bodies: int, limbs: bytes | bytearray) -> Message | None:
    left = field.supply(bodies, limbs)
    if min(left.bodies, left.legs, left.pincers) >= 0:
        return None
    return say(
        "adaptoid.too_many",
        colour=field.COLOURS[colour],
        bodies=field.BODIES - left.bodies,
        legs=field.LEGS - left.legs,
        pincers=field.PINCERS - left.pincers,
        most=field.BODIES,
    )


def _read_phase(data: Mapping[str, object], bodies: tuple[int, int]) -> field.TurnPhase:
    value = data.get("phase")
    if value is None:
        return field.TurnPhase.PLAY if any(bodies) else field.TurnPhase.PLACE
    for phase in field.TurnPhase:
        if value == phase.value:
            return phase
    allowed = " | ".join(phase.value for phase in field.TurnPhase)
    raise BadPosition(say("adaptoid.bad_phase", value=repr(value), allowed=allowed))


def _read_white(data: Mapping[str, object], phase: field.TurnPhase) -> int:
    value = data.get("colours")
    if value is None:
        return 0
    if phase is field.TurnPhase.PLAY and value in (["W", "B"], ["B", "W"]):
        return 0 if value == ["W", "B"] else 1
    raise BadPosition(say("adaptoid.bad_colours", value=repr(value)))


def _read_score(data: Mapping[str, object]) -> tuple[int, int]:
    score = data.get("score", [0, 0])
    if (
        not isinstance(score, list)
        or len(score) != 2
        or not all(type(n) is int and 0 <= n <= _MOST_SCORE for n in score)
    ):
        raise BadPosition(say("adaptoid.bad_score", value=repr(score), most=_MOST_SCORE))
    return score[0], score[1]


def _read_mover(data: Mapping[str, object], usual: int) -> int | None:
    mover = data.get("to_move", usual)
    if mover is None:
        return None
    if type(mover) is not int or mover not in (1, 2):
        raise BadPosition(say("rules.bad_to_move", value=repr(mover), allowed="1 | 2"))
    return mover - 1


def _read_start(
    data: Mapping[str, object],
    phase: field.TurnPhase,
    bodies: tuple[int, int],
    limbs: bytes,
    score: Sequence[int],
    first: int,
) -> field.Position:
    """Check a position before play: nothing on the board, or one bare body of each colour."""
    wanted = (0, 0) if phase is field.TurnPhase.PLACE else (1, 1)
    if (bodies[0].bit_count(), bodies[1].bit_count()) != wanted or any(limbs) or any(score):
        raise BadPosition(say("adaptoid.bad_start", phase=phase.value))
    mover = _read_mover(data, first if phase is field.TurnPhase.PLACE else 3 - first)
    if mover is None:
        raise BadPosition(say("rules.not_over"))
    return field.Position(phase, mover, bodies=bodies)


def _settle(position: field.Position, data: Mapping[str, object], first: int) -> field.Position:
    """Find who moves, or who has won: where both could, the one given, else who moved last."""
    winners = {
        player
        for player in (0, 1)
        if position.score[player] >= turns.ENOUGH
        or not position.bodies[1 ^ player ^ position.white]
    }
    mover = _read_mover(data, first)
    if not winners and mover is not None:
        return _with(position, mover, over=False)
    if mover is not None:
        last = 1 - mover
        return _with(position, last if last in winners else mover, over=True)
    outcome = data.get("outcome")
    winner = outcome.get("winner") if isinstance(outcome, dict) else None
    for player in sorted(winners):
        if winner == player + 1 or (winner is None and len(winners) == 1):
            return _with(position, player, over=True)
    raise BadPosition(say("adaptoid.no_winner") if winners else say("rules.not_over"))


def _with(position: field.Position, mover: int, over: bool) -> field.Position:
    white, bodies, limbs = position.white, position.bodies, position.limbs
    return field.Position(field.TurnPhase.PLAY, mover, white, bodies, limbs, position.score, over)
