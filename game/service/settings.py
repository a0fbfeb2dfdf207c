"""The settings of the service: a TOML file; `systemd/lifeboard.toml` has a comment on each key."""

import logging
from pathlib import Path
from typing import Annotated, Literal

from game.common import AppError, words
from game.house.published import Publishing, read_publishing
from game.opponent import check_names, read_computers, read_help
from game.play import SILENT, VOICES, NightMode, find_board, fitted_profile
from game.remote.address import NEW, Address, check_game, read_address
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.registry import find_game
from game.service.paths import EXIT_CONFIG, ServicePaths
from game.store import DEFAULT_GAME
from hal.backends.registry import PI, backend_names, backend_of, capabilities
from hal.base.errors import HalError, ProfileError
from hal.base.schema import Meta, Struct, one_of
from hal.profile import Profile, read_as

AUTO = "auto"
DEFAULT_PORT = 8765
"""Also the default of the command."""
PIN: Literal["pin"] = "pin"
OPEN: Literal["open"] = "open"
FIRST_PORT = 1024
"""Lower ports need root."""
_Host = Annotated[str, Meta(pattern=r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$")]
_HOSTS = "a list of lower-case host names such as board.local"
Text = Annotated[str, Meta(min_length=1, title="a text that is not empty")]


class SettingsError(AppError, ValueError):
    """Refuse settings; the message names file, key, value and what is allowed."""

    status = EXIT_CONFIG


class BoardSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which board is played on.

    `backend` "auto" is a real board, on the backend of its profile. `profile` is a built-in name or
    a file; None is the learned board. `publish` is read by `read_publishing`.
    """

    backend: Text = AUTO
    profile: Text | None = None
    night: NightMode = NightMode.AUTO
    sound: bool = False
    voice: Annotated[str, one_of(*VOICES)] = SILENT
    publish: Text | None = None

    def publishing(self) -> Publishing | None:
        """Return the address at which the board publishes; raises AppError."""
        return None if self.publish is None else read_publishing(self.publish)

    @property
    def real(self) -> bool:
        return self.backend == AUTO or capabilities(self.backend).real

    def carrier(self, profile: Profile | None) -> str:
        """Return the backend for a board; None means a board that is not learned yet."""
        if self.backend != AUTO:
            return self.backend
        return PI if profile is None else backend_of(profile)


class GameSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game is played, and by whom; without a setting the last game is resumed.

    What is not set stays as it is: the names without `players`, the opponents without `opponent`,
    which `read_computers` reads, and the help without `help`, which `read_help` reads. A name of
    `players` may be empty. With a `room` the opponent is another board, by `read_address`.
    """

    name: Text | None = None
    players: tuple[str, ...] = ()
    opponent: Text | None = None
    help: Text | None = None
    room: Text | None = None

    @property
    def game(self) -> AnyGame:
        """The game that is named, or the usual one; raises RulesError for an unknown name."""
        return find_game(self.name or DEFAULT_GAME)

    def address(self) -> Address | None:
        """Return the address of the room; raises AppError, also for the code NEW."""
        if self.room is None:
            return None
        check_game(self.game)
        address = read_address(self.room)
        if address.code == NEW:
            raise AppError(
                f"{NEW} draws a room at each start; the page draws one and tells its code"
            )
        return address

    def computers(self) -> tuple[str, ...]:
        """Return the computer's level for each player, "" for a person; empty if not set.

        Raises AppError or RulesError.
        """
        if self.opponent is None:
            return ()
        return read_computers(self.game, self.opponent, "[game] opponent")

    def help_levels(self, data: Path) -> tuple[str, ...]:
        """Return each player's level of help, by `read_help`; raises AppError."""
        return read_help(self.game, self.help, "[game] help", data, self.players)


class PageSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may open the page.

    Without `network` only this computer may; with it other devices too, all by HTTPS if `https`,
    and those of the internet if `public`. `watching` "open" lets the network watch without the PIN.
    Without a network, a `hotspot` lets people choose a Wi-Fi. `names` are more host names that
    browsers use.
    """

    port: Annotated[int, Meta(ge=FIRST_PORT, le=65535)] = DEFAULT_PORT
    network: bool = False
    watching: Literal["pin", "open"] = PIN
    names: Annotated[tuple[_Host, ...], Meta(title=_HOSTS)] = ()
    https: bool = False
    public: bool = False
    hotspot: bool = False


class LogSettings(Struct, frozen=True, forbid_unknown_fields=True):
    level: Literal["debug", "info", "warning"] = "info"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, a table of the file each."""

    board: BoardSettings = BoardSettings()
    game: GameSettings = GameSettings()
    page: PageSettings = PageSettings()
    log: LogSettings = LogSettings()

    @property
    def level(self) -> int:
        """The lowest level that is logged."""
        return logging.getLevelNamesMapping()[self.log.level.upper()]


def read(path: Path) -> Settings:
    """Read settings; raise SettingsError for the first error. A missing file is an empty one."""
    if not path.exists():
        return Settings()
    try:
        settings = read_as(path, Settings)
    except ProfileError as error:
        raise SettingsError(str(error)) from error
    if settings.board.backend not in (AUTO, *backend_names()):
        allowed = ", ".join((AUTO, *backend_names()))
        raise SettingsError(
            f"{path}: [board] backend is {settings.board.backend!r}; allowed: {allowed}"
        )
    if settings.page.https and not settings.page.network:
        raise SettingsError(f"{path}: [page] https is true; allowed: that with network = true")
    return settings


def read_checked(path: Path) -> Settings:
    """Read settings and check that what they name exists; raise SettingsError."""
    settings = read(path)
    board = settings.board
    try:
        game = settings.game.game
        check_names(game, settings.game.players, "[game] players")
        settings.game.computers()
        settings.game.help_levels(ServicePaths().data)
        settings.game.address()
        board.publishing()
        if board.profile is not None:
            profile = find_board(board.profile)
            fitted_profile(profile, game)
            if board.backend != AUTO and not capabilities(board.backend).suits(profile):
                raise AppError(
                    f"[board] backend is {board.backend!r}; allowed with the board"
                    f" {profile.name}: {backend_of(profile)!r} or {AUTO!r}"
                )
    except RulesError as error:
        raise SettingsError(f"{path}: [game] name: {words('en').text(error.message)}") from error
    except (AppError, HalError) as error:
        raise SettingsError(f"{path}: {error}") from error
    return settings
