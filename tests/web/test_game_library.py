"""Games to choose from and past games, as pages get them over HTTP."""

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.store import BOARD, JournalLine, Record, Store, lines_of
from game.table.entries import Entry, EntryKind
from game.web.game_library import MOST
from tests.helpers.pages.hosted import hosted

STARTED = "2026-11-21T12:00:00.000+00:00"
MOVES = ("e5", "e4", "e6", "d1")


def store_games(folder: Path, count: int) -> None:
    """Store games of Anna and the computer, and one without a move after them."""
    record = Record(GAME.name, {}, ("Anna", ""), computers=("", "3"), moves=MOVES)
    lines = lines_of(record, STARTED)
    with Store(folder) as store:
        for _ in range(count):
            store.begin(GAME.name, BOARD, lines, record.result)
        store.begin(GAME.name, BOARD, lines[:1], None)


@pytest.fixture
def board(tmp_path):
    store_games(tmp_path, MOST + 2)
    with hosted(tmp_path, watching=True) as board:
        yield board


def get(address: str, path: str, method: str = "GET") -> Any:
    with urlopen(Request(f"{address}{path}", method=method), timeout=20) as answer:
        text = answer.read().decode()
    return json.loads(text) if text else None


def refusal(address: str, path: str, method: str = "GET") -> tuple[int, str]:
    with pytest.raises(HTTPError) as refused:
        get(address, path, method)
    return refused.value.code, refused.value.read().decode()


def test_past_games_are_listed_by_fifty_without_those_nobody_moved_in(board):
    first = get(board.address, "past?lang=de")
    numbers = [each["number"] for each in first["games"]]
    assert numbers == list(range(MOST + 2, 2, -1))
    assert first["more"]
    rest = get(board.address, f"past?before={numbers[-1]}")
    assert ([each["number"] for each in rest["games"]], rest["more"]) == ([2, 1], False)
    assert first["games"][0] == {
        "number": MOST + 2,
        "game": GAME.name,
        "title": "Circle of Life",
        "started": STARTED,
        "players": [{"name": "Anna", "level": ""}, {"name": "Blau", "level": "3"}],
        "plies": 4,
        "over": False,
        "winner": None,
        "closed": False,
        "playing": False,
        "resumes": False,
    }


def test_a_game_is_exported_as_the_command_does_and_deleted_by_those_who_play(board, tmp_path):
    assert get(board.address, "past/7?json")["names"] == ["Anna", ""]
    assert refusal(board.elsewhere, "past/7", "DELETE")[0] == 403
    assert get(board.address, "past/7", "DELETE") is None
    for method in ("GET", "DELETE"):
        code, why = refusal(board.address, "past/7", method)
        assert (code, "game 7 is not in games file" in why) == (409, True)
        for number in ("1" * 20, "1" * 5000, "x", "²"):
            assert refusal(board.address, f"past/{quote(number)}", method)[0] == 404
    listed = get(board.elsewhere, "past?before=9")["games"]
    assert [each["number"] for each in listed] == [8, 6, 5, 4, 3, 2, 1]
    being_played = MOST + 3
    code, why = refusal(board.address, f"past/{being_played}?lang=en", "DELETE")
    assert (code, "on the board now" in why) == (409, True)


def test_games_to_choose_from_are_described_with_their_boards(board):
    offered = get(board.address, "choices?lang=en")
    games = {each["game"]: each for each in offered["games"]}
    assert [offered["clock"][0], offered["assistance"]] == ["none", ["casual", "strict", "chances"]]
    circle, mind = games[GAME.name], games[MIND.name]
    assert len(circle["cells"]) == 61
    assert {each["piece"] for each in circle["pieces"].values()} == {"1", "2"}
    assert circle["about"].startswith("Join stones into critters")
    assert [each["text"] for each in circle["options"]] == ["Stones to eat"]
    assert mind["pieces"] == {}
    assert next(each["text"] for each in mind["options"][0]["choices"]) == "easy"


def test_a_game_that_hides_something_still_is_listed_and_not_told(tmp_path):
    start, move = Entry(EntryKind.START, "{}"), Entry(EntryKind.MOVE, "A4-A5")
    with Store(tmp_path) as store:
        store.begin(
            MIND.name, BOARD, [JournalLine(each, STARTED, 0.0) for each in (start, move)], None
        )
    with hosted(tmp_path, watching=True) as board:
        (listed,) = get(board.address, "past")["games"]
        assert (listed["closed"], listed["resumes"]) == (True, True)
        code, why = refusal(board.address, "past/1?json")
        assert (code, "what the players hide" in why) == (409, True)


def test_who_may_see_nothing_gets_no_list(tmp_path):
    with hosted(tmp_path) as board:
        for path in ("past", "choices", "past/1"):
            assert refusal(board.elsewhere, path)[0] == 403
