"""Whole games by fake hands, and the checks that find out what is wrong."""

import json
import logging
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from game.app import cli, fault_log
from game.app.boards import usual
from game.app.journal.journal import Journal
from game.app.soak import soak as soaking
from game.app.soak.desk import Desk
from game.app.soak.replay import ReplayError, replay
from game.app.soak.sitting import Parts, Plan, Sitting
from game.app.soak.soak import Figures, play_one, play_some, report, soak
from game.app.soak.traits import BY_STONES_ONLY, BY_TOUCH_ONLY, HANDS, Slip, Traits
from game.rules.catalogue import find_game
from game.rules.circle_of_life import GAME
from game.rules.game import Outcome
from game.rules.message import say
from game.table.entries import Entry, Kind
from game.table.inputs import Input
from game.table.scene import Cue, Lamp, Scene
from game.table.table import Table
from tests.helpers.games import fifth_game

SHORT = {"target": "4"}
MODES = ("touch", "presence")


OTHERS = ("azteka", "azteka-aggressive", "azteka-three", "adaptoid", "cirkle-mind")
SEEN_IN = {
    Slip.ABANDON: "adaptoid",
    Slip.TWO_BODIES: "adaptoid",
    Slip.WRONG_KEY: "azteka",
    Slip.WRONG_RING: "azteka",
}
"""In which game a slip can be made that cannot be made in every one."""


def plan(sensing: str, hands: str = "clumsy", game: str = GAME.name) -> Plan:
    return Plan(usual("sim", find_game(game)).name, hands, sensing, "sim", game)


def only(slip: Slip, chance: float) -> Traits:
    """Careful hands that slip in one way alone."""
    none: Mapping[Slip, float] = MappingProxyType({})
    hands = replace(HANDS["clumsy"], placing=none, tidying=none, drawing=none, moving=none)
    for chances in ("placing", "tidying", "drawing", "moving"):
        if slip in getattr(HANDS["wild"], chances):
            hands = replace(hands, **{chances: MappingProxyType({slip: chance})})
    return hands


def why(figures: Figures) -> str:
    """Why the one game failed, with its trace, for a test's own message."""
    return "\n".join(f"{each.why}\n" + "\n".join(each.trace) for each in figures.failures)


@pytest.mark.parametrize("sensing", MODES)
@pytest.mark.parametrize("hands", HANDS)
def test_games_by_all_kinds_of_hands_end_with_everything_alike(hands: str, sensing: str):
    found = play_one(plan(sensing, hands), 0, 40)
    assert not found.failed, why(found)
    assert found.counts["plies"] > 20


@pytest.mark.parametrize(
    ("slip", "sensing"),
    [
        (slip, sensing)
        for slip in Slip
        for sensing in MODES
        if slip not in (BY_STONES_ONLY if sensing == "touch" else BY_TOUCH_ONLY)
        # Pieces are exchanged too rarely; see test_soak_moves.
        and slip is not Slip.WRONG_SWAP
    ],
)
def test_each_slip_really_happens_and_is_put_right(slip: Slip, sensing: str):
    found, game = Figures(), SEEN_IN.get(slip, GAME.name)
    for seed in range(8):
        parts = Parts(traits=only(slip, 0.25), options=SHORT if game == GAME.name else {})
        found.add(play_one(plan(sensing, game=game), 0, seed, parts))
        assert not found.failed, why(found)
        if found.counts[f"slip.{slip.value}"]:
            return
    pytest.fail(f"{slip} never happened")


@pytest.mark.parametrize("sensing", MODES)
@pytest.mark.parametrize("game", OTHERS)
def test_games_of_every_kind_end_with_everything_alike(game: str, sensing: str):
    # In these games nobody gives up soon.
    found = play_one(plan(sensing, game=game), 0, 6)
    assert not found.failed, why(found)
    assert found.counts["plies"] > 10


@pytest.mark.parametrize("sensing", MODES)
def test_a_game_that_somebody_else_has_made_is_played_by_the_same_hands(
    sensing: str, tmp_path: Path
):
    game = fifth_game.GAME
    with closing(Sitting(plan(sensing), game, 2, tmp_path)) as sitting:
        sitting.play()
    assert sitting.counts["plies"] > 5
    assert sitting.counts["event.moved"] > 0


def test_people_end_a_game_that_takes_too_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("game.app.soak.person.ENDS_EARLY", 1.0)
    monkeypatch.setattr("game.app.soak.person.EARLY_S", (20.0, 30.0))
    ends: Counter[str] = Counter()
    for seed in range(6):
        found = play_one(plan("touch", "hasty", "azteka-three"), 0, seed)
        assert not found.failed, why(found)
        ends.update(name for name in found.counts if name.startswith("end."))
    assert set(ends) == {"end.resigned", "end.agreed"}


