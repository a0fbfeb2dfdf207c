"""One side of a game as a program: `python -m tests.helpers.remote.side URL FOLDER SEED GAME LATE`.

What arrives may be late by up to LATE seconds, and then a fifth of it is lost and a fifth doubled.
It plays random legal moves of its player, as fast as they can be saved, over the real link and
MQTT, and writes a line for each entry that is on its disk: its number and hash. It ends when its
standard input does; after SIGUSR1 it makes no more moves.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from random import Random
from secrets import token_hex
from threading import Event

from game.remote.address import Address, read_address
from game.remote.chain import Keys
from game.remote.link import Channel, Link
from game.remote.mqtt import MqttChannel
from game.remote.record_file import RecordFile
from game.remote.shared_game import Ask, Setting
from game.rules.base.message import Message
from game.rules.base.registry import find_game


class RoughChannel:
    """A channel whose messages arrive late, twice, in another order, or not at all."""

    def __init__(self, channel: MqttChannel, late_s: float, chance: Random) -> None:
        self._channel, self._late_s, self._chance = channel, late_s, chance
        self._under_way: list[tuple[float, bytes]] = []
        self.publish, self.close = channel.publish, channel.close

    @property
    def connections(self) -> int:
        return self._channel.connections

    @property
    def trouble(self) -> Message | None:
        return self._channel.trouble

    def take(self) -> list[bytes]:
        now = time.monotonic()
        for payload in self._channel.take():
            for _ in range(self._chance.choice((0, 1, 1, 1, 2))):
                self._under_way.append((now + self._chance.random() * self._late_s, payload))
        due = sorted(each for each in self._under_way if each[0] <= now)
        self._under_way = [each for each in self._under_way if each[0] > now]
        return [payload for _, payload in due]


def main(url: str, folder: str, seed: str, name: str, late: str) -> None:
    game, late_s, resting = find_game(name), float(late), list[int]()
    signal.signal(signal.SIGUSR1, lambda number, _: resting.append(number))
    address, chance, changed = read_address(url), Random(int(seed)), Event()
    keys = Keys.of(address.code)
    with RecordFile(Path(folder), keys, address.side) as record:
        setting = Setting(game, keys, record.side, token_hex(8), version("lifeboard"))
        link = Link(
            setting,
            record,
            lambda wake: _channel(address, keys, record.side, wake, late_s, chance),
            changed.set,
        )
        told = 0
        while not select.select([sys.stdin], [], [], 0)[0]:
            changed.wait(0.2)
            changed.clear()
            if late_s:
                link.ask(-1, Ask.DRAW)  # without effect: it lets the link look at what is late
            shared = link.game
            for entry in shared.chain[told:]:
                os.write(1, f"{entry.number} {entry.hash} {entry.kind.value}\n".encode())
            told, state = len(shared.chain), shared.state
            if state is None or shared.differs is not None or resting:
                continue
            if state.outcome is not None or (not late_s and len(state.history) > 40):
                link.ask(told, Ask.NEW_GAME)
            elif chance.random() < 0.05 and state.history:
                link.ask(told, Ask.TAKE_BACK)
            elif shared.writer == record.side:
                moves = list(game.legal_moves(state.position))
                link.play(told, game.move_text(state.position, chance.choice(moves)))
            if Ask.TAKE_BACK in shared.their_asks:
                link.ask(told, Ask.TAKE_BACK)
        link.close()


def _channel(
    address: Address,
    keys: Keys,
    side: int,
    wake: Callable[[], None],
    late_s: float,
    chance: Random,
) -> Channel:
    channel = MqttChannel(address, keys.name, side, wake)
    return RoughChannel(channel, late_s, chance) if late_s else channel


if __name__ == "__main__":
    main(*sys.argv[1:])
