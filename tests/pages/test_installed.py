"""What the page costs to load, what it is as an app, and its own settings."""

from playwright.sync_api import expect

from game.rules.circle_of_life import GAME
from game.web import page_folder
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.scripted_page import Board

FIRST_LOAD_BYTES = 150_000
SPY = """
    window.heard = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
        heard.push(Math.round(this.frequency.value));
        start.call(this, at);
    };
    navigator.vibrate = (pattern) => heard.push("buzz");
    navigator.share = undefined;
"""
VOICE = """
    window.spoken = [];
    let now = null;
    window.ended = () => { const each = now; now = null; each?.onend(); };
    Object.defineProperty(window, "speechSynthesis", { value: {
        speak(each) { now = each; spoken.push(`${each.lang} ${each.text}`); },
        cancel() { if (now) spoken.push("cancel"); const each = now; now = null; each?.onerror(); },
    }});
"""


def test_first_load_is_small_and_asks_for_each_file_once(page, board):
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    taken: list[float] = []
    session.on("Network.loadingFinished", lambda shown: taken.append(shown["encodedDataLength"]))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    page.wait_for_load_state("networkidle")
    assert 30_000 < sum(taken) < FIRST_LOAD_BYTES
    assert len(set(asked)) == len(asked)


def test_page_is_an_app_that_says_when_the_board_is_out_of_reach(page, tmp_path):
    with hosted(tmp_path, GAME) as board:
        page.goto(board.address)
        page.get_by_label("Language").select_option("de")
        port = board.port
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        manifest = page.evaluate("fetch('/page/app.webmanifest').then(it => it.json())")
        for icon in manifest["icons"]:
            assert (page_folder() / icon["src"].rpartition("/")[2]).is_file()
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("Das Brett ist nicht erreichbar")
    with hosted(tmp_path, GAME, port=port):
        expect(page.locator("[data-cell]")).to_have_count(61)


def test_sounds_follow_the_game_until_they_are_switched_off(page):
    page.add_init_script(SPY)
    board = Board(page)
    board.tap("e5")
    assert 523 not in page.evaluate("heard")
    page.keyboard.press("Shift")
    page.wait_for_function("document.body.dataset.link === 'open'")
    board.tap("a1")
    page.wait_for_function("heard.includes(523) && heard.includes('buzz')")
    board.button("Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Sound").uncheck()
    dialog.get_by_role("button", name="Close").click()
    before = page.evaluate("heard.filter(each => each > 0).length")
    board.tap("i5")
    expect(page.locator("#moves li")).to_have_count(3)
    assert page.evaluate("heard.filter(each => each > 0).length") == before
    page.reload()
    board.button("Settings").click()
    expect(dialog.get_by_label("Sound")).not_to_be_checked()


def test_page_says_what_happens_once_its_voice_is_on_and_breaks_off_what_is_past(page):
    page.add_init_script(VOICE)
    board = Board(page)
    board.speak("de")
    board.tap("e5")
    assert page.evaluate("spoken") == []
    board.button("Einstellungen").click()
    page.get_by_role("dialog").get_by_label("Stimme").check()
    assert page.evaluate("spoken") == ["de Die Seite spricht jetzt."]
    page.evaluate("ended()")
    board.tap("a1")
    # The request was blue's: its sentence is cancelled, but the move is spoken.
    board.wait_for(lambda: page.evaluate("spoken.length") >= 4)
    asked, cancelled, move = page.evaluate("spoken.slice(1)")
    assert "Blau" in asked
    assert cancelled == "cancel"
    assert "a1" in move
