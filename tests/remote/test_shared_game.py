"""One side of a game on two boards: who may write what, and what it accepts from the other side."""

import json
from dataclasses import replace

import pytest
from msgspec import structs

from game.remote.chain import Keys, write
from game.remote.shared_game import SENT_AT_ONCE, Ask, SharedGame
from game.rules.base.names import player_name
from game.table import apply_entries
from game.table.entries import Entry, EntryKind, names_text
from tests.helpers.names import AWKWARD, UNTIDY
from tests.helpers.remote.model import KEYS, setting


def opened(side: int, session: str = "s", heap: int = 20) -> SharedGame:
    return SharedGame.opened(setting(side, session, heap), (), {})


def exchange(one: SharedGame, two: SharedGame) -> tuple[SharedGame, SharedGame]:
    """Exchange messages until nothing new comes."""
    for _ in range(6):
        two = two.receive(one.report())
        one = one.receive(two.report())
    return one, two


def playing(*moves: str, heap: int = 20) -> tuple[SharedGame, SharedGame]:
    """Return both sides after some moves."""
    one, two = exchange(opened(1, "a", heap), opened(2, "b", heap))
    for move in moves:
        one, two = exchange(one.play(len(one.chain), move), two.play(len(two.chain), move))
    assert one.chain == two.chain
    return one, two


def kinds(game: SharedGame) -> list[str]:
    return [entry.kind.value for entry in game.chain]


@pytest.mark.parametrize("name", [*map(player_name, AWKWARD)], ids=ascii)
def test_a_game_begins_whatever_the_players_are_called(name):
    two = SharedGame.opened(replace(setting(2, "b", 20), name=name), (), {})
    one, two = exchange(opened(1, "a"), two)
    assert one.state is not None
    assert one.state.names == ("P1", name)
    assert one.chain == two.chain


@pytest.mark.parametrize(("text", "name"), UNTIDY.items(), ids=ascii)
def test_a_record_is_never_ahead_of_the_tables_rule_for_names(text, name):
    one, _ = playing()
    start = json.loads(one.chain[0].text) | {"names": ["P1", text]}
    entry = write(KEYS, (), 1, EntryKind.START, json.dumps(start))
    state = SharedGame.opened(setting(2, "b", 20), (entry,), {}).state
    assert state is not None
    assert state.names == ("P1", name)
    names = Entry(EntryKind.NAMES, names_text(state.names))
    assert apply_entries(state, names).names == state.names


@pytest.mark.parametrize(
    "forged",
    [
        lambda chain: write(Keys("other", b"x" * 32), chain, 2, EntryKind.MOVE, "1"),
        lambda chain: structs.replace(write(KEYS, chain, 2, EntryKind.MOVE, "1"), text="2"),
        lambda chain: structs.replace(
            write(KEYS, chain[:-1], 2, EntryKind.MOVE, "1"), number=len(chain)
        ),
    ],
    ids=["with another key", "changed", "after another entry"],
)
def test_an_entry_that_does_not_follow_is_not_taken(forged):
    one, two = playing("1")
    report = replace(two.report(), entries=(forged(two.chain),))
    assert one.receive(report).chain == one.chain


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (EntryKind.TAKE_BACK, "1"),
        (EntryKind.DRAW, ""),
        (EntryKind.RESIGN, "1"),
        (EntryKind.MOVE, "9"),
        (EntryKind.SET_UP, "3 1"),
        (EntryKind.START, "{}"),
    ],
)
def test_the_other_side_cannot_do_alone_what_needs_both(kind, text):
    one, two = playing("1")
    entry = write(KEYS, two.chain, 2, kind, text)
    after = one.receive(replace(two.report(), entries=(entry,), length=3, head=entry.hash))
    assert after.chain == one.chain
    assert after.differs is not None


def test_moves_are_taken_back_when_both_ask_as_far_as_both_want():
    one, two = playing("1", "2")
    alone = SharedGame.opened(one.setting, one.chain, {}).ask(3, Ask.TAKE_BACK, 2)
    assert (alone.chain, alone.asks) == (one.chain, {Ask.TAKE_BACK: 2})
    one, two = exchange(one.ask(3, Ask.TAKE_BACK, 2), two)
    assert len(one.chain) == 3, "the other side has not agreed"
    assert two.their_asks == {Ask.TAKE_BACK: 2}
    back, same = exchange(one, two.ask(3, Ask.TAKE_BACK, 1))
    assert back.chain == same.chain
    assert len(back.state.history) == 1
    assert back.asks == same.asks == {}
    one, two = exchange(one.play(3, "1"), two)
    assert kinds(two)[-1] == "move", "which answers the ask with no"
    assert one.asks == two.their_asks == {}


def test_a_lost_record_comes_back_from_the_other_board():
    moves = SENT_AT_ONCE + 20
    one, _ = playing(*["1"] * moves, heap=99)
    assert opened(2, "new").receive(one.report()).chain == (), "that may be an old message"
    one, back = exchange(one, opened(2, "new"))
    assert len(one.chain) == moves + 1, "more than one message holds"
    assert back.chain == one.chain
    assert back.differs is None


def test_a_game_begins_neither_by_an_old_message_nor_with_another_game():
    one, two = opened(1, "a"), opened(2, "b")
    assert one.receive(two.report()).chain == (), "that may be an old message"
    for _ in range(3):
        two = two.receive(one.report())
        one = one.receive(replace(two.report(), game="chess"))
    assert one.chain == ()


def test_records_that_part_stop_both_boards_and_say_where():
    one, two = playing("1")
    other_one, _ = playing("2")
    one, two = exchange(replace(other_one, setting=one.setting), two)
    for each in (one, two):
        assert each.differs is not None
        assert (each.differs.key, each.differs.args["entry"]) == ("remote.differs", 1)
    assert one.play(2, "1").chain == one.chain


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (EntryKind.CLOCK, "[300, 301]"),
        (EntryKind.CLOCK, "[200, 299]"),
        (EntryKind.CLOCK, "[299]"),
        (EntryKind.CLOCK, "[300, -1]"),
        (EntryKind.FLAG, "1"),
    ],
)
def test_a_side_tells_no_time_but_its_own_and_never_more_of_it(kind, text):
    one, two = exchange(
        *(
            SharedGame.opened(setting(side, name, 20, clock="fischer:300+3"), (), {})
            for side, name in ((1, "a"), (2, "b"))
        )
    )
    assert one.flag(0) == one.play(0, "1", 297) == one, "not the place"
    assert one.play(1, "9", 297) == one, "no time is told without its move"
    one, two = exchange(one.play(1, "1", 297), two)
    entry = write(KEYS, two.chain, 2, kind, text)
    after = one.receive(replace(two.report(), entries=(entry,), length=4, head=entry.hash))
    assert after.chain == one.chain
    assert after.differs is not None
