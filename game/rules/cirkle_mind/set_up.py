"""Set-ups of CirKle Mind: how a player lays out an army before play, as faces by cell.

The messages name faces: they are for the player whose set-up it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from math import perm
from random import Random

from game.rules.base.errors import IllegalMove
from game.rules.base.message import LONGEST, say
from game.rules.base.reading import bad_piece, no_such_cell
from game.rules.base.values import Arranging
from game.rules.cirkle_mind.faces import CODES, FACES, NUMBER, SIDES
from game.rules.cirkle_mind.position import MindPhase, Position
from game.rules.cirkle_mind.squares import BOARD, CELLS, INDEX, ZONES

SET_UP = "setup"
COUNT = len(FACES)

ARRANGINGS = tuple(
    Arranging(zone, codes[1 : COUNT + 1]) for zone, codes in zip(ZONES, CODES, strict=True)
)
"""The pieces and cells of each player's set-up."""


def has_to_set_up(position: Position, player: int) -> bool:
    """Return whether a player, from 0, has not set up an army yet."""
    return position.phase is MindPhase.SET_UP and player >= position.mover


def text_of(layout: Mapping[str, str]) -> str:
    """Write a set-up in the board's order."""
    return " ".join((SET_UP, *(f"{cell}={layout[cell]}" for cell in CELLS if cell in layout)))


def read_set_up(side: int, text: str) -> dict[str, str]:
    """Read a side's set-up with cells in any order; raises IllegalMove with the reason."""
    word, *parts = text.split() or [""]
    if word != SET_UP:
        raise IllegalMove(say("mind.set_up_first", text=text[:LONGEST]))
    for part in parts:
        if "=" not in part:
            raise IllegalMove(say("mind.bad_set_up", text=part[:LONGEST]))
    return _checked(side, (part.partition("=")[::2] for part in parts))


def faces_of(side: int, pieces: Mapping[str, str]) -> dict[str, str]:
    """Read a side's set-up from codes of pieces by cell; raises IllegalMove with the reason."""
    return _checked(side, ((cell, code.removeprefix(SIDES[side])) for cell, code in pieces.items()))


def codes_of(side: int, layout: Mapping[str, str]) -> dict[str, str]:
    """Write a side's set-up as codes of pieces by cell, in the board's order."""
    return {cell: SIDES[side] + layout[cell] for cell in CELLS if cell in layout}


def placed(position: Position, text: str) -> Position:
    side = position.mover
    faces, cells = bytearray(position.faces), 0
    for cell, face in read_set_up(side, text).items():
        faces[INDEX[cell]] = NUMBER[face]
        cells |= 1 << INDEX[cell]
    armies = (cells, position.armies[1]) if side == 0 else (position.armies[0], cells)
    laid = replace(position, armies=armies, faces=bytes(faces))
    if side == 0:
        return replace(laid, mover=1)
    return replace(laid, mover=position.begins or 0, phase=MindPhase.PLAY)


def _checked(side: int, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    layout: dict[str, str] = {}
    zone = ZONES[side]
    for cell, face in pairs:
        if cell not in INDEX:
            raise IllegalMove(no_such_cell(BOARD, cell))
        if cell not in zone:
            raise IllegalMove(say("mind.not_your_zone", cell=cell, least=zone[0], most=zone[-1]))
        if cell in layout:
            raise IllegalMove(say("rules.cell_twice", cell=cell))
        if face not in NUMBER:
            raise IllegalMove(bad_piece(cell, face, " ".join(FACES)).message)
        if face in layout.values():
            raise IllegalMove(say("mind.piece_twice", cell=cell, piece=face))
        layout[cell] = face
    if missing := [face for face in FACES if face not in layout.values()]:
        pieces = " ".join(missing)
        raise IllegalMove(say("mind.missing", count=len(layout), all=COUNT, pieces=pieces))
    return layout


class SetUps:
    """The set-ups that a player can make: far too many to list, so `len` raises OverflowError."""

    def __init__(self, side: int) -> None:
        self._side = side

    def __iter__(self) -> Iterator[str]:
        for cells in permutations(ZONES[self._side], COUNT):
            yield text_of(dict(zip(cells, FACES, strict=True)))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return False
        try:
            return text_of(read_set_up(self._side, move)) == move
        except IllegalMove:
            return False

    def __len__(self) -> int:
        return perm(len(ZONES[0]), COUNT)

    def __bool__(self) -> bool:
        return True

    def pick(self, rng: Random) -> str:
        """Lay out an army at random."""
        return text_of(at_random(self._side, rng))


def at_random(side: int, rng: Random) -> dict[str, str]:
    """Lay out an army at random, so that the occupied squares, which others see, reveal nothing.

    Guards around the own target, or pieces on squares that shield them, would reveal these pieces.
    """
    return dict(zip(rng.sample(ZONES[side], COUNT), FACES, strict=True))
