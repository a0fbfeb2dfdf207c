"""Find the Chromium that the browser tests drive, and hear it; as a script, see that there is one.

A Chromium of the system is preferred, since its package brings what it needs. Elsewhere Playwright
downloads its own.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    # A graphics card that is only computed costs a sixth of all that a page takes.
    "--disable-gpu",
)
HELP = (
    "The browser tests need Chromium, and it is neither installed nor could it be downloaded.\n"
    "On Debian and Raspberry Pi OS: sudo apt install chromium"
)

expect.set_options(timeout=10_000)


def chromium() -> str | None:
    """Return the path of a Chromium, None if there is none."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def complaints(page: Page) -> list[str]:
    """Return a list that fills with what the page's console says, and where, and its errors."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(f"{said.text} ({said.location['url']})"))
    page.on("pageerror", lambda error: heard.append(str(error.stack or error)))
    return heard


def main() -> int:
    """Download Playwright's Chromium if the system has none; 1 and plain words if that fails."""
    if chromium():
        return 0
    print("No Chromium on this system: downloading one for the browser tests.", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if chromium():
        return 0
    print(HELP, file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
