"""One whole game: a player, fingers, emulated chips, drivers, table and journal on a virtual clock.

Owns how these are put together, the clock, the pulled plug, and what must be true at the end.
"""

import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from game.common import AppError
from game.engine import LEVEL_NAMES
from game.engine.course import Grading
from game.engine.search import new_search
from game.opponent import Computer
from game.play import Session, Snapshot, default_board, fitted_profile
from game.rules.base.game import AnyGame
from game.rules.base.registry import find_game
from game.store import DEFAULT_GAME, Journal
from game.table import SearchRequest
from game.table.entries import HELP_LEVELS
from game.table.inputs import GradesFound, Input
from game.table.table import Table
from hal.lights import Frame
from hal.measuring import FINGER_SHARES
from hal.profile import BoardMemory, Profile
from hal.sim import SimBackend
from tests.helpers.boards.still_device import StillDevice
from tests.helpers.pico.backend import EmulatedCoprocessor
from tests.oracles.entry_replay import EntryReplay, games_in
from tests.tools.soak.by_ear import Ear
from tests.tools.soak.hands import HANDS, Fingers, differences
from tests.tools.soak.pico_mishaps import PicoMishaps
from tests.tools.soak.player import Player
from tests.tools.soak.view import View

LONGEST_GAME_S = 4 * 3600.0
POLL_MS = 1000
"""Chips report touches by their line; polling them at the rate of a real board would take most of
the time of a soak."""
TOUCH_COUNTS = 46
"""The change of a sensitive cell of the emulated body by a touch, as `calibrate` would find it."""
SETTLE_S = 2.0
"""Time before the board is compared at the end."""
OFF_S = 3.0
REST_S, REST_STEP_S = 0.1, 0.05
"""How long after a motion the board is stepped seldom, and how seldom."""
GRADED_NODES = 400
"""Enough for grades of most cells; more would make the soak slow."""
TRACED = 60
"""Number of last actions to report when a game fails."""
MEMORY = "/dev/shm"
"""Games are stored here where it exists: a disk would take most of the time of a soak."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: with what sensing and backend, by what kind of hands.

    Players have some `help_level`; those who play `by_ear` hear what the board says, and see
    neither lights nor page.
    """

    sensing: str
    hands: str = "clumsy"
    game: str = DEFAULT_GAME
    backend: str = "sim"
    by_ear: bool = False
    help_level: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Played:
    """What happened in a game; `failure` tells why it failed, "" for a good one."""

    counts: Counter[str]
    virtual_s: float
    longest_wait_s: float
    failure: str


