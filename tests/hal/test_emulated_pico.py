"""The emulated Pico: real MicroPython that lives in virtual time, and what it finds below it."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import serial

from hal import built_in
from hal.errors import BackendError
from hal.sim.body import Body
from hal.sim.hands import Move
from hal.sim.pico import Cause, EmulatedPico
from hal.sim.pico.micropython import START, VARIABLE, MicroPythonMissing, cache, find
from hal.sim.pico.processor import Processor
from hal.wiring import BusPins
from tests.helpers.boards.pico_bench import Bench

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
from tests.helpers.machines.machine import I2C, Pin
bus = I2C(0, sda=Pin({sda}), scl=Pin({scl}), freq=400_000, timeout=20_000)
def attempt(action, *arguments):
    began = time.ticks_us()
    try:
        said = action(*arguments)
    except OSError as error:
        said = error.errno
    print(said, (time.ticks_us() - began) // 10, end=";")
"""


@pytest.fixture
def bench(clock, tmp_path):
    made = Bench(built_in("hexagon-61-pico"), clock, tmp_path)
    yield made
    made.close()


@pytest.fixture
def pins(bench):
    return bench.profile.pico.buses[0]


# Time.


def test_program_lives_in_the_host_s_time_only(bench):
    bench.start("import time\nfor n in range(5):\n    print(n, end=' ')\n    time.sleep_ms(10)")
    assert bench.hear(0.001) == b"0 "
    assert bench.hear(0.009) == b""
    assert bench.hear(0.001) == b"1 "
    assert bench.hear(0.025) == b"2 3 "


def test_counters_follow_the_clock_and_wrap_around(bench):
    lap = (1 << 30) - 5_000
    bench.start(
        "import time\n"
        "first, us = time.ticks_ms(), time.ticks_us()\n"
        "time.sleep_ms(1500)\n"
        "print(time.ticks_diff(time.ticks_ms(), first), time.ticks_us() < us, end='')",
        ticks_us=lap,
    )
    assert bench.hear(1.4) == b""
    assert bench.hear(0.2).startswith(b"1500 True")


def test_program_that_looks_at_the_clock_only_comes_to_an_end(bench):
    bench.start(
        "import time\n"
        "began = time.ticks_us()\n"
        "while time.ticks_diff(time.ticks_us(), began) < 3000: pass\n"
        "print('end', end='')"
    )
    assert bench.hear(0.003) == b""
    assert bench.hear(0.003).startswith(b"end")


def test_program_lives_the_same_life_each_time(bench):
    program = (
        "import time\nfrom machine import Pin\n"
        f"line = Pin({bench.profile.interrupt_pin}, Pin.IN, Pin.PULL_UP)\n"
        "while True:\n    print(time.ticks_us(), line.value(), end=' ')\n    time.sleep_ms(3)"
    )
    lives = []
    for _ in range(2):
        bench.start(program)
        lives.append(bench.hear(0.5))
        bench.pico.close()
        bench.picos.pop()
    assert lives[0] == lives[1] != b""


def test_program_takes_time_to_be_compiled_where_that_is_wanted(bench):
    (bench.flash / "other.py").write_text("#" * 1000 + "\n")
    program = "first = time()\nimport other\nimport other\nprint(time() - first, end=';')"
    bench.start("from time import ticks_ms as time\n" + program, import_us=20)
    assert bench.hear(0.020) == b""
    assert bench.hear(0.010).startswith(b"20;")


def test_program_can_be_interrupted_while_it_is_compiled(bench):
    (bench.flash / "other.py").write_text("#" * 1000 + "\n")
    bench.start("import other\nprint('went on')", import_us=20)
    bench.hear(0.010)
    said = bench.ask(b"\x03", 0.050)
    assert b"KeyboardInterrupt" in said
    assert b"went on" not in said


# Input.


def test_input_arrives_when_it_was_sent(bench):
    bench.start(
        "import select, sys, time\n"
        "poll = select.poll()\n"
        "poll.register(sys.stdin, select.POLLIN)\n"
        "while True:\n"
        "    came = poll.poll(5)\n"
        "    if came: print(time.ticks_ms(), sys.stdin.buffer.read(1), len(came), end=';')"
    )
    bench.hear(0.012)
    bench.say(b"a")
    bench.clock.now += 0.020
    bench.say(b"b")
    assert bench.hear(0.030) == b"12 b'a' 1;32 b'b' 1;"


def test_output_has_room_at_once(bench):
    bench.start(
        "import select, sys\npoll = select.poll()\npoll.register(sys.stdout, select.POLLOUT)\n"
        "print([events for _, events in poll.ipoll(0)], end='')"
    )
    assert bench.hear().startswith(b"[4]")


