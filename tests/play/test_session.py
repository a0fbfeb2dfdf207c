"""One step of play, on the scripted double and on the emulated chips, with a clock of our own."""

from contextlib import closing
from dataclasses import replace
from itertools import combinations
from math import inf
from random import Random

import pytest

from game.play import light_theme
from game.play.input_mapping import KEY_ECHO_S, InputMapper
from game.rules.base.message import Message, say
from game.rules.base.values import Goal
from game.rules.circle_of_life import GAME
from game.store import Journal, Store
from game.table import DRAW_S, Cue, Lamp, Phase, Table
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command
from hal.base.events import KeyTouch, Moment
from hal.lights import WHITE, Colour, Rhythm, correct
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame


class SlowDisk:
    """A journal that writes its entries when the test says so, or fails after a number of looks."""

    saving = False

    def __init__(self, looks: float = inf) -> None:
        self.lines: list[Entry] = []
        self.looks = looks
        self.written = True

    @property
    def settled(self) -> bool:
        return self.written or self.trouble is not None

    @property
    def trouble(self) -> Message | None:
        self.looks -= bool(self.lines)
        return say("rules.game_over") if self.looks < 0 else None

    def append(self, entries: tuple[Entry, ...], _outcome: object, _now: float) -> None:
        self.lines += entries
        self.written = False


@pytest.fixture
def room(tmp_path):
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        yield room


def test_first_sample_of_a_touch_lights_its_cell_dimly_and_leaves_no_trace(room):
    pixel = room.profile.pixels["e5"]
    before, saved = room.device.backend.lit(), room.saved
    seen, state = len(room.watcher.snapshots), room.table.state
    room.pi.body.lay("e5")
    while not room.device.contacts:
        room.run(0.001)
    dim = correct((light_theme.CONTACT.colour,), room.profile.power)[0]
    assert room.device.backend.lit() == (*before[:pixel], dim, *before[pixel + 1 :])
    room.pi.body.lift("e5")
    room.run(0.04)
    assert room.device.backend.lit() == before
    assert room.saved == saved
    assert (len(room.watcher.snapshots), room.table.state) == (seen, state)


def test_held_touch_inspects_until_the_finger_leaves_and_a_palm_places_nothing(room):
    room.tap("e5")
    room.pi.press("finger", "e5")
    room.run(1.0)
    assert room.table.state.inspecting == "e5"
    room.pi.lift("finger")
    room.run(0.3)
    assert room.table.state.inspecting == ""
    for finger, cell in enumerate(("d3", "d4", "d5", "c3")):
        room.pi.press(str(finger), cell)
    room.run(0.5)
    assert room.plies == 1
    assert room.watcher.newest.scene.notice.key == "table.palm"


