"""Records of every game: text, JSON, history and replay."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from game.common import RecordError
from game.rules.base.edits import EditKind
from game.rules.base.registry import find_game
from game.rules.boards.disc import disc
from game.store import archive, record_json
from game.store.archive import draw, history
from game.store.record import (
    Record,
    Result,
    checked,
    final_state,
    from_journal,
    outcome_of,
    round_numbers,
)
from game.store.record_json import record_to_json, records_from_json
from game.store.record_text import record_to_text, records_from_text
from game.store.store import BOARD, JournalLine, Store
from game.table.entries import (
    AGREED,
    RESIGNED,
    Entry,
    EntryKind,
    computers_text,
    names_text,
    options_text,
)
from game.table.scene import Cue
from game.table.state import State
from game.web.replay import Pace, ReplayFrame, picture, replay_frames

AT = "2026-11-21T08:34:12.120+00:00"

GAMES = [
    *("azteka", "azteka-aggressive", "azteka-three", "adaptoid", "circle-of-life"),
    "eat-your-neighbor",
]
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")
"""The first round of Azteka, in which Life declines a birth."""


def played(name: str, seed: int = 1, most: int = 400) -> Record:
    """A random game, to its end unless it is longer than so many moves."""
    game, rng = find_game(name), Random(seed)
    position, moves = game.initial({}), []
    while len(moves) < most and game.to_move(position) is not None:
        move = game.legal_moves(position).pick(rng)
        moves.append(game.move_text(position, move))
        position = game.play(position, move)
    players = len(game.players)
    names = tuple(f"P{n}" for n in range(players))
    return checked(
        Record(name, {}, names, ("3", *("",) * (players - 1)), moves=tuple(moves)), False
    )


def journal_of(record: Record, *more: Entry) -> list[JournalLine]:
    """Return the journal of a game in which moves are also taken back."""
    entries = [
        Entry(EntryKind.START, options_text(dict(record.options))),
        Entry(EntryKind.NAMES, names_text(record.names)),
        Entry(EntryKind.COMPUTERS, computers_text(record.computers)),
    ]
    for number, move in enumerate(record.moves):
        entries.append(Entry(EntryKind.MOVE, move))
        if number % 5 == 2:
            entries += (Entry(EntryKind.TAKE_BACK), Entry(EntryKind.MOVE, move))
    entries += more
    return [JournalLine(entry, AT, float(n)) for n, entry in enumerate(entries)]


def save_game(folder: Path, record: Record, *more: Entry) -> Record:
    lines = journal_of(record, *more)
    saved = from_journal(record.game, BOARD, lines)
    with Store(folder) as store:
        store.begin(record.game, BOARD, lines, outcome_of(saved))
    return saved


def movetext(written: str) -> str:
    return written.partition("\n\n")[2]


@pytest.mark.parametrize("name", GAMES)
def test_text_and_json_of_every_game_read_back(name, tmp_path):
    for seed, most in ((0, 25), (1, 1000), (2, 1000)):
        record = played(name, seed, most)
        assert most == 25 or record.result is not None
        written = record_to_text(record)
        assert archive.records_in(written.encode()) == [record]
        assert max(map(len, written.splitlines())) < 120
        saved = from_journal(name, BOARD, journal_of(record))
        for each in (saved, replace(saved, journal=())):
            found = json.dumps(record_to_json(each))
            assert archive.records_in(found.encode()) == [each]
        with Store(tmp_path / f"{seed} {most}") as store:
            listed = store.game(store.begin(name, BOARD, saved.journal, outcome_of(saved)))
        assert (listed.plies, listed.names, listed.computers) == (
            len(saved.moves),
            saved.names,
            saved.computers,
        )


def test_blank_within_a_move_is_written_as_a_low_line():
    moves = ("W:d4 B:e4", "white")
    record = checked(Record("adaptoid", moves=moves), False)
    assert movetext(record_to_text(record)) == "1. W:d4_B:e4 white *\n"
    (read,) = records_from_text('[Game "adaptoid"]\n1. W:d4_B:e4 white')
    assert read.moves == moves


def test_move_straight_after_ones_own_has_the_same_number():
    record = checked(Record("azteka", moves=REIGN), False)
    assert list(round_numbers(record)) == [1, 1, 2, 2, 3, 3, 4, 4, 4]
    assert movetext(record_to_text(record)).endswith(" 4. a4 - c4 *\n")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("chosen", "name"), [("three", "azteka-three"), ("aggressive", "azteka-aggressive")]
)
def test_record_of_a_game_with_a_variant_is_the_variants(form, chosen, name):
    moves = ["a1", "b2", "T3"]
    if form == "text":
        tags = f'[Game "azteka"]\n[Options "variant={chosen}"]\n'
        (read,) = records_from_text(tags + " ".join(moves))
    else:
        found = {"game": "azteka", "options": {"variant": chosen}, "moves": moves}
        head = {"format": record_json.FORMAT, "version": record_json.VERSION}
        (read,) = records_from_json(json.dumps(head | found))
    assert read.game == name
    assert read.same_game(checked(Record(name, moves=tuple(moves)), False))


@pytest.mark.parametrize("code", ["L", "W2L1P"])
def test_drawing_of_a_disc_runs_no_two_cells_together(code):
    class Round:
        board = disc()

    drawn = draw(Round, dict.fromkeys(Round.board.cells, code), "c2")
    assert drawn.count(code) == 32
    assert drawn.split().count(code) == 31
    assert f"({code})" in drawn


@pytest.mark.parametrize("name", GAMES)
def test_stills_lead_from_the_empty_board_to_the_end(name):
    game, record = find_game(name), played(name, 5)
    shown = replay_frames(game, record)
    assert (shown[0].steps, shown[-1].steps) == (0, len(record.moves))
    assert [each.steps for each in shown] == sorted(each.steps for each in shown)
    assert dict(shown[-1].state.standing) == game.pieces(final_state(record).position)
    # Transient displays end by the time of the next move.
    for each, after in pairwise(shown):
        assert after.steps == each.steps or not each.state.pending
    for each in shown:
        picture(game, each, Pace.PAUSED, len(record.moves))


def pauses(name: str, *moves: str) -> list[State]:
    """Return the states of a game's last move, in the order in which they are shown."""
    game, record = find_game(name), checked(Record(name, moves=moves), False)
    return [each.state for each in replay_frames(game, record) if each.steps == len(moves)]


