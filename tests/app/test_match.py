"""Matches between our own engines: openings, games, processes, the command."""

import json
import multiprocessing
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from game.app import cli
from game.app.opponent.match.match import Broken, play_match, verify
from game.app.opponent.match.openings import openings
from game.app.opponent.match.plan import fixtures
from game.app.opponent.match.players import House, PlayerError, Thought
from game.app.opponent.match.playing import Fixture, play_game
from game.app.opponent.match.progress import Progress
from game.app.opponent.match.result import result_of
from game.app.opponent.match.specs import Kind, MatchError, Spec, read_spec
from game.app.opponent.match.workers import Stage
from game.engine.errors import EngineError
from game.rules.circle_of_life import GAME
from tests.helpers.programs.match_examples import WEAK, WEAKER, Four, a_game, small_plan, untimed


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("uct:10000", Spec(Kind.UCT, "", 10000, None)),
        ("uct:10000@2s", Spec(Kind.UCT, "", 10000, 2.0)),
        ("6@3s", Spec(Kind.LEVEL, "6", None, 3.0)),
        ("6@100000n", Spec(Kind.LEVEL, "6", 100000, None)),
        ("6@0.5s,70n", Spec(Kind.LEVEL, "6", 70, 0.5)),
        ("ugi:a b@c --d", Spec(Kind.UGI, "a b@c --d", None, 3.0)),
        ("ugi:a@1s@100n", Spec(Kind.UGI, "a@1s", 100, None)),
    ],
)
def test_engine_is_read_and_written_back(text, spec):
    assert read_spec(text) == spec
    assert read_spec(str(spec)) == spec


def test_level_has_its_own_limits_unless_told():
    level = read_spec("3")
    assert level.kind is Kind.LEVEL
    assert level.nodes
    assert level.seconds
    assert read_spec(str(level)) == level


@pytest.mark.parametrize(
    "text",
    [
        *("uct:", "uct:x", "uct:0", "uct:5@7n", "uct:9" + "9" * 5000, "6@", "6@3x", "6@3s,4s,5s"),
        *("6@0s", "6@0n", "6@1.5n", "6@1.1.1s", "ugi:", "ugi: ", "ugi:'a", "@3s"),
    ],
)
def test_engine_that_is_none_is_refused_with_its_text(text):
    with pytest.raises((MatchError, EngineError)) as refused:
        read_spec(text)
    assert text[:20] in str(refused.value)


def test_openings_are_legal_distinct_open_and_the_same_for_a_seed():
    start = GAME.initial({"target": "2"})
    first = list(islice(openings(GAME, start, 12, 5), 40))
    assert first == list(islice(openings(GAME, start, 12, 5), 40))
    assert first[:3] != list(islice(openings(GAME, start, 12, 6), 3))
    texts = set()
    for moves in first:
        position = start
        for move in moves:
            position = GAME.play(position, GAME.parse_move(position, move))
        assert len(moves) == 12
        assert GAME.to_move(position) is not None
        texts.add(GAME.text(position))
    assert len(texts) == 40


def test_openings_that_run_out_are_told():
    start = GAME.initial({})
    found = openings(GAME, start, 1, 1)
    assert len(list(islice(found, 61))) == 61
    with pytest.raises(MatchError, match="no more than 61 openings"):
        next(found)


def test_each_opening_is_played_with_both_colours():
    games = fixtures(small_plan(), 3)
    assert [game.number for game in games] == list(range(6))
    assert [game.a for game in games] == [1, 2, 1, 2, 1, 2]
    assert [game.opening for game in games[::2]] == [game.opening for game in games[1::2]]


def test_the_first_openings_of_a_longer_match_are_the_same():
    assert fixtures(small_plan(), 7)[:6] == fixtures(small_plan(), 3)


class Script:
    """A player that makes the moves it was given."""

    def __init__(self, *moves: str | PlayerError):
        self._moves = list(moves)

    def begin(self, rng: Random) -> None:
        self.first = rng.random()

    def think(self, position: object) -> Thought:
        move = self._moves.pop(0)
        if isinstance(move, PlayerError):
            raise move
        return Thought(move, 10, 0.5, cut=True)

    def close(self) -> None:
        pass


