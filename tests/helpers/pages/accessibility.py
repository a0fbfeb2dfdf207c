"""What axe-core finds wrong with a page, in light and dark."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose answer depends on the scheme."""


def violations(page: Page, within: str = "html", dark: bool = True) -> list[str]:
    """Return each violation with its scheme, its rule and the elements that break it."""
    # Half a megabyte, which a page keeps until it is loaded again.
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = []
    for scheme in ("light", "dark") if dark else ("light",):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        rules = {"runOnly": OF_COLOURS} if scheme == "dark" else {}
        options = {"resultTypes": ["violations"], **rules}
        results = page.evaluate("given => axe.run(...given)", [within, options])
        for broken in results["violations"]:
            where = [f"{node['target']}: {node['failureSummary']}" for node in broken["nodes"]]
            found.append(f"{scheme}: {broken['id']}: {where}")
    return found
