"""Games small enough to be solved in one's head: one of heaps for any number of players, and two
that can be drawn; and one of nothing but stones on a board of any kind."""

from collections.abc import Mapping
from copy import copy
from typing import ClassVar

from game.rules.base.errors import BadPosition
from game.rules.base.game import settle
from game.rules.base.message import say
from game.rules.base.moves import MoveList
from game.rules.base.values import CHOICES, Goal, Option, Outcome
from game.rules.boards.board import Board, hexagon, rectangle
from tests.helpers.games.one_class import OneClassGame


class Small(OneClassGame):
    """What the small games have in common: a position is a text, a move is a text."""

    title: ClassVar[str] = "Small"
    board: ClassVar[Board] = rectangle(3, 3)
    players = (say("player.orange"), say("player.blue"))

    def pieces(self, position: str) -> dict[str, str]:
        return {}

    def text(self, position: str) -> str:
        return position

    def taps(self, position: str, move: str) -> tuple[str, ...]:
        return (move,)


class Heap(Small):
    """Take 1 to 3 of a heap in turn; who takes the last has won. A position: `7 1`, heap, mover."""

    name: ClassVar[str] = "heap"
    options: ClassVar[Mapping[str, Option]] = {"heap": Option("7", least=1, most=99)}

    def __init__(self, players: int = 2) -> None:
        self.players = tuple(say("player.orange") for _ in range(players))  # type: ignore[misc]

    def initial(self, options: Mapping[str, str] = {}) -> str:
        settled = settle(self, options)
        return f"{settled['heap']} {settled['first']}"

    def parse(self, text: str) -> str:
        heap, _, mover = text.partition(" ")
        if not (heap.isdigit() and mover.isdigit() and 1 <= int(mover) <= len(self.players)):
            raise BadPosition(say("food_web.bad_text", text=text, start="7 1"))
        return text

    def legal_moves(self, position: str) -> MoveList[str]:
        heap = int(position.split()[0])
        return MoveList(tuple(str(n) for n in range(1, min(heap, 3) + 1)))

    def play(self, position: str, move: str) -> str:
        heap, mover = (int(n) for n in position.split())
        return f"{heap - int(move)} {mover % len(self.players) + 1}"

    def outcome(self, position: str) -> Outcome | None:
        heap, mover = (int(n) for n in position.split())
        if heap:
            return None
        last = (mover - 2) % len(self.players) + 1
        return Outcome(last, "took the last", say("rules.game_over"))

    def to_move(self, position: str) -> int | None:
        heap, mover = (int(n) for n in position.split())
        return mover if heap else None


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Noughts(Small):
    """Noughts and crosses. A position is nine characters `.12`; a move is a place, 0 to 8."""

    name: ClassVar[str] = "noughts"

    def initial(self, options: Mapping[str, str] = {}) -> str:
        return "." * 9

    def parse(self, text: str) -> str:
        return text

    def legal_moves(self, position: str) -> MoveList[str]:
        over = self.outcome(position) is not None
        return MoveList(
            () if over else tuple(str(n) for n, piece in enumerate(position) if piece == ".")
        )

    def play(self, position: str, move: str) -> str:
        at = int(move)
        return f"{position[:at]}{self.to_move(position)}{position[at + 1 :]}"

    def outcome(self, position: str) -> Outcome | None:
        for line in LINES:
            owners = {position[int(n)] for n in line}
            if len(owners) == 1 and owners != {"."}:
                return Outcome(int(owners.pop()), "a line", say("rules.game_over"))
        return None if "." in position else Outcome(None, "full", say("rules.game_over"))

    def to_move(self, position: str) -> int | None:
        if self.outcome(position) is not None:
            return None
        return 1 if position.count("1") == position.count("2") else 2


class Endless(Heap):
    """A heap from which nothing is taken: play at random would never end."""

    name: ClassVar[str] = "endless"

    def legal_moves(self, position: str) -> MoveList[str]:
        return MoveList(("0", "00"))


class Gamble(Small):
    """Take a draw, or follow a long path without choices to a certain end.

    A position: how many steps of the path were taken, "-1" for the draw.
    """

    name: ClassVar[str] = "gamble"
    long: ClassVar[int] = 40

    def __init__(self, winner: int) -> None:
        self._winner = winner

    def initial(self, options: Mapping[str, str] = {}) -> str:
        return "0"

    def parse(self, text: str) -> str:
        return text

    def legal_moves(self, position: str) -> MoveList[str]:
        if self.outcome(position) is not None:
            return MoveList()
        return MoveList(("draw", "go")) if position == "0" else MoveList(("go",))

    def play(self, position: str, move: str) -> str:
        return "-1" if move == "draw" else str(int(position) + 1)

    def outcome(self, position: str) -> Outcome | None:
        if position == "-1":
            return Outcome(None, "taken", say("rules.game_over"))
        if int(position) < self.long:
            return None
        return Outcome(self._winner, "arrived", say("rules.game_over"))

    def to_move(self, position: str) -> int | None:
        return None if self.outcome(position) is not None else int(position) % 2 + 1


PASS = CHOICES[0]


class Middle(Small):
    """Set a stone on a free cell, or pass by the first key. A position: the moves so far."""

    name: ClassVar[str] = "middle"
    palette = ("1", "2")

    def __init__(self, board: Board | None = None, keys: tuple[str, ...] = CHOICES[:1]) -> None:
        super().__init__()
        self.board = hexagon(4) if board is None else board  # type: ignore[misc]
        self.keys = keys

    def initial(self, options: Mapping[str, str] = {}) -> str:
        settle(self, options)
        return ""

    def parse(self, text: str) -> str:
        return text

    def legal_moves(self, position: str) -> MoveList[str]:
        free = tuple(cell for cell in self.board.cells if cell not in position.split())
        return MoveList((*free, *self.keys[:1]) if free else ())

    def play(self, position: str, move: str) -> str:
        return f"{position} {move}".strip()

    def outcome(self, position: str) -> Outcome | None:
        if self.legal_moves(position):
            return None
        return Outcome(None, "full", say("rules.game_over"))

    def to_move(self, position: str) -> int | None:
        return len(position.split()) % 2 + 1 if self.legal_moves(position) else None

    def pieces(self, position: str) -> dict[str, str]:
        played = enumerate(position.split())
        return {move: str(n % 2 + 1) for n, move in played if move not in self.keys}

    def side(self, piece: str) -> int | None:
        return int(piece)


def telling(game: Small) -> Small:
    """Return a game that reports goals whose distance never changes, so they predict nothing."""
    shown = copy(game)
    players = range(1, len(game.players) + 1)
    goals = tuple(Goal(player, say("goal.score"), 1, 2) for player in players)
    shown.goals = lambda position: goals  # type: ignore[method-assign]
    return shown
