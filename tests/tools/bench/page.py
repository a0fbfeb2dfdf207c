"""Measure how soon the page of a game takes a finger, on a fast and on a slow processor.

A person can begin when the first cell lights up that may be touched, and Chromium has drawn it.
"""

import json
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.helpers.pages.browser import launch
from tests.helpers.programs.running import Lifeboard

SLOWER = (1, 4)
"""How many times slower than this computer; 4 is what Lighthouse takes for a phone."""
_WATCH = """
new MutationObserver((_, watch) => {
  if (!document.querySelector("[data-cue=legal]")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.interactive = performance.now(); }));
}).observe(document, { subtree: true, attributeFilter: ["data-cue"], childList: true });
"""


def measure(loads: int) -> dict[str, float]:
    """Start Chromium and measure in it."""
    with sync_playwright() as playwright, launch(playwright) as browser:
        return first_loads(browser, loads)


def first_loads(browser: Browser, loads: int) -> dict[str, float]:
    """Return the median time in ms until a new visitor's page takes a finger, by slowness."""
    with TemporaryDirectory() as folder, Lifeboard(Path(folder)) as game:
        return {
            f"interactive_ms_{slower}x": round(
                statistics.median(_load(browser, game.address, slower) for _ in range(loads))
            )
            for slower in SLOWER
        }


def _load(browser: Browser, address: str, slower: int) -> float:
    # The page's own policy forbids the watching script to be evaluated.
    with browser.new_context(bypass_csp=True) as context:
        page = context.new_page()
        page.add_init_script(_WATCH)
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(address)
        page.wait_for_function("() => window.interactive")
        return float(page.evaluate("window.interactive"))


def report(figures: dict[str, float], *, as_json: bool) -> str:
    """Return the figures as text, or as one JSON object."""
    if as_json:
        return json.dumps(figures)
    return "\n".join(
        f"page interactive, {slower} x slower {figures[f'interactive_ms_{slower}x']:6.0f} ms"
        for slower in SLOWER
    )
