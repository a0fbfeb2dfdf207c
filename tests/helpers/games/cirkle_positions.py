"""Small positions of CirKle Mind, boards with squares as a test wants them, and single attacks."""

from collections.abc import Mapping
from typing import Any

from game.rules.cirkle_mind import GAME, CirkleMind
from game.rules.cirkle_mind.position import Position
from game.rules.cirkle_mind.squares import COLUMNS, INDEX, SQUARES, ZONES, read_squares

WON, LOST, BOTH = "attacker", "defender", "both"


def rows_of(printed: tuple[str, ...]) -> list[str]:
    """Write squares as a file of a layout has them."""
    lines = [printed[at : at + COLUMNS] for at in range(0, len(printed), COLUMNS)]
    return [" ".join(code or "--" for code in line) for line in reversed(lines)]


def board_with(wanted: Mapping[str, str]) -> CirkleMind:
    """Return the game on a layout with these codes on these cells, exchanged within their zone."""
    printed, settled = list(SQUARES.printed), set()
    for cell, code in wanted.items():
        at = INDEX[cell]
        zone = {INDEX[each] for side in ZONES if cell in side for each in side}
        other = next(n for n in sorted(zone) if printed[n] == code and n not in settled)
        printed[at], printed[other] = printed[other], printed[at]
        settled.add(at)
    game = CirkleMind(read_squares(rows_of(tuple(printed))))
    assert {cell: game.presentation.printed[cell] for cell in wanted} == dict(wanted)
    return game


def standing(pieces: Mapping[str, str], to_move: int = 1, **shown: Any) -> Position:
    """Return a position in play with these pieces only; `level` is an option."""
    options = {"level": shown.pop("level", "easy")}
    return GAME.from_json({"pieces": dict(pieces), "to_move": to_move, **shown}, options)


def after(pieces: Mapping[str, str], *moves: str, to_move: int = 1, **shown: Any) -> Position:
    """Play these moves on the usual board, from a position with these pieces only."""
    position = standing(pieces, to_move, **shown)
    for move in moves:
        position = GAME.play(position, GAME.parse_move(position, move))
    return position


def fight(
    level: str, attacker: str, defender: str, on: str = "", against: str = "", side: str = "G"
) -> str:
    """Let a piece of a side attack one of the other, on squares with these codes, and say who won.

    Without a square the attacker stands in the neutral zone. What the board, the score and the
    removed cell tell must agree.
    """
    other = "M" if side == "G" else "G"
    if on:
        start, goal, target = ("B8", "B9", "C9") if side == "G" else ("B4", "B3", "C3")
    else:
        start, goal, target = ("B6", "B7", "B8") if side == "G" else ("B6", "B5", "B4")
    wanted = ({goal: on} if on else {}) | ({target: against} if against else {})
    game = board_with(wanted)
    if against == "":
        # A square that gives the defender no protection.
        plain = next(
            code
            for code in sorted(set(game.presentation.printed.values()) - {on})
            if code[0] != defender[0] and code[1] != defender[1]
        )
        game = board_with({**wanted, target: plain})
    pieces = {start: side + attacker, target: other + defender}
    mover = 1 if (side == "G") != level.startswith("super") else 2
    position = game.from_json({"pieces": pieces, "to_move": mover}, {"level": level})
    move = f"{start}-{goal}*{target}"
    assert move in game.legal_moves(position)
    assert game.faces(position, move) == {goal: side + attacker, target: other + defender}
    done, removed = game.play(position, move), game.result(position, move).removed
    stands = game.pieces(done)
    verdicts = {
        WON: ({target: side + attacker}, (target,), mover),
        LOST: ({goal: other + defender}, (goal,), 3 - mover),
        BOTH: ({goal: side + attacker, target: other + defender}, (), 0),
    }
    for verdict, (left, gone, scorer) in verdicts.items():
        if stands == left:
            assert removed == gone
            assert done.score == (int(scorer == 1), int(scorer == 2))
            return verdict
    raise AssertionError(f"after {move} the pieces are {stands}")