def test_line_is_read_up_to_its_end_or_its_limit(bench):
    bench.start(
        "import sys\nwhile True: print(sys.stdin.buffer.readline(4), end='')",
    )
    assert bench.ask(b"ab\ncdefgh\n") == rb"b'ab\n'b'cdef'b'gh\n'"


def test_output_that_nobody_reads_is_lost(bench):
    bench.start(ECHO)
    assert bench.ask(b"a") == b"<a>"
    bench.say(b"b")
    bench.ports.pop().close()
    bench.pico.settle()
    written = bench.pico.written
    bench.open()
    assert bench.ask(b"c") == b"<c>"
    assert bench.pico.written == written + 3


# Watchdog and resets.


def test_watchdog_bites_a_program_that_waits_too_long(bench):
    bench.start(
        "import machine, sys, time\nprint(machine.reset_cause(), machine.mem32[0x40058008])\n"
        "time.sleep_ms(5)\n"
        "dog = machine.WDT(timeout=100)\nsys.stdin.buffer.readline()"
    )
    assert bench.hear() == b"1 0\n"
    bench.say(b"half a line")
    bench.hear(0.099)
    assert bench.pico.boots == [Cause.POWER_ON]
    connection = bench.pico.connection
    bench.clock.now += 0.010
    bench.pico.settle()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.WATCHDOG]
    assert bench.pico.connection == connection + 1
    with pytest.raises(serial.SerialException):
        bench.ports[-1].read(100)


def test_watchdog_that_is_fed_does_not_bite(bench):
    bench.start(
        "import machine, time\ndog = machine.WDT(timeout=100)\n"
        "while True:\n    time.sleep_ms(90)\n    dog.feed()"
    )
    bench.hear(3.0)
    assert bench.pico.boots == [Cause.POWER_ON]


def test_watchdog_that_would_wait_too_long_is_refused(bench):
    bench.start(
        "import machine\ntry:\n    machine.WDT(timeout=8389)\n"
        "except ValueError as error:\n    print(error, end=';')"
    )
    assert bench.hear().startswith(b"timeout exceeds 8388;")


def test_watchdog_bites_a_program_that_computes_for_ever(bench):
    bench.start("import machine\nmachine.WDT(timeout=200)\nwhile True: pass", hang_s=0.2)
    bench.clock.now += 0.1
    bench.pico.settle()
    assert not bench.pico.running
    bench.clock.now += 0.19
    bench.pico.settle()
    assert bench.pico.boots == [Cause.POWER_ON]
    bench.clock.now += 0.02
    bench.pico.settle()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.WATCHDOG]
    assert "without asking for anything" in bench.pico.log


def test_program_that_computes_for_ever_without_a_watchdog_is_gone(bench):
    bench.start("while True: pass", hang_s=0.2)
    bench.clock.now += 100.0
    bench.pico.settle()
    assert not bench.pico.running
    bench.pico.unplug()
    (bench.flash / "main.py").unlink()
    bench.pico.plug()
    bench.pico.settle()
    assert bench.pico.running


def test_reset_by_program_is_told_from_a_bite(bench):
    (bench.flash / "boot.py").write_text("import machine\ncause = machine.mem32[0x40058008]\n")
    bench.start("import machine\nif not cause: machine.reset()\nimport sys\nsys.stdin.read(1)")
    bench.hear()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.PROGRAM]
    assert os.path.realpath(bench.pico.path).startswith("/dev/pts/")


def test_cable_that_is_pulled_takes_port_and_power(bench):
    bench.start(ECHO)
    bench.hear()
    bench.pico.unplug()
    assert not os.path.exists(bench.pico.path)
    with pytest.raises(serial.SerialException):
        bench.ports[-1].read(1)
    bench.clock.now += 1.0
    bench.pico.settle()
    bench.pico.plug()
    bench.open()
    assert bench.pico.boots == [Cause.POWER_ON] * 2
    bench.hear()
    assert bench.ask(b"x") == b"<x>"


def test_program_goes_on_with_power_from_elsewhere(bench):
    bench.start("n = 0\n" + ECHO.replace("sys.stdin.buffer.read(1)", "sys.stdin.buffer.read(2)"))
    bench.say(b"a")
    bench.hear()
    bench.pico.unplug(power=False)
    bench.pico.plug()
    bench.open()
    assert bench.ask(b"b") == b"<ab>"
    assert bench.pico.boots == [Cause.POWER_ON]