def test_unwanted_moves_come_about_and_are_taken_back():
    figures = play_one(plan("touch"), 0, 3, Parts(traits=only(Slip.PUT_AND_TAKE, 0.3)))
    assert not figures.failed, why(figures)
    assert figures.counts["unwanted"] > 0
    assert figures.counts["take_backs"] >= figures.counts["unwanted"]


def test_boards_brought_back_by_hand_take_moves_back_without_a_key():
    figures = play_one(plan("presence"), 0, 3, Parts(traits=only(Slip.RESTORE, 0.2)))
    assert not figures.failed, why(figures)
    assert figures.counts["take_backs"] > 0
    assert figures.counts["taken_back_by_key"] == 0


def test_forgotten_removals_are_insisted_on():
    figures = play_one(plan("presence"), 0, 3, Parts(traits=only(Slip.FORGET, 0.5)))
    assert not figures.failed, why(figures)
    assert figures.counts["insisted"] > 0


def test_same_seed_is_the_same_game_and_another_is_another():
    one, again, other = (
        play_one(plan("touch"), 0, seed, Parts(options=SHORT)) for seed in (5, 5, 6)
    )
    assert (one.counts, one.virtual_h) == (again.counts, again.virtual_h)
    assert one.virtual_h != other.virtual_h


def test_several_processes_find_what_one_finds():
    plans = [plan("presence", "hasty")]
    alone, together = soak(plans, 6, 70), soak(plans, 6, 70, jobs=2)
    assert alone.figures["presence"].counts == together.figures["presence"].counts
    assert alone.figures["presence"].virtual_h == together.figures["presence"].virtual_h


class Forgetful(Journal):
    """A journal that does not write one of the moves."""

    def keep(self, entries, outcome, now):
        if any(entry.kind is Kind.MOVE for entry in entries) and not hasattr(self, "forgot"):
            self.forgot = True
            return
        super().keep(entries, outcome, now)


class Lying(Journal):
    """A journal that writes another cell than was played."""

    def keep(self, entries, outcome, now):
        swapped = [
            Entry(Kind.MOVE, "a2" if entry.text == "a1" else "a1")
            if entry.kind is Kind.MOVE and not hasattr(self, "lied")
            else entry
            for entry in entries
        ]
        if swapped != list(entries):
            self.lied = True
        super().keep(swapped, outcome, now)


class Endless(Journal):
    """A journal that never hears that the game has ended."""

    def keep(self, entries, outcome, now):
        super().keep(entries, None, now)


@pytest.mark.parametrize("journal", [Forgetful, Lying, Endless])
def test_a_journal_that_lies_is_found_out(journal: type[Journal]):
    figures = play_one(plan("touch", "careful"), 0, 1, Parts(journal=journal, options=SHORT))
    assert figures.failed == 1
    assert "journal" in figures.failures[0].why or "the game's row" in figures.failures[0].why


class Crowded(Desk):
    """A desk on which a stone appears that nobody has set."""

    def take(self, cell: str) -> str:
        if "i5" not in self.stones:
            super().put("i5", "1")
        return super().take(cell)


def test_a_stone_too_many_is_found_out():
    figures = play_one(plan("touch", "careful"), 0, 2, Parts(desk=Crowded, options=SHORT))
    assert figures.failed == 1
    assert "the board differs, and nobody is told: i5 has 1" in figures.failures[0].why


class Dark(Table):
    """A table that shows nothing any more once there are three moves."""

    def scene(self) -> Scene:
        scene = super().scene()
        if len(self.state.history) < 3:
            return scene
        return replace(scene, cells={}, prompt=(), notice=None)


@pytest.mark.parametrize("sensing", MODES)
def test_a_table_that_shows_nothing_is_an_unexplained_wait(sensing: str):
    figures = play_one(plan(sensing, "careful"), 0, 1, Parts(table=Dark))
    (failure,) = figures.failures
    assert "saw no change" in failure.why or "nothing to do for more than 2.0 s" in failure.why
    assert failure.trace


class Deaf(Table):
    """A table that takes no touch and no stone after three moves, and lights what it did before."""

    def handle(self, event: Input, now: float):
        return () if len(self.state.history) >= 3 else super().handle(event, now)


@pytest.mark.parametrize("sensing", MODES)
def test_a_table_that_does_not_answer_is_an_unexplained_wait(sensing: str):
    figures = play_one(plan(sensing, "careful"), 0, 1, Parts(table=Deaf))
    (failure,) = figures.failures
    assert "did 3 times as shown" in failure.why


