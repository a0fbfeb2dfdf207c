"""Deleting one game while another may be played."""

from contextlib import suppress
from pathlib import Path

from game.store.journal.last_line import NAME as LAST_LINE
from game.store.journal.last_line import read_last_line
from game.store.journal.store import Store


def delete_game(folder: Path, number: int) -> None:
    """Delete a game that is not being played, in a transaction of its own; raises StoreError.

    A journal may be writing: SQLite lets one wait for the other. Until the next backup the game is
    in the last one, and comes back with it if the file is damaged before.
    """
    with Store(folder, read_only=True, copies=False) as store:
        store.game(number)  # writing to a file that is missing would make a new one
    last = read_last_line(folder)
    if last is not None and last.game == number:
        # Otherwise the next start would miss the line, and bring the game back.
        with suppress(OSError):
            (folder / LAST_LINE).unlink()
    with Store(folder) as store:
        store.delete(number)
