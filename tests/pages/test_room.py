"""Two boards whose pages enter one room, directly and by a real Mosquitto, talk and leave."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.pages.hosted import hosted
from tests.helpers.remote.broker import Mosquitto

PATIENCE_MS = 20_000
ROOM = "Play with another board"


@pytest.fixture
def pages(page: Page, browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Page, str]]:
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        other = stack.enter_context(browser.new_context(locale="de-DE", reduced_motion="reduce"))
        shown = (page, other.new_page())
        for number, each in enumerate(shown, start=1):
            each.goto(stack.enter_context(hosted(tmp_path / str(number))).address)
        yield *shown, f"127.0.0.1:{broker.port}"


@pytest.mark.parametrize("direct", [True, False])
def test_one_page_offers_a_game_and_another_joins_it_by_its_address(
    pages: tuple[Page, Page, str], direct: bool
):
    one, two, broker = pages
    one.get_by_role("button", name=ROOM).press("Enter")
    dialog = one.get_by_role("dialog", name=ROOM)
    expect(one.get_by_label("Link or code")).to_be_focused()
    one.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text(re.compile("^Enter the link or the code"))
    for code, answer in (
        ("abc", "This room cannot be"),
        (f"http://{broker}/room#abcdef", "offers no game"),
    ):
        one.get_by_label("Link or code").fill(code)
        one.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text(answer, timeout=PATIENCE_MS)
    if not direct:
        dialog.get_by_text("Boards far apart").click()
        one.get_by_label("Broker: name or address").fill(broker)
    one.get_by_label("Your name").fill("Ann")
    dialog.get_by_role("button", name="Offer a game").click()
    code = dialog.locator(".room-code")
    expect(code).to_be_visible(timeout=PATIENCE_MS)
    expect(dialog.get_by_role("img", name=re.compile("QR code of the room"))).to_be_visible()
    address = dialog.locator(".address").inner_text()
    assert address.startswith("http://" if direct else "mqtt://")
    assert re.search(r"[/#](\w+)$", address)[1] == code.inner_text().lower()
    dialog.get_by_role("button", name="Close").click()

    two.get_by_role("button", name="Mit einem anderen Brett spielen").click()
    joining = two.get_by_role("dialog")
    joining.get_by_label("Link oder Code").fill(
        address if direct else f"mqtt://{broker}/{address.rpartition('/')[2]}"
    )
    if not direct:
        expect(joining.get_by_label("Broker: Name oder Adresse")).to_have_value(broker)
    joining.get_by_label("Dein Name").fill("Bo")
    joining.get_by_role("button", name="Beitreten").click()
    for each in (one, two):
        expect(each.locator("#players .who")).to_have_text(["Ann", "Bo"], timeout=PATIENCE_MS)
    one.get_by_role("button", name="Well played").click()
    expect(two.locator("#message")).to_contain_text("Gut gespielt", timeout=PATIENCE_MS)
    for each in (one, two):
        expect(each.get_by_role("button", name="Players")).to_have_count(0)

    one.get_by_role("button", name=ROOM).click()
    dialog.get_by_role("button", name="Leave the room").click()
    dialog.get_by_role("button", name="Leave? The game waits in the room.").click()
    expect(one.locator("#players .who")).to_have_text(["Orange", "Blue"], timeout=PATIENCE_MS)
    expect(one.get_by_role("button", name="Well played")).to_have_count(0)
    one.get_by_role("button", name=ROOM).click()
    expect(one.get_by_label("Broker: name or address")).to_have_value("" if direct else broker)
