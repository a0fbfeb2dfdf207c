"""Fingers on the screen of a phone, through the browser's own touch events."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page

from tests.helpers.pages.layout import middle


@contextmanager
def phone(browser: Browser, height: int) -> Iterator[Page]:
    """Open a page on a phone 390 pixels wide."""
    screen = {"width": 390, "height": height}
    with browser.new_context(viewport=screen, has_touch=True, is_mobile=True) as context:
        yield context.new_page()


class Finger:
    """One finger, or several that touch at the same time."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Put down ("Start"), move ("Move") or lift ("End") the fingers."""
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    def drag(self, source: Locator, goal: Locator) -> None:
        source.scroll_into_view_if_needed()
        (x, y), (to_x, to_y) = middle(source), middle(goal)
        self.touch("Start", (x, y))
        for part in (0.2, 0.4, 0.6, 0.8, 1.0):
            self.touch("Move", (x + (to_x - x) * part, y + (to_y - y) * part))
        self.touch("End")
