"""Log lines for journald: on standard error, each with its priority, `<N>` (sd-daemon(3))."""

import logging
import os
import sys
from collections.abc import Mapping
from types import TracebackType

from game.common import SafeFormatter

log = logging.getLogger(__name__)

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG = 7


class PriorityFormatter(SafeFormatter):
    """Put the priority of syslog(3) in front of every line, also those of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        number = next((number for least, number in _PRIORITIES if record.levelno >= least), _DEBUG)
        lines = super().format(record).splitlines()
        return "\n".join(f"<{number}>{line}" for line in lines)


def set_up(level: int, environment: Mapping[str, str] = os.environ) -> None:
    """Log from `level` on; with priorities if systemd has started this process."""
    root = logging.getLogger()
    root.setLevel(level)
    logging.captureWarnings(True)
    if "INVOCATION_ID" not in environment:
        return
    for handler in root.handlers:
        handler.setFormatter(PriorityFormatter("%(message)s"))
    # uvicorn passes its lines on only while it has no handlers of its own.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    sys.excepthook = _log_exception


def _log_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("lifeboard ends with an unexpected error", exc_info=(kind, error, trace))
