"""Log lines in journald's protocol, read back from a socket as journald reads it."""

import errno
import logging
import os
import select
import socket
import sys
import threading
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from game.app.log_messages import told
from game.app.service.journald import JournalHandler, PrefixHandler, Spare, set_up


class Journald:
    """The receiving end, written after the protocol's description alone."""

    def __init__(self, address: Path) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        self._socket.settimeout(10)

    def close(self) -> None:
        self._socket.close()

    def entry(self) -> dict[str, str]:
        """Take one entry, of the datagram or of the file that comes with an empty one."""
        data, rights, flags, _ = self._socket.recvmsg(4 << 20, socket.CMSG_SPACE(4))
        assert not flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC)
        if rights:
            assert data == b""
            ((_, _, descriptors),) = rights
            (file,) = array("i", descriptors)
            with open(file, "rb") as memory:
                data = os.pread(memory.fileno(), 1 << 30, 0)
        return parsed(data)

    def is_empty(self) -> bool:
        return not select.select([self._socket], [], [], 0)[0]


def parsed(data: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    while data:
        line, _, rest = data.partition(b"\n")
        name, equals, value = line.partition(b"=")
        if equals:
            data = rest
        else:
            size = int.from_bytes(rest[:8], "little")
            value, end, data = rest[8 : 8 + size], rest[8 + size : 9 + size], rest[9 + size :]
            assert (len(value), end) == (size, b"\n")
        assert name.decode() not in fields
        fields[name.decode()] = value.decode()
    return fields


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Journald]:
    with closing(Journald(tmp_path / "socket")) as receiver:
        yield receiver


@pytest.fixture
def spare() -> Iterator[tuple[int, int]]:
    """A pipe in the place of standard error: where it is read, and where it is written."""
    pipe = os.pipe()
    os.set_blocking(pipe[0], False)
    yield pipe
    for each in pipe:
        os.close(each)


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    log = logging.Logger("game.app.room", logging.DEBUG)
    yield log
    for handler in log.handlers:
        handler.close()


@pytest.fixture
def journal(log: logging.Logger, receiver: Journald, spare: tuple[int, int]) -> Journald:
    log.addHandler(JournalHandler(receiver.address, Spare(spare[1])))
    return receiver


def test_line_has_level_place_thread_and_fields(log: logging.Logger, journal: Journald):
    log.warning("move %d", 17, extra=told(LIFEBOARD_MOVES=17))
    entry = journal.entry()
    assert int(entry.pop("CODE_LINE")) > 0
    assert entry == {
        "MESSAGE": "move 17",
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "lifeboard",
        "LOGGER": "game.app.room",
        "LIFEBOARD_MOVES": "17",
        "THREAD_NAME": threading.current_thread().name,
        "CODE_FILE": __file__,
        "CODE_FUNC": "test_line_has_level_place_thread_and_fields",
    }
    for level, priority in ((10, "7"), (20, "6"), (40, "3"), (50, "2")):
        log.log(level, "x")
        assert journal.entry()["PRIORITY"] == priority


@pytest.mark.parametrize(
    "text", ["x\nMESSAGE=forged\nPRIORITY=0", "MESSAGE\n\5\0\0\0\0\0\0\0forge\n", "", "="]
)
def test_no_text_ends_its_field(log: logging.Logger, journal: Journald, text: str):
    log.info("%s", text, extra=told(LIFEBOARD_NAME=text))
    entry = journal.entry()
    assert (entry["MESSAGE"], entry["LIFEBOARD_NAME"], entry["PRIORITY"]) == (text, text, "6")
    assert len(entry) == 9


@pytest.mark.parametrize("name", ["", "small", "_TRUSTED", "1ST", "A=B", "A" * 65, 7, "MESSAGE"])
def test_fields_that_journald_or_we_refuse_are_left_out(
    log: logging.Logger, journal: Journald, name: object
):
    log.info("x", extra={"fields": {name: "forged", "LIFEBOARD_GAME": "y"}})
    entry = journal.entry()
    assert "forged" not in entry.values()
    assert (entry["LIFEBOARD_GAME"], entry["MESSAGE"]) == ("y", "x")


