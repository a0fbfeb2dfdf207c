"""Circle of Life: the rules as the table, the referee and a computer player ask for them.

Owns turns, the two ways to win, and the texts of positions and moves. A move is the name of a cell.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.game import Game, settle
from game.rules.base.message import say
from game.rules.base.options import Option
from game.rules.base.values import Edit, EditKind, Goal, Outcome, score_goals
from game.rules.boards.hexagon import read_cell
from game.rules.circle_of_life.critters import (
    BIT,
    BOARD,
    CRITTERS,
    INDEX,
    MOST_STONES,
    SIDE,
    Critter,
    cells_in,
)
from game.rules.circle_of_life.ecosystem import Ecosystem, groups
from game.rules.circle_of_life.position import CODES, Placements, Position, frozen, names, placement
from game.rules.circle_of_life.presentation import (
    EATEN,
    PLAYERS,
    STONES,
    CirclePresentation,
    refusal,
)

_EMPTY = "."
_TEXT = re.compile(
    r"(?P<rows>[.12/]+) (?P<mover>[12]) (?P<eaten1>[0-9]{1,4})-(?P<eaten2>[0-9]{1,4})"
    r" (?P<target>[0-9]{1,3})"
)


class CircleOfLife(Game[Position, str]):
    """Twelve species, each eats exactly one other; eat 20 stones, or be unable to place."""

    name = "circle-of-life"
    title = "Circle of Life"
    board = BOARD
    players = PLAYERS
    palette = tuple(STONES)
    options: Mapping[str, Option] = {
        "target": Option("20", least=1, most=999, word=say("option.target"))
    }

    @cached_property
    def presentation(self) -> CirclePresentation:
        return CirclePresentation(self)

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; options `first` (1 or 2) and `target` (stones to eat)."""
        settled = settle(self, options)
        return frozen(Ecosystem(), int(settled["first"]) - 1, int(settled["target"]))

    def legal_moves(self, position: Position) -> Placements:
        return Placements(position.open_cells)

    def play(self, position: Position, move: str) -> Position:
        if move not in self.legal_moves(position):
            raise IllegalMove(refusal(position, move))
        ecosystem = position.ecosystem()
        ecosystem.place(position.mover, INDEX[move])
        return frozen(ecosystem, 1 - position.mover, position.target)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: who has eaten enough, else who must place and cannot."""
        for player, eaten in enumerate(position.eaten):
            if eaten >= position.target:
                message = say("circle_of_life.won_eaten", player=PLAYERS[player], count=eaten)
                return Outcome(player + 1, "stones eaten", message)
        if not position.open_cells:
            message = say("circle_of_life.won_full", player=PLAYERS[position.mover])
            return Outcome(position.mover + 1, "no legal placement", message)
        return None

    def to_move(self, position: Position) -> int | None:
        return position.mover + 1 if position.open_cells else None

    def pieces(self, position: Position) -> dict[str, str]:
        owners = {}
        for code, stones in zip(CODES, position.stones, strict=True):
            owners.update(dict.fromkeys(cells_in(stones), code))
        return {BOARD.cells[index]: owners[index] for index in sorted(owners)}

    def score(self, position: Position) -> tuple[int, ...]:
        return position.eaten

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(EATEN, position.eaten, position.target)

    def text(self, position: Position) -> str:
        """Write rows from the top (`.12`, split by `/`), mover, stones eaten, and target."""
        pieces = self.pieces(position)
        drawn = "/".join("".join(pieces.get(cell, _EMPTY) for cell in row) for row in _ROWS)
        score = "-".join(str(n) for n in position.eaten)
        return f"{drawn} {position.mover + 1} {score} {position.target}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        rows = read["rows"].split("/") if read else []
        if read is None or [len(row) for row in rows] != [len(row) for row in _ROWS]:
            raise BadPosition(say("circle_of_life.bad_text", text=text))
        drawn = zip((cell for row in _ROWS for cell in row), "".join(rows), strict=True)
        pieces = {cell: code for cell, code in drawn if code != _EMPTY}
        target, eaten = read["target"], (int(read["eaten1"]), int(read["eaten2"]))
        if not self.options["target"].accepts(target):
            allowed = self.options["target"].allowed
            raise BadPosition(say("rules.bad_option", key="target", value=target, allowed=allowed))
        return _position(pieces, read["mover"], eaten, int(target))

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and `score`; the target is an option. Raises BadPosition."""
        settled = settle(self, options)
        pieces = position.get("pieces", {})
        score = position.get("score", [0, 0])
        if not isinstance(pieces, dict):
            raise BadPosition(say("rules.bad_pieces", value=repr(pieces)))
        if (
            not isinstance(score, list)
            or len(score) != 2
            or not all(type(n) is int and 0 <= n <= 9999 for n in score)
        ):
            raise BadPosition(say("circle_of_life.bad_score", value=repr(score)))
        target = int(settled["target"])
        mover = position.get("to_move", int(settled["first"]))
        if mover is None:
            mover = _last_to_decide(position, pieces, score, target)
        return _position(pieces, mover, score, target)

    def move_text(self, position: Position, move: str) -> str:
        """Write the cell, with a trailing `x` when the move eats."""
        _, prey = placement(position, move)
        return f"{move}x" if prey else move

    def plain_text(self, position: Position, move: str) -> str:
        return move

    def parse_move(self, position: Position, text: str) -> str:
        """Read a cell in either notation, with or without `x`; raises IllegalMove."""
        cell = read_cell(text.removesuffix("x"), SIDE)
        if cell is None:
            raise IllegalMove(say("circle_of_life.no_such_cell", text=text))
        if cell not in self.legal_moves(position):
            raise IllegalMove(refusal(position, cell))
        if text.endswith("x") and not self.move_text(position, cell).endswith("x"):
            raise IllegalMove(say("circle_of_life.eats_nothing", text=text, cell=cell))
        return cell

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        return (move,)

    def edits(self, position: Position, move: str) -> tuple[Edit, ...]:
        _, prey = placement(position, move)
        gone = sorted(index for critter in prey for index in critter.cells)
        put = Edit(EditKind.PUT, move, CODES[position.mover])
        return put, *(Edit(EditKind.REMOVE, BOARD.cells[index]) for index in gone)


