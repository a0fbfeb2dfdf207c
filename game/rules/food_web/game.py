"""A game of any food web; a move is the name of a cell."""

import re
from collections.abc import Mapping
from functools import cached_property

from game.rules.base import reading
from game.rules.base.errors import BadPosition, not_legal
from game.rules.base.game import Game, score_goals, settle
from game.rules.base.message import LONGEST, say
from game.rules.base.values import Goal, Option, Outcome
from game.rules.boards.board import read_cell
from game.rules.food_web.position import CODES, Placement, Placements, Position
from game.rules.food_web.presentation import EATEN, PLAYERS, STONES, FoodWebPresentation
from game.rules.food_web.web import Critter, FoodWeb, Stuck, cells_in

_EMPTY = "."
_TEXT = re.compile(
    r"(?P<rows>[.12/]+) (?P<mover>[12]) (?P<eaten1>[0-9]{1,4})-(?P<eaten2>[0-9]{1,4})"
    r" (?P<target>[1-9][0-9]{0,2})"
)


class FoodWebGame(Game[Position, str]):
    """The game of a food web: the critter just placed or enlarged eats."""

    web: FoodWeb
    words: type[FoodWebPresentation] = FoodWebPresentation
    players = PLAYERS
    palette = tuple(STONES)
    effects = Placement

    def __init__(self) -> None:
        self.board = self.web.board
        default = str(self.web.target)
        self.options = {"target": Option(default, least=1, most=999, word=say("option.target"))}

    @cached_property
    def presentation(self) -> FoodWebPresentation:
        return self.words(self, self.web)

    def legal_moves(self, position: Position) -> Placements:
        return Placements(position)

    def play(self, position: Position, move: str) -> Position:
        if move not in self.legal_moves(position):
            raise not_legal(move)
        return position.placed(position.tables.index[move])[0]

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: who has eaten enough, else by `web.stuck` if the mover is stuck."""
        for player, eaten in enumerate(position.eaten):
            if eaten >= position.target:
                message = say("circle_of_life.won_eaten", player=PLAYERS[player], count=eaten)
                return Outcome(player + 1, "stones eaten", message)
        if position.open_cells:
            return None
        winner, (one, two) = position.mover, position.eaten
        if self.web.stuck is Stuck.WINS:
            message = say("circle_of_life.won_full", player=PLAYERS[winner])
        elif one == two:
            winner = 1 - position.mover
            message = say("food_web.won_last", player=PLAYERS[winner])
        else:
            winner = int(two > one)
            score = f"{max(one, two)}-{min(one, two)}"
            message = say("food_web.won_more", player=PLAYERS[winner], score=score)
        return Outcome(winner + 1, "no legal placement", message)

    def to_move(self, position: Position) -> int | None:
        return position.mover + 1 if position.open_cells else None

    def pieces(self, position: Position) -> dict[str, str]:
        owners = {}
        for code, stones in zip(CODES, position.stones, strict=True):
            owners.update(dict.fromkeys(cells_in(stones), code))
        return {self.board.cells[index]: owners[index] for index in sorted(owners)}

    def score(self, position: Position) -> tuple[int, ...]:
        return position.eaten

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(EATEN, position.eaten, position.target)

    def text(self, position: Position) -> str:
        """Write rows from the top (`.12`, split by `/`), mover, stones eaten, and target."""
        pieces = self.pieces(position)
        drawn = "/".join("".join(pieces.get(cell, _EMPTY) for cell in row) for row in self._rows)
        score = "-".join(str(n) for n in position.eaten)
        return f"{drawn} {position.mover + 1} {score} {position.target}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        rows = read["rows"].split("/") if read else []
        if read is None or [len(row) for row in rows] != [len(row) for row in self._rows]:
            start = self.text(self.initial())
            raise BadPosition(say("food_web.bad_text", text=text[: 2 * LONGEST], start=start))
        drawn = zip((cell for row in self._rows for cell in row), "".join(rows), strict=True)
        pieces = {cell: code for cell, code in drawn if code != _EMPTY}
        score = int(read["eaten1"]), int(read["eaten2"])
        data = {"pieces": pieces, "to_move": int(read["mover"]), "score": score}
        return self.from_json(data, {"target": read["target"]})

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and `score`; the target is an option."""
        settled, pieces = settle(self, options), reading.codes_of(position)
        score, target = reading.read_score(position), int(settled["target"])
        mover = reading.read_to_move(position, int(settled["first"]))
        if mover is not None:
            return self._position(pieces, mover, score, target)
        ends = [self._position(pieces, player, score, target) for player in (1, 2)]
        if max(score) >= target:
            # The loser would move.
            return ends[score[0] >= target]
        named = reading.named_winner(position)
        for end in ends:
            outcome = self.outcome(end)
            if outcome is not None and named in (None, outcome.winner):
                return end
        raise reading.not_over()

    def move_text(self, position: Position, move: str) -> str:
        """Write the cell, with a trailing `x` when the move eats."""
        return Placement(self, position, move).text

    def plain_text(self, position: Position, move: str) -> str:
        return move

    def parse_move(self, position: Position, text: str) -> str:
        """Read a cell in either notation, with or without `x`; raises IllegalMove."""
        cell = read_cell(text.removesuffix("x"), self.web.side)
        if cell is None or cell not in self.legal_moves(position):
            raise not_legal(text)
        if text.endswith("x") and not self.move_text(position, cell).endswith("x"):
            raise not_legal(text)
        return cell

    def moves_by_taps(self, position: Position) -> dict[tuple[str, ...], str]:
        return {(cell,): cell for cell in position.tables.names(position.open_cells)}

    @cached_property
    def _rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells row by row, from the top."""
        rows = sorted({cell[0] for cell in self.board.cells}, reverse=True)
        return tuple(tuple(each for each in self.board.cells if each[0] == row) for row in rows)

    def _position(
        self, pieces: Mapping[str, object], mover: int, eaten: tuple[int, int], target: int
    ) -> Position:
        """Check and build a position: known cells and codes, no critter that is too large."""
        if min(eaten) >= target:
            raise BadPosition(say("rules.both_won", score=f"{eaten[0]}-{eaten[1]}"))
        tables, stones = self.web.tables, [0, 0]
        for name, code in pieces.items():
            cell = read_cell(name, self.web.side)
            if cell is None:
                raise BadPosition(reading.no_such_cell(self.board, name))
            if str(code) not in tuple(CODES):
                raise reading.bad_piece(name, code, "1 | 2")
            if (stones[0] | stones[1]) & tables.bit[tables.index[cell]]:
                raise BadPosition(say("rules.cell_twice", cell=cell))
            stones[int(str(code)) - 1] |= tables.bit[tables.index[cell]]
        critter_at: list[Critter | None] = [None] * len(tables.bit)
        crowd = [0, 0]
        for player, mask in enumerate(stones):
            for group in tables.groups(mask):
                if (critter := tables.critters.get(group)) is None:
                    cells, most = tables.names(group), self.web.most
                    args = {"cells": cells, "stones": len(cells), "most": most}
                    raise BadPosition(say("circle_of_life.impossible", **args), cells)
                crowd[player] += critter.crowd
                for index in critter.cells:
                    critter_at[index] = critter
        return Position(
            mover - 1,
            (stones[0], stones[1]),
            eaten,
            target,
            tuple(critter_at),
            (crowd[0], crowd[1]),
            tables,
        )
