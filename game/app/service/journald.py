"""Log lines for journald, in its own protocol, with a level and fields of their own.

Owns that protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/) and the choice between it, lines
with a level for whoever reads our standard error, and plain ones. Whatever becomes of journald, a
line that is logged neither raises nor waits: the board's loop logs too.
"""

import errno
import fcntl
import logging
import os
import re
import select
import socket
import stat
import sys
import threading
import traceback
from array import array
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

log = logging.getLogger(__name__)

JOURNALD = Path("/run/systemd/journal/socket")
IDENTIFIER = "lifeboard"
STDERR = 2
SEND_BUFFER = 8 * 1024 * 1024
"""What systemd's own library asks for, so that a slow journald loses nothing."""
_TOO_LARGE = (errno.EMSGSIZE, errno.ENOBUFS)
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_OURS = frozenset({"MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "LOGGER", "THREAD_NAME", "ERRNO"})
"""Fields that follow from the record, and which nobody else sets; CODE_ and EXCEPTION_ ones too."""
_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG = 7
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


def priority(level: int) -> int:
    """Give the priority of syslog(3) for a level of `logging`."""
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG)


def encoded(fields: Mapping[str, str]) -> bytes:
    """Write one entry; a value with line breaks goes with its length, and can end no field."""
    pieces = []
    for name, value in fields.items():
        data = value.encode("utf-8", "backslashreplace")
        if b"\n" in data:
            pieces.append(name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n")
        else:
            pieces.append(name.encode() + b"=" + data + b"\n")
    return b"".join(pieces)


def fields_of(record: logging.LogRecord) -> dict[str, str]:
    """Give all fields of a log line, and of its `extra` those whose names journald takes."""
    fields = {
        "MESSAGE": _text(record),
        "PRIORITY": str(priority(record.levelno)),
        "SYSLOG_IDENTIFIER": IDENTIFIER,
        "LOGGER": record.name,
        "THREAD_NAME": record.threadName or "",
        "CODE_FILE": record.pathname,
        "CODE_LINE": str(record.lineno),
        "CODE_FUNC": record.funcName or "",
    }
    if record.exc_info and record.exc_info[0] is not None:
        kind, error, _ = record.exc_info
        fields["EXCEPTION_TYPE"] = f"{kind.__module__}.{kind.__qualname__}"
        fields["EXCEPTION_TEXT"] = str(error)
        if isinstance(error, OSError) and error.errno is not None:
            fields["ERRNO"] = str(error.errno)
    more = getattr(record, "fields", None)
    if isinstance(more, Mapping):
        fields.update(
            (name, str(value))
            for name, value in more.items()
            if isinstance(name, str)
            and _NAME.fullmatch(name)
            and name not in _OURS
            and not name.startswith(("CODE_", "EXCEPTION_"))
        )
    return fields


def _text(record: logging.LogRecord) -> str:
    """Give the message of a log line, and below it the traceback that came with it."""
    try:
        text = record.getMessage()
    except (TypeError, ValueError, KeyError):
        # A wrong call must not cost the line.
        text = f"{record.msg!r} {record.args!r}"
    if record.exc_info and record.exc_info[0] is not None:
        text += "\n" + "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
    return text


def prefixed(record: logging.LogRecord) -> bytes:
    """Write a log line with its level in the form of sd-daemon(3), in front of each line."""
    lines = f"{record.name}: {_text(record)}".splitlines()
    mark = f"<{priority(record.levelno)}>"
    return "".join(f"{mark}{line}\n" for line in lines).encode("utf-8", "backslashreplace")


class Spare:
    """Write to a descriptor that others read, and give up what it cannot take at once."""

    def __init__(self, descriptor: int = STDERR) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> bool:
        """Write, and tell whether it was taken."""
        try:
            if stat.S_ISSOCK(os.fstat(self._descriptor).st_mode):
                with socket.socket(fileno=os.dup(self._descriptor)) as stream:
                    stream.send(data, socket.MSG_DONTWAIT)
                return True
            # A pipe that can be written takes this much without waiting.
            part = data[: select.PIPE_BUF]
            if not select.select([], [self._descriptor], [], 0)[1]:
                return False
            os.write(self._descriptor, part)
        except (OSError, ValueError):
            return False
        return True


class JournalHandler(logging.Handler):
    """Send log lines to journald; what it cannot take goes to `spare`, with its level in front."""

    def __init__(self, address: Path = JOURNALD, spare: Spare | None = None) -> None:
        super().__init__()
        self._address = str(address)
        self._spare = Spare() if spare is None else spare
        self._lost = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def emit(self, record: logging.LogRecord) -> None:
        """Send one line."""
        try:
            fields = fields_of(record)
            if self._lost:
                fields["LIFEBOARD_LOST_LINES"] = str(self._lost)
            try:
                self._send(encoded(fields))
                self._lost = 0
            except OSError:
                self._lost += not self._spare.write(prefixed(record))
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()
        super().close()

    def _send(self, entry: bytes) -> None:
        try:
            self._socket.sendto(entry, self._address)
        except OSError as error:
            if error.errno not in _TOO_LARGE:
                raise
            self._send_large(entry)

    def _send_large(self, entry: bytes) -> None:
        """Send what no datagram can hold as a file in memory that nobody can change any more."""
        file = os.memfd_create("lifeboard-log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            view = memoryview(entry)
            while view:
                view = view[os.write(file, view) :]
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, _SEALS)
            right = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [file]))
            self._socket.sendmsg([], [right], 0, self._address)
        finally:
            os.close(file)


