"""Draws the icons of the installed page from its SVG: `python -m tests.tools.icons`."""

from playwright.sync_api import sync_playwright

from game.web.server import page_folder
from tests.helpers.pages.browser import launch

SIZES = (192, 512)


def main() -> None:
    """Write a PNG of each size beside the SVG."""
    picture = (page_folder() / "favicon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block}}</style>{picture}")
            page.screenshot(path=page_folder() / f"icon-{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
