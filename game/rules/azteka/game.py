"""Azteka by Andrea Mainini: the game on the disc whose rings turn, in its three variants.

Owns the text forms of positions, and the check that a position can be reached in a game.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from game.rules.azteka import play, presentation
from game.rules.azteka.play import BOARD, CODES, LIFE, FirstRound, Position, Reason, Variant, names
from game.rules.azteka.presentation import CHOICE, GOALS, KEYS, PLAYERS, SIDES, AztekaPresentation
from game.rules.base import reading
from game.rules.base.edits import Edit, EditKind, differences
from game.rules.base.errors import BadPosition, not_legal
from game.rules.base.game import Game, MoveResult, settle
from game.rules.base.message import LONGEST, quote, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Goal, Json, Option, Outcome

_TAPS: dict[str, tuple[str, ...]] = {
    play.DECLINE: (CHOICE,),
    **{turn: (ring,) for turn, ring in zip(play.TURNS, KEYS, strict=True)},
    **{turn: (CHOICE, ring) for turn, ring in zip(play.WIDE_TURNS, KEYS, strict=True)},
}
_NAMES = {
    play.BASIC: ("azteka", "Azteka"),
    play.AGGRESSIVE: ("azteka-aggressive", "Azteka, aggressive"),
    play.THREE: ("azteka-three", "Azteka for three"),
}
_EMPTY = "."
_TEXT = re.compile(
    r"(?P<cells>[.LDM]{4}(?:/[.LDM]{4}){7}) (?P<variant>basic|aggressive|three)"
    r" (?P<roles>LD|DL|LDM) (?P<mover>[LDM])(?P<birth>\+?)(?P<last>[0-3]?)(?P<over>=?)"
    r" (?:-|(?P<winner>[12]):(?P<noted>[0-9]{1,2}))"
)
_ROLES = {2: (["L", "D"], ["D", "L"]), 3: (["L", "D", "M"],)}
"""The roles that players can have, as codes, by the number of players."""


class _AztekaResult(MoveResult[Position, str]):
    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """The turned ring, or all changes but the clearing of the board between rounds."""
        if (turn := play.turn_of(self.move)) is not None:
            return (Edit(EditKind.TURN, KEYS[turn[0]], "", turn[1]),)
        made = replace(self.before, stones=play.change(self.before, self.move).stones)
        return differences(self.pieces[0], self.game.pieces(made), BOARD.cells)


class Azteka(Game[Position, str]):
    """One variant, which may accept others by its option; a position names its own variant."""

    board = BOARD
    effects = _AztekaResult
    words = AztekaPresentation
    agreed_draws = True

    def __init__(self, variant: Variant, *variants: "Azteka") -> None:
        self._variant = variant
        self.name, self.title = _NAMES[variant]
        self.players = PLAYERS[: variant.sides]
        self.palette = tuple(variant.codes)
        self.keys = (*KEYS, CHOICE) if variant.bound or variant.wide else KEYS
        self.variants = {game._variant.name: game for game in variants}
        choices = (variant.name, *self.variants)
        self.options = {"variant": Option(variant.name, choices=choices)}
        if variant.sides > 2:
            # Life is always the first player.
            self.options["first"] = Option("1", choices=("1",))

    def legal_moves(self, position: Position) -> MoveList[str]:
        return play.actions(position)

    def play(self, position: Position, move: str) -> Position:
        if move not in play.actions(position):
            raise not_legal(move)
        return play.after(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        ended = play.verdict(position)
        return ended and Outcome(*ended, presentation.ending(position, ended[0]))

    def to_move(self, position: Position) -> int | None:
        return None if position.ending else position.player(position.mover)

    def pieces(self, position: Position) -> dict[str, str]:
        codes = {
            cell: CODES[side] for side, own in enumerate(position.stones) for cell in names(own)
        }
        return {cell: codes[cell] for cell in BOARD.cells if cell in codes}

    def score(self, position: Position) -> tuple[int, ...]:
        """Return the pieces that each player has on the board."""
        sides = (position.side(n + 1) for n in range(position.variant.sides))
        return tuple(position.stones[side].bit_count() for side in sides)

    def goals(self, position: Position) -> tuple[Goal, ...]:
        goals = []
        for player in range(1, position.variant.sides + 1):
            side = position.side(player)
            own = position.stones[side]
            near = {
                Reason.SPREAD: (play.lines_met(own), play.RINGS + play.SEGMENTS),
                Reason.REIGN: play.fullest_line(own),
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

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        return _TAPS.get(move) or (move,)

    def text(self, position: Position) -> str:
        """Write the segments from `a`, each from the inside, then the rest of a position."""
        pieces = self.pieces(position)
        drawn = "".join(pieces.get(cell, _EMPTY) for cell in BOARD.cells)
        segments = "/".join(drawn[at : at + play.RINGS] for at in range(0, len(drawn), play.RINGS))
        last = "" if position.last_actions is None else position.last_actions
        state = f"{CODES[position.mover]}{'+' * position.birth}{last}{'=' * bool(position.ending)}"
        before = position.first_round
        noted = "-" if before is None else f"{before.winner}:{before.pieces}"
        return f"{segments} {position.variant.name} {''.join(_roles(position))} {state} {noted}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        variant = play.VARIANTS[read["variant"]] if read else play.BASIC
        known = read is not None and read["mover"] in variant.codes
        if read is None or not known or list(read["roles"]) not in _ROLES[variant.sides]:
            raise BadPosition(say("azteka.bad_text", text=text[: 2 * LONGEST]))
        drawn = zip(BOARD.cells, read["cells"].replace("/", ""), strict=True)
        pieces = {cell: code for cell, code in drawn if code != _EMPTY}
        stones = _stones(variant, {"pieces": pieces})
        noted = read["winner"] and {"winner": int(read["winner"]), "pieces": int(read["noted"])}
        before = _first_round(variant, {"first_round": noted})
        life, mover = read["roles"].index(CODES[LIFE]), CODES.index(read["mover"])
        last = int(read["last"]) if read["last"] else None
        position = Position(variant, stones, mover, life, before, bool(read["birth"]), last)
        return _checked(position, bool(read["over"]))

    def extras(self, position: Position) -> Json:
        before = position.first_round
        return {
            "round": position.round,
            "roles": _roles(position),
            "birth": position.birth,
            "first_round": before and {"winner": before.winner, "pieces": before.pieces},
            "last_actions": position.last_actions,
        }

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read a position; without `roles`, the option `first` is who had Life in round 1."""
        data, settled = position, settle(self, options)
        variant, first = play.VARIANTS[settled["variant"]], int(settled["first"]) - 1
        stones, before = _stones(variant, data), _first_round(variant, data)
        number = 1 if before is None else 2
        if data.get("round", number) != number:
            raise reading.bad_key("round", data["round"], "1, or 2 after a first_round")
        life = _life(data.get("roles"), variant, (first + number - 1) % 2)
        birth, last = reading.read_flag(data, "birth"), data.get("last_actions")
        counts = range(variant.sides + 1 if variant.rounds == 1 else 0)
        if not (last is None or (type(last) is int and last in counts)):
            raise reading.bad_key("last_actions", last, " | ".join(map(str, ("null", *counts))))
        here = Position(variant, stones, LIFE, life, before, birth, last)
        mover = reading.read_to_move(data, here.player(LIFE), variant.sides)
        if mover is None:
            return _checked(here, True, data.get("outcome"))
        return _checked(replace(here, mover=here.side(mover)), False)


