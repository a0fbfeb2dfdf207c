"""The rules and the words of Capture Go, which is also known as Atari Go.

A group is connected stones of one colour; its liberties are the empty cells beside it. A group
without liberties is taken off the board. The first player who has taken enough stones wins.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from game.rules.base import reading
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.game import Game, Presentation, score_goals, settle
from game.rules.base.message import LONGEST, Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import VARIANT, Goal, Inspection, Option, Outcome, Role
from game.rules.boards.board import hexagon

PLAYERS = (say("capture_go.black"), say("capture_go.white"))
TAKEN = say("capture_go.taken")
_EMPTY = "."
_TEXT = re.compile(r"([.12]+) ([12]) ([0-9]{1,4})-([0-9]{1,4}) ([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Position:
    """A position on a board of `cells` cells; `stones` is a mask of cells for each player."""

    cells: int
    stones: tuple[int, int]
    mover: int
    taken: tuple[int, int]
    target: int


class CaptureGoPresentation(Presentation[Position, str]):
    """The words of Capture Go; the drawings are in `page/art.js`."""

    game: "CaptureGo"
    about = say("capture_go.about")
    rules = (
        say("capture_go.rule_place"),
        say("capture_go.rule_take"),
        say("capture_go.rule_alive"),
        say("capture_go.rule_win"),
    )
    sides = ("1", "2")
    piece_words: Mapping[str, Message] = dict(zip(sides, PLAYERS, strict=True))
    hues = ("#8a7a6a", "#f4efe2")
    score_word = TAKEN
    roles: Mapping[Role, Message] = {
        Role.INSPECTED: say("capture_go.group"),
        Role.VICTIM: say("capture_go.would_go"),
    }

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        return self.game.flaw(position, taps[-1]) or super().refusal(position, taps)

    def preview(self, position: Position, cell: str) -> Inspection | None:
        gone = () if self.game.flaw(position, cell) else self.game.result(position, cell).removed
        if not gone:
            return None
        cells = {cell: Role.INSPECTED} | dict.fromkeys(gone, Role.VICTIM)
        return Inspection(cells, {}, say("capture_go.would_take", cell=cell, count=len(gone)))


class CaptureGo(Game[Position, str]):
    """Take stones by filling the last empty cell beside them."""

    players = PLAYERS
    palette = ("1", "2")
    words = CaptureGoPresentation

    def __init__(self, name: str, title: str, side: int, **variants: "CaptureGo") -> None:
        self.name, self.title = name, title
        self.board = hexagon(side)
        self._bits = {cell: 1 << index for index, cell in enumerate(self.board.cells)}
        self._near = {
            bit: sum(self._bits[near] for near in self.board.neighbours[cell])
            for cell, bit in self._bits.items()
        }
        self.variants = variants
        self.options = {"target": Option("3", least=1, most=99, word=say("option.take"))}
        if variants:
            self.options[VARIANT] = Option("cells-19", choices=("cells-19", *variants))

    def legal_moves(self, position: Position) -> MoveList[str]:
        return MoveList(self._open_cells(position))

    def _open_cells(self, position: Position) -> Iterator[str]:
        if max(position.taken) < position.target:
            occupied = position.stones[0] | position.stones[1]
            for cell, bit in self._bits.items():
                if not occupied & bit and self._can_live(position, bit):
                    yield cell

    def _can_live(self, position: Position, bit: int) -> bool:
        """Return whether a stone on an empty cell has a liberty once it has taken stones."""
        own, others = self._sides(position)
        occupied = own | others | bit
        if self._near[bit] & ~occupied:
            return True
        return bool(self._taken_by(position, bit) or self._group(own | bit, bit, occupied)[1])

    def flaw(self, position: Position, cell: str) -> Message | None:
        """Return why a stone cannot be placed on a cell; None if it can."""
        if cell not in self.board.cells:
            return reading.no_such_cell(self.board, cell)
        if max(position.taken) >= position.target:
            return say("rules.game_over")
        bit = self._bits[cell]
        if (position.stones[0] | position.stones[1]) & bit:
            return say("capture_go.occupied", cell=cell)
        return None if self._can_live(position, bit) else say("capture_go.no_liberty", cell=cell)

    def _sides(self, position: Position) -> tuple[int, int]:
        """Return the masks of the mover's stones and of the others."""
        return position.stones[position.mover - 1], position.stones[2 - position.mover]

    def _taken_by(self, position: Position, bit: int) -> int:
        """Return the mask of all groups that lose their last liberty to a stone on a cell."""
        own, others = self._sides(position)
        gone, left = 0, others & self._near[bit]
        while left:
            group, liberties = self._group(others, left & -left, own | others | bit)
            gone |= 0 if liberties else group
            left &= ~group
        return gone

    def play(self, position: Position, move: str) -> Position:
        if (flaw := self.flaw(position, move)) is not None:
            raise IllegalMove(flaw)
        (own, others), bit = self._sides(position), self._bits[move]
        gone = self._taken_by(position, bit)
        own, others, count = own | bit, others & ~gone, gone.bit_count()
        one, two = position.taken
        if position.mover == 1:
            return replace(position, stones=(own, others), mover=2, taken=(one + count, two))
        return replace(position, stones=(others, own), mover=1, taken=(one, two + count))

    def _group(self, stones: int, bit: int, occupied: int) -> tuple[int, int]:
        """Return the group of one of a side's stones, and its liberties."""
        group, edge, beside = 0, bit, 0
        while edge:
            group |= edge
            while edge:
                beside |= self._near[edge & -edge]
                edge &= edge - 1
            edge = beside & stones & ~group
        return group, beside & ~occupied

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: a player who has taken enough, or whose opponent cannot place."""
        for player, taken in enumerate(position.taken, start=1):
            if taken >= position.target:
                won = say("capture_go.won_taken", player=PLAYERS[player - 1], count=taken)
                return Outcome(player, "stones taken", won)
        if self.to_move(position) is None:
            winner = 3 - position.mover
            stuck = say("capture_go.won_stuck", player=PLAYERS[winner - 1])
            return Outcome(winner, "no legal placement", stuck)
        return None

    def to_move(self, position: Position) -> int | None:
        return None if next(self._open_cells(position), None) is None else position.mover

    def pieces(self, position: Position) -> dict[str, str]:
        one, two = position.stones
        standing = self.board.in_mask(one | two)
        return {cell: self.palette[0 if one & self._bits[cell] else 1] for cell in standing}

    def score(self, position: Position) -> tuple[int, ...]:
        return position.taken

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(TAKEN, position.taken, position.target)

    def text(self, position: Position) -> str:
        """Write the cells in the board's order (`.12`), mover, stones taken, and target."""
        pieces = self.pieces(position)
        stones = "".join(pieces.get(cell, _EMPTY) for cell in self.board.cells)
        taken = "-".join(str(count) for count in position.taken)
        return f"{stones} {position.mover} {taken} {position.target}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        if read is None or len(read[1]) != len(self.board.cells):
            raise BadPosition(say("capture_go.bad_text", text=text[: 2 * LONGEST]))
        drawn = zip(self.board.cells, read[1], strict=True)
        pieces = {cell: code for cell, code in drawn if code != _EMPTY}
        score = int(read[3]), int(read[4])
        data = {"pieces": pieces, "to_move": int(read[2]), "score": score}
        return self.from_json(data, {"target": read[5]})

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and `score`; the target is an option."""
        settled = settle(self, options)
        first, target = int(settled["first"]), int(settled["target"])
        known, stones = {code: n for n, code in enumerate(self.palette)}.get, [0, 0]
        for cell, n in reading.read_pieces(position, self.board, known, "1 | 2"):
            stones[n] |= self._bits[cell]
        score, mover = reading.read_score(position), reading.read_to_move(position, first)
        both = stones[0], stones[1]
        at = self._checked(Position(len(self.board.cells), both, mover or first, score, target))
        if mover is not None:
            return at
        # The winner made the last move.
        ended = {n: replace(at, mover=3 - n) for n in (1, 2)}
        outcomes = {n: self.outcome(each) for n, each in ended.items()}
        won = [n for n, each in outcomes.items() if each is not None and each.winner == n]
        return ended[reading.read_winner(position, won)]

    def _checked(self, position: Position) -> Position:
        both = position.stones[0] | position.stones[1]
        dead = [
            cell
            for cell, piece in self.pieces(position).items()
            if not self._group(position.stones[int(piece) - 1], self._bits[cell], both)[1]
        ]
        if dead:
            raise BadPosition(say("capture_go.dead", cell=dead[0]), dead)
        if min(position.taken) >= position.target:
            score = "-".join(map(str, position.taken))
            raise BadPosition(say("rules.both_won", score=score))
        return position


GAME = CaptureGo(
    "capture-go",
    "Capture Go",
    3,
    **{"cells-7": CaptureGo("capture-go-7", "Capture Go on 7 cells", 2)},
)
