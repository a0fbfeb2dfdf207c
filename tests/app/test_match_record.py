"""The record of a match: broken off anywhere it goes on, and nothing else is taken for it."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.app.errors import AppError
from game.app.opponent.match.command import MOST_JOBS
from game.app.opponent.match.match import play_match, shown, verify
from game.app.opponent.match.plan import Plan, engine_mark, fixtures, header
from game.app.opponent.match.playing import TOO_LONG
from game.app.opponent.match.record_file import RecordFile, read_record
from game.app.opponent.match.result import as_json, as_text
from game.app.opponent.match.specs import MatchError, read_spec
from tests.helpers.programs.match_examples import a_game, small_plan, untimed

DESCRIBED = {
    "game": "circle-of-life",
    "options": {"first": "1", "target": "3"},
    "a": "uct:30",
    "b": "random@1n",
    "seed": 1,
    "opening": 1,
}


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


def changed(path: Path, line: int, change: Callable[[dict], object]) -> None:
    """Change what a line of a record says; the first is 1."""
    lines = path.read_text().splitlines()
    told = json.loads(lines[line - 1])
    change(told)
    lines[line - 1] = json.dumps(told)
    path.write_text("\n".join(lines) + "\n")


def refusals(path: Path, plan: Plan) -> list[str]:
    """Say how verify and a match that goes on refuse a record, which stays as it is."""
    before = path.read_bytes()
    told = []
    for use in (lambda: verify(path), lambda: play_match(plan, 3, path, 0)):
        with pytest.raises(AppError) as refused:
            use()
        told.append(str(refused.value))
    assert path.read_bytes() == before
    return told


@pytest.mark.parametrize("line", [2, 4, 5])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda game: game.update(a=3 - game["a"]), "a is"),
        (lambda game: game.update(a=True), "a is True"),
        (lambda game: game.update(game=-5), "game is -5"),
        (lambda game: game.update(game=True), "game is True"),
        (lambda game: game.update(game=1.0), "game is 1.0"),
        (lambda game: game.update(game="1"), "game is '1'"),
        (lambda game: game.update(game=10**12 + game["game"]), "game is 1000000000"),
        (lambda game: game.update(opening=game["opening"][::-1]), "opening is"),
        (lambda game: game.update(opening=game["opening"][:2]), "opening is"),
        (lambda game: game.update(opening=game["opening"] + ["a1"]), "opening is"),
        (lambda game: game.update(opening="a1"), "opening is 'a1'"),
        (lambda game: game.update(opening=[1, 2, 3, 4]), "opening is"),
        (lambda game: game.update(moves=[["a1"]]), "moves is"),
        (lambda game: game.update(winner=True), "winner is True"),
        (lambda game: game.update(winner=3), "winner is 3"),
        (lambda game: game.update(reason=None), "reason is None"),
        (lambda game: game.update(fault=["x"]), "fault is"),
        (lambda game: game.update(plies=-1), "plies is -1"),
        (lambda game: game.update(thoughts=[1, "2"]), "thoughts is"),
        (lambda game: game.update(thoughts=[1, 2, 3]), "thoughts is"),
        (lambda game: game.update(nodes=[-1, 2]), "nodes is"),
        (lambda game: game.update(nodes=[0.5, 2]), "nodes is"),
        (lambda game: game.update(nodes=[10**400, 2]), "nodes is"),
        (lambda game: game.update(seconds=[10**400, 2]), "seconds is"),
        (lambda game: game.update(seconds=[float("nan"), 0.0]), "seconds is"),
        (lambda game: game.update(seconds=[-0.1, 0.0]), "seconds is"),
        (lambda game: game.update(cut=[10**6, 0]), "cut is"),
    ],
)
def test_a_line_that_is_not_of_the_match_is_refused_with_its_place(
    tmp_path: Path, line: int, change: Callable[[dict], object], told: str
):
    path = tmp_path / "record"
    play_match(small_plan(), 2, path, 0)
    changed(path, line, change)
    for refusal in refusals(path, small_plan()):
        assert refusal.startswith(f"{path}, line {line}: "), refusal
        assert told in refusal
        assert "allowed" in refusal
        assert len(refusal) < 400


def test_a_game_that_is_there_twice_is_refused_with_both_places(tmp_path: Path):
    path = tmp_path / "record"
    play_match(small_plan(), 2, path, 0)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[2]]))
    for refusal in refusals(path, small_plan()):
        assert refusal.startswith(f"{path}, line 6: game 1 is there already, in line 3")
    with pytest.raises(AppError, match="line 6: game 1 is there already"):
        shown(path)


def test_a_game_beyond_those_that_can_be_missing_is_refused(tmp_path: Path):
    path = tmp_path / "record"
    play_match(small_plan(), 50, path, 0)
    first, *lines = path.read_text().splitlines(keepends=True)
    # So many processes have a game each in work, and the first of them may be the slowest.
    path.write_text("".join([first, *lines[MOST_JOBS - 1 :]]))
    assert verify(path) == 100 - MOST_JOBS + 1
    path.write_text("".join([first, *lines[MOST_JOBS:]]))
    with pytest.raises(AppError, match="line 37: game is 99; allowed: 0 - 98 in a record"):
        verify(path)


def test_a_game_of_more_openings_than_there_are_is_refused(tmp_path: Path):
    plan = replace(small_plan(), opening=0)
    path = tmp_path / "record"
    play_match(plan, 1, path, 0)
    with path.open("a") as file:
        told = json.loads(path.read_text().splitlines()[1])
        file.write(json.dumps(told | {"game": 2}) + "\n")
    with pytest.raises(
        AppError, match="line 4: game 2: 0 plies by chance give no more than 1 openings"
    ):
        verify(path)


def test_a_record_of_another_engine_can_be_verified_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "record"
    play_match(small_plan(), 2, path, 0)
    monkeypatch.setattr("game.app.opponent.match.plan.engine_mark", lambda: "another")
    assert verify(path) == 4
    assert shown(path)[1].games == 4


def test_the_order_of_the_lines_says_nothing(tmp_path: Path):
    path = tmp_path / "record"
    games = untimed(play_match(small_plan(), 3, path, 0))
    first, *lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([first, *lines[::-1]]))
    assert verify(path) == 6
    assert untimed(play_match(small_plan(), 3, path, 0)) == games


DEEP = b"[" * 100_000


@pytest.mark.parametrize("line", [1, 3, 5])
@pytest.mark.parametrize(
    "text", [DEEP, b'{"game":' + DEEP, b"[" * 900 + b"]" * 900, b'{"game":' + b"[" * 900]
)
def test_deep_nesting_is_refused(tmp_path: Path, line: int, text: bytes):
    path = tmp_path / "record"
    play_match(small_plan(), 2, path, 0)
    lines = path.read_bytes().splitlines()
    lines[line - 1] = text
    path.write_bytes(b"\n".join([*lines, b"x"]))
    before = path.read_bytes()
    uses = (lambda: verify(path), lambda: shown(path), lambda: play_match(small_plan(), 2, path, 0))
    for use in uses:
        with pytest.raises(AppError, match="no record of a match" if line == 1 else "line"):
            use()
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", ["engine", "looseness", "a", "options", "seed", "opening", "x"])
def test_a_description_that_is_none_is_refused(tmp_path: Path, key: str):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    value: object = {"deep": "down"}
    for _ in range(900):
        value = [value]
    changed(path, 1, lambda told: told.update({key: value}))
    for use in (lambda: verify(path), lambda: shown(path), lambda: RecordFile(path, {})):
        with pytest.raises(AppError, match="no record of a match"):
            use()


@pytest.mark.parametrize("key", ["game", "options", "a", "b", "seed", "opening"])
def test_a_description_without_what_decides_a_match_is_refused(tmp_path: Path, key: str):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    changed(path, 1, lambda told: told.pop(key))
    for use in (lambda: verify(path), lambda: shown(path)):
        with pytest.raises(AppError, match="no record of a match"):
            use()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda game: game.update(reason="luck"), "its reason is"),
        (lambda game: game.update(reason="too long", winner=None), "its winner is"),
        (lambda game: game.update(thoughts=game["thoughts"][::-1]), "its thoughts are"),
        (
            lambda game: game.update(
                moves=game["moves"][:-1],
                plies=game["plies"] - 1,
                reason="too long",
                winner=None,
                thoughts=[game["thoughts"][0] - 1, game["thoughts"][1]],
            ),
            "it is not over",
        ),
        (
            lambda game: game.update(
                moves=game["moves"][:-1],
                plies=game["plies"] - 1,
                reason="no move",
                fault="hung",
                thoughts=[game["thoughts"][0] - 1, game["thoughts"][1]],
            ),
            "its winner is",
        ),
    ],
)
def test_verify_finds_a_result_that_the_moves_do_not_give(
    tmp_path: Path, change: Callable[[dict], object], told: str
):
    path = tmp_path / "record"
    play_match(small_plan(), 1, path, 0)
    changed(path, 2, change)
    with pytest.raises(AppError, match=f"line 2: game 0: {told}"):
        verify(path)


def test_verify_takes_games_that_ended_by_no_rule(tmp_path: Path):
    path = tmp_path / "record"
    hung = replace(small_plan(), b=read_spec(f"ugi:{sys.executable} -S -c pass"))
    games = fixtures(hung, 1)
    with RecordFile(path, header(hung)) as record:
        for game in games:
            mover = 1 + len(game.opening) % 2
            played = replace(a_game(game.number, 0.0), fixture=game, moves=(), thoughts=(0, 0))
            record.add(replace(played, winner=3 - mover, reason="no move", fault="hung"))
    assert verify(path) == 2


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def two_pairs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a record of four games."""
    path = tmp_path_factory.mktemp("record") / "record"
    play_match(small_plan(), 2, path, 0)
    return path.read_text().splitlines()


