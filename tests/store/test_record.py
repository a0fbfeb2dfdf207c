"""Records of games: made from journals, written and read back, and refused when they are wrong."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.common import RecordError
from game.rules.base.game import AnyGame, settle
from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.store import archive
from game.store.record import Record, from_journal, lines_of
from game.store.record_json import record_to_json
from game.store.record_text import record_to_text, records_from_text
from game.store.store import BOARD, JournalLine, Result, Store, StoredGame
from game.table.entries import (
    AGREED,
    RESIGNED,
    Entry,
    EntryKind,
    computers_text,
    names_text,
    options_text,
)
from tests.store.test_every_games_records import GAMES

AT = "2026-11-21T08:34:12.120+00:00"
LEVELS = st.sampled_from(["", "", "random", "1", "3", "6", "of later days"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12).filter(str.isprintable)
MOST_MOVES = 80
"""Enough for most random games to end."""


def players(draw: st.DrawFn, game: AnyGame, texts: st.SearchStrategy[str]) -> tuple[str, ...]:
    return tuple(draw(texts) for _ in game.players)


@st.composite
def journals(draw: st.DrawFn) -> tuple[str, list[JournalLine]]:
    """Return a game and a possible journal: set up, moves taken back, and how people end it."""
    game, rng = find_game(draw(st.sampled_from(GAMES))), Random(draw(st.integers(0, 2**32)))
    options = settle(game, {})
    if "target" in options:
        options |= {"first": "2", "target": str(draw(st.integers(1, 20)))}
    entries, line = [Entry(EntryKind.START, options_text(options))], [game.initial(options)]
    if draw(st.booleans()):
        for _ in range(draw(st.integers(0, 12))):
            if game.to_move(line[0]) is not None:
                line = [game.play(line[0], game.legal_moves(line[0]).pick(rng))]
        entries.append(Entry(EntryKind.SET_UP, game.text(line[0])))
    for _ in range(draw(st.integers(0, MOST_MOVES))):
        if rng.random() < 0.1 and len(line) > 1:
            entries.append(Entry(EntryKind.TAKE_BACK))
            line.pop()
        elif rng.random() < 0.05:
            entries.append(Entry(EntryKind.NAMES, names_text(players(draw, game, TEXTS))))
        elif rng.random() < 0.1:
            entries.append(Entry(EntryKind.COMPUTERS, computers_text(players(draw, game, LEVELS))))
        elif game.to_move(line[-1]) is not None:
            move = game.legal_moves(line[-1]).pick(rng)
            entries.append(Entry(EntryKind.MOVE, game.move_text(line[-1], move)))
            entries += (
                Entry(EntryKind.EDIT, edit.cell) for edit in game.result(line[-1], move).edits
            )
            line.append(game.play(line[-1], move))
    if game.outcome(line[-1]) is None and draw(st.booleans()):
        entries += [Entry(EntryKind.RESIGN, "1"), Entry(EntryKind.TAKE_BACK)]
        agrees = game.agreed_draws and draw(st.booleans())
        entries.append(Entry(EntryKind.DRAW) if agrees else Entry(EntryKind.RESIGN, "2"))
        # Opponents chosen after the end are for the next game.
        entries.append(Entry(EntryKind.COMPUTERS, computers_text(players(draw, game, LEVELS))))
    return game.name, [JournalLine(entry, AT, 97.25 * n) for n, entry in enumerate(entries)]


def record_of(journal: tuple[str, list[JournalLine]]) -> Record:
    name, lines = journal
    return from_journal(name, BOARD, lines)


def stored(record: Record) -> StoredGame:
    """Return a store's listing of a game; the store knows no rules."""
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        number = store.begin(record.game, BOARD, record.journal, record.result)
        return store.game(number)


