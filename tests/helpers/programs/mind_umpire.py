"""A table of CirKle Mind on a double of the board, with everything that leaves it written down.

What leaves it are the pages' messages for each viewer, the frames of the lights, what the backend
is told, the line of status, and the log at its most talkative.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from game.common.translation import words
from game.play.session import Session, Snapshot
from game.rules.base.hidden import hiding
from game.rules.cirkle_mind import GAME
from game.service.notify import status_of
from game.store.journal.journal import Journal
from game.table.fingers import DEBOUNCE_S
from game.table.inputs import Asked, Command, SubmitSetup, Touched
from game.table.players import DRAW_S
from game.table.records import Phase
from game.table.table import Table
from game.table.touching import SETTLE_S
from game.web.views import look_view, state_view
from hal import profile as profiles
from hal.lights.frame import Frame
from tests.helpers.boards.shown_board import ShownBoard

VIEWERS = (None, 1, 2)
WALL = datetime(2026, 11, 22, tzinfo=UTC)
Laid = Mapping[str, str]


_PROFILE = profiles.built_in("rectangle-88")


class Heard:
    """What each viewer's page is told, every message once after another, and the lights."""

    def __init__(self, languages: tuple[str, ...] = ("en",)) -> None:
        self.pages: dict[int | None, list[str]] = {viewer: [] for viewer in VIEWERS}
        self.lights: list[str] = []
        self.status: list[str] = []
        self.newest: Snapshot | None = None
        self._languages = languages

    def see(self, snapshot: Snapshot) -> None:
        self.newest = snapshot
        self.status.append(status_of(snapshot, words("en")))
        # All who look back are told the same.
        ply = len(self.status) % (len(snapshot.state.history) + 1)
        self.status.append(json.dumps(look_view.look(snapshot, ply, words("en"), _PROFILE)))
        for viewer in VIEWERS:
            told = [
                state_view.state(snapshot.of(viewer), words(language), viewer)
                for language in self._languages
            ]
            self.pages[viewer].append(json.dumps(told))

    def see_lights(self, colours: Frame) -> None:
        self.lights.append(json.dumps(state_view.lights(colours)))


class Umpire(ShownBoard):
    """A session on the double; fingers touch, or stones stand where `presence`."""

    lifted_s = 0.1 + DEBOUNCE_S

    def __init__(
        self,
        data: Path,
        level: str = "easy",
        presence: bool = False,
        heard: Heard | None = None,
    ) -> None:
        super().__init__(_PROFILE, "mock", "presence" if presence else "touch")
        self._presence = presence
        self.heard = heard or Heard()
        self.journal = Journal(data, GAME.name, threaded=False, wall=lambda: WALL)
        options = {"first": "1", "level": level}
        self.table = Table(GAME, options, Random(1), presence=presence, levels=("random", "1"))
        self.session = Session(self.table, self.device, self.journal, self.heard)
        self.session.begin(self.now)
        self.run(DRAW_S + 0.1)

    def close(self) -> None:
        super().close()
        self.journal.close()

    @property
    def phase(self) -> Phase:
        return self.table.state.phase

    def run(self, seconds: float) -> None:
        """Step as the loop does."""
        end = self.now + seconds
        while True:
            self.session.step(self.now)
            if self.now >= end:
                return
            due = self.session.due(self.now)
            self.now = min(end, due if due > self.now else self.now + 0.01)

    def ask(self, command: Command) -> None:
        self.session.give(Asked(command))
        self.run(0.1)

    def arrange(self, player: int, pieces: Laid | None) -> None:
        self.session.give(SubmitSetup(player, pieces))
        self.run(0.1)

    def cover(self, pieces: Laid) -> None:
        """Set a player's pieces on the board itself, under a cover."""
        self.ask(Command.SET_UP)
        assert self.table.state.setups.on_board is not None
        player = self.table.state.setups.on_board.player
        arranging = hiding(GAME).arranging(self.table.state.position, player)
        assert arranging is not None
        where = {piece: cell for cell, piece in pieces.items()}
        for piece in arranging.pieces:
            if self._presence:
                self.backend.press("hand", where[piece])
                self.run(1.0)
            else:
                self.tap(where[piece])
        self.ask(Command.CONFIRM)
        assert player not in self.table.state.still_arranging(GAME)

    def make_ready(self) -> None:
        """Bring the board to the position, and cover faces that are shown."""
        for _ in range(100):
            match self.phase:
                case Phase.SHOW:
                    self.run(SETTLE_S)
                    self.ask(Command.CONFIRM)
                case Phase.CONFIRM:
                    self.ask(Command.CONFIRM)
                case Phase.EDIT:
                    self.tap(self.table.state.pending(GAME)[0].cell)
                case _:
                    return
        raise AssertionError(f"the board is never ready: {self.phase}")

    def play(self, move: str) -> None:
        """Make a move by touches; its faces, if it shows any, stay."""
        self.make_ready()
        before = len(self.table.state.history)
        for spot in GAME.taps(self.table.state.position, move):
            if spot in GAME.keys:
                self.session.give(Touched(spot))
                self.run(0.1 + DEBOUNCE_S)
            else:
                self.tap(spot)
        assert self.table.state.history[before:][0].text == move


@contextmanager
def umpire(data: Path, *arguments: Any, **more: Any) -> Iterator[Umpire]:
    """Open a table until it is left."""
    with closing(Umpire(data, *arguments, **more)) as table:
        yield table


def set_up(player: int, seed: int) -> dict[str, str]:
    """Lay out a player's pieces by chance."""
    return hiding(GAME).arranged_at_random(GAME.initial({}), player, Random(seed))


def some_moves(level: str, set_ups: Mapping[int, Laid], plies: int, seed: int = 0) -> list[str]:
    """Choose legal moves that end no game, with as many attacks as can be had."""
    rng = Random(seed)
    position = GAME.initial({"level": level, "first": "1"})
    for player, pieces in set_ups.items():
        position = GAME.play(position, hiding(GAME).arrangement(position, player, pieces))
    moves: list[str] = []
    while len(moves) < plies:
        ways = sorted(
            GAME.legal_moves(position), key=lambda move: (_eager(position, move), rng.random())
        )
        for move in ways:
            after = GAME.play(position, move)
            if GAME.outcome(after) is None:
                break
        else:
            raise AssertionError("every move ends this game")
        moves.append(move)
        position = after
    return moves


def _eager(position: Any, move: str) -> float:
    """Order attacks first, then moves forward."""
    start, _, goal = move.partition("*")[0].partition("-")
    rows = int(goal[1:]) - int(start[1:]) if goal else 0
    forward = (
        rows if GAME.presentation.side_of(position, GAME.to_move(position) or 1) == 1 else -rows
    )
    return -inf if "*" in move else -forward


def shown_by(level: str, set_ups: Mapping[int, Laid], moves: list[str]) -> set[str]:
    """Return the faces that the attacks of a game show."""
    position = GAME.initial({"level": level, "first": "1"})
    for player, pieces in set_ups.items():
        position = GAME.play(position, hiding(GAME).arrangement(position, player, pieces))
    shown: set[str] = set()
    for move in moves:
        shown |= set(hiding(GAME).faces(position, move).values())
        position = GAME.play(position, move)
    return shown


def twin_of(pieces: Laid, shown: set[str]) -> dict[str, str]:
    """Lay out the same cells otherwise: every face that no attack shows lies somewhere else."""
    cells = [cell for cell, piece in pieces.items() if piece not in shown]
    moved = [pieces[cell] for cell in cells]
    return {**pieces, **dict(zip(cells, moved[1:] + moved[:1], strict=True))}
