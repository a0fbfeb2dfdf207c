"""A game from another distribution works everywhere with its one folder alone: `foxes`."""

import json
import re
import shutil
import subprocess
import sys
from functools import reduce
from pathlib import Path
from random import Random

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from game.common import Words
from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.base.registry import all_games
from tests.helpers.games import foxes

GAME: Game = foxes.GAME
FOLDER = Path(foxes.__file__).parent


@pytest.fixture(autouse=True)
def site(tmp_path, monkeypatch):
    """Install the folder as pip does: beside a folder that names its entry point."""
    site = tmp_path / "site"
    shutil.copytree(FOLDER, site / "foxes", ignore=shutil.ignore_patterns("__pycache__"))
    for source in site.rglob("*.po"):
        with source.open("rb") as read, source.with_suffix(".mo").open("wb") as written:
            write_mo(written, read_po(read))
    shown = site / "foxes-1.0.dist-info"
    shown.mkdir()
    (shown / "METADATA").write_text("Metadata-Version: 2.1\nName: foxes\nVersion: 1.0\n")
    (shown / "entry_points.txt").write_text("[lifeboard.games]\nfoxes = foxes:GAME\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    return site


def run(*arguments: str, module: str = "game.cli", text: str = "") -> str:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def random_moves(seed: int, plies: int = 1000) -> list[str]:
    rng, position, moves = Random(seed), GAME.initial(), []
    while GAME.to_move(position) and len(moves) < plies:
        moves.append(GAME.legal_moves(position).pick(rng))
        position = GAME.play(position, moves[-1])
    return moves


def test_fifth_game_brings_its_words_in_its_languages_and_else_in_english(site, monkeypatch):
    monkeypatch.syspath_prepend(site)
    for language, eaten in (("en", "Three foxes"), ("it", "Tre volpi"), ("de", "Three foxes")):
        assert Words(language).text(say("foxes.eaten")).startswith(f"{eaten} ")
        # Our own texts are still found.
        assert Words(language).text(say("rules.game_over")) != "rules.game_over"


def test_fifth_game_is_listed_and_refereed():
    assert "foxes" in run("games")
    moves = random_moves(3)
    answers = [
        json.loads(line) for line in run("referee", "foxes", text="\n".join(moves)).split("\n")[:-1]
    ]
    assert [answer["move"] for answer in answers[1:]] == moves
    position = reduce(GAME.play, moves, GAME.initial())
    assert answers[-1]["pieces"] == GAME.pieces(position)
    assert answers[-1]["outcome"]["reason"] == GAME.outcome(position).reason


@pytest.mark.parametrize("sensing", ["touch", "presence"])
def test_fifth_game_is_played_by_clumsy_hands_on_the_board_to_its_end(sensing):
    options = ("--game", "foxes", "--games", "1", "--sensing", sensing)
    shown = run(*options, module="tests.tools.soak")
    assert f"felt by {sensing}: none failed" in shown
    assert int(re.search(r"(\d+)  plies", shown)[1]) > 10


def test_fifth_game_has_a_computer_player():
    position = "position startpos moves " + " ".join(random_moves(5, plies=4))
    said = run(
        "engine", "--game", "foxes", text=f"ugi\nisready\n{position}\ngo nodes 50\nstop\nquit\n"
    )
    (best,) = [line.split()[1] for line in said.splitlines() if line.startswith("bestmove")]
    assert best in GAME.legal_moves(reduce(GAME.play, random_moves(5, plies=4), GAME.initial()))


def test_game_that_cannot_be_loaded_is_left_out_with_a_warning(tmp_path, monkeypatch, caplog):
    site = tmp_path / "broken"
    (site / "broken-1.0.dist-info").mkdir(parents=True)
    shown = "[lifeboard.games]\nbroken = game_that_is_not_there:GAME\n"
    (site / "broken-1.0.dist-info" / "entry_points.txt").write_text(shown)
    monkeypatch.syspath_prepend(site)
    assert "circle-of-life" in all_games()
    assert "game 'broken' cannot be loaded" in caplog.text
