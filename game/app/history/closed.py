"""Which kept games are closed: their records would tell what players still hide from each other.

Owns that decision. That is the newest game played here in a game that hides things, as long as it
is not over, since it would be taken up again; one that a newer game has followed never is. What
somebody has laid out who never came to play is in no record at all.
"""

from game.app.errors import AppError
from game.app.history.record import Record, game_named
from game.app.journal.store import BOARD, Kept, Store
from game.rules.catalogue import all_games


def is_closed(store: Store, kept: Kept) -> bool:
    """Tell whether nothing of a kept game may be told but that it is there."""
    game = all_games().get(kept.game)
    if game is None or not game.hidden or kept.reason is not None or kept.source != BOARD:
        return False
    return store.newest(kept.game) == kept.number


def refuse_closed(store: Store, kept: Kept) -> None:
    """Raise AppError for a game that is closed."""
    if is_closed(store, kept):
        raise AppError(
            f"game {kept.number} is {kept.game} and not over: its record would tell what the"
            " players hide, and is closed until it ends or a newer one is begun"
        )


def stays_closed(store: Store, record: Record, *, last: bool) -> bool:
    """Tell whether a record is not to be taken in, since that would open a closed game.

    `last` says that it comes from a games file whose players would take it up again, whatever else
    is kept here.
    """
    if record.result is not None or not game_named(record.game).hidden:
        return False
    if last:
        return True
    newest = store.newest(record.game)
    if newest is None:
        return False
    kept = store.kept(newest)
    return kept.started == record.started and kept.reason is None
