"""The Pico's start program, installed as main.py beside the folder firmware.

It leaves the Pico to MicroPython's prompt after a STOP, if a file of the firmware is missing, and
after three failures in a row: so mpremote always regains access. At the prompt no watchdog runs.
Must work with any contents of the folder.
"""

import os
import sys

STOP_NOTE = "stop"
FAILURE = "failure.txt"
"""A mark for each failed start in a row, and the last error."""
LAST_FAILURE = "last_failure.txt"
"""FAILURE, renamed after MOST_FAILURES."""
MOST_FAILURES = 3

_MARK = "!"
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
    if _take_away(STOP_NOTE):
        return
    failures = 0
    if FAILURE in os.listdir():
        with open(FAILURE) as file:
            failures = file.readline().count(_MARK)
    if failures >= MOST_FAILURES:
        # The next start tries again.
        _take_away(LAST_FAILURE)
        os.rename(FAILURE, LAST_FAILURE)
        print(f"The firmware failed {failures} times in a row: see {LAST_FAILURE}.")
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
            file.write(_MARK * (failures + 1) + "\n")
            sys.print_exception(error, file)  # type: ignore[attr-defined]
        reset()


def _take_away(name: str) -> bool:
    try:
        os.remove(name)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
