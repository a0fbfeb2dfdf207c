"""`lifeboard flash` with the real mpremote, into real MicroPython, through a pseudo-terminal.

mpremote lives in real time, and the Pico as fast as it is emulated; time-outs of ours count the
Pico's own time.
"""

from itertools import count

import pytest

from firmware.messages import VERSION
from game.common import AppError
from hal.backends.coprocessor.flash import run_mpremote
from hal.base.errors import LinkFault
from tests.helpers.boards.fake_pico import older_firmware
from tests.helpers.rp2040.flashed import flashed, live_pico

PROGRAM = "import time\nwhile True:\n    time.sleep_ms(10)\n"
CUT_AT = 9


def test_firmware_and_programs_are_exchanged_though_power_is_cut_in_the_middle(monkeypatch, capsys):
    with live_pico(flashed()) as live:
        assert live.flash() == 0
        assert "its files are those of this lifeboard already" in capsys.readouterr().out
        monkeypatch.setattr("game.maker.flash.firmware_files", lambda mpy: older_firmware())
        copied = count(1)

        def cut(device, commands, shown) -> str:
            def listen(line: str) -> None:
                shown(line)
                if line.startswith("cp ") and next(copied) == CUT_AT:
                    with live.terminal.lock:
                        live.pico.unplug()
                        live.pico.plug()

            return run_mpremote(device, commands, listen)

        with pytest.raises(LinkFault):
            live.flash(run=cut)
        port = live.port(live.terminal.path)
        assert port.started().version == VERSION
        port.stop()
        text = f"file = open('main.py', 'w'); file.write({PROGRAM!r}); file.close()"
        boots = len(live.pico.boots)
        run_mpremote(live.terminal.path, [("exec", text), ("reset",)], lambda _: None)
        live.await_start(boots)
        boots = len(live.pico.boots)
        with pytest.raises(AppError, match="--yes"):
            live.flash()
        # The firmware that it had is started again.
        live.await_start(boots)
        monkeypatch.setattr("game.maker.flash._OURS", "firmware 0.0.7 (protocol 1)")
        assert live.flash(yes=True) == 0
        assert live.flash(check=True) == 0
