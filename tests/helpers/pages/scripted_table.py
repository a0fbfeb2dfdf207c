"""A table of the test, and the messages for its page."""

from random import Random
from typing import Any

from game.common import words
from game.engine import LEVEL_NAMES
from game.opponent import Course
from game.play import Snapshot
from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from game.table import DRAW_S, Table
from game.table.inputs import Asked, Command, Lifted, ScoredMove, SearchResult, Touched
from game.table.state import State
from game.web.views import state_view
from hal import profile as profiles

PACE_S = 1.0
NAMES = LEVEL_NAMES


class ScriptedTable:
    """A game that player 1 begins, and a clock that goes on with every input."""

    def __init__(
        self,
        game: Game[Any, Any] = GAME,
        presence: bool = False,
        levels: tuple[str, ...] = (),
        language: str = "en",
        **options: str,
    ) -> None:
        self.game = game
        self.language = language
        self.course: Course | None = None
        self.shown: State | None = None
        self.table = Table(game, {"first": "1", **options}, Random(1), presence, levels)
        self.table.start(0.0)
        self.now = DRAW_S + 0.1
        self.table.tick(DRAW_S)

    @property
    def message(self) -> dict[str, Any]:
        snapshot = Snapshot(self.game, self.table.state, self.table.scene())
        speak, before = words(self.language), self.shown
        return state_view.state(snapshot, speak, at=self.now, before=before)

    def looked(self, ply: int) -> dict[str, Any]:
        """Return the message for a page that looks back."""
        snapshot = Snapshot(self.game, self.table.state, self.table.scene())
        profile = profiles.built_in()
        return state_view.look(snapshot, ply, words(self.language), profile, self.course)

    def show(self) -> None:
        """Show the result of an input; without a page, show nothing."""

    def give(self, *events: Any) -> None:
        """Give inputs to the table, all at the same moment."""
        self.now += PACE_S
        for event in events:
            self.table.handle(event, self.now)
        self.show()

    def tap(self, *cells: str) -> None:
        """Let an unhurried finger touch cells one after the other."""
        for cell in cells:
            self.now += PACE_S
            self.table.handle(Touched(cell), self.now)
            self.table.handle(Lifted(cell), self.now + 0.1)
        self.show()

    def play(self, *moves: str) -> None:
        """Make moves by all their taps."""
        for text in moves:
            position = self.table.state.position
            self.tap(*self.game.taps(position, self.game.parse_move(position, text)))

    def ask(self, *commands: Command) -> None:
        """Press keys of the board."""
        for command in commands:
            self.give(Asked(command))

    def think(self, level: str, *ideas: ScoredMove) -> None:
        """Let a computer have found something; hints have level ""."""
        self.give(SearchResult(self.table.state.position, level, ideas))