class Grader(Computer):
    """Grades moves at once, in this process: games on a virtual clock are the same each time."""

    def __init__(self, game: AnyGame) -> None:
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

    backend: SimBackend | EmulatedCoprocessor
    mishaps: PicoMishaps | None = None
    session: Session
    journal: Journal

    def __init__(self, plan: Plan, seed: int, folder: Path) -> None:
        self.now = 0.0
        self.counts = Counter[str]()
        self.trace = deque[str](maxlen=TRACED)
        self._plan, self._folder = plan, folder
        self._game = game = find_game(plan.game)
        self._profile = _profile(plan, game)
        self._feels_stones = plan.sensing == "presence"
        self._rng = Random(f"{plan.sensing} {plan.hands} {seed}")
        self._memory = BoardMemory()
        self._board_seed = self._rng.getrandbits(32)
        self._shown: tuple[object, ...] = ()
        self._flashed: object = None
        self._is_on = False
        # A board that feels stones asks for them, and is switched on empty.
        start = {} if self._feels_stones else game.pieces(game.initial(plan.options))
        self._stones = dict(start)
        self._ear = Ear(game, plan.options, self._remembered) if plan.by_ear else None
        self._opened = ExitStack()
        self._power_up()
        traits, feels = HANDS[plan.hands], self._feels_stones
        self.player = Player(
            Fingers(self.backend.body, self._stones, self._rng, feels, traits.bounce),
            self.session,
            traits,
            self._rng,
            feels_stones=feels,
            keys=frozenset(self._profile.keys),
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
        if self.mishaps:
            self.mishaps.calm()
        end = self.now + SETTLE_S
        while self.now < end:
            self.step(end)
        self.counts.update(player.counts)
        self._check()

    def close(self) -> None:
        self._opened.close()

    def step(self, latest: float = inf) -> None:
        """Make one step, and let time pass to whatever is due next."""
        player, fingers = self.player, self.player.fingers
        self.session.step(self.now)
        while fingers.due <= (due := self._due(latest)):
            # A contact changes nothing until a chip has measured it, but a pin reports at once.
            if not self._profile.keys.keys().isdisjoint(self._move_fingers()):
                return
        self.now = max(self.now, due)
        self._act_mishaps()
        if player.due <= self.now:
            player.act(self.now)

    def _due(self, latest: float) -> float:
        return min(self.session.due(self.now), self.player.due, self._mishap_due, latest)

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
            snapshot = replace(snapshot, state=self.session.table.state)
        self.player.see(snapshot, self.now)

    def see_lights(self, colours: Frame) -> None:
        """Ignore the strip: its frames follow from what is shown."""

    def _check(self) -> None:
        """Compare what stands, what the table believes and what the journal says."""
        state = self.session.table.state
        self._check_stones()
        if self.mishaps:
            self.mishaps.check()
        self.journal.close()
        entries, end = games_in(self._folder)[-1]
        found = EntryReplay.of(self._game, entries)
        saved = found.position, found.outcome, len(found.moves)
        if end is None or saved != (state.position, end, len(state.history)):
            raise AppError(
                f"the journal comes to {self._game.text(found.position)} and {found.outcome} after"
                f" {len(found.moves)} plies, the table to {self._game.text(state.position)} and"
                f" {end} after {len(state.history)}"
            )
        self.counts["plies"] += found.played
        self.counts["take_backs"] += found.taken_back
        self.counts[f"end.{end[1]}"] += 1

    def _check_stones(self) -> None:
        wrong = differences(self._stones, self._game.pieces(self.session.table.state.position))
        if wrong:
            raise AppError(f"no light shows what stands, beside what should stand: {wrong}")

    @property
    def _mishap_due(self) -> float:
        return self.mishaps.due if self.mishaps else inf

    def _act_mishaps(self) -> None:
        if self.mishaps and self.mishaps.due <= self.now:
            self.mishaps.act()

    def _move_fingers(self) -> list[str]:
        self.now = max(self.now, self.player.fingers.due)
        if isinstance(self.backend, EmulatedCoprocessor):
            self.backend.pico.settle()
        return self.player.fingers.move(self.now)

    def _pass_time(self, seconds: float) -> None:
        """Let time pass while the backend waits for an answer; hands and mishaps do not wait."""
        end = self.now + seconds
        while self._is_on and min(self.player.fingers.due, self._mishap_due) <= end:
            if self.player.fingers.due <= self._mishap_due:
                self._move_fingers()
            else:
                self.now = max(self.now, self._mishap_due)
                self._act_mishaps()
        self.now = max(self.now, end)

    def _clock(self) -> float:
        return self.now

    def _power_up(self) -> None:
        """Give the board power, and continue the game that the journal has."""
        plan, game, opened = self._plan, self._game, self._opened
        hardware: dict[str, Any] = {
            "clock": self._clock,
            "seed": self._board_seed,
            "memory": self._memory,
            "stones": tuple(self._stones),
        }
        if plan.backend == "sim":
            self.backend = SlowBoard(self._profile, self._hands_rest, **hardware)
        else:
            flash = self._folder / "flash"
            self.backend = EmulatedCoprocessor(
                self._profile, pass_time=self._pass_time, flash=flash, **hardware
            )
            rng = Random(self._board_seed)
            self.mishaps = PicoMishaps(self.backend, rng, self._clock, self._log, self.counts)
        device = opened.enter_context(closing(StillDevice(self._profile, self.backend)))
        self.journal = Journal(self._folder, game.name, threaded=False, clock=self._clock)
        opened.enter_context(closing(self.journal))
        options, helped = {**plan.options}, dict[str, Any]()
        if plan.help_level:
            options[HELP_LEVELS] = plan.help_level
            helped = {"computer": Grader(game)}
        levels = LEVEL_NAMES if helped else ()
        table = Table(game, options, self._rng, presence=self._feels_stones, levels=levels)
        self.session = Session(table, device, self.journal, self, self._memory, **helped)
        self.session.begin(self.now)

    def _hands_rest(self) -> bool:
        return self._is_on and self.now > self.player.fingers.done_s + REST_S

    def _pull_plug(self) -> None:
        """Cut the power, and restore it after a while in which a stone may get lost."""
        self._is_on = False
        self._opened.close()
        if self._stones and self._rng.random() < 0.3:
            cell = self._rng.choice(sorted(self._stones))
            del self._stones[cell]
            self._log(f"the stone of {cell} is lost while the board is off")
        self.now += OFF_S
        self._log("the board has power again")
        if self._ear:
            self._ear.restart()
        self._power_up()
        self.player.fingers.moved_to(self.backend.body, self.now)
        self.player.power_up(self.session, self.now)
        self._is_on = True

    def _remembered(self, player: int) -> Mapping[str, str]:
        return self.player.set_ups.get(player, {})

    def _log(self, what: str) -> None:
        self.trace.append(f"{self.now:9.3f} s  {what}")


def _profile(plan: Plan, game: AnyGame) -> Profile:
    profile = fitted_profile(default_board(plan.backend, game), game)
    sensing = replace(profile.sensing, mode=plan.sensing, poll_ms=POLL_MS)
    touch = round(FINGER_SHARES[0] * TOUCH_COUNTS)
    release = round(FINGER_SHARES[1] * touch)
    measuring = replace(
        profile.measuring, automatic=False, touch_threshold=touch, release_threshold=release
    )
    return replace(profile, sensing=sensing, measuring=measuring)


def play_one(plan: Plan, seed: int) -> Played:
    failure, memory = "", MEMORY if os.access(MEMORY, os.W_OK) else None
    # The trace of a game that fails tells the faults of its board.
    logging.disable(logging.WARNING)
    with (
        TemporaryDirectory(prefix="lifeboard-soak-", dir=memory) as folder,
        closing(SoakSession(plan, seed, Path(folder))) as session,
    ):
        try:
            session.play()
        # After any error the other games are played, and this one is reported.
        except Exception as error:
            why = f"failed at {session.now:.3f} s: {type(error).__name__}: {error}"
            failure = "\n    ".join((why, *session.trace, f"again: {_again(plan, seed)}"))
    logging.disable(logging.NOTSET)
    return Played(session.counts, session.now, session.player.longest_s, failure)


def _again(plan: Plan, seed: int) -> str:
    """Return the command that plays one game again."""
    by_ear = " --by-ear" * plan.by_ear
    helped = f" --help-level {plan.help_level}" if plan.help_level else ""
    return (
        f'make soak ARGS="--games 1 --hands {plan.hands} --sensing {plan.sensing}'
        f' --seed {seed} --backend {plan.backend} --game {plan.game}{by_ear}{helped}"'
    )