@given(st.lists(journals().map(record_of), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_text_and_json_read_back_what_they_wrote(records):
    text = "\n".join(record_to_text(record) for record in records)
    plain = [replace(record, journal=()) for record in records]
    assert archive.records_in(text.encode()) == plain
    whole = json.dumps([record_to_json(record) for record in records])
    assert archive.records_in(whole.encode()) == records
    listed = json.dumps([record_to_json(record) for record in plain], ensure_ascii=False)
    assert archive.records_in(listed.encode()) == plain


@given(journals())
@settings(max_examples=25, deadline=None)
def test_journal_has_the_moves_that_stand_at_its_end(journal):
    record, lines, game = record_of(journal), journal[1], find_game(journal[0])
    assert lines_of(record, "") == lines
    position = game.parse(record.position) if record.position else game.initial(record.options)
    for move in record.moves:
        position = game.play(position, game.parse_move(position, move))
    ended, deciding = game.outcome(position), lines[-2].entry.kind if len(lines) > 1 else None
    if deciding is EntryKind.DRAW:
        assert (ended, record.result) == (None, Result(None, AGREED))
    elif deciding is EntryKind.RESIGN:
        winner = 1 if len(game.players) == 2 else None
        assert (ended, record.result) == (None, Result(winner, RESIGNED))
    else:
        assert record.result == (Result(ended.winner, ended.reason) if ended else None)
    seen = stored(record)
    assert (seen.plies, seen.is_set_up) == (len(record.moves), bool(record.position))
    assert (seen.options, seen.names, seen.computers) == (
        record.options,
        record.names,
        record.computers,
    )
    assert (record.started, record.played_s) == (AT, lines[-1].played_s)
    # Nothing is lost but what hands did, and what was taken back.
    again = from_journal(game.name, BOARD, lines_of(replace(record, journal=()), ""))
    assert record.same_game(again)


@pytest.mark.parametrize(
    "text",
    [
        "e5 e4 e6x",
        "1. e5 e4 2. e6x *",
        "1. e5, e4; 2... e6",
        "1.e5 7. e4 e6 {numbers are ignored}",
        "# from the wall\r\n\r\ne5 {a fine cell} e4 {over\r\n# lines\r\n[Game} e6\r\n",
        "\ufeffe5 e4 e6",
    ],
)
def test_plain_lists_of_moves_are_records_of_the_usual_game(text):
    (record,) = archive.records_in(text.encode())
    assert record.game == "circle-of-life"
    assert record.moves == ("e5", "e4", "e6x")
    assert record.options == {"first": "1", "target": "20"}
    assert (record.names, record.result, record.started) == ((), None, "")


def test_dates_are_read_in_any_zone_and_without_a_time():
    for written, meant in (
        ("2026-11-21", "2026-11-21T00:00:00.000+00:00"),
        ("2026-11-21T20:15+01:00", "2026-11-21T19:15:00.000+00:00"),
    ):
        (record,) = records_from_text(f'[Date "{written}"]\ne5')
        assert record.started == meant


def tags(**values: str) -> str:
    return "".join(f"[{name} {json.dumps(value)}]\n" for name, value in values.items())


WRONG_TEXTS = [
    ("", ("no moves",)),
    ("hello", ("move 1 is 'hello'",)),
    ("e5 e4 e5", ("move 3 is 'e5'", "e5")),
    ("e5 {and so on", ("line 1", "comment", "never ends")),
    (tags(Options="target=1") + "e5 e4 e6 d4", ("move 4 is 'd4'", "over")),
    (tags(Options="target=0"), ("start 1", "target", "0", "1 - 999")),
    (tags(Options="target"), ("tag Options", "key=value")),
    (tags(Game="chess"), ("chess", "circle-of-life")),
    (tags(Colour="red"), ("line 1", "'Colour'", "Player1")),
    (tags(Player3="Cleo") + "e5", ("Player3", "players: 2")),
    (tags(Player1="a") + tags(Player1="b"), ("line 2", "Player1", "twice")),
    (tags(Player1="A" * 41) + "e5", ("names 1", "A" * 41, "at most 40")),
    ('[Player1 "a]\ne5', ("line 1", "a tag is")),
    ('[Player1 "\\ud800"]\ne5', ("line 1", "Player1")),
    (tags(Result="2-0") + "e5", ("2-0", "1-0 | 0-1 | 1/2-1/2 | *")),
    (tags(Date="yesterday") + "e5", ("tag Date", "yesterday", "2026-11-21")),
    (tags(Duration="5 min") + "e5", ("tag Duration", "5 min", "hours:minutes:seconds")),
    (tags(Source="a dream") + "e5", ("tag Source", "a dream", "board | import")),
    (tags(Result="1-0") + "e5 *", ("Result", "1-0", "*")),
    (tags(Result="1-0") + "e5", ("player 1 as winner", "unfinished")),
    (tags(Reason="luck") + "e5", ("Reason", "luck", "no result")),
    (tags(Result="1/2-1/2", Reason="agreed") + "e5", ("agreed", "circle-of-life")),
    (tags(Game="azteka", Result="1-0", Reason="agreed") + "a1", ("player 1", "agreed", "a draw")),
    ("e5 *\n\ne4 e4", ("record from line 3", "move 2 is 'e4'")),
    ("*", ("line 1", "without moves or tags")),
]
GOOD = {
    "format": "lifeboard-game",
    "version": 1,
    "game": "circle-of-life",
    "options": {"target": "1"},
    "moves": ["e5", "e4", "e6"],
}
JOURNAL = [
    {"kind": "start", "text": '{"target": "1"}', "at": AT, "played_s": 0},
    {"kind": "move", "text": "e5", "at": AT, "played_s": 1.5},
]
RESIGNS = JOURNAL[1] | {"kind": "resign", "text": "1"}
WRONG_CHANGES = [
    ({"format": "pgn"}, ("format", "pgn", "lifeboard-game")),
    ({"version": 2}, ("version is 2", "allowed: 1", "update")),
    ({"colour": 1}, ("colour is unknown", "moves")),
    ({"names": ["A" * 41, ""]}, ("A" * 41, "at most 40")),
    ({"journal": JOURNAL, "options": {"target": "x"}}, ("options", "x", "the journal says")),
    ({"names": ["\ud800", ""]}, ("surrogate",)),
    ({"computers": [1, None]}, ("computers[0] is 1", "allowed: a text")),
    ({"result": {"winner": 2}}, ("player 2", "player 1")),
    ({"result": {"winner": "Anna"}}, ("result.winner is 'Anna'", "a whole number")),
    ({"played_s": -1}, ("played_s is -1", "from 0 on")),
    ({"journal": [1]}, ("journal[0] is 1", "an object")),
    ({"journal": JOURNAL[1:]}, ("move 1 is 'e5'",)),
    ({"journal": [JOURNAL[0] | {"kind": "dance"}]}, ("journal[0].kind", "dance", "take_back")),
    ({"journal": [JOURNAL[0] | {"text": "[" * 5000}]}, ("start 1",)),
    ({"journal": [JOURNAL[0] | {"played_s": 2}, JOURNAL[1]]}, ("journal line 2", "falls")),
    ({"journal": JOURNAL}, ("moves", "e4", "the journal says")),
    ({"journal": [JOURNAL[0], RESIGNS, JOURNAL[1]]}, ("move 1 is 'e5'", "over")),
]
NONSENSE = [
    (b"{", "not JSON"),
    (b'{"played_s": 0}', "format is missing"),
    (b'{"version": ' + b"9" * 5000 + b"}", "not JSON"),
    (b'[{"a": ' * 100_000, "recursion"),
    (b"[]", "no record"),
    (b"e5 e4 \x80", "byte 0x80 in position 6"),
]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        *((text.encode(), parts) for text, parts in WRONG_TEXTS),
        *((json.dumps(GOOD | changes).encode(), parts) for changes, parts in WRONG_CHANGES),
        *((content, (part,)) for content, part in NONSENSE),
    ],
)
def test_wrong_record_is_refused_in_one_line_with_its_place_and_what_is_allowed(content, parts):
    with pytest.raises(RecordError) as refused:
        archive.records_in(content)
    seen = str(refused.value)
    assert seen.isprintable(), seen
    assert len(seen) < 600
    for part in parts:
        assert part in seen


