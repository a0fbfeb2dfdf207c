"""The record of a match: broken off anywhere it goes on, and nothing else is taken for it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from match_examples import a_game, small_plan, untimed

from game.app.errors import AppError
from game.app.opponent.match.match import play_match, shown, verify
from game.app.opponent.match.plan import Plan, engine_mark, header
from game.app.opponent.match.record_file import RecordFile, read_record
from game.app.opponent.match.specs import MatchError, read_spec

DESCRIBED = {"game": "circle-of-life", "options": {"first": "1", "target": "3"}, "seed": 1}


def written(path: Path, count: int = 4) -> bytes:
    with RecordFile(path, DESCRIBED) as record:
        for number in range(count):
            record.add(a_game(number, number % 2))
    return path.read_bytes()


def test_a_record_cut_at_any_byte_keeps_the_whole_games_and_goes_on(tmp_path: Path):
    path = tmp_path / "record"
    whole = written(path, 3)
    begun = len(whole.split(b"\n")[0])
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = max(0, whole[:cut].count(b"\n") - 1)
        with RecordFile(path, DESCRIBED) as record:
            assert [game.fixture.number for game in record.games] == list(range(kept))
            for number in range(kept, 3):
                record.add(a_game(number, number % 2))
        assert path.read_bytes() == whole, cut
        if cut > begun:
            path.write_bytes(whole[:cut])
            assert len(read_record(path)[1]) == kept


@pytest.mark.parametrize("rest", [b"\0" * 300, b"\0" * 300 + b"\n", b'{"game":9}\n', b"[]\n"])
def test_a_last_line_whose_bytes_never_came_to_the_disk_is_dropped(tmp_path: Path, rest: bytes):
    path = tmp_path / "record"
    whole = written(path)
    path.write_bytes(whole + rest)
    assert len(read_record(path)[1]) == 4
    with RecordFile(path, DESCRIBED) as record:
        assert len(record.games) == 4
    assert path.read_bytes() == whole


def test_a_record_that_is_damaged_before_its_end_is_refused_and_left(tmp_path: Path):
    path = tmp_path / "record"
    lines = written(path).split(b"\n")
    damaged = b"\n".join([*lines[:2], b"\0" * 30, *lines[3:]])
    path.write_bytes(damaged)
    with pytest.raises(AppError, match="damaged in line 3"):
        RecordFile(path, DESCRIBED)
    with pytest.raises(AppError, match="damaged in line 3"):
        read_record(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    "content", [b"hello", b"hello\n", b"{}\n", b'{"lifeboard_match":2}\n', b"\xff\n\n", b"\n"]
)
def test_a_file_that_is_no_record_is_refused_and_left(tmp_path: Path, content: bytes):
    path = tmp_path / "letter"
    path.write_bytes(content)
    for use in (lambda: RecordFile(path, DESCRIBED), lambda: read_record(path)):
        with pytest.raises(AppError, match="no record of a match"):
            use()
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_used_is_told(tmp_path: Path):
    with pytest.raises(AppError, match="cannot be written"):
        RecordFile(tmp_path / "no" / "folder", DESCRIBED)
    with pytest.raises(AppError, match="cannot be read"):
        read_record(tmp_path / "nothing")


def test_two_cannot_write_one_record(tmp_path: Path):
    path = tmp_path / "record"
    with (
        RecordFile(path, DESCRIBED),
        pytest.raises(AppError, match="being written by another"),
    ):
        RecordFile(path, DESCRIBED)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda plan: replace(plan, seed=7), "seed 1, not 7"),
        (lambda plan: replace(plan, opening=3), "opening 4, not 3"),
        (lambda plan: replace(plan, a=read_spec("uct:31")), 'a "uct:30", not "uct:31"'),
        (lambda plan: replace(plan, b=read_spec("1@1n")), 'b "random@1n", not "1@1n"'),
        (lambda plan: replace(plan, options={"target": "4"}), '"target": "4"'),
    ],
)
def test_the_record_of_another_match_is_refused_with_what_differs(
    tmp_path: Path, change: Callable[[Plan], Plan], told: str
):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    before = path.read_bytes()
    with pytest.raises(AppError) as refused:
        play_match(change(small_plan()), 1, path, 0)
    assert told in str(refused.value)
    assert "seed" in told or "seed" not in str(refused.value)
    assert path.read_bytes() == before


def test_a_record_of_another_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    monkeypatch.setattr("game.app.opponent.match.plan.engine_mark", lambda: "another")
    with pytest.raises(AppError, match=f'engine "{engine_mark()}", not "another"'):
        play_match(small_plan(), 1, path, 0)


def test_only_a_match_by_the_clock_depends_on_what_it_runs_on():
    assert "python" not in header(small_plan())
    assert "python" in header(small_plan("6@1s"))


def test_a_match_cut_anywhere_comes_to_the_same_games(tmp_path: Path):
    plan, path = small_plan(), tmp_path / "record"
    games = untimed(play_match(plan, 2, path, 0))
    whole = path.read_bytes()
    for cut in range(0, len(whole), len(whole) // 7):
        path.write_bytes(whole[:cut])
        played = []
        again = play_match(plan, 2, path, 0, lambda games: played.append(len(games)))  # noqa: B023
        assert untimed(again) == games
        assert played[0] == max(0, whole[:cut].count(b"\n") - 1)
        assert untimed(read_record(path)[1]) == games


def test_more_pairs_go_on_from_fewer_and_fewer_are_refused(tmp_path: Path):
    plan, path = small_plan(), tmp_path / "record"
    play_match(plan, 1, path, 0)
    longer = play_match(plan, 3, path, 0)
    assert untimed(longer) == untimed(play_match(plan, 3, None, 0))
    with pytest.raises(MatchError, match="holds 3 pairs already, and 1 are asked for"):
        play_match(plan, 1, path, 0)
    assert shown(path)[1].games == 6


def tampered(path: Path, change: Callable[[dict], None]) -> None:
    first, line, *rest = path.read_text().splitlines()
    told = json.loads(line)
    change(told)
    path.write_text("\n".join([first, json.dumps(told), *rest]) + "\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda game: game.update(winner=3 - game["winner"]), "its winner is"),
        (lambda game: game["moves"].pop(), "it is not over"),
        (lambda game: game["moves"].insert(0, game["opening"][0]), "a move is not legal"),
        (lambda game: game["moves"].append("a1"), "a move is not legal"),
        (lambda game: game.update(fault="hung"), "it was over before the fault"),
    ],
)
def test_verify_finds_a_wrong_game(tmp_path: Path, change: Callable[[dict], None], told: str):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    assert verify(path) == 2
    tampered(path, change)
    with pytest.raises(AppError, match=f"game 0: {told}"):
        verify(path)
