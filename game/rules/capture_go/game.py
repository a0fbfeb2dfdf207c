"""The rules and the words of Capture Go, which is also known as Atari Go.

A group is connected stones of one colour; its liberties are the empty cells beside it. A group
without liberties is taken off the board. The first player who has taken enough stones wins.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from game.rules.base import reading
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.game import Game, Presentation, settle
from game.rules.base.message import LONGEST, Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import VARIANT, Goal, Inspection, Option, Outcome, Role, score_goals
from game.rules.boards.hexagon import hexagon

PLAYERS = (say("capture_go.black"), say("capture_go.white"))
TAKEN = say("capture_go.taken")
_EMPTY = "."
_TEXT = re.compile(r"([.12]+) ([12]) ([0-9]{1,2})-([0-9]{1,2}) ([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Position:
    """The stones by cell in the board's order, the mover, and the number each player has taken."""

    stones: str
    mover: int
    taken: tuple[int, int]
    target: int


class CaptureGo(Game[Position, str]):
    """Take stones by filling the last empty cell beside them."""

    players = PLAYERS
    palette = ("1", "2")

    def __init__(self, name: str, title: str, side: int, **variants: "CaptureGo") -> None:
        self.name, self.title = name, title
        self.board = hexagon(side)
        self.variants = variants
        self.options = {"target": Option("3", least=1, most=99, word=say("option.take"))}
        if variants:
            self.options[VARIANT] = Option("cells-19", choices=("cells-19", *variants))

    @cached_property
    def presentation(self) -> "CaptureGoPresentation":
        return CaptureGoPresentation(self)

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; options `first` (1 or 2) and `target` (stones to take)."""
        settled = settle(self, options)
        empty = _EMPTY * len(self.board.cells)
        return Position(empty, int(settled["first"]), (0, 0), int(settled["target"]))

    def legal_moves(self, position: Position) -> MoveList[str]:
        if max(position.taken) >= position.target:
            return MoveList()
        return MoveList(cell for cell in self.board.cells if not self.flaw(position, cell))

    def flaw(self, position: Position, cell: str) -> Message | None:
        """Return why a stone cannot be placed on a cell; None if it can."""
        if cell not in self.board.cells:
            return reading.no_such_cell(self.board, cell)
        if max(position.taken) >= position.target:
            return say("rules.game_over")
        if cell in self.pieces(position):
            return say("capture_go.occupied", cell=cell)
        after, gone = self._placed(position, cell)
        if not gone and not self._breathes(after, cell):
            return say("capture_go.no_liberty", cell=cell)
        return None

    def taken_by(self, position: Position, cell: str) -> set[str]:
        """Return the cells of all groups that lose their last liberty to a stone on a cell."""
        return self._placed(position, cell)[1]

    def _placed(self, position: Position, cell: str) -> tuple[dict[str, str], set[str]]:
        """Return the stones after a placement, and those of them that it takes."""
        after = self.pieces(position) | {cell: str(position.mover)}
        gone, enemy = set[str](), str(3 - position.mover)
        for near in self.board.neighbours[cell]:
            if after.get(near) == enemy and not self._breathes(after, near):
                gone |= self._group(after, near)
        return after, gone

    def play(self, position: Position, move: str) -> Position:
        if (flaw := self.flaw(position, move)) is not None:
            raise IllegalMove(flaw)
        after, gone = self._placed(position, move)
        stones = {cell: stone for cell, stone in after.items() if cell not in gone}
        drawn = "".join(stones.get(cell, _EMPTY) for cell in self.board.cells)
        one, two = position.taken
        taken = (one + len(gone), two) if position.mover == 1 else (one, two + len(gone))
        return Position(drawn, 3 - position.mover, taken, position.target)

    def _group(self, stones: Mapping[str, str], cell: str) -> set[str]:
        group, border = {cell}, [cell]
        while border:
            for near in self.board.neighbours[border.pop()]:
                if near not in group and stones.get(near) == stones[cell]:
                    group.add(near)
                    border.append(near)
        return group

    def _breathes(self, stones: Mapping[str, str], cell: str) -> bool:
        group = self._group(stones, cell)
        return any(near not in stones for each in group for near in self.board.neighbours[each])

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
        can_place = any(self.flaw(position, cell) is None for cell in self.board.cells)
        return position.mover if can_place else None

    def pieces(self, position: Position) -> dict[str, str]:
        drawn = zip(self.board.cells, position.stones, strict=True)
        return {cell: stone for cell, stone in drawn if stone != _EMPTY}

    def score(self, position: Position) -> tuple[int, ...]:
        return position.taken

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(TAKEN, position.taken, position.target)

    def text(self, position: Position) -> str:
        """Write the cells in the board's order (`.12`), mover, stones taken, and target."""
        taken = "-".join(str(count) for count in position.taken)
        return f"{position.stones} {position.mover} {taken} {position.target}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        if read is None or len(read[1]) != len(self.board.cells):
            raise BadPosition(say("capture_go.bad_text", text=text[: 2 * LONGEST]))
        taken = int(read[3]), int(read[4])
        return self._checked(Position(read[1], int(read[2]), taken, int(read[5])))

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and `score`; the target is an option."""
        settled = settle(self, options)
        first, target = int(settled["first"]), int(settled["target"])
        known = {code: code for code in self.palette}.get
        pieces = dict(reading.read_pieces(position, self.board, known, "1 | 2"))
        stones = "".join(pieces.get(cell, _EMPTY) for cell in self.board.cells)
        score, mover = reading.read_score(position), reading.read_to_move(position, first)
        players = (1, 2) if mover is None else (mover,)
        found = {3 - n: self._checked(Position(stones, n, score, target)) for n in players}
        if mover is not None:
            return found[3 - mover]
        # The winner made the last move.
        outcomes = {n: self.outcome(each) for n, each in found.items()}
        ended = [n for n, each in outcomes.items() if each is not None and each.winner == n]
        return found[reading.read_winner(position, ended)]

    def _checked(self, position: Position) -> Position:
        stones = self.pieces(position)
        dead = [cell for cell in stones if not self._breathes(stones, cell)]
        if dead:
            raise BadPosition(say("capture_go.dead", cell=dead[0]), dead)
        if min(position.taken) >= position.target:
            score = "-".join(map(str, position.taken))
            raise BadPosition(say("rules.both_won", score=score))
        return position

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        return (move,)


class CaptureGoPresentation(Presentation[Position, str]):
    """The words of Capture Go; the drawings are in `page/art.js`."""

    game: CaptureGo
    about = say("capture_go.about")
    rules = (
        say("capture_go.rule_place"),
        say("capture_go.rule_take"),
        say("capture_go.rule_alive"),
        say("capture_go.rule_win"),
    )
    hues = ("#8a7a6a", "#f4efe2")
    score_word = TAKEN
    roles: Mapping[Role, Message] = {
        Role.INSPECTED: say("capture_go.group"),
        Role.VICTIM: say("capture_go.would_go"),
    }

    def piece_word(self, piece: str) -> Message:
        return PLAYERS[int(piece) - 1]

    def side(self, piece: str) -> int | None:
        return int(piece) if piece in self.game.palette else None

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        return self.game.flaw(position, taps[-1]) or super().refusal(position, taps)

    def preview(self, position: Position, cell: str) -> Inspection | None:
        if self.game.flaw(position, cell) is not None:
            return None
        gone = self.game.taken_by(position, cell)
        if not gone:
            return None
        cells = {cell: Role.INSPECTED} | dict.fromkeys(gone, Role.VICTIM)
        return Inspection(cells, {}, say("capture_go.would_take", cell=cell, count=len(gone)))


GAME = CaptureGo(
    "capture-go",
    "Capture Go",
    3,
    **{"cells-7": CaptureGo("capture-go-7", "Capture Go on 7 cells", 2)},
)
