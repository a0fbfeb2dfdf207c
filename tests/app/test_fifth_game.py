"""A game that somebody adds is there everywhere, by its one module: that of `fifth_game`."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from game.rules.game import Game
from tests.helpers.games import fifth_game

GAME: Game = fifth_game.GAME
MOST_LINES = 100


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_game(tmp_path, monkeypatch)


def install_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the module as pip does: beside a folder that names its entry point."""
    site = folder / "site"
    told = site / "fifth_game-1.0.dist-info"
    told.mkdir(parents=True)
    shutil.copy(fifth_game.__file__, site)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: fifth-game\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[lifeboard.games]\nfoxes = fifth_game:GAME\n")
    monkeypatch.setenv("PYTHONPATH", str(site))


def run(*arguments: str, text: str = "") -> str:
    command = [sys.executable, "-m", "game.app", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def random_moves(seed: int, plies: int = 1000) -> list[str]:
    rng, position, moves = Random(seed), GAME.initial(), []
    while GAME.to_move(position) and len(moves) < plies:
        moves.append(GAME.legal_moves(position).pick(rng))
        position = GAME.play(position, moves[-1])
    return moves


def test_fifth_game_is_one_short_module():
    lines = Path(fifth_game.__file__).read_text(encoding="utf-8").splitlines()
    assert len(lines) < MOST_LINES


def test_fifth_game_is_listed_and_refereed():
    assert "foxes" in run("games")
    moves = random_moves(3)
    answers = [
        json.loads(line) for line in run("referee", "foxes", text="\n".join(moves)).split("\n")[:-1]
    ]
    assert [answer["move"] for answer in answers[1:]] == moves
    position = GAME.initial()
    for move in moves:
        position = GAME.play(position, move)
    assert answers[-1]["pieces"] == GAME.pieces(position)
    assert answers[-1]["outcome"]["reason"] == GAME.outcome(position).reason


@pytest.mark.parametrize("sensing", ["touch", "presence"])
def test_fifth_game_is_played_by_clumsy_hands_on_the_board_to_its_end(sensing: str):
    told = json.loads(
        run("soak", "--game", "foxes", "--games", "3", "--sensing", sensing, "--json")
    )
    assert told["failed"] == 0
    assert told["sensing"][sensing]["counts"]["plies"] > 10


def test_fifth_game_has_a_computer_player():
    position = "position startpos moves " + " ".join(random_moves(5, plies=4))
    said = run(
        "engine", "--game", "foxes", text=f"ugi\nisready\n{position}\ngo nodes 50\nstop\nquit\n"
    )
    (best,) = [line.split()[1] for line in said.splitlines() if line.startswith("bestmove")]
    after = GAME.initial()
    for move in random_moves(5, plies=4):
        after = GAME.play(after, move)
    assert best in GAME.legal_moves(after)
