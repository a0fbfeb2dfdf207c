"""The presentation of Azteka: its words, inspection and threats."""

from collections.abc import Mapping, Sequence

from game.rules.azteka import play
from game.rules.azteka.play import BIT, BOARD, RING, SEGMENT_OF, around, names
from game.rules.base.game import Game, MoveResult, Presentation
from game.rules.base.message import Message, say
from game.rules.base.reading import no_such_cell
from game.rules.base.values import CHOICES, Inspection, Role, Threats

CHOICE = CHOICES[0]
KEYS = tuple(BOARD.rings)

PLAYERS = (say("player.first"), say("player.second"), say("player.third"))
SIDES = (say("azteka.life"), say("azteka.death"), say("azteka.mummies", count=14))
PIECES = {"L": say("piece.life"), "D": say("piece.death"), "M": say("piece.mummies")}
GOALS = {
    play.Reason.SPREAD: say("azteka.spread"),
    play.Reason.REIGN: say("azteka.reign"),
    play.Reason.ALL_PLACED: say("azteka.all_placed"),
}
_FREE, _TURN = say("azteka.rule_free"), say("azteka.rule_turn")
_MATCH, _END = say("azteka.rule_match"), say("azteka.rule_end")
_BOUND = (say("azteka.rule_bound"), _TURN, say("azteka.rule_birth"))
_GOALS = (say("azteka.rule_life"), say("azteka.rule_death"), say("azteka.rule_all_placed"))
_BOTH_GOALS = (say("azteka.rule_spread"), say("azteka.rule_reign"), say("azteka.rule_full"))
RULES = {
    play.BASIC: (_MATCH, *_BOUND, say("azteka.rule_disintegration"), *_GOALS, _END),
    play.AGGRESSIVE: (_MATCH, _FREE, _TURN, say("azteka.rule_wide"), *_GOALS, _END),
    play.THREE: (say("azteka.rule_three"), _FREE, _TURN, *_BOTH_GOALS),
}


def ending(position: play.Position, winner: int | None) -> Message:
    before, pieces = position.first_round, position.stones[position.mover].bit_count()
    if before is None:
        if winner is None or position.ending is None:
            return say("azteka.drawn_full")
        return say("azteka.won_three", player=SIDES[position.mover], goal=GOALS[position.ending])
    if winner is None:
        return say("azteka.drawn_equal", pieces=pieces)
    player = SIDES[position.side(winner)]
    if winner == before.winner == position.player(position.mover):
        return say("azteka.won_both", player=player)
    few, many = sorted((pieces, before.pieces))
    return say("azteka.won_fewer", player=player, pieces=few, more=many)


def _done(position: play.Position, move: str, made: play.Change) -> Message:
    who = SIDES[position.mover]
    if move == play.DECLINE:
        return say("azteka.declined", player=who)
    if (turn := play.turn_of(move)) is not None:
        ring = turn[0] + 1
        wide = say("azteka.turned_wide", player=who, ring=ring)
        return say("azteka.turned", player=who, ring=ring) if turn[1] == 1 else wide
    if doomed := tuple(names(made.doomed)):
        return say("azteka.disintegrated", player=who, cell=move, count=len(doomed), cells=doomed)
    if made.birth:
        return say("azteka.gave_birth", player=who, cell=move, segment=move[0])
    return say("azteka.placed", player=who, cell=move)


