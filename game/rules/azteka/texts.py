"""Positions of Azteka in writing: on one line of text, and in the referee's keys.

Owns both forms, and the check that a position read could come about in a game.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from game.rules.azteka import play
from game.rules.azteka.board import BIT, BOARD, FULL, RINGS, names
from game.rules.azteka.play import CODES, LIFE, VARIANTS, FirstRound, Position, Reason, Variant
from game.rules.azteka.presentation import GOALS, SIDES
from game.rules.base.errors import BadPosition
from game.rules.base.message import LONGEST, quote, say
from game.rules.base.values import Json

_EMPTY = "."
_TEXT = re.compile(
    r"(?P<cells>[.LDM]{4}(?:/[.LDM]{4}){7}) (?P<variant>basic|aggressive|three)"
    r" (?P<roles>LD|DL|LDM) (?P<mover>[LDM])(?P<birth>\+?)(?P<last>[0-3]?)(?P<over>=?)"
    r" (?:-|(?P<winner>[12]):(?P<noted>[0-9]{1,2}))"
)


@dataclass(frozen=True, slots=True)
class PositionData:
    """What was read of a position, its forms checked, and None where nothing was given.

    `mover` is a side; in a position that is `over`, the one that won if that is known.
    """

    variant: Variant
    stones: tuple[int, ...]
    life: int
    mover: int | None
    over: bool
    birth: bool
    first_round: FirstRound | None
    last_actions: int | None


def text(position: Position) -> str:
    """Write the segments from `a`, from the inside, and the rest of a position."""
    code = {name: CODES[side] for side, own in enumerate(position.stones) for name in names(own)}
    drawn = "".join(code.get(cell, _EMPTY) for cell in BOARD.cells)
    segments = "/".join(drawn[at : at + RINGS] for at in range(0, len(drawn), RINGS))
    last = "" if position.last_actions is None else position.last_actions
    state = f"{CODES[position.mover]}{'+' * position.birth}{last}{'=' * bool(position.ending)}"
    before = position.first_round
    noted = "-" if before is None else f"{before.winner}:{before.pieces}"
    return f"{segments} {position.variant.name} {''.join(roles(position))} {state} {noted}"


def parse(line: str) -> Position:
    """Read what `text` wrote; raises BadPosition."""
    read = _TEXT.fullmatch(line)
    variant = VARIANTS[read["variant"]] if read else None
    bad = BadPosition(say("azteka.bad_text", text=line[: 2 * LONGEST]))
    if read is None or variant is None or sorted(read["roles"]) != sorted(variant.codes):
        raise bad
    drawn = zip(BOARD.cells, read["cells"].replace("/", ""), strict=True)
    pieces = {cell: code for cell, code in drawn if code != _EMPTY}
    if read["mover"] not in variant.codes:
        raise bad
    data = PositionData(
        variant,
        _stones(variant, pieces),
        read["roles"].index(CODES[LIFE]),
        CODES.index(read["mover"]),
        bool(read["over"]),
        bool(read["birth"]),
        FirstRound(int(read["winner"]), int(read["noted"])) if read["winner"] else None,
        int(read["last"]) if read["last"] else None,
    )
    return _checked(data)


def roles(position: Position) -> list[str]:
    """List the code of each player's side."""
    return [CODES[position.side(n + 1)] for n in range(position.variant.sides)]


def extras(position: Position) -> Json:
    before = position.first_round
    return {
        "round": position.round,
        "roles": roles(position),
        "birth": position.birth,
        "first_round": before and {"winner": before.winner, "pieces": before.pieces},
        "last_actions": position.last_actions,
    }


def from_json(data: Mapping[str, object], variant: Variant, first: int) -> Position:
    """Read the referee's keys; `first` is the player, from 0, who had Life in round 1.

    Raises BadPosition.
    """
    pieces = data.get("pieces", {})
    if not isinstance(pieces, dict):
        raise BadPosition(say("rules.bad_pieces", value=quote(pieces)))
    stones = _stones(variant, pieces)
    before = _first_round(data.get("first_round"))
    number = data.get("round", 1 if before is None else variant.rounds)
    if type(number) is not int or not 1 <= number <= variant.rounds:
        raise _bad("round", number, "1 | 2" if variant.rounds > 1 else "1")
    if (number == 2) != (before is not None):
        raise BadPosition(say("azteka.bad_first_round", value=quote(data.get("first_round"))))
    life = _life(data.get("roles"), variant, (first + number - 1) % 2)
    birth = data.get("birth", False)
    if type(birth) is not bool:
        raise _bad("birth", birth, "true | false")
    last = data.get("last_actions")
    if last is not None and variant.rounds > 1:
        raise _bad("last_actions", last, "null")
    if last is not None and (type(last) is not int or not 0 <= last <= variant.sides):
        raise _bad("last_actions", last, "null | 0 - 3")
    here = Position(variant, stones, life=life, first_round=before)
    decides = data.get("to_move", here.player(LIFE))
    over = decides is None
    mover: int | None = None
    if over:
        mover = _winner(here, data.get("outcome"))
    elif type(decides) in (int, str) and str(decides) in _players(variant):
        mover = here.side(int(str(decides)))
    else:
        allowed = " | ".join(_players(variant))
        raise BadPosition(say("rules.bad_to_move", value=quote(decides), allowed=allowed))
    return _checked(PositionData(variant, stones, life, mover, over, birth, before, last))


