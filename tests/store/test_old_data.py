"""A data folder as the code of commit cb45089 left it at a power cut: every game goes on.

`data/old_data_folder` holds a finished game and games of four kinds in progress: one half set up in
secret, one against the computer with a move taken back. Part of it is in the write-ahead log only.
`expected.json` is what that code printed and showed. These tests use only commands, the page and
SQL, so that they outlive a redesign.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_cli import call
from tests.helpers.programs.running import Lifeboard, Talk

OLD = Path(__file__).parent / "data" / "old_data_folder"
FILE = "games.sqlite3"
EXPECTED = json.loads((OLD / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path):
    for name in (FILE, f"{FILE}-wal"):
        shutil.copyfile(OLD / name, tmp_path / name)
    return tmp_path


def rows(folder: Path) -> list[tuple[Any, ...]]:
    """Read the lines of all games with SQL alone."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        return db.execute("SELECT * FROM entries ORDER BY game_id, seq").fetchall()


def test_old_games_are_listed_with_names_options_and_results(folder, capsys):
    listed = json.loads(call(capsys, "history", "--json", "--data", str(folder))[1])
    assert [{key: game[key] for key in EXPECTED["history"][0]} for game in listed] == EXPECTED[
        "history"
    ]


@pytest.mark.parametrize("number", EXPECTED["moves"])
def test_old_game_is_exported_with_all_its_moves(folder, number, capsys):
    _, text, _ = call(capsys, "export", number, "--data", str(folder))
    words = text.partition("\n\n")[2].split()
    assert [word for word in words[:-1] if not word.endswith(".")] == EXPECTED["moves"][number]


@pytest.mark.parametrize("game", EXPECTED["positions"])
def test_old_game_goes_on_where_it_was(folder, tmp_path, game):
    expected, before = EXPECTED["positions"][game], tmp_path / "before"
    shutil.copytree(folder, before)
    with Lifeboard(folder, "--game", game) as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda listed: listed.state)
        cells = talk.state["cells"]
        assert {c: cells[c]["piece"] for c in cells if cells[c]["piece"]} == expected["pieces"]
        assert [talk.state["ply"], talk.state["names"]] == [expected["ply"], expected["names"]]
        sealed = (talk.state["arranging"] or {}).get("sealed", [])
        assert sealed == expected["sealed"]
        assert running.stop() == (0, "")
    old = rows(before)
    assert len(old) == EXPECTED["lines"]
    assert rows(folder) == old
