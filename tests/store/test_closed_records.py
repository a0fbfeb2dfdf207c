"""Records of a game that hides things: closed until it is over, open and whole after that."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from game.common import AppError, RecordError
from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.rules.cirkle_mind import GAME
from game.store.archive import export, history, import_files, record_of
from game.store.record import from_journal
from game.store.record_json import record_to_json, records_from_json
from game.store.record_text import record_to_text
from game.store.store import BOARD, IMPORT, JournalLine, Store
from game.table.entries import Entry, EntryKind, options_text, seal_text
from tests.helpers.programs.mind_listener import Script, found_in, script

END = Outcome(1, "resigned", say("rules.game_over"))


def entries_of(game_script: Script, moves: int, resigned: bool = False) -> list[Entry]:
    """Write what a table keeps of a game, up to so many moves after the set-ups."""
    options = {"first": "1", "level": game_script.level}
    entries = [Entry(EntryKind.START, options_text(options))]
    position, laid = GAME.initial(options), []
    for player, pieces in game_script.set_ups.items():
        move = GAME.arrangement(position, player, pieces)
        laid.append(move)
        position = GAME.play(position, move)
        entries.append(Entry(EntryKind.SEAL, seal_text(player, move)))
    entries += (Entry(EntryKind.MOVE, move) for move in laid)
    for move, shown in list(zip(game_script.moves, game_script.shown, strict=True))[:moves]:
        entries.append(Entry(EntryKind.MOVE, move))
        entries += [Entry(EntryKind.COVER)] if shown else []
    return entries + ([Entry(EntryKind.RESIGN, "2")] if resigned else [])


def lines(entries: Sequence[Entry], day: int = 1) -> list[JournalLine]:
    return [
        JournalLine(each, f"2026-11-{day:02}T08:00:{n % 60:02}.000+00:00", float(n))
        for n, each in enumerate(entries)
    ]


def save_game(
    folder: Path, entries: Sequence[Entry], day: int = 1, over: bool = False, source: str = BOARD
) -> None:
    with Store(folder) as store:
        store.begin(GAME.name, source, lines(entries, day), END if over else None)


def asking(folder: Path, which: str) -> list[Callable[[], object]]:
    return [
        lambda: record_of(folder, which),
        lambda: export(folder, [which], as_json=False),
        lambda: export(folder, [which], as_json=True),
    ]


def test_record_of_a_game_that_is_not_over_is_closed(tmp_path):
    game_script = script("easy", 1)
    for count in range(1, len(entries_of(game_script, 7))):
        folder = tmp_path / str(count)
        save_game(folder, entries_of(game_script, 7)[:count])
        for ask in (*asking(folder, "1"), *asking(folder, "last"), *asking(folder, "all")[1:]):
            with pytest.raises(AppError, match="closed until it ends") as refused:
                ask()
            assert found_in(str(refused.value)) == set()
        assert found_in(history(folder, None, as_json=True)) == set()
        assert "unfinished" in history(folder, None, as_json=False)


def test_record_is_open_once_the_game_is_over_or_a_newer_one_begun(tmp_path):
    game_script = script("easy", 1)
    save_game(tmp_path, entries_of(game_script, 3), day=1)
    save_game(tmp_path, entries_of(game_script, 2, resigned=True), day=2, over=True)
    for which in ("1", "2", "last"):
        for ask in asking(tmp_path, which):
            assert found_in(str(ask())) != set()
    save_game(tmp_path, entries_of(game_script, 2), day=3)
    for which in ("1", "2"):
        for ask in asking(tmp_path, which):
            assert found_in(str(ask())) != set()
    with pytest.raises(AppError, match="game 3 is cirkle-mind and not over"):
        record_of(tmp_path, "last")
    assert len(json.loads(export(tmp_path, ["all"], as_json=True))) == 2


def test_import_does_not_open_a_closed_game_nor_close_it_by_a_newer_one(tmp_path):
    game_script = script("easy", 1)
    here, copy = tmp_path / "here", tmp_path / "copy.json"
    save_game(here, entries_of(game_script, 3))
    record = from_journal(GAME.name, BOARD, lines(entries_of(game_script, 3)))
    copy.write_text(json.dumps(record_to_json(record)))
    (said,) = import_files(here, [str(copy)])
    assert "not over, and stays closed" in said
    # A game that has continued differently since then is still the same game.
    other = tmp_path / "other"
    save_game(other, [*entries_of(game_script, 2), Entry(EntryKind.MOVE, "D4-D5")])
    (said,) = import_files(other, [str(copy)])
    assert "stays closed" in said
    save_game(here, entries_of(script("easy", 2), 7), day=2, over=True, source=IMPORT)
    with pytest.raises(AppError, match="closed until it ends"):
        record_of(here, "1")
    assert record_of(here, "2")[1].moves[0].startswith("setup A")


def test_import_says_the_same_of_right_and_wrong_guesses_at_a_closed_game(tmp_path):
    right, wrong = script("easy", 1), script("easy", 2)
    assert right.set_ups != wrong.set_ups
    playing = tmp_path / "playing"
    save_game(playing, entries_of(right, 0))
    said = []
    for name, game_script in (("right", right), ("wrong", wrong)):
        guess = from_journal(GAME.name, BOARD, lines(entries_of(game_script, 0)))
        file = tmp_path / f"{name}.txt"
        file.write_text(record_to_text(replace(guess, started="")))
        (answer,) = import_files(playing, [str(file)])
        said.append(answer.partition(": ")[2].replace("game 3", "game 2"))
    assert said == ["game 2, cirkle-mind, 2 moves"] * 2


@pytest.mark.parametrize("sealed", [1, 2])
def test_set_ups_that_never_came_to_play_are_shown_by_nothing(tmp_path, sealed):
    game_script = script("easy", 1)
    before = entries_of(game_script, 0)[: 1 + sealed]
    given_up = [*before, Entry(EntryKind.RESIGN, "2")]
    save_game(tmp_path, given_up, day=1, over=True)
    save_game(tmp_path, before, day=2)
    save_game(tmp_path, entries_of(game_script, 1), day=3)
    for which in ("1", "2"):
        for ask in asking(tmp_path, which):
            assert found_in(str(ask())) == set()
    assert found_in(export(tmp_path, ["all"], as_json=True)) == set()
    record = record_of(tmp_path, "1")[1]
    assert records_from_json(json.dumps(record_to_json(record))) == [record]
    assert found_in(str(record)) == set()


def test_only_what_was_played_is_reported_of_set_ups_that_were_changed(tmp_path):
    start, first, *rest = entries_of(script("easy", 1), 3, resigned=True)
    changed = entries_of(script("easy", 2), 0)[1]
    again = Entry(EntryKind.SEAL, seal_text(1, None))
    save_game(tmp_path, [start, changed, again, first, *rest], over=True)
    whole = export(tmp_path, ["1"], as_json=True)
    assert json.loads(changed.text)[1] not in whole
    assert json.loads(first.text)[1] in whole
    (tmp_path / "all").write_text(whole)
    (summary,) = import_files(tmp_path / "in", [str(tmp_path / "all")])
    assert summary.endswith("5 moves")


def test_damaged_journal_is_reported_without_what_is_hidden():
    game_script = script("easy", 1)
    entries = entries_of(game_script, 1)
    wrong = Entry(EntryKind.SEAL, entries[1].text.replace("=", "=q", 1))
    move = Entry(EntryKind.MOVE, "setup A1=yC")
    for bad in ([entries[0], wrong, *entries[2:]], [entries[0], entries[4]], [*entries, move]):
        with pytest.raises(RecordError) as refused:
            from_journal(GAME.name, BOARD, lines(bad))
        assert found_in(str(refused.value)) == set()
