"""A made-up game that hides things, small enough to be seen through: two rows of masks.

Each of two players lays out a fox and a hen, unseen, on a row of three cells. Then each turns
one of their masks in turn, which shows its face; the player whose hen shows first loses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from game.rules.base.errors import IllegalMove
from game.rules.base.game import settle
from game.rules.base.hidden import hiding
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Arranging, Outcome, Signal
from game.rules.boards.rectangle import rectangle
from tests.helpers.games.one_class import OneClassHiddenGame

ROWS = {1: ("A1", "B1", "C1"), 2: ("A3", "B3", "C3")}
SIDES = {1: "G", 2: "M"}
FACES = ("fox", "hen")


@dataclass(frozen=True, slots=True)
class Masks:
    """What stands where, who has laid out, who is next, and who has lost."""

    masks: tuple[tuple[str, str], ...] = ()
    laid: tuple[int, ...] = ()
    mover: int = 1
    lost: int = 0


class _SetUps:
    """The set-ups, which are too many to be listed."""

    def __init__(self, game: "Veiled", position: Masks) -> None:
        self._game, self._position = game, position

    def __contains__(self, move: object) -> bool:
        try:
            self._game.parse_move(self._position, str(move))
        except IllegalMove:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        raise OverflowError("too many")

    def __len__(self) -> int:
        raise OverflowError("too many")

    def __bool__(self) -> bool:
        return True

    def pick(self, rng: Random) -> str:
        player = self._position.mover
        return hiding(self._game).arrangement(
            self._position,
            player,
            hiding(self._game).arranged_at_random(self._position, player, rng),
        )


class Veiled(OneClassHiddenGame):
    """Turn the masks; whose hen shows first loses."""

    name, title = "veiled", "Veiled"
    board = rectangle(3, 3)
    players = (say("Green"), say("Mauve"))
    hues = ("#00c000", "#c000c0")
    printed: ClassVar[Mapping[str, str]] = {"A1": "red", "C3": "blue"}

    def initial(self, options: Mapping[str, str] = {}) -> Masks:
        settle(self, options)
        return Masks()

    def legal_moves(self, position: Masks) -> "MoveList[str] | _SetUps":
        if len(position.laid) < 2:
            return _SetUps(self, position)
        if position.lost:
            return MoveList()
        mine = SIDES[position.mover]
        return MoveList(tuple(cell for cell, mask in position.masks if mask[0] == mine))

    def play(self, position: Masks, move: str) -> Masks:
        self.parse_move(position, move)
        mover, other = position.mover, 3 - position.mover
        if move.startswith("lay "):
            told = tuple(self.laid(position, mover, move).items())
            return replace(
                position,
                masks=tuple(sorted(position.masks + told)),
                laid=(*position.laid, mover),
                mover=other,
            )
        masks = dict(position.masks)
        lost = mover if masks.pop(move)[1:] == "hen" else 0
        return replace(position, masks=tuple(sorted(masks.items())), mover=other, lost=lost)

    def outcome(self, position: Masks) -> Outcome | None:
        if not position.lost:
            return None
        return Outcome(3 - position.lost, "hen", say("The hen."))

    def to_move(self, position: Masks) -> int | None:
        return None if position.lost else position.mover

    def pieces(self, position: Masks) -> dict[str, str]:
        return dict(position.masks)

    def text(self, position: Masks) -> str:
        raise NotImplementedError

    def parse(self, text: str) -> Masks:
        raise NotImplementedError

    def parse_move(self, position: Masks, text: str) -> str:
        if text.startswith("lay "):
            if position.mover in position.laid:
                raise IllegalMove(say("rules.not_legal", text=text))
            self.arrangement(position, position.mover, self.laid(position, position.mover, text))
            return text
        return super().parse_move(position, text)

    def taps(self, position: Masks, move: str) -> tuple[str, ...]:
        return () if move.startswith("lay ") else (move,)

    def piece_word(self, piece: str) -> Message:
        return say(f"{'green' if piece[0] == 'G' else 'mauve'} {piece[1:] or 'mask'}")

    def side(self, piece: str) -> int:
        return 1 if piece[0] == "G" else 2

    def token(self, side: int) -> str:
        return SIDES[side]

    def arranging(self, position: Masks, player: int) -> Arranging | None:
        if len(position.laid) == 2:
            return None
        return Arranging(ROWS[player], tuple(SIDES[player] + face for face in FACES))

    def arrangement(self, position: Masks, player: int, pieces: Mapping[str, str]) -> str:
        asked = self.arranging(position, player)
        if asked is None or sorted(pieces.values()) != sorted(asked.pieces):
            raise IllegalMove(say("rules.not_legal", text=" ".join(pieces.values())))
        if not set(pieces) <= set(asked.cells):
            raise IllegalMove(say("rules.not_legal", text=" ".join(pieces)))
        return "lay " + " ".join(f"{cell}={pieces[cell][1:]}" for cell in sorted(pieces))

    def laid(self, position: Masks, player: int, text: str) -> dict[str, str]:
        parts = (each.partition("=") for each in text.split()[1:])
        return {cell: SIDES[player] + face for cell, _, face in parts}

    def arranged_at_random(self, position: Masks, player: int, rng: Random) -> dict[str, str]:
        cells = rng.sample(ROWS[player], 2)
        return {cell: SIDES[player] + face for cell, face in zip(cells, FACES, strict=True)}

    def seen_by(self, position: Masks, player: int | None, remembers: bool = False) -> Masks:
        own = SIDES.get(player or 0, "")
        seen = tuple((cell, mask if mask[0] == own else mask[0]) for cell, mask in position.masks)
        return replace(position, masks=seen)

    def faces(self, position: Masks, move: str) -> Mapping[str, str]:
        return {} if move.startswith("lay ") else {move: dict(position.masks)[move]}

    def covered_text(self, text: str) -> str:
        return "lay" if text.startswith("lay ") else text

    def summary(self, position: Masks, move: str) -> Message:
        if move.startswith("lay "):
            return say(f"Laid out: {move}")
        return say(f"Turned {move}: {dict(position.masks)[move][1:]}")

    def covered_summary(self, position: Masks, move: str) -> Message:
        return say("Laid out") if move.startswith("lay ") else say(f"Turned {move}")

    def signal(self, piece: str) -> Signal | None:
        return Signal("#ff0000", 2) if piece.endswith("fox") else Signal("#0000ff", 0)


GAME = Veiled()
