"""Azteka by Andrea Mainini: the game on the disc whose rings turn, in its three variants.

Owns what the table and the referee ask of it, its touches and refusals. What a turn does stands in
`game.rules.azteka_play`, how positions are written in `game.rules.azteka_record`, and the words in
`game.rules.azteka_words`.
"""

import re
from collections.abc import Mapping, Sequence

from game.rules.azteka_board import (
    BIT,
    BOARD,
    RING,
    SEGMENT_OF,
    SEGMENTS,
    around,
    fullest_line,
    lines_met,
    names,
)
from game.rules.azteka_board import RINGS as RING_COUNT
from game.rules.azteka_play import (
    AGGRESSIVE,
    BASIC,
    CODES,
    DEATH,
    DECLINE,
    LIFE,
    THREE,
    TURNS,
    VARIANTS,
    WIDE_TURNS,
    Actions,
    Position,
    Reason,
    Variant,
    actions,
    after,
    disintegrated,
    doomed_by,
    open_cells,
    start,
    turn_of,
    verdict,
)
from game.rules.azteka_record import extras, from_json, parse, reached_already, text, too_many
from game.rules.azteka_words import GOALS, PIECES, PLAYERS, RULES, SIDES, ending, told
from game.rules.errors import BadOption, IllegalMove
from game.rules.game import (
    CHOICES,
    Edit,
    EditKind,
    Flaw,
    Game,
    Goal,
    Inspection,
    Json,
    Outcome,
    Role,
    Threats,
)
from game.rules.message import Message, say
from game.rules.options import Option

CHOICE = CHOICES[0]
_KEYS = tuple(BOARD.rings)
_TAPS: dict[str, tuple[str, ...]] = {
    DECLINE: (CHOICE,),
    **{turn: (ring,) for turn, ring in zip(TURNS, _KEYS, strict=True)},
    **{turn: (CHOICE, ring) for turn, ring in zip(WIDE_TURNS, _KEYS, strict=True)},
}
_LIKE_CELL = re.compile("[a-zA-Z][0-9]{1,2}")
_LIKE_TURN = re.compile("T{1,2}[0-9]{1,2}")
_TITLES = {BASIC: "Azteka", AGGRESSIVE: "Azteka, aggressive", THREE: "Azteka for three"}
_NAMES = {BASIC: "azteka", AGGRESSIVE: "azteka-aggressive", THREE: "azteka-three"}


