"""One step of play, on the scripted double and on the emulated chips, with a clock of our own."""

from contextlib import closing
from dataclasses import replace
from itertools import combinations, pairwise
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
    """A journal that writes its entries only when the test says so."""

    saving = False

    def __init__(self) -> None:
        self.lines: list[Entry] = []
        self.settled = True
        self.trouble: Message | None = None

    def append(self, entries: tuple[Entry, ...], _outcome: object, _now: float) -> None:
        self.lines += entries
        self.settled = False


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


def test_contact_lies_between_a_cell_that_can_be_touched_and_one_that_is_felt():
    scene = Table(GAME, {"first": "1"}, Random(1)).scene()
    lamps = {"a1": Lamp(Cue.LEGAL, 1), "a2": Lamp(Cue.FELT)}
    glows = light_theme.light_layers(replace(scene, cells=lamps), {})[0]
    contact, sensed_glow = light_theme.CONTACT, glows["a2"]
    frame = correct((glows["a1"].colour, contact.colour, sensed_glow.colour), built_in().power)
    legal, dim, sensed = (each.red + each.green + each.blue for each in frame)
    # For colour-blind eyes: each is at least twice as bright as the one before.
    assert 4 * legal < 2 * dim < sensed
    assert contact.rhythm is not sensed_glow.rhythm


def test_held_touch_inspects_until_the_finger_leaves(room):
    room.tap("e5")
    room.pi.press("finger", "e5")
    room.run(1.0)
    assert room.table.state.inspecting == "e5"
    room.pi.lift("finger")
    room.run(0.3)
    assert room.table.state.inspecting == ""


def test_palm_places_nothing(room):
    for finger, cell in enumerate(("e4", "e5", "e6", "d5")):
        room.pi.press(str(finger), cell)
    room.run(0.5)
    assert GAME.pieces(room.table.state.position) == {}
    assert room.watcher.snapshots[-1].scene.notice.key == "table.palm"


@pytest.fixture
def disk():
    return SlowDisk()


@pytest.fixture
def slow_room(room, disk):
    room.session._journal = disk
    return room


def test_until_a_touch_is_kept_its_light_says_felt_and_nothing_else_is_told(slow_room, disk):
    seen, before = len(slow_room.watcher.snapshots), slow_room.device.backend.lit()
    slow_room.tap("e5")
    assert disk.lines[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert len(slow_room.watcher.snapshots) == seen
    pixel = slow_room.profile.pixels["e5"]
    lit = slow_room.device.backend.lit()
    assert lit[pixel].red == lit[pixel].green == lit[pixel].blue > 0
    assert [*lit[:pixel], *lit[pixel + 1 :]] == [*before[:pixel], *before[pixel + 1 :]]
    disk.settled = True
    slow_room.run(0.01)
    assert slow_room.watcher.snapshots[-1].scene.cells["e5"].cue is Cue.PLACED
    assert slow_room.device.backend.lit()[pixel].blue < lit[pixel].blue


class FailingDisk(SlowDisk):
    """A journal whose disk fails after a number of checks whether an entry is saved."""

    looks = 0

    @property
    def settled(self) -> bool:
        return self.trouble is not None

    @settled.setter
    def settled(self, _: bool) -> None:
        """Ignore it: a disk that fails never settles otherwise."""

    @property
    def trouble(self) -> Message | None:
        self.looks -= bool(self.lines)
        return say("rules.game_over") if self.looks < 0 else None

    @trouble.setter
    def trouble(self, _: Message | None) -> None:
        """Ignore it: the getter computes it."""


@pytest.mark.parametrize("looks", range(0, 9, 2))
def test_disk_that_fails_amid_a_step_confirms_nothing_before_that_is_told(slow_room, looks):
    slow_room.session._journal = failing = FailingDisk()
    failing.looks = looks
    seen = len(slow_room.watcher.snapshots)
    slow_room.tap("e5")
    shown = slow_room.watcher.snapshots[seen:]
    assert shown
    assert all(each.scene.unsaved for each in shown)
    slow_room.session._journal = SlowDisk()
    slow_room.run(0.01)
    scene = slow_room.watcher.snapshots[-1].scene
    assert (scene.unsaved, scene.notice.key) == (False, "table.kept_again")


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
        assert "e5 is taken" in caplog.text
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


def test_a_held_key_does_not_let_another_one_count_twice():
    mapper = InputMapper()
    resign, new = "resign", "new_game"
    sensed = [
        mapper.read(KeyTouch(key, moment), 0.0)
        for key, moment in (
            (resign, Moment.DOWN),
            (new, Moment.DOWN),
            (resign, Moment.HELD),
            (new, Moment.UP),
            (resign, Moment.UP),
        )
    ]
    assert sensed == [None, None, Asked(Command.SET_UP), Asked(Command.NEW_GAME), None]


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
    styles = [light_theme.CELL_STYLES[Cue[name]] for name in (*TOGETHER[scene].split(), "WRONG")]
    for one, other in combinations(styles, 2):
        brighter, darker = sorted((one.level, other.level), reverse=True)
        assert one.rhythm is not other.rhythm or brighter >= 2 * darker


def test_every_cue_has_a_look():
    # A hidden piece's cue flashes as that piece does.
    assert set(light_theme.CELL_STYLES) == set(Cue) - {Cue.FACE}


def test_the_better_hint_is_the_brighter_one(scene):
    cells = {f"e{rank + 1}": Lamp(Cue.HINT, 1, rank=rank) for rank in range(3)}
    given = light_theme.light_layers(replace(scene, cells=cells), {})[0]
    brightness = [given[cell].colour.red for cell in ("e1", "e2", "e3")]
    assert brightness == sorted(brightness, reverse=True)
    assert all(one > 1.5 * other for one, other in pairwise(brightness))


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


def test_lights_of_players_glow_in_the_colours_of_their_sides(scene):
    hues = ("#102030", "#405060", "#708090")
    scene = replace(
        scene,
        score=(0, 0),
        sides=(3, 1),
        hues=hues,
        turn=2,
        goals=(Goal(1, say("goal.score"), 1, 2),),
        cells={"e5": Lamp(Cue.PLACED, 2), "e6": Lamp(Cue.DRAW)},
        keys={},
    )
    cells, _, bars, turns, _ = light_theme.light_layers(
        scene, {"score1": 2, "turn1": 1, "turn2": 1}
    )
    assert cells["e5"].colour == Colour(0x40, 0x50, 0x60)
    assert cells["e6"].colour == WHITE
    assert {spot: glow.colour for spot, glow in turns.items()} == {
        "turn2.0": Colour(0x10, 0x20, 0x30)
    }
    assert bars["score1.0"].colour == Colour(0x70, 0x80, 0x90).scaled(0.8)


def test_a_group_of_lights_with_the_name_of_a_key_glows_as_the_key_does(scene):
    keys = {"ring1": Lamp(Cue.LEGAL, 1), "choice1": Lamp(Cue.HINT, 1)}
    scene = replace(scene, keys=keys)
    glows = light_theme.light_layers(scene, {"ring1": 2, "ring2": 1})[4]
    assert set(glows) == {"ring1.0", "ring1.1"}
    assert {glow.rhythm for glow in glows.values()} == {Rhythm.STEADY}
