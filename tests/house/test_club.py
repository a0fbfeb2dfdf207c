"""What a club believes of its boards, and that no result is lost, whenever its hub is killed."""

import errno
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.common.errors import AppError
from game.house.club import FILE, MOST_BOARDS, Club, drawing
from game.house.pairings import Tournament
from game.rules.base.registry import all_games, find_game
from tests.helpers.house.published_board import published_board

STATE: dict[str, Any] = {
    **{"version": 1, "game": "circle-of-life", "title": "Circle of Life", "status": "playing"},
    **{"last_move": "e5", "winner": None, "outcome": None, "players": ["Ada", "Bo"]},
    **{"sides": [1, 2], "to_move": 2, "moves": 1, "pieces": {"e5": 1}, "scores": [0, 0]},
    "clock": {"left": [60.0, 59.5], "running": 2},
}


def result(number: int, players: tuple[str, ...] = ("Ada", "Bo"), winner: int | None = 1, **more):
    return {
        **{"started": f"2026-01-01T{number:02}:00", "ended": f"2026-01-01T{number:02}:30"},
        **{"game": "circle-of-life", "players": list(players), "winner": winner},
        **{"reason": "eaten", "moves": 40, **more},
    }


def tell(club: Club, board: str, *results: object) -> bool:
    return club.hear(board, "results", json.dumps({"version": 1, "results": results}).encode(), 0.0)


def test_board_is_shown_as_it_tells(tmp_path: Path):
    club = Club(tmp_path)
    assert club.hear("one", "state", json.dumps(STATE).encode(), 5.0)
    assert club.hear("one", "availability", b"online", 5.0)
    board = club.boards["one"]
    assert (board.online, board.at) == (True, 5.0)
    assert board.state == {key: value for key, value in STATE.items() if key != "version"}
    assert club.hear("one", "availability", b"offline", 6.0)
    assert not club.boards["one"].online


@pytest.mark.parametrize("name", all_games())
def test_what_a_real_board_publishes_is_taken(tmp_path: Path, name: str):
    game = find_game(name)
    with published_board(tmp_path / "board", game=game, clock="move:60") as board:
        # Before it greets the broker it may have sent a part.
        board.broker.until("lifeboard/hall/availability")
        board.broker.until("lifeboard/hall/results")
        club = Club(tmp_path)
        for topic, payload in board.broker.kept.items():
            if topic.startswith("lifeboard/hall/"):
                club.hear("hall", topic.rpartition("/")[2], payload.encode(), 0.0)
    assert club.boards["hall"].online
    assert club.boards["hall"].state["title"] == game.title
    assert len(club.boards["hall"].state["players"]) == len(game.players)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"version": 2}, {"players": "Ada"}, {"players": ["x" * 1000]}, {"moves": -1}),
        *({"moves": True}, {"pieces": {"e5": "1"}}, {"pieces": {str(n): 1 for n in range(300)}}),
        *({"clock": {"left": ["1"]}}, {"to_move": 1e99}, {"title": None}, {"scores": [[]]}),
    ],
)
def test_state_that_is_wrong_is_not_shown(tmp_path: Path, wrong: dict[str, Any]):
    club = Club(tmp_path)
    assert not club.hear("one", "state", json.dumps({**STATE, **wrong}).encode(), 0.0)
    assert club.boards == {}


@pytest.mark.parametrize("payload", [b"{", b"\xff", b"[" * 10**5, b"[]", b'{"version": 1}'])
def test_what_is_no_message_changes_nothing(tmp_path: Path, payload: bytes):
    club = Club(tmp_path)
    assert not any(club.hear("one", topic, payload, 0.0) for topic in ("state", "results", "more"))
    assert not (tmp_path / FILE).exists()


def test_there_are_no_more_boards_than_fit(tmp_path: Path):
    club = Club(tmp_path)
    for number in range(MOST_BOARDS + 5):
        club.hear(str(number), "availability", b"online", 0.0)
    assert len(club.boards) == MOST_BOARDS
    assert not tell(club, "another", result(1))


def test_result_is_kept_and_goes_when_its_end_is_taken_back(tmp_path: Path):
    club = Club(tmp_path)
    assert tell(club, "one", result(1), result(2, winner=None))
    assert not tell(club, "one", result(1), result(2, winner=None)), "nothing new"
    assert tell(club, "two", result(1))
    assert not tell(club, "one", result(3, winner=3), {**result(4), "reason": 7}, "x")
    assert [(each["board"], each["winner"]) for each in Club(tmp_path).results] == [
        ("one", 1),
        ("two", 1),
        ("one", None),
    ]
    assert tell(club, "two", result(1, reason=None, ended=None))
    # A board that has lost its disk tells nothing of before.
    assert not tell(club, "one")
    assert [each["board"] for each in Club(tmp_path).results] == ["one", "one"]


