"""One side of a game on two boards: who may write what, and what it accepts from the other side."""

import json
from dataclasses import replace

import pytest
from msgspec import structs

from game.remote.chain import Keys, write
from game.remote.shared_game import SENT_AT_ONCE, Ask, SharedGame
from game.rules.base.names import player_name
from game.table import apply_entries
from game.table.entries import TIME_UP, Entry, EntryKind, names_text
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


def test_a_game_begins_when_each_side_has_heard_the_other():
    one, two = opened(1, "a"), opened(2, "b")
    one = one.receive(two.report())
    assert one.chain == (), "that may be an old message"
    two = two.receive(one.report())
    one = one.receive(two.report())
    assert kinds(one) == ["start"]
    assert '"names": ["P1", "P2"]' in one.chain[0].text
    assert '"programs": ["1", "1"]' in one.chain[0].text


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


def test_only_the_side_of_the_player_to_move_writes():
    one, two = playing()
    assert two.play(1, "1") == two
    after = one.play(1, "1")
    assert kinds(after) == ["start", "move"]
    assert after.play(2, "1") == after
    assert one.play(0, "1") == one.play(1, "9") == one, "not the place, or no legal move"


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
    for count, left in ((1, 1), (2, 0)):
        back, same = exchange(one, two.ask(3, Ask.TAKE_BACK, count))
        assert back.chain == same.chain
        assert back.state is not None
        assert len(back.state.history) == left
        assert back.asks == same.asks == {}
    one, two = exchange(one.play(3, "1"), two)
    assert kinds(two)[-1] == "move", "which answers the ask with no"
    assert one.asks == two.their_asks == {}


def test_who_resigns_while_the_other_is_to_move_has_resigned_and_the_other_player_begins():
    one, two = playing("1")
    one, two = exchange(one.ask(2, Ask.RESIGN), two)
    last = one.chain[-1]
    assert (last.kind, last.side, last.text) == (EntryKind.RESIGN, 2, "1")
    assert one.state is not None
    assert one.state.outcome is not None
    assert one.state.outcome.winner == 2
    one, two = exchange(one.ask(3, Ask.NEW_GAME), two.ask(3, Ask.NEW_GAME))
    assert kinds(two)[-1] == "start"
    assert two.state is not None
    assert (two.state.options["first"], two.writer) == ("2", 2)


def test_a_lost_record_comes_back_from_the_other_board():
    moves = SENT_AT_ONCE + 20
    one, _ = playing(*["1"] * moves, heap=99)
    assert opened(2, "new").receive(one.report()).chain == (), "that may be an old message"
    one, back = exchange(one, opened(2, "new"))
    assert len(one.chain) == moves + 1, "more than one message holds"
    assert back.chain == one.chain
    assert back.differs is None


def test_another_game_on_the_other_board_is_not_begun():
    one, two = opened(1, "a"), opened(2, "b")
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


def timed() -> tuple[SharedGame, SharedGame]:
    """Return both sides at the beginning of a game with five minutes and three seconds a move."""
    clock = {"clock": "fischer:300+3"}
    one, two = (
        SharedGame.opened(replace(setting(side, name, 20), options=clock | {"first": "1"}), (), {})
        for side, name in ((1, "a"), (2, "b"))
    )
    return exchange(one, two)


def left(game: SharedGame) -> tuple[float, ...]:
    assert game.state is not None
    assert game.state.clocks is not None
    return game.state.clocks.left


def test_a_move_brings_the_time_that_its_player_has_left():
    one, two = timed()
    one, two = exchange(one.play(1, "1", 290.25), two)
    assert kinds(two) == ["start", "clock", "move"]
    assert left(one) == left(two) == (293.25, 300)
    assert one.play(3, "1", 100) == one, "it is not its turn"
    assert two.play(3, "9", 100) == two, "no time is told without its move"
    one, two = exchange(one, two.play(3, "1", 299))
    one, two = exchange(one.ask(5, Ask.TAKE_BACK, 1), two.ask(5, Ask.TAKE_BACK, 1))
    assert left(one) == left(two) == (293.25, 299)


def test_a_player_whose_time_is_up_has_lost_on_both_boards():
    one, two = timed()
    assert one.flag(0) == one, "not the place"
    one, two = exchange(one.flag(1), two)
    assert two.state is not None
    assert two.state.outcome is not None
    assert (two.state.outcome.winner, two.state.outcome.reason) == (2, TIME_UP)
    assert kinds(one) == kinds(two)


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
    one, two = timed()
    one, two = exchange(one.play(1, "1", 297), two)
    entry = write(KEYS, two.chain, 2, kind, text)
    after = one.receive(replace(two.report(), entries=(entry,), length=4, head=entry.hash))
    assert after.chain == one.chain
    assert after.differs is not None


def test_no_clock_is_written_in_a_game_without():
    one, _ = playing()
    assert kinds(one.play(1, "1", 100)) == ["start", "move"]
    assert one.flag(1) == one
