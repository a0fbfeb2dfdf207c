"""The Pico's cable is pulled in play: what light has confirmed stays, and the game goes on."""

import heapq
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.rules.circle_of_life import GAME
from game.table.records import Phase
from game.table.scene import Cue
from hal.base.faults import Trouble
from hal.profile import PRESENCE, Profile, built_in
from tests.helpers.boards.emulated_game import EmulatedGame

BRIGHT = 90
"""Cells on which a stone may be set glow; the one whose stone was accepted is this bright."""
MOST_BRIGHT = 20
"""More cells than that are bright only where the lights say that the board is disturbed."""
NOTICED_S = 0.1
"""How soon a cable that is out is shown."""
MOST_PULLS = 8
WATCHDOG_S = 8.0
BACK_S = 1.5
"""How soon a board whose cable is in again plays on, with what its chips need to be set up."""


class CableRoom(EmulatedGame):
    """A room in which things happen at their times, also while the host waits for an answer.

    `accepted` are the stones that the pixels have shown as accepted, in that order. From then on
    each must be in the record, once: that is looked at in every step.
    """

    def __init__(self, profile: Profile, data: Path, **more: Any) -> None:
        self.accepted: list[str] = []
        self.tried: str | None = None
        self._happenings: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        super().__init__(profile, data, **more)
        self.pico = self.pi.pico

    def at(self, when: float, what: Callable[[], object]) -> None:
        """Let something happen at a time."""
        heapq.heappush(self._happenings, (when, next(self._numbers), what))

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        self._happen(end)
        self.now = max(self.now, end)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while True:
            due = self._happenings[0][0] if self._happenings else inf
            super().run(max(0.0, min(due, end) - self.now))
            self._look()
            if self.now >= end and due > end:
                return
            self._happen(self.now)

    def finger(self, cell: str, hold_s: float, delay_s: float = 0.0) -> None:
        """Let a finger touch a cell."""
        down = self.now + delay_s
        self.at(down, lambda: self._touch(self.pi.body.lay, cell))
        self.at(down + hold_s, lambda: self._touch(self.pi.body.lift, cell))

    def cable(self, when: float, out_s: float, *, power: bool) -> None:
        """Pull the cable at a time, and plug it in again."""
        self.at(when, lambda: self.pull(power=power))
        self.at(when + out_s, self.pico.plug)

    def pull(self, *, power: bool) -> None:
        self.pico.unplug(power=power)
        if power:
            for chip in self.pi.body.chips.values():
                chip.power_cycle()

    def come_to_rest(self) -> None:
        """Wait until nothing is wrong, nothing is to happen, and the lights show what is."""
        for _ in range(400):
            self.run(0.25)
            if not self._happenings and not self.device.faults:
                break
        assert self.device.faults == ()
        self.run(0.6)
        assert not self.disturbed

    @property
    def troubles(self) -> list[Trouble]:
        return [fault.trouble for fault in self.device.faults]

    @property
    def said(self) -> list[str]:
        """What the page says is wrong."""
        assert self.watcher.newest is not None
        return [reason.key for reason in self.watcher.newest.state.faults.reasons]

    @property
    def recorded(self) -> list[str]:
        return [ply.focus for ply in self.table.state.history]

    def _touch(self, deed: Callable[[str], None], cell: str) -> None:
        self.pico.settle()
        deed(cell)

    def _happen(self, end: float) -> None:
        while self._happenings and self._happenings[0][0] <= end:
            when, _, what = heapq.heappop(self._happenings)
            self.now = max(self.now, when)
            what()

    def _look(self) -> None:
        """Look at the pixels as the people at the board do."""
        if self.tried is not None and self._shows_accepted(self.tried):
            self.accepted.append(self.tried)
            self.tried = None
        assert self.recorded[: len(self.accepted)] == self.accepted

    def _shows_accepted(self, cell: str) -> bool:
        pixels = self.profile.pixels
        latched = [(each.red, each.green, each.blue) for each in self.pi.platform.latched()]
        red, green, blue = latched[pixels[cell]]
        yellowish = red >= BRIGHT and 0.1 < green / red < 0.4 and blue < 0.05 * red
        bluish = blue >= BRIGHT and red < 0.1 * blue
        if not yellowish and not bluish:
            # What is to be taken away is bright too, and red.
            return False
        return sum(max(latched[pixel]) >= BRIGHT for pixel in pixels.values()) <= MOST_BRIGHT


