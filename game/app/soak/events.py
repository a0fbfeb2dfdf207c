"""What a move does, counted: so that a soak can tell that everything happened which can happen.

Owns the names of these events. Must not know any game: it goes by what changes on the board.
"""

from collections.abc import Iterator
from typing import Any

from game.rules.game import EditKind, Game

EVENTS = {
    "event.grown": "pieces that grew, or lost something",
    "event.moved": "pieces moved to another cell",
    "event.turn1": "rings turned by one cell",
    "event.turn2": "rings turned by more",
    "event.again": "moves after which the same player went on",
    "event.swapped": "pieces replaced by others, where nobody touched",
    "event.captured": "pieces taken where a move went",
    "event.lost": "own pieces lost by a move",
    "event.taken": "pieces taken elsewhere",
    "event.cleared": "rounds that ended with a cleared board",
    "event.nothing": "moves that change nothing on the board",
}
"""What may happen in a move, and what it is called."""


def events(game: Game[Any, Any], before: Any, move: Any, after: Any) -> Iterator[str]:
    """Name what a move did on the board and to the order of play."""
    stood, stand = game.pieces(before), game.pieces(after)
    if stood and not stand:
        yield "event.cleared"
        return
    if game.to_move(after) == game.to_move(before):
        yield "event.again"
    if stood == stand:
        yield "event.nothing"
        return
    if game.board.rings:
        turns = [e for e in game.edits(before, move) if e.kind is EditKind.TURN]
        yield from ("event.turn1" if abs(turn.steps) == 1 else "event.turn2" for turn in turns)
        if turns:
            return
    taps = game.taps(before, move)
    side = game.side_of(before, game.to_move(before) or 1)
    gone = game.removed(before, move) if len(stand) <= len(stood) else ()
    for cell in gone:
        # Where nothing stood, a piece has gone that had just come there.
        if cell not in stood or game.side(stood[cell]) == side:
            yield "event.lost"
        else:
            yield "event.captured" if cell in taps else "event.taken"
    for cell, piece in stand.items():
        was = stood.get(cell, piece)
        if was == piece:
            continue
        if game.side(was) == game.side(piece):
            yield "event.grown"
        elif cell not in taps:
            yield "event.swapped"
    if any(cell in stood and cell not in stand and cell not in gone for cell in taps):
        yield "event.moved"
