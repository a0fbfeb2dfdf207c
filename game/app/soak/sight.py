"""What a person sees of a game: lights, words, and the page.

Owns the reading of a snapshot with human eyes. Must not look at what the table knows beside what it
shows: of the state, only the position that the page draws.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from game.app.session import Snapshot
from game.rules.game import Game
from game.rules.message import Message
from game.table.scene import Cue, Lamp
from game.table.state import Phase

TO_DO = frozenset({Cue.REMOVE, Cue.PUT, Cue.SWAP})
PAUSE = "table.pause"
GIVEN_UP = frozenset({"table.resigned", "table.resigned_among_many", "table.agreed_draw"})
"""The words of an end that people made."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Hold what is shown at one moment; `words` are the keys of its sentences.

    `lamps` are those of the cells, `keys` those of the game's keys. `page` is what the page draws
    on each cell, and `position` what whoever knows the rules makes of it. `begun` are the touches
    that the words say a move has begun with, "" for each that was a key. `left` counts the pieces
    that are still to be set under a cover; None while nobody sets any.
    """

    game: Game[Any, Any]
    phase: Phase
    lamps: Mapping[str, Lamp]
    turn: int | None
    words: frozenset[str]
    page: Mapping[str, str]
    position: Any
    keys: Mapping[str, Lamp] = field(default_factory=dict)
    begun: tuple[str, ...] = ()
    left: int | None = None

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Sight":
        """Look at a snapshot."""
        scene, game = snapshot.scene, snapshot.game
        said = (*scene.prompt, *((scene.notice,) if scene.notice else ()))
        taps: Any = next((each.args["taps"] for each in scene.prompt if "taps" in each.args), ())
        return cls(
            game,
            scene.phase,
            scene.cells,
            scene.turn,
            frozenset(message.key for message in said),
            game.pieces(snapshot.state.position),
            snapshot.state.position,
            scene.keys,
            tuple(tap if isinstance(tap, str) else "" for tap in taps),
            _left(scene.prompt),
        )

    def cue(self, spot: str) -> Cue | None:
        """Give what the light of a cell or key means; None when it is dark."""
        lamp = self.lamps.get(spot) or self.keys.get(spot)
        return lamp.cue if lamp else None

    def lit(self, cue: Cue) -> list[str]:
        """List the cells that show a cue, in the order of their names."""
        return sorted(cell for cell, lamp in self.lamps.items() if lamp.cue is cue)

    def spots(self, cue: Cue) -> frozenset[str]:
        """Give the cells and keys that show a cue."""
        both = (*self.lamps.items(), *self.keys.items())
        return frozenset(spot for spot, lamp in both if lamp.cue is cue)

    def to_do(self) -> dict[str, Lamp]:
        """Give the cells on which the board asks for something, by cell."""
        return {cell: self.lamps[cell] for cell in sorted(self.lamps) if self._asks(cell)}

    def to_turn(self) -> list[str]:
        """List the rings whose keys ask to be pressed when they have been turned."""
        return sorted(key for key, lamp in self.keys.items() if lamp.cue is Cue.TURNED)

    def piece(self, player: int | None) -> str:
        """Give a piece such as a player has; the first one's for nobody's.

        One that stands is the best example where positions cannot be set up.
        """
        side = self.game.side_of(self.position, player or 1)
        if not self.game.palette:
            standing = sorted({each for each in self.page.values() if self.game.side(each) == side})
            return (standing or [self.game.token(side)])[0]
        return self.game.token(side)

    def others(self) -> list[str]:
        """Give a piece of each player but the one whose turn it is."""
        players = range(1, len(self.game.players) + 1)
        return [self.piece(player) for player in players if player != self.turn]

    @property
    def placed(self) -> str | None:
        """Give the cell that is shown as the last move, if any is."""
        return next(iter(self.lit(Cue.PLACED)), None)

    def _asks(self, cell: str) -> bool:
        return self.lamps[cell].cue in TO_DO


def _left(prompt: tuple[Message, ...]) -> int | None:
    for message in prompt:
        if message.key == "table.covering_done":
            return 0
        count = message.args.get("count")
        if message.key == "table.covering_left" and isinstance(count, int):
            return count
    return None


def judged(sight: Sight, cell: str) -> bool:
    """Tell whether the board says what it makes of a stone that was set on a cell."""
    cues = (Cue.PLACED, Cue.WRONG, Cue.REMOVE)
    return sight.cue(cell) in cues or sight.phase is Phase.OVER


def went_on(before: Sight, sight: Sight, spot: str) -> bool:
    """Tell whether the board says what it makes of a touch that may go on with a move."""
    if judged(sight, spot) or sight.begun != before.begun or sight.phase is not before.phase:
        return True
    return bool(sight.position != before.position)


def changed(before: Sight | None, after: Sight) -> bool:
    """Tell whether anything that can be seen is different."""
    return before is None or (before.phase, before.lamps, before.keys, before.words) != (
        after.phase,
        after.lamps,
        after.keys,
        after.words,
    )
