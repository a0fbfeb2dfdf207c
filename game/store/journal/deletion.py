"""Deleting one game while another may be played."""

from pathlib import Path

from game.store.journal.store import Store


def delete_game(folder: Path, number: int) -> None:
    """Delete a game that is not being played, in a transaction of its own; raises StoreError.

    A journal may be writing: SQLite lets one wait for the other. Until the next backup the game is
    in the last one, and comes back with it if the file is damaged before.
    """
    with Store(folder, read_only=True) as store:
        store.game(number)  # writing to a file that is missing would make a new one
    with Store(folder) as store:
        store.delete(number)
