"""Kills at random moments: what light had shown is there again, and nothing that was not accepted.

The sessions run in processes forked from one without threads (`tests.helpers.kills.program`),
on the emulated board and a virtual clock, with the journal's real thread and a real file.
"""

from pathlib import Path

import pytest

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


def test_kills_find_a_journal_that_lies(tmp_path: Path):
    wrong = kills("play", tmp_path, KILLS, presence=False, seed=7, flawed=True)["wrong"]
    assert ": Lost: " in wrong
