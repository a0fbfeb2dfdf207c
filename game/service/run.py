"""The service itself: plays or waits, serves the page, and reloads its settings.

Owns what signals mean, the exit status, what systemd is told (sd_notify(3)), and the form of the
log: each line on standard error begins with its priority, `<N>`, for journald (sd-daemon(3)). After
a reload all is opened again; the game goes on, since it is on disk.
"""

import faulthandler
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib.metadata import version

from game.common import AppError, PageError, SafeFormatter, system_language, words
from game.play import StopFlag, on_signals, run_loop, spare_what_is_loaded
from game.service.activity import Activity, open_activity
from game.service.paths import EXIT_POWER_OFF, NAME, ServicePaths
from game.service.settings import OPEN, Settings, SettingsError, read_checked
from game.service.updates import UpdatedSite
from game.service.wifi import KEY, Wifi
from game.web import Server, Site, listen
from game.web.access import PIN_COMMAND, Access, Certificate, Pins

log = logging.getLogger(__name__)

LONGEST_OPENING_S = 300
"""Reading a damaged file of thousands of games takes minutes on the smallest Pi."""
BEAT_S = 1.0
"""Time between two signs of life; the unit allows ten of these."""
_PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6}


class Notifier:
    """Send fields to the service manager that an environment names, or to nothing without one.

    `pulse` is called once in each round of the loop.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._watchdog_usec = environment.get("WATCHDOG_USEC", "")
        self._beat_due = 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        # A slow manager must not hold up the board.
        self._socket.setblocking(False)
        self.close = self._socket.close

    def tell(self, **fields: str) -> None:
        """Send fields, such as READY="1", each on one line; they may be lost."""
        lines = (f"{key}={' '.join(value.splitlines())}" for key, value in fields.items())
        if self._address:
            with suppress(OSError):
                self._socket.sendto("\n".join(lines).encode(), self._address)

    def pulse(self, now: float, status: str, *, ready: bool) -> None:
        """Send status and a sign of life every BEAT_S; `now` is in monotonic seconds."""
        if now >= self._beat_due:
            self._beat_due = now + BEAT_S
            self.tell(STATUS=status, WATCHDOG="1", **({"READY": "1"} if ready else {}))

    def reloading(self, now: float) -> None:
        """Report that the settings are being read; the next pulse reports that it is done."""
        self._beat_due = 0.0
        self.tell(RELOADING="1", MONOTONIC_USEC=str(int(now * 1e6)))

    def stopping(self, status: str) -> None:
        self.tell(STOPPING="1", STATUS=status)

    @contextmanager
    def extended_timeout(self) -> Iterator[None]:
        """Let systemd wait up to LONGEST_OPENING_S while no loop runs, as at the start."""
        longest = str(LONGEST_OPENING_S * 10**6)
        self.tell(EXTEND_TIMEOUT_USEC=longest, WATCHDOG_USEC=longest)
        try:
            yield
        finally:
            self.tell(WATCHDOG_USEC=self._watchdog_usec or "0")


def run(paths: ServicePaths) -> int:
    """Serve until told to stop; return the exit status. Raises AppError for root."""
    # If the watchdog ends a loop that hangs, the log shows where it hung.
    faulthandler.enable()
    set_up_log(logging.INFO)
    if os.geteuid() == 0 and paths.data == ServicePaths().data:
        raise AppError(
            f"`service run` is for the unit, which runs it as user {NAME}; files of root would"
            " stop it. `sudo systemctl start lifeboard` starts it"
        )
    try:
        settings = read_checked(paths.settings)
    except SettingsError as error:
        log.error("%s", error)
        return error.status
    set_up_log(settings.level)
    with closing(Notifier(os.environ)) as notifier:
        status = Service(paths, settings, notifier).serve()
    log.info("lifeboard ends, and the lights are out")
    return status


class Service:
    """One run of the service. Must be made on the main thread, which handles signals."""

    def __init__(self, paths: ServicePaths, settings: Settings, notifier: Notifier) -> None:
        self._paths = paths
        self._settings = settings
        self._notifier = notifier
        self._pins = Pins(paths.data)
        self._words = words(system_language())
        self._ended, self._reload = StopFlag(), StopFlag()
        self._wifi = Wifi(settings.page.port)
        on_signals(self._ended.set, signal.SIGINT, signal.SIGTERM)
        on_signals(self._reload.set, signal.SIGHUP)

    def serve(self) -> int:
        """Play or wait until told to stop; return the exit status."""
        log.info("lifeboard %s begins", version("lifeboard"))
        played = self._settings.game
        while True:
            settings = self._settings
            with ExitStack() as stack:
                with self._notifier.extended_timeout():
                    place = settings, self._paths, self._words
                    activity = open_activity(stack, *place, insists=settings.game != played)
                played = settings.game
                self._serve_page(stack, activity.page)
                reloaded = False
                while not reloaded and not activity.over:
                    self._run(activity)
                    if self._ended.is_set() or activity.switched_off:
                        self._notifier.stopping("stopping")
                        return 0 if self._ended.is_set() else EXIT_POWER_OFF
                    if self._reload.is_set():
                        reloaded = self._reload_settings()

    def _run(self, activity: Activity) -> None:
        """Run the loop until a signal, or until the activity is over."""
        interrupted = StopFlag()

        def pulse(now: float) -> None:
            self._notifier.pulse(now, activity.status, ready=activity.shown)
            if self._settings.page.hotspot:
                activity.cover(self._wifi.follow(KEY in activity.pressed, now))
            signalled = self._ended.is_set() or self._reload.is_set()
            if signalled or activity.over or activity.switched_off:
                interrupted.set()

        spare_what_is_loaded()
        run_loop(activity.stepping, interrupted, pulse)

    def _reload_settings(self) -> bool:
        """Read the settings again; if they are wrong, keep the old ones and return False."""
        self._reload.clear()
        self._notifier.reloading(time.monotonic())
        try:
            self._settings = read_checked(self._paths.settings)
        except SettingsError as error:
            log.error("%s", error)
            log.warning("the settings stay as they were")
            return False
        set_up_log(self._settings.level)
        log.info("the settings were read again")
        return True

    def _serve_page(self, stack: ExitStack, page: Site) -> None:
        """Serve a page as the settings say; if its port is in use, the game goes on without it."""
        wanted, data = self._settings.page, self._paths.data
        try:
            access = Access(
                self._pins if wanted.network else None,
                wanted.watching == OPEN,
                wanted.names,
                pin_command=PIN_COMMAND,
                public=wanted.public,
                certificate=Certificate(data, wanted.names) if wanted.https else None,
                port=wanted.port,
            )
            listening = stack.enter_context(listen(wanted.port, network=wanted.network))
        except PageError as error:
            log.error("no page is served: %s", error)
            return
        server = stack.enter_context(Server(UpdatedSite(page, data), listening, access))
        others = server.addresses if wanted.network else ()
        log.info("the page is at %s", " ".join((server.address, *others)))


class PriorityFormatter(SafeFormatter):
    """Put the priority of syslog(3) in front of every line, also those of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        number = _PRIORITIES.get(record.levelno, 7)
        lines = super().format(record).splitlines()
        return "\n".join(f"<{number}>{line}" for line in lines)


def set_up_log(level: int, environment: Mapping[str, str] = os.environ) -> None:
    """Log from `level` on; with priorities if systemd has started this process."""
    root = logging.getLogger()
    root.setLevel(level)
    logging.captureWarnings(True)
    if "INVOCATION_ID" not in environment:
        return
    for handler in root.handlers:
        handler.setFormatter(PriorityFormatter("%(message)s"))
    end = partial(log.critical, "lifeboard ends with an unexpected error")
    sys.excepthook = lambda *error: end(exc_info=error)
