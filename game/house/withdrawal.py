"""Deletes this board's retained messages from brokers to which it no longer publishes.

Owns a file for each address at which the board has published. The package's scripts call `python -m
game.house.withdrawal DATA`.
"""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path

from game.common import AppError
from game.house.published import Publishing, read_publishing, retained_topics
from hal.base.files import read_whole, write_whole

log = logging.getLogger(__name__)

FOLDER = "published"


def remember(folder: Path, where: Publishing) -> None:
    """Save an address before publishing there; log a failure."""
    content = where.text.encode()
    file = folder / FOLDER / sha256(content).hexdigest()
    try:
        if not file.exists():
            write_whole(file, content, 0o600)
    except OSError as error:
        log.warning("what is published cannot be deleted later: %s", error)


@contextmanager
def withdrawal(folder: Path, now: Publishing | None = None) -> Iterator[list[Path]]:
    """Yield the files of other addresses than `now`, deleted with all that their brokers retain."""
    files = list[Path]()
    with ExitStack() as stack:
        for file in (folder / FOLDER).glob("?" * 64):
            try:
                where = read_publishing(read_whole(file).decode())
                if now is None or where.prefix != now.prefix:
                    _delete(where, file, stack)
                    files.append(file)
            except (OSError, ValueError, AppError) as error:
                log.warning("what %s says is published is not deleted: %s", file, error)
        yield files


def _delete(where: Publishing, file: Path, stack: ExitStack) -> None:
    from game.remote.mqtt import MqttTopics

    def greet() -> None:
        # Only once: another board may publish there by the next connection.
        if file.exists():
            for topic in retained_topics(where.prefix):
                broker.publish(topic, "")
            file.unlink()

    broker = stack.enter_context(closing(MqttTopics(where.address, (), lambda *_: None, greet)))


if __name__ == "__main__":
    with withdrawal(Path(sys.argv[1])) as files:
        while any(file.exists() for file in files):
            time.sleep(0.2)
