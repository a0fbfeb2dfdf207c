"""Files that lifeboard 0.1 exported are imported with nothing lost."""

import json
from pathlib import Path

from tests.cli.test_cli import call

EXPORTS = Path(__file__).parent / "data" / "exports_0_1"
"""Six games: won, set up and resigned, drawn by agreement, unfinished, hidden, and just begun."""


def test_import_reads_the_text_of_version_0_1(tmp_path, capsys):
    _, output, _ = call(capsys, "import", str(EXPORTS / "games.txt"), "--data", str(tmp_path))
    assert [line.split()[2:] for line in output.splitlines()] == [
        [f"{number},", f"{game},", str(count), "move" if count == 1 else "moves"]
        for number, (game, count) in enumerate(GAMES, start=1)
    ]
    written = (EXPORTS / "games.txt").read_text()
    _, again, _ = call(capsys, "export", "all", "--data", str(tmp_path))
    assert again == written.replace('[Source "board"]', '[Source "import"]')


def test_import_reads_the_json_of_version_0_1(tmp_path, capsys):
    call(capsys, "import", str(EXPORTS / "games.json"), "--data", str(tmp_path))
    written = json.loads((EXPORTS / "games.json").read_text())
    assert [(each["game"], len(each["moves"])) for each in written] == GAMES
    again = json.loads(call(capsys, "export", "all", "--json", "--data", str(tmp_path))[1])
    assert again == [each | {"source": "import"} for each in written]


GAMES = [
    ("circle-of-life", 43),
    ("circle-of-life", 1),
    ("azteka", 5),
    ("adaptoid", 6),
    ("cirkle-mind", 9),
    ("circle-of-life", 0),
]