def test_bootloader_waits_for_a_new_cable(bench):
    bench.start("import machine\nmachine.bootloader()")
    bench.clock.now += 60.0
    bench.pico.settle()
    assert not bench.pico.running
    assert not os.path.exists(bench.pico.path)


def test_process_ends_with_the_pico(bench):
    bench.start(ECHO)
    bench.hear()
    process = bench.pico.process
    assert Path(f"/proc/{process}").exists()
    bench.pico.close()
    bench.picos.pop()
    assert not Path(f"/proc/{process}").exists()


def test_process_ends_when_the_emulation_is_no_more(tmp_path):
    processor = Processor(
        find(),
        tmp_path,
        heap_bytes=500_000,
        cause=Cause.POWER_ON,
        identity=bytes(8),
        ticks_us=0,
        raw=False,
        hang_s=20.0,
        import_us=0,
    )
    processor.receive()
    processor._line.close()
    assert processor._process.wait(timeout=20) == 0


# Pins and buses.


def test_key_holds_its_pin_low_for_those_that_pull_it_up(bench):
    pin = next(key.number for key in bench.profile.keys.values() if hasattr(key, "number"))
    name = next(n for n, key in bench.profile.keys.items() if getattr(key, "number", None) == pin)
    bench.start(
        "import time\nfrom machine import Pin\n"
        "while True:\n"
        f"    print(Pin({pin}, Pin.IN, Pin.PULL_UP).value(), Pin({pin}, Pin.IN, None)(), end=' ')\n"
        "    time.sleep_ms(10)"
    )
    assert bench.hear(0.002) == b"1 0 "
    bench.pico.settle([Move(bench.clock.now + 0.001, name, down=True)])
    assert bench.hear(0.010) == b"0 0 "
    bench.pico.settle([Move(bench.clock.now, name, down=False)])
    assert bench.hear(0.010) == b"1 0 "


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


def test_light_of_the_pico_is_seen(bench):
    bench.start(
        "import time\nfrom machine import Pin\nled = Pin('LED', Pin.OUT)\nled.on()\n"
        "time.sleep_ms(10)\nled.value(0)\ntime.sleep_ms(100)"
    )
    bench.hear()
    assert bench.pico.machine.led
    bench.hear(0.02)
    assert not bench.pico.machine.led


@pytest.mark.parametrize("pin", [30, -1, "'GP4'"])
def test_pin_that_is_none_is_refused(bench, pin):
    bench.start(
        f"from machine import Pin\ntry: Pin({pin})\n"
        "except ValueError as error: print(error, end=';')"
    )
    assert bench.hear().startswith(b"invalid pin;")


def test_bus_reads_and_writes_registers_and_takes_its_time(bench, pins):
    bench.start(
        BUS.format(sda=pins.sda, scl=pins.scl) + "buffer = bytearray(24)\n"
        f"attempt(bus.readfrom_mem, {FIRST}, 0x5D, 1)\n"
        f"attempt(bus.writeto_mem, {FIRST}, 0x41, b'\\x0c')\n"
        f"attempt(bus.readfrom_mem, {FIRST}, 0x41, 1)\n"
        f"attempt(bus.readfrom_mem_into, {FIRST}, 0x04, buffer)\n"
    )
    # 24 bytes with 3 of addresses, 9 bits each, and three edges, at 400 kHz.
    assert bench.hear(0.005).startswith(b"b'$' 9;None 7;b'\\x0c' 9;None 61;")
    assert bench.body.chips[bench.profile.chips[0].name].read(0) == b""


def test_bus_is_read_at_the_time_at_which_it_is_asked(bench, pins):
    bench.start(BUS.format(sda=pins.sda, scl=pins.scl) + "attempt(bus.scan)\n")
    assert bench.hear(0.003) == b""
    assert bench.hear(0.020).startswith(b"[90, 91, 92, 93] ")


def test_bus_without_an_answer_is_an_error_of_its_own(bench, pins):
    bench.start(
        BUS.format(sda=pins.sda, scl=pins.scl)
        + f"for n in range(3):\n    attempt(bus.readfrom_mem, {FIRST}, 0, 1)\n"
        "    time.sleep_ms(30)\n"
    )
    wires = bench.pico.machine.wires(bench.profile.chips[0])
    wires.silence(FIRST)
    assert bench.hear(0.005).startswith(b"5 ")
    wires.heal(FIRST)
    wires.hold()
    # It waits for as long as it was told.
    assert bench.hear(0.030) == b""
    assert bench.hear(0.025) == b"110 2000;"
    wires.release()
    assert bench.hear(0.030).startswith(b"b'\\x00' 9;")


