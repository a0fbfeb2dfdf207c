"""What others have written cannot change a terminal; export leaves out damaged games."""

import json
import logging
from contextlib import suppress

import pytest

from game.cli.main import main
from game.common import SafeFormatter, escaped
from game.service.run import PriorityFormatter
from game.store.games_file import FILE, checksum
from game.web import MessageError, parse
from game.web.page_messages import ON_SEATED_PAGE
from tests.store.test_store import change

LONG = "x" * 300_000
COLOURED = "A\x1b[31m\x07\x9b2J\u202eB"
RECORD = '[Game "azteka"]\n[Player1 "Zoë"]\n[Result "*"]\n\n*\n'


@pytest.fixture
def folder(tmp_path, capsys):
    for day in (1, 2, 3):
        text = RECORD.replace('"azteka"]', f'"azteka"]\n[Date "2026-01-0{day}"]')
        (tmp_path / "record").write_text(text)
        assert main(["import", "--data", str(tmp_path / "data"), str(tmp_path / "record")]) == 0
    capsys.readouterr()
    change(tmp_path / "data", f"UPDATE games SET reason = '{COLOURED}' WHERE id = 1")
    return tmp_path / "data"


def test_what_is_logged_is_cut_and_cannot_change_a_terminal():
    error = ValueError(COLOURED + LONG)
    said = logging.LogRecord("a", logging.ERROR, "", 0, "%s", (error,), (None, error, None))
    for formatter in (SafeFormatter(), PriorityFormatter()):
        shown = formatter.format(said)
        assert len(shown) < 3000
        assert shown.count("... (300") == 2
        assert all(each.isprintable() for each in shown.splitlines())


@pytest.mark.parametrize(
    "words",
    [
        ["history"],
        ["history", "--json"],
        ["export", "1"],
        ["export", "all", "--json"],
        ["export", COLOURED],
        ["import", COLOURED],
        ["board", "check", COLOURED],
        ["referee", COLOURED],
        [COLOURED],
    ],
)
def test_no_command_prints_what_changes_a_terminal(folder, words, capsys):
    data = ["--data", str(folder)] if words[0] in ("history", "export", "import") else []
    with suppress(SystemExit):
        main([*words, *data])
    out, err = capsys.readouterr()
    assert out + err
    assert all(each.isprintable() for each in (out + err).splitlines())


def test_json_that_is_escaped_is_read_as_it_was(folder, capsys):
    assert main(["history", "--json", "--data", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)[0]["reason"] == COLOURED
    for text in (COLOURED, chr(0xE0001), "Zoë 😀"):
        assert json.loads(f'"{escaped(text)}"') == text
    assert escaped("Zoë 😀\n") == "Zoë 😀\n"


def test_refused_key_or_invitation_is_not_repeated():
    secret = ["secret-key"]
    for message in ({"do": "return", "player": 1, "key": secret}, {"do": "sit", "invite": secret}):
        with pytest.raises(MessageError, match="has another form") as refused:
            parse(json.dumps(message), ON_SEATED_PAGE)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_export_leaves_out_damaged_games_says_so_and_ends_with_an_error(folder, as_json, capsys):
    change(folder, "UPDATE entries SET text = 'x' WHERE game_id = 2 AND seq = 1")
    row = (3, 1, "move", "nowhere", "2026", 0.0)
    change(folder, "DELETE FROM entries WHERE game_id = 3 AND seq > 0")
    change(folder, f"INSERT INTO entries VALUES {(*row, checksum(*row))}")
    wrong = "line 2 of game 2 is not as written", f"game 3 of {folder / FILE}: move 1 is 'nowhere'"
    assert main(["export", "all", *as_json, "--data", str(folder)]) == 1
    shown = capsys.readouterr()
    for line, why in zip(shown.err.splitlines(), wrong, strict=True):
        assert line.startswith("lifeboard: left out: ")
        assert why in line
    assert shown.out.count("azteka") == 1
    for number, why in zip("23", wrong, strict=True):
        assert main(["export", number, "--data", str(folder)]) == 1
        shown = capsys.readouterr()
        assert (shown.out, why in shown.err) == ("", True)
