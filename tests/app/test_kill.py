"""Kills at random moments: what light had shown is there again, and nothing that nobody did.

The sittings run in processes forked from one without threads (`kill_program`), on the emulated
board and a virtual clock, with the journal's real thread and a real file.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import kill_program
import pytest
from kill_felt import FeltTable, fumble
from kill_flaws import FLAWS
from kill_paged import Paged, board_with_stones
from kill_tale import Invented, Lost

from game.table.inputs import Command

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
        [sys.executable, "-W", "error", kill_program.__file__, json.dumps(told)],
        stdout=subprocess.PIPE,
        timeout=PROGRAM_S,
        check=True,
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
