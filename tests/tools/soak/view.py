"""What a person sees of a game: lights, words, and the page.

Owns the reading of a snapshot with human eyes. Of the state it reads only the position that the
page draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from game.play import Snapshot
from game.rules.base.game import Game
from game.rules.base.message import Message
from game.table.phases import Phase
from game.table.scene import Cue, Lamp

TO_DO = frozenset({Cue.REMOVE, Cue.PUT, Cue.SWAP})
PAUSE = "table.pause"


@dataclass(frozen=True, slots=True)
class View:
    """What is shown at one moment; `words` are the keys of its sentences.

    `lamps` are those of the cells, `keys` those of the game's keys. `page` is what the page draws
    on each cell, and `position` what it stands for. `started` are the touches with which a move has
    begun by the words, "" for a key. `left` counts the pieces that are still to be set under a
    cover; None while a player sets none.
    """

    game: Game[Any, Any]
    phase: Phase
    lamps: Mapping[str, Lamp]
    turn: int | None
    words: frozenset[str]
    page: Mapping[str, str]
    position: Any
    keys: Mapping[str, Lamp] = field(default_factory=dict)
    started: tuple[str, ...] = ()
    left: int | None = None

    @classmethod
    def of(cls, snapshot: Snapshot) -> "View":
        scene, game = snapshot.scene, snapshot.game
        said = (*scene.prompt, *((scene.notice,) if scene.notice else ()))
        return cls(
            game,
            scene.phase,
            scene.cells,
            scene.turn,
            frozenset(message.key for message in said),
            game.pieces(snapshot.state.position),
            snapshot.state.position,
            scene.keys,
            started_by(scene.prompt),
            left_to_set(scene.prompt),
        )

    def cue(self, spot: str) -> Cue | None:
        lamp = self.lamps.get(spot) or self.keys.get(spot)
        return lamp.cue if lamp else None

    def lit(self, cue: Cue) -> list[str]:
        return sorted(cell for cell, lamp in self.lamps.items() if lamp.cue is cue)

    def spots(self, cue: Cue) -> frozenset[str]:
        return frozenset({*self.lit(cue), *(k for k, lamp in self.keys.items() if lamp.cue is cue)})

    def invites(self, spot: str) -> bool:
        """Return whether a light asks for a touch; help may hide that a move is legal."""
        return self.cue(spot) in (Cue.LEGAL, Cue.HINT)

    def to_do(self) -> dict[str, Lamp]:
        return {cell: lamp for cell, lamp in sorted(self.lamps.items()) if lamp.cue in TO_DO}

    def to_turn(self) -> list[str]:
        return sorted(key for key, lamp in self.keys.items() if lamp.cue is Cue.TURNED)

    def piece(self, player: int | None) -> str:
        """Return a piece of a player, the first one's for None.

        Where positions cannot be set up, a piece that stands is the best example.
        """
        side = self.game.presentation.side_of(self.position, player or 1)
        if not self.game.palette:
            standing = {
                each for each in self.page.values() if self.game.presentation.side(each) == side
            }
            return min(standing, default=self.game.presentation.token(side))
        return self.game.presentation.token(side)

    def others(self) -> list[str]:
        players = range(1, len(self.game.players) + 1)
        return [self.piece(player) for player in players if player != self.turn]

    @property
    def placed(self) -> str | None:
        return next(iter(self.lit(Cue.PLACED)), None)

    def answers(self, before: "View", spot: str) -> bool:
        """Return whether the board reacts to a touch of a spot that may go on with a move."""
        return (
            self.cue(spot) in (Cue.PLACED, Cue.WRONG, Cue.REMOVE)
            or self.phase is Phase.OVER
            or self.phase is not before.phase
            or self.started != before.started
            or bool(self.position != before.position)
        )

    def differs(self, before: "View") -> bool:
        fields = ("phase", "lamps", "keys", "words")
        return any(getattr(self, each) != getattr(before, each) for each in fields)


def started_by(prompt: Sequence[Message]) -> tuple[str, ...]:
    """Read the touches with which a move has begun; "" for a key."""
    taps: Any = next((each.args["taps"] for each in prompt if "taps" in each.args), ())
    return tuple(tap if isinstance(tap, str) else "" for tap in taps)


def left_to_set(prompt: Sequence[Message]) -> int | None:
    """Read how many pieces are still to be set under a cover; None where a player sets none."""
    for message in prompt:
        if message.key == "table.covering_done":
            return 0
        count = message.args.get("count")
        if message.key == "table.covering_left" and isinstance(count, int):
            return count
    return None
