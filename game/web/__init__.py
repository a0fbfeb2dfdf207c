"""The page and its server: who may connect (`access`), who plays which side (`seats`), what a page
is shown (`views`) and may send, and the page's own files (`page`).
"""

from game.web.broadcaster import Subscribers
from game.web.game_pages import GAME
from game.web.game_runtime import GameConfig
from game.web.host import Host
from game.web.page_messages import (
    ON_TOOL_PAGE,
    DoAction,
    FromPage,
    GiveCommand,
    Lift,
    MessageError,
    Press,
    PressKey,
    not_allowed,
    parse,
)
from game.web.server import (
    App,
    PageLink,
    Server,
    Site,
    listen,
    page_folder,
    show_in_browser,
    site,
    written_site,
)
from game.web.views import game_view