@pytest.fixture(params=["touch", PRESENCE])
def profile(request: pytest.FixtureRequest) -> Profile:
    return sensing(request.param)


def sensing(mode: str) -> Profile:
    profile = built_in("hexagon-61-pico")
    return replace(profile, sensing=replace(profile.sensing, mode=mode))


@pytest.fixture
def by_touch(tmp_path: Path) -> Iterator[CableRoom]:
    with closing(CableRoom(sensing("touch"), tmp_path)) as room:
        yield room


@pytest.fixture
def by_stones(tmp_path: Path) -> Iterator[CableRoom]:
    with closing(CableRoom(sensing(PRESENCE), tmp_path)) as room:
        yield room


def free_cell(room: CableRoom, rng: Random) -> str:
    position = room.table.state.position
    (cell,) = GAME.taps(position, rng.choice(list(GAME.legal_moves(position))))
    return cell


def asked(room: CableRoom, cue: Cue) -> list[str]:
    return sorted(cell for cell in room.profile.cells if room.cue(cell) is cue)


class Player:
    """A player who does what the lights ask for, and trusts them alone."""

    def __init__(self, room: CableRoom, rng: Random) -> None:
        self.room = room
        self.rng = rng
        self.stones: set[str] = set()
        self.presence = room.profile.sensing.mode == PRESENCE

    def tidy(self) -> None:
        """Do all that the lights ask for."""
        for _ in range(40):
            todo = [*asked(self.room, Cue.REMOVE), *asked(self.room, Cue.PUT)]
            if not todo:
                return
            self.handle(todo[0], there=self.room.cue(todo[0]) is Cue.PUT)
            self.room.come_to_rest()
        pytest.fail(f"the lights still ask for {todo}")

    def handle(self, cell: str, *, there: bool) -> None:
        """Set a stone or take it away, in a moment."""
        if self.presence:
            body = self.room.pi.body
            self.room.pico.settle()
            (body.put if there else body.take)(cell)
            self.stones = self.stones | {cell} if there else self.stones - {cell}
        else:
            self.room.finger(cell, self.rng.uniform(0.08, 0.3))

    def move(self, cell: str) -> None:
        """Set a stone on a free cell, and watch whether the light accepts it."""
        self.room.tried = cell
        self.handle(cell, there=True)

    def give_up(self) -> None:
        """Take back what was not accepted; the lights have had their time."""
        cell, self.room.tried = self.room.tried, None
        if cell is not None and self.room.table.state.phase is Phase.OVER:
            # The last move is answered by lights of another kind.
            self.room.accepted.append(cell)
        elif cell is not None and cell in self.stones:
            self.handle(cell, there=False)
            self.room.come_to_rest()

    def play(self, cell: str) -> None:
        self.move(cell)
        self.room.come_to_rest()
        self.tidy()
        self.give_up()

    def check(self) -> None:
        """Compare what light has accepted with the record, and stones with the position."""
        assert self.room.recorded == self.room.accepted
        position = GAME.initial({"first": "1"})
        for cell in self.room.accepted:
            position = GAME.play(position, cell)
        assert self.room.text == GAME.text(position)
        if self.presence:
            assert self.room.pi.body.stones == set(GAME.pieces(position))


