"""Kills at random moments: what light had shown is there again, and nothing that nobody did.

The sittings run in processes forked from one without threads (`kill_program`), on the emulated
board and a virtual clock, with the journal's real thread and a real file.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import kill_program
import pytest
from kill_flaws import FLAWS
from kill_paged import Paged, board_with_stones
from kill_tale import Invented, Lost

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
