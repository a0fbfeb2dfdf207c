"""The words of Azteka: its sides, its rules in a minute, what a move did and how a game ended.

Owns what is said of positions and moves. Must not know touches, or how positions are written.
"""

from game.rules.azteka_board import names
from game.rules.azteka_play import (
    AGGRESSIVE,
    BASIC,
    DECLINE,
    THREE,
    Position,
    Reason,
    after,
    change,
    doomed_by,
    turn_of,
)
from game.rules.message import Message, say

PLAYERS = (say("player.first"), say("player.second"), say("player.third"))
SIDES = (say("azteka.life"), say("azteka.death"), say("azteka.mummies"))
PIECES = {"L": say("piece.life"), "D": say("piece.death"), "M": say("piece.mummies")}
GOALS = {
    Reason.SPREAD: say("azteka.spread"),
    Reason.REIGN: say("azteka.reign"),
    Reason.ALL_PLACED: say("azteka.all_placed"),
}
_MATCH = say("azteka.rule_match")
_END = say("azteka.rule_end")
_GOALS = (say("azteka.rule_life"), say("azteka.rule_death"), say("azteka.rule_all_placed"))
RULES = {
    BASIC: (
        _MATCH,
        say("azteka.rule_bound"),
        say("azteka.rule_turn"),
        say("azteka.rule_birth"),
        say("azteka.rule_disintegration"),
        *_GOALS,
        _END,
    ),
    AGGRESSIVE: (
        _MATCH,
        say("azteka.rule_free"),
        say("azteka.rule_turn"),
        say("azteka.rule_wide"),
        *_GOALS,
        _END,
    ),
    THREE: (
        say("azteka.rule_three"),
        say("azteka.rule_free"),
        say("azteka.rule_turn"),
        say("azteka.rule_spread"),
        say("azteka.rule_reign"),
        say("azteka.rule_full"),
    ),
}


def told(position: Position, move: str) -> Message:
    """Tell what a legal move does, what follows from it, and who wins a round by it."""
    did = _deed(position, move)
    made, variant = change(position, move), position.variant
    if made.reached is not None and variant.rounds > 1:
        side, reason = made.reached
        return say(
            "azteka.round_won",
            did=did,
            player=PLAYERS[position.player(side) - 1],
            role=SIDES[side],
            round=position.round,
            goal=GOALS[reason],
            count=made.stones[side].bit_count(),
        )
    full = after(position, move).last_actions == variant.sides
    return say("azteka.filled", did=did) if full else did


def ending(position: Position, winner: int | None) -> Message:
    """Say how a game ended that this player, from 1, has won, or nobody."""
    before, pieces = position.first_round, position.stones[position.mover].bit_count()
    if before is None:
        if winner is None or position.ending is None:
            return say("azteka.drawn_full")
        return say("azteka.won_three", role=SIDES[position.mover], goal=GOALS[position.ending])
    if winner is None:
        return say("azteka.drawn_equal", pieces=pieces)
    player, role = PLAYERS[winner - 1], SIDES[position.side(winner)]
    if winner == before.winner == position.player(position.mover):
        return say("azteka.won_both", player=player, role=role)
    few, many = sorted((pieces, before.pieces))
    return say("azteka.won_fewer", player=player, role=role, pieces=few, more=many)


def _deed(position: Position, move: str) -> Message:
    who = SIDES[position.mover]
    if move == DECLINE:
        return say("azteka.declined", player=who)
    turn = turn_of(move)
    if turn is not None:
        ring, steps = turn[0] + 1, turn[1]
        if steps == 1:
            return say("azteka.turned", player=who, ring=ring)
        return say("azteka.turned_wide", player=who, ring=ring)
    doomed = tuple(names(doomed_by(position, move)))
    if doomed:
        return say("azteka.disintegrated", player=who, cell=move, count=len(doomed), cells=doomed)
    if change(position, move).birth:
        return say("azteka.gave_birth", player=who, cell=move, segment=move[0])
    return say("azteka.placed", player=who, cell=move)
