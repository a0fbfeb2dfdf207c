"""Properties of a position, each computed once and cached."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic

from game.rules.base.edits import Edit, edits_between
from game.rules.base.game import AnyGame, M, MoveResult
from game.rules.base.values import Goal, Outcome

Taps = tuple[str, ...]


class TapWalk(Generic[M]):
    """The taps of every legal move of one position; no move's taps begin another's."""

    def __init__(self, moves: Mapping[Taps, M]) -> None:
        self._moves = moves
        self._next: dict[Taps, set[str]] = {}
        for taps in moves:
            for at, tap in enumerate(taps):
                self._next.setdefault(taps[:at], set()).add(tap)

    def next_taps(self, taken: Sequence[str]) -> frozenset[str]:
        """Return the touches that can follow these; empty if none can."""
        return frozenset(self._next.get(tuple(taken), ()))

    def going_on(self, taken: Sequence[str]) -> Iterator[tuple[Taps, M]]:
        """Yield the taps of each move that begins with these, and the move."""
        done = tuple(taken)
        return ((taps, move) for taps, move in self._moves.items() if taps[: len(done)] == done)

    def move(self, taken: Sequence[str]) -> M | None:
        """Return the move that these touches complete, or None."""
        return self._moves.get(tuple(taken))


class Situation:
    """A position of a game. Two situations are equal if their games and positions are."""

    def __init__(self, game: AnyGame, position: Any) -> None:
        self.game, self.position = game, position
        self._made: MoveResult[Any, Any] | None = None
        self._edits: tuple[Mapping[str, str], Sequence[str], tuple[Edit, ...]] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Situation):
            return NotImplemented
        return self is other or (self.game is other.game and self.position == other.position)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Situation({self.position!r})"

    @cached_property
    def pieces(self) -> Mapping[str, str]:
        return self.game.pieces(self.position)

    @cached_property
    def to_move(self) -> int | None:
        return self.game.to_move(self.position)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules."""
        return self.game.outcome(self.position)

    @cached_property
    def arrangers(self) -> tuple[int, ...]:
        """The players who have pieces to lay out before play begins."""
        players = range(1, len(self.game.players) + 1)
        arranging, position = self.game.arranging, self.position
        return tuple([n for n in players if arranging(position, n) is not None])

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each player."""
        side_of, players = self.game.presentation.side_of, self.game.players
        return tuple([side_of(self.position, n) for n in range(1, len(players) + 1)])

    @cached_property
    def score(self) -> tuple[int, ...]:
        return self.game.score(self.position)

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        return self.game.goals(self.position)

    @cached_property
    def public(self) -> Any:
        """The position as a spectator may see it."""
        return self.game.seen_by(self.position, None)

    @cached_property
    def walk(self) -> TapWalk[Any]:
        """The taps of every legal move; set-ups have none, and are too many to list."""
        return TapWalk({} if self.arrangers else self.game.moves_by_taps(self.position))

    def result(self, move: Any) -> MoveResult[Any, Any]:
        """Return the result of a legal move."""
        self._made = self.game.result(self.position, move)
        return self._made

    def read(self, text: str) -> MoveResult[Any, Any]:
        """Return the result of a recorded move, from the cache if it is the last one made."""
        if self._made is None or self._made.text != text:
            return self.result(self.game.parse_move(self.position, text))
        return self._made

    def edits_from(self, standing: Mapping[str, str], keys: Sequence[str]) -> tuple[Edit, ...]:
        """List the edits from the standing pieces to the position; `keys` are rings to turn."""
        last = self._edits
        if last is None or last[0] is not standing or last[1] is not keys:
            edits = edits_between(standing, self.pieces, self.game.board, keys)
            last = self._edits = standing, keys, edits
        return last[2]
