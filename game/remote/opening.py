"""Opens the other board of a room: its record, its broker, and what follows both."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex

from game.common.errors import AppError
from game.common.translation import words
from game.remote.address import Address
from game.remote.chain import Keys
from game.remote.link import Link
from game.remote.mqtt import MqttChannel
from game.remote.partner import Partner
from game.remote.record_file import RecordFile
from game.remote.shared_game import Setting
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.names import player_name


@contextmanager
def open_partner(
    address: Address,
    keys: Keys,
    folder: Path,
    game: AnyGame,
    options: Mapping[str, str],
    names: tuple[str, ...],
    wake: Callable[[], None],
) -> Iterator[Partner]:
    """Open a room; raises AppError. `wake` is called from another thread when something is new."""
    with ExitStack() as stack:
        record = stack.enter_context(closing(RecordFile(folder, keys, address.side)))
        name = player_name(names[record.side - 1]) if names else ""
        setting = Setting(
            game, keys, record.side, token_hex(8), version("lifeboard"), options, name
        )
        channel = partial(MqttChannel, address, keys.name, record.side)
        try:
            link = Link(setting, record, channel, wake)
        except RulesError as error:
            why = words("en").text(error.message)
            raise AppError(f"room record {record.file} does not fit the rules: {why}") from error
        stack.enter_context(closing(link))
        yield Partner(link)