FIRST = Fixture(0, (), 1)


def play_four(a: Script, b: Script, fixture: Fixture = FIRST):
    game = Four()
    return play_game(game, game.initial(), fixture, a, b, seed=1)


def test_a_drawn_game_gives_half_a_point():
    played = play_four(Script("a1", "a3"), Script("a2", "a4"))
    assert played.moves == ("a1", "a2", "a3", "a4")
    assert (played.winner, played.reason, played.fault) == (None, "four stones", "")
    assert played.score == 0.5
    assert (played.thoughts, played.nodes, played.seconds) == ((2, 2), (20, 20), (1.0, 1.0))
    assert played.cut == (2, 2)


@pytest.mark.parametrize(("a", "score"), [(1, 0.0), (2, 1.0)])
def test_a_player_whose_move_is_illegal_loses_with_the_reason(a, score):
    bad, good = Script("z9"), Script("a1", "a3")
    first, second = (bad, good) if a == 1 else (good, bad)
    played = play_four(first, second, Fixture(a - 1, (), a))
    assert (played.winner, played.reason, played.score) == (2, "illegal move", score)
    assert "'z9'" in played.fault
    assert result_of([played]).faults == (f"game {a - 1}: {'AB'[a - 1]} {played.fault}",)


def test_a_player_that_makes_no_move_loses_with_the_reason():
    played = play_four(Script("a1"), Script(PlayerError("died of SIGKILL")))
    assert (played.winner, played.reason, played.fault) == (1, "no move", "died of SIGKILL")


def test_an_opening_comes_before_the_moves_of_the_players():
    played = play_four(Script("a1"), Script("a2"), Fixture(0, ("a3", "a4"), 1))
    assert (played.plies, played.moves) == (4, ("a1", "a2"))


def test_chance_differs_by_game_and_player_and_comes_again_with_the_seed():
    def chance(number: int) -> tuple[float, float]:
        a, b = Script("a1", "a3"), Script("a2", "a4")
        play_four(a, b, Fixture(number, (), 1))
        return a.first, b.first

    assert chance(0) == chance(0)
    assert len({*chance(0), *chance(1)}) == 4


def test_a_search_keeps_to_its_nodes():
    house = House(GAME, read_spec("uct:77"))
    house.begin(Random(1))
    thought = house.think(GAME.initial({}))
    assert (thought.nodes, thought.cut) == (77, False)
    assert thought.move in GAME.legal_moves(GAME.initial({}))


def test_a_search_is_cut_by_the_clock_and_says_so():
    ticks = iter(range(1000))
    house = House(GAME, read_spec("6@9s"), clock=lambda: float(next(ticks)))
    house.begin(Random(1))
    thought = house.think(GAME.initial({}))
    assert thought.cut
    assert 9 <= thought.seconds <= 11
    assert thought.nodes > 0


def test_the_same_match_gives_the_same_games_in_any_number_of_processes():
    plan = small_plan()
    alone = untimed(play_match(plan, 3, None, 0))
    assert untimed(play_match(plan, 3, None, 2)) == alone
    assert untimed(play_match(small_plan(seed=2), 3, None, 0)) != alone


def test_engines_that_change_places_have_the_mirrored_result():
    one = result_of(play_match(small_plan(WEAK, WEAK), 4, None, 0))
    assert one.score is not None
    ahead = result_of(play_match(small_plan(WEAK, WEAKER), 10, None, 0))
    behind = result_of(play_match(small_plan(WEAKER, WEAK), 10, None, 0))
    assert ahead.score is not None
    assert behind.score is not None
    assert ahead.score.low > 0.5 > behind.score.high


