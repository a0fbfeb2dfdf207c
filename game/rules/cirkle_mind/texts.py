"""Positions of CirKle Mind in writing: on one line of text, and in the referee's keys.

Owns both forms, and the check that a position read makes sense. The text also carries positions as
a player sees them, with hidden faces; the referee's keys tell true ones only.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from game.rules.base.errors import BadPosition
from game.rules.base.message import LONGEST, quote, say
from game.rules.base.values import Json
from game.rules.cirkle_mind.faces import (
    CODES,
    FACES,
    NUMBER,
    OWN_TARGET,
    SIDES,
    UNKNOWN,
    listed,
    read_code,
)
from game.rules.cirkle_mind.position import BARE, MindPhase, Position, RuleLevel, cells_in
from game.rules.cirkle_mind.squares import INDEX, ZONES

_LEVELS = "|".join(level.value for level in RuleLevel)
_LOST = r"-|(?:[ygbmk][TSCOX])+"
_TEXT = re.compile(
    rf"(?P<pieces>-|[^ ]+) (?P<level>{_LEVELS}) (?P<phase>setup|play) (?P<over>#?)(?P<mover>[12])"
    rf" (?P<begins>[-12]) (?P<score1>[0-9]{{1,2}})-(?P<score2>[0-9]{{1,2}})"
    rf" (?P<lost1>{_LOST})/(?P<lost2>{_LOST})"
)
_SHOWN = "+"
_COUNT = len(FACES)


@dataclass(slots=True)
class _Board:
    """What stands, while it is read."""

    armies: list[int] = field(default_factory=lambda: [0, 0])
    faces: bytearray = field(default_factory=lambda: bytearray(BARE))
    known: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    """The faces of each side that are not hidden."""


def pieces_of(position: Position) -> dict[str, str]:
    """Map each occupied cell to its piece's code, in the board's order."""
    return dict(_standing(position))


def position_text(position: Position) -> str:
    """Write pieces, level, phase, who moves (or `#` and who has won), who makes the first move
    where it is not made yet, the score, and what each side has lost. `+` marks a shown piece.
    """
    shown = set(cells_in(position.shown))
    pieces = ",".join(
        f"{cell}={code}{_SHOWN * (cell in shown)}" for cell, code in _standing(position)
    )
    state = f"{position.phase.value} {'#' * position.over}{position.mover + 1}"
    begins = "-" if position.begins is None else position.begins + 1
    score = f"{position.score[0]}-{position.score[1]}"
    lost = "/".join("".join(FACES[n - 1] for n in _numbers(own)) or "-" for own in position.lost)
    return f"{pieces or '-'} {position.level.value} {state} {begins} {score} {lost}"


def read_position_text(text: str) -> Position:
    bad = BadPosition(say("mind.bad_text", text=text[: 2 * LONGEST]))
    read = _TEXT.fullmatch(text)
    if read is None:
        raise bad
    shown, pieces = 0, {}
    for each in read["pieces"].split(",") if read["pieces"] != "-" else ():
        cell, _, code = each.partition("=")
        if cell in pieces:
            raise BadPosition(say("rules.cell_twice", cell=cell))
        if code.endswith(_SHOWN) and cell in INDEX:
            shown |= 1 << INDEX[cell]
        pieces[cell] = code.removesuffix(_SHOWN)
    board = _read_pieces(pieces, hidden=True)
    position = Position(
        RuleLevel(read["level"]),
        MindPhase(read["phase"]),
        int(read["mover"]) - 1,
        None if read["begins"] == "-" else int(read["begins"]) - 1,
        (int(read["score1"]), int(read["score2"])),
        bool(read["over"]),
        (board.armies[0], board.armies[1]),
        bytes(board.faces),
        shown,
        (_read_lost(read["lost1"]), _read_lost(read["lost2"])),
    )
    if position_text(position) != text or max(position.score) > _COUNT:
        raise bad
    if position.phase is MindPhase.SET_UP:
        _check_set_up(position, board, seen=True)
    else:
        _check_play(position, board)
    return position


def extras(position: Position) -> Json:
    return {
        "phase": position.phase.value,
        "begun": position.phase is MindPhase.PLAY and position.begins is None,
        "shown": list(cells_in(position.shown)),
    }


def read_json(data: Mapping[str, object], level: RuleLevel, first: int) -> Position:
    """Read the referee's keys; player `first`, from 0, makes the first move. Raises BadPosition.

    Without a phase it is in play if something stands on the board, and then the first move is made.
    What does not stand on the board in play is lost.
    """
    pieces = data.get("pieces", {})
    if not isinstance(pieces, dict):
        raise BadPosition(say("rules.bad_pieces", value=quote(pieces)))
    board = _read_pieces(pieces, hidden=False)
    phase = _read_phase(data, board)
    score = _read_score(data)
    shown = _read_shown(data, board)
    begun = data.get("begun", phase is MindPhase.PLAY)
    allowed = "true | false" if phase is MindPhase.PLAY else "false"
    if type(begun) is not bool or (begun and phase is MindPhase.SET_UP):
        raise BadPosition(say("mind.bad_key", key="begun", value=quote(begun), allowed=allowed))
    armies, faces = (board.armies[0], board.armies[1]), bytes(board.faces)
    if phase is MindPhase.SET_UP:
        turn = 1 if armies[0] else 0
        if data.get("to_move", turn + 1) != turn + 1 or type(data.get("to_move", 1)) is not int:
            raise BadPosition(
                say("rules.bad_to_move", value=quote(data.get("to_move")), allowed=str(turn + 1))
            )
        position = Position(level, phase, turn, first, score, False, armies, faces, shown)
        _check_set_up(position, board, seen=False)
        return position
    lost = (_missing(board, 0), _missing(board, 1))
    mover, over = _read_mover(data, level, lost, first), data.get("to_move", first) is None
    begins = None if begun or over else mover
    return Position(level, phase, mover, begins, score, over, armies, faces, shown, lost)


def _standing(position: Position) -> Iterator[tuple[str, str]]:
    armies, faces = position.armies, position.faces
    for cell in cells_in(armies[0] | armies[1]):
        at = INDEX[cell]
        yield cell, CODES[armies[1] >> at & 1][faces[at]]


def _numbers(bits: int) -> Iterator[int]:
    return (number for number in NUMBER.values() if bits >> number & 1)


def _missing(board: _Board, side: int) -> int:
    """Return the faces, as bits, that a side has not got on the board."""
    return sum(1 << number for number in NUMBER.values() if number not in board.known[side])


def _read_pieces(pieces: Mapping[object, object], hidden: bool) -> _Board:
    board = _Board()
    for cell, code in pieces.items():
        if not isinstance(cell, str) or cell not in INDEX:
            raise BadPosition(say("mind.no_such_cell", text=str(cell)[:LONGEST]))
        piece = read_code(code)
        if piece is None or (piece[1] == UNKNOWN and not hidden):
            allowed = f"{' | '.join(SIDES)} + {' '.join(FACES)}"
            raise BadPosition(say("rules.bad_piece", cell=cell, value=quote(code), allowed=allowed))
        side, number = piece
        if number in board.known[side]:
            raise BadPosition(say("mind.piece_twice", cell=cell, piece=code))
        if number != UNKNOWN:
            board.known[side].add(number)
        board.armies[side] |= 1 << INDEX[cell]
        board.faces[INDEX[cell]] = number
    for side, cells in enumerate(board.armies):
        if cells.bit_count() > _COUNT:
            raise BadPosition(
                say("mind.too_many", side=SIDES[side], count=cells.bit_count(), most=_COUNT)
            )
    return board


def _read_lost(text: str) -> int:
    faces = [text[at : at + 2] for at in range(0, len(text), 2)] if text != "-" else []
    return sum({1 << NUMBER.get(face, 0) for face in faces})


def _check_set_up(position: Position, board: _Board, seen: bool) -> None:
    """Refuse pieces before play, unless each army is either complete and at home or absent.

    In a position as it is `seen` the army of the other player may be away.
    """
    there = tuple(cells.bit_count() for cells in position.armies)
    mover, zone = position.mover, {INDEX[cell] for cell in ZONES[0]}
    at_home = all(INDEX[cell] in zone for cell in cells_in(position.armies[0]))
    counts = {(0, 0)} if mover == 0 else {(_COUNT, 0)} | ({(0, 0)} if seen else set())
    untouched = not any((*position.score, position.shown, position.over, *position.lost))
    whole = not there[0] or len(board.known[0]) == _COUNT
    fair = there in counts and at_home and untouched and whole
    if not fair or position.begins is None:
        raise BadPosition(say("mind.bad_start"))


def _check_play(position: Position, board: _Board) -> None:
    """Refuse a text in which a piece is both lost and there, or neither."""
    for side, lost in enumerate(position.lost):
        both = [number for number in board.known[side] if lost >> number & 1]
        if both or lost.bit_count() + position.armies[side].bit_count() != _COUNT:
            raise BadPosition(
                say("mind.bad_lost", side=SIDES[side], value=listed(_numbers(lost)), all=_COUNT)
            )
    begins, mover = position.begins, position.mover
    if begins is not None and (position.over or begins != mover):
        raise BadPosition(say("mind.bad_begins", value=begins + 1))
    loser = 1 - position.army(mover)
    if position.over and not position.lost[loser] >> OWN_TARGET[loser] & 1:
        raise BadPosition(say("rules.not_over"))


def _read_phase(data: Mapping[str, object], board: _Board) -> MindPhase:
    value = data.get("phase")
    if value is None:
        return MindPhase.PLAY if any(board.armies) else MindPhase.SET_UP
    for phase in MindPhase:
        if value == phase.value:
            return phase
    allowed = " | ".join(phase.value for phase in MindPhase)
    raise BadPosition(say("mind.bad_key", key="phase", value=quote(value), allowed=allowed))


def _read_score(data: Mapping[str, object]) -> tuple[int, int]:
    score = data.get("score", [0, 0])
    if (
        not isinstance(score, list | tuple)
        or len(score) != 2
        or not all(type(n) is int and 0 <= n <= _COUNT for n in score)
    ):
        raise BadPosition(say("mind.bad_score", value=quote(score), most=_COUNT))
    return score[0], score[1]


def _read_shown(data: Mapping[str, object], board: _Board) -> int:
    cells = data.get("shown", [])
    if not isinstance(cells, list | tuple):
        raise BadPosition(say("mind.bad_shown", value=quote(cells)))
    shown, standing = 0, board.armies[0] | board.armies[1]
    for cell in cells:
        if not isinstance(cell, str) or cell not in INDEX or not standing >> INDEX[cell] & 1:
            raise BadPosition(say("mind.bad_shown", value=quote(cell)))
        shown |= 1 << INDEX[cell]
    return shown


def _read_mover(
    data: Mapping[str, object], level: RuleLevel, lost: tuple[int, int], first: int
) -> int:
    """Return who moves, or who has won: the player whose opponent has lost the target."""
    mover = data.get("to_move", first + 1)
    if mover is not None:
        if type(mover) is not int or mover not in (1, 2):
            raise BadPosition(say("rules.bad_to_move", value=quote(mover), allowed="1 | 2"))
        return mover - 1
    outcome = data.get("outcome")
    winner = outcome.get("winner") if isinstance(outcome, dict) else None
    leaders = (1, 0) if level.exchanged else (0, 1)
    winners = [leaders[1 - side] for side in (0, 1) if lost[side] >> OWN_TARGET[side] & 1]
    for player in winners:
        if winner == player + 1 or (winner is None and len(winners) == 1):
            return player
    raise BadPosition(say("mind.no_winner") if winners else say("rules.not_over"))
