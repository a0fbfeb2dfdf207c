"""What a person sees of a game: lights, words, and the page.

Owns the reading of a snapshot with human eyes. Of the state it reads only the position that the
page draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from game.play import Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table.phases import Phase
from game.table.scene import Cue, Lamp

TO_DO = frozenset({Cue.REMOVE, Cue.PUT, Cue.SWAP})
PAUSE = "table.pause"


@dataclass(frozen=True)
class View:
    """What is shown at one moment; `asked` and `news` are its sentences.

    `lamps` are those of the cells and of the game's keys. `position` is what the page draws. Who
    only hears counts in `heard` the sounds and sentences so far, and believes the rest to be shown.
    """

    game: AnyGame
    phase: Phase
    lamps: Mapping[str, Lamp]
    turn: int | None
    asked: Sequence[Message]
    news: Sequence[Message]
    position: Any
    heard: int | None = None

    @classmethod
    def of(cls, snapshot: Snapshot) -> "View":
        scene, position = snapshot.scene, snapshot.state.position
        lamps, news = {**scene.cells, **scene.keys}, [scene.notice] if scene.notice else []
        return cls(snapshot.game, scene.phase, lamps, scene.turn, scene.prompt, news, position)

    @cached_property
    def words(self) -> frozenset[str]:
        """The keys of all sentences."""
        return frozenset(message.key for message in (*self.asked, *self.news))

    @cached_property
    def started(self) -> tuple[str, ...]:
        """The touches with which a move has begun by the words, "" for a key."""
        return started_by(self.asked)

    @property
    def left(self) -> int | None:
        """How many pieces are still to be set under a cover; None while a player sets none."""
        covering = ("table.covering_done", "table.covering_left")
        args: list[Any] = [message.args for message in self.asked if message.key in covering]
        return args[0].get("count", 0) if args else None

    @cached_property
    def page(self) -> Mapping[str, str]:
        """What the page draws on each cell."""
        return self.game.pieces(self.position)

    def cue(self, spot: str) -> Cue | None:
        return self.lamps[spot].cue if spot in self.lamps else None

    def spots(self, cue: Cue) -> frozenset[str]:
        return frozenset(spot for spot, lamp in self.lamps.items() if lamp.cue is cue)

    def lit(self, cue: Cue) -> list[str]:
        """List the cells with a light, not keys."""
        return sorted(self.spots(cue).difference(self.game.keys))

    def invites(self, spot: str) -> bool:
        """Return whether a light asks for a touch; help may hide that a move is legal."""
        return self.cue(spot) in (Cue.LEGAL, Cue.HINT)

    def to_do(self) -> dict[str, Lamp]:
        return {cell: lamp for cell, lamp in sorted(self.lamps.items()) if lamp.cue in TO_DO}

    def to_turn(self) -> list[str]:
        return sorted(self.spots(Cue.TURNED).intersection(self.game.keys))

    def piece(self, player: int | None) -> str:
        """Return a piece of a player, the first one's for None.

        Where positions cannot be set up, a piece that stands is the best example.
        """
        shown = self.game.presentation
        side = shown.side_of(self.position, player or 1)
        if self.game.palette:
            return shown.token(side)
        standing = (each for each in self.page.values() if shown.side(each) == side)
        return min(standing, default=shown.token(side))

    def others(self) -> list[str]:
        players = range(1, len(self.game.players) + 1)
        return [self.piece(player) for player in players if player != self.turn]

    @property
    def placed(self) -> str | None:
        return next(iter(self.lit(Cue.PLACED)), None)

    def answers(self, before: "View", spot: str) -> bool:
        """Return whether the board reacts to a touch of a spot that may go on with a move."""
        if self.heard is not None:
            return self.heard != before.heard
        return (
            self.cue(spot) in (Cue.PLACED, Cue.WRONG, Cue.REMOVE)
            or self.phase is Phase.OVER
            or self.phase is not before.phase
            or self.started != before.started
            or bool(self.position != before.position)
        )

    def differs(self, before: "View") -> bool:
        fields = ("phase", "lamps", "words") if self.heard is None else ("heard",)
        return any(getattr(self, each) != getattr(before, each) for each in fields)


def started_by(prompt: Sequence[Message]) -> tuple[str, ...]:
    """Read the touches with which a move has begun; "" for a key."""
    taps: Any = next((each.args["taps"] for each in prompt if "taps" in each.args), ())
    return tuple(tap if isinstance(tap, str) else "" for tap in taps)
