"""How the tests start Chromium, and what they collect from a page's console."""

import shutil
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from tests.helpers.pages.site import ADDRESS, serve_files

PROGRAM = "chromium-headless-shell"
"""Chromium without its windows takes a quarter less time for the same pages."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    # Emulating a graphics card costs a sixth of all that a page takes.
    "--disable-gpu",
)

expect.set_options(timeout=10_000)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium. Raises FileNotFoundError if it is not installed."""
    path = shutil.which(PROGRAM)
    if path is None:
        raise FileNotFoundError(f"{PROGRAM} is not there: sudo apt install {PROGRAM}")
    # A page of a scripted table has 90 files, which Playwright takes ten times as long to serve.
    mapped = f"--host-resolver-rules=MAP {urlsplit(ADDRESS).hostname} 127.0.0.1:{serve_files()}"
    return playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, mapped])


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Open a window of its own, in which nothing is animated: drawing that takes a processor."""
    return Browser.new_context(
        browser, **{"locale": "en-GB", "reduced_motion": "reduce", **options}
    )


def skip_start(browser: Browser) -> None:
    """Skip the first screen, which asks how to play, in every tab from now on."""

    def started(**options: Any) -> BrowserContext:
        context = new_context(browser, **options)
        # An empty tab has no storage.
        context.add_init_script("try { sessionStorage['lifeboard.started'] = 'yes'; } catch {}")
        return context

    browser.new_context = started  # type: ignore[assignment, method-assign]


def complaints(page: Page) -> list[str]:
    """Return a list that fills with what the page's console says, and where, and its errors."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(f"{said.text} ({said.location['url']})"))
    page.on("pageerror", lambda error: heard.append(str(error.stack or error)))
    return heard
