"""Kills at random moments: what light had shown is there again, and nothing that nobody did.

The sittings run in processes forked from one without threads (`tests.helpers.kills.program`),
on the emulated board and a virtual clock, with the journal's real thread and a real file.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.rules.circle_of_life import GAME
from game.table.entries import Entry, Kind, options_text
from game.table.inputs import Asked, Command, Lifted, Touched
from game.table.table import DRAW_S, Table
from tests.helpers.kills.felt import FeltTable, fumble, repaint
from tests.helpers.kills.flaws import FLAWS
from tests.helpers.kills.invariant_checker import Witness
from tests.helpers.kills.paged import Paged, board_with_stones
from tests.helpers.kills.person import Person
from tests.helpers.kills.sitting import Board, Gate, Plan, Sitting
from tests.helpers.kills.tale import Invented, Lost

ROOT = Path(__file__).parents[2]
PROGRAM_S = 110.0
CHUNKS = 5
KILLS = 50
LOST, INVENTED = f": {Lost.__name__}: ", f": {Invented.__name__}: "
FOUND = {"lying journal": LOST, "inventive journal": INVENTED}
"""What must be found of a flaw, where it is not a matter of chance."""


def kills(what: str, folder: Path, number: int, **order: Any) -> dict[str, Any]:
    """Run the program that kills, and give what it saw."""
    told = {"what": what, "folder": str(folder), "kills": number, "flaw": "", **order}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.helpers.kills.program", json.dumps(told)],
        stdout=subprocess.PIPE,
        timeout=PROGRAM_S,
        check=True,
        cwd=ROOT,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_killed_play_comes_back_as_light_had_shown(presence: bool, chunk: int, tmp_path: Path):
    seen = kills("play", tmp_path, KILLS, presence=presence, seed=100 * presence + chunk)
    assert seen["wrong"] == ""
    assert seen["kills"] == KILLS
    counts = seen["counts"]
    # The kills have met what they are meant to meet.
    assert counts["kills within an unfinished game"] > KILLS / 2
    assert counts["kills with a move on its way"] > KILLS / 10
    assert counts["taken up"] > KILLS / 2
    assert counts["entries"] > KILLS


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_killed_first_start_is_followed_by_a_good_one(presence: bool, tmp_path: Path):
    seen = kills("start", tmp_path, 30, presence=presence, seed=7)
    assert seen["wrong"] == ""
    assert seen["counts"]["kills at a first start"]
    assert seen["counts"]["kills in a first draw"]


def test_killed_migration_loses_nothing_of_the_old_file(tmp_path: Path):
    seen = kills("migrate", tmp_path, 12, presence=False, seed=7)
    assert seen["wrong"] == ""
    assert seen["counts"]["killed at version 1"]


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
@pytest.mark.parametrize("flaw", FLAWS)
def test_kills_find_what_is_wrong(flaw: str, presence: bool, tmp_path: Path):
    wrong = kills("play", tmp_path, KILLS, presence=presence, seed=7, flaw=flaw)["wrong"]
    assert re.search(FOUND.get(flaw, f"{LOST}|{INVENTED}"), wrong)


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_killed_lifeboard_comes_back_as_its_page_was_told(presence: bool, tmp_path: Path):
    options = ("--board", str(board_with_stones(tmp_path))) if presence else ()
    paged = Paged(tmp_path / "data", Random(presence), *options, presence=presence)
    for _ in range(7):
        paged.play_until_killed()
    assert paged.moves > 3


EATEN = [["move", "e4"], ["move", "e6x"], ["edit", "e6"]]
"""What a stone set on e6 leads to if the one just lifted from e4 counts as eaten by it."""


def lifted(folder: Path, after_s: float = 1.0) -> FeltTable:
    """Let the stone that was set last be lifted, half a second and some more after it was set."""
    table = FeltTable(folder)
    table.put("e5", "e4")
    table.wait(after_s)
    table.take("e4")
    return table


def test_the_witness_understands_a_lifted_stone_that_is_eaten_after_all(tmp_path: Path):
    table = lifted(tmp_path)
    table.put("e6")
    assert table.witness.accepted[-4:] == [["take_back", ""], *EATEN]
    assert table.witness.counts["moves made again to be eaten"] == 2


def test_the_witness_understands_one_stone_that_brings_back_two_moves(tmp_path: Path):
    table = FeltTable(tmp_path)
    table.put("e5", "e4", "e6")
    table.take("e4", "e6")
    table.put("e6")
    back = [["take_back", ""], ["take_back", ""]]
    assert table.witness.accepted[-4:] == [*back, ["move", "e4"], ["move", "e6x"]]
    assert table.witness.counts["moves made again"] == 2


def test_the_witness_understands_that_moves_come_back_stone_by_stone(tmp_path: Path):
    table = FeltTable(tmp_path)
    table.put("e5", "a1", "i5", "c1")
    table.take("a1", "c1", "i5")
    table.put("a1", "i5", "c1")
    assert [text for _, text in table.witness.accepted[-3:]] == ["a1", "i5", "c1"]
    assert table.witness.counts["moves made again"] == 3


def test_the_witness_knows_a_stone_of_the_wrong_colour_after_a_power_cut(tmp_path: Path):
    # Blue's e4 was eaten, orange has set a stone there since, and all of that is taken back.
    table = FeltTable(tmp_path)
    table.put("e5", "e4", "e6")
    table.take("e4")
    table.put("a1", "e4")
    for _ in range(3):
        table.press(Command.TAKE_BACK)
    table.take("a1", "e6")
    table.cut_power()
    assert [edit.cell for edit in table.table.state.pending(table.table.game)] == ["e4"]


def test_the_witness_understands_hands_that_take_back_make_again_and_eat(tmp_path: Path):
    counts = Counter[str]()
    for seed in range(20):
        table = FeltTable(tmp_path)
        fumble(table, Random(seed), 100)
        counts += table.witness.counts
    assert counts["moves taken back by restoring"] > 100
    assert counts["moves made again"] > 10
    assert counts["moves made again to be eaten"] > 4
    assert counts["taken up"] > 30


MEAL = ".1.1./.1.122/.112.2./122.2.2./2111..1.2/2...1.2./.2.1211/112211/112.2 1 5-2 40"
"""A position in which e6 eats eight stones."""
EIGHT = ["a3", "b3", "b4", "c5", "f7", "g6", "h5", "h6"]


def brought_back(folder: Path, eaten: int = 8) -> tuple[Table, Witness, list[str]]:
    """Let e6 be set and taken back after so many of the stones that it eats were taken away.

    Also give the cells that differ then.
    """
    options = {"first": "1", "target": "40"}
    entries = [Entry(Kind.START, options_text(options)), Entry(Kind.SET_UP, MEAL)]
    table = Table(GAME, options, Random(0))
    table.resume(entries, 0.0)
    table.handle(Asked(Command.CONFIRM), 1.0)
    for number, cell in enumerate(["e6", *EIGHT[:eaten]]):
        entries += table.handle(Touched(cell), 2.0 + number)
        table.handle(Lifted(cell), 2.1 + number)
    entries += table.handle(Asked(Command.TAKE_BACK), 20.0)
    witness = Witness(folder, presence=False)
    witness.goes_on_from([[each.kind.value, each.text] for each in entries])
    cells = [cell for cell, _ in witness.newest().pending()]
    assert cells == [edit.cell for edit in table.state.pending(GAME)]
    return table, witness, cells


def edits(cells: list[str]) -> list[list[str]]:
    return [["edit", cell] for cell in cells]


def test_the_witness_understands_one_touch_that_says_that_all_is_laid_out_again(tmp_path: Path):
    table, witness, cells = brought_back(tmp_path)
    assert len(cells) == 9
    witness.hear(["do", "touch", "e5"])
    entries = table.handle(Touched("e5"), 21.0)
    assert [each.text for each in entries] == cells
    witness.hear(["accept", [[each.kind.value, each.text] for each in entries], 21.0])
    assert witness.counts["boards laid out again"] == 1


def test_the_witness_understands_stones_that_are_laid_out_again_one_by_one(tmp_path: Path):
    table, witness, cells = brought_back(tmp_path)
    for number, cell in enumerate(cells):
        witness.hear(["do", "touch", cell])
        entries = table.handle(Touched(cell), 21.0 + number)
        table.handle(Lifted(cell), 21.1 + number)
        witness.hear(["accept", [[each.kind.value, each.text] for each in entries], 21.0])
    assert not witness.newest().pending()
    assert not witness.counts["boards laid out again"]


@pytest.mark.parametrize(
    ("eaten", "deeds", "left_out"),
    [
        pytest.param(7, [["touch", "e5"]], 0, id="too few differ"),
        pytest.param(8, [], 0, id="without a touch"),
        pytest.param(8, [["touch", "a3"]], 0, id="a touch of one of them"),
        pytest.param(8, [["touch", "e5"]], 1, id="not all of them"),
        pytest.param(8, [["touch", "e5"], ["key", "take_back"]], 0, id="another deed since"),
    ],
)
def test_the_witness_believes_no_board_to_be_laid_out_that_nobody_said_is(
    eaten: int, deeds: list[list[str]], left_out: int, tmp_path: Path
):
    _, witness, cells = brought_back(tmp_path, eaten)
    for deed in deeds:
        witness.hear(["do", *deed])
    with pytest.raises(Invented):
        witness.hear(["accept", edits(cells[left_out:]), 21.0])


@pytest.mark.parametrize(
    ("told", "late_s"),
    [
        pytest.param([["do", "put", "e6"]], 21.0, id="too late"),
        pytest.param([], 0.0, id="without a stone"),
        pytest.param([["do", "take", "e5"], ["do", "put", "e6"]], 0.0, id="more is missing"),
        pytest.param([["do", "put", "a1"], ["do", "put", "e6"]], 0.0, id="more is set"),
        pytest.param([["do", "put", "e6"], ["do", "take", "e6"]], 0.0, id="its stone has gone"),
        pytest.param([["do", "put", "e3"]], 0.0, id="another stone"),
    ],
)
def test_the_witness_believes_no_move_made_again_that_hands_did_not_mean(
    told: list[list[str]], late_s: float, tmp_path: Path
):
    table = lifted(tmp_path)
    for line in told:
        table.witness.hear(line)
    with pytest.raises(Invented, match="move"):
        table.witness.hear(["accept", EATEN, table.now + late_s])


def test_the_witness_believes_no_stone_to_be_eaten_that_its_owner_has_lifted(tmp_path: Path):
    table = lifted(tmp_path, after_s=0.0)
    table.witness.hear(["do", "put", "e6"])
    with pytest.raises(Invented, match="e4"):
        table.witness.hear(["accept", EATEN, table.now])


def test_the_witness_believes_no_move_made_again_after_something_else(tmp_path: Path):
    table = lifted(tmp_path)
    table.press(Command.RESIGN)
    table.wait(1.0)
    table.press(Command.RESIGN)
    table.press(Command.TAKE_BACK)
    table.witness.hear(["do", "put", "e6"])
    with pytest.raises(Invented, match="e4"):
        table.witness.hear(["accept", EATEN, table.now])


def test_the_witness_believes_a_deed_once(tmp_path: Path):
    table = lifted(tmp_path)
    table.put("e4")
    with pytest.raises(Invented, match="e4"):
        table.witness.hear(["accept", [["move", "e4"]], table.now])


def test_the_witness_understands_a_stone_of_another_colour_than_set_up(tmp_path: Path):
    table = FeltTable(tmp_path)
    table.put("e5", "g7", "a1")
    call_other(table, "g7")
    table.take("g7")
    table.put("g7")
    assert table.witness.accepted[-1] == ["edit", "g7"]
    assert table.witness.counts["stones exchanged"] == 1


def test_the_witness_understands_an_exchange_after_take_backs(tmp_path: Path):
    table = FeltTable(tmp_path)
    table.put("e5", "e4", "e6")
    table.take("e4")
    table.put("a1", "e4")
    for _ in range(3):
        table.press(Command.TAKE_BACK)
    table.take("a1", "e6", "e4")
    table.put("e4")
    assert table.witness.accepted[-1] == ["edit", "e4"]


def test_the_witness_knows_colours_as_the_table_does(tmp_path: Path):
    counts = Counter[str]()
    for seed in range(30):
        table, rng = FeltTable(tmp_path), Random(seed)
        for _ in range(60):
            repaint(table, rng) if rng.random() < 0.1 else fumble(table, rng, 1)
            assert table.witness.to_exchange == table.table.state.exchanging
        counts += table.witness.counts
    assert counts["stones exchanged"] > 30


def call_other(table: FeltTable, *cells: str) -> None:
    """Say that stones are of the other colour, while a position is set up that is then left."""
    table.press(Command.SET_UP)
    for cell in cells:
        draft = table.table.state.draft
        assert draft is not None
        table.lay(cell, {"1": "2", "2": "1"}[draft.pieces[cell]])
    table.press(Command.TAKE_BACK)


def wrong_coloured(folder: Path) -> FeltTable:
    """Let the stone on g7 be of the wrong colour."""
    table = FeltTable(folder)
    table.put("e5", "g7", "a1")
    call_other(table, "g7")
    assert table.witness.to_exchange == {"g7"}
    return table


IN_A_DRAFT = ["draft", {"pieces": {"e5": "1", "a1": "1"}, "brush": "2", "score": [0, 0]}]
LIFTED, SET_AGAIN = ["do", "take", "g7"], ["do", "put", "g7"]


@pytest.mark.parametrize(
    ("told", "cell"),
    [
        pytest.param([], "g7", id="nothing done"),
        pytest.param([LIFTED], "g7", id="only lifted"),
        pytest.param([SET_AGAIN], "g7", id="not lifted"),
        pytest.param([["do", "take", "a1"], ["do", "put", "a1"]], "a1", id="of the right colour"),
        pytest.param([LIFTED, SET_AGAIN], "a1", id="of another cell"),
        pytest.param([LIFTED, ["do", "put", "g6"]], "g6", id="set beside it"),
        pytest.param([LIFTED, IN_A_DRAFT, SET_AGAIN], "g7", id="while setting up"),
        pytest.param([["do", "touch", "g7"]], "g7", id="touched"),
    ],
)
def test_the_witness_believes_no_exchange_that_hands_did_not_make(
    told: list[list[Any]], cell: str, tmp_path: Path
):
    table = wrong_coloured(tmp_path)
    for line in told:
        table.witness.hear(line)
    with pytest.raises(Invented, match=cell):
        table.witness.hear(["accept", [["edit", cell]], table.now])


def test_the_witness_believes_no_exchange_where_the_colour_is_right_again(tmp_path: Path):
    table = wrong_coloured(tmp_path)
    call_other(table, "g7")
    kept = list(table.witness.accepted)
    table.take("g7")
    table.put("g7")
    assert table.witness.accepted == kept
    with pytest.raises(Invented, match="g7"):
        table.witness.hear(["accept", [["edit", "g7"]], table.now])


def test_the_witness_believes_an_exchange_once(tmp_path: Path):
    table = wrong_coloured(tmp_path)
    table.take("g7")
    table.put("g7")
    for told in ([], [LIFTED, SET_AGAIN]):
        for line in told:
            table.witness.hear(line)
        with pytest.raises(Invented, match="g7"):
            table.witness.hear(["accept", [["edit", "g7"]], table.now])


def test_the_witness_misses_an_exchange_that_nothing_tells_of(tmp_path: Path):
    table = wrong_coloured(tmp_path)
    table.witness.hear(LIFTED)
    table.witness.hear(SET_AGAIN)
    with pytest.raises(Lost, match="g7"):
        table.witness.hear(["do", "put", "a2"])


def test_a_person_goes_on_when_his_key_has_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Gate, "install", lambda gate: None)
    board = Board(presence=False)
    with open(os.devnull, "wb") as pipe:
        sitting = Sitting(Plan(tmp_path, 0, presence=False), board, pipe.fileno())
        sitting.session.begin(board.now)
        sitting.run(DRAW_S + 1.0)
        sitting.session.ask(Command.SET_UP)
        sitting.run(1.0)
        person, colours = Person(sitting, Random(0)), []
        for _ in range(200):
            person.key(Command.RESIGN)
            assert sitting.table.state.draft is not None
            colours.append(sitting.table.state.draft.brush)
            sitting.run(1.0)
        sitting.journal.close()
        board.device.close()
    assert all(before != after for before, after in pairwise(colours))