UNPROVED = ("plies", "seconds", "nodes", "cut")


@given(st.integers(0, 4), st.data())
@settings(max_examples=200, deadline=None)
def test_any_value_anywhere_is_no_other_result(
    two_pairs: list[str], line: int, data: st.DataObject
):
    told = json.loads(two_pairs[line])
    key = data.draw(st.sampled_from([*told]))
    told[key] = data.draw(JSON_VALUES)
    lines = [*two_pairs[:line], json.dumps(told), *two_pairs[line + 1 :]]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record"
        path.write_text("\n".join(lines) + "\n")
        with suppress(AppError):
            described, result = shown(path)
            as_text(described, result)
            as_json(described, result)
        verified = 0
        with suppress(AppError):
            verified = verify(path)
    if verified:
        # A description says more than what decides the games; of a game only its costs can differ.
        same = told == json.loads(two_pairs[line])
        assert verified == 4
        assert same or line == 0 or key in UNPROVED


def test_verify_takes_a_game_as_too_long_only_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "record"
    for module in ("playing", "match"):
        monkeypatch.setattr(f"game.app.opponent.match.{module}.MOST_PLIES", 3)
    games = play_match(small_plan(), 1, path, 0)
    assert {(game.winner, game.reason, len(game.moves)) for game in games} == {(None, TOO_LONG, 3)}
    assert verify(path) == 2
    monkeypatch.undo()
    with pytest.raises(AppError, match="line 2: game 0: it is not over"):
        verify(path)
