"""Seats: invitations that hold once, keys of which only digests are kept, and their file."""

import hashlib
import json
import logging
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from game.rules.base.situation import Situation
from game.rules.cirkle_mind import GAME
from game.table import BoardSetup, Phase, State
from game.table.state import Setups
from game.web.seats import NAME, Seats, open_seats, qr_code

BOTH = (1, 2)


def seats_in(folder: Path) -> Seats:
    return Seats(folder, "veiled", 2)


def test_seats_are_taken_once_by_their_invitation_until_they_are_freed(tmp_path):
    seats = seats_in(tmp_path)
    codes = [seats.invitation(player) or "" for player in BOTH]
    assert codes[0] != codes[1] == seats.invitation(2)
    assert min(map(len, codes)) >= 22  # 128 bits, six a letter
    for code in ("", "-", "é", "\ud800", "None"):
        assert seats.take(code, BOTH) is None
        assert seats.prove(1, code) is None
        assert seats.prove(9, code) is None
    claim = seats.take(codes[1], BOTH)
    assert claim is not None
    assert (claim.player, seats.taken, seats.invitation(2)) == (2, {2}, None)
    assert seats.holds(claim)
    assert seats.take(codes[1], BOTH) is None
    assert seats.invitation(1) == codes[0]
    for _ in range(2):
        seats.free(2)
        assert not seats.holds(claim)
        assert seats.prove(2, claim.key) is None
        assert seats.take(codes[1], BOTH) is None
        assert seats.invitation(2) not in (None, codes[1])


def test_seats_are_kept_as_digests_that_only_the_owner_can_read(tmp_path):
    other = Seats(tmp_path, "other", 2)
    assert other.take(other.invitation(1) or "", BOTH) is not None
    seats = seats_in(tmp_path)
    assert seats.taken == frozenset()
    code = seats.invitation(2) or ""
    claim = seats.take(code, BOTH)
    assert claim is not None
    saved = (tmp_path / NAME).read_text()
    assert claim.key not in saved
    assert code not in saved
    assert claim.key not in repr(claim)
    digest = hashlib.sha256(claim.key.encode()).hexdigest()
    assert json.loads(saved)["games"]["veiled"] == {"2": digest}
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    again = seats_in(tmp_path)
    assert again.taken == {2}
    assert again.prove(2, claim.key) is not None
    assert again.prove(1, claim.key) is None
    assert again.take(code, BOTH) is None
    # Those of other games stay.
    assert Seats(tmp_path, "other", 2).taken == {1}


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b'{"version": 2, "games": {}}',
        b'{"version": 1, "games": {"veiled": {"1": 2}}}',
        b"[" * 100_000,
    ],
)
def test_damaged_seats_file_is_logged_and_replaced(tmp_path, caplog, content):
    (tmp_path / NAME).write_bytes(content)
    with caplog.at_level(logging.WARNING):
        seats = seats_in(tmp_path)
    assert seats.taken == frozenset()
    assert "all seats are free" in caplog.text
    assert seats.take(seats.invitation(1) or "", BOTH) is not None
    assert seats_in(tmp_path).taken == {1}


def test_seats_hold_until_the_end_where_nothing_can_be_written(tmp_path, caplog):
    (tmp_path / NAME).mkdir()
    with caplog.at_level(logging.WARNING):
        seats = seats_in(tmp_path)
        claim = seats.take(seats.invitation(1) or "", BOTH)
    assert claim is not None
    assert seats.prove(1, claim.key) is not None
    assert len(caplog.records) == 2
    assert "seats hold until the next start" in caplog.text
    assert claim.key not in caplog.text


def test_seat_of_a_side_that_is_laid_out_under_a_cover_is_not_open():
    state = State(Phase.ARRANGE, Situation(GAME, GAME.initial()), {})
    assert open_seats(GAME, state, BOTH) == {1, 2}
    assert open_seats(GAME, replace(state, setups=Setups(on_board=BoardSetup(1))), BOTH) == {2}


def test_qr_code_draws_every_dark_module_within_its_frame():
    drawn = qr_code("http://192.168.1.20:8765/#invite=0123456789abcdefABCDEF")
    size, path = int(str(drawn["size"])), str(drawn["path"])
    dark = set()
    for part in path.split("z")[:-1]:
        start, _, rest = part[1:].partition("h")
        x, y = map(int, start.split())
        dark |= {(x + n, y) for n in range(int(rest.partition("v")[0]))}
    assert min(min(each) for each in dark) == 4
    assert max(max(each) for each in dark) == size - 5
    # The outer ring of the first finder pattern, and what is free inside it.
    assert {(4 + n, 4) for n in range(7)} <= dark
    assert not {(5 + n, 5) for n in range(5)} & dark
