"""How the tests start Chromium, and what they hear of a page's console."""

from playwright.sync_api import Page, expect

ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    # A graphics card that is only computed costs a sixth of all that a page takes.
    "--disable-gpu",
)

expect.set_options(timeout=10_000)


def complaints(page: Page) -> list[str]:
    """Return a list that fills with what the page's console says, and where, and its errors."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(f"{said.text} ({said.location['url']})"))
    page.on("pageerror", lambda error: heard.append(str(error.stack or error)))
    return heard
