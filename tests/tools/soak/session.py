"""One whole game: a player, fingers, emulated chips, drivers, table and journal on a virtual clock.

Owns how these are put together, the clock, the pulled plug, and what must be true at the end.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from game.common import AppError
from game.engine import LEVEL_NAMES
from game.engine.course import Grading
from game.engine.search import new_search
from game.opponent import Computer
from game.play import Session, Snapshot, find_board, fitted_profile
from game.rules.base.game import Game
from game.store import DEFAULT_GAME, Journal
from game.table import SearchRequest
from game.table.entries import HELP_LEVELS
from game.table.inputs import GradesFound, Input
from game.table.table import Table
from hal.lights import Frame
from hal.measuring import Noise, thresholds
from hal.profile import PRESENCE, BoardMemory, Profile
from hal.sim import SimBackend
from tests.helpers.boards.still_device import StillDevice
from tests.helpers.pico.backend import EmulatedCoprocessor
from tests.oracles.entry_replay import EntryReplay, games_in
from tests.tools.soak.by_ear import Ear
from tests.tools.soak.fingers import Fingers, PhysicalBoard
from tests.tools.soak.pico_mishaps import MEAN_S, PicoMishaps
from tests.tools.soak.player import Player
from tests.tools.soak.traits import HANDS, Traits
from tests.tools.soak.view import View

LONGEST_GAME_S = 4 * 3600.0
POLL_MS = 1000
"""Chips report touches by their line; polling them at the rate of a real board would take most of
the time of a soak."""
EMPTY_COUNTS, TOUCH_COUNTS = 290, 46
"""What a sensitive cell of the emulated body reads, and the change that `calibrate` would find."""
SETTLE_S = 2.0
"""Time before the board is compared at the end."""
OFF_S = 3.0
REST_S, REST_STEP_S = 0.1, 0.05
"""How long after a motion the board is stepped seldom, and how seldom."""
GRADED_NODES = 400
"""Enough for grades of most cells; more would make the soak slow."""
TRACED = 60
"""Number of last actions to report when a game fails."""
_MOST_STEPS = 1000
"""Steps without progress of the clock."""
_DAY = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: on which board, by what kind of hands, with what sensing and backend.

    Players have some `help_level`; those who play `by_ear` hear what the board says, and see
    neither lights nor page.
    """

    board: str
    hands: str
    sensing: str
    backend: str = "sim"
    game: str = DEFAULT_GAME
    by_ear: bool = False
    help_level: str = ""


@dataclass(slots=True)
class Parts:
    """What a session is made of, so that tests can replace parts.

    `mishaps_s` is the average time between those of a Pico; infinity for none.
    """

    table: Callable[..., Table] = Table
    journal: Callable[..., Journal] = Journal
    traits: Traits | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    mishaps_s: float = MEAN_S


@dataclass(frozen=True, slots=True)
class _Powered:
    """A board that has power, and what was opened with it."""

    backend: SimBackend | EmulatedCoprocessor
    mishaps: PicoMishaps | None
    session: Session
    journal: Journal
    opened: ExitStack

    @property
    def mishap_due(self) -> float:
        return self.mishaps.due if self.mishaps else inf


