"""A game as it is played on a board: a state machine without I/O, above the rules.

Takes sensor readings and requests (`inputs`), returns what must be saved (`entries`), and shows a
scene. Other packages import from here, and from `game.table.inputs` and `game.table.entries`, which
define its inputs and outputs. Knows no sensor, light, file or clock.
"""

from game.table import entries, inputs
from game.table.commands import requests_to_undo
from game.table.hands import (
    LESSON,
    MenuChoice,
    SearchRequest,
    is_persons_turn,
    level_word,
    looked_at,
    proposal,
    proposed_move,
)
from game.table.phases import Phase
from game.table.players import DRAW_S
from game.table.reducer import apply_entries
from game.table.scene import ROLE_CUES, Cue, Lamp, PlayerView, Scene, scene_of
from game.table.state import (
    REJECTED_S,
    UNKNOWN_PIECE,
    BoardSetup,
    Played,
    PositionDraft,
    RingTurn,
    State,
)
from game.table.table import Table
from game.table.words import move_sentence, named, spoken_news, spoken_prompt
