"""The service itself: plays or waits, serves the page, and reloads its settings.

Owns what signals mean, what is opened anew when settings change, and the exit status. A game
outlives every reload, since all that makes it up is on disk.
"""

import faulthandler
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from game.app import loop
from game.app.errors import AppError, PageError
from game.app.gate.access import Access
from game.app.gate.pin import PIN_COMMAND, Pins
from game.app.serve import Server, Site, listen
from game.app.service import journald
from game.app.service.activity import Activity, Ground, open_activity, opens_anew
from game.app.service.herald import Herald
from game.app.service.mdns import announce
from game.app.service.notify import Notifier
from game.app.service.places import EXIT_POWER_OFF, NAME, Places
from game.app.service.settings import (
    OPEN,
    PageSettings,
    Settings,
    SettingsError,
    checked,
    log_refusal,
)
from game.app.words import system_language, words

log = logging.getLogger(__name__)

PAGE_AGAIN_S = 10.0
"""How soon a page is tried again whose port was in use."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Say where the settings are, the data folder, and the board that was learnt."""

    settings: Path
    data: Path
    board: Path


def run(options: RunOptions) -> int:
    """Serve until told to stop; give the exit status. Raises AppError for who may not do so."""
    # What ends a loop that hangs then leaves the place where it hung in the log.
    faulthandler.enable()
    journald.set_up(logging.INFO)
    if os.geteuid() == 0 and options.data == Places().state:
        raise AppError(
            f"`service run` is what the unit runs as user {NAME}, and root would spoil its files;"
            " `sudo lifeboard service start` starts it"
        )
    try:
        settings = checked(options.settings)
    except SettingsError as error:
        return log_refusal(error, options.settings)
    journald.set_up(settings.level)
    with closing(Notifier.of(os.environ, os.getpid())) as notifier:
        return Service(options, settings, notifier).serve()


class Service:
    """One run of the service, over all that it opens and closes meanwhile.

    Must be made on the main thread, which hears signals.
    """

    def __init__(self, options: RunOptions, settings: Settings, notifier: Notifier) -> None:
        self._options = options
        self._settings = settings
        self._notifier = notifier
        self._herald = Herald(notifier)
        self._pins = Pins(options.data)
        self._speak = words(system_language())
        self._interrupted = loop.Flag()
        self._ended = self._reload = False
        self._page_due: float | None = None
        self._page_trouble = ""
        loop.on_signals(self._end, signal.SIGINT, signal.SIGTERM)
        loop.on_signals(self._ask_reload, signal.SIGHUP)

    def serve(self) -> int:
        """Play or wait until told to stop; give the exit status."""
        log.info("lifeboard %s begins", version("lifeboard"))
        ground = Ground(self._options.data, self._options.board)
        status: int | None = None
        while status is None:
            with ExitStack() as stack:
                with self._notifier.patience():
                    activity = open_activity(stack, self._settings, ground, self._speak)
                status = self._attend(activity)
        log.info("lifeboard ends, and the lights are out")
        return status

    def _attend(self, activity: Activity) -> int | None:
        """Run an activity until the board is to be opened anew (None) or the service ends."""
        opened_for = self._settings
        while True:
            served_for = self._settings.page
            with self._served(activity.page):
                while self._settings.page == served_for and not self._page_late(time.monotonic()):
                    self._run(activity)
                    if self._ended or activity.switched_off:
                        self._herald.stopping("stopping")
                        return 0 if self._ended else EXIT_POWER_OFF
                    if self._reload:
                        self._read_again()
                    if activity.over or opens_anew(opened_for, self._settings):
                        return None
                    activity.adopt(self._settings)

    def _page_late(self, now: float) -> bool:
        """Tell whether a page that could not be served is to be tried again."""
        return self._page_due is not None and now >= self._page_due

    def _run(self, activity: Activity) -> None:
        """Run the loop until a signal, or until something has to be opened or closed."""

        def pulse(now: float) -> None:
            self._herald.pulse(now, activity.status(), ready=activity.shown)
            if self._page_late(now) or activity.over or activity.switched_off:
                self._interrupted.set()

        self._interrupted.clear()
        # A signal that came before is in these; one that comes from now on sets the event.
        if not (self._ended or self._reload):
            loop.run(activity.stepping, self._interrupted, pulse)

    def _end(self) -> None:
        self._ended = True
        self._interrupted.set()

    def _ask_reload(self) -> None:
        self._reload = True
        self._interrupted.set()

    def _read_again(self) -> None:
        """Take new settings, or stay with those that there are if the new ones are wrong."""
        self._reload = False
        self._herald.reloading(time.monotonic())
        try:
            self._settings = checked(self._options.settings)
        except SettingsError as error:
            log_refusal(error, self._options.settings)
            log.warning("the settings stay as they were")
            return
        journald.set_up(self._settings.level)
        log.info("the settings were read again")
        if self._page_due is not None:
            self._page_due = time.monotonic()

    def _access(self, wanted: PageSettings) -> Access:
        """Say who may open the page."""
        pins = self._pins if wanted.network else None
        return Access(pins, wanted.watching == OPEN, wanted.names, pin_command=PIN_COMMAND)

    @contextmanager
    def _served(self, page: Site) -> Iterator[None]:
        """Serve a page as the settings say; without a port the game goes on without one."""
        wanted = self._settings.page
        self._page_due = None
        with ExitStack() as stack:
            try:
                listening = stack.enter_context(listen(wanted.port, network=wanted.network))
            except PageError as error:
                # Told once, however often it is tried.
                level = logging.DEBUG if str(error) == self._page_trouble else logging.ERROR
                log.log(level, "no page is served: %s", error)
                self._page_trouble = str(error)
                self._page_due = time.monotonic() + PAGE_AGAIN_S
            else:
                self._page_trouble = ""
                access = self._access(wanted)
                server = stack.enter_context(Server(page, listening, access))
                others = server.addresses if wanted.network else ()
                log.info("the page is at %s", " ".join((server.address, *others)))
                if wanted.network:
                    stack.enter_context(announce(wanted.port))
            yield
