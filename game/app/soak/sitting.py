"""One whole game: a person, fingers, emulated chips, drivers, table and journal on a virtual clock.

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

from game.app.boards import find
from game.app.errors import AppError
from game.app.fitting import fitted
from game.app.journal.journal import Journal
from game.app.session import Session, Snapshot
from game.app.soak.carrier import CARRIERS, Carrier, Conditions
from game.app.soak.desk import Desk
from game.app.soak.fingers import Contact, Fingers
from game.app.soak.link_mishaps import MEAN_S
from game.app.soak.person import Person
from game.app.soak.replay import replay
from game.app.soak.traits import HANDS, Traits
from game.rules.game import Game
from game.table.table import Table
from hal.device import Device
from hal.light import Frame
from hal.memory import BoardMemory
from hal.profile import PRESENCE, Profile

USUAL_GAME = "circle-of-life"
LONGEST_GAME_S = 4 * 3600.0
POLL_MS = 1000
"""Chips tell of touches by their line. How often they are looked after beside is another matter,
and at the rate of a real board it would take most of the time."""
SETTLE_S = 2.0
"""How long a board is left alone at the end before it is compared."""
OFF_S = 3.0
TRACED = 60
"""So many of the last actions are told when a game fails."""
_SPINS = 1000
_DAY = datetime(2026, 1, 1, tzinfo=UTC)


class Failed(AppError):
    """Report a sitting that did not end as it must."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Say what is played: on which board, with what kind of hands, felt how, and carried by what.

    `backend` is one of `carrier.CARRIERS`, `game` the name of a game.
    """

    board: str
    hands: str
    sensing: str
    backend: str = "sim"
    game: str = USUAL_GAME


@dataclass(frozen=True, slots=True)
class Told:
    """One line of what happened, at a virtual time."""

    at_s: float
    what: str

    def __str__(self) -> str:
        return f"{self.at_s:9.3f} s  {self.what}"


@dataclass(slots=True)
class Parts:
    """What a sitting is made of, so that tests can put something else in its place.

    `mishaps_s` is how far apart those of a Pico are on average; infinity for none.
    """

    desk: Callable[[], Desk] = Desk
    table: Callable[..., Table] = Table
    journal: Callable[..., Journal] = Journal
    traits: Traits | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    mishaps_s: float = MEAN_S


@dataclass(frozen=True, slots=True)
class _Live:
    """A board that has power, and what is opened for it."""

    carrier: Carrier
    session: Session
    journal: Journal
    opened: ExitStack


class Sitting:
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
        self.trace: deque[Told] = deque(maxlen=TRACED)
        self._game = game
        self._open_carrier = CARRIERS[plan.backend]
        self._profile = _profile(plan, game)
        self._feels_stones = plan.sensing == PRESENCE
        self._parts = parts or Parts()
        self._folder = folder
        self._rng = Random(f"{plan.sensing} {plan.hands} {seed}")
        self._memory = BoardMemory()
        self._board_seed = self._rng.getrandbits(32)
        self._shown: tuple[object, ...] = ()
        self._flashed: object = None
        self.desk = self._parts.desk()
        if not self._feels_stones:
            # What feels them asks for them, and is switched on empty.
            for cell, piece in game.pieces(game.initial(self._parts.options)).items():
                self.desk.put(cell, piece)
        self._spins = 0
        self._powered = False
        self._live = self._switched_on()
        traits = self._parts.traits or HANDS[plan.hands]
        fingers = Fingers(
            self._live.carrier.body,
            self.desk,
            self._rng,
            feels_stones=self._feels_stones,
            bounce=traits.bounce,
        )
        self.person = Person(
            fingers,
            traits,
            self._rng,
            feels_stones=self._feels_stones,
            tell=self._tell,
            quiet=self._check_board,
            keys=frozenset(self._profile.keys),
            ask=lambda command: self.session.ask(command),
            press=lambda key: self.session.press(key),
            give=lambda wish: self.session.give(wish),
        )
        self._powered = True

    @property
    def session(self) -> Session:
        """Give the session of the board that has power now."""
        return self._live.session

    def play(self) -> None:
        """Play to the end and check it; raises an AppError that says what is not as it must be."""
        while not self.person.done:
            self._go_on()
            if self.now > LONGEST_GAME_S:
                raise Failed(f"the game has not ended after {LONGEST_GAME_S / 3600:.0f} h")
            if self.person.unplugged and self.person.fingers.due == inf:
                self._pull_plug()
        self.person.due = inf
        self._live.carrier.calm()
        end = self.now + SETTLE_S
        while self.now < end:
            self._go_on(end)
        self.counts.update(self.person.counts)
        self.check()

    def close(self) -> None:
        """Let go of the board and the journal."""
        self._live.opened.close()

    def check(self) -> None:
        """Compare what stands, what the table believes and what the journal says."""
        state = self.session.table.state
        self._check_board()
        self._live.carrier.check()
        self._live.journal.close()
        found = replay(self._live.journal.file, self._game)
        if found.position != state.position:
            raise Failed(
                f"the journal comes to {self._game.text(found.position)},"
                f" the table to {self._game.text(state.position)}"
            )
        if found.reason is None:
            raise Failed("the game has ended, and the journal knows no end")
        if found.plies != len(state.history):
            raise Failed(
                f"the journal has {found.plies} moves that stand, the table {len(state.history)}"
            )
        self.counts["plies"] += found.moves
        self.counts["take_backs"] += found.taken_back
        self.counts[f"end.{found.reason}"] += 1
        self.counts.update(found.events)

    def see(self, snapshot: Snapshot) -> None:
        """Show the person what is shown."""
        wrong = snapshot.state.wrong
        if wrong is not None and wrong is not self._flashed:
            self.counts["refused"] += 1
        self._flashed = wrong
        scene = snapshot.scene
        said = (*scene.prompt, *((scene.notice,) if scene.notice else ()))
        shown = (scene.phase, *said)
        if shown != self._shown:
            self._shown = shown
            words = "; ".join(str(message) for message in said)
            self._tell(f"    board: {scene.phase.value}: {words}")
        if self._game.hidden:
            # Both players together know what stands where, and he plays for both.
            snapshot = replace(snapshot, state=self.session.table.state)
        self.person.see(snapshot, self.now)

    def see_lights(self, colours: Frame) -> None:
        """Ignore the strip: its frames follow from what is shown."""

    def _go_on(self, latest: float = inf) -> None:
        """Make one step, and let time pass to whatever is due next."""
        person, fingers, carrier = self.person, self.person.fingers, self._live.carrier
        self.session.step(self.now)
        for _ in range(_SPINS):
            due = min(self.session.due(self.now), person.due, carrier.due, latest)
            if fingers.due > due:
                break
            # A contact alone changes nothing until a chip has measured it. A pin tells at once.
            made = self._move_fingers()
            if any(contact.spot in self._profile.keys for contact in made):
                return
        if due == inf:
            raise Failed("nothing is ever due again; allowed is a board that is polled")
        self._spins = 0 if due > self.now else self._spins + 1
        if self._spins > _SPINS:
            raise Failed("the clock stands still: something is always due")
        self.now = max(self.now, due)
        if carrier.due <= self.now:
            carrier.act()
        if person.due <= self.now:
            person.act(self.now)

    def _move_fingers(self) -> list[Contact]:
        """Let time pass to the next contacts, and make them."""
        self.now = max(self.now, self.person.fingers.due)
        self._live.carrier.settle()
        return self.person.fingers.move(self.now)

    def _pass_time(self, seconds: float) -> None:
        """Let time pass for a board that waits for an answer; hands and mishaps do not wait."""
        end = self.now + seconds
        while self._powered and min(self.person.fingers.due, self._live.carrier.due) <= end:
            if self.person.fingers.due <= self._live.carrier.due:
                self._move_fingers()
            else:
                self.now = max(self.now, self._live.carrier.due)
                self._live.carrier.act()
        self.now = max(self.now, end)

    def _switched_on(self) -> _Live:
        """Give the board power, and take up the game that the journal has."""
        with ExitStack() as opened:
            carrier = self._open_carrier(
                Conditions(
                    profile=self._profile,
                    clock=lambda: self.now,
                    pass_time=self._pass_time,
                    seed=self._board_seed,
                    memory=self._memory,
                    stones=tuple(self.desk.stones) if self._feels_stones else (),
                    folder=self._folder,
                    tell=self._tell,
                    counts=self.counts,
                    mishaps_s=self._parts.mishaps_s,
                )
            )
            device = Device(self._profile, carrier.backend, lively=False)
            opened.enter_context(closing(device))
            journal = self._parts.journal(
                self._folder,
                self._game.name,
                threaded=False,
                wall=lambda: _DAY + timedelta(seconds=self.now),
                clock=lambda: self.now,
            )
            opened.enter_context(closing(journal))
            table = self._parts.table(
                self._game, self._parts.options, self._rng, presence=self._feels_stones
            )
            session = Session(table, device, journal, self, self._memory)
            session.begin(self.now)
            return _Live(carrier, session, journal, opened.pop_all())

    def _pull_plug(self) -> None:
        """Take the power away, and give it back after a while in which stones may move."""
        person = self.person
        self._powered = False
        self._live.opened.close()
        if self.desk.stones and self._rng.random() < 0.3:
            cell = self._rng.choice(sorted(self.desk.stones))
            self.desk.take(cell)
            self._tell(f"the stone of {cell} is lost while the board is off")
        self.now += OFF_S
        self._tell("the board has power again")
        self._live = self._switched_on()
        person.wake_up(person.fingers.moved_to(self._live.carrier.body, self.now), self.now)
        self._powered = True

    def _check_board(self) -> None:
        """Compare the physical board with the position."""
        state = self.session.table.state
        differences = self.desk.differences(self._game.pieces(state.position))
        if differences:
            told = ", ".join(
                f"{cell} has {stands or 'nothing'} and should have {should or 'nothing'}"
                for cell, (stands, should) in differences.items()
            )
            raise Failed(f"the board differs, and nobody is told: {told}")

    def _tell(self, what: str) -> None:
        self.trace.append(Told(self.now, what))


def _profile(plan: Plan, game: Game[Any, Any]) -> Profile:
    profile = fitted(find(plan.board), game)
    sensing = replace(profile.sensing, mode=plan.sensing, poll_ms=POLL_MS)
    return replace(profile, sensing=sensing)
