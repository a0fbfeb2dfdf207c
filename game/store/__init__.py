"""Games on disk: the journal saves each entry of the table as it is made; records of games are read
and written as text and JSON. Must not know boards, pages or the service.
"""

from game.store.archive import (
    export,
    game_number,
    history,
    import_files,
    last_game,
    past_games,
    record_of,
    unfinished_games,
)
from game.store.game_writer import BACKUP
from game.store.games_file import FILE, replace_durably
from game.store.journal import Journal
from game.store.record import (
    DEFAULT_GAME,
    Record,
    final_state,
    game_named,
    initial_state,
    lines_of,
)
from game.store.solved import Solved
from game.store.store import (
    BOARD,
    LOCK,
    ROOM,
    JournalLine,
    Result,
    Store,
    StoredGame,
    delete_game,
)
