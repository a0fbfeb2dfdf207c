"""One game on one board: events of the device become inputs of the table, its entries are saved,
and its scene becomes lights. It knows no page and no service.
"""

from game.play.automatic_hands import AutomaticHands
from game.play.board_choice import (
    FittedMasks,
    at_port,
    choose_board,
    default_board,
    find_board,
    fits_board,
    fitted_profile,
    graph_of,
    lacking_keys,
    learned_file,
    simulated_file,
)
from game.play.input_mapping import FaultLog, InputQueue
from game.play.light_theme import Dimmer, NightMode, light_layers
from game.play.loop import StopFlag, on_signals, run_loop, spare_what_is_loaded, stop_on_signals
from game.play.session import (
    PAGE_INPUTS,
    Audience,
    Decision,
    Partner,
    PuzzleList,
    Session,
    Snapshot,
)
from game.play.voice import SILENT, VOICES, Loudspeaker, Voice, language_of, sounds_for
