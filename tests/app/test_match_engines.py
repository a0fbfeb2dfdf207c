"""Other programs in a match: whatever they do, the match goes on, and it is told."""

import os
import sys
from pathlib import Path
from random import Random

import pytest

from game.app.errors import AppError
from game.app.opponent.match.foreign import Foreign, Patience
from game.app.opponent.match.match import play_match
from game.app.opponent.match.players import PlayerError
from game.app.opponent.match.result import result_of
from game.app.opponent.match.specs import MatchError
from game.rules.circle_of_life import GAME
from tests.helpers.programs.match_examples import WEAKER, program, small_plan, spec_of, untimed

LONG = Patience(start_s=60.0, grace_s=60.0)
SHORT = Patience(start_s=60.0, grace_s=0.1)
START = GAME.initial({})


def foreign(engine: str, patience: Patience = LONG) -> Foreign:
    return Foreign(GAME, spec_of(engine), {"target": "20"}, patience)


def test_our_own_engine_plays_over_ugi_and_the_same_again():
    engine = f"ugi:{sys.executable} -m game.app engine --level uct:20@9s,20n"
    games = play_match(small_plan(engine, WEAKER), 2, None, 0)
    result = result_of(games)
    assert result.faults == ()
    assert result.efforts[0].nodes > 1
    assert untimed(games) == untimed(play_match(small_plan(engine, WEAKER), 2, None, 0))


MISDEEDS = {
    "dies": ("os.kill(os.getpid(), signal.SIGKILL)", "died of SIGKILL"),
    "leaves": ("sys.exit(3)", "ended with status 3"),
    "hangs": ("signal.pause()", "gave no answer in time where a move was awaited"),
    "closes its output": ("os.close(1); signal.pause()", "does not talk any more"),
    "talks on": ("[say('info nodes 1') for _ in iter(int, 1)]", "talks, and not of a move"),
    "never ends a line": ("[os.write(1, b'x' * 9999) for _ in iter(int, 1)]", "without end"),
}


ENDLESS = ("hangs", "talks on")


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_program_that_gives_no_move_is_given_up_with_the_reason(tmp_path: Path, misdeed: str):
    go, reason = MISDEEDS[misdeed]
    # Only for what never comes the time is short.
    player = foreign(program(tmp_path, go), SHORT if misdeed in ENDLESS else LONG)
    for _ in range(2):
        # It is started again for the next game.
        player.begin(Random(1))
        with pytest.raises(PlayerError, match=reason):
            player.think(START)
    player.close()


@pytest.mark.parametrize(
    ("go", "move", "nodes"),
    [
        ("say('bestmove e5')", "e5", 0),
        ("say('info nodes 12 x'); say('info nodes'); say('bestmove e5 ponder a1')", "e5", 12),
        ("say('bestmove')", "", 0),
        ("say('x' * 5000); say(''); say('bestmove \\u00e9')", "\u00e9", 0),
    ],
)
def test_what_a_program_says_is_read(tmp_path: Path, go: str, move: str, nodes: int):
    player = foreign(program(tmp_path, go))
    player.begin(Random(1))
    thought = player.think(START)
    player.close()
    assert (thought.move, thought.nodes) == (move, nodes)


def test_a_program_hears_position_limits_seed_and_options(tmp_path: Path):
    heard = tmp_path / "heard"
    file = tmp_path / "listener.py"
    file.write_text(
        "import sys\n"
        f"heard = open({str(heard)!r}, 'w')\n"
        "for line in sys.stdin:\n"
        "    heard.write(line); heard.flush()\n"
        "    word = line.split()[0]\n"
        "    if word == 'ugi':\n"
        "        print('option name SEED type spin')\n"
        "        print('option name target type spin')\n"
        "        print('ugiok', flush=True)\n"
        "    if word == 'isready': print('readyok', flush=True)\n"
        "    if word == 'go': print('bestmove e5', flush=True)\n"
    )
    player = foreign(f"ugi:{sys.executable} -S -E {file}")
    player.begin(Random(1))
    player.think(START)
    player.begin(Random(1))
    player.close()
    lines = heard.read_text().splitlines()
    seed = f"setoption name SEED value {Random(1).randrange(10**9)}"
    assert lines == [
        "ugi",
        "setoption name target value 20",
        seed,
        "uginewgame",
        "isready",
        f"position fen {GAME.text(START)}",
        "go movetime 500",
        seed,
        "uginewgame",
        "isready",
    ]


def test_a_program_that_makes_an_illegal_move_loses_every_game(tmp_path: Path):
    engine = program(tmp_path, "say('bestmove z9')") + "@5s"
    result = result_of(play_match(small_plan(engine, WEAKER), 2, None, 0))
    assert result.pairs == (0.0, 0.0)
    assert len(result.faults) == 4
    assert "A 'z9': " in result.faults[0]


def test_a_program_that_is_none_is_refused_before_the_match(tmp_path: Path):
    for engine, why in (
        ("ugi:/no/such/program", "cannot be started"),
        ("ugi:/bin/true", "ended with status 0"),
        (program(tmp_path, "pass", hello="sys.exit(4)"), "ended with status 4"),
    ):
        with pytest.raises(MatchError, match=why):
            play_match(small_plan(engine, WEAKER), 1, None, 0)


def test_a_program_does_not_outlive_its_player(tmp_path: Path):
    told = tmp_path / "pid"
    go = f"open({str(told)!r}, 'w').write(str(os.getpid())); say('bestmove e5'); signal.pause()"
    player = foreign(program(tmp_path, go))
    player.begin(Random(1))
    player.think(START)
    player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_a_process_of_the_match_that_dies_ends_it_with_a_word_and_keeps_the_record(
    tmp_path: Path,
):
    # A program so bad that it kills whoever has started it, at its first move.
    engine = program(tmp_path, "os.kill(os.getppid(), signal.SIGKILL)") + "@5s"
    record = tmp_path / "record"
    with pytest.raises(AppError, match="ended with status -9; what was played is kept"):
        play_match(small_plan(engine, WEAKER), 1, record, 1)
    assert record.read_text().count("\n") == 1
