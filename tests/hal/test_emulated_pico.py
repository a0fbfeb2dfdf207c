"""The emulated Pico: real MicroPython that lives in virtual time, and what it finds below it."""

import os
import subprocess
import sys
import time

import pytest
import serial

from hal import built_in
from hal.base.errors import BackendError
from hal.sim.body import Body
from hal.sim.hands import Move
from tests.helpers.boards.pico_bench import Bench
from tests.helpers.pico import Cause, EmulatedPico
from tests.helpers.pico.micropython import START, VARIABLE, MicroPythonMissing, cache, find

FIRST = 0x5A
ECHO = """
import select, sys
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)
while True:
    poll.poll()
    sys.stdout.buffer.write(b"<" + sys.stdin.buffer.read(1) + b">")
"""
BUS = """
import time
from machine import I2C, Pin
bus = I2C(0, sda=Pin({sda}), scl=Pin({scl}), freq=400_000, timeout=20_000)
def attempt(action, *arguments):
    try:
        said = action(*arguments)
    except OSError as error:
        said = error.errno
    print(said, end=";")
"""


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


def test_watchdog_bites_a_program_that_waits_too_long(bench):
    bench.start(
        "import machine, sys, time\ntime.sleep_ms(5)\n"
        "dog = machine.WDT(timeout=100)\ntime.sleep_ms(90)\ndog.feed()\nsys.stdin.buffer.readline()"
    )
    bench.hear(0.190)
    assert bench.pico.boots == [Cause.POWER_ON]
    bench.clock.now += 0.010
    bench.pico.settle()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.WATCHDOG]
    with pytest.raises(serial.SerialException):
        bench.ports[-1].read(100)


def test_watchdog_bites_a_program_that_computes_for_ever(bench):
    bench.start("import machine\nmachine.WDT(timeout=200)\nwhile True: pass", hang_s=0.2)
    for seconds in (0.1, 0.19):
        bench.clock.now += seconds
        bench.pico.settle()
        assert bench.pico.boots == [Cause.POWER_ON]
    bench.clock.now += 0.02
    bench.pico.settle()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.WATCHDOG]
    assert "without asking for anything" in bench.pico.log


def test_cable_that_is_pulled_takes_port_and_power(bench):
    bench.start(ECHO)
    bench.hear()
    bench.pico.unplug()
    assert not os.path.exists(bench.pico.path)
    with pytest.raises(serial.SerialException):
        bench.ports[-1].read(1)
    bench.pico.plug()
    bench.open()
    assert bench.pico.boots == [Cause.POWER_ON] * 2
    bench.hear()
    assert bench.ask(b"x") == b"<x>"


def test_key_is_not_seen_before_it_is_pressed(bench):
    pin = next(key.number for key in bench.profile.keys.values() if hasattr(key, "number"))
    name = next(n for n, key in bench.profile.keys.items() if getattr(key, "number", None) == pin)
    bench.start(
        "import time\nfrom machine import Pin\n"
        f"key = Pin({pin}, Pin.IN, Pin.PULL_UP)\n"
        "while key.value(): time.sleep_ms(1)\n"
        "print(time.ticks_ms(), end='')"
    )
    bench.hear(0.0)
    began = bench.clock.now
    bench.clock.now += 0.5
    bench.pico.settle([Move(began + 0.1235, name, down=True)])
    assert bench.hear(0.0).startswith(b"124")


def test_bus_reads_and_writes_registers_and_tells_its_errors(bench):
    pins = bench.profile.pico.buses[0]
    bench.start(
        BUS.format(sda=pins.sda, scl=pins.scl)
        + f"attempt(bus.writeto_mem, {FIRST}, 0x41, b'\\x0c')\n"
        f"for n in range(4):\n    attempt(bus.readfrom_mem, {FIRST}, 0x41, 1)\n"
        "    time.sleep_ms(30)\n"
    )
    wires = bench.pico.platform.cable(bench.profile.chips[0])
    assert bench.hear(0.005) == b"None;b'\\x0c';"
    wires.silence(FIRST)
    assert bench.hear(0.030) == b"5;"
    wires.heal(FIRST)
    wires.hold()
    # It waits for as long as it was told.
    assert bench.hear(0.030) == b""
    assert bench.hear(0.025) == b"110;"
    wires.release()
    assert bench.hear(0.030).startswith(b"b'\\x0c';")


def test_board_without_a_pico_is_refused(clock, tmp_path):
    profile = built_in("hexagon-61")
    with pytest.raises(BackendError, match=r"allowed is a profile with \[pico\]"):
        EmulatedPico(profile, Body(profile, 0.0, seed=1), clock, flash=tmp_path)


def test_prompt_for_programs_answers_in_its_form(bench):
    bench.start()
    bench.hear()
    assert bench.ask(b"\x01") == b"\r\nraw REPL; CTRL-B to exit\r\n>"
    assert bench.ask(b"print(6*7)\x04") == b"OK42\n\x04\x04>"
    said = bench.ask(b"1/0\x04")
    assert said.startswith(b"OK\x04Traceback")
    assert said.endswith(b"ZeroDivisionError: divide by zero\r\n\x04>")
    assert bench.ask(b"\x02").endswith(b">>> ")


def test_program_is_interrupted_unless_it_forbids_it(bench):
    bench.start("import time\ntime.sleep(1000)")
    bench.hear()
    assert b"KeyboardInterrupt" in bench.ask(b"\x03")
    (bench.flash / "main.py").unlink()
    bench.start("import micropython\nmicropython.kbd_intr(-1)" + ECHO)
    bench.hear()
    assert bench.ask(b"\x03") == b"<\x03>"


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


def test_interpreter_is_the_one_that_is_named(tmp_path):
    assert find({VARIABLE: "/a/micropython -v"}) == ["/a/micropython", "-v"]
    on_path = tmp_path / "micropython"
    on_path.touch(0o755)
    assert find({"PATH": str(tmp_path)}) == [str(on_path)]
    environment = {"PATH": "", "XDG_CACHE_HOME": str(tmp_path)}
    cache(environment).mkdir(parents=True)
    (cache(environment) / START).touch(0o755)
    assert find(environment) == [str(cache(environment) / START)]


def test_interpreter_that_is_missing_is_told_with_what_mends_it(tmp_path):
    with pytest.raises(MicroPythonMissing, match="apt install micropython"):
        find({"PATH": "", "XDG_CACHE_HOME": str(tmp_path)})