_ROWS = tuple(
    tuple(cell for cell in BOARD.cells if cell[0] == row)
    for row in sorted({cell[0] for cell in BOARD.cells}, reverse=True)
)
"""The cells row by row, from the top."""


def _position(
    pieces: Mapping[str, object], mover: object, eaten: Sequence[int], target: int
) -> Position:
    """Check and build a position: known cells and codes, no critter of more than 4 stones."""
    if str(mover) not in tuple(CODES):
        raise BadPosition(say("rules.bad_to_move", value=repr(mover), allowed="1 | 2"))
    if min(eaten) >= target:
        raise BadPosition(say("circle_of_life.both_won", score=f"{eaten[0]}-{eaten[1]}"))
    stones = [0, 0]
    for name, code in pieces.items():
        cell = read_cell(name, SIDE)
        if cell is None:
            raise BadPosition(say("circle_of_life.no_such_cell", text=name))
        if str(code) not in tuple(CODES):
            value = repr(code)
            raise BadPosition(say("rules.bad_piece", cell=name, value=value, allowed="1 | 2"))
        if (stones[0] | stones[1]) & BIT[INDEX[cell]]:
            raise BadPosition(say("rules.cell_twice", cell=cell))
        stones[int(str(code)) - 1] |= BIT[INDEX[cell]]
    ecosystem = Ecosystem((stones[0], stones[1]), (eaten[0], eaten[1]))
    for player, mask in enumerate(stones):
        for critter in _critters(mask):
            ecosystem.crowd[player] += critter.crowd
            for index in critter.cells:
                ecosystem.critter_at[index] = critter
    return frozen(ecosystem, int(str(mover)) - 1, target)


def _critters(mask: int) -> Iterator[Critter]:
    """Split a player's stones into critters; raises BadPosition for one of more than 4 stones."""
    for group in groups(mask):
        if group not in CRITTERS:
            cells = names(group)
            wrong = say(
                "circle_of_life.impossible", cells=cells, stones=len(cells), most=MOST_STONES
            )
            raise BadPosition(wrong, cells)
        yield CRITTERS[group]


def _last_to_decide(
    position: Mapping[str, object], pieces: Mapping[str, object], score: Sequence[int], target: int
) -> int:
    """Find who would move in a finished position, in which `to_move` is null.

    After eating enough it is the other player; without a legal placement the winner.
    """
    for player in (1, 2):
        if score[player - 1] >= target:
            return 3 - player
    told = position.get("outcome")
    winner = told.get("winner") if isinstance(told, dict) else None
    for player in (1, 2):
        stuck = not _position(pieces, player, score, target).open_cells
        if stuck and winner in (None, player):
            return player
    raise BadPosition(say("rules.not_over"))


GAME = CircleOfLife()
