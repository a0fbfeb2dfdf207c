"""The emulated Pico: real MicroPython that lives in virtual time, and what it finds below it."""

import subprocess
import sys
import time

import pytest

from hal import built_in
from hal.sim.body import Body
from tests.helpers.boards.pico_bench import Bench
from tests.helpers.pico import Cause
from tests.helpers.pico.micropython import MicroPythonMissing, find


@pytest.fixture
def bench(clock, tmp_path):
    made = Bench(built_in("hexagon-61-pico"), clock, tmp_path)
    yield made
    made.close()


def test_program_lives_in_the_host_s_time_only(bench):
    bench.start("import time\nfor n in range(5):\n    print(n, end=' ')\n    time.sleep_ms(10)")
    assert bench.hear(0.001) == b"0 "
    assert bench.hear(0.009) == b""
    assert bench.hear(0.001) == b"1 "
    assert bench.hear(0.025) == b"2 3 "


def test_mpremote_works_unchanged(bench, tmp_path):
    ahead_s = 0.0
    bench.clock = lambda: time.monotonic() + ahead_s
    bench.body = Body(bench.profile, bench.clock() - 0.1, seed=1)
    bench.start()
    bench.ports.pop().close()
    local = tmp_path / "local.py"
    local.write_text("print('copied', 6 * 7)\n" + "# a long line, many times over\n" * 100)
    copy, execute = ["cp", str(local), ":there.py"], ["exec", "import there"]
    commands = [*copy, "+", *execute, "+", "fs", "ls", "+", "reset"]
    with bench.pico.live():
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", "connect", bench.pico.path, *commands],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "copied 42" in done.stdout
    assert f"{local.stat().st_size} there.py" in done.stdout
    # mpremote resets a tenth of a second after it has gone.
    ahead_s = 1.0
    bench.pico.settle()
    assert bench.pico.boots[-1] == Cause.PROGRAM


def test_interpreter_that_is_missing_is_told_with_what_mends_it(tmp_path):
    with pytest.raises(MicroPythonMissing, match="apt install micropython"):
        find({"PATH": "", "XDG_CACHE_HOME": str(tmp_path)})
