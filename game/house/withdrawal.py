"""What brokers keep of this board is deleted there when it is not published any more.

Owns a file for each address at which the board has published: the address, and the topics of which
the broker keeps a message. The package's scripts call `python -m game.house.withdrawal DATA`.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread

from game.common.errors import AppError
from game.house.published import Publishing, kept_topics, read_publishing
from hal.base.files import read_whole, write_whole

log = logging.getLogger(__name__)

FOLDER, NAME_LENGTH = "published", 16
PATIENCE_S = 10.0
"""How long the removal of the package waits for brokers."""
POLL_S = 0.5


def remember(folder: Path, where: Publishing) -> None:
    """Save, before publishing, what the broker will keep; a failure is in the log."""
    content = "\n".join((where.text, *kept_topics(where.prefix))).encode()
    file = folder / FOLDER / sha256(content).hexdigest()[:NAME_LENGTH]
    try:
        if not file.exists():
            write_whole(file, content, 0o600)
    except OSError as error:
        log.warning("what is published cannot be deleted later: %s", error)


@contextmanager
def withdrawal(folder: Path, now: Publishing | None = None) -> Iterator[Thread]:
    """Delete in the background what is not published now, as soon as its broker can be reached."""
    ended = Event()
    thread = Thread(target=_withdraw, args=(folder, now, ended), name="withdrawal", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        ended.set()


def _withdraw(folder: Path, now: Publishing | None, ended: Event) -> None:
    files = (folder / FOLDER).glob(NAME_LENGTH * "?")
    # Only older ones wait for a broker that is no more.
    for file in sorted(files, key=lambda file: file.stat().st_mtime, reverse=True):
        try:
            text, *topics = read_whole(file).decode().split("\n")
            gone = set(topics).difference(kept_topics(now.prefix) if now else ())
            if gone and _delete(read_publishing(text), gone, ended):
                file.unlink()
        except (OSError, ValueError, AppError) as error:
            log.warning("what %s says is published is not deleted: %s", file, error)


def _delete(where: Publishing, topics: set[str], ended: Event) -> bool:
    """Delete what a broker keeps of topics; return whether that was done before the end."""
    from game.remote.mqtt import MqttTopics

    broker = MqttTopics(where.address, (), lambda *_: None, lambda: None)
    while not broker.connected and not ended.wait(POLL_S):
        pass
    if not ended.is_set():
        for topic in topics:
            broker.publish(topic, "")
    return broker.close()


if __name__ == "__main__":
    with withdrawal(Path(sys.argv[1])) as thread:
        thread.join(PATIENCE_S)