class AztekaPresentation(Presentation[play.Position, str]):
    """The words of one variant of Azteka."""

    sides = tuple(play.CODES)
    piece_words: Mapping[str, Message] = PIECES
    side_words = SIDES
    hues = ("#28c850", "#7d46ff", "#ffaa00")
    score_word = say("goal.on_board")
    meanings: Mapping[str, Message] = {
        "azteka.spread": say("azteka.about_spread"),
        "azteka.reign": say("azteka.about_reign"),
        "azteka.all_placed": say("azteka.about_all_placed"),
        "azteka.rounds": say("azteka.about_rounds"),
        "goal.on_board": say("azteka.about_on_board"),
    }
    notation = say("azteka.notation")

    def __init__(self, game: Game[play.Position, str]) -> None:
        super().__init__(game)
        self._variant = variant = game.initial().variant
        self.about = say(f"azteka.about_{variant.name}")
        self.rules = RULES[variant]
        roles = {Role.INSPECTED: say("azteka.role_line")}
        if variant.bound:
            roles[Role.THREAT] = say("azteka.role_around")
            roles[Role.VICTIM] = say("azteka.role_beside")
        self.roles: Mapping[Role, Message] = roles

    def side_of(self, position: play.Position, player: int) -> int:
        return position.side(player) + 1

    def before(self, position: play.Position) -> Message | None:
        """Return who won the first round, and with how many pieces, which decides the match."""
        if (first := position.first_round) is None:
            return None
        return say("azteka.before", player=self.called(position, first.winner), pieces=first.pieces)

    def key_word(self, position: play.Position, taps: Sequence[str], key: str) -> Message:
        if key == CHOICE:
            return say("azteka.key_decline") if position.birth else say("azteka.key_wide")
        if taps:
            return say("azteka.key_turn_wide", ring=key.removeprefix("ring"))
        return super().key_word(position, taps, key)

    def refusal(self, position: play.Position, taps: Sequence[str]) -> Message:
        touched = taps[-1]
        if position.ending:
            return say("rules.game_over")
        if touched not in BIT and touched not in (*KEYS, CHOICE):
            return no_such_cell(BOARD, touched)
        if len(taps) > 1:
            if touched in KEYS:
                return say("azteka.not_more", ring=touched.removeprefix("ring"))
            return say("azteka.then_ring")
        if touched == CHOICE:
            wide = position.variant.wide and not position.birth
            return say("azteka.no_wide_turn") if wide else say("azteka.nothing_to_decline")
        if touched in KEYS:
            return say("azteka.birth_first")
        if position.last_actions is not None:
            return say("azteka.only_turns")
        if not position.free & BIT[touched]:
            return say("azteka.occupied", cell=touched)
        if not position.left(position.mover):
            return say("azteka.none_left")
        return say("azteka.not_beside", cell=touched)

    def inspect(self, position: play.Position, cell: str) -> Inspection | None:
        """Show the side's pieces in the segment and ring. In a variant with powers, also show
        the Death pieces beside a Life piece, or the Life pieces beside a Death piece.
        """
        bit = BIT.get(cell, 0)
        near = around(bit)
        side = next((n for n, own in enumerate(position.stones) if own & bit), None)
        if side is None:
            return None
        own, number = position.stones[side], int(cell[1:])
        segment, ring = own & SEGMENT_OF[cell], own & RING[number - 1]
        cells = dict.fromkeys(names(segment | ring), Role.INSPECTED)
        message = say(
            "azteka.inspected",
            piece=PIECES[play.CODES[side]],
            in_segment=segment.bit_count(),
            segment=cell[0],
            in_ring=ring.bit_count(),
            ring=number,
        )
        if position.variant.bound:
            role = Role.THREAT if side == play.LIFE else Role.VICTIM
            beside = near & position.stones[1 - side]
            cells |= dict.fromkeys(names(beside), role)
            if side == play.LIFE:
                counts = {"near": beside.bit_count(), "all": near.bit_count()}
                message = say("azteka.inspected_life", lines=message, **counts)
        return Inspection(cells, {}, message)

    @property
    def teaches(self) -> bool:
        """Whether Life can be disintegrated in this variant."""
        return self._variant.bound

    def threats(self, position: play.Position, player: int) -> Threats:
        """Find the Life pieces that Death could disintegrate by one placement."""
        if not position.variant.bound or position.ending:
            return Threats()
        life, death = position.stones
        doomed = 0
        for cell in names(play.open_cells(position.variant, position.stones, play.DEATH)):
            doomed |= play.disintegrated(position.variant, (life, death | BIT[cell]))
        cells = frozenset(names(doomed))
        mine = position.side(player) == play.LIFE
        return Threats(endangered=cells) if mine else Threats(edible=cells)

    def won_by(self, result: MoveResult[play.Position, str]) -> int | None:
        """Return who wins the match by a move, else who wins the round; the two may differ."""
        reached = play.change(result.before, result.move).reached
        if result.after.ending is not None or reached is None:
            return super().won_by(result)
        return result.before.player(reached[0])

    def win_words(self, position: play.Position) -> tuple[Message, Message]:
        """Say that the first of two rounds does not win the match."""
        if position.round < position.variant.rounds:
            return say("azteka.finish"), say("azteka.guard")
        return super().win_words(position)

    def computer_plays(self, move: str) -> Message:
        if (turn := play.turn_of(move)) is not None:
            return say("azteka.computer_turns", ring=turn[0] + 1, count=turn[1])
        return say("azteka.computer_declines")

    def summary(self, result: MoveResult[play.Position, str]) -> Message:
        position, move = result.before, result.move
        made, variant = play.change(position, move), position.variant
        did = _done(position, move, made)
        if made.reached is not None and variant.rounds > 1:
            side, reason = made.reached
            return say(
                "azteka.round_won",
                did=did,
                player=SIDES[side],
                round=position.round,
                goal=GOALS[reason],
                count=made.stones[side].bit_count(),
            )
        full = result.after.last_actions == variant.sides
        return say("azteka.filled", did=did) if full else did