class PrefixHandler(logging.Handler):
    """Write log lines with their level in front to whoever reads our standard error."""

    def __init__(self, spare: Spare | None = None) -> None:
        super().__init__()
        self._spare = Spare() if spare is None else spare

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            self._spare.write(prefixed(record))
        except Exception:
            self.handleError(record)


def set_up(level: int, environment: Mapping[str, str] = os.environ) -> None:
    """Log from `level` on, in the best form that whoever started us can read.

    May be called again, with another level. Lines go to journald when our standard error does,
    with their levels in front to another service manager, and else as they did.
    """
    root = logging.getLogger()
    root.setLevel(level)
    logging.captureWarnings(True)
    handler: logging.Handler
    if _is_stream(environment.get("JOURNAL_STREAM", ""), STDERR):
        handler = JournalHandler()
    elif environment.get("INVOCATION_ID"):
        handler = PrefixHandler()
    else:
        return
    for other in list(root.handlers):
        # Not its descendants: tests listen with one.
        if isinstance(other, JournalHandler | PrefixHandler) or type(other) is _PLAIN:
            root.removeHandler(other)
            if type(other) is not _PLAIN:
                other.close()
    root.addHandler(handler)
    # uvicorn hands its lines on only as long as it has no handlers of its own.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        theirs = logging.getLogger(name)
        theirs.handlers.clear()
        theirs.propagate = True
    sys.excepthook = _log_end
    threading.excepthook = _log_thread_end


_PLAIN = logging.StreamHandler


def _is_stream(named: str, descriptor: int) -> bool:
    """Tell whether a descriptor is the stream that JOURNAL_STREAM names by device and inode."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        return False
    return named == f"{found.st_dev}:{found.st_ino}"


def _log_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    log.critical("lifeboard ends by an error of its own", exc_info=(kind, error, trace))


def _log_thread_end(ended: threading.ExceptHookArgs) -> None:
    name = ended.thread.name if ended.thread is not None else "a thread"
    if ended.exc_type is SystemExit or ended.exc_value is None:
        return
    log.error(
        "%s ends by an error",
        name,
        exc_info=(ended.exc_type, ended.exc_value, ended.exc_traceback),
    )
