"""What the tests of the kit share: other readers of Gerber files look at ours where they are there.

Says so when one is not. `.ci/run` installs them all.
"""

from shutil import which
from typing import Any

READERS = {
    "test_kit_gerbv.py": ("gerbv",),
    "test_kit_kicad.py": ("gerbview", "Xvfb", "xdotool"),
}
ABSENT = {
    file: missing
    for file, tools in READERS.items()
    if (missing := [tool for tool in tools if which(tool) is None])
}

collect_ignore = list(ABSENT)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell which readers did not look at the circuit's files."""
    for file, missing in ABSENT.items():
        terminalreporter.write_line(
            f"NOT RUN: {file}, for want of {', '.join(missing)}: another reader's view of the"
            " circuit's files was not compared with ours.",
            yellow=True,
        )
