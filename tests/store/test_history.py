"""Stored games: listed, exported and imported, also beside a running lifeboard."""

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from game.rules.circle_of_life import GAME
from game.store import archive
from game.store.archive import export, history, import_files, record_of
from game.store.record import Record, from_journal
from game.store.store import BOARD, IMPORT, JournalLine, Store
from game.table.entries import Entry, EntryKind, computers_text, names_text, options_text
from tests.cli.test_cli import assert_one_line, call, run
from tests.helpers.programs.running import Lifeboard, Talk
from tests.store.test_store import change


def journal(
    moves: Sequence[str],
    names: tuple[str, ...] = (),
    start: str = "2026-11-21T08:00",
    more: Sequence[Entry] = (),
    **options: str,
) -> list[JournalLine]:
    """The lines of one game, ten seconds apart, with every stone that it took off."""
    entries = [Entry(EntryKind.START, options_text({"first": "1", "target": "20"} | options))]
    entries += [Entry(EntryKind.NAMES, names_text(names))] if names else []
    position = GAME.initial(options)
    for text in moves:
        move = GAME.parse_move(position, text)
        entries.append(Entry(EntryKind.MOVE, GAME.move_text(position, move)))
        entries += (Entry(EntryKind.EDIT, edit.cell) for edit in GAME.result(position, move).edits)
        position = GAME.play(position, move)
    entries += more
    return [
        JournalLine(entry, f"{start}:{n % 60:02}.000+00:00", 10.0 * n)
        for n, entry in enumerate(entries)
    ]


def save_game(folder: Path, lines: list[JournalLine], source: str = BOARD) -> int:
    record = from_journal(GAME.name, source, lines)
    with Store(folder) as store:
        return store.begin(GAME.name, source, lines, record.result)


def saved_records(folder: Path) -> list[Record]:
    with Store(folder, read_only=True) as store:
        return [
            from_journal(each.game, each.source, store.lines(each.number)) for each in store.games()
        ]


@pytest.fixture
def folder(tmp_path):
    """Three games: one won by eating, one resigned against the computer, one just begun."""
    data = tmp_path / "data"
    save_game(data, journal(["e5", "e4", "e6"], ("Anna", ""), target="1"))
    fox = Entry(EntryKind.COMPUTERS, computers_text(("of later days", "3")))
    gone = [Entry(EntryKind.MOVE, "a1"), Entry(EntryKind.TAKE_BACK), Entry(EntryKind.RESIGN, "1")]
    save_game(data, journal(["e5", "d4"], start="2026-11-21T09:30", more=[fox, *gone]))
    save_game(data, journal([], start="2026-11-22T09:30"), IMPORT)
    return data


