"""Opens a room: its record, the channel to the other board, and the partner that uses both."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from threading import Event

from game.common import AppError, words
from game.remote.address import Address
from game.remote.chain import Keys
from game.remote.direct import Door
from game.remote.link import BoardChannel, Link
from game.remote.partner import Partner
from game.remote.room_files import RecordFile, recorded_side
from game.remote.shared_game import Setting
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.names import player_name

REACH_S = 15.0
"""Longest wait for the other board or the broker before a room is entered."""
_UNDECIDED = ("remote.connecting", "remote.looking")


@contextmanager
def open_partner(
    address: Address,
    keys: Keys,
    folder: Path,
    game: AnyGame,
    options: Mapping[str, str],
    names: tuple[str, ...],
    wake: Callable[[], None],
    door: Door,
) -> Iterator[Partner]:
    """Open a room; raises AppError. `wake` is called from another thread when something is new."""
    with ExitStack() as stack:
        record = stack.enter_context(closing(RecordFile(folder, keys, address.side)))
        name = player_name(names[record.side - 1]) if names else ""
        setting = Setting(
            game, keys, record.side, token_hex(8), version("lifeboard"), options, name
        )
        channel = partial(_channel, address, keys, record.side, door)
        try:
            link = Link(setting, record, channel, wake)
        except RulesError as error:
            why = words("en").text(error.message)
            raise AppError(f"room record {record.file} does not fit the rules: {why}") from error
        stack.enter_context(closing(link))
        yield Partner(link)


def offers(address: Address, folder: Path) -> bool:
    """Return whether this board offers a room without a broker, so that others connect to it."""
    side = address.side or recorded_side(folder, address.code)
    return address.direct and side == 1


def unreached(address: Address, folder: Path) -> Message | None:
    """Return why the broker or the other board is not reached; None if it is, or need not be.

    Waits for REACH_S at most. An unreadable file is reported when the room is opened.
    """
    if offers(address, folder):
        return None
    changed, end = Event(), time.monotonic() + REACH_S
    with suppress(AppError), ExitStack() as stack:
        channel = _channel(address, Keys.of(address.code), 2, Door(), changed.set)
        stack.enter_context(closing(channel))
        while not channel.connections:
            why = channel.trouble or say("remote.looking")
            if why.key not in _UNDECIDED or time.monotonic() > end:
                return why
            changed.wait(end - time.monotonic())
            changed.clear()
    return None


def _channel(
    address: Address, keys: Keys, side: int, door: Door, wake: Callable[[], None]
) -> BoardChannel:
    # A room needs the library of only one of these modules.
    if not address.direct:
        from game.remote.mqtt import MqttChannel

        return MqttChannel(address, keys.name, side, wake)
    from game.remote.direct import EnteredRoom, OfferedRoom

    return OfferedRoom(keys, door, wake) if side == 1 else EnteredRoom(address, keys, wake)
