"""The text forms of CirKle Mind's positions: one line of text, and the referee's keys.

Owns both forms, and the check that a position makes sense. The text can also hold a position as
a player sees it, with hidden faces; the referee's keys always hold all faces.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from game.rules.base.errors import BadPosition
from game.rules.base.game import HiddenGame, settle
from game.rules.base.message import LONGEST, say
from game.rules.base.reading import (
    Data,
    bad_key,
    bad_piece,
    no_such_cell,
    not_over,
    read_choice,
    read_flag,
    read_pieces,
    read_score,
    read_to_move,
    read_winner,
)
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
from game.rules.cirkle_mind.squares import BOARD, INDEX, ZONES

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
    """The pieces of a position that is being read."""

    armies: list[int] = field(default_factory=lambda: [0, 0])
    faces: bytearray = field(default_factory=lambda: bytearray(BARE))
    known: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    """The known faces of each side."""


class MindTexts(HiddenGame[Position, str]):
    """The text forms of CirKle Mind."""

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to side, colour and shape, as `GyC`; to the side if hidden."""
        return dict(_standing(position))

    def text(self, position: Position) -> str:
        """Write pieces, level, phase, who moves (or `#` and the winner), who makes the first move
        if it is still to be made, the score, and each side's losses. `+` marks a shown piece.
        """
        shown = set(cells_in(position.shown))
        pieces = ",".join(
            f"{cell}={code}{_SHOWN * (cell in shown)}" for cell, code in _standing(position)
        )
        state = f"{position.phase.value} {'#' * position.over}{position.mover + 1}"
        begins = "-" if position.begins is None else position.begins + 1
        score = f"{position.score[0]}-{position.score[1]}"
        lost = "/".join(
            "".join(FACES[n - 1] for n in _numbers(own)) or "-" for own in position.lost
        )
        return f"{pieces or '-'} {position.level.value} {state} {begins} {score} {lost}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        if read is None:
            raise BadPosition(say("mind.bad_text", text=text[: 2 * LONGEST]))
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
        if self.text(position) != text or max(position.score) > _COUNT:
            raise BadPosition(say("mind.bad_text", text=text[: 2 * LONGEST]))
        if position.phase is MindPhase.SET_UP:
            _check_set_up(position, board, seen=True)
        else:
            _check_play(position, board)
        return position

    def extras(self, position: Position) -> Json:
        return {
            "phase": position.phase.value,
            "begun": position.phase is MindPhase.PLAY and position.begins is None,
            "shown": list(cells_in(position.shown)),
        }

    def from_json(self, position: Data, options: Mapping[str, str]) -> Position:
        """Read a position. Without a phase, it is in play if it has pieces, and then the first move
        has been made. In play, pieces that are not on the board are lost.
        """
        data, settled = position, settle(self, options)
        level, first = RuleLevel(settled["level"]), int(settled["first"]) - 1
        board = _read_pieces(read_pieces(data), hidden=False)
        usual = MindPhase.PLAY if any(board.armies) else MindPhase.SET_UP
        phase, score = read_choice(data, "phase", usual), read_score(data, _COUNT)
        playing, shown = phase is MindPhase.PLAY, _read_shown(data, board)
        opened = read_flag(data, "begun", playing)
        armies, faces = (board.armies[0], board.armies[1]), bytes(board.faces)
        if not playing:
            turn = 1 if armies[0] else 0
            if opened or data.get("to_move", turn + 1) != turn + 1:
                wrong = "begun" if opened else "to_move"
                raise bad_key(wrong, data.get(wrong), "false" if opened else str(turn + 1))
            found = Position(level, phase, turn, first, score, False, armies, faces, shown)
            _check_set_up(found, board, seen=False)
            return found
        lost = (_missing(board, 0), _missing(board, 1))
        mover = read_to_move(data, first + 1)
        over = mover is None
        if mover is None:
            # The leader of the other army has won.
            leaders = (1, 2) if level.exchanged else (2, 1)
            gone = [n for side, n in enumerate(leaders) if lost[side] >> OWN_TARGET[side] & 1]
            mover = read_winner(data, sorted(gone))
        begins = None if opened or over else mover - 1
        return Position(level, phase, mover - 1, begins, score, over, armies, faces, shown, lost)


def _standing(position: Position) -> Iterator[tuple[str, str]]:
    armies, faces = position.armies, position.faces
    for cell in cells_in(armies[0] | armies[1]):
        at = INDEX[cell]
        yield cell, CODES[armies[1] >> at & 1][faces[at]]


def _numbers(bits: int) -> Iterator[int]:
    return (number for number in NUMBER.values() if bits >> number & 1)


def _missing(board: _Board, side: int) -> int:
    """Return the faces, as bits, that a side does not have on the board."""
    return sum(1 << number for number in NUMBER.values() if number not in board.known[side])


def _read_pieces(pieces: Mapping[str, object], hidden: bool) -> _Board:
    board = _Board()
    for cell, code in pieces.items():
        if cell not in INDEX:
            raise BadPosition(no_such_cell(BOARD, cell))
        piece = read_code(code)
        if piece is None or (piece[1] == UNKNOWN and not hidden):
            allowed = f"{' | '.join(SIDES)} + {' '.join(FACES)}"
            raise bad_piece(cell, code, allowed)
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
    """Refuse pieces before play unless each army is complete and in its zone, or absent.

    In a position as a player has `seen` it, the other player's army may be absent.
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
    """Refuse a text in which a piece is both lost and on the board, or neither."""
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
        raise not_over()


def _read_shown(data: Data, board: _Board) -> int:
    cells = data.get("shown", [])
    standing = board.armies[0] | board.armies[1]
    there = [cell for cell, at in INDEX.items() if standing >> at & 1]
    if not isinstance(cells, list | tuple) or any(cell not in there for cell in cells):
        raise bad_key("shown", cells, f"[{', '.join(there)}]")
    return sum({1 << INDEX[cell] for cell in cells})
