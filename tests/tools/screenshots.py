"""Pictures of the page, for people to look at: `make screenshots`.

Plays a few moves of each game against the page's own table and takes a picture of every state that
is named, at the size of a phone, a phone on its side and a laptop, in light and dark.
"""

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from game.rules.base.registry import find_game
from game.table.inputs import Command, SetNames
from tests.helpers.pages.browser import ARGUMENTS
from tests.helpers.pages.scripted_page import NAMES, Board

SIZES = {"phone": (390, 844), "phone-on-its-side": (740, 360), "laptop": (1440, 900)}
LOOKS = ("light", "dark")
PLAYERS = SetNames(("Ann", "Bo"))


def _circle(board: Board) -> None:
    board.give(PLAYERS)
    board.play("e5", "d4", "e6", "c3", "g3", "d6")


def _azteka(board: Board) -> None:
    board.give(PLAYERS)
    board.play("a1", "e1", "T2", "e2")


def _adaptoid(board: Board) -> None:
    board.give(PLAYERS)
    board.play("W:d4 B:e4", "white")


STATES: dict[str, tuple[str, Callable[[Board], None]]] = {
    "circle-of-life": ("circle-of-life", _circle),
    "circle-of-life-over": (
        "circle-of-life",
        lambda board: (_circle(board), board.ask(Command.RESIGN, Command.RESIGN))[0],
    ),
    "azteka": ("azteka", _azteka),
    "adaptoid": ("adaptoid", _adaptoid),
    "cirkle-mind": ("cirkle-mind", lambda board: board.give(PLAYERS)),
}


def take(page: Page, folder: Path, name: str) -> None:
    """Take a picture once nothing moves any more."""
    page.mouse.move(0, 0)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")


def main() -> None:
    """Take all pictures, or those of the states that are named."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("states", nargs="*", choices=[*STATES, []], help="all unless named")
    reader.add_argument("--folder", type=Path, default=Path("screenshots"))
    options = reader.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(ARGUMENTS)
        )
        for state in options.states or STATES:
            game, play = STATES[state]
            for size, (width, height) in SIZES.items():
                for look in LOOKS:
                    with browser.new_context(
                        locale="en-GB",
                        viewport={"width": width, "height": height},
                        color_scheme=look,
                    ) as context:
                        board = Board(context.new_page(), levels=NAMES, game=find_game(game))
                        play(board)
                        take(board.page, options.folder, f"{state}-{size}-{look}")
        browser.close()


if __name__ == "__main__":
    main()