def test_exception_has_fields_and_stands_below_the_message(log: logging.Logger, journal: Journald):
    try:
        os.stat("/nowhere at all")
    except OSError:
        log.exception("it went wrong")
    entry = journal.entry()
    assert entry["MESSAGE"].startswith("it went wrong\nTraceback (most recent call last):\n")
    assert entry["EXCEPTION_TYPE"] == "builtins.FileNotFoundError"
    assert "nowhere at all" in entry["EXCEPTION_TEXT"]
    assert entry["ERRNO"] == str(errno.ENOENT)


def test_large_line_is_told_whole(log: logging.Logger, journal: Journald):
    text = "line\n" * 1_000_000
    log.info("%s", text)
    assert journal.entry()["MESSAGE"] == text


def test_journald_that_is_not_there_leaves_standard_error(
    log: logging.Logger, tmp_path: Path, spare: tuple[int, int]
):
    log.addHandler(JournalHandler(tmp_path / "nobody", Spare(spare[1])))
    log.warning("two\nlines")
    assert os.read(spare[0], 1000) == b"<4>game.app.room: two\n<4>lines\n"


def test_journald_that_does_not_read_holds_up_nobody(log: logging.Logger, journal: Journald):
    """Standard error does not read either: lines are lost then, and their number is told."""
    for _ in range(2000):
        log.info("%s", "x" * 1000)
    lines = 0
    while not journal.is_empty():
        assert "LIFEBOARD_LOST_LINES" not in journal.entry()
        lines += 1
    assert lines < 2000
    log.info("found")
    entry = journal.entry()
    assert entry["MESSAGE"] == "found"
    assert int(entry["LIFEBOARD_LOST_LINES"]) > 0


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """Put back afterwards what `set_up` changes for the whole process."""
    root = logging.getLogger()
    before, level, hooks = list(root.handlers), root.level, (sys.excepthook, threading.excepthook)
    root.handlers[:] = [logging.StreamHandler()]
    yield root
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = before
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(False)


def ours(root: logging.Logger) -> list[type[logging.Handler]]:
    """Give the kinds of handlers but those with which pytest listens."""
    kinds = [type(each) for each in root.handlers]
    return [kind for kind in kinds if not kind.__module__.startswith("_pytest.")]


@pytest.fixture
def service(root: logging.Logger, receiver: Journald, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(JournalHandler.__init__, "__defaults__", (receiver.address, None))
    error = os.fstat(2)
    set_up(
        logging.INFO,
        {"JOURNAL_STREAM": f"{error.st_dev}:{error.st_ino}", "INVOCATION_ID": "1"},
    )
    return receiver


def test_service_whose_standard_error_is_the_journal_speaks_to_it(
    root: logging.Logger, service: Journald, caplog: pytest.LogCaptureFixture
):
    # A server that another test has started in this process has raised it.
    caplog.set_level(logging.WARNING, "uvicorn.error")
    logging.getLogger("game.x").debug("below the level")
    for name in ("game.x", "uvicorn.error", "asyncio"):
        logging.getLogger(name).warning("of %s", name)
        assert service.entry()["MESSAGE"] == f"of {name}"
    assert ours(root) == [JournalHandler]
    assert service.is_empty()


def test_errors_that_nobody_caught_are_in_the_journal(service: Journald):
    thread = threading.Thread(target=lambda: 1 / 0, name="judge")
    thread.start()
    thread.join()
    entry = service.entry()
    assert entry["MESSAGE"].startswith("judge ends by an error\nTraceback")
    assert (entry["PRIORITY"], entry["EXCEPTION_TEXT"]) == ("3", "division by zero")
    sys.excepthook(ValueError, ValueError("bad"), None)
    entry = service.entry()
    assert (entry["PRIORITY"], entry["EXCEPTION_TYPE"]) == ("2", "builtins.ValueError")


def test_lines_get_levels_where_standard_error_went_elsewhere_and_stay_plain_at_a_terminal(
    root: logging.Logger,
):
    before = ours(root)
    set_up(logging.INFO, {})
    assert (ours(root), root.level) == (before, logging.INFO)
    assert sys.excepthook is sys.__excepthook__
    set_up(logging.INFO, {"JOURNAL_STREAM": "1:2", "INVOCATION_ID": "1"})
    assert ours(root) == [PrefixHandler]