def _roles(position: Position) -> list[str]:
    return [CODES[position.side(n + 1)] for n in range(position.variant.sides)]


def _checked(position: Position, over: bool, outcome: object = None) -> Position:
    """Complete a position; if it is `over`, its mover has won, or the one in `outcome`."""
    variant, stones, last = position.variant, position.stones, position.last_actions
    for side, cells in enumerate(stones):
        pieces = cells.bit_count()
        if pieces > variant.supply:
            wrong = say("azteka.too_many", side=SIDES[side], pieces=pieces, most=variant.supply)
            raise BadPosition(wrong, names(cells))
    full = variant.sides > 2 and sum(stones) == play.FULL
    if last is not None and not full:
        raise BadPosition(say("azteka.not_full", value=last))
    if position.birth:
        possible = (
            variant.bound
            and position.mover == LIFE
            and not over
            and any(stones[LIFE] & segment == segment for segment in play.SEGMENT)
            and play.open_cells(variant, stones, LIFE) > 0
        )
        if not possible:
            raise BadPosition(say("azteka.no_birth"))
        return position
    if over:
        return _ended(position, full, outcome)
    if (reached := variant.first_to_reach(stones, LIFE)) is not None:
        side, reason = reached
        wrong = say("azteka.reached_already", side=SIDES[side], goal=GOALS[reason])
        raise BadPosition(wrong, names(stones[side]))
    if last == 0:
        raise reading.bad_key("last_actions", last, "1 - 3")
    return replace(position, last_actions=variant.sides if full and last is None else last)


def _ended(position: Position, full: bool, outcome: object) -> Position:
    variant, stones = position.variant, position.stones
    named = outcome if isinstance(outcome, dict) else {}
    for side, cells in enumerate(stones):
        reason = variant.reached(side, cells)
        ended = replace(position, mover=side, ending=reason)
        if reason and play.verdict(ended) == (named.get("winner"), named.get("reason")):
            position = replace(position, mover=side)
            break
    reached = variant.first_to_reach(stones, position.mover)
    if position.round == variant.rounds and reached is not None:
        return replace(position, mover=reached[0], ending=reached[1])
    if full and reached is None and not position.last_actions:
        return replace(position, mover=LIFE, last_actions=0, ending=Reason.BOARD_FULL)
    raise reading.not_over(variant.sides)


def _stones(variant: Variant, data: reading.Data) -> tuple[int, ...]:
    stones = [0] * variant.sides
    known, allowed = {code: n for n, code in enumerate(variant.codes)}, " | ".join(variant.codes)
    for cell, side in reading.read_pieces(data, BOARD, known.get, allowed):
        stones[side] |= play.BIT[cell]
    return tuple(stones)


def _first_round(variant: Variant, data: reading.Data) -> FirstRound | None:
    match given := data.get("first_round"):
        case None:
            return None
        case {"winner": (1 | 2) as winner, "pieces": int(pieces)} if variant.rounds > 1:
            if 1 <= pieces <= variant.supply:
                return FirstRound(winner, pieces)
    raise BadPosition(say("azteka.bad_first_round", value=quote(given)))


def _life(data: object, variant: Variant, otherwise: int) -> int:
    """Return the player, from 0, who has Life by the given roles, which are codes or words."""
    if data is None:
        return otherwise
    words = [str(each).upper() for each in data] if isinstance(data, list) else []
    codes = [word[:1] for word in words]
    known = {"L", "LIFE", "D", "DEATH", "M", "MUMMIES"}
    if codes in _ROLES[variant.sides] and known.issuperset(words):
        return codes.index(CODES[LIFE])
    raise reading.bad_key("roles", data, " | ".join(map(str, _ROLES[variant.sides])))


GAME = Azteka(play.BASIC, Azteka(play.AGGRESSIVE), Azteka(play.THREE))