CHANGES = st.tuples(st.floats(0, 1), st.one_of(TEXTS, st.sampled_from('"[]{}0*e5\n')))


@given(journals().map(record_of), st.booleans(), st.lists(CHANGES, max_size=4), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_any_change_of_a_record_is_read_or_refused(record, as_json, changes, cut):
    text = json.dumps(record_to_json(record)) if as_json else record_to_text(record)
    for where, what in changes:
        at = int(where * len(text))
        text = text[:at] + what + text[at + cut :]
    refusal, records = "", []
    try:
        records = archive.records_in(text.encode())
    except RecordError as error:
        refusal = str(error)
    assert bool(records) != bool(refusal)
    assert refusal.isprintable()
    for each in records:
        assert records_from_text(record_to_text(each)) == [replace(each, journal=())]


def test_games_are_the_same_by_their_moves_and_their_time():
    one = Record(GAME.name, moves=("e5",), started=AT)
    assert one.same_game(
        replace(one, journal=(JournalLine(Entry(EntryKind.START), AT, 0.0),), source="import")
    )
    assert one.same_game(replace(one, started=""))
    assert not one.same_game(replace(one, started="2026-11-22T00:00:00.000+00:00"))
    assert not one.same_game(replace(one, moves=("e6",)))
    assert not one.same_game(replace(one, names=("Anna", "Beat")))
    # Texts from before the tag was introduced lack the computers.
    against = replace(one, computers=("", "3"))
    assert against.same_game(one)
    assert one.same_game(against)
    assert not against.same_game(replace(one, computers=("", "2")))


RESIGNS, BACK = Entry(EntryKind.RESIGN, "1"), Entry(EntryKind.TAKE_BACK)
NEXT = Entry(EntryKind.COMPUTERS, computers_text(("6", "6")))


@pytest.mark.parametrize(
    ("more", "computers"),
    [
        ((NEXT,), ("", "3")),
        ((BACK, RESIGNS, NEXT), ("", "3")),
        # Unless this game continues.
        ((NEXT, BACK), ("6", "6")),
        ((BACK, RESIGNS, NEXT, BACK), ("6", "6")),
    ],
)
def test_opponents_chosen_after_the_end_are_those_of_the_next_game(more, computers):
    won = [
        Entry(EntryKind.START, options_text({"first": "1", "target": "1"})),
        Entry(EntryKind.COMPUTERS, computers_text(("", "3"))),
        *(Entry(EntryKind.MOVE, cell) for cell in ("e5", "e4", "e6")),
    ]
    lines = [JournalLine(each, AT, 0.0) for each in (*won, *more)]
    record = record_of((GAME.name, lines))
    assert record.computers == stored(record).computers == computers
