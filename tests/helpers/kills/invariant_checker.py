"""What must be so after a kill: told from what was accepted, what was shown, and the bare file.

Owns the comparison of these with what a lifeboard shows. Which inputs lead to which entries is for
the tests of the table. Uses the rules of the game, and nothing of table, journal or store.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from game.rules.circle_of_life import GAME
from tests.oracles.entry_replay import EntryReplay, Pairs, games_in

Line = list[Any]
"""What a session tells: its first item says what it is, the others are its particulars."""


class Lost(AssertionError):
    """What light had shown is not there, or is not as it was shown."""


class Invented(AssertionError):
    """Something is there that was not done, or that was never accepted."""


class Broken(AssertionError):
    """A session ended by itself, hung, or does not go on."""


class InvariantChecker:
    """Follow the sessions of one folder, each until it is killed.

    `stones` stand on the board where stones are felt; `counts` is of what has been seen.
    """

    def __init__(self, folder: Path) -> None:
        self.stones: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.accepted: Pairs = []  # all entries of all games, in order
        self.folder = folder
        self._goes_on_from([])

    def hear(self, line: Line) -> None:
        """Take one line of a session."""
        match line:
            case ["do", "put", cell]:
                self.stones.add(cell)
            case ["do", "take", cell]:
                self.stones.discard(cell)
            case ["accept", entries]:
                self.accepted += entries
                self._waiting = True
            case ["shown", facts]:
                self._see(facts)
            case ["lit", cues]:
                self._see_lights(cues)
            case ["ready"]:
                if self._shown is None:
                    raise Broken("nothing is shown")
                self.counts["taken up"] += 1
            case ["error", text]:
                raise Broken(text)
            case [what, *_]:
                self.counts[what] += 1

    def killed(self) -> None:
        """Compare the file with what was shown and accepted; from now on the file is the truth."""
        games = games_in(self.folder)
        kept = [entry for entries, _ in games for entry in entries]
        if len(kept) < self._confirmed or kept != self.accepted[: len(kept)]:
            self._complain(kept)
        for number, (entries, end) in enumerate(games, start=1):
            if (
                not entries
                or entries[0][0] != "start"
                or EntryReplay.of(GAME, entries).outcome != end
            ):
                raise Lost(f"game {number} of {entries} is said to have ended so: {end}")
        self.counts["kills with a move on its way"] += self._waiting
        self.counts["kills within an unfinished game"] += bool(
            games and games[-1][1] is None and len(games[-1][0]) > 2
        )
        self._goes_on_from(kept)

    def _goes_on_from(self, kept: Pairs) -> None:
        """Expect the next session to take up these entries."""
        self.accepted, self._confirmed = kept, len(kept)
        self._shown: dict[str, Any] | None = None
        self._asked: frozenset[str] = frozenset()
        self._waiting = False

    def _newest(self) -> EntryReplay:
        """Tell the game at the table."""
        starts = [n for n, (kind, _) in enumerate(self.accepted) if kind == "start"]
        return EntryReplay.of(GAME, self.accepted[starts[-1] :])

    def _complain(self, kept: Pairs) -> None:
        for number, (there, told) in enumerate(zip(kept, self.accepted, strict=False)):
            if there != told:
                raise Invented(f"line {number} is {there}, but {told} was accepted")
        if len(kept) > len(self.accepted):
            raise Invented(f"never accepted: {kept[len(self.accepted) :]}")
        raise Lost(f"{self.accepted[len(kept) : self._confirmed]} had been shown, and are gone")

    def _see(self, facts: dict[str, Any]) -> None:
        """Compare what is shown with what was accepted; it must outlive the power from now on."""
        self._shown = facts
        for name, value in self._newest().facts().items():
            if facts[name] != value:
                raise Lost(f"{name} is shown as {facts[name]}, and was {value}")
        if facts["unsaved"] is None:
            self._confirmed, self._waiting = len(self.accepted), False
        self._asked = frozenset(facts["pending"])

    def _see_lights(self, cues: dict[str, list[str]]) -> None:
        """Check that lights confirm no more than what has been shown."""
        placed = set(cues.get("placed", ()))
        last = self._shown["moves"][-1:] if self._shown else []
        if not placed <= {text.removesuffix("x") for text in last}:
            raise Lost(f"lights show {placed} as placed, the moves are {last}")
        on_their_way = {text.removesuffix("x") for _, text in self.accepted[self._confirmed :]}
        if not set(cues.get("felt", ())) <= on_their_way:
            raise Invented(f"lights tell of touches on {cues['felt']}, there were {on_their_way}")
        away = {*cues.get("remove", ()), *cues.get("put", ())}
        if not away <= self._asked:
            raise Lost(f"lights ask for {away}, what is pending is {self._asked}")


def told(text: bytes) -> list[Line]:
    """Read the whole lines of what a session has told; one that the kill has cut does not count."""
    *whole, _ = text.split(b"\n")
    return [json.loads(each) for each in whole]