def test_bus_that_is_held_reads_low(bench, pins):
    bench.start(
        f"import sys\nfrom machine import Pin\nwire = Pin({pins.sda}, Pin.OPEN_DRAIN, value=1)\n"
        "while sys.stdin.buffer.read(1): print(wire.value(), end='')"
    )
    assert bench.ask(b"\n") == b"1"
    bench.pico.machine.wires(bench.profile.chips[0]).hold()
    assert bench.ask(b"\n") == b"0"


def test_bus_on_other_pins_reaches_nobody(bench):
    bench.profile = replace(
        bench.profile,
        pico=replace(bench.profile.pico, buses={**bench.profile.pico.buses, 0: BusPins(16, 17)}),
    )
    bench.start(BUS.format(sda=4, scl=5) + f"attempt(bus.readfrom_mem, {FIRST}, 0, 1)\n")
    assert bench.hear().startswith(b"5 ")


@pytest.mark.parametrize(("sda", "scl", "why"), [(6, 5, b"bad SDA pin"), (4, 7, b"bad SCL pin")])
def test_bus_on_pins_that_cannot_be_it_is_refused(bench, sda, scl, why):
    bench.start(
        "try:"
        + BUS.format(sda=sda, scl=scl).replace("\n", "\n ")
        + "\nexcept ValueError as e: print(e, end=';')"
    )
    assert bench.hear().startswith(why + b";")


def test_board_without_a_pico_is_refused(clock, tmp_path):
    profile = built_in("hexagon-61")
    with pytest.raises(BackendError, match=r"wanted is a profile with \[pico\]"):
        EmulatedPico(profile, Body(profile, 0.0, seed=1), clock, flash=tmp_path)


# PIO and DMA.


PIXELS = """
import time
from tests.helpers.machines.machine import Pin
from rp2 import DMA, PIO, StateMachine, asm_pio

@asm_pio(sideset_init=PIO.OUT_LOW, out_shiftdir=PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def pixels():
    wrap_target()
    label("bit")
    out(x, 1).side(0)[1]
    jmp(not_x, "zero").side(1)
    jmp("bit").side(1)
    label("zero")
    nop().side(0)
    wrap()

machine = StateMachine(0, pixels, freq={freq}, sideset_base=Pin({pin}))
machine.active(1)
dma = DMA()
levels = bytearray([1, 2, 3] * {count})
"""
SEND = """
control = dma.pack_ctrl({ctrl})
dma.config(read=levels, write={write}, count=len(levels), ctrl=control, trigger=True)
"""
WELL = "size=0, inc_write=False, treq_sel=0"


def pixel_program(bench, write="machine", ctrl=WELL, freq=3_050_000, send=SEND):
    strip = bench.profile.strip
    program = PIXELS.format(freq=freq, pin=strip.pin, count=strip.pixels)
    return program + send.format(write=write, ctrl=ctrl)


@pytest.mark.parametrize("write", ["machine", "0x50200010"])
def test_pixels_show_what_dma_carries(bench, write):
    bench.start(
        pixel_program(bench, write)
        + "while dma.active(): time.sleep_ms(1)\nprint(time.ticks_ms(), end=';')"
    )
    bench.hear()
    assert bench.pico.machine.strip.frames == 0
    # 345 levels of 32 clocks take 3.6 ms, from 1 ms on.
    assert bench.hear(0.010).startswith(b"5;")
    levels = bytes([1, 2, 3]) * bench.profile.strip.pixels
    assert bench.pico.machine.strip.chain.levels == levels
    assert bench.pico.machine.strip.refused == 0


def test_pixels_do_not_understand_another_clock(bench):
    bench.start(pixel_program(bench, freq=8_000_000))
    bench.hear(0.020)
    assert bench.pico.machine.strip.refused == 1


@pytest.mark.parametrize(
    ("ctrl", "why"),
    [
        ("size=0, treq_sel=0", b"stays at the FIFO"),
        ("size=0, inc_write=False", b"by the state machine's requests"),
        ("size=0, inc_write=False, treq_sel=1", b"by the state machine's requests"),
        ("size=2, inc_write=False, treq_sel=0", b"past its buffer"),
    ],
)
def test_dma_that_would_go_wrong_says_so(bench, ctrl, why):
    bench.start(pixel_program(bench, ctrl=ctrl))
    assert why in bench.hear()


