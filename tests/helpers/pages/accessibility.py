"""What axe-core finds wrong with a page, in light and dark."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

BOTH = ("light", "dark")


def violations(page: Page, within: str = "html", schemes: tuple[str, ...] = BOTH) -> list[str]:
    """Return each violation with its scheme, its rule and the elements that break it."""

    found = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for broken in Axe().run(page, context=within).response["violations"]:
            where = [f"{node['target']}: {node['failureSummary']}" for node in broken["nodes"]]
            found.append(f"{scheme}: {broken['id']}: {where}")
    return found
