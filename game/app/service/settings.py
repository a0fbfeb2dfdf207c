"""The configuration of the service: a TOML file that people write.

Owns its keys, what they may say and what holds where they say nothing. `systemd/lifeboard.toml` is
the file that is installed, with a word on each key.
"""

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.app.arguments import DEFAULT_GAME, DEFAULT_PORT
from game.app.boards import find
from game.app.carriers import PI, WIRED, carrier_of, is_wired
from game.app.errors import AppError
from game.app.fitting import fitted
from game.app.log_messages import SETTINGS_REFUSED
from game.app.night import NightMode
from game.app.opened import check_names, read_computers
from game.app.service.places import EXIT_CONFIG
from game.app.words import words
from game.rules.catalogue import find_game
from game.rules.errors import RulesError
from game.rules.game import Game
from hal import toml_reader
from hal.errors import HalError, ProfileError
from hal.profile import Profile, built_in_names
from hal.toml_reader import Section

log = logging.getLogger(__name__)

AUTO = "auto"
BACKENDS = (AUTO, *WIRED, "sim", "mock")
PIN, OPEN = "pin", "open"
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}
FIRST_PORT = 1024
"""Those below are for root."""
HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""What ProtectHome= and PrivateTmp= hide."""
_HOST = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?"


class SettingsError(AppError, ValueError):
    """Refuse a configuration; the message names file, key, value and what is allowed."""

    status = EXIT_CONFIG


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Say which board is played on.

    `backend` "auto" is a real board, on what its profile is made for. `profile` is a built-in name
    or a file, None the board that was learnt.
    """

    backend: str = AUTO
    profile: str | None = None
    night: NightMode = NightMode.AUTO

    @property
    def real(self) -> bool:
        """Whether it is a real board."""
        return self.backend == AUTO or is_wired(self.backend)

    def carrier(self, profile: Profile | None) -> str:
        """Name the backend for a board; None for one that is not known, as it is not learnt yet."""
        if self.backend != AUTO:
            return self.backend
        return PI if profile is None else carrier_of(profile)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Say which game is played, and by whom; no players leave their names as they are.

    `opponent` is read by `read_computers`; without it, who is a computer stays as it is.
    """

    name: str = DEFAULT_GAME
    players: tuple[str, ...] = ()
    opponent: str | None = None

    def computers(self, where: str) -> tuple[str, ...]:
        """Give the computer's level for each player, "" for a person, or nothing.

        Raises AppError or RulesError, saying `where` it stands, for what the game has not.
        """
        if self.opponent is None:
            return ()
        return read_computers(find_game(self.name), self.opponent, where)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Say who may open the page.

    Without `network` only this computer. `watching` "open" lets everybody on the network watch
    without the PIN. `names` are more host names under which browsers come.
    """

    port: int = DEFAULT_PORT
    network: bool = False
    watching: str = PIN
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold a whole configuration; `level` is the least level that is logged."""

    board: BoardSettings = field(default_factory=BoardSettings)
    game: GameSettings = field(default_factory=GameSettings)
    page: PageSettings = field(default_factory=PageSettings)
    level: int = logging.INFO


def read(path: Path) -> Settings:
    """Read a configuration; raise SettingsError for the first thing that is not allowed.

    A file that is not there is as good as an empty one.
    """
    if not path.exists():
        return Settings()
    try:
        root = toml_reader.read(path)
        settings = Settings(
            board=_board(root.section("board")) if root.has("board") else BoardSettings(),
            game=_game(root.section("game")) if root.has("game") else GameSettings(),
            page=_page(root.section("page")) if root.has("page") else PageSettings(),
            level=_level(root.section("log")) if root.has("log") else logging.INFO,
        )
        root.done()
    except ProfileError as error:
        raise SettingsError(str(error)) from error
    return settings


def checked(path: Path) -> Settings:
    """Read a configuration and see that what it names is there; raise SettingsError."""
    settings = read(path)
    try:
        game = find_game(settings.game.name)
        check_names(game, settings.game.players, f"{path}: [game] players")
        settings.game.computers(f"{path}: [game] opponent")
        if (named := settings.board.profile) is not None:
            if named not in built_in_names() and not Path(named).is_absolute():
                raise SettingsError(
                    f'{path}: [board] profile = "{named}": allowed is a built-in board'
                    f" ({', '.join(built_in_names())}), or a file by its whole path"
                )
            _check_board(settings.board, find(named), game, path)
    except RulesError as error:
        raise SettingsError(f"{path}: [game] name: {words('en').text(error.message)}") from error
    except (AppError, HalError) as error:
        raise SettingsError(str(error)) from error
    return settings


def _check_board(
    settings: BoardSettings, profile: Profile, game: Game[Any, Any], path: Path
) -> None:
    """Raise AppError for a board that is none for the game, or hangs on another computer."""
    fitted(profile, game)
    carrier = carrier_of(profile)
    if is_wired(settings.backend) and settings.backend != carrier:
        raise SettingsError(
            f'{path}: [board] backend = "{settings.backend}": allowed with the board'
            f' {profile.name} is "{carrier}", or "{AUTO}"'
        )


def log_refusal(error: SettingsError, path: Path) -> int:
    """Log why a configuration is refused, in a way that the journal explains; give the status."""
    log.error("%s", error, extra=SETTINGS_REFUSED.extra(LIFEBOARD_FILE=str(path)))
    return error.status


def check_seen(settings: Settings, path: Path) -> None:
    """Raise SettingsError for a profile in a folder that the unit hides from the service."""
    named = settings.board.profile or ""
    if any(Path(named).is_relative_to(each) for each in HIDDEN):
        raise SettingsError(
            f'{path}: [board] profile = "{named}": the service does not see {", ".join(HIDDEN)};'
            " allowed is a file elsewhere, such as in /etc/lifeboard"
        )


def _board(section: Section) -> BoardSettings:
    plain = BoardSettings()
    settings = BoardSettings(
        backend=section.text("backend", BACKENDS) if section.has("backend") else plain.backend,
        profile=section.text("profile") if section.has("profile") else None,
        night=NightMode(section.text("night", [mode.value for mode in NightMode]))
        if section.has("night")
        else plain.night,
    )
    section.done()
    return settings


def _game(section: Section) -> GameSettings:
    plain = GameSettings()
    settings = GameSettings(
        name=section.text("name") if section.has("name") else plain.name,
        players=section.texts("players") if section.has("players") else (),
        opponent=section.text("opponent") if section.has("opponent") else None,
    )
    section.done()
    return settings


def _page(section: Section) -> PageSettings:
    plain = PageSettings()
    settings = PageSettings(
        port=section.integer("port", FIRST_PORT, 65535) if section.has("port") else plain.port,
        network=section.flag("network") if section.has("network") else plain.network,
        watching=section.text("watching", (PIN, OPEN))
        if section.has("watching")
        else plain.watching,
        names=section.texts("names", _HOST, "lower-case host names such as board.local")
        if section.has("names")
        else (),
    )
    section.done()
    return settings


def _level(section: Section) -> int:
    level = section.text("level", LEVELS) if section.has("level") else "info"
    section.done()
    return LEVELS[level]
