"""Which tests `make test` runs, and which ones wait for `make test-all`, and why.

Owns the markers: a test has none unless it is named here. `conftest.py` applies them, and fails a
test without a marker that starts a program beside Python.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

TIERS = {
    "fuzz": "plays many random games or inputs",
    "browser": "drives a real Chromium",
    "process": "starts programs that not every computer has, or kills lifeboard many times",
    "pico": "plays on emulated Picos, also with real MicroPython",
    "machine": "boots a machine with systemd",
}

NAMED = {
    "fuzz": (
        "tests/tools/test_memory_after_games.py*",
        "tests/tools/test_soak_games.py*",
    ),
    "process": (
        "tests/board/test_case.py::test_make_case*",
        "tests/board/test_made_board.py*",
        "tests/board/test_projects.py*",
        # Need the libraries of the guide.
        "tests/board/test_bench.py::test_printable_template*",
        "tests/board/test_guide_files.py*",
        "tests/service/test_deb.py*",
        "tests/service/test_updates.py*",
        "tests/store/test_kill.py*",
        # Needs a C compiler.
        "tests/store/test_private_files.py::test_other_account*",
        "tests/store/test_real_disks.py*",
        "tests/web/test_https.py*",
        "tests/web/test_secrecy.py*",
        "tests/service/test_unit.py*",
        # Needs Mosquitto.
        "tests/remote/test_mosquitto.py*",
        "tests/house/test_real_broker.py*",
        "tests/cli/test_wheel.py*",
        "tests/tools/test_kills.py*",
        "tests/engine/test_forms.py::test_engine_is_compiled*",
        "tests/engine/test_forms.py::test_wheel*",
        "tests/hal/test_firmware_size.py*",
        # Compile what stands below the library.
        "tests/hal/test_contract.py::*rpi-ws281x*",
        "tests/hal/test_ws281x.py*",
        "tests/play/test_ws281x_game.py*",
    ),
    "pico": (
        "tests/tools/test_bench.py*",
        "tests/maker/test_calibrate.py::*pico*",
        "tests/maker/test_doctor_link.py::*real*",
        "tests/play/test_faults.py::*-pico*",
        "tests/play/test_mapped_boards.py::*-pico*",
        "tests/rp2040/*",
        "tests/play/test_games_on_boards.py::*-pico*",
        "tests/play/test_live_pico.py*",
        "tests/tools/test_soak.py::*pico*",
    ),
    "machine": ("tests/machine/*",),
    "browser": ("tests/pages/*",),
}
"""The tests of each tier, as patterns of their names."""


def tiers_of(name: str) -> list[str]:
    """Return the markers of the test with this name."""
    return [tier for tier, patterns in NAMED.items() if any(fnmatchcase(name, p) for p in patterns)]


def unused_patterns(names: Iterable[str]) -> list[str]:
    """Return the patterns that name none of all tests."""
    every = list(names)
    return [
        pattern
        for patterns in NAMED.values()
        for pattern in patterns
        if not any(fnmatchcase(name, pattern) for name in every)
    ]
