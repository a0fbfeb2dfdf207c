"""What a person sees of a game: lights, words, and the page.

Owns the reading of a snapshot with human eyes. Must not look at what the table knows beside what it
shows: of the state, only the position that the page draws.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.app.session import Snapshot
from game.rules.game import Game
from game.table.scene import Cue, Lamp
from game.table.state import Phase

TO_DO = frozenset({Cue.REMOVE, Cue.PUT})
PAUSE = "table.pause"


@dataclass(frozen=True, slots=True)
class Sight:
    """Hold what is shown at one moment; `words` are the keys of its sentences."""

    game: Game[Any, Any]
    phase: Phase
    lamps: Mapping[str, Lamp]
    turn: int | None
    words: frozenset[str]
    page: Mapping[str, str]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Sight":
        """Look at a snapshot."""
        scene, game = snapshot.scene, snapshot.game
        said = (*scene.prompt, *((scene.notice,) if scene.notice else ()))
        return cls(
            game,
            scene.phase,
            scene.cells,
            scene.turn,
            frozenset(message.key for message in said),
            game.pieces(snapshot.state.position),
        )

    def cue(self, cell: str) -> Cue | None:
        """Give what the light of a cell means; None when it is dark."""
        lamp = self.lamps.get(cell)
        return lamp.cue if lamp else None

    def lit(self, cue: Cue) -> list[str]:
        """List the cells that show a cue, in the order of their names."""
        return sorted(cell for cell, lamp in self.lamps.items() if lamp.cue is cue)

    def to_do(self) -> dict[str, Lamp]:
        """Give the cells on which the board asks for something, by cell."""
        return {cell: self.lamps[cell] for cell in sorted(self.lamps) if self._asks(cell)}

    def piece(self, player: int | None) -> str:
        """Give the piece of a player; the first one's for nobody's."""
        pieces = [each for each in self.game.palette if self.game.side(each) == player]
        return (pieces or list(self.game.palette))[0]

    @property
    def placed(self) -> str | None:
        """Give the cell that is shown as the last move, if any is."""
        return next(iter(self.lit(Cue.PLACED)), None)

    def _asks(self, cell: str) -> bool:
        return self.lamps[cell].cue in TO_DO


def judged(sight: Sight, cell: str) -> bool:
    """Tell whether the board says what it makes of a stone that was set on a cell."""
    cues = (Cue.PLACED, Cue.WRONG, Cue.REMOVE)
    return sight.cue(cell) in cues or sight.phase is Phase.OVER


def changed(before: Sight | None, after: Sight) -> bool:
    """Tell whether anything that can be seen is different."""
    return before is None or (before.phase, before.lamps, before.words) != (
        after.phase,
        after.lamps,
        after.words,
    )
