"""The fast board of CirKle Mind: who stands better, and attacks that chance decides."""

from random import Random

import pytest

from game.engine.fast.cirkle_mind import MindBoard, board_of, texts
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.position import Position
from tests.helpers.games.cirkle_games import standing


def value(pieces: dict[str, str], player: int = 1, to_move: int = 1, **reported: object) -> float:
    board = board_of(standing(pieces, to_move, **reported))
    board.evaluate()
    return board.shares[player - 1]


def mirrored(pieces: dict[str, str]) -> dict[str, str]:
    """Exchange the sides: rows, backs, and the colours of the own targets."""
    swap = str.maketrans("GM", "MG")
    faces = {"gX": "mX", "mX": "gX"}
    return {
        f"{cell[0]}{12 - int(cell[1:])}": piece[0].translate(swap) + faces.get(piece[1:], piece[1:])
        for cell, piece in pieces.items()
    }


CALM = {"A1": "GgX", "C3": "GyC", "E4": "GkT", "A11": "MmX", "C9": "MyS", "E8": "MkO"}


def test_worth_is_the_same_for_both_sides():
    for pieces in (CALM, {**CALM, "D6": "GbS", "D8": "MbC"}):
        for to_move in (1, 2):
            there = value(mirrored(pieces), 2, 3 - to_move)
            assert value(pieces, 1, to_move) == pytest.approx(there)


def test_pieces_count_and_black_ones_and_targets_that_can_be_taken_more():
    more = value({**CALM, "G2": "GbO"})
    assert value({**CALM, "G10": "MbO"}) < value(CALM) < more < value({**CALM, "G2": "GkO"})
    pieces = {**CALM, "D6": "GyT", "D8": "MmX", "A11": "MgS"}
    known = value(pieces, shown=["D8"])
    assert known > 0.9
    assert value(pieces) < known
    # It is the other one's turn: it can flee.
    assert value(pieces, to_move=2, shown=["D8"]) < known


FIGHT = {"A1": "GgX", "D5": "GkT", "A11": "MmX", "D7": "MyC", "F7": "MkO"}


def moves_of(board: MindBoard, position: Position) -> dict[str, list[int]]:
    """List the moves of a board by their texts."""
    found: dict[str, list[int]] = {}
    for move in board.moves[: board.list_moves()]:
        found.setdefault(texts(position, [move])[0], []).append(move)
    return found


def test_attack_on_a_drawn_face_is_decided_by_chance_as_the_rules_decide_it():
    position = standing(FIGHT)
    seen = GAME.seen_by(position, 1, remembers=True)
    for draw in range(20):
        world = GAME.supposed(seen, Random(draw))
        board = board_of(world, seen)
        (attack,) = moves_of(board, world)["D5-D6*D7"]
        board.play(attack)
        outcomes = board.expand(board.fresh(), True)
        assert (outcomes, board.ended) == (5, 0)
        assert board.outcome in board.moves[:outcomes]
        board.play(board.outcome)
        after = GAME.play(world, "D5-D6*D7")
        outcome = GAME.outcome(after)
        assert board.ended == (outcome.winner if outcome else 0)
        standing_now = [face & 31 for face in board.pieces[: len(after.faces)]]
        assert bytes(standing_now) == after.faces


def test_enemy_knows_whether_an_unseen_attacker_is_black():
    position = standing({**FIGHT, "F5": "GyS"}, 2)
    board = board_of(position, GAME.seen_by(position, 1, remembers=True))
    moves = moves_of(board, position)
    assert [board.allows(move) for move in moves["D7-D6*D5"]] == [True, False]
    assert [board.allows(move) for move in moves["F7-F6*F5"]] == [False, True]
    assert [board.allows(move) for move in moves["F7-F6"]] == [True]
