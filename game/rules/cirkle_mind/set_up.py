"""Set-ups of CirKle Mind: how a player lays out an army before play.

Owns reading, writing and refusing them, and random ones. Its messages name faces:
they are for the player whose set-up it is. Must not know the turns that follow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from math import perm
from random import Random

from game.rules.base.errors import IllegalMove
from game.rules.base.message import LONGEST, Message, say
from game.rules.base.reading import bad_piece, no_such_cell
from game.rules.base.values import Arranging
from game.rules.cirkle_mind.faces import CODES, FACES, NUMBER, SIDES, listed, read_code
from game.rules.cirkle_mind.position import MindPhase, Position
from game.rules.cirkle_mind.squares import BOARD, INDEX, ZONES

SET_UP = "setup"
COUNT = len(FACES)

ARRANGINGS = tuple(
    Arranging(zone, codes[1 : COUNT + 1]) for zone, codes in zip(ZONES, CODES, strict=True)
)
"""The pieces and cells of each player's set-up."""


def has_to_set_up(position: Position, player: int) -> bool:
    """Return whether a player, from 0, has not set up an army yet."""
    return position.phase is MindPhase.SET_UP and player >= position.mover


def text_of(layout: Mapping[int, int]) -> str:
    """Write a set-up, given as numbers of faces by index of cell, in the board's order."""
    cells = BOARD.cells
    return " ".join((SET_UP, *(f"{cells[at]}={FACES[layout[at] - 1]}" for at in sorted(layout))))


def read_set_up(side: int, text: str) -> dict[int, int]:
    """Read a side's set-up with cells in any order; raises IllegalMove with the reason."""
    word, *parts = text.split() or [""]
    if word != SET_UP:
        raise IllegalMove(say("mind.set_up_first", text=text[:LONGEST]))
    pairs = []
    for part in parts:
        cell, equals, face = part.partition("=")
        if not equals:
            raise IllegalMove(say("mind.bad_set_up", text=part[:LONGEST]))
        pairs.append((cell, face))
    return _checked(side, pairs)


def laid_out(side: int, pieces: Mapping[str, str]) -> dict[int, int]:
    """Read a side's set-up from codes of pieces by cell; raises IllegalMove with the reason."""
    pairs = []
    for cell, code in pieces.items():
        piece = read_code(code)
        if piece is None or piece[0] != side or piece[1] > COUNT:
            raise IllegalMove(_unknown(cell, code, SIDES[side]))
        pairs.append((cell, FACES[piece[1] - 1]))
    return _checked(side, pairs)


def placed(position: Position, text: str) -> Position:
    side = position.mover
    layout = read_set_up(side, text)
    faces, cells = bytearray(position.faces), 0
    for at, number in layout.items():
        faces[at] = number
        cells |= 1 << at
    armies = (cells, position.armies[1]) if side == 0 else (position.armies[0], cells)
    laid = replace(position, armies=armies, faces=bytes(faces))
    if side == 0:
        return replace(laid, mover=1)
    return replace(laid, mover=position.begins or 0, phase=MindPhase.PLAY)


def _checked(side: int, pairs: list[tuple[str, str]]) -> dict[int, int]:
    layout: dict[int, int] = {}
    zone = ZONES[side]
    for cell, face in pairs:
        if cell not in INDEX:
            raise IllegalMove(no_such_cell(BOARD, cell))
        if cell not in zone:
            raise IllegalMove(say("mind.not_your_zone", cell=cell, least=zone[0], most=zone[-1]))
        if INDEX[cell] in layout:
            raise IllegalMove(say("rules.cell_twice", cell=cell))
        number = NUMBER.get(face)
        if number is None:
            raise IllegalMove(_unknown(cell, face))
        if number in layout.values():
            raise IllegalMove(say("mind.piece_twice", cell=cell, piece=face))
        layout[INDEX[cell]] = number
    missing = set(NUMBER.values()) - set(layout.values())
    if missing:
        raise IllegalMove(say("mind.missing", count=len(layout), all=COUNT, pieces=listed(missing)))
    return layout


def _unknown(cell: str, face: str, side: str = "") -> Message:
    allowed = " ".join(side + each for each in FACES)
    return bad_piece(cell[:LONGEST], face, allowed).message


class SetUps:
    """The set-ups that a player can make: far too many to list, so `len` raises OverflowError."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[str]:
        for cells in permutations(range(len(ZONES[0])), COUNT):
            offset = INDEX[ZONES[self._position.mover][0]]
            yield text_of({offset + at: number for number, at in enumerate(cells, start=1)})

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return False
        try:
            return text_of(read_set_up(self._position.mover, move)) == move
        except IllegalMove:
            return False

    def __len__(self) -> int:
        return perm(len(ZONES[0]), COUNT)

    def __bool__(self) -> bool:
        return True

    def pick(self, rng: Random) -> str:
        """Lay out an army at random."""
        return text_of(at_random(self._position.mover, rng))


def at_random(side: int, rng: Random) -> dict[int, int]:
    """Lay out an army at random: each face is equally likely on each occupied square.

    The occupied squares, which the other player sees, then reveal nothing. Guards around the own
    target, or pieces on squares that shield them, would reveal these pieces.
    """
    zone = [INDEX[cell] for cell in ZONES[side]]
    return dict(zip(rng.sample(zone, COUNT), range(1, COUNT + 1), strict=True))