def pull_now_and_then(room: CableRoom, rng: Random) -> int:
    """Draw when the cable is pulled next, most likely soon after something is touched."""
    when = room.now + rng.choice((rng.uniform(0.0, 0.08), rng.uniform(0.0, 0.8)))
    out_s = rng.choice((rng.uniform(0.005, 0.1), rng.uniform(0.1, 1.0), rng.uniform(1.0, 6.0)))
    room.cable(when, out_s, power=rng.random() < 0.5)
    if rng.random() < 0.2:
        again = when + out_s + rng.uniform(0.01, 0.9)
        room.cable(again, rng.uniform(0.01, 0.5), power=rng.random() < 0.5)
        return 2
    return 1


def test_game_with_the_cable_pulled_again_and_again(profile: Profile, tmp_path: Path):
    rng = Random(f"0 {profile.sensing.mode}")
    pulls = 0
    with closing(CableRoom(profile, tmp_path)) as room:
        player = Player(room, rng)
        while pulls < MOST_PULLS and room.table.state.phase is not Phase.OVER:
            if rng.random() < 0.5:
                pulls += pull_now_and_then(room, rng)
            player.play(free_cell(room, rng))
            player.check()
        assert pulls >= MOST_PULLS
        assert len(room.accepted) >= MOST_PULLS // 2


@pytest.mark.parametrize("power", [True, False])
def test_cable_pulled_while_a_finger_rests_counts_it_once(by_touch: CableRoom, power: bool):
    player = Player(by_touch, Random(1))
    by_touch.tried = "e5"
    by_touch.finger("e5", 3.0)
    by_touch.cable(by_touch.now + 0.8, 0.7, power=power)
    by_touch.come_to_rest()
    assert by_touch.accepted == ["e5"]
    player.check()
    player.play("a1")
    assert by_touch.accepted == ["e5", "a1"]
    player.check()


@pytest.mark.parametrize("power", [True, False])
def test_stones_that_move_while_the_cable_is_out_are_asked_for(by_stones: CableRoom, power: bool):
    room, player = by_stones, Player(by_stones, Random(1))
    for cell in ("e5", "a1"):
        player.play(cell)
    room.pull(power=power)
    room.run(1.0)
    player.handle("e5", there=False)
    player.handle("c3", there=True)
    room.run(1.0)
    assert room.recorded == ["e5", "a1"]
    room.pico.plug()
    room.come_to_rest()
    assert (room.cue("e5"), room.cue("c3")) == (Cue.PUT, Cue.REMOVE)
    player.tidy()
    player.check()
    player.play("i5")
    assert room.accepted == ["e5", "a1", "i5"]


@pytest.mark.parametrize(("power", "out_s"), [(True, 120.0), (False, 5.0)])
def test_cable_that_is_out_is_shown_and_lets_the_game_go_on_where_it_was(
    by_touch: CableRoom, power: bool, out_s: float
):
    player = Player(by_touch, Random(1))
    player.play("e5")
    by_touch.device.lively = False  # a strip without power shows nothing
    by_touch.pull(power=power)
    for seconds in (NOTICED_S, out_s):
        by_touch.run(seconds)
        assert by_touch.troubles == [Trouble.LINK]
        assert by_touch.said == ["fault.link"]
    by_touch.device.lively = True
    by_touch.pico.plug()
    by_touch.run(BACK_S)
    assert (by_touch.troubles, by_touch.said) == ([], [])
    player.check()
    player.play("a1")
    assert by_touch.accepted == ["e5", "a1"]


def test_firmware_that_hangs_is_bitten_by_its_watchdog_and_the_game_goes_on(by_touch: CableRoom):
    player = Player(by_touch, Random(1))
    player.play("e5")
    by_touch.pico.hang()
    by_touch.run(5.0)
    assert by_touch.said == ["fault.link"]
    by_touch.run(WATCHDOG_S + BACK_S - 5.0)
    assert by_touch.troubles == []
    ident = by_touch.pi._client.ident
    assert ident is not None
    assert ident.watchdog
    by_touch.come_to_rest()
    player.check()
    player.play("a1")
    assert by_touch.accepted == ["e5", "a1"]
