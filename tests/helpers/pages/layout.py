"""Measures of a page's layout that hold with whatever fonts a machine has."""

from collections.abc import Iterator

from playwright.sync_api import Locator, Page

SIZES = ((1280, 800), (700, 500), (390, 844), (320, 640))
TOLERANCE_PX = 2
_STEADY = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { font-size-adjust: ch-width 0.5; line-height: 1.3 !important; }");
  document.adoptedStyleSheets = [sheet];
}"""
_STICKING_OUT = """([holders, parts, by]) =>
  [...document.querySelectorAll(holders)].flatMap((holder) => {
    const { left, right, bottom } = holder.getBoundingClientRect();
    return [...holder.querySelectorAll(parts)].filter((part) => {
      const box = part.getBoundingClientRect();
      return getComputedStyle(part).clipPath === "none" && box.width > 0
        && (box.left < left - by || box.right > right + by || box.bottom > bottom + by);
    }).map((part) => part.outerHTML);
  })"""
_BOX = "element => element.getBoundingClientRect().toJSON()"
_FRAMES = (
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
)


def at_sizes(page: Page, sizes: tuple[tuple[int, int], ...] = SIZES) -> Iterator[tuple[int, int]]:
    """Show a page at one size after the other, with fixed letter widths and line heights."""
    page.evaluate(_STEADY)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(_FRAMES)
        yield width, height


def overflow(page: Page) -> float:
    """Return by how many pixels the page is wider than its window."""
    return float(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def sticking_out(page: Page, holders: str, parts: str) -> list[str]:
    """Return the elements that extend beyond their containers."""
    found: list[str] = page.evaluate(_STICKING_OUT, [holders, parts, TOLERANCE_PX])
    return found


def box(page: Page, selector: str = "#board") -> dict[str, float]:
    """Return an element's box in the window."""
    page.evaluate(_FRAMES)
    found: dict[str, float] = page.locator(selector).evaluate(_BOX)
    return found


def boxes(page: Page, *selectors: str) -> list[dict[str, float]]:
    """Return the boxes of elements in the window, as they are now."""
    first = "all => all.map(each => document.querySelector(each).getBoundingClientRect().toJSON())"
    found: list[dict[str, float]] = page.evaluate(first, selectors)
    return found


def moved(before: dict[str, float], after: dict[str, float]) -> bool:
    return any(abs(before[side] - after[side]) > TOLERANCE_PX for side in before)


def middle(located: Locator) -> tuple[float, float]:
    """Return the middle of an element."""
    box = located.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