def test_a_match_broken_off_gives_what_was_played_and_leaves_no_process(tmp_path: Path):
    def stop(games) -> None:
        if len(games) == 3:
            raise KeyboardInterrupt

    for jobs in (0, 2):
        with pytest.raises(Broken) as broken:
            play_match(small_plan(), 3, tmp_path / f"{jobs}.jsonl", jobs, stop)
        assert len(broken.value.games) == 3
        assert multiprocessing.active_children() == []


class Terminal(StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_a_bar_with_score_and_interval():
    stream = Terminal()
    progress = Progress(4, stream, clock=lambda: 0.0)
    games = [a_game(number, 1.0) for number in range(4)]
    for count in range(2, 5):
        progress.tell(games[:count])
    progress.close()
    drawn = stream.getvalue().split("\r")
    assert "| 2/4 [? left, A 100.0% (20.7% - 100.0%)]" in "".join(drawn[:4])
    last = drawn[-1]
    assert "4/4" in last
    assert "A 100.0% (34.2% - 100.0%)" in last
    assert last.endswith("\n")


def test_progress_elsewhere_is_a_few_lines():
    stream = StringIO()
    progress = Progress(200, stream)
    games = [a_game(number, 0.5) for number in range(200)]
    for count in range(201):
        progress.tell(games[:count])
    progress.close()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 20
    assert lines[-1].startswith("200 of 200 games: A 50.0% (")


def test_a_game_for_other_than_two_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Four, "players", (*Four.players, *Four.players))
    monkeypatch.setattr("game.app.opponent.match.plan.find_game", lambda name: Four())
    with pytest.raises(MatchError, match="four, for 4; allowed: games for two"):
        Stage(small_plan())


def test_command_plays_tells_and_shows_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "match.jsonl"
    call = ["match", WEAK, WEAKER, "--pairs", "2", "--option", "target=3", "--out", str(record)]
    assert cli.main(call) == 0
    played, told = capsys.readouterr()
    assert "A uct:30 against B random@1n" in played
    assert "4 games of" in played
    assert "deterministic: the clock cut no move" in played
    assert told.splitlines()[-1].startswith("4 of 4 games: A ")
    assert cli.main(["match", "--show", str(record)]) == 0
    assert capsys.readouterr().out == played
    assert cli.main(["match", "--verify", str(record)]) == 0
    assert "4 games, all of them legal" in capsys.readouterr().out
    assert verify(record) == 4


def test_command_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    call = ["match", WEAK, WEAKER, "--games", "2", "--option", "target=3", "--json"]
    assert cli.main(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["pairs"]) == (2, 1)
    assert told["match"]["a"] == "uct:30"
    assert set(told["score"]) == {"value", "low", "high"}


def test_command_ends_cleanly_at_ctrl_c_with_what_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def tell(self: Progress, games: list[object]) -> None:
        if len(games) >= 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "tell", tell)
    record = tmp_path / "match.jsonl"
    call = ["match", WEAK, WEAKER, "--pairs", "2", "--option", "target=3", "--out", str(record)]
    assert cli.main(call) == 130
    told = capsys.readouterr()
    assert "2 games of" in told.out
    assert "broken off after 2 games; the same command goes on" in told.err
    monkeypatch.undo()
    assert cli.main(call) == 0
    assert "4 games of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (["6"], "two engines"),
        (["6", "7"], "There is no level 7"),
        (["6", "5", "--games", "3"], "'3' is odd"),
        (["6", "5", "--pairs", "0"], "'0' is no number of pairs"),
        (["6", "5", "--jobs", "99"], "allowed: 1 - 64"),
        (["6", "5", "--option", "target"], "not KEY=VALUE"),
        (["6", "5", "--option", "target=no"], "option target is"),
        (["6", "5", "--game", "chess"], "chess"),
        (["6", "5", "--show", "x"], "no engines beside"),
        (["6", "ugi:/no/such/program"], "cannot be started"),
    ],
)
def test_command_refuses_a_wrong_call(call, why, capsys: pytest.CaptureFixture[str]):
    try:
        status = cli.main(["match", *call])
    except SystemExit as left:
        status = left.code
    assert status == 2
    assert why in capsys.readouterr().err
