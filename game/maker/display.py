"""The display of a maker's tool: what page and terminal show, and the actions that they offer."""

import os
import select
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import count
from typing import Literal, Self, TextIO

from game.rules.boards.board import Board
from game.web import (
    ON_TOOL_PAGE,
    App,
    DoAction,
    Lift,
    MessageError,
    PageLink,
    Press,
    Server,
    Subscribers,
    listen,
    parse,
    show_in_browser,
    site,
)
from game.web.access import Access, AccessLevel
from hal.backends.backend import Hands
from hal.base.errors import HalError

CellState = Literal["plain", "asked", "done", "touched", "weak", "dead"]
_MOST_ASKED = 8  # actions that wait; impatient fingers fill no memory
_READ_BYTES = 4096


@dataclass(frozen=True, slots=True)
class CellNote:
    """A cell's letters, a state, a bar from 0 to 1, and `values` for the page's table."""

    text: str
    state: CellState = "plain"
    level: float = 0.0
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """Offer an action; `key` is typed for it before Enter, "" for Enter alone."""

    name: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class ToolScreen:
    """Hold all that is shown at one moment.

    Cells that the board's drawing lacks are shown beside it. `progress` is the number done and the
    number of all. With `columns` the page has a table of the values of all cells.
    """

    title: str
    message: str
    cells: Mapping[str, CellNote] = field(default_factory=dict)
    actions: tuple[Action, ...] = ()
    progress: tuple[int, int] | None = None
    columns: tuple[str, ...] = ()


class ToolDisplay:
    """Show screens on a page and on the terminal, from `with` on.

    `terminal` are the streams to read, None for none, and to write. `hands` touch a simulated board
    when its cells are pressed on the page. Without a `board` the page shows all cells side by side.
    """

    def __init__(
        self,
        board: Board | None,
        port: int,
        terminal: tuple[TextIO | None, TextIO],
        browser: bool,
        hands: Hands | None = None,
    ) -> None:
        self.address = ""
        self._board = board
        self._port = port
        self._source, self._target = terminal
        self._browser = browser
        self._hands = hands
        self._opened = ExitStack()
        self._asked: deque[str] = deque(maxlen=_MOST_ASKED)
        self._screen = ToolScreen("lifeboard", "")
        self._said = ""
        self._subscribers = Subscribers()
        self._pages = count()

    def show(self, screen: ToolScreen) -> None:
        """Show a screen if it is not shown already, without waiting for any page."""
        if screen == self._screen:
            return
        self._screen = screen
        self._subscribers.notify()
        # A change of the progress alone is not printed.
        line = " ".join([screen.message, _hints(screen.actions)]).strip()
        if line and line != self._said:
            done = f"[{screen.progress[0]}/{screen.progress[1]}] " if screen.progress else ""
            self.say(done + line)
        self._said = line

    def say(self, text: str) -> None:
        """Write lines on the terminal only."""
        print(text, file=self._target, flush=True)

    def asked(self) -> str | None:
        """Return the name of the next action that was chosen, None while there is none."""
        actions = self._screen.actions
        for line in self._read() if actions else []:
            names = [it.name for it in actions if line.casefold() in (it.key.casefold(), it.name)]
            self._asked += names[:1]
            if line and not names:
                self.say(f"{line!r} is not known {_hints(actions)}")
        return self._asked.popleft() if self._asked else None

    def _read(self) -> list[str]:
        """Read the lines that were typed, without waiting."""
        # A standard input may be closed, or be none that has a descriptor.
        with suppress(OSError, ValueError):
            if self._source is not None and select.select([self._source], [], [], 0)[0]:
                # Not through the file object, whose buffer `select` does not see.
                read = os.read(self._source.fileno(), _READ_BYTES).decode(errors="replace")
                return [line.strip() for line in read.split("\n")[:-1]]
        return []

    def __enter__(self) -> Self:
        listening = self._opened.enter_context(listen(self._port))
        self.address = self._opened.enter_context(Server(self, listening)).address
        self.say(f"The board is shown at {self.address}")
        if self._browser:
            show_in_browser(self.address)
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def app(self, access: Access) -> App:
        """Build the ASGI application."""
        return site("tool.html", self._talk, access)

    async def _talk(self, link: PageLink) -> None:
        if link.level is not AccessLevel.CONTROL:
            return  # only this computer is served
        fingers = f"page{next(self._pages)}."
        screens: list[ToolScreen] = []

        async def tell() -> None:
            if not screens:
                await link.send(_hello(self._board, simulated=self._hands is not None))
            screen = self._screen
            if screens[-1:] != [screen]:
                screens[:] = [screen]
                await link.send({"type": "screen", **asdict(screen)})

        with self._subscribers.subscribed() as news:
            try:
                await link.converse(news, tell, partial(self._take, fingers))
            finally:
                if self._hands is not None:
                    self._hands.lift_all(fingers)

    def _take(self, fingers: str, text: str) -> str:
        """Act on a page's message, on any thread; return why it is refused, or nothing."""
        try:
            match parse(text, ON_TOOL_PAGE):
                case DoAction(name):
                    offered = [action.name for action in self._screen.actions]
                    if name not in offered:
                        return f"action is {name!r}; allowed: {', '.join(offered) or 'none now'}"
                    self._asked.append(name)
                case Press(pointer, spot):
                    if self._hands is None:
                        return "this board is not simulated: touch the board itself"
                    self._hands.press(fingers + pointer, spot)
                case Lift(pointer):
                    if self._hands is not None:
                        self._hands.lift(fingers + pointer)
        except (MessageError, HalError) as error:
            return str(error)
        return ""


def _hints(actions: tuple[Action, ...]) -> str:
    """Return what can be typed, and what each key does."""
    each = (f"{f'{action.key} Enter'.strip()}: {action.label.lower()}" for action in actions)
    return f"({', '.join(each)})" if actions else ""


def _hello(board: Board | None, *, simulated: bool) -> dict[str, object]:
    cells = {} if board is None else board.centres
    return {
        "type": "hello",
        "page": "tool",
        "version": version("lifeboard"),
        "simulated": simulated,
        "board": {
            "shape": "hexagon" if board is None else board.shape,
            "cells": {cell: {"x": round(x, 5), "y": round(y, 5)} for cell, (x, y) in cells.items()},
        },
    }
