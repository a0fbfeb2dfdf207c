"""What all tests share: the browser, failures that tell why, and the order of the tests.

Says loudly when no machine can be booted, and lesser tests have run in its place.
"""

from collections.abc import Iterator
from typing import Any

import pytest

# By default pytest explains assertions in test modules only, and helpers must not be imported yet.
pytest.register_assert_rewrite("tests.helpers", "tests.oracles", "tests.table")

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.helpers.machines.image import lacking  # noqa: E402
from tests.helpers.pages.browser import ARGUMENTS, HELP, chromium  # noqa: E402


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium, once in a process: Playwright cannot be entered a second time."""
    path = chromium()
    if path is None:
        pytest.fail(HELP)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no core waits for it at the end."""
    slow = ("machine", "browser")
    ranks = {marker: rank for rank, marker in enumerate(slow)}
    items.sort(
        key=lambda item: min(
            (ranks.get(m.name, len(slow)) for m in item.iter_markers()), default=len(slow)
        )
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Decide once for all workers, which must run the same tests."""
    node.workerinput["no_machine"] = lacking()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell what was not tested for want of a machine."""
    ran = (
        report.nodeid
        for reports in terminalreporter.stats.values()
        for report in reports
        if hasattr(report, "nodeid")
    )
    if any("test_plain_process.py" in name for name in ran) and (why := lacking()):
        terminalreporter.section("NO MACHINE WAS BOOTED", sep="!", red=True, bold=True)
        terminalreporter.write_line(
            f"WARNING: the tests under real systemd DID NOT RUN: {why}.\n"
            "Watchdog, crash loop, upgrade, uninstall and the rights of the service are NOT tested"
            " under systemd.\nLesser tests of a plain process ran in their place.",
            red=True,
        )