class Grader(Computer):
    """Grades moves at once, in this process: games on a virtual clock are the same each time."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._answered: SearchRequest | None = None

    def follow(self, wanted: SearchRequest | None) -> tuple[Input, ...]:
        if wanted is None or wanted == self._answered:
            return ()
        self._answered = wanted
        search = new_search(self._game, wanted.position, 1)
        search.grade()
        search.go_on(GRADED_NODES)
        grades = Grading(self._game, wanted.position).grades(search.choices())
        return (GradesFound(wanted.position, grades),)


class SlowBoard(SimBackend):
    """A simulated board that is stepped seldom while `rests`, when chips only follow slow changes.

    Where touches are felt, a baseline follows each stone that is set for minutes.
    """

    def __init__(self, profile: Profile, rests: Callable[[], bool], **options: Any) -> None:
        self._rests = rests
        super().__init__(profile, **options)

    @property
    def step_s(self) -> float | None:
        step_s = super().step_s
        return step_s and (max(step_s, REST_STEP_S) if self._rests() else step_s)


class SoakSession:
    """Play one game. `counts` are of what happened, `trace` the last actions, `now` the clock."""

    def __init__(
        self,
        plan: Plan,
        game: Game[Any, Any],
        seed: int,
        folder: Path,
        parts: Parts | None = None,
    ) -> None:
        self.now = 0.0
        self.counts: Counter[str] = Counter()
        self.trace: deque[str] = deque(maxlen=TRACED)
        self._game = game
        self._on_pico = plan.backend == "coprocessor"
        self._profile = _profile(plan, game)
        self._feels_stones = plan.sensing == PRESENCE
        self._parts = parts or Parts()
        self._help_level = plan.help_level
        self._folder = folder
        self._rng = Random(f"{plan.sensing} {plan.hands} {seed}")
        self._memory = BoardMemory()
        self._board_seed = self._rng.getrandbits(32)
        self._shown: tuple[object, ...] = ()
        self._flashed: object = None
        self._steps = 0
        self._is_on = False
        self.stones = PhysicalBoard()
        if not self._feels_stones:
            # A board that feels stones asks for them, and is switched on empty.
            for cell, piece in game.pieces(game.initial(self._parts.options)).items():
                self.stones.put(cell, piece)
        self._ear = Ear(game, self._parts.options, self._remembered) if plan.by_ear else None
        self.powered = self._power_up()
        traits = self._parts.traits or HANDS[plan.hands]
        body, feels, keys = self.powered.backend.body, self._feels_stones, self._profile.keys
        self.player = Player(
            Fingers(body, self.stones, self._rng, feels_stones=feels, bounce=traits.bounce),
            self.powered.session,
            traits,
            self._rng,
            feels_stones=feels,
            keys=frozenset(keys),
            log=self._log,
            settled=self._check_stones,
            looks=self._ear.listen if self._ear else View.of,
        )
        self._is_on = True

    def play(self) -> None:
        """Play to the end and check it; raise AppError for what is not as it must be."""
        player = self.player
        while not player.done:
            self.step()
            if self.now > LONGEST_GAME_S:
                raise AppError(f"the game has not ended after {LONGEST_GAME_S / 3600:.0f} h")
            if player.unplugged and player.fingers.due == inf:
                self._pull_plug()
        player.due = inf
        if self.powered.mishaps:
            self.powered.mishaps.calm()
        end = self.now + SETTLE_S
        while self.now < end:
            self.step(end)
        self.counts.update(player.counts)
        self._check()

    def close(self) -> None:
        self.powered.opened.close()

    def step(self, latest: float = inf) -> None:
        """Make one step, and let time pass to whatever is due next."""
        player, fingers, powered = self.player, self.player.fingers, self.powered
        powered.session.step(self.now)
        for _ in range(_MOST_STEPS):
            due = min(powered.session.due(self.now), player.due, powered.mishap_due, latest)
            if fingers.due > due:
                break
            # A contact changes nothing until a chip has measured it, but a pin reports at once.
            if not self._profile.keys.keys().isdisjoint(self._move_fingers()):
                return
        if due == inf:
            raise AppError("nothing is ever due again; allowed is a board that is polled")
        self._steps = 0 if due > self.now else self._steps + 1
        if self._steps > _MOST_STEPS:
            raise AppError("the clock stands still: something is always due")
        self.now = max(self.now, due)
        if powered.mishaps and powered.mishap_due <= self.now:
            powered.mishaps.act()
        if player.due <= self.now:
            player.act(self.now)

    def see(self, snapshot: Snapshot) -> None:
        wrong = snapshot.state.notices.rejected
        if wrong is not None and wrong is not self._flashed:
            self.counts["refused"] += 1
        self._flashed = wrong
        scene = snapshot.scene
        said = (*scene.prompt, *((scene.notice,) if scene.notice else ()))
        if (scene.phase, *said) != self._shown:
            self._shown = (scene.phase, *said)
            self._log(f"    board: {scene.phase.value}: {'; '.join(map(str, said))}")
        if self._game.hidden and not self._ear:
            # The player plays both sides, so they know all pieces.
            snapshot = replace(snapshot, state=self.powered.session.table.state)
        self.player.see(snapshot, self.now)

    def see_lights(self, colours: Frame) -> None:
        """Ignore the strip: its frames follow from what is shown."""

    def _check(self) -> None:
        """Compare what stands, what the table believes and what the journal says."""
        state = self.powered.session.table.state
        self._check_stones()
        if self.powered.mishaps:
            self.powered.mishaps.check()
        self.powered.journal.close()
        entries, end = games_in(self._folder)[-1]
        found = EntryReplay.of(self._game, entries)
        if found.outcome != end:
            raise AppError(f"the game's row says {end}, its moves {found.outcome}")
        if found.position != state.position:
            raise AppError(
                f"the journal comes to {self._game.text(found.position)},"
                f" the table to {self._game.text(state.position)}"
            )
        if end is None:
            raise AppError("the game has ended, and the journal knows no end")
        if len(found.moves) != len(state.history):
            raise AppError(
                f"the journal has {len(found.moves)} plies, the table {len(state.history)}"
            )
        self.counts["plies"] += found.played
        self.counts["take_backs"] += found.taken_back
        self.counts[f"end.{end[1]}"] += 1

    def _check_stones(self) -> None:
        state = self.powered.session.table.state
        differences = self.stones.differences(self._game.pieces(state.position))
        if differences:
            shown = ", ".join(
                f"{cell} has {stands or 'nothing'} and should have {should or 'nothing'}"
                for cell, (stands, should) in differences.items()
            )
            raise AppError(f"the board differs, and no light shows it: {shown}")

    def _move_fingers(self) -> list[str]:
        self.now = max(self.now, self.player.fingers.due)
        if isinstance(self.powered.backend, EmulatedCoprocessor):
            self.powered.backend.pico.settle()
        return self.player.fingers.move(self.now)

    def _pass_time(self, seconds: float) -> None:
        """Let time pass while the backend waits for an answer; hands and mishaps do not wait."""
        end = self.now + seconds
        while self._is_on and min(self.player.fingers.due, self.powered.mishap_due) <= end:
            if self.player.fingers.due <= self.powered.mishap_due:
                self._move_fingers()
            elif self.powered.mishaps:
                self.now = max(self.now, self.powered.mishap_due)
                self.powered.mishaps.act()
        self.now = max(self.now, end)

    def _power_up(self) -> _Powered:
        """Give the board power, and continue the game that the journal has."""
        with ExitStack() as opened:
            backend, mishaps = self._open_backend()
            device = StillDevice(self._profile, backend)
            opened.enter_context(closing(device))
            journal = self._parts.journal(
                self._folder,
                self._game.name,
                threaded=False,
                wall=lambda: _DAY + timedelta(seconds=self.now),
                clock=lambda: self.now,
            )
            opened.enter_context(closing(journal))
            options: Mapping[str, str] = self._parts.options
            helped: dict[str, Any] = {}
            if self._help_level:
                options = {**options, HELP_LEVELS: self._help_level}
                helped = {"computer": Grader(self._game)}
            table = self._parts.table(
                self._game,
                options,
                self._rng,
                presence=self._feels_stones,
                **({"levels": LEVEL_NAMES} if helped else {}),
            )
            session = Session(table, device, journal, self, self._memory, **helped)
            session.begin(self.now)
            return _Powered(backend, mishaps, session, journal, opened.pop_all())

    def _open_backend(self) -> tuple[SimBackend | EmulatedCoprocessor, PicoMishaps | None]:
        """Open the board on the host's own pins, or on a Pico; raise BackendError."""
        options: dict[str, Any] = {
            "clock": lambda: self.now,
            "seed": self._board_seed,
            "memory": self._memory,
            "stones": tuple(self.stones.stones),
        }
        if not self._on_pico:
            return SlowBoard(self._profile, self._hands_rest, **options), None
        flash = self._folder / "flash"
        pico = EmulatedCoprocessor(self._profile, pass_time=self._pass_time, flash=flash, **options)
        rng, mean_s = Random(self._board_seed), self._parts.mishaps_s
        return pico, PicoMishaps(pico, rng, mean_s, lambda: self.now, self._log, self.counts)

    def _hands_rest(self) -> bool:
        return self._is_on and self.now > self.player.fingers.done_s + REST_S

    def _pull_plug(self) -> None:
        """Cut the power, and restore it after a while in which a stone may get lost."""
        self._is_on = False
        self.powered.opened.close()
        if self.stones.stones and self._rng.random() < 0.3:
            cell = self._rng.choice(sorted(self.stones.stones))
            self.stones.take(cell)
            self._log(f"the stone of {cell} is lost while the board is off")
        self.now += OFF_S
        self._log("the board has power again")
        if self._ear:
            self._ear.restart()
        self.powered = self._power_up()
        self.player.fingers.moved_to(self.powered.backend.body, self.now)
        self.player.power_up(self.powered.session, self.now)
        self._is_on = True

    def _remembered(self, player: int) -> Mapping[str, str]:
        return self.player.set_ups.get(player, {})

    def _log(self, what: str) -> None:
        self.trace.append(f"{self.now:9.3f} s  {what}")


def _profile(plan: Plan, game: Game[Any, Any]) -> Profile:
    profile = fitted_profile(find_board(plan.board), game)
    sensing = replace(profile.sensing, mode=plan.sensing, poll_ms=POLL_MS)
    touch, release = thresholds(Noise(EMPTY_COUNTS, 0.5, 2), TOUCH_COUNTS)
    measuring = replace(
        profile.measuring, automatic=False, touch_threshold=touch, release_threshold=release
    )
    return replace(profile, sensing=sensing, measuring=measuring)
