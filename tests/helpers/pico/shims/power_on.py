"""What an emulated Pico does when it has power: its program, and then MicroPython's prompt.

Runs in MicroPython, as `power_on.py LINE FLASH CAUSE IDENTITY TICKS PROMPT IMPORT`: the number of
the open line to the emulation, the folder that is the flash, why it starts, its identity in
hexadecimal digits, what its counters say at first, the prompt that a soft reset came from, and how
many microseconds it compiles at a byte of source.
"""

import binascii
import builtins
import gc
import os
import select  # noqa: F401
import sys
import time

import console
import link
import link_format
import machine
import rp2  # noqa: F401

RAW, FRIENDLY = "raw", "friendly"

_BANNER = (
    "MicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\r\n"
    'Type "help()" for more information.\r\n'
)
_RAW_BANNER = "raw REPL; CTRL-B to exit\r\n"
_WINDOW = 128
_INTERRUPT = 3

_import_us = []
_builtin_import = builtins.__import__
_out = console.SYSTEM.stdout.buffer
_in = console.SYSTEM.stdin.buffer


class _SoftReset(Exception):
    pass


def _begin():
    number, flash, cause, identity, ticks, _, import_us = sys.argv[1:]
    _import_us.append(int(import_us))
    link.open_line(int(number))
    machine.cause = int(cause)
    machine.identity = binascii.unhexlify(identity)
    time.first_us = int(ticks)
    os.umount("/")
    os.mount(os.VfsPosix(flash), "/")
    os.chdir("/")
    sys.path[:] = ["", ".frozen", "/lib"]
    sys.argv[:] = []
    sys.modules["sys"] = console.SYSTEM
    sys.modules["micropython"] = console.MICROPYTHON
    for name in ("link_format", "console", "link"):
        # A program on the flash may use these names itself.
        del sys.modules[name]
    builtins.__import__ = _import


def _import(name, *how):
    """Import a module, taking the time that a Pico needs to compile it."""
    known = name in sys.modules
    module = _builtin_import(name, *how)
    if not known:
        _take_time(name.replace(".", "/") + ".py")
    return module


def _take_time(path):
    try:
        size = os.stat("/" + path)[6]
    except OSError:
        return
    link.wait(link.now_us + size * _import_us[0], False)


def _run_file(name, names):
    """Run a program on the flash, if it exists."""
    try:
        os.stat(name)
    except OSError:
        return
    with open(name) as file:
        source = file.read()

    def run():
        _take_time(name)
        exec(compile(source, name, "exec"), names)

    _run(run)


def _run(action):
    """Run something that may end in any way, and can be interrupted."""
    link.interrupt = _INTERRUPT
    try:
        action()
    except SystemExit:
        raise _SoftReset from None
    except BaseException as error:
        _print_error(error)
    finally:
        link.interrupt = -1


def _print_error(error):
    sys.print_exception(error, console.SYSTEM.stdout)


def _say(text):
    _out.write(text)


def _serve_friendly(names):
    """Serve the friendly REPL until the raw one is chosen."""
    _say(_BANNER)
    while True:
        _say(">>> ")
        line = b""
        while True:
            byte = _in.read(1)
            if byte == b"\x01" and not line:
                _say("\r\n")
                return
            if byte == b"\x02" and not line:
                _say("\r\n" + _BANNER)
                break
            if byte == b"\x03":
                _say("\r\n")
                break
            if byte == b"\x04" and not line:
                _say("\r\n")
                raise _SoftReset
            if byte == b"\r":
                _say("\r\n")
                if line.strip():
                    _evaluate(line, names)
                break
            if byte in (b"\x08", b"\x7f"):
                if line:
                    line = line[:-1]
                    _say("\x08 \x08")
            elif byte >= b" ":
                line += byte
                _say(byte)


def _evaluate(line, names):
    _run(lambda: exec(compile(line, "<stdin>", "single"), names))


def _serve_raw(names):
    """Serve the raw REPL until it is left."""
    _say(_RAW_BANNER)
    _say(">")
    source = bytearray()
    while True:
        byte = _in.read(1)
        if byte == b"\x01":
            if source == b"\x05A":
                _execute(_paste(), names, b"")
                _say(">")
            else:
                _say(_RAW_BANNER + ">")
            source = bytearray()
        elif byte == b"\x02":
            _say("\r\n")
            return
        elif byte == b"\x03":
            source = bytearray()
        elif byte == b"\x04":
            if not source:
                _say("\r\n")
                raise _SoftReset
            _execute(bytes(source), names, b"OK")
            _say(">")
            source = bytearray()
        else:
            source += byte


def _paste():
    """Receive a program in windows, acknowledging each (raw paste mode)."""
    gc.collect()
    _say(b"R\x01" + bytes([_WINDOW, 0]))
    source = bytearray()
    count = 0
    while True:
        byte = _in.read(1)
        if byte == b"\x03":
            _say("\x04")
            return b"raise KeyboardInterrupt"
        if byte == b"\x04":
            _say("\x04")
            return bytes(source)
        source += byte
        count += 1
        if count == _WINDOW:
            _say("\x01")
            count = 0


def _execute(source, names, first):
    """Run a program; its output and its error are each ended by a byte 4."""
    errors = []
    _say(first)

    def run():
        try:
            exec(compile(source, "<stdin>", "exec"), names)
        except SystemExit:
            raise
        except BaseException as error:
            errors.append(error)

    try:
        _run(run)
    finally:
        _say("\x04")
        for error in errors:
            _print_error(error)
        _say("\x04")


def _main():
    prompt = sys.argv[6]
    _begin()
    names = {"__name__": "__main__"}
    try:
        _run_file("boot.py", names)
        if prompt == FRIENDLY:
            _run_file("main.py", names)
        while True:
            if prompt == RAW:
                _serve_raw(names)
                prompt = FRIENDLY
            else:
                _serve_friendly(names)
                prompt = RAW
    except _SoftReset:
        _say("MPY: soft reboot\r\n")
        link.reset(link_format.SOFT, prompt == RAW)


_main()