def test_assembler_encodes_as_the_published_one(bench):
    bench.start(
        "from rp2 import PIO, asm_pio\n"
        "@asm_pio(sideset_init=PIO.OUT_LOW, autopull=True, pull_thresh=24)\n"
        "def ws2812():\n"
        "    wrap_target()\n"
        "    label('bitloop')\n"
        "    out(x, 1).side(0)[2]\n"
        "    jmp(not_x, 'do_zero').side(1)[1]\n"
        "    jmp('bitloop').side(1)[4]\n"
        "    label('do_zero')\n"
        "    nop().side(0)[4]\n"
        "    wrap()\n"
        "words = [hex(word) for word in ws2812.words()[0]]\n"
        "print(words, ws2812.wraps(), 'x' in globals(), end=';')"
    )
    said = bench.hear()
    assert said.startswith(b"['0x6221', '0x1123', '0x1400', '0xa442'] (0, 3) False;")


# The prompt.


def prompt(bench):
    bench.start()
    bench.hear()
    return bench


def test_empty_flash_gives_the_prompt(bench):
    prompt(bench)
    assert bench.ask(b"1+1\r") == b"1+1\r\n2\n>>> "
    assert bench.ask(b"1/0\r").endswith(b"ZeroDivisionError: divide by zero\r\n>>> ")
    assert b"Raspberry Pi Pico with RP2040\r\n" in bench.ask(b"\x02")


def test_prompt_for_programs_answers_in_its_form(bench):
    prompt(bench)
    assert bench.ask(b"\x01") == b"\r\nraw REPL; CTRL-B to exit\r\n>"
    assert bench.ask(b"print(6*7)\x04") == b"OK42\n\x04\x04>"
    said = bench.ask(b"1/0\x04")
    assert said.startswith(b"OK\x04Traceback")
    assert said.endswith(b"ZeroDivisionError: divide by zero\r\n\x04>")
    assert bench.ask(b"\x02").endswith(b">>> ")


def test_prompt_for_programs_takes_long_ones_in_windows(bench):
    prompt(bench).ask(b"\x01")
    assert bench.ask(b"\x05A\x01") == b"R\x01\x80\x00"
    assert bench.ask(b"x = '" + b"y" * 200) == b"\x01"
    assert bench.ask(b"'; print(len(x))\x04") == b"\x04200\n\x04\x04>"


def test_prompt_begins_anew_after_a_soft_reset(bench):
    prompt(bench).ask(b"\x01kept = 1\x04")
    connection = bench.pico.connection
    assert bench.ask(b"\x04") == b"\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>"
    assert b"NameError" in bench.ask(b"kept\x04")
    assert bench.pico.boots == [Cause.POWER_ON, Cause.SOFT]
    assert bench.pico.connection == connection


def test_program_is_interrupted_unless_it_forbids_it(bench):
    bench.start("import time\ntime.sleep(1000)")
    bench.hear()
    assert b"KeyboardInterrupt" in bench.ask(b"\x03")
    (bench.flash / "main.py").unlink()
    bench.start("import micropython\nmicropython.kbd_intr(-1)" + ECHO)
    bench.hear()
    assert bench.ask(b"\x03") == b"<\x03>"


def test_files_are_those_of_the_flash(bench):
    (bench.flash / "folder").mkdir()
    (bench.flash / "folder/one.py").write_text("ONE = 1\n")
    prompt(bench)
    said = bench.ask(
        b"from folder.one import ONE; import os; print(ONE, os.getcwd(), os.listdir('/'))\r"
    )
    assert b"1 / ['folder']" in said
    assert b"ENOENT" in bench.ask(b"open('/etc/passwd')\r")
    bench.ask(b"f = open('two.txt', 'w'); f.write('2'); f.close()\r")
    assert (bench.flash / "two.txt").read_text() == "2"


@pytest.mark.parametrize("name", ["asking", "console", "link"])
def test_program_may_name_a_module_as_the_emulation_does(bench, name):
    (bench.flash / f"{name}.py").write_text("MINE = 6 * 7\n")
    prompt(bench)
    assert b"42" in bench.ask(f"from {name} import MINE; print(MINE)\r".encode())


def test_mpremote_works_unchanged(bench, tmp_path):
    ahead_s = 0.0
    bench.clock = lambda: time.monotonic() + ahead_s
    bench.body = Body(bench.profile, bench.clock() - 0.1, seed=1)
    bench.start()
    bench.ports.pop().close()
    local = tmp_path / "local.py"
    local.write_text("print('copied', 6 * 7)\n" + "# a long line, many times over\n" * 100)
    commands = [
        "cp",
        str(local),
        ":there.py",
        "+",
        "exec",
        "import there",
        "+",
        "fs",
        "ls",
        "+",
        "reset",
    ]
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


# Finding MicroPython.


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
