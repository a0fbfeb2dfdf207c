"""The settings of the service: a TOML file that people write.

Owns its keys, their allowed values and their defaults. `systemd/lifeboard.toml` is the file that is
installed, with a comment on each key.
"""

import logging
from dataclasses import dataclass, field
from pathlib import Path

from game.common.errors import AppError
from game.common.translation import words
from game.house.published import Publishing, read_publishing
from game.play.board_choice import find
from game.play.board_mapping import fitted
from game.play.night_mode import NightMode
from game.play.voice import OFF, VOICES
from game.remote.address import NEW, Address, choose_room, read_address
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.registry import find_game
from game.service.paths import EXIT_CONFIG
from game.web.game_runtime import check_names, read_computers
from hal.backends.registry import PI, backend_names, backend_of, capabilities
from hal.base.errors import HalError, ProfileError
from hal.profile import Profile, built_in_names, toml_reader
from hal.profile.toml_reader import Section

AUTO = "auto"
DEFAULT_GAME, DEFAULT_PORT = "circle-of-life", 8765
"""Those of the commands, too."""
PIN, OPEN = "pin", "open"
_NIGHT = tuple(mode.value for mode in NightMode)
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}
FIRST_PORT = 1024
"""Lower ports need root."""
HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""What ProtectHome= and PrivateTmp= hide."""
_HOST = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?"


class SettingsError(AppError, ValueError):
    """Refuse settings; the message names file, key, value and what is allowed."""

    status = EXIT_CONFIG


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Which board is played on.

    `backend` "auto" is a real board, on the backend of its profile. `profile` is a built-in name or
    a file; None is the learned board. `publish` is read by `read_publishing`.
    """

    backend: str = AUTO
    profile: str | None = None
    night: NightMode = NightMode.AUTO
    sound: bool = False
    voice: str = OFF
    publish: str | None = None

    def publishing(self) -> Publishing | None:
        """Return where the board publishes; raises AppError."""
        return None if self.publish is None else read_publishing(self.publish)

    @property
    def real(self) -> bool:
        return self.backend == AUTO or capabilities(self.backend).real

    def carrier(self, profile: Profile | None) -> str:
        """Return the backend for a board; None is a board that is not learned yet."""
        if self.backend != AUTO:
            return self.backend
        return PI if profile is None else backend_of(profile)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Which game is played, and by whom; without `players` the names stay as they are.

    `opponent` is read by `read_computers`; None leaves the opponents as they are. In a `room` it is
    another board, and its address is read by `read_address`.
    """

    name: str = DEFAULT_GAME
    players: tuple[str, ...] = ()
    opponent: str | None = None
    room: str | None = None

    def address(self) -> Address | None:
        """Return where the room is; raises AppError."""
        return None if self.room is None else choose_room(self.room, find_game(self.name))

    def computers(self, where: str) -> tuple[str, ...]:
        """Return the computer's level for each player, "" for a person; empty if not set.

        Raises AppError or RulesError that name `where` the setting is.
        """
        if self.opponent is None:
            return ()
        return read_computers(find_game(self.name), self.opponent, where)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Who may open the page.

    Without `network` only this computer; with `https` other devices come by HTTPS, with `public`
    those of the internet too. `watching` "open" lets the network watch without the PIN. `names` are
    more host names that browsers use.
    """

    port: int = DEFAULT_PORT
    network: bool = False
    watching: str = PIN
    names: tuple[str, ...] = ()
    https: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; `level` is the lowest level that is logged."""

    board: BoardSettings = field(default_factory=BoardSettings)
    game: GameSettings = field(default_factory=GameSettings)
    page: PageSettings = field(default_factory=PageSettings)
    level: int = logging.INFO


def read(path: Path) -> Settings:
    """Read settings; raise SettingsError for the first error. A missing file is an empty one."""
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


def read_checked(path: Path) -> Settings:
    """Read settings and check that what they name exists; raise SettingsError."""
    settings = read(path)
    try:
        game = find_game(settings.game.name)
        check_names(game, settings.game.players, f"{path}: [game] players")
        settings.game.computers(f"{path}: [game] opponent")
        _check_addresses(settings, path)
        if (named := settings.board.profile) is not None:
            if named not in built_in_names() and not Path(named).is_absolute():
                raise SettingsError(
                    f'{path}: [board] profile = "{named}": allowed is a built-in board'
                    f" ({', '.join(built_in_names())}), or the full path of a file"
                )
            _check_board(settings.board, find(named), game, path)
    except RulesError as error:
        raise SettingsError(f"{path}: [game] name: {words('en').text(error.message)}") from error
    except (AppError, HalError) as error:
        raise SettingsError(str(error)) from error
    return settings


def _check_addresses(settings: Settings, path: Path) -> None:
    """Raise SettingsError for an address that cannot be, or a room that would change."""
    key, room = "[game] room", settings.game.room
    try:
        if room is not None and read_address(room).is_new:
            raise AppError(
                f"{NEW} draws a room at each start; the page draws one and tells its code"
            )
        settings.game.address()
        key = "[board] publish"
        settings.board.publishing()
    except AppError as error:
        raise SettingsError(f"{path}: {key}: {error}") from error


def _check_board(settings: BoardSettings, profile: Profile, game: AnyGame, path: Path) -> None:
    """Raise AppError for a board that does not fit the game, or the backend."""
    fitted(profile, game)
    if settings.backend != AUTO and not capabilities(settings.backend).suits(profile):
        raise SettingsError(
            f'{path}: [board] backend = "{settings.backend}": allowed with the board'
            f' {profile.name} is "{backend_of(profile)}", or "{AUTO}"'
        )


def check_visible(settings: Settings, path: Path) -> None:
    """Raise SettingsError for a file in a folder that the unit hides from the service."""
    publishing = settings.board.publishing()
    named: list[tuple[str, str | Path | None]] = [("[board] profile", settings.board.profile)]
    for key, address in (
        ("[game] room", settings.game.address()),
        ("[board] publish", publishing.address if publishing else None),
    ):
        if address is not None:
            named += (key, address.password_file), (key, address.ca_file)
    for key, file in named:
        if file is not None and any(Path(file).is_relative_to(each) for each in HIDDEN):
            raise SettingsError(
                f'{path}: {key} = "{file}": the service cannot read {", ".join(HIDDEN)};'
                " put it elsewhere, such as in /etc/lifeboard"
            )


def _board(section: Section) -> BoardSettings:
    default = BoardSettings()
    has, text = section.has, section.text
    settings = BoardSettings(
        backend=text("backend", (AUTO, *backend_names())) if has("backend") else default.backend,
        profile=text("profile") if has("profile") else None,
        night=NightMode(text("night", _NIGHT)) if has("night") else default.night,
        sound=has("sound") and section.flag("sound"),
        publish=text("publish") if has("publish") else None,
        voice=text("voice", VOICES) if has("voice") else default.voice,
    )
    section.done()
    return settings


def _game(section: Section) -> GameSettings:
    settings = GameSettings(
        name=section.text("name") if section.has("name") else DEFAULT_GAME,
        players=section.texts("players") if section.has("players") else (),
        opponent=section.text("opponent") if section.has("opponent") else None,
        room=section.text("room") if section.has("room") else None,
    )
    section.done()
    return settings


def _page(section: Section) -> PageSettings:
    has = section.has
    hosts = "lower-case host names such as board.local"
    settings = PageSettings(
        port=section.integer("port", FIRST_PORT, 65535) if has("port") else DEFAULT_PORT,
        network=has("network") and section.flag("network"),
        public=has("public") and section.flag("public"),
        watching=section.text("watching", (PIN, OPEN)) if has("watching") else PIN,
        names=section.texts("names", _HOST, hosts) if has("names") else (),
        https=has("https") and section.flag("https"),
    )
    if settings.https and not settings.network:
        raise section.misfit("https = true", "that with network = true")
    section.done()
    return settings


def _level(section: Section) -> int:
    level = section.text("level", LEVELS) if section.has("level") else "info"
    section.done()
    return LEVELS[level]