class Generous(Table):
    """A table that lights all cells, as if a move could begin on each."""

    def scene(self) -> Scene:
        scene = super().scene()
        if len(self.state.history) < 3 or not scene.turn:
            return scene
        return replace(scene, cells=dict.fromkeys(self.game.board.cells, Lamp(Cue.LEGAL)))


@pytest.mark.parametrize("game", [GAME.name, "adaptoid"])
def test_lights_that_promise_too_much_are_found_out(game: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("game.app.soak.person.LOOKS", 1.0)
    figures = play_one(plan("touch", "careful", game), 0, 1, Parts(table=Generous))
    (failure,) = figures.failures
    assert "where no move begins" in failure.why or "allowed is what goes on" in failure.why


class Insatiable(Table):
    """A table that goes on asking for a stone to be taken away when it is gone."""

    def scene(self) -> Scene:
        scene = super().scene()
        removed = self.state.history[-1].removed if self.state.history else ()
        lamps = {cell: replace(lamp, cue=Cue.REMOVE) for cell, lamp in scene.cells.items()}
        asked = {cell: lamp for cell, lamp in lamps.items() if cell in removed}
        return replace(scene, cells={**scene.cells, **asked})


def test_a_light_that_never_goes_out_is_an_unexplained_wait():
    figures = play_one(plan("presence", "careful"), 0, 1, Parts(table=Insatiable))
    (failure,) = figures.failures
    assert "saw no change" in failure.why


class Broken(Table):
    """A table that raises."""

    def handle(self, event: Input, now: float):
        if len(self.state.history) == 2:
            raise ZeroDivisionError("the table has broken down")
        return super().handle(event, now)


def test_an_exception_fails_its_game_and_no_other():
    broken = play_one(plan("touch", "careful"), 7, 1, Parts(table=Broken, options=SHORT))
    broken.add(play_one(plan("touch", "careful"), 8, 2, Parts(options=SHORT)))
    assert (broken.games, broken.failed) == (2, 1)
    (failure,) = broken.failures
    assert failure.why == "ZeroDivisionError: the table has broken down"
    assert (failure.game, failure.seed, failure.sensing) == (7, 1, "touch")
    assert failure.at_s > 2.0
    assert any("sets 1 on" in line for line in failure.trace)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The file of a game that has been played to its end."""
    with closing(Sitting(plan("touch"), GAME, 9, tmp_path, Parts(options=SHORT))) as sitting:
        sitting.play()
    (file,) = tmp_path.glob("*.sqlite3")
    return file


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("DELETE FROM games", "no game"),
        ("UPDATE games SET winner = 3 - winner", "the game's row says winner"),
        ("UPDATE games SET reason = 'rain'", "rain"),
        ("UPDATE entries SET kind = 'nap' WHERE kind = 'edit'", "'nap'"),
        ("DELETE FROM entries WHERE kind = 'start'", "comes before the one that starts"),
        ("UPDATE entries SET kind = 'take_back' WHERE seq = 1", "before any was played"),
        ("DELETE FROM entries", "no row that starts it"),
    ],
)
def test_replay_finds_rows_that_are_no_game(played: Path, change: str, problem: str):
    before = replay(played, GAME)
    assert before.reason == "stones eaten"
    with closing(sqlite3.connect(played)) as db:
        db.execute(change)
        db.commit()
    with pytest.raises(ReplayError, match=problem):
        replay(played, GAME)


def test_replay_follows_take_backs_resigning_and_positions_that_were_set_up(tmp_path: Path):
    position = GAME.play(GAME.initial(), "e5")
    journal = Journal(tmp_path, GAME.name, threaded=False)
    entries = [
        Entry(Kind.START, '{"first": "2", "target": "20"}'),
        Entry(Kind.NAMES, '["Ann", ""]'),
        Entry(Kind.SET_UP, GAME.text(position)),
        Entry(Kind.MOVE, "a1"),
        Entry(Kind.EDIT, "a1"),
        Entry(Kind.MOVE, "a3"),
        Entry(Kind.TAKE_BACK),
        Entry(Kind.RESIGN, "1"),
        Entry(Kind.TAKE_BACK),
        Entry(Kind.MOVE, "i1"),
    ]
    journal.keep(entries, None, 0.0)
    journal.close()
    found = replay(journal.file, GAME)
    assert found.position == GAME.play(GAME.play(position, "a1"), "i1")
    assert (found.plies, found.moves, found.taken_back) == (2, 3, 2)
    assert (found.winner, found.reason) == (None, None)


@pytest.mark.parametrize(
    ("entry", "end"),
    [(Entry(Kind.RESIGN, "2"), "resigned"), (Entry(Kind.DRAW), "agreed")],
)
def test_replay_knows_ends_that_people_make_and_nobody_wins(tmp_path: Path, entry: Entry, end: str):
    game = find_game("azteka-three")
    journal = Journal(tmp_path, game.name, threaded=False)
    begun = [Entry(Kind.START, "{}"), Entry(Kind.MOVE, "a1"), entry]
    journal.keep(begun, Outcome(None, end, say("table.agreed_draw")), 0.0)
    journal.close()
    found = replay(journal.file, game)
    assert (found.winner, found.reason, found.plies) == (None, end, 1)
    again = Journal(tmp_path, game.name, threaded=False)
    again.newest(0.0)
    again.keep([Entry(Kind.TAKE_BACK)], None, 1.0)
    again.close()
    found = replay(again.file, game)
    assert (found.winner, found.reason, found.plies) == (None, None, 1)


def test_command_plays_another_game_on_the_board_that_is_usual_for_it(
    capsys: pytest.CaptureFixture[str],
):
    call = ["soak", "--game", "azteka-three", "--games", "1", "--hands", "careful"]
    assert cli.main([*call, "--sensing", "touch", "--seed", "2"]) == 0
    told = capsys.readouterr().out
    assert "1 games by careful hands, felt by touch: none failed" in told
    assert "games that ended: " in told
    assert cli.main([*call, "--board", "hexagon-61"]) == 1
    assert "does not fit azteka-three" in capsys.readouterr().err


def test_command_refuses_a_game_that_is_not_there(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", "--game", "chess"]) == 2
    assert "azteka-three" in capsys.readouterr().err


def test_command_prints_figures_and_succeeds(capsys: pytest.CaptureFixture[str]):
    call = ["soak", "--games", "1", "--hands", "careful", "--seed", "4", "--sensing"]
    assert cli.main([*call, "touch", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["hands"], found["seed"], found["failed"]) == ("careful", 4, 0)
    touch = found["sensing"]["touch"]
    assert (touch["games"], touch["failures"]) == (1, [])
    assert touch["games_per_minute"] > 0
    assert touch["counts"]["plies"] > 10
    assert cli.main([*call, "presence"]) == 0
    assert "1 games by careful hands, felt by presence: none failed" in capsys.readouterr().out


def test_command_fails_and_names_the_seed_when_a_game_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    real = soaking.play_one

    def second_fails(plan: Plan, number: int, seed: int) -> Figures:
        table = Broken if number == 1 else Table
        return real(plan, number, seed, Parts(table=table, options=SHORT))

    monkeypatch.setattr(soaking, "play_one", second_fails)
    call = ["soak", "--games", "3", "--hands", "careful", "--sensing", "touch", "--seed", "10"]
    assert cli.main(call) == 1
    told = capsys.readouterr().out
    assert "3 games by careful hands, felt by touch: 1 failed" in told
    assert "game 1 failed at" in told
    again = "lifeboard soak --games 1 --hands careful --sensing touch --seed 11 --board hexagon-61"
    assert again in told


def test_only_so_many_failures_are_told_and_all_are_counted():
    figures = Figures()
    for number in range(soaking.MOST_FAILURES + 5):
        part = Figures(games=1, failed=1)
        part.failures = [soaking.Failure(number, number, "touch", 0.0, "why", ())]
        figures.add(part)
    assert figures.failed == soaking.MOST_FAILURES + 5
    assert len(figures.failures) == soaking.MOST_FAILURES
    told = report(soaking.Report(plan("touch"), 0, {"touch": figures}), as_json=False)
    assert f"{soaking.MOST_FAILURES + 5} failed" in told


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--games", "0", "allowed: 1 and more"),
        ("--games", "many", "not a whole number"),
        ("--jobs", "0", "allowed: 1 - 64"),
        ("--hands", "feet", "careful"),
        ("--sensing", "smell", "presence"),
    ],
)
def test_command_refuses_what_makes_no_sense(
    capsys: pytest.CaptureFixture[str], option: str, value: str, problem: str
):
    with pytest.raises(SystemExit) as ended:
        cli.main(["soak", option, value])
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_command_refuses_a_board_that_is_not_there(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", "--games", "1", "--board", "pentagon"]) == 1
    assert 'board "pentagon" is unknown' in capsys.readouterr().err


def test_faults_are_logged_again_after_a_soak():
    faults = logging.getLogger(fault_log.__name__)
    before = faults.level
    play_some(Plan("hexagon-61", "calm", "touch"), [], 1)
    assert faults.level == before
    assert faults.isEnabledFor(logging.WARNING)


def test_knock_that_ends_the_game_is_taken_back_and_put_right():
    # In this game a stone that slides makes the winning move, which nobody wanted.
    played = play_one(Plan("hexagon-61", "clumsy", "touch", game="adaptoid"), 0, 5)
    assert played.failures == []
    assert played.counts["unwanted"] > 0
