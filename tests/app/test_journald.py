"""Log lines in journald's protocol, read back from a socket as journald reads it."""

import errno
import fcntl
import logging
import os
import select
import socket
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import uvicorn

from game.app.log_messages import told
from game.app.service import journald
from game.app.service.journald import JournalHandler, PrefixHandler, Spare, set_up

ALL_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


class Journald:
    """The receiving end, written after the protocol's description alone."""

    def __init__(self, address: Path) -> None:
        self.address = address
        self.files = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        self._socket.settimeout(10)

    def close(self) -> None:
        self._socket.close()
        self.address.unlink()

    def entry(self) -> dict[str, str]:
        """Take one entry; it must have no field twice."""
        data, rights, flags, _ = self._socket.recvmsg(4 << 20, socket.CMSG_SPACE(4))
        assert not flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC)
        if rights:
            assert data == b""
            ((_, kind, descriptors),) = rights
            assert kind == socket.SCM_RIGHTS
            (file,) = array("i", descriptors)
            assert fcntl.fcntl(file, fcntl.F_GET_SEALS) == ALL_SEALS
            with open(file, "rb") as memory:
                data = os.pread(memory.fileno(), 1 << 30, 0)
            self.files += 1
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


class Pipe:
    """Standard error, as somebody reads it who reads only when we say so."""

    def __init__(self) -> None:
        self._read, self.write = os.pipe()
        os.set_blocking(self._read, False)

    def text(self) -> str:
        try:
            return os.read(self._read, 1 << 20).decode()
        except BlockingIOError:
            return ""

    def fill(self) -> None:
        os.set_blocking(self.write, False)
        try:
            while True:
                os.write(self.write, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(self.write, True)

    def close(self) -> None:
        os.close(self._read)
        os.close(self.write)


@pytest.fixture
def spare() -> Iterator[Pipe]:
    with closing(Pipe()) as pipe:
        yield pipe


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    log = logging.Logger("game.app.room", logging.DEBUG)
    yield log
    for handler in log.handlers:
        handler.close()


@pytest.fixture
def journal(log: logging.Logger, receiver: Journald, spare: Pipe) -> Journald:
    log.addHandler(JournalHandler(receiver.address, Spare(spare.write)))
    return receiver


def test_line_has_level_place_and_thread(log: logging.Logger, journal: Journald):
    log.warning("move %d", 17)
    entry = journal.entry()
    assert int(entry.pop("CODE_LINE")) > 0
    assert entry == {
        "MESSAGE": "move 17",
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "lifeboard",
        "LOGGER": "game.app.room",
        "THREAD_NAME": threading.current_thread().name,
        "CODE_FILE": __file__,
        "CODE_FUNC": "test_line_has_level_place_and_thread",
    }


@pytest.mark.parametrize(
    ("level", "priority"),
    [(10, "7"), (15, "7"), (20, "6"), (30, "4"), (40, "3"), (50, "2"), (60, "2")],
)
def test_levels_become_priorities(
    log: logging.Logger, journal: Journald, level: int, priority: str
):
    log.log(level, "x")
    assert journal.entry()["PRIORITY"] == priority


@pytest.mark.parametrize(
    "text",
    [
        "two\nlines",
        "\nPRIORITY=0\n",
        "x\nMESSAGE=forged\nPRIORITY=0",
        "MESSAGE\n\x05\x00\x00\x00\x00\x00\x00\x00forge\n",
        "\r\x00\x1b[31m ü \U0001f41d",
        "",
        "=",
    ],
)
def test_no_text_ends_its_field(log: logging.Logger, journal: Journald, text: str):
    log.info("%s", text, extra=told(LIFEBOARD_NAME=text))
    entry = journal.entry()
    assert (entry["MESSAGE"], entry["LIFEBOARD_NAME"], entry["PRIORITY"]) == (text, text, "6")
    assert len(entry) == 9


def test_half_characters_are_spelt_out(log: logging.Logger, journal: Journald):
    log.info("\ud800")
    assert journal.entry()["MESSAGE"] == "\\ud800"


def test_fields_come_along(log: logging.Logger, journal: Journald):
    log.info("x", extra=told(LIFEBOARD_GAME="circle-of-life", LIFEBOARD_MOVES=17))
    entry = journal.entry()
    assert (entry["LIFEBOARD_GAME"], entry["LIFEBOARD_MOVES"]) == ("circle-of-life", "17")


@pytest.mark.parametrize(
    "name",
    [
        "", "small", "_TRUSTED", "1ST", "WITH SPACE", "A=B", "A\nB", "Ä", "A" * 65, 7,
        "MESSAGE", "PRIORITY", "CODE_FILE", "EXCEPTION_TEXT", "LOGGER",
    ],
)  # fmt: skip
def test_fields_that_journald_or_we_refuse_are_left_out(
    log: logging.Logger, journal: Journald, name: object
):
    log.info("x", extra={"fields": {name: "forged", "LIFEBOARD_GAME": "y"}})
    entry = journal.entry()
    assert "forged" not in entry.values()
    assert (entry["LIFEBOARD_GAME"], entry["MESSAGE"]) == ("y", "x")


def test_longest_name_is_taken(log: logging.Logger, journal: Journald):
    log.info("x", extra={"fields": {"A" * 64: "long"}})
    assert journal.entry()["A" * 64] == "long"


def test_exception_has_fields_and_stands_below_the_message(log: logging.Logger, journal: Journald):
    try:
        os.stat("/nowhere at all")
    except OSError:
        log.exception("it went wrong")
    entry = journal.entry()
    assert entry["MESSAGE"].startswith("it went wrong\nTraceback (most recent call last):\n")
    assert entry["MESSAGE"].endswith("No such file or directory: '/nowhere at all'")
    assert entry["EXCEPTION_TYPE"] == "builtins.FileNotFoundError"
    assert "nowhere at all" in entry["EXCEPTION_TEXT"]
    assert entry["ERRNO"] == str(errno.ENOENT)


def test_exception_of_another_kind_has_no_number(log: logging.Logger, journal: Journald):
    log.error("x", exc_info=ValueError("bad"))
    entry = journal.entry()
    assert (entry["EXCEPTION_TYPE"], entry["EXCEPTION_TEXT"]) == ("builtins.ValueError", "bad")
    assert "ERRNO" not in entry


def test_wrong_call_costs_no_line(log: logging.Logger, journal: Journald):
    log.info("%d moves", "many")
    assert journal.entry()["MESSAGE"] == "'%d moves' ('many',)"


def test_large_line_goes_through_a_sealed_file(log: logging.Logger, journal: Journald):
    text = "line\n" * 1_000_000
    files = len(os.listdir("/proc/self/fd"))
    log.info("%s", text)
    assert len(os.listdir("/proc/self/fd")) <= files + 1  # the one under way, until it is read
    assert journal.entry()["MESSAGE"] == text
    assert journal.files == 1


def test_small_line_after_a_large_one_goes_as_before(log: logging.Logger, journal: Journald):
    log.info("%s", "x" * 20_000_000)
    log.info("small")
    assert len(journal.entry()["MESSAGE"]) == 20_000_000
    assert journal.entry()["MESSAGE"] == "small"
    assert journal.files == 1


def test_journald_that_is_not_there_leaves_standard_error(
    log: logging.Logger, tmp_path: Path, spare: Pipe
):
    log.addHandler(JournalHandler(tmp_path / "nobody", Spare(spare.write)))
    log.warning("two\nlines")
    assert spare.text() == "<4>game.app.room: two\n<4>lines\n"


def test_journald_that_comes_back_is_told_again(
    log: logging.Logger, receiver: Journald, spare: Pipe, tmp_path: Path
):
    log.addHandler(JournalHandler(receiver.address, Spare(spare.write)))
    receiver.close()
    log.info("meanwhile")
    with closing(Journald(tmp_path / "socket")) as receiver_again:
        log.info("again")
        assert receiver_again.entry()["MESSAGE"] == "again"
        assert receiver_again.is_empty()
    assert spare.text() == "<6>game.app.room: meanwhile\n"
    receiver.address.touch()


def test_journald_that_does_not_read_holds_up_nobody(
    log: logging.Logger, journal: Journald, spare: Pipe
):
    """Standard error does not read either: lines are lost then, and their number is told."""
    for _ in range(2000):
        log.info("%s", "x" * 1000)
        if spare.text():
            break
    else:
        pytest.fail("the socket takes everything")
    spare.fill()
    for _ in range(5):
        log.info("lost")
    while not journal.is_empty():
        assert "LIFEBOARD_LOST_LINES" not in journal.entry()
    log.info("found")
    entry = journal.entry()
    assert (entry["MESSAGE"], entry["LIFEBOARD_LOST_LINES"]) == ("found", "5")
    log.info("next")
    assert "LIFEBOARD_LOST_LINES" not in journal.entry()


def test_standard_error_that_is_a_full_stream_holds_up_nobody(log: logging.Logger, tmp_path: Path):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        log.addHandler(JournalHandler(tmp_path / "nobody", Spare(ours.fileno())))
        for _ in range(2000):
            log.info("%s", "x" * 1000)
        assert theirs.recv(20) == b"<6>game.app.room: xx"
        assert ours.getblocking()


def test_standard_error_that_is_closed_raises_nothing(log: logging.Logger, tmp_path: Path):
    ours, theirs = socket.socketpair()
    with ours:
        theirs.close()
        log.addHandler(JournalHandler(tmp_path / "nobody", Spare(ours.fileno())))
        log.info("x")
    log.info("and without a descriptor")


def test_lines_of_many_threads_stay_whole(log: logging.Logger, journal: Journald):
    room = threading.Semaphore(4)  # the kernel keeps no more than ten for a reader

    def write(name: str) -> None:
        for number in range(20):
            room.acquire()
            log.info("%s\n%d", name, number)

    threads = [threading.Thread(target=write, args=(f"t{n}",), name=f"t{n}") for n in range(4)]
    for thread in threads:
        thread.start()
    seen = []
    for _ in range(80):
        entry = journal.entry()
        name, _, number = entry["MESSAGE"].partition("\n")
        assert entry["THREAD_NAME"] == name
        room.release()
        seen.append((name, int(number)))
    for thread in threads:
        thread.join()
    assert sorted(seen) == [(f"t{n}", number) for n in range(4) for number in range(20)]


@contextmanager
def own_root() -> Iterator[logging.Logger]:
    """Put back afterwards what `set_up` changes for the whole process."""
    root = logging.getLogger()
    before, level, hooks = list(root.handlers), root.level, (sys.excepthook, threading.excepthook)
    root.handlers[:] = [logging.StreamHandler()]
    try:
        yield root
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = before
        root.setLevel(level)
        sys.excepthook, threading.excepthook = hooks
        logging.captureWarnings(False)


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    with own_root() as root:
        yield root


def listens(handler: logging.Handler) -> bool:
    return type(handler).__module__.startswith("_pytest.")


def ours(root: logging.Logger) -> list[type[logging.Handler]]:
    """Give the kinds of handlers but those with which pytest listens."""
    return [type(each) for each in root.handlers if not listens(each)]


def stream_of(descriptor: int) -> str:
    found = os.fstat(descriptor)
    return f"{found.st_dev}:{found.st_ino}"


@pytest.fixture
def service(root: logging.Logger, receiver: Journald, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(JournalHandler.__init__, "__defaults__", (receiver.address, None))
    set_up(logging.INFO, {"JOURNAL_STREAM": stream_of(2), "INVOCATION_ID": "1"})
    return receiver


def test_service_whose_standard_error_is_the_journal_speaks_to_it(
    root: logging.Logger, service: Journald
):
    logging.getLogger("game.x").debug("below the level")
    logging.getLogger("game.x").info("heard")
    assert ours(root) == [JournalHandler]
    assert service.entry()["MESSAGE"] == "heard"
    assert service.is_empty()


def test_set_up_again_changes_the_level_alone(root: logging.Logger, service: Journald):
    set_up(logging.DEBUG, {"JOURNAL_STREAM": stream_of(2), "INVOCATION_ID": "1"})
    logging.getLogger("game.x").debug("now heard")
    assert ours(root) == [JournalHandler]
    assert service.entry()["MESSAGE"] == "now heard"
    assert service.is_empty()


def test_lines_of_uvicorn_go_to_the_journal_too(service: Journald):
    async def app(scope: object, receive: object, send: object) -> None:
        """Serve nothing."""

    uvicorn.Config(app, log_config=None, log_level="warning")
    for name in ("uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(name).warning("of %s", name)
        assert service.entry()["MESSAGE"] == f"of {name}"


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


@pytest.mark.parametrize("stream", ["", "1:2", "none", "1:"])
def test_standard_error_that_went_elsewhere_gets_lines_with_levels(
    root: logging.Logger, stream: str
):
    set_up(logging.INFO, {"JOURNAL_STREAM": stream, "INVOCATION_ID": "1"})
    assert ours(root) == [PrefixHandler]


def test_at_a_terminal_lines_stay_plain(root: logging.Logger):
    before = ours(root)
    set_up(logging.INFO, {})
    assert ours(root) == before
    assert root.level == logging.INFO
    assert sys.excepthook is sys.__excepthook__


def test_process_of_a_service_manager_writes_levels_before_lines():
    program = (
        "import logging; from game.app.service.journald import set_up; set_up(logging.INFO);"
        "logging.getLogger('game.x').error('bad\\nworse'); raise ValueError('end')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={"INVOCATION_ID": "1", "JOURNAL_STREAM": "1:2", "PATH": os.environ["PATH"]},
        cwd=Path(journald.__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = ended.stderr.splitlines()
    assert lines[:2] == ["<3>game.x: bad", "<3>worse"]
    assert lines[2] == f"<2>{journald.__name__}: lifeboard ends by an error of its own"
    assert lines[-1] == "<2>ValueError: end"
    assert all(line.startswith("<") for line in lines)
    assert ended.returncode == 1
