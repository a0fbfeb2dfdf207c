"""What the computer player sees in CirKle Mind: attacks, threats, and what it cannot know."""

from random import Random
from typing import Any

import pytest

from game.common import words
from game.engine import UgiServer
from game.engine.search import SearchedMove, new_search
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.game import CirkleMind
from game.rules.cirkle_mind.position import Position
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on, standing

FAR = {"A1": "GgX", "H1": "GbO", "A11": "MmX", "H11": "MbO"}
"""Own targets with a neighbour, where nothing happens."""


def amid(pieces: dict[str, str], to_move: int = 1, **reported: Any) -> Position:
    """Return a position with these pieces, and those that stand far away."""
    return standing({**FAR, **pieces}, to_move, **reported)


def found(position: Position, nodes: int = 300, seed: int = 1) -> tuple[SearchedMove, ...]:
    """Search what the player who moves sees and remembers."""
    mover = GAME.to_move(position)
    search = new_search(GAME, GAME.seen_by(position, mover, remembers=True), seed)
    search.go_on(nodes)
    return search.choices()


def best(position: Position, nodes: int = 300, seed: int = 1) -> str:
    return found(position, nodes, seed)[0].move


def attacked_after(position: Position, move: str) -> set[str]:
    """Name the cells that the other player can attack after a move."""
    after = GAME.play(position, move)
    return {text.partition("*")[2] for text in GAME.legal_moves(after)} - {""}


def in_the_midst(attacker: str = "GyC") -> dict[str, str]:
    """Return pieces: an attacker that can reach Mauve's own target, and more on both sides."""
    return {"D5": attacker, "D7": "MmX", "A11": "MyS", "C7": "MgO", "E9": "MbT", "F3": "GyS"}


@pytest.mark.parametrize("level", LEVELS)
def test_own_target_that_was_shown_is_taken_at_once(level):
    player = 2 if level.startswith("super") else 1
    position = amid(in_the_midst(), player, level=level, shown=["D7"])
    choice = found(position, 1)[0]
    assert (choice.move[:3], choice.move[-3:]) == ("D5-", "*D7")
    assert (choice.decided, choice.value) == (True, 1)


def test_own_unseen_target_is_not_known():
    assert not any(choice.decided for choice in found(amid(in_the_midst())))


@pytest.mark.parametrize("seed", range(3))
def test_own_target_that_is_known_flees_or_is_guarded(seed):
    pieces = {"A1": "GyS", "D4": "GgX", "D6": "MkT", "B3": "GbT", "F2": "GyO", "H9": "MyS"}
    position = amid(pieces, shown=["D4"])
    # The threat is there.
    assert "D4" in attacked_after(position, "B3-B4")
    move = best(position, 400, seed)
    stand = GAME.pieces(GAME.play(position, move))
    assert "GgX" not in {stand.get(cell) for cell in attacked_after(position, move)}


@pytest.mark.parametrize("seed", range(3))
def test_piece_that_is_known_to_lose_is_attacked_before_others(seed):
    pieces = {"D5": "GyC", "D7": "MkT", "C6": "MyT", "E6": "MgO", "F2": "GyO", "G9": "MyS"}
    move = best(amid(pieces, shown=["D7", "C6", "A11"]), 300, seed)
    assert move in ("D5-D6*C6", "D5-C5*C6")


@pytest.mark.parametrize("seed", range(3))
def test_own_target_does_not_attack_what_may_be_black(seed):
    # A player who is behind may have to gamble; Green is not behind.
    pieces = {"A1": "GkS", "D5": "GgX", "D7": "MyT", "F2": "GkO", "C9": "MkT", "B2": "GyC"}
    assert "*" not in best(amid(pieces), 300, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_worlds_that_look_the_same_are_played_the_same(level):
    for seed in range(4):
        rng = Random(seed)
        position = played_on(arranged(level, seed), 6 + seed, seed)
        mover = GAME.to_move(position)
        assert mover
        seen = GAME.seen_by(position, mover, remembers=True)
        reported = set()
        for _ in range(3):
            other = GAME.supposed(seen, rng)
            reported.add((GAME.text(other), found(other, 25)))
        assert len({choices for _, choices in reported}) == 1
        assert (len(reported) > 1) == (not level.startswith("super"))
        assert found(position, 25) == found(seen, 25)


def test_two_computers_do_not_chase_to_and_fro_where_all_faces_are_known():
    position, rng, seen = arranged("super", 2), Random(2), []
    while len(seen) < 120 and GAME.to_move(position) is not None:
        search = new_search(GAME, position, rng.randrange(2**31))
        search.go_on(300)
        position = GAME.play(position, search.choices()[0].move)
        seen.append(position.faces)
    # Evaluating leaves as they stood made four positions recur.
    assert len(set(seen[-60:])) > 30


class SlowMind(CirkleMind):
    """The same game, without a fast board."""

    name = "slow-mind"


def test_game_without_a_fast_board_is_searched_by_what_its_player_sees():
    game, rng = SlowMind(), Random(4)
    position = played_on(arranged("easy", 4), 6, 4)
    seen = game.seen_by(position, game.to_move(position), remembers=True)
    worlds = [game.supposed(seen, rng) for _ in range(3)]
    assert len({game.text(each) for each in worlds}) == 3
    asked = (f"position fen {game.text(each)}" for each in worlds)
    (answer,) = {answers(game, each, "go nodes 20")[-1] for each in asked}
    assert answer.removeprefix("bestmove ") in game.legal_moves(position)


def answers(game: CirkleMind, *lines: str) -> list[str]:
    """Return what the engine answers to lines of UGI."""
    server, said = UgiServer(game, clock=lambda: 0.0, tell=words("en").text, seed=5), list[str]()
    for line in lines:
        said += server.feed(line)
        while server.busy:
            said += server.step()
    return said