def test_until_a_touch_is_saved_its_light_says_sensed_and_nothing_else_is_shown(room):
    room.session.journal = disk = SlowDisk()
    seen, before = len(room.watcher.snapshots), room.device.backend.lit()
    room.tap("e5")
    assert disk.lines[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert len(room.watcher.snapshots) == seen
    pixel = room.profile.pixels["e5"]
    lit = room.device.backend.lit()
    assert lit[pixel].red == lit[pixel].green == lit[pixel].blue > 0
    assert [*lit[:pixel], *lit[pixel + 1 :]] == [*before[:pixel], *before[pixel + 1 :]]
    disk.written = True
    room.run(0.01)
    assert room.watcher.newest.scene.cells["e5"].cue is Cue.PLACED
    assert room.device.backend.lit()[pixel].blue < lit[pixel].blue


@pytest.mark.parametrize("looks", range(0, 9, 2))
def test_disk_that_fails_amid_a_step_confirms_nothing_before_that_is_shown(room, looks):
    room.session.journal = SlowDisk(looks)
    seen = len(room.watcher.snapshots)
    room.tap("e5")
    shown = room.watcher.snapshots[seen:]
    assert shown
    assert all(each.scene.unsaved for each in shown)
    room.session.journal = SlowDisk()
    room.run(0.01)
    assert not room.watcher.newest.scene.unsaved


@pytest.mark.parametrize("key", ["resign", "new_game"])
def test_a_key_that_bounces_does_not_answer_its_own_question(room, key):
    room.tap("e5")
    for pause_s in (0.1, 0.1, KEY_ECHO_S):
        room.pi.press("finger", key)
        room.run(0.1)
        room.pi.lift("finger")
        room.run(0.1)
        assert room.table.state.phase is Phase.TAP
        assert room.table.state.notices.confirmation.command.value == key
        room.run(pause_s)
    room.tap(key)
    assert room.table.state.phase is not Phase.TAP


def test_a_game_that_does_not_fit_the_rules_stays_in_the_history(tmp_path, caplog):
    move = Entry(EntryKind.MOVE, "e5")
    with closing(Journal(tmp_path, GAME.name, threaded=False)) as journal:
        journal.append((Entry(EntryKind.START, '{"first": "1"}'), move, move), None, 0.0)
    with closing(EmulatedGame(built_in(), tmp_path)) as room:
        assert room.table.state.history == ()
        assert "'e5' is not a legal move here" in caplog.text
        room.tap("a1")
        assert room.table.state.phase is Phase.TAP
    with closing(Store(tmp_path)) as store:
        assert [len(store.lines(saved.number)) for saved in store.games()] == [3, 3]


def test_idle_board_has_little_to_do(room):
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


@pytest.mark.parametrize(
    ("key", "let_go", "held_long"),
    [
        ("resign", Command.RESIGN, Command.SET_UP),
        ("new_game", Command.NEW_GAME, Command.MENU),
        ("hint", Command.HINT, Command.COACH),
    ],
)
def test_a_key_asks_for_one_thing_when_it_is_let_go_and_for_another_when_it_is_held(
    key, let_go, held_long
):
    down, held, up = (KeyTouch(key, moment) for moment in Moment)
    mapper = InputMapper()
    assert [mapper.read(each, 0.0) for each in (down, up)] == [None, Asked(let_go)]
    reported = [mapper.read(each, 9.0) for each in (down, held, up)]
    assert reported == [None, Asked(held_long), None]
    assert mapper.read(up, 20.0) is None


@pytest.fixture
def scene():
    table = Table(GAME, {"first": "1"}, Random(1))
    table.start(0.0)
    table.tick(DRAW_S)
    return table.scene()


TOGETHER = {
    "a turn, with hints and coach": "LEGAL PLACED CRITTER HINT PREDATOR ENDANGERED EDIBLE TURNED",
    "a move of several taps": "LEGAL CHOSEN HINT PREDATOR ENDANGERED EDIBLE",
    **{
        f"a look at a {kind} move: {grade}": f"LEGAL {others} {grade}"
        for kind, others in (("first", "PLACED CRITTER"), ("begun", "CHOSEN"))
        for grade in ("GOOD", "INACCURACY", "MISTAKE", "BLUNDER", "LOSING")
    },
    "a move of the computer": "PROPOSED PLACED CRITTER TURNED",
    "what hands must do": "REMOVE PUT SWAP TURNED PLACED CRITTER CURSOR",
    "an inspected piece": "CRITTER PREY PREDATOR MARK OTHER_MARK",
    "a board to compare": "STANDS CURSOR",
    "the end": "WIN",
    "the draw": "DRAW",
}
"""Cues that cells show together; a refused touch or a fault may be added to each."""


@pytest.mark.parametrize("scene", TOGETHER)
def test_cues_of_one_moment_differ_without_their_colours(scene):
    # A hidden piece's cue flashes as that piece does.
    assert set(light_theme.CELL_STYLES) == set(Cue) - {Cue.FACE}
    styles = [light_theme.CELL_STYLES[Cue[name]] for name in (*TOGETHER[scene].split(), "WRONG")]
    for one, other in combinations(styles, 2):
        brighter, darker = sorted((one.level, other.level), reverse=True)
        assert one.rhythm is not other.rhythm or brighter >= 2 * darker


@pytest.mark.parametrize(
    ("shown", "rhythm"),
    [
        ({}, Rhythm.STEADY),
        ({"thinking": True}, Rhythm.PULSE),
        ({"time_short": True}, Rhythm.BLINK),
        ({"thinking": True, "unsaved": True}, Rhythm.LIMP),
        ({"phase": Phase.OVER}, Rhythm.BREATHE),
    ],
)
def test_turn_light_tells_what_goes_on_beside_the_score(scene, shown, rhythm):
    scene = replace(scene, goals=(Goal(1, say("goal.score"), 10, 20),), **shown)
    _, _, bars, turns, _ = light_theme.light_layers(scene, {"score1": 20, "turn1": 1})
    assert (len(bars), turns["turn1.0"].rhythm) == (10, rhythm)


def test_score_bars_show_the_first_stone_and_how_near_the_nearest_end_is(scene):
    word, lights = say("goal.score"), {"score1": 20, "score2": 20}
    for goals, lit in (
        ((Goal(1, word, 0, 20),), 0),
        ((Goal(1, word, 10, 20),), 10),
        ((Goal(1, word, 10, 20), Goal(1, word, 1, 1, of_match=True)), 10),
        ((Goal(1, word, 23, 20),), 20),
        ((Goal(1, word, 1, 99),), 1),
        ((Goal(1, word, 1, 10), Goal(1, word, 6, 8), Goal(2, word, 0, 8)), 15),
    ):
        given = light_theme.light_layers(replace(scene, goals=goals), lights)
        assert sum(spot.startswith("score1") for layer in given for spot in layer) == lit


def test_lights_of_players_keys_and_hints_glow_as_what_they_show(scene):
    hints = {f"e{rank + 1}": Lamp(Cue.HINT, 1, rank=rank) for rank in range(3)}
    waiting = {"a1": Lamp(Cue.LEGAL, 1), "a2": Lamp(Cue.FELT)}
    scene = replace(
        scene,
        sides=(3, 1),
        hues=("#102030", "#405060", "#708090"),
        turn=2,
        goals=(Goal(1, say("goal.score"), 1, 2),),
        cells={"e5": Lamp(Cue.PLACED, 2), "e6": Lamp(Cue.DRAW), **hints, **waiting},
        keys={"ring1": Lamp(Cue.LEGAL, 1), "choice1": Lamp(Cue.HINT, 1)},
    )
    lights = {"score1": 2, "turn1": 1, "turn2": 1, "ring1": 2, "ring2": 1}
    cells, _, bars, turns, keys = light_theme.light_layers(scene, lights)
    assert cells["e5"].colour == Colour(0x40, 0x50, 0x60)
    assert cells["e6"].colour == WHITE
    assert {spot: glow.colour for spot, glow in turns.items()} == {
        "turn2.0": Colour(0x10, 0x20, 0x30)
    }
    assert bars["score1.0"].colour == Colour(0x70, 0x80, 0x90).scaled(0.8)
    assert {key: glow.rhythm for key, glow in keys.items()} == {
        "ring1.0": Rhythm.STEADY,
        "ring1.1": Rhythm.STEADY,
    }
    # The better hint is the brighter one.
    assert all(cells[f"e{n}"].colour.red > 1.5 * cells[f"e{n + 1}"].colour.red for n in (1, 2))
    # For colour-blind eyes, a contact lies between a cell that can be touched and a sensed one.
    contact, sensed = light_theme.CONTACT, cells["a2"]
    frame = correct((cells["a1"].colour, contact.colour, sensed.colour), built_in().power)
    legal, dim, bright = (each.red + each.green + each.blue for each in frame)
    assert 4 * legal < 2 * dim < bright
    assert contact.rhythm is not sensed.rhythm
