"""A running lifeboard and a browser, for the tests of the application."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import ARGUMENTS, HELP, chromium
from playwright.sync_api import Browser, sync_playwright
from running import Lifeboard


@pytest.fixture
def lifeboard(tmp_path: Path) -> Iterator[Lifeboard]:
    with Lifeboard(tmp_path / "data", "--seed", "1") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.fail(HELP)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()
