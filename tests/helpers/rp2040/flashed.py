"""The flash of an emulated Pico as `lifeboard flash` leaves it, made once a run of the tests."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from game.maker import run_flash
from game.maker.flash import FlashTools
from hal.backends.coprocessor.flash import PicoFiles, PicoPort, Run, run_mpremote
from hal.profile import built_in
from hal.sim.body import Body
from tests.helpers.pico.backend import MakePico
from tests.helpers.pico.terminal import StallFreeClock, Terminal
from tests.helpers.rp2040.real import IMAGES, NEWEST, RealPico
from tests.helpers.shared import built_once, shared_folder


@dataclass
class LivePico:
    """A Pico that programs find at `terminal`, as fast as it can be emulated."""

    pico: RealPico
    clock: StallFreeClock
    terminal: Terminal

    def port(self, url: str) -> PicoPort:
        """Speak with what is at the port; time-outs count the Pico's own time."""
        return PicoPort(url, clock=self.clock)

    def flash(self, *, yes: bool = False, check: bool = False, run: Run = run_mpremote) -> int:
        """Do what `lifeboard flash` does."""
        tools = FlashTools(port=self.port, files=lambda device: PicoFiles(device, run))
        return run_flash(self.terminal.path, check, yes, tools)

    def await_start(self, boots: int) -> None:
        """Let it live until it has started more often than that, and has its port again."""
        while True:
            # Its thread counts a start before it takes the old port away.
            with self.terminal.lock:
                if len(self.pico.boots) > boots and self.terminal.there:
                    return
            self.terminal.step()


@contextmanager
def live_pico(content: Path) -> Iterator[LivePico]:
    """Run a Pico with what is in its flash at a terminal."""
    clock = StallFreeClock(time.monotonic)
    profile = built_in("hexagon-61-pico")
    body = Body(profile, clock() - 0.1, seed=1)
    with closing(RealPico(profile, body, clock, flash=content)) as pico:
        terminal = Terminal(pico)
        with terminal.live():
            yield LivePico(pico, clock, terminal)


def _flash(version: str) -> Path:
    file = shared_folder() / f"pico-{version}.flash"
    with live_pico(IMAGES[version]) as live:
        assert live.flash() == 0
        with live.terminal.lock:
            live.pico.save(file)
    return file


def flashed(version: str = NEWEST) -> Path:
    """Return the file with the flash of a Pico that has this version and our firmware."""
    return built_once(f"flashed-{version}", lambda: _flash(version))


def ready_pico(version: str = NEWEST) -> MakePico:
    """Return what makes a Pico that has this version and our firmware."""
    return lambda profile, body, clock, flash: RealPico(
        profile, body, clock, flash=flashed(version)
    )
