"""Pictures of the page, for people to look at: `make screenshots`.

Takes a picture of every state that the test of accessibility visits, at the size of a phone, a
phone on its side and a laptop, in light and dark.
"""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.helpers.pages.browser import launch
from tests.pages.test_accessibility import STATES

SIZES = {"phone": (390, 844), "phone-on-its-side": (740, 360), "laptop": (1440, 900)}
LOOKS = ("light", "dark")
FOLDER = Path("screenshots")


def main() -> None:
    """Take all pictures, or those of the states that are named."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("states", nargs="*", choices=[*STATES, []], help="all unless named")
    options = reader.parse_args()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for state in options.states or STATES:
            for size, (width, height) in SIZES.items():
                for look in LOOKS:
                    with browser.new_context(
                        locale="en-GB",
                        viewport={"width": width, "height": height},
                        color_scheme=look,
                    ) as context:
                        page = context.new_page()
                        STATES[state](page)
                        page.mouse.move(0, 0)
                        name = f"{state}-{size}-{look}.png".replace(" ", "-")
                        page.screenshot(path=FOLDER / name, animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
