"""A person plays against the computer at the page of a running board, through every edit."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.boards.presence import board_with_stones
from tests.helpers.pages.real_page import PATIENCE_MS, People
from tests.helpers.programs.running import Lifeboard

FIRST = "Computer: Mouse (1)"
STRONGEST = "Computer: Dragon (6)"


def options(folder: Path, presence: bool) -> tuple[str, ...]:
    board = ("--board", str(board_with_stones(folder))) if presence else ()
    return ("--seed", "1", *board)


def mover(people: People) -> str:
    return str(people.page.locator("#players .player.on").get_attribute("data-player"))


def legal(people: People) -> list[str]:
    """Wait until a person can move, and list where."""
    cells = people.page.locator('[data-cue="legal"]')
    people.wait(cells.first)
    # At once: a preview under the mouse may mark a cell otherwise meanwhile.
    found: list[str] = cells.evaluate_all("all => all.map(cell => cell.dataset.cell)")
    return found


def settle(people: People) -> None:
    """Wait until who begins is drawn."""
    people.counts(".player.on", 1)


def engines(running: Lifeboard) -> list[int]:
    """List the processes that a lifeboard has started."""
    tasks = Path(f"/proc/{running.pid}/task").iterdir()
    return [int(each) for task in tasks for each in (task / "children").read_text().split()]


@contextmanager
def holding_its_breath(running: Lifeboard) -> Iterator[list[int]]:
    """Let the computer think on without an end, however slow all else is."""
    held = engines(running)
    assert held
    for pid in held:
        os.kill(pid, signal.SIGSTOP)
    yield held
    for pid in held:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_a_person_plays_the_computer_through_every_edit(
    browser: Browser, tmp_path: Path, presence: bool
):
    data, chosen = tmp_path / "data", options(tmp_path, presence)
    with Lifeboard(data, *chosen) as first, People(browser, first) as people:
        page = people.page
        settle(people)
        people.choose(FIRST, 1, "Apply to this game")
        expect(page.locator("#players .kind .whole").nth(1)).to_have_text("computer, Mouse")

        # One move each, by either player, and a hint before the next.
        if mover(people) == "2":
            people.computer_plays(2)
        people.counts('[data-cue="legal"]', 61 - people.moves)
        people.button("Hint").click()
        people.counts("#idea-list li", 3)
        people.counts('[data-cue="hint"]', 3)
        best = str(page.locator("#idea-list .move").first.text_content())
        expect(people.cell(best)).to_have_attribute("data-cue", "hint")
        people.button("Hint").click()
        people.counts('[data-cue="hint"]', 0)
        people.place(best, 1)
        people.computer_plays(2)

        # What the computer wants is taken back with the move that it answers.
        before = people.pieces
        people.place(legal(people)[0], 1)
        people.counts('[data-cue="proposed"]', 1)
        people.button("Take back").click()
        people.counts('[data-edit="take"]', 1)
        people.tidy()
        assert people.pieces == before

        # It is taken back, too, while the computer still thinks.
        with holding_its_breath(first):
            people.place(legal(people)[-1], 1)
            people.wait(page.locator(".player.thinking"))
            people.button("Take back").click()
            people.counts('[data-edit="take"]', 1)
            people.tidy()
        assert people.pieces == before

        # The game outlives a page that is loaded again, and a power cut while the computer thinks.
        people.choose(STRONGEST, 1, "Apply to this game")
        with holding_its_breath(first):
            people.place(legal(people)[1], 1)
            people.wait(page.locator(".player.thinking"))
            played = people.moves
            # What a page still loads when its server is killed, its console complains of.
            people.reload()
        people.counts(f"#moves [data-ply='{played}']", 1)
        expect(page.locator("#players .kind .whole").nth(1)).to_have_text("computer, Dragon")
        first.stop(signal.SIGKILL)
        with Lifeboard(data, *chosen, "--port", str(first.port)):
            expect(page.locator("body")).to_have_attribute("data-link", "open", timeout=PATIENCE_MS)
            if not presence:
                people.wait(people.button("The board is right"))
                people.button("The board is right").click()
            people.computer_plays(2)
            assert people.moves == played + 1

            # A position in which the computer moves, and wins by eating.
            people.set_up({"e5": "2", "e4": "1", "a1": "1"}, (3, 19), "Blue")
            wanted = people.computer_plays(2)
            assert people.pieces == {"e5": "2", wanted: "2", "a1": "1"}
            expect(page.locator("#players .count").nth(1)).to_have_text("20 / 20")
            expect(page.locator("#verdict")).to_contain_text("Blue wins")
