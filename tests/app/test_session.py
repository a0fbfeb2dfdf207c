"""One step of play, on the scripted double and on the emulated chips, with a clock of our own."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from game.app import look
from game.app.bench import touch_latency
from game.app.errors import StoreError
from game.app.session import Session, Snapshot, felt
from game.app.store import Store
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, Kind
from game.table.inputs import Asked, Command, Held, Lifted, Palmed, Touched
from game.table.scene import Cue
from game.table.state import Phase
from game.table.table import DRAW_S, Table
from hal import profile as profiles
from hal.backend import open_backend
from hal.device import Device
from hal.events import CellTouch, KeyTouch, Moment, Palm
from hal.light import Frame


class Watcher:
    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.frames: list[Frame] = []

    def see(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)

    def see_lights(self, colours: Frame) -> None:
        self.frames.append(colours)


class Room:
    """A session on a backend, whose clock we move."""

    def __init__(self, backend: str, data: Path) -> None:
        self.now = 0.0
        self.profile = profiles.built_in()
        self.backend = open_backend(backend, self.profile, clock=lambda: self.now)
        self.device = Device(self.profile, self.backend)
        self.store = Store(data, GAME.name)
        self.watcher = Watcher()
        self.table = Table(GAME, {"first": "1"}, Random(1))
        self.session = Session(self.table, self.device, self.store, self.watcher)
        self.session.begin(self.now)

    def close(self) -> None:
        self.device.close()
        self.store.close()

    def run(self, seconds: float) -> None:
        """Step as the loop does, never more than 5 ms apart."""
        end = self.now + seconds
        while self.now < end:
            self.session.step(self.now)
            self.now = min(end, self.now + 0.005)
        self.session.step(self.now)

    def tap(self, spot: str) -> None:
        self.backend.press("finger", spot)
        self.run(0.1)
        self.backend.lift("finger")
        self.run(0.2)


@pytest.fixture(params=["mock", "sim"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    with closing(Room(request.param, tmp_path)) as room:
        room.run(DRAW_S + 0.1)
        yield room


def test_touch_on_the_board_places_is_kept_and_lights_up(room: Room):
    pixel = room.profile.pixels["e5"]
    before = room.watcher.frames[-1][pixel]
    room.tap("e5")
    assert GAME.pieces(room.table.state.position) == {"e5": "1"}
    assert room.store.newest()[-2:] == [Entry(Kind.MOVE, "e5"), Entry(Kind.EDIT, "e5")]
    assert room.watcher.snapshots[-1].scene.cells["e5"].cue is Cue.PLACED
    assert room.watcher.frames[-1][pixel] != before


def test_held_touch_inspects_until_the_finger_leaves(room: Room):
    room.tap("e5")
    room.backend.press("finger", "e5")
    room.run(1.0)
    assert room.table.state.inspecting == "e5"
    room.backend.lift("finger")
    room.run(0.3)
    assert room.table.state.inspecting == ""


def test_palm_places_nothing(room: Room):
    for finger, cell in enumerate(("e4", "e5", "e6", "d5")):
        room.backend.press(str(finger), cell)
    room.run(0.5)
    assert GAME.pieces(room.table.state.position) == {}
    assert room.watcher.snapshots[-1].scene.notice.key == "table.palm"


def test_keys_and_the_page_give_the_same_commands(room: Room):
    room.tap("e5")
    room.tap("take_back")
    assert GAME.pieces(room.table.state.position) == {}
    room.tap("e5")
    room.tap("e5")
    room.session.ask(Command.RESIGN)
    room.session.ask(Command.RESIGN)
    room.run(0.1)
    assert room.table.state.phase is Phase.OVER


def test_nothing_shows_before_it_is_kept(room: Room, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise StoreError("games file cannot be written: disk full")

    shown = len(room.watcher.snapshots)
    lit = room.device.shown()
    monkeypatch.setattr(room.store, "append", full)
    with pytest.raises(StoreError):
        room.tap("e5")
    assert len(room.watcher.snapshots) == shown
    assert room.device.shown() == lit


def test_unfinished_game_is_there_again(tmp_path: Path):
    with closing(Room("mock", tmp_path)) as room:
        room.run(DRAW_S + 0.1)
        for cell in ("e5", "d4", "a1", "f5", "a3", "i5", "e6", "d4"):
            room.tap(cell)
        before = room.table.state
    with closing(Room("mock", tmp_path)) as again:
        state = again.table.state
        assert (state.position, state.standing) == (before.position, before.standing)
        assert state.phase is Phase.EDIT
        assert [edit.cell for edit in state.pending(GAME)] == ["f5"]
        assert again.table.scene().notice.key == "table.resumed"


def test_finished_game_is_shown_again_until_a_new_one(tmp_path: Path):
    with closing(Room("mock", tmp_path)) as room:
        room.run(DRAW_S + 0.1)
        room.tap("e5")
        room.tap("resign")
        room.tap("resign")
        before = room.table.state.outcome
    with closing(Room("mock", tmp_path)) as again:
        assert again.table.state.phase is Phase.OVER
        assert again.table.state.outcome == before
        again.tap("take_back")
        assert again.table.state.phase is Phase.TAP


def test_idle_board_has_little_to_do(room: Room):
    room.run(1.0)
    frames = len(room.watcher.frames)
    steps, end = 0, room.now + 10.0
    while room.now < end:
        room.session.step(room.now)
        steps += 1
        due = min(room.session.due(room.now), end)
        assert due > room.now
        room.now = due
    assert len(room.watcher.frames) == frames
    # Four slow polls of the chips and one refresh of the strip each second.
    assert steps <= 52


def test_felt_translates_every_event():
    assert felt(CellTouch("e5", Moment.DOWN)) == Touched("e5")
    assert felt(CellTouch("e5", Moment.HELD)) == Held("e5")
    assert felt(CellTouch("e5", Moment.UP)) == Lifted("e5")
    assert felt(KeyTouch("resign", Moment.DOWN)) == Asked(Command.RESIGN)
    assert felt(KeyTouch("resign", Moment.UP)) is None
    assert felt(KeyTouch("ring1", Moment.DOWN)) == Touched("ring1")
    assert felt(Palm(frozenset({"a1"}))) == Palmed(frozenset({"a1"}))


def test_every_cue_has_a_rhythm_of_its_own():
    assert set(look.CELL_STYLES) == set(Cue)
    rhythms = [style.rhythm for style in look.CELL_STYLES.values()]
    assert len(set(rhythms)) == len(rhythms)


def test_score_bars_grow_with_the_score_and_show_the_first_stone(room: Room):
    scene = room.table.scene()
    lights = {"score1": 20, "score2": 20}
    for score, lit in ((0, 0), (1, 1), (10, 10), (20, 20), (23, 20)):
        given = look.layers(replace(scene, score=(score, 0), goal=20), lights)
        assert sum(spot.startswith("score1") for layer in given for spot in layer) == lit
    few = look.layers(replace(scene, score=(1, 0), goal=99), lights)
    assert sum(spot.startswith("score1") for layer in few for spot in layer) == 1


def test_modelled_part_of_the_latency_is_within_the_budget():
    latency = touch_latency(40)
    modelled = latency.sensing.p99_ms + latency.i2c.p99_ms + latency.pixels.p99_ms
    assert 20 < modelled < 45
    assert latency.pixels.p50_ms > 3
    assert latency.i2c.p50_ms > 0
