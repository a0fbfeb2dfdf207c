"""The service itself: plays or waits, serves the page, and reloads its settings.

Owns what signals mean, what is opened again when settings change, the exit status, and the form of
the log: each line on standard error begins with its priority, `<N>`, for journald (sd-daemon(3)). A
game survives every reload, since all of it is on disk.
"""

import faulthandler
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache, partial
from importlib.metadata import version
from math import inf

from game.common import AppError, PageError, SafeFormatter, system_language, words
from game.play import StopFlag, on_signals, run_loop, spare_what_is_loaded
from game.service.activity import Activity, needs_reopening, open_activity
from game.service.notify import Notifier
from game.service.paths import EXIT_POWER_OFF, NAME, ServicePaths
from game.service.settings import OPEN, Settings, SettingsError, read_checked
from game.service.updates import UpdatedSite
from game.service.wifi import KEY, Wifi
from game.web import Server, Site, listen
from game.web.access import PIN_COMMAND, Access, Certificate, Pins

log = logging.getLogger(__name__)

_log_once = lru_cache(1)(log.error)
PAGE_RETRY_S = 10.0
"""Time until a page whose port was in use is tried again."""
_PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6}


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
        return Service(paths, settings, notifier).serve()


class Service:
    """One run of the service. Must be made on the main thread, which handles signals."""

    def __init__(self, paths: ServicePaths, settings: Settings, notifier: Notifier) -> None:
        self._paths = paths
        self._settings = settings
        self._notifier = notifier
        self._pins = Pins(paths.data)
        self._words = words(system_language())
        self._ended, self._reload = StopFlag(), StopFlag()
        self._page_due = inf
        self._wifi = Wifi(settings.page.port)
        on_signals(self._ended.set, signal.SIGINT, signal.SIGTERM)
        on_signals(self._reload.set, signal.SIGHUP)

    def serve(self) -> int:
        """Play or wait until told to stop; return the exit status."""
        log.info("lifeboard %s begins", version("lifeboard"))
        status: int | None = None
        while status is None:
            with ExitStack() as stack:
                with self._notifier.extended_timeout():
                    activity = open_activity(stack, self._settings, self._paths, self._words)
                status = self._attend(activity)
        log.info("lifeboard ends, and the lights are out")
        return status

    def _attend(self, activity: Activity) -> int | None:
        """Run an activity until the board must be opened again (None) or the service ends."""
        opened_for = self._settings
        while True:
            served_for = self._settings.page
            with self._served(activity.page):
                while self._settings.page == served_for and time.monotonic() < self._page_due:
                    self._run(activity)
                    if self._ended.is_set() or activity.switched_off:
                        self._notifier.stopping("stopping")
                        return 0 if self._ended.is_set() else EXIT_POWER_OFF
                    if self._reload.is_set():
                        self._reload_settings()
                    if activity.over or needs_reopening(opened_for, self._settings):
                        return None
                    activity.adopt(self._settings)

    def _run(self, activity: Activity) -> None:
        """Run the loop until a signal, or until something must be opened or closed."""
        interrupted = StopFlag()

        def pulse(now: float) -> None:
            self._notifier.pulse(now, activity.status, ready=activity.shown)
            if self._settings.page.hotspot:
                activity.cover(self._wifi.follow(KEY in activity.pressed, now))
            signalled = self._ended.is_set() or self._reload.is_set()
            if signalled or now >= self._page_due or activity.over or activity.switched_off:
                interrupted.set()

        spare_what_is_loaded()
        run_loop(activity.stepping, interrupted, pulse)

    def _reload_settings(self) -> None:
        """Read the settings again; keep the old ones if the new ones are wrong."""
        self._reload.clear()
        self._notifier.reloading(time.monotonic())
        try:
            self._settings = read_checked(self._paths.settings)
        except SettingsError as error:
            log.error("%s", error)
            log.warning("the settings stay as they were")
            return
        set_up_log(self._settings.level)
        log.info("the settings were read again")
        if self._page_due < inf:
            self._page_due = time.monotonic()

    @contextmanager
    def _served(self, page: Site) -> Iterator[None]:
        """Serve a page as the settings say; if its port is in use, the game goes on without it."""
        wanted = self._settings.page
        self._page_due = inf
        with ExitStack() as stack:
            try:
                data, names = self._paths.data, wanted.names
                access = Access(
                    self._pins if wanted.network else None,
                    wanted.watching == OPEN,
                    names,
                    pin_command=PIN_COMMAND,
                    public=wanted.public,
                    certificate=Certificate(data, names) if wanted.https else None,
                    port=wanted.port,
                )
                listening = stack.enter_context(listen(wanted.port, network=wanted.network))
            except PageError as error:
                _log_once("no page is served: %s", str(error))
                self._page_due = time.monotonic() + PAGE_RETRY_S
            else:
                _log_once.cache_clear()
                site = UpdatedSite(page, data)
                server = stack.enter_context(Server(site, listening, access))
                others = server.addresses if wanted.network else ()
                log.info("the page is at %s", " ".join((server.address, *others)))
            yield


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
