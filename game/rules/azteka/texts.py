"""The text forms of Azteka's positions: one line of text, and the referee's keys.

Owns both forms, and the check that a position can be reached in a game.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from game.rules.azteka import play
from game.rules.azteka.board import BIT, BOARD, FULL, RINGS, names
from game.rules.azteka.play import CODES, LIFE, VARIANTS, FirstRound, Position, Reason, Variant
from game.rules.azteka.presentation import GOALS, SIDES
from game.rules.base.errors import BadPosition
from game.rules.base.game import Game, settle
from game.rules.base.message import LONGEST, quote, say
from game.rules.base.reading import (
    Data,
    bad_key,
    bad_piece,
    no_such_cell,
    not_over,
    read_flag,
    read_pieces,
    read_to_move,
)
from game.rules.base.values import Json

_EMPTY = "."
_TEXT = re.compile(
    r"(?P<cells>[.LDM]{4}(?:/[.LDM]{4}){7}) (?P<variant>basic|aggressive|three)"
    r" (?P<roles>LD|DL|LDM) (?P<mover>[LDM])(?P<birth>\+?)(?P<last>[0-3]?)(?P<over>=?)"
    r" (?:-|(?P<winner>[12]):(?P<noted>[0-9]{1,2}))"
)
_ROLES = {2: (["L", "D"], ["D", "L"]), 3: (["L", "D", "M"],)}
"""The roles that players can have, as codes, by the number of players."""


class AztekaTexts(Game[Position, str]):
    """The text forms of Azteka."""

    def text(self, position: Position) -> str:
        """Write the segments from `a`, each from the inside, then the rest of a position."""
        code = {
            name: CODES[side] for side, own in enumerate(position.stones) for name in names(own)
        }
        drawn = "".join(code.get(cell, _EMPTY) for cell in BOARD.cells)
        segments = "/".join(drawn[at : at + RINGS] for at in range(0, len(drawn), RINGS))
        last = "" if position.last_actions is None else position.last_actions
        state = f"{CODES[position.mover]}{'+' * position.birth}{last}{'=' * bool(position.ending)}"
        before = position.first_round
        noted = "-" if before is None else f"{before.winner}:{before.pieces}"
        return f"{segments} {position.variant.name} {''.join(_roles(position))} {state} {noted}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        variant = VARIANTS[read["variant"]] if read else play.BASIC
        if read is None or list(read["roles"]) not in _ROLES[variant.sides]:
            raise BadPosition(say("azteka.bad_text", text=text[: 2 * LONGEST]))
        if read["mover"] not in variant.codes:
            raise BadPosition(say("azteka.bad_text", text=text[: 2 * LONGEST]))
        drawn = zip(BOARD.cells, read["cells"].replace("/", ""), strict=True)
        stones = _stones(variant, {cell: code for cell, code in drawn if code != _EMPTY})
        before = FirstRound(int(read["winner"]), int(read["noted"])) if read["winner"] else None
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

    def from_json(self, position: Data, options: Mapping[str, str]) -> Position:
        """Read a position; without `roles`, the option `first` is who had Life in round 1."""
        data, settled = position, settle(self, options)
        variant, first = VARIANTS[settled["variant"]], int(settled["first"]) - 1
        stones, before = _stones(variant, read_pieces(data)), _first_round(data)
        number = data.get("round", 1 if before is None else variant.rounds)
        if type(number) is not int or not 1 <= number <= variant.rounds:
            raise bad_key("round", number, "1 | 2" if variant.rounds > 1 else "1")
        if (number == 2) != (before is not None):
            raise _bad_first_round(data.get("first_round"))
        life = _life(data.get("roles"), variant, (first + number - 1) % 2)
        birth, last = read_flag(data, "birth"), data.get("last_actions")
        if last is not None and variant.rounds > 1:
            raise bad_key("last_actions", last, "null")
        if not (last is None or (type(last) is int and 0 <= last <= variant.sides)):
            raise bad_key("last_actions", last, "null | 0 - 3")
        here = Position(variant, stones, LIFE, life, before, birth, last)
        mover = read_to_move(data, here.player(LIFE), variant.sides)
        if mover is None:
            return _checked(here, True, data.get("outcome"))
        return _checked(replace(here, mover=here.side(mover)), False)


def _roles(position: Position) -> list[str]:
    """List the code of each player's side."""
    return [CODES[position.side(n + 1)] for n in range(position.variant.sides)]


def _checked(position: Position, over: bool, outcome: object = None) -> Position:
    """Complete a position that can be reached; raises BadPosition for any other.

    If it is `over`, the winner is its mover, or the player whom the outcome names.
    """
    variant, stones, last = position.variant, position.stones, position.last_actions
    for side, cells in enumerate(stones):
        pieces = cells.bit_count()
        if pieces > variant.supply:
            wrong = say("azteka.too_many", side=SIDES[side], pieces=pieces, most=variant.supply)
            raise BadPosition(wrong, names(cells))
    before = position.first_round
    if (before is not None) and (variant.rounds == 1 or not 1 <= before.pieces <= variant.supply):
        raise _bad_first_round(f"{before.winner}:{before.pieces}")
    full = variant.sides > 2 and sum(stones) == FULL
    if last is not None and not full:
        raise BadPosition(say("azteka.not_full", value=last))
    if position.birth:
        possible = (
            variant.bound
            and position.mover == LIFE
            and not over
            and play.complete_segments(position) > 0
            and play.open_cells(variant, stones, LIFE) > 0
        )
        if not possible:
            raise BadPosition(say("azteka.no_birth"))
        return position
    if over:
        return _ended(position, full, outcome)
    reached = variant.first_to_reach(stones, LIFE)
    if reached is not None:
        side, reason = reached
        wrong = say("azteka.reached_already", side=SIDES[side], goal=GOALS[reason])
        raise BadPosition(wrong, names(stones[side]))
    if last == 0:
        raise bad_key("last_actions", last, "1 - 3")
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
    raise not_over(variant.sides)


def _stones(variant: Variant, pieces: Mapping[str, object]) -> tuple[int, ...]:
    stones = [0] * variant.sides
    for cell, code in pieces.items():
        if cell not in BIT:
            raise BadPosition(no_such_cell(BOARD, cell))
        if not isinstance(code, str) or len(code) != 1 or code not in variant.codes:
            raise bad_piece(cell, code, " | ".join(variant.codes))
        stones[CODES.index(code)] |= BIT[cell]
    return tuple(stones)


def _first_round(data: Data) -> FirstRound | None:
    match data.get("first_round"):
        case None:
            return None
        case {"winner": (1 | 2) as winner, "pieces": int(pieces)}:
            return FirstRound(winner, pieces)
    raise _bad_first_round(data.get("first_round"))


def _bad_first_round(value: object) -> BadPosition:
    return BadPosition(say("azteka.bad_first_round", value=quote(value)))


def _life(data: object, variant: Variant, otherwise: int) -> int:
    """Return the player, from 0, who has Life by the given roles, which are codes or words."""
    if data is None:
        return otherwise
    words = [str(each).upper() for each in data] if isinstance(data, list) else []
    codes = [word[:1] for word in words]
    known = {"L", "LIFE", "D", "DEATH", "M", "MUMMIES"}
    if codes in _ROLES[variant.sides] and known.issuperset(words):
        return codes.index(CODES[LIFE])
    raise bad_key("roles", data, " | ".join(map(str, _ROLES[variant.sides])))
