"""Whole lifeboards, played through their page and killed.

Owns the player at the page, and the comparison of the last state that the page was told with the
file, and with what the next lifeboard tells.
"""

import json
import signal
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from game.rules.circle_of_life import GAME
from tests.helpers.kills.tale import Invented, Lost, Pairs, Tale, games_in
from tests.helpers.programs.running import ANSWER_S, Lifeboard, Talk

SEEN_S = 0.6
"""For so long somebody waits to see what a touch has led to, or goes on without."""


def board_with_stones(folder: Path) -> Path:
    """Write the profile of a board that feels stones."""
    text = files("hal").joinpath("boards", "hexagon-61.toml").read_text(encoding="utf-8")
    file = folder / "stones.toml"
    file.write_text(text.replace('mode = "touch"', 'mode = "presence"'), encoding="utf-8")
    return file


class Paged:
    """One folder, in which one lifeboard after the other is played and killed."""

    def __init__(self, data: Path, rng: Random, *options: str, presence: bool) -> None:
        self.moves = 0
        self._data, self._rng, self._presence = data, rng, presence
        self._options = ("--seed", "1", *options)
        self._kept: Pairs = []

    def play_until_killed(self) -> None:
        """Start, see that all is there, play, kill, and look at the file."""
        tapped: list[str] = []
        with Lifeboard(self._data, *self._options) as lifeboard, lifeboard.page() as socket:
            talk = Talk(socket)
            talk.until(lambda t: t.state and t.state["phase"] != "draw" and self._felt(t))
            if self._kept:
                self._check_again(talk.state)
            if talk.state["phase"] == "confirm":
                talk.tap("a1")
                talk.until(lambda t: t.state["phase"] != "confirm")
            for _ in range(self._rng.randint(1, 8)):
                cell = self._next(talk.state)
                tapped.append(cell)
                before, end = _facts(talk.state), time.monotonic() + SEEN_S
                talk.tap(cell)
                patient = self._rng.random() < 0.7
                # A finger that comes to the same cell too soon is not answered at all.
                while patient and _facts(talk.state) == before and _hear(talk, socket, end):
                    pass
            end = time.monotonic() + self._rng.uniform(0.0, SEEN_S / 2)
            while _hear(talk, socket, end):
                pass
            lifeboard.stop(signal.SIGKILL)
            with suppress(ConnectionClosed):
                while _hear(talk, socket, time.monotonic() + ANSWER_S):
                    pass
        self._compare(talk.state, tapped)

    def _felt(self, talk: Talk) -> bool:
        return not self._presence or talk.state["felt"] is not None

    def _next(self, state: dict[str, Any]) -> str:
        """Choose a cell to touch, or whose stone to set or take."""
        if state["todo"]:
            return str(state["todo"][0]["cell"])
        legal = [cell for cell, each in state["cells"].items() if each["cue"] == "legal"]
        return self._rng.choice(legal or ["a1"])

    def _same(self, shown: tuple[Any, ...], told: tuple[Any, ...]) -> bool:
        """Compare facts; what stands on a board that feels stones is not for the file to tell."""
        return shown[:_GAME] == told[:_GAME] if self._presence else shown == told

    def _check_again(self, state: dict[str, Any]) -> None:
        tale = Tale.of(self._kept)
        if not self._same(_facts(state), _told(tale)):
            raise Lost(f"the page is told {_facts(state)}, in the file is {_told(tale)}")

    def _compare(self, state: dict[str, Any], tapped: list[str]) -> None:
        """Find the last state that was told in the file, and explain what follows it there."""
        games = games_in(self._data)
        kept = games[-1][0]
        if len(games) != 1 or kept[: len(self._kept)] != self._kept:
            raise Lost(f"{games} do not begin with {self._kept}")
        for count in range(len(self._kept) or 1, len(kept) + 1):
            if self._same(_facts(state), _told(Tale.of(kept[:count]))):
                break
        else:
            raise Lost(f"the page was told {_facts(state)}, kept are {kept}")
        for kind, text in kept[len(self._kept) :]:
            # Where stones are felt, a move is taken back by lifting its stone.
            made = kind in ("move", "edit") and text.removesuffix("x") in tapped
            if not (made or kind == "start" or (kind == "take_back" and self._presence)):
                raise Invented(f"nobody did anything for {kind} {text}; cells: {tapped}")
        self.moves = sum(kind == "move" for kind, _ in kept)
        self._kept = kept


def _hear(talk: Talk, socket: ClientConnection, end: float) -> bool:
    """Take one message; False when none has come until a time."""
    try:
        message = json.loads(socket.recv(timeout=max(0.0, end - time.monotonic())))
    except TimeoutError:
        return False
    # What is told not to be kept need not outlive a kill.
    if message.pop("type") == "state" and message["unkept"] is None:
        talk.state = message
    return True


_GAME = 4
"""So many of the facts are the game's; the others depend on the stones that stand."""


def _facts(state: dict[str, Any]) -> tuple[Any, ...]:
    """Give what the page is told, comparably; last what hands must do."""
    cells = state["cells"].items()
    return (
        {cell: each["piece"] for cell, each in cells if each["piece"]},
        [each["text"] for each in state["moves"]],
        tuple(state["scores"]),
        state["outcome"] and state["outcome"]["winner"],
        state["to_move"] if not state["todo"] else None,
        {each["cell"] for each in state["todo"]},
    )


def _told(tale: Tale) -> tuple[Any, ...]:
    """Give what a page must be told of a game, comparably."""
    pending = tale.pending()
    return (
        GAME.pieces(tale.position),
        tale.moves,
        GAME.score(tale.position),
        tale.outcome and tale.outcome[0],
        GAME.to_move(tale.position) if not pending else None,
        {cell for cell, _ in pending},
    )
