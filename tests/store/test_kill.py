"""Kills at random moments: what light had shown is there again, and nothing that was not done.

The sessions run in processes forked from one without threads (`tests.helpers.kills.program`),
on the emulated board and a virtual clock, with the journal's real thread and a real file.
"""

from pathlib import Path
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind, options_text
from game.table.inputs import Asked, Command, Lifted, Touched
from game.table.table import Table
from tests.helpers.kills.entry_replay import Invented, Lost
from tests.helpers.kills.invariant_checker import InvariantChecker
from tests.helpers.kills.start import kills

CHUNKS = 2
KILLS = 50
PRESENCE = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@pytest.mark.parametrize("chunk", range(CHUNKS))
@PRESENCE
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


@PRESENCE
def test_killed_first_start_is_followed_by_a_good_one(presence: bool, tmp_path: Path):
    seen = kills("start", tmp_path, 30, presence=presence, seed=7)
    assert seen["wrong"] == ""
    assert seen["counts"]["kills at a first start"]
    assert seen["counts"]["kills in a first draw"]


@pytest.mark.parametrize(
    ("flaw", "found"), [("lying journal", Lost), ("inventive table", Invented)]
)
def test_kills_find_what_is_wrong(flaw: str, found: type[Exception], tmp_path: Path):
    wrong = kills("play", tmp_path, KILLS, presence=False, seed=7, flaw=flaw)["wrong"]
    assert f": {found.__name__}: " in wrong


MEAL = ".1.1./.1.122/.112.2./122.2.2./2111..1.2/2...1.2./.2.1211/112211/112.2 1 5-2 40"
"""A position in which e6 eats eight stones."""
EIGHT = ["a3", "b3", "b4", "c5", "f7", "g6", "h5", "h6"]


def test_only_a_real_touch_says_that_a_board_is_laid_out_again(tmp_path: Path):
    options = {"first": "1", "target": "40"}
    entries = [Entry(EntryKind.START, options_text(options)), Entry(EntryKind.SET_UP, MEAL)]
    table = Table(GAME, options, Random(0))
    table.resume(entries, 0.0)
    table.handle(Asked(Command.CONFIRM), 1.0)
    for number, cell in enumerate(["e6", *EIGHT]):
        entries += table.handle(Touched(cell), 2.0 + number)
        table.handle(Lifted(cell), 2.1 + number)
    entries += table.handle(Asked(Command.TAKE_BACK), 20.0)
    checker = InvariantChecker(tmp_path, presence=False)
    checker.goes_on_from([[each.kind.value, each.text] for each in entries])
    laid = [["edit", each.text] for each in table.handle(Touched("e5"), 21.0)]
    assert len(laid) == 9
    with pytest.raises(Invented):
        checker.hear(["accept", laid])
    checker.hear(["do", "touch", "e5"])
    checker.hear(["accept", laid])
    assert not checker.newest().pending()
