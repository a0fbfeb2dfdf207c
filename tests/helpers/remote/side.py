"""One side of a game as a program: `python -m tests.helpers.remote.side URL FOLDER SEED`.

It plays random legal moves of its player, as fast as they can be saved, over the real link and
MQTT, and writes a line for each entry that is on its disk: its number and hash. It ends when its
standard input does.
"""

import os
import select
import sys
from importlib.metadata import version
from pathlib import Path
from random import Random
from secrets import token_hex
from threading import Event

from game.remote.address import read_address
from game.remote.chain import Keys
from game.remote.link import Link
from game.remote.mqtt import MqttChannel
from game.remote.record_file import RecordFile
from game.remote.shared_game import Ask, Setting
from game.rules.azteka import GAME


def main(url: str, folder: str, seed: str) -> None:
    address, chance, changed = read_address(url), Random(int(seed)), Event()
    keys = Keys.of(address.code)
    with RecordFile(Path(folder), keys, address.side) as record:
        setting = Setting(GAME, keys, record.side, token_hex(8), version("lifeboard"))
        link = Link(
            setting,
            record,
            lambda wake: MqttChannel(address, keys.name, record.side, wake),
            changed.set,
        )
        told = 0
        while not select.select([sys.stdin], [], [], 0)[0]:
            changed.wait(0.2)
            changed.clear()
            game = link.game
            for entry in game.chain[told:]:
                os.write(1, f"{entry.number} {entry.hash} {entry.kind.value}\n".encode())
            told = len(game.chain)
            if game.state is None or game.differs is not None:
                continue
            if game.state.outcome is not None or len(game.state.history) > 40:
                link.ask(told, Ask.NEW_GAME)
            elif chance.random() < 0.05 and game.state.history:
                link.ask(told, Ask.TAKE_BACK)
            elif game.writer == record.side:
                moves = list(GAME.legal_moves(game.state.position))
                link.play(told, GAME.move_text(game.state.position, chance.choice(moves)))
            if Ask.TAKE_BACK in game.their_asks:
                link.ask(told, Ask.TAKE_BACK)
        link.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
