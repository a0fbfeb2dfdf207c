"""What all tests share: their tiers, their order, and signals as a terminal leaves them."""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

# By default pytest explains assertions in test modules only, and helpers must not be imported yet.
pytest.register_assert_rewrite("tests.helpers", "tests.oracles", "tests.table")

pytest_plugins = ["tests.helpers.fixtures"]

from tests.helpers import effort, shared  # noqa: E402
from tests.tiers import TIERS, tiers_of, unused_patterns  # noqa: E402

EVERYWHERE = {"git", "make", "sed", "sh", "true"}
"""Programs that every development computer has."""
SLOW = ("pico", "machine", "fuzz", "process", "browser", "effort")
"""Tests in the order in which they begin, so that no core waits for one of them at the end."""
FIRST = "tests/machine/test_machine_runs.py"
"""Tests that build the package and a machine with it, which others would wait for."""
LONGEST = (
    "tests/machine/test_machine_newer.py",
    "tests/machine/test_machine_package.py",
    "tests/machine/test_machine_update.py",
    "tests/rp2040/test_boards.py",
    "tests/rp2040/test_faults.py",
    "tests/board/test_case.py",
    "tests/board/test_projects.py",
    "tests/service/test_deb.py",
    "tests/pages/test_accessibility.py",
    "tests/pages/test_layout.py",
    "tests/remote/test_model.py",
    "tests/tools/test_soak.py",
)
"""Files that take a minute each: they begin before others of their tier."""

_test_without_tier = ""


def _refuse_programs(event: str, arguments: tuple[Any, ...]) -> None:
    """Fail a test of `make test` that starts a program which not every computer has."""
    if not _test_without_tier or event != "subprocess.Popen":
        return
    found = shutil.which(arguments[0])
    if found is None or Path(found).is_relative_to(gettempdir()):
        return
    name = Path(found).name
    if name not in EVERYWHERE and not name.startswith("python"):
        pytest.fail(f"{_test_without_tier} starts {name}: name it in tests/tiers.py")


def pytest_configure(config: pytest.Config) -> None:
    for tier, what in TIERS.items():
        config.addinivalue_line("markers", f"{tier}: {what}")
    config.addinivalue_line("markers", "effort: tries more with LIFEBOARD_TESTS=all")
    # A busy machine must not fail a test, nor an example that was never tried before.
    settings.register_profile("lifeboard", deadline=None, derandomize=True)
    settings.load_profile("lifeboard")
    if not hasattr(config, "workerinput"):
        os.environ[shared.FOLDER] = mkdtemp(prefix="lifeboard-tests-")
    # A shell's background job ignores Ctrl-C, and so would all programs that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.addaudithook(_refuse_programs)


def pytest_collection_finish() -> None:
    """Keep all modules out of each later search for garbage, which took a tenth of the time."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ[shared.FOLDER], ignore_errors=True)


@cache
def _tries_more(module: ModuleType) -> bool:
    names = vars(module)
    return any(names.get(each) is getattr(effort, each) for each in ("effort", "examples"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each test its tiers, and begin with what takes longest."""
    for item in items:
        for tier in tiers_of(item.nodeid):
            item.add_marker(tier)
        if _tries_more(item.module):
            item.add_marker("effort")
    if config.args == config.getini("testpaths") and not config.getoption("ignore"):
        unused = unused_patterns(item.nodeid for item in items)
        if unused:
            raise pytest.UsageError(f"tests/tiers.py names no test: {', '.join(unused)}")
    ranks = {marker: rank for rank, marker in enumerate(SLOW)}
    items.sort(
        key=lambda item: (
            not item.nodeid.startswith(FIRST),
            min((ranks.get(m.name, len(SLOW)) for m in item.iter_markers()), default=len(SLOW)),
            not item.nodeid.startswith(LONGEST),
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let a test that `make test` runs start no program but Python."""
    global _test_without_tier
    tiered = any(item.get_closest_marker(tier) for tier in TIERS)
    _test_without_tier = "" if tiered else item.nodeid
    try:
        return (yield)
    finally:
        _test_without_tier = ""


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Report which tiers `make test` leaves out, and which command runs them."""
    if config.option.markexpr == f"not ({' or '.join(TIERS)})":
        tell = terminalreporter.write_line
        tell(f"Not run: {'; '.join(f'{tier} ({what})' for tier, what in TIERS.items())}.")
        tell("make test-all runs everything, and says first what this computer lacks for it.")
        tell('make test-all ARGS="-m browser" runs one of these kinds.')
