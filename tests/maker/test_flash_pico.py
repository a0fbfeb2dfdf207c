"""`lifeboard flash` with the real mpremote, over a pseudo-terminal, into real MicroPython.

These run in real time: mpremote knows no other.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware.messages import VERSION, Ident
from game.common.errors import AppError
from game.maker.flash import FlashOptions, FlashTools, flash
from hal.backends.coprocessor.flash import Remote, firmware_files
from hal.backends.coprocessor.mpremote import run_mpremote
from hal.backends.coprocessor.pico_port import PicoPort
from hal.base.errors import LinkFault
from hal.profile import built_in
from hal.sim.body import Body
from tests.helpers.boards.fake_pico import older_firmware
from tests.helpers.boards.pico_folder import PicoFolder
from tests.helpers.pico.process import EmulatedPico
from tests.helpers.pico.processor import Cause

pytestmark = pytest.mark.timeout(300)


class LivePico(PicoFolder):
    """An emulated Pico that lives in real time."""

    def __init__(self, emulated: EmulatedPico, folder: Path) -> None:
        super().__init__(folder)
        self._emulated = emulated

    @property
    def path(self) -> str:
        return self._emulated.path

    def ident(self) -> Ident | None:
        return PicoPort(self.path).ident()

    def cut_power(self) -> None:
        """Pull the cable out, and plug it in again."""
        self._emulated.unplug(power=True)
        self._emulated.plug()

    def await_reset(self) -> None:
        """Let a program's reset come, after which the port is there again."""
        while self._emulated.boots[-1] is not Cause.PROGRAM:
            self._emulated.settle()

    def flash(self, *, yes: bool = False, run: Callable[..., str] = run_mpremote) -> int:
        return flash(
            FlashOptions(self.path, check=False, yes=yes),
            FlashTools(remote=lambda device: Remote(device, run)),
        )


class Cut(Exception):
    """Ends mpremote in the middle."""


class Cutter:
    """Run mpremote, and cut it off at a line of its output, also taking the power away or not."""

    def __init__(self, pico: LivePico, at: int, *, power: bool) -> None:
        self._pico = pico
        self._left = at
        self._power = power
        self.done = False

    def __call__(
        self, device: str, commands: Sequence[Sequence[str]], told: Callable[[str], None]
    ) -> str:
        def listen(line: str) -> None:
            told(line)
            self._left -= line.startswith("cp ")
            if self._left == 0 and not self.done:
                self.done = True
                if not self._power:
                    raise Cut
                self._pico.cut_power()

        return run_mpremote(device, commands, listen)


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[LivePico]:
    folder = tmp_path / "flash"
    folder.mkdir()
    profile = built_in("hexagon-61-pico")
    body = Body(profile, time.monotonic(), seed=1)
    with (
        closing(EmulatedPico(profile, body, time.monotonic, flash=folder)) as emulated,
        emulated.live(),
    ):
        yield LivePico(emulated, folder)


def assert_flashed(pico: LivePico) -> None:
    assert pico.firmware() == firmware_files()
    ident = pico.ident()
    assert ident is not None
    assert ident.version == VERSION
    assert "MicroPython" in ident.system


def test_another_program_is_interrupted_asked_for_and_exchanged(
    pico: LivePico, capsys: pytest.CaptureFixture[str]
):
    program = b"import time\nwhile True:\n    time.sleep_ms(10)\n"
    pico.put({"main.py": program})
    pico.cut_power()
    with pytest.raises(AppError, match="--yes"):
        pico.flash()
    assert pico.files() == {"main.py": program}
    # It is told to go on by a reset, which takes its port away for a moment.
    pico.await_reset()
    assert pico.flash(yes=True) == 0
    assert_flashed(pico)
    assert "RP2040" in capsys.readouterr().out
    assert flash(FlashOptions(pico.path, check=True, yes=False)) == 0
    assert pico.flash() == 0
    assert "its files are those of this lifeboard already" in capsys.readouterr().out
    assert_flashed(pico)


def test_older_firmware_is_exchanged_though_it_is_cut_off_again_and_again(pico: LivePico):
    pico.put(older_firmware())
    pico.cut_power()
    places = sorted(Random(7).sample(range(1, len(firmware_files()) + 1), 2))
    for number, at in enumerate(places):
        cutter = Cutter(pico, at, power=number % 2 == 0)
        with pytest.raises((Cut, LinkFault)):
            pico.flash(run=cutter)
        assert cutter.done
        pico.cut_power()
        ident = pico.ident()
        assert ident is not None
        assert ident.version == (0, 0, 7)
        assert pico.firmware() == older_firmware()
    assert pico.flash() == 0
    assert_flashed(pico)