def test_result_that_cannot_be_written_is_taken_with_the_next_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    club = Club(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr("os.fsync", _cut)
        with pytest.raises(OSError, match="no power"):
            tell(club, "one", result(1))
    assert (club.results, Club(tmp_path).results) == ([], [])
    assert tell(club, "one", result(1))
    assert len(Club(tmp_path).results) == 1


def _cut(_: int) -> None:
    raise OSError(errno.EIO, "no power")


def test_round_robin_pairs_all_once_and_counts_the_first_game_of_each(tmp_path: Path):
    names = ("Ada", "Bo", "Cy", "Di", "Ed")
    club = Club(tmp_path, Tournament(names), now="2026-01-01T01:00")
    rounds = club.rounds()
    pairs = [frozenset(pair[:2]) for each in rounds for pair in each]
    assert (len(rounds), len(pairs), len(set(pairs))) == (5, 15, 15)
    assert all({name for pair in each for name in pair[:2]} == {*names, ""} for each in rounds)
    tell(club, "one", result(0), result(2), result(4, ("Bo", "Ada"), 1), result(3, ("Ada", "Zoe")))
    tell(club, "two", result(5, ("Cy", "Di"), None), result(6, ()))
    # Before the round robin, again, and with others does not count.
    assert club.points() == {"Ada": 1.0, "Cy": 0.5, "Di": 0.5, "Bo": 0.0, "Ed": 0.0}
    counted = [pair[2]["started"] for each in club.rounds() for pair in each if pair[2]]
    assert sorted(counted) == ["2026-01-01T02:00", "2026-01-01T05:00"]
    again = Club(tmp_path, Tournament(names), now="2026-02-01")
    assert again.points() == club.points(), "it goes on where it was"


def test_swiss_round_is_paired_by_the_results_of_the_last_one(tmp_path: Path):
    club = Club(tmp_path, Tournament(("Ada", "Bo", "Cy", "Di", "Ed"), swiss=True))
    assert [pair[:2] for pair in club.rounds()[0]] == [("Ada", "Bo"), ("Cy", "Di"), ("Ed", "")]
    tell(club, "one", result(1), result(2, ("Ada", "Cy"), 2))
    assert len(club.rounds()) == 1, "a game is missing"
    tell(club, "two", result(3, ("Di", "Cy"), None))
    assert club.points() == {"Di": 1.5, "Ada": 1.0, "Ed": 1.0, "Cy": 0.5, "Bo": 0.0}
    assert [pair[:2] for pair in club.rounds()[1]] == [("Ada", "Ed"), ("Cy", "Bo"), ("Di", "")]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 16, 31, 64])
def test_swiss_tournament_has_no_pair_twice_and_leaves_one_unbeaten(count: int):
    chance = Random(count)
    swiss = Tournament(tuple(map(str, range(count))), swiss=True)
    scores: dict[frozenset[str], dict[str, float]] = {}
    rounds = swiss.rounds(scores)
    while new := [each for each in rounds[-1] if "" not in each and frozenset(each) not in scores]:
        for one, two in new:
            won = chance.randrange(2)
            scores[frozenset((one, two))] = {one: won, two: 1 - won}
        rounds = swiss.rounds(scores)
    pairs = [frozenset(pair) for each in rounds for pair in each]
    assert len(pairs) == len(set(pairs)) == len(rounds) * ((count + 1) // 2)
    assert list(swiss.points(scores).values()).count(len(rounds)) == 1


@pytest.mark.parametrize("names", [("Ada",), ("Ada", "Ada"), ("Ada", "")])
def test_round_robin_that_cannot_be_is_refused(tmp_path: Path, names: tuple[str, ...]):
    with pytest.raises(AppError, match="--round-robin"):
        Club(tmp_path, Tournament(names))


def test_file_that_cannot_be_read_is_named_and_not_overwritten(tmp_path: Path):
    (tmp_path / FILE).write_text("{")
    with pytest.raises(AppError, match=FILE):
        Club(tmp_path)
    assert (tmp_path / FILE).read_text() == "{"


def test_board_of_an_unknown_game_is_not_drawn():
    assert drawing("no-such-game") == {"cells": {}, "hues": []}
    assert len(drawing("circle-of-life")["cells"]) == 61
