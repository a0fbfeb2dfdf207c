"""`lifeboard flash` with the real mpremote, into real MicroPython, through a pseudo-terminal.

mpremote lives in real time, and the Pico as fast as it is emulated; time-outs of ours count the
Pico's own time.
"""

import pytest

from game.common import AppError
from hal.backends.coprocessor.flash import run_mpremote
from hal.base.errors import LinkFault
from tests.helpers.rp2040.flashed import flashed, live_pico

PROGRAM = "import time\nwhile True:\n    time.sleep_ms(10)\n"


def test_firmware_and_programs_are_exchanged_though_power_is_cut_in_the_middle(capsys):
    with live_pico(flashed()) as live:

        def cut(device, commands) -> str:
            """Pull the plug before main.py is copied."""
            if not any("mkdir" in command for command in commands):
                return run_mpremote(device, commands)
            run_mpremote(device, commands[:-1])
            boots = len(live.pico.boots)
            with live.terminal.lock:
                live.pico.unplug()
                live.pico.plug()
                live.terminal.step()
            live.await_start(boots)
            raise LinkFault("the power was cut")

        def leave(device, commands) -> str:
            """Begin to copy, and copy nothing."""
            if not any("mkdir" in command for command in commands):
                return run_mpremote(device, commands)
            raise LinkFault("nothing is copied")

        # After the cut it would be copied again, and there is no program that must be stopped.
        for run in (cut, leave):
            with pytest.raises(LinkFault):
                live.flash(run=run)
        assert capsys.readouterr().out.count("it is stopped") == 1
        text = f"file = open('main.py', 'w'); file.write({PROGRAM!r}); file.close()"
        boots = len(live.pico.boots)
        run_mpremote(live.terminal.path, [("exec", text), ("reset",)])
        live.await_start(boots)
        boots = len(live.pico.boots)
        with pytest.raises(AppError, match="--yes"):
            live.flash()
        # The program that it had is started again.
        live.await_start(boots)
        assert live.flash(yes=True) == 0
        assert live.flash(check=True) == 0
