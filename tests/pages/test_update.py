"""Updates in the page's settings: what changes, what is refused, and which version runs."""

from pathlib import Path

from playwright.sync_api import expect

from game.rules.base.message import say
from game.service import updates
from game.service.signed_package import REQUEST, Offer, UpdateError
from game.service.updates import UpdatedSite
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow

NEWS = ("Players can win.", "Faster.")


def test_a_package_is_offered_with_its_news_and_installed(browser, tmp_path, monkeypatch):
    versions = ["1.0"]

    def offer(deb: Path) -> Offer:
        if deb.stat().st_size < 3_000_000:
            raise UpdateError(say("update.cut_short"))
        return Offer("2.0", NEWS)

    monkeypatch.setattr(updates, "installed", lambda: versions[0])
    monkeypatch.setattr(updates, "read_offer", offer)
    updated = hosted(tmp_path, command="pin", around=lambda page: UpdatedSite(page, tmp_path))
    # A refusal is an error on the browser's console.
    context = browser.new_context(bypass_csp=True)
    with updated as board, context:
        page = context.new_page()
        page.goto(board.address)
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name="Update").click()
        dialog = page.get_by_role("dialog", name="Update")
        said = dialog.get_by_role("status")
        expect(said).to_have_text("Version 1.0 runs.")
        field = dialog.get_by_label("A package, lifeboard_….deb")
        package = {"name": "lifeboard_2.0.deb", "mimeType": "", "buffer": bytes(250_000)}
        field.set_input_files(package)
        expect(said).to_have_text("The package is cut short. Download it again.")
        dialog.get_by_role("button", name="From a USB stick").click()
        expect(said).to_have_text("No USB stick is plugged into the board.")
        field.set_input_files(package | {"buffer": bytes(3_500_000)})
        expect(dialog.get_by_role("listitem")).to_have_text(NEWS)
        for size in at_sizes(page, ((390, 844), (1280, 800))):
            assert overflow(page) <= 0, size
        assert violations(page, "dialog[open]") == []
        dialog.get_by_role("button", name="Install 2.0").click()
        expect(said).to_contain_text("Installing.")
        expect(field).to_be_hidden()
        # A page that loads itself again, as after an update, goes on.
        page.reload()
        expect(said).to_contain_text("Installing.")
        versions[0] = "2.0"
        (tmp_path / REQUEST).unlink()
        expect(said).to_have_text("Version 2.0 runs.")
        expect(field).to_be_visible()
