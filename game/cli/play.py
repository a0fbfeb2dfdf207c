"""The command `play`: a game at the terminal, with its page on this computer, until stopped."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from game.common import AppError, data_folder, system_language, words
from game.house.published import read_publishing
from game.opponent import check_names, read_help, read_opponents
from game.play import (
    SILENT,
    Dimmer,
    NightMode,
    StopFlag,
    choose_board,
    fits_board,
    language_of,
    run_loop,
    spare_what_is_loaded,
    stop_on_signals,
)
from game.remote.address import Address, room_for
from game.remote.link import recorded_side
from game.rules.base.game import AnyGame
from game.rules.base.lessons import taught_by
from game.rules.base.message import Message, say
from game.rules.base.registry import choose_game
from game.store import DEFAULT_GAME, last_game
from game.web import GAME, GameConfig, Host, Server, listen, show_in_browser
from game.web.access import Access, Certificate, Pins


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The command line's options, by their names; None where not given."""

    game: str | None
    backend: str
    board: str | None
    port: int
    browser: bool
    data: Path | None
    seed: int | None = None
    night: str = NightMode.AUTO.value
    players: tuple[str, ...] | None = None
    opponent: str | None = None
    help_level: str | None = None
    sound: bool = False
    voice: str = SILENT
    network: bool = False
    https: bool = False
    public: bool = False
    serial: str | None = None
    options: Sequence[tuple[str, str]] = ()
    hands: str = "auto"
    kind: str = GAME
    room: str | None = None
    publish: str | None = None


def play(options: PlayOptions) -> None:
    """Play, show or teach until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    folder = options.data or data_folder()
    config, dimmer = _config(options, folder)
    room = config.room
    # Without a network the other board could not connect.
    offered = room is not None and _offers(room, folder)
    network = options.network or options.https or offered
    pins = Pins(folder) if network else None
    certificate = Certificate(folder) if options.https else None
    speak = words(system_language())
    publishing = None if options.publish is None else read_publishing(options.publish)
    stop = StopFlag()
    stop_on_signals(stop)
    with ExitStack() as stack:
        listening = stack.enter_context(listen(options.port, network=network))
        host = stack.enter_context(Host(config, options.kind))
        port = listening.getsockname()[1]
        access = Access(pins, public=options.public, certificate=certificate, port=port)
        server = stack.enter_context(Server(host, listening, access))
        host.step(time.monotonic())
        lines = [say("play.ready", title=config.game.title, address=server.address)]
        lines += [] if room is None else _room_words(room, server, offered)
        if publishing is not None:
            from game.house.house import House

            house = stack.enter_context(closing(House(host, publishing, dimmer, folder, speak)))
            host.after_step = house.follow
            where = publishing.address.host
            lines.append(say("play.publishes", broker=where, topic=publishing.prefix))
        if pins is not None:
            others = " ".join(server.addresses)
            lines.append(say("play.network", addresses=others, pin=pins.pin))
        if certificate is not None:
            lines.append(say("play.certificate", fingerprint=certificate.fingerprint))
        if host.running.page.seats is not None:
            lines.append(say("play.seats") if pins is not None else say("play.seats_here"))
        print("\n".join(map(speak.text, lines)), flush=True)
        if options.browser:
            show_in_browser(server.address)

        def pulse(_: float) -> None:
            if host.running.session.switched_off:
                stop.set()

        spare_what_is_loaded()
        run_loop(host, stop, pulse)
    journal = host.running.journal
    lost = journal is not None and journal.loses_moves
    print(speak.text(say("play.ended_unkept") if lost else say("play.ended")), flush=True)


def _config(options: PlayOptions, folder: Path) -> tuple[GameConfig, Dimmer]:
    """Read what is played, by whom and on which board, with its dimmer; raises as `play`."""
    game, chosen = _chosen_game(options, folder)
    names = options.players or ()
    check_names(game, names, "--players")
    computers: tuple[str, ...] = ()
    engines: dict[str, tuple[str, ...]] = {}
    if options.opponent is not None:
        computers, engines = read_opponents(game, options.opponent, "--opponent")
    levels = read_help(game, options.help_level, "--help-level", folder, names)
    room = None if options.room is None else room_for(options.room, folder, game, chosen)
    if room is not None and any(computers):
        raise AppError("--opponent and --room do not go together")
    profile = choose_board(options.board, options.backend, options.serial, game)
    dimmer = Dimmer(profile, NightMode(options.night))
    config = GameConfig(
        game,
        profile,
        options.backend,
        folder,
        dimmer,
        names,
        computers,
        seed=options.seed,
        sound=options.sound,
        voice=language_of(options.voice),
        options=chosen,
        help_levels=levels,
        automatic=options.hands == "auto",
        room=room,
        engines=engines,
    )
    return config, dimmer


def _chosen_game(options: PlayOptions, folder: Path) -> tuple[AnyGame, Mapping[str, str]]:
    """Return the game with its options; without any choice, the game that is on the board."""

    def fits(game: AnyGame) -> bool:
        board = choose_board(options.board, options.backend, options.serial, game)
        return fits_board(board, game)

    new = options.options or options.players or options.opponent or options.room
    if options.game is None and not new:
        game, chosen = choose_game(last_game(folder, fits).name, {})
    else:
        game, chosen = choose_game(options.game or DEFAULT_GAME, dict(options.options))
    if options.kind != GAME:
        # A variant is taught by the tutorial and the puzzles of the game that it varies.
        return choose_game(taught_by(game) or game.name, {})
    return game, chosen


def _room_words(room: Address, server: Server, offered: bool) -> list[Message]:
    """Return how the other board joins a room: by its code, or by links to this board."""
    if not room.direct:
        return [say("play.room", code=room.code, broker=room.host)]
    links = (f"{each}room#{room.code}" for each in server.addresses if offered)
    return [
        say("play.room_direct", code=room.code),
        *(say("play.room_link", link=each) for each in links),
    ]


def _offers(room: Address, folder: Path) -> bool:
    """Return whether the other board connects to this one; raises AppError for an unreached room.

    A board that was in the room before does not need to reach it: it waits there.
    """
    from game.remote.partner import offers, unreached

    before = recorded_side(folder, room.code) is not None
    if not before and (why := unreached(room, folder)) is not None:
        raise AppError(words("en").text(why))
    return offers(room, folder)