def test_ring_is_shown_as_it_is_to_be_turned():
    before, after = pauses("azteka", "a2", "c2", "T2")
    (edit,) = before.pending
    assert (edit.kind, edit.cell, edit.steps) == (EditKind.TURN, "ring2", 1)
    assert before.ring_turn is not None
    assert (before.ring_turn.ring, before.ring_turn.steps) == ("ring2", 1)
    assert (dict(before.standing), before.ring_turn.ring) == ({"a2": "L", "c2": "D"}, "ring2")
    assert (dict(after.standing), after.ring_turn) == ({"b2": "L", "d2": "D"}, None)


def test_end_of_a_round_is_shown_before_the_board_is_cleared():
    game = find_game("azteka")
    before, after = pauses("azteka", *REIGN)
    assert before.standing.keys() >= {"a1", "c3", "c4"}
    scene = picture(game, ReplayFrame(before, len(REIGN), 1.0), Pace.RUNNING, len(REIGN))
    assert {lamp.cue for lamp in scene.cells.values()} == {Cue.REMOVE}
    assert {edit.kind for edit in before.pending} == {EditKind.REMOVE}
    assert dict(after.standing) == {}


def test_game_of_three_that_is_resigned_has_no_winner(tmp_path):
    name = "azteka-three"
    record = save_game(tmp_path, played(name, 1, 4), Entry(EntryKind.RESIGN, "2"))
    assert record.result == Result(None, RESIGNED)
    assert "draw (resigned)" in history(tmp_path, None, as_json=False)
    written = record_to_text(record)
    assert '[Result "1/2-1/2-1/2"]\n[Reason "resigned"]' in written
    (read,) = records_from_text(written)
    assert read.same_game(record)
    shown = replay_frames(find_game(name), read)
    assert len(shown) >= 5
    assert shown[-1].state.outcome is not None


@pytest.mark.parametrize("name", ["azteka", "azteka-three"])
def test_draw_that_was_agreed_on_is_saved_and_can_be_taken_back(tmp_path, name):
    record = save_game(tmp_path / "1", played(name, 1, 4), Entry(EntryKind.DRAW))
    assert record.result == Result(None, AGREED)
    (found,) = json.loads(history(tmp_path / "1", None, as_json=True))
    assert (found["plies"], found["winner"], found["reason"]) == (4, None, AGREED)
    (read,) = records_from_text(record_to_text(record))
    assert read.same_game(record)
    assert replay_frames(find_game(name), read)[-1].state.outcome is not None
    back = save_game(
        tmp_path / "2", played(name, 1, 4), Entry(EntryKind.DRAW), Entry(EntryKind.TAKE_BACK)
    )
    assert (back.result, len(back.moves)) == (None, 4)
    (found,) = json.loads(history(tmp_path / "2", None, as_json=True))
    assert (found["plies"], found["reason"]) == (4, None)


def test_draw_cannot_be_agreed_on_in_a_game_without():
    with pytest.raises(RecordError, match=r"agreed.*circle-of-life"):
        records_from_text('[Result "1/2-1/2"]\n[Reason "agreed"]\ne5')
    with pytest.raises(RecordError, match=r"player 1 as winner \(agreed\).*a draw"):
        records_from_text('[Game "azteka"]\n[Result "1-0"]\n[Reason "agreed"]\na1')
