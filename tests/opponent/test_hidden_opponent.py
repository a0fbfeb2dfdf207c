"""The computer player of a game with hidden pieces: what it receives and reveals."""

import logging
import re

import pytest

from game.opponent.computer import EngineProcess, EngineTask
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.position import Position
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on
from tests.helpers.programs.odd_rig import Rig
from tests.tools.match.engines import ChosenMove, Player
from tests.tools.match.games import Fixture, openings, play_game

FACE = re.compile(r"[GM]?[ygbmk][TSCOX]\b")


class Witness(Player):
    """A player of a match who plays at random, and records what it receives."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def choose(self, position: Position) -> ChosenMove:
        self.seen.append(position)
        return ChosenMove(GAME.legal_moves(position).pick(self.rng), 1, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_players_of_a_match_get_what_their_side_sees(level):
    start = GAME.initial({"level": level})
    opening = next(openings(GAME, start, 2, 1))
    assert [text.split()[0] for text in opening[:2]] == ["setup", "setup"]
    both = Witness(), Witness()
    play_game(GAME, start, Fixture(0, opening), *both, 1)
    for player, listener in enumerate(both, start=1):
        assert len(listener.seen) > 5
        for position in listener.seen:
            assert position == GAME.seen_by(position, player, remembers=True)


@pytest.mark.parametrize("level", LEVELS)
def test_engine_hears_no_face_that_its_player_does_not_know(tmp_path, level):
    position = played_on(arranged(level, 3), 9, 3)
    rig = Rig(tmp_path)
    engine = EngineProcess(GAME, wake=rig.bell.set, command=rig.command("fine"))
    engine.ask(EngineTask(position, "1"))
    # None of its moves is one of this game.
    rig.until(lambda: engine.trouble)
    engine.close()
    (line,) = [line for line in rig.heard if line.startswith("position ")]
    shown = GAME.parse(line.removeprefix("position fen "))
    assert shown == GAME.seen_by(position, GAME.to_move(position), remembers=True)
    assert (shown == position) == level.startswith("super")


@pytest.mark.parametrize(
    "behaviour",
    ["plays off the board", "dies", "complains"],
)
def test_log_does_not_repeat_what_an_engine_says(tmp_path, caplog, behaviour):
    caplog.set_level(logging.DEBUG)
    rig = Rig(tmp_path)
    engine = EngineProcess(GAME, wake=rig.bell.set, command=rig.command(behaviour))
    engine.ask(EngineTask(arranged("easy", 1), "1"))
    rig.until(lambda: engine.trouble)
    engine.close()
    assert any("hidden" in message for message in caplog.messages)
    for said in ("z9", "GyC", "out of ideas", "lalala", "a1"):
        assert said not in caplog.text
    assert not FACE.search(caplog.text)