class Azteka(Game[Position, str]):
    """Life wants to spread and Death to reign; with three, everybody wants either.

    A game has one variant that it begins with unless told otherwise, and accepts some by its
    option; in everything else it goes by the variant of the position.
    """

    board = BOARD
    hues = ("#28c850", "#7d46ff", "#ffaa00")
    agreed_draws = True
    score_word = say("goal.on_board")

    def __init__(self, variant: Variant, *variants: "Azteka") -> None:
        self._variant = variant
        self.name, self.title = _NAMES[variant], _TITLES[variant]
        self.players = PLAYERS[: variant.sides]
        self.rules = RULES[variant]
        self.palette = tuple(variant.codes)
        self.keys = (*_KEYS, CHOICE) if variant.bound or variant.wide else _KEYS
        self.roles = {Role.CRITTER: say("azteka.role_line")}
        if variant.bound:
            self.roles[Role.PREDATOR] = say("azteka.role_around")
            self.roles[Role.PREY] = say("azteka.role_beside")
        self.variants = {game._variant.name: game for game in variants}
        choices = (variant.name, *self.variants)
        self.options = {"variant": Option(variant.name, choices=choices)}

    @property
    def known_options(self) -> dict[str, Option]:
        """All options by name; with three, Life is always the first player."""
        known = super().known_options
        return (
            known if self._variant.sides == 2 else {**known, "first": Option("1", choices=("1",))}
        )

    def settle(self, options: Mapping[str, str]) -> dict[str, str]:
        """Fill in the defaults of all options and check the rest; raises BadOption."""
        settled = super().settle(options)
        first = settled["first"]
        if VARIANTS[settled["variant"]].sides > 2 and first != "1":
            raise BadOption(say("rules.bad_option", key="first", value=first, allowed="1"))
        return settled

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; options `variant`, and `first`, who is Life in round 1."""
        settled = self.settle(options)
        return start(VARIANTS[settled["variant"]], int(settled["first"]) - 1)

    def legal_moves(self, position: Position) -> Actions:
        """View what the mover may do; nothing when the game is over."""
        return actions(position)

    def play(self, position: Position, move: str) -> Position:
        """Place, turn or decline, with all that follows from it; raises IllegalMove."""
        if move not in actions(position):
            raise IllegalMove(self._why_not(position, move))
        return after(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended: the match of two rounds, or the one round of three."""
        ended = verdict(position)
        if ended is None:
            return None
        winner, reason = ended
        return Outcome(winner, reason, ending(position, winner))

    def to_move(self, position: Position) -> int | None:
        """Return the player whose side decides next, None when the game is over."""
        return None if position.ending else position.player(position.mover)

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to `L`, `D` or `M`, in the board's order of cells."""
        codes = {
            cell: CODES[side] for side, own in enumerate(position.stones) for cell in names(own)
        }
        return {cell: codes[cell] for cell in BOARD.cells if cell in codes}

    def score(self, position: Position) -> tuple[int, ...]:
        """Return the pieces that each player has on the board."""
        sides = (position.side(n + 1) for n in range(position.variant.sides))
        return tuple(position.stones[side].bit_count() for side in sides)

    def goals(self, position: Position) -> tuple[Goal, ...]:
        """Say how near each player is to the goals of his side, and to winning both rounds."""
        goals = []
        for player in range(1, position.variant.sides + 1):
            side = position.side(player)
            own = position.stones[side]
            near = {
                Reason.SPREAD: (lines_met(own), RING_COUNT + SEGMENTS),
                Reason.REIGN: fullest_line(own),
                Reason.ALL_PLACED: (own.bit_count(), position.variant.supply),
            }
            for reason in position.variant.goals(side):
                goals.append(Goal(player, GOALS[reason], *near[reason]))
        if position.variant.rounds > 1:
            goals += [
                Goal(n + 1, say("azteka.rounds"), won, position.variant.rounds, of_match=True)
                for n, won in enumerate(position.rounds_won)
            ]
        return tuple(goals)

    def text(self, position: Position) -> str:
        """Write a position on one line; `parse` reads it back."""
        return text(position)

    def parse(self, text: str) -> Position:
        """Read what `text` wrote; raises BadPosition."""
        return parse(text)

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and the further keys; raises BadPosition or BadOption."""
        settled = self.settle(options)
        return from_json(position, VARIANTS[settled["variant"]], int(settled["first"]) - 1)

    def extras(self, position: Position) -> Json:
        """Return the round, the roles, a birth to decide, the first round and last actions."""
        return extras(position)

    def move_text(self, position: Position, move: str) -> str:
        """Write the move, which is its own text."""
        return move

    def parse_move(self, position: Position, text: str) -> str:
        """Read a legal move; raises IllegalMove and says why."""
        if text not in actions(position):
            raise IllegalMove(self._why_not(position, text))
        return text

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        """List the cell, or the keys, that enter a move."""
        return _TAPS.get(move) or (move,)

    def edits(self, position: Position, move: str) -> tuple[Edit, ...]:
        """List the ring turned, or the piece put and the Life pieces that turn to Death."""
        if move == DECLINE:
            return ()
        turn = turn_of(move)
        if turn is not None:
            return (Edit(EditKind.TURN, _KEYS[turn[0]], "", turn[1]),)
        doomed = names(doomed_by(position, move))
        return (
            Edit(EditKind.PUT, move, CODES[position.mover]),
            *(Edit(EditKind.SWAP, cell, CODES[DEATH]) for cell in doomed),
        )

    def key_word(self, position: Position, taps: Sequence[str], key: str) -> Message:
        """Say that a key declines a birth, turns a ring, or will turn one by two segments."""
        if key == CHOICE:
            return say("azteka.key_decline") if position.birth else say("azteka.key_wide")
        if taps:
            return say("azteka.key_turn_wide", ring=key.removeprefix("ring"))
        return super().key_word(position, taps, key)

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        """Say why a cell or a key, touched after others that began a move, goes on to none."""
        touched = taps[-1]
        if position.ending:
            return say("rules.game_over")
        if touched not in BIT and touched not in (*_KEYS, CHOICE):
            return say("azteka.no_such_cell", text=touched)
        if len(taps) > 1:
            if touched in _KEYS:
                return say("azteka.not_more", ring=touched.removeprefix("ring"))
            return say("azteka.then_ring")
        if touched == CHOICE:
            wide = position.variant.wide and not position.birth
            return say("azteka.no_wide_turn") if wide else say("azteka.nothing_to_decline")
        if touched in _KEYS:
            return say("azteka.birth_first")
        if position.last_actions is not None:
            return say("azteka.only_turns")
        if not position.free & BIT[touched]:
            return say("azteka.occupied", cell=touched)
        if not position.left(position.mover):
            return say("azteka.none_left")
        return say("azteka.not_beside", cell=touched)

    def piece_word(self, piece: str) -> Message:
        """Name a piece by its side."""
        return PIECES[piece]

    def side(self, piece: str) -> int | None:
        """Return 1 for Life, 2 for Death, 3 for Mummies."""
        return CODES.index(piece) + 1 if piece in PIECES else None

    def side_of(self, position: Position, player: int) -> int:
        """Return the side that a player has in this round."""
        return position.side(player) + 1

    def token(self, side: int) -> str:
        """Return the code of a side, also of one that only another variant has."""
        return CODES[side - 1]

    def called(self, position: Position, player: int) -> Message:
        """Name a player by his side in this round."""
        return SIDES[position.side(player)]

    def set_up(
        self,
        pieces: Mapping[str, str],
        to_move: int,
        score: Sequence[int],
        options: Mapping[str, str],
    ) -> Position:
        """Build a position of the first round, whose score follows; raises BadPosition."""
        return self.from_json({"pieces": dict(pieces), "to_move": to_move}, options)

    def flaw(self, pieces: Mapping[str, str]) -> Flaw | None:
        """Find a side with more pieces than it has, or one that has reached a goal already."""
        own = [0] * self._variant.sides
        for cell, code in pieces.items():
            own[CODES.index(code)] |= BIT[cell]
        for side, cells in enumerate(own):
            wrong = too_many(self._variant, side, cells)
            if wrong is not None:
                return Flaw(frozenset(names(cells)), wrong)
        reached = self._variant.first_to_reach(own, LIFE)
        if reached is None:
            return None
        return Flaw(frozenset(names(own[reached[0]])), reached_already(*reached))

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show the pieces of the same side in the segment and ring, and, where there are powers,
        the Death pieces around one of Life or the Life pieces beside one of Death.
        """
        bit = BIT.get(cell, 0)
        side = next((n for n, own in enumerate(position.stones) if own & bit), None)
        if side is None:
            return None
        own, segment, number = position.stones[side], SEGMENT_OF[cell], int(cell[1:])
        ring = RING[number - 1]
        cells = dict.fromkeys(names(own & (segment | ring)), Role.CRITTER)
        message = say(
            "azteka.inspected",
            piece=PIECES[CODES[side]],
            in_segment=(own & segment).bit_count(),
            segment=cell[0],
            in_ring=(own & ring).bit_count(),
            ring=number,
        )
        if position.variant.bound:
            role = Role.PREDATOR if side == LIFE else Role.PREY
            cells.update(dict.fromkeys(names(around(bit) & position.stones[1 - side]), role))
        if position.variant.bound and side == LIFE:
            near = around(bit)
            message = say(
                "azteka.inspected_life",
                lines=message,
                near=(near & position.stones[DEATH]).bit_count(),
                all=near.bit_count(),
            )
        return Inspection(cells, {}, message)

    @property
    def teaches(self) -> bool:
        """Whether Life can be disintegrated in this variant."""
        return self._variant.bound

    def threats(self, position: Position, player: int) -> Threats:
        """Find the Life pieces that Death could disintegrate by one placement."""
        if not position.variant.bound or position.ending:
            return Threats()
        life, death = position.stones
        doomed = 0
        for cell in names(open_cells(position.variant, position.stones, DEATH)):
            doomed |= disintegrated(position.variant, (life, death | BIT[cell]))
        cells = frozenset(names(doomed))
        return Threats(endangered=cells) if position.side(player) == LIFE else Threats(edible=cells)

    def summary(self, position: Position, move: str) -> Message:
        """Tell what a legal move does, what follows from it, and who wins a round by it."""
        return told(position, move)

    def _why_not(self, position: Position, text: str) -> Message:
        """Say why a text is no legal move."""
        if position.ending:
            return say("rules.game_over")
        if _LIKE_TURN.fullmatch(text):
            if text not in _TAPS:
                return say("azteka.no_such_ring", text=text)
            if position.birth:
                return say("azteka.birth_first")
            if not position.variant.wide:
                return say("azteka.not_wide", text=text)
            return say("azteka.not_more", ring=text[-1])
        if text == DECLINE:
            return say("azteka.nothing_to_decline")
        if text in BIT or _LIKE_CELL.fullmatch(text):
            return self.refusal(position, (text,))
        return say("azteka.no_such_move", text=text)


GAME = Azteka(BASIC, Azteka(AGGRESSIVE), Azteka(THREE))
