"""Pages of a running CirKle Mind that record every message, and the search of these for faces.

What a page may be told is worked out here from the true set-ups and moves, by the rules alone.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from websockets.sync.client import ClientConnection, connect

from game.common import LANGUAGES, own_addresses, words
from game.rules.cirkle_mind import GAME
from tests.helpers.programs.running import Lifeboard, Talk

CODE = re.compile(r"(?<![\w-])[GM][ygbmk][TSCOX](?![\w-])")
SHORT = re.compile(r"[A-H][0-9]{1,2}=[GM]?[ygbmk][TSCOX]|setup[ _]+(?=[A-H])")
STATIC = frozenset({"words", "rules", "printed", "link", "key", "qr", "board", "cues"})
"""Keys of messages whose values are the same in every game, or random."""
ARMIES = {
    player: tuple(GAME.arranging(GAME.initial({}), player).pieces)  # type: ignore[union-attr]
    for player in (1, 2)
}
FACES = (*ARMIES[1], *ARMIES[2])
_WORDS = {
    language: {
        piece: words(language).text(GAME.presentation.piece_word(piece)).lower() for piece in FACES
    }
    for language in LANGUAGES
}


def found_in(
    text: str, allowed: Iterable[str] = (), languages: Iterable[str] = LANGUAGES
) -> set[str]:
    """Find faces in a text, as codes, set-ups or words, except for the allowed ones."""
    known = set(allowed)
    found = {*CODE.findall(text)} - known
    found |= {each for each in SHORT.findall(text) if each.partition("=")[2] not in known}
    for language in languages:
        reported, rest = {_WORDS[language][piece] for piece in known}, text.lower()
        for word in sorted(reported, key=len, reverse=True):
            rest = rest.replace(word, "")
        found |= {word for word in {*_WORDS[language].values()} - reported if word in rest}
    return found


@dataclass(frozen=True)
class Script:
    """One whole game: level, set-ups and moves, with the faces that each attack shows."""

    level: str
    set_ups: Mapping[int, Mapping[str, str]]
    moves: tuple[str, ...]
    shown: tuple[Mapping[str, str], ...]

    def may_see(self, player: int | None, ply: int) -> set[str]:
        """Return the faces that a player may be told after so many moves, set-ups included."""
        if player is None:
            return set()
        if ply < 2 or not self.level.startswith("super"):
            return set(ARMIES[player])
        return set(ARMIES[3 - player]) if ply == 2 else set()


PLANS = {
    1: ("B4-B5", "C4-C5", "C5-C6", "C6-C7*C8"),
    2: ("A8-A7", "A7-A6", "A6-A5*A4", "H8-H7"),
}


def script(level: str, seed: int) -> Script:
    """Return a game in which Mauve attacks, and Green then captures the deciding target."""
    rng, set_ups = Random(seed), {}
    for player, rows in ((1, (2, 3, 4)), (2, (8, 9, 10))):
        pieces = list(ARMIES[player])
        rng.shuffle(pieces)
        cells = [f"{column}{row}" for row in rows for column in "ABCDEFGH"]
        target, place = ("GgX", "H2") if player == 1 else ("MmX", "C8")
        at, to = pieces.index(target), cells.index(place)
        pieces[at], pieces[to] = pieces[to], pieces[at]
        set_ups[player] = dict(zip(cells, pieces, strict=True))
    left = {side: list(plan) for side, plan in PLANS.items()}
    position = GAME.initial({"level": level, "first": "1"})
    for player, pieces_of in set_ups.items():
        position = GAME.play(position, GAME.arrangement(position, player, pieces_of))
    moves, shown = [], []
    while GAME.outcome(position) is None:
        move = left[GAME.presentation.side_of(position, GAME.to_move(position) or 0)].pop(0)
        moves.append(move)
        shown.append(dict(GAME.faces(position, move)))
        position = GAME.play(position, move)
    return Script(level, set_ups, tuple(moves), tuple(shown))


class Listener(Talk):
    """A page in a language that records everything that its player may know."""

    def __init__(self, name: str, socket: ClientConnection, language: str) -> None:
        super().__init__(socket)
        self.name, self.language = name, language
        self.heard: list[str] = []
        self.player: int | None = None

    def note(self, text: str) -> None:
        self.heard.append(text)

    def ask(self, message: object) -> None:
        self._socket.send(message if isinstance(message, str) else json.dumps(message))

    def sit(self, **how: object) -> None:
        """Sit down by an invitation or a key."""
        self.send(**how)
        self.until(lambda t: t.seat.get("player"))
        self.player = self.seat["player"]

    def leaks(self, script: Script) -> list[tuple[str, set[str], str]]:
        """Search all messages for what this page must not know, and start a new record."""
        heard, self.heard = self.heard, []
        leaks = (
            (_leak(json.loads(text), script, self.player, self.language), text) for text in heard
        )
        return [(self.name, leak, text[:2000]) for leak, text in leaks if leak]


def _leak(message: Any, script: Script, player: int | None, language: str) -> set[str]:
    allowed: set[str] = set()
    if message["type"] == "state":
        if message["outcome"]:
            return set()
        ply = message["ply"]
        allowed |= script.may_see(player, ply)
        shown = message["faces"]
        if shown is not None:
            reported = {cell: face["piece"] for cell, face in shown["cells"].items()}
            # After a restart people first say that the board stands as it should.
            if message["phase"] not in ("show", "confirm") or reported != script.shown[ply - 3]:
                return {f"faces in {message['phase']}", *reported.values()}
            allowed |= set(reported.values())
        covering = (message["arranging"] or {}).get("covering") or {}
        allowed |= {covering.get("next") or ""} & set(FACES)
    return found_in(json.dumps(_without_static(message), ensure_ascii=False), allowed, [language])


def _without_static(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_static(each) for key, each in value.items() if key not in STATIC}
    return [_without_static(each) for each in value] if isinstance(value, list) else value


class ListeningSession:
    """A running lifeboard with all kinds of pages, which all reconnect after a kill."""

    def __init__(self, data: Path, script: Script) -> None:
        self.data, self.script = data, script
        self.said: list[str] = []
        self.keys: dict[str, tuple[int, str]] = {}
        self.secrets: list[str] = []
        self.finding: list[tuple[str, set[str], str]] = []
        self._open()

    def _open(self) -> None:
        self._stack = ExitStack()
        self.close = self._stack.close
        options = ("--game", GAME.name, "--network", "--option", f"level={self.script.level}")
        options = (*options, "--option", "first=1")
        self.program = Lifeboard(self.data, *options, verbose=True)
        self._stack.callback(self._stop)
        self.board = self._here("board", "en")
        self.green = self._phone("green", "it")
        self.mauve = self._here("mauve", "de")
        self.watcher = self._here("watcher", "fr")
        self.ears = [self.board, self.green, self.mauve, self.watcher]
        self.ears.append(self._phone("stranger", "fr"))
        for ear in (self.green, self.mauve):
            if ear.name in self.keys:
                player, key = self.keys[ear.name]
                ear.sit(do="return", key=key, player=player)
                assert ear.player == player

    @property
    def seeing(self) -> list[Listener]:
        """The pages that are sent the game."""
        seated = [ear for ear in (self.green, self.mauve) if ear.player is not None]
        return [self.board, self.watcher, *seated]

    def take_seats(self) -> None:
        for player, ear in ((1, self.green), (2, self.mauve)):
            self.board.until(lambda t: len(t.seats) == 2)
            code = self.board.seats[player - 1]["link"].rpartition("=")[2]
            ear.sit(do="sit", invite=code)
            assert ear.player == player
            self.keys[ear.name] = player, ear.seat["key"]
            self.secrets += [code, ear.seat["key"]]

    def at(self, ply: int, phase: str) -> None:
        """Let every page read on until the game has reached this position."""
        for ear in self.seeing:
            ear.until(lambda t: (t.state.get("ply"), t.state.get("phase")) == (ply, phase))

    def search(self) -> None:
        """Search all messages so far."""
        for ear in self.ears:
            self.finding += ear.leaks(self.script)

    def kill(self) -> None:
        """End the program as a power cut does, and start it again."""
        self.search()
        self.program.kill()
        self.close()
        self._open()

    def _stop(self) -> None:
        _, errors = self.program.stop()
        self.said += [self.program.output, errors]

    def _here(self, name: str, language: str) -> Listener:
        return Listener(name, self._stack.enter_context(self.program.page(language)), language)

    def _phone(self, name: str, language: str) -> Listener:
        """Open a page as a phone on the network does that has not given the PIN."""
        host = f"{own_addresses()[0]}:{self.program.port}"
        address = f"ws://{host}/ws?lang={language}"
        link = connect(address, origin=f"http://{host}", proxy=None, max_queue=None)
        return Listener(name, self._stack.enter_context(link), language)
