"""Kills at random moments: everything shown is there again, and nothing that was not accepted.

The sessions run in processes forked from one without threads (`tests.helpers.kills.program`), on
the simulated board and a virtual clock, with the journal's real thread and a real file.
"""

import pytest

from tests.helpers.kills.program import kills

KILLS = 50


@pytest.mark.parametrize("seed", range(2))
def test_killed_play_comes_back_as_it_was_shown(seed, tmp_path):
    seen = kills("play", tmp_path, KILLS, seed=seed)
    assert seen["wrong"] == ""
    assert seen["kills"] == KILLS
    counts = seen["counts"]
    # The kills have hit the situations that they are meant to hit.
    assert counts["kills within an unfinished game"] > KILLS / 2
    assert counts["kills with a move on its way"] > KILLS / 10
    assert counts["ready"] > KILLS / 2
    assert counts["entries"] > KILLS


def test_killed_first_start_is_followed_by_a_good_one(tmp_path):
    seen = kills("start", tmp_path, 30, seed=7)
    assert seen["wrong"] == ""
    assert seen["counts"]["kills at a first start"]
    assert seen["counts"]["kills in a first draw"]


def test_kills_find_a_journal_that_lies(tmp_path):
    assert ": Lost: " in kills("play", tmp_path, KILLS, seed=7, flawed=True)["wrong"]