@pytest.fixture
def rome(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("rome")
def test_history_lists_who_when_options_result_and_duration(folder):
    lines = history(folder, None, as_json=False).splitlines()
    assert [re.sub(" {2,}", " | ", line) for line in lines] == [
        "n | when | game | who | options | plies | result | duration",
        "1 | 2026-11-21 09:00 | circle-of-life | Anna - Blue | target=1 | 3"
        " | Anna won (stones eaten) | 0:01:20",
        "2 | 2026-11-21 10:30 | circle-of-life"
        " | Orange (computer, of later days) - Blue (computer, Fox) | 2"
        " | Blue won (resigned) | 0:01:20",
        "3 | 2026-11-22 10:30 | circle-of-life | Orange - Blue | 0 | unfinished | 0:00:00",
    ]
    assert len({*map(len, lines)}) == 1, "in columns"


def test_history_gives_programs_everything(folder):
    output = json.loads(history(folder, "circle-of-life", as_json=True))
    assert [each["number"] for each in output] == [1, 2, 3]
    assert output[1]["computers"] == ["of later days", "3"]
    assert output[0] == {
        "number": 1,
        "started": "2026-11-21T08:00:00.000+00:00",
        "ended": "2026-11-21T08:00:06.000+00:00",
        "game": "circle-of-life",
        "source": "board",
        "names": ["Anna", ""],
        "computers": [],
        "options": {"first": "1", "target": "1"},
        "set_up": False,
        "plies": 3,
        "winner": 1,
        "reason": "stones eaten",
        "played_s": 80.0,
    }


@pytest.mark.parametrize("command", ["history", "export"])
def test_folder_that_is_not_there_is_refused(tmp_path, capsys, command):
    arguments = (command,) if command == "history" else (command, "last")
    status, output, errors = call(capsys, *arguments, "--data", str(tmp_path / "nope"))
    assert (status, output) == (1, "")
    assert_one_line(errors, f"data folder {tmp_path / 'nope'} is not there", "--data")


def test_last_is_the_game_that_was_played_last(folder):
    assert record_of(folder, "last")[0] == 2
    change(folder, "UPDATE games SET source = 'import'")
    assert record_of(folder, "last")[0] == 3


def test_history_lists_a_game_that_is_not_installed_or_damaged(folder):
    with Store(folder) as store:
        store.begin("azteka", BOARD, journal([])[:1], None)
    change(folder, "UPDATE entries SET text = 'f6' WHERE game_id = 1 AND kind = 'move'")
    lines = history(folder, None, as_json=False).splitlines()
    assert "Anna" in lines[1]
    assert "azteka" in lines[-1]


@pytest.mark.parametrize(
    ("which", "allowed"),
    [("7", "1 - 3"), ("0", "1 - 3"), ("x", "1 - 3 | last | all"), ("1\x1b", "1 - 3 | last | all")],
)
def test_game_that_is_not_there_is_named_with_what_is_allowed(folder, capsys, which, allowed):
    status, _, errors = call(capsys, "export", which, "--data", str(folder))
    assert status == 1
    assert_one_line(errors, allowed)
    assert errors.strip().isprintable()


@pytest.mark.parametrize("as_json", [False, True])
def test_exported_games_come_back_in_another_folder(folder, tmp_path, as_json):
    out = tmp_path / "games.txt"
    out.write_text(export(folder, ["all"], as_json=as_json))
    other = tmp_path / "other"
    assert [line.partition(": ")[2] for line in import_files(other, [str(out)])] == [
        "game 1, circle-of-life, 3 moves",
        "game 2, circle-of-life, 2 moves",
        "game 3, circle-of-life, 0 moves",
    ]
    for ours, theirs in zip(saved_records(folder), saved_records(other), strict=True):
        assert theirs.same_game(ours)
        assert theirs.source == IMPORT
        assert (theirs.journal == ours.journal) == (as_json or not ours.moves)
    with Store(other, read_only=True) as store:
        assert store.games()[1].winner == 2
        assert store.newest(GAME.name) is None
    again = list(import_files(other, [str(out)]))
    assert [line.partition(": ")[2] for line in again] == [
        f"already stored as game {n}" for n in (1, 2, 3)
    ]
    assert len(saved_records(other)) == 3


def test_import_stores_nothing_when_one_file_is_wrong(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST", 1 << 20)
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("a1 b1")
    for content, part in (
        (b"e5 e5", "move 2 is 'e5'"),
        (b"e5 *\na1 a9", "record from line 2: move 2"),
        (b"\x89PNG", "byte 0x89"),
        (b"SQLite format 3\x00" + b"\x00" * 5000, "it is a games file"),
    ):
        bad.write_bytes(content)
        status, out, errors = call(capsys, "import", str(good), str(bad), "--data", str(folder))
        assert (status, out) == (1, "")
        assert_one_line(errors, str(bad), part)
        assert len(saved_records(folder)) == 3
    for wrong, part in (
        (str(tmp_path / "no"), "No such file"),
        (str(tmp_path), "directory"),
        ("/dev/zero", "too large; allowed: 1 MiB"),
    ):
        assert_one_line(call(capsys, "import", wrong, "--data", str(folder))[2], wrong, part)


def test_everything_works_beside_a_running_lifeboard_and_does_not_disturb_it(tmp_path, capsys):
    data = ("--data", str(tmp_path))
    with Lifeboard(tmp_path, "--seed", "1") as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap")
        talk.tap("e5")
        talk.until(lambda t: t.state["ply"] == 1)
        assert "circle-of-life" in call(capsys, "history", *data)[1]
        assert " e5 " in call(capsys, "export", "last", *data)[1]
        assert "game 2" in run("import", "-", *data, input="a1 b1 c1").stdout
        talk.tap("d4")
        talk.until(lambda t: t.state["ply"] == 2)
        exported = json.loads(call(capsys, "export", "1", "--json", *data)[1])
        assert exported["moves"] == ["e5", "d4"]
        assert running.stop()[0] == 0
    assert [each.moves for each in saved_records(tmp_path)] == [("e5", "d4"), ("a1", "b1", "c1")]
