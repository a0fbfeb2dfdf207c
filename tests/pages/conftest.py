"""Chromium, and a tab of it."""

import pytest
from playwright.sync_api import sync_playwright

from tests.helpers.pages.browser import complaints, launch, skip_start


@pytest.fixture(scope="module")
def browser():
    """Start Chromium for a module: while Playwright's loop runs, no test can run its own."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        skip_start(browser)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    """Open a tab; any console message but lost connections is an error."""
    with browser.new_context() as context:
        page = context.new_page()
        problems = complaints(page)
        yield page
    lost = ("WebSocket", "ERR_CONNECTION_REFUSED")
    assert [each for each in problems if not any(word in each for word in lost)] == []