def _checked(data: PositionData) -> Position:
    """Build a position that could come about; raises BadPosition for any other."""
    variant, stones, last = data.variant, data.stones, data.last_actions
    for side, cells in enumerate(stones):
        pieces = cells.bit_count()
        if pieces > variant.supply:
            wrong = say("azteka.too_many", side=SIDES[side], pieces=pieces, most=variant.supply)
            raise BadPosition(wrong, names(cells))
    before = data.first_round
    if (before is not None) and (variant.rounds == 1 or not 1 <= before.pieces <= variant.supply):
        raise BadPosition(say("azteka.bad_first_round", value=f"{before.winner}:{before.pieces}"))
    full = variant.sides > 2 and sum(stones) == FULL
    if last is not None and not full:
        raise BadPosition(say("azteka.not_full", value=last))
    position = Position(variant, stones, data.mover or LIFE, data.life, before)
    if data.birth:
        return _with_birth(position, data)
    if data.over:
        return _ended(position, data)
    reached = variant.first_to_reach(stones, LIFE)
    if reached is not None:
        side, reason = reached
        wrong = say("azteka.reached_already", side=SIDES[side], goal=GOALS[reason])
        raise BadPosition(wrong, names(stones[side]))
    if last == 0:
        raise _bad("last_actions", last, "1 - 3")
    if full and last is None:
        last = variant.sides
    return Position(variant, stones, position.mover, data.life, before, last_actions=last)


def _with_birth(position: Position, data: PositionData) -> Position:
    possible = (
        position.variant.bound
        and data.mover == LIFE
        and not data.over
        and play.complete_segments(position) > 0
        and play.open_cells(position.variant, position.stones, LIFE) > 0
    )
    if not possible:
        raise BadPosition(say("azteka.no_birth"))
    before = position.first_round
    return Position(position.variant, position.stones, LIFE, data.life, before, birth=True)


def _ended(position: Position, data: PositionData) -> Position:
    variant, stones, last = position.variant, position.stones, data.last_actions
    reached = variant.first_to_reach(stones, position.mover)
    final = position.round == variant.rounds
    if final and reached is not None:
        side, reason = reached
        before = position.first_round
        return Position(variant, stones, side, data.life, before, False, last, reason)
    full = variant.sides > 2 and sum(stones) == FULL
    if full and reached is None and last in (None, 0):
        return Position(variant, stones, last_actions=0, ending=Reason.BOARD_FULL)
    raise BadPosition(say("azteka.not_over", allowed=" | ".join(_players(variant))))


def _stones(variant: Variant, pieces: Mapping[str, object]) -> tuple[int, ...]:
    stones = [0] * variant.sides
    for cell, code in pieces.items():
        if cell not in BIT:
            raise BadPosition(say("azteka.no_such_cell", text=cell[:LONGEST]))
        if not isinstance(code, str) or len(code) != 1 or code not in variant.codes:
            allowed = " | ".join(variant.codes)
            raise BadPosition(say("rules.bad_piece", cell=cell, value=quote(code), allowed=allowed))
        stones[CODES.index(code)] |= BIT[cell]
    return tuple(stones)


def _first_round(data: object) -> FirstRound | None:
    if data is None:
        return None
    winner, pieces = (data.get("winner"), data.get("pieces")) if isinstance(data, dict) else (0, 0)
    if type(winner) is int and type(pieces) is int and winner in (1, 2):
        return FirstRound(winner, pieces)
    raise BadPosition(say("azteka.bad_first_round", value=quote(data)))


def _life(data: object, variant: Variant, otherwise: int) -> int:
    """Return the player, from 0, who has Life: by the roles given, as codes or as words."""
    if data is None:
        return otherwise
    codes = [str(each)[:1].upper() for each in data] if isinstance(data, list) else []
    known = {"L", "LIFE", "D", "DEATH", "M", "MUMMIES"}
    if isinstance(data, list) and all(str(each).upper() in known for each in data):
        if codes == list(variant.codes):
            return 0
        if variant.sides == 2 and codes == ["D", "L"]:
            return 1
    both = '["L", "D"] | ["D", "L"]'
    raise _bad("roles", data, both if variant.sides == 2 else '["L", "D", "M"]')


def _winner(position: Position, outcome: object) -> int | None:
    """Find the side that won an ended position in which two may have reached goals."""
    data = outcome if isinstance(outcome, dict) else {}
    for side, cells in enumerate(position.stones):
        reason = position.variant.reached(side, cells)
        if reason is None:
            continue
        ended = Position(
            position.variant,
            position.stones,
            side,
            position.life,
            position.first_round,
            ending=reason,
        )
        if play.verdict(ended) == (data.get("winner"), data.get("reason")):
            return side
    return None


def _players(variant: Variant) -> tuple[str, ...]:
    return tuple(str(n + 1) for n in range(variant.sides))


def _bad(key: str, value: object, allowed: str) -> BadPosition:
    return BadPosition(say("azteka.bad_key", key=key, value=quote(value), allowed=allowed))
