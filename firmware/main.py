"""The Pico's start program, installed as main.py beside the folder firmware.

It leaves the Pico to MicroPython's prompt after a STOP, if a file of the firmware is missing, and
after a failure soon after a start: so mpremote always regains access. At the prompt no watchdog
runs. Must work with any contents of the folder.
"""

import os
import sys
import time

STOP_NOTE = "stop"
FAILURE = "failure.txt"
"""The error that has ended the firmware, for `lifeboard flash`."""
SOON_MS = 10_000  # a firmware that fails later is started again

_INTERRUPT = 3


def main() -> None:
    """Start the firmware; return to hand over to MicroPython's prompt."""
    import micropython

    # Disable Ctrl-C for the host's bytes, also while the firmware is imported.
    micropython.kbd_intr(-1)  # type: ignore[attr-defined]
    try:
        _start()
    finally:
        micropython.kbd_intr(_INTERRUPT)  # type: ignore[attr-defined]


def _start() -> None:
    if STOP_NOTE in os.listdir():
        os.remove(STOP_NOTE)
        return
    try:
        from firmware.pico import reset
        from firmware.run import run
    except Exception as error:
        # No watchdog runs yet.
        print("The firmware is not whole:")
        sys.print_exception(error, sys.stdout)  # type: ignore[attr-defined]
        return
    try:
        run()
    except Exception as error:
        with open(FAILURE, "w") as file:
            sys.print_exception(error, file)  # type: ignore[attr-defined]
        if time.ticks_ms() < SOON_MS:  # type: ignore[attr-defined]
            with open(STOP_NOTE, "w"):
                pass
        reset()


if __name__ == "__main__":
    main()
