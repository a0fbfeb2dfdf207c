"""The configuration of the service: what it may contain, and the errors for what it may not."""

import tomllib
from pathlib import Path

import pytest

from game.service.paths import EXIT_CONFIG
from game.service.settings import (
    Settings,
    SettingsError,
    read,
    read_checked,
)

SHIPPED = Path(__file__).parent.parent.parent / "systemd" / "lifeboard.toml"


def written(folder: Path, text: str) -> Path:
    file = folder / "lifeboard.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_shipped_file_changes_nothing_and_names_every_key(tmp_path):
    assert read_checked(SHIPPED) == read(tmp_path / "none.toml") == Settings()
    # Uncommented, it states each default or an example, and every key is known.
    lines = [
        line.removeprefix("# ") if line.startswith("# ") and " = " in line else line
        for line in SHIPPED.read_text(encoding="utf-8").splitlines()
    ]
    table = tomllib.loads("\n".join(lines))
    assert {section: set(keys) for section, keys in table.items()} == {
        "board": {"backend", "profile", "night", "sound", "voice", "publish"},
        "game": {"name", "players", "opponent", "help", "room"},
        "page": {"port", "network", "public", "https", "watching", "names", "hotspot"},
        "log": {"level"},
    }
    found = read_checked(written(tmp_path, "\n".join(lines)))
    plain = Settings()
    assert (found.board.backend, found.board.night) == (plain.board.backend, plain.board.night)
    assert found.game.game == plain.game.game
    assert (found.page.port, found.page.network, found.page.watching) == (8765, False, "pin")
    assert found.level == plain.level


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[page]\nport = 80", ("[page] port", "80", "number >= 1024")),
        ("[page]\nhttps = true", ("[page]", "https is true", "network = true")),
        ('[page]\nnames = ["http://x/"]', ("[page] names", "http://x/", "host names")),
        ("[page]\npin = 1", ("[page] pin", "is unknown", "port, network")),
        ("[pages]\nport = 1", ("pages", "is unknown", "board, game, page, log")),
        ('[board]\nbackend = "x"', ("[board] backend", "'x'", "auto, ", "sim")),
        ("[page\n", ("no valid TOML", "line 1")),
    ],
)
def test_what_is_not_allowed_is_named_with_file_key_value_and_what_is(tmp_path, text, parts):
    file = written(tmp_path, text)
    with pytest.raises(SettingsError) as refused:
        read(file)
    for part in (str(file), *parts):
        assert part in str(refused.value)
    assert refused.value.status == EXIT_CONFIG


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('[game]\nname = "chess"', "chess"),
        ('[game]\nplayers = ["Ann"]', "2 names"),
        (f'[game]\nplayers = ["Ann", "{"B" * 41}"]', "at most 40"),
        ('[game]\nopponent = "7"', "opponent is '7'; allowed: person or a level"),
        ('[game]\nhelp = "6"', "help is '6'; allowed: 0 - 5, or 3:N with N = 1 - 6 looks a turn"),
        ('[game]\nroom = "mqtt://h/new"', "new draws a room at each start"),
        ('[game]\nroom = "mqtt://h/abc"', "the code of the room is .* allowed: 6 - 64 letters"),
        ('[game]\nname = "cirkle-mind"\nroom = "mqtt://h/abcdef"', "player hides"),
        ('[board]\npublish = "mqtt://h/a/+"', "the topic is 'a/[+]'; allowed"),
        ('[board]\nprofile = "/nowhere.toml"', "cannot be read"),
        (
            '[board]\nprofile = "hexagon-61"\n[game]\nname = "azteka-three"',
            "does not fit azteka-three: .* such as disc-32",
        ),
    ],
)
def test_what_is_named_must_be_there_and_fit(tmp_path, text, part):
    file = written(tmp_path, text)
    assert read(file)
    with pytest.raises(SettingsError, match=part):
        read_checked(file)


def test_a_player_may_have_no_name_and_a_game_may_fill_a_part_of_the_board(tmp_path):
    text = '[board]\nprofile = "hexagon-61-pico"\n[game]\nname = "adaptoid"\nplayers = ["Ann", ""]'
    found = read_checked(written(tmp_path, text)).game
    assert (found.name, found.players) == ("adaptoid", ("Ann", ""))
