"""What must be so after a kill: told from the deeds of hands, what was shown, and the bare file.

Owns which deed explains an entry, and the comparison of deeds and file with what a lifeboard shows.
Uses the rules of the game, and nothing of table, journal or store.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from game.rules.circle_of_life import GAME
from tests.helpers.kills.entry_replay import Broken, EntryReplay, Invented, Lost, Pairs, games_in

Line = list[Any]
"""What a session tells: its first item says what it is, the others are its particulars."""


class InvariantChecker:
    """Follow the sessions of one folder, each until it is killed.

    `stones` stand on the board where stones are felt; `counts` is of what has been seen.
    """

    def __init__(self, folder: Path, *, presence: bool) -> None:
        self.presence = presence
        self.stones: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.accepted: Pairs = []  # all entries of all games, in order
        self.folder = folder
        self.goes_on_from([])

    def hear(self, line: Line) -> None:
        """Take one line of a session."""
        match line:
            case ["do", *deed]:
                self._done(deed)
            case ["accept", entries]:
                self._explain(entries)
                self.accepted += entries
                self._waiting = True
            case ["shown", facts]:
                self._see(facts)
            case ["lit", cues]:
                self._see_lights(cues)
            case ["draft", draft]:
                self._draft = draft
            case ["ready"]:
                self._check_ready()
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
            if not entries or entries[0][0] != "start" or EntryReplay.of(entries).outcome != end:
                raise Lost(f"game {number} of {entries} is said to have ended so: {end}")
        self.counts["kills with a move on its way"] += self._waiting
        self.counts["kills within an unfinished game"] += bool(
            games and games[-1][1] is None and len(games[-1][0]) > 2
        )
        self.goes_on_from(kept)

    def goes_on_from(self, kept: Pairs) -> None:
        """Expect the next session to take up these entries."""
        self.accepted, self._confirmed = kept, len(kept)
        self._deeds: list[Line] = []
        self._last: Line = []
        self._shown: dict[str, Any] | None = None
        self._draft: dict[str, Any] | None = None
        self._asked: frozenset[str] = frozenset()
        self._waiting = False

    def newest(self) -> EntryReplay:
        """Tell the game at the table."""
        starts = [n for n, (kind, _) in enumerate(self.accepted) if kind == "start"]
        return EntryReplay.of(self.accepted[starts[-1] :])

    def _complain(self, kept: Pairs) -> None:
        for number, (there, told) in enumerate(zip(kept, self.accepted, strict=False)):
            if there != told:
                raise Invented(f"line {number} is {there}, but {told} was accepted")
        if len(kept) > len(self.accepted):
            raise Invented(f"not made by any input: {kept[len(self.accepted) :]}")
        raise Lost(f"{self.accepted[len(kept) : self._confirmed]} had been shown, and are gone")

    def _done(self, deed: Line) -> None:
        self._deeds, self._last = [*self._deeds[-11:], deed], deed
        match deed:
            case ["put", cell]:
                self.stones.add(cell)
            case ["take", cell]:
                self.stones.discard(cell)

    def _use(self, *deed: str) -> bool:
        """Find a deed that has explained nothing yet."""
        if list(deed) in self._deeds:
            self._deeds.remove(list(deed))
            self._last = [] if self._last == list(deed) else self._last
            return True
        return False

    def _explain(self, entries: Pairs) -> None:
        """Find the deeds that led to entries, each used once."""
        kinds = [kind for kind, _ in entries]
        tale = self.newest() if self.accepted else EntryReplay()
        if self.presence and self._meant_by_stones(tale, entries):
            return
        if not self.presence and self._laid_out(tale, entries):
            return
        touched = ""
        for kind, text in entries:
            match kind:
                case "move" if not self.presence:
                    touched = text.removesuffix("x")
                    explained = self._use("touch", touched)
                case "edit" if not self.presence:
                    explained = text == touched or self._use("touch", text)
                case "take_back":
                    explained = self._use("key", "take_back")
                case "resign":
                    explained = self._use("key", "resign") and self._use("key", "resign")
                case "start":
                    twice = tale.moves and tale.outcome is None and "set_up" not in kinds
                    explained = not self.accepted or self._use("key", "new_game")
                    explained &= not twice or self._use("key", "new_game")
                case "names":
                    same = tuple(json.loads(text)) == tale.names and "start" in kinds
                    explained = same or self._use("name", text)
                case "set_up":
                    explained = text == self._drafted()
                case "stands":
                    explained = "set_up" in kinds or self._use("key", "take_back")
                case _:
                    explained = False
            if not explained:
                raise Invented(
                    f"no input explains {[kind, text]} of {entries} after"
                    f" {self.accepted[-30:]}; left: {self._deeds}"
                )

    def _laid_out(self, tale: EntryReplay, entries: Pairs) -> bool:
        """Tell whether the touch just now said that a board that is laid out anew is right."""
        wrong = [cell for cell, _ in tale.pending()] if tale.is_laid_out else []
        if not wrong or entries != [["edit", cell] for cell in wrong]:
            return False
        if self._last[:1] != ["touch"] or self._last[1] in wrong:
            return False
        return self._use(*self._last)

    def _meant_by_stones(self, tale: EntryReplay, entries: Pairs) -> bool:
        """Tell whether the stone that was set or taken just now is what led to entries.

        What stands must be what should, but for what the last move has eaten. Which moves hands
        may take back or make again so is for the tests of the table.
        """
        deed, kinds = self._last, {kind for kind, _ in entries}
        if deed[:1] not in (["put"], ["take"]) or not kinds <= {"move", "edit", "take_back"}:
            return False
        if any(kind == "edit" and text != deed[1] for kind, text in entries):
            return False
        for entry in entries:
            tale.add(*entry)
        right = GAME.pieces(tale.position).keys()
        eaten = GAME.pieces(tale.befores[-1]).keys() if "move" in kinds else set()
        if kinds != {"edit"} and not right <= self.stones <= right | eaten:
            return False
        return self._use(*deed)

    def _drafted(self) -> str | None:
        draft, self._draft = self._draft, None
        if draft is None:
            return None
        options = {**self.newest().options, "first": str(draft["to_move"])}
        told = {key: draft[key] for key in ("pieces", "to_move", "score")}
        return GAME.text(GAME.from_json(told, options))

    def _see(self, facts: dict[str, Any]) -> None:
        """Compare what is shown with what was accepted; it must outlive the power from now on."""
        self._shown = facts
        tale = self.newest()
        for name, value in tale.facts().items():
            if facts[name] != value:
                raise Lost(f"{name} is shown as {facts[name]}, and was {value}")
        if not self.presence and not facts["draft"]:
            self._compare_todo(tale.pending(), tale.turn(tale.pending(), False))
        if facts["unkept"] is None:
            self._confirmed, self._waiting = len(self.accepted), False
        self._asked = frozenset(cell for cell, _ in facts["pending"])

    def _compare_todo(self, pending: list[list[str]], turn: int | None) -> None:
        shown = self._shown or {}
        if shown["pending"] != pending:
            raise Lost(f"pending are {shown['pending']} after {self.accepted[-6:]}, not {pending}")
        if shown["phase"] != "draw" and shown["turn"] != turn:
            raise Lost(f"the turn is {shown['turn']}'s after {self.accepted[-6:]}")

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

    def _check_ready(self) -> None:
        """Check that a board that has been taken up again knows what stands and what should."""
        self.counts["taken up"] += 1
        if self._shown is None:
            raise Broken("nothing is shown")
        if self.presence:
            tale = self.newest()
            # A stone is the one that the entries last set there, which may be one to be swapped.
            known = {**GAME.pieces(tale.position), **tale.standing}
            pending = tale.pending({cell: known.get(cell, "?") for cell in self.stones})
            self._compare_todo(pending, tale.turn(pending, True))


def told(text: bytes) -> list[Line]:
    """Read the whole lines of what a session has told; one that the kill has cut does not count."""
    *whole, _ = text.split(b"\n")
    return [json.loads(each) for each in whole]
