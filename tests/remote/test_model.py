"""Every behaviour of two boards in short games on any channel: the same game on both."""

import pytest

from game.remote import shared_game
from game.remote.shared_game import Ask, SharedGame
from game.table.entries import EntryKind
from tests.helpers.effort import effort
from tests.helpers.remote.model import Limits, Model

BACK, BACK_TWO, DRAW = (Ask.TAKE_BACK, 1), (Ask.TAKE_BACK, 2), (Ask.DRAW, 1)
RESIGN, AGAIN = (Ask.RESIGN, 1), (Ask.NEW_GAME, 1)
EVERY_ASK = (BACK, DRAW, RESIGN, AGAIN)

MODELS = {
    "whole games": Limits(4, moves=("1", "2", "3")),
    "plugs pulled": Limits(2, kills=(1, 1)),
    "take back, plug pulled": Limits(3, kills=(1, 0), asks=(BACK,), most_asks=1),
    "ends": Limits(3, asks=(DRAW, RESIGN), most_asks=1),
    "clocks, plugs pulled": Limits(4, kills=(1, 0), lefts=(30.0,)),
    "a disk lost": Limits(2, lost_disks=(0, 1)),
    "the other disk lost": Limits(2, lost_disks=(1, 0)),
}
MORE = {
    "longer, plugs pulled": Limits(3, kills=(1, 1)),
    "each asks once": Limits(3, asks=EVERY_ASK, most_asks=1),
    "take back, other plug pulled": Limits(3, kills=(0, 1), asks=(BACK,), most_asks=1),
    "take back twice": Limits(4, asks=(BACK, BACK_TWO), most_asks=2),
    "end and begin again": Limits(3, asks=(RESIGN, AGAIN), most_asks=2, heap=1),
}
SHORTER = {"plugs pulled", "take back, plug pulled", "ends"}
LONG = [name for name in MODELS | MORE if name not in SHORTER]
"""What is tried instead of all models: one in `MORE` does what each of the shorter ones does."""


@pytest.mark.parametrize(
    ("name", "whole"),
    [(name, True) for name in MODELS]
    # With more states, a message holds one entry.
    + [(name, False) for name in (MODELS, LONG)[effort(0, 1)]],
)
def test_both_boards_have_the_same_game_or_say_that_they_differ(name, whole, monkeypatch):
    if not whole:
        monkeypatch.setattr(shared_game, "SENT_UNASKED", 1)
        monkeypatch.setattr(shared_game, "SENT_AT_ONCE", 1)
    limits = (MODELS | MORE)[name]
    found = Model(limits).explore()
    assert found.wrong == []
    assert found.states > 50
    kinds = set().union(*found.entries)
    assert {EntryKind.START, EntryKind.MOVE} <= kinds
    asked = {ask for ask, _ in limits.asks}
    assert not limits.lefts or {EntryKind.CLOCK, EntryKind.FLAG} <= kinds
    assert kinds >= {EntryKind(ask.value) for ask in asked if ask is not Ask.NEW_GAME}


def test_the_model_finds_boards_that_write_when_it_is_not_their_turn(monkeypatch):
    monkeypatch.setattr(SharedGame, "writer", property(lambda game: game.setting.side))
    assert Model(MODELS["whole games"]).explore().wrong
