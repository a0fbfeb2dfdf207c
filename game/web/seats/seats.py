"""The seats of a game with hidden information: who holds each player's seat, also on disk.

Owns invitations, by which a free seat is taken once, the keys of taken seats, and their file. Only
digests of keys are stored. A seat never changes hands during a game while its side has a set-up or
is being laid out under a cover, since the new holder would see that; the board's thread decides by
the table's own state: what a page was last shown may be outdated. Must not know pages.
"""

import hashlib
import logging
import secrets
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from game.common import read_json, write_json
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import Phase, State
from game.web.access import same
from hal.base import schema
from hal.base.schema import Meta

NAME = "seats.json"
VERSION = 1

_CODE_BYTES, _KEY_BYTES = 16, 32
_FAULT = "seats file %s cannot be %s: %s; seats hold until the next start"
_MODE = 0o600
_Digests = dict[int, str]
_Written = dict[
    Annotated[str, Meta(pattern=r"^[0-9]{1,2}\Z", title="a player")],
    Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", title="a digest")],
]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim to a player's seat; `key` proves it, "" where it is no longer needed."""

    player: int
    digest: str
    key: str = field(default="", repr=False)


class Seats:
    """Keeps the seats of one game, beside those of other games in the same file; thread-safe.

    Only `save` waits for the disk: it must be called before pages are told of a change. Where the
    file cannot be read or written, the log says so, and seats are valid until the program ends; a
    damaged one is replaced.
    """

    def __init__(self, folder: Path, game: str, players: int) -> None:
        self.players = tuple(range(1, players + 1))
        self._path = folder / NAME
        self._game = game
        self._changes = self._saved = 0
        self._lock, self._file_lock = threading.Lock(), threading.Lock()
        self._codes: dict[int, str] = {}
        self._others = self._read()
        held = self._others.pop(game, {})
        self._held = {player: each for player, each in held.items() if player <= players}

    @property
    def taken(self) -> frozenset[int]:
        with self._lock:
            return frozenset(self._held)

    def holders(self) -> Mapping[int, str]:
        """Return the digest of each taken seat's key, by player."""
        with self._lock:
            return dict(self._held)

    @property
    def unsaved(self) -> bool:
        """Whether a change is not on disk yet."""
        return self._saved != self._changes

    def invitation(self, player: int) -> str | None:
        """Return the code by which a free seat can be taken; None for a taken one."""
        with self._lock:
            if player in self._held:
                return None
            return self._codes.setdefault(player, secrets.token_urlsafe(_CODE_BYTES))

    def take(self, code: str, among: Collection[int]) -> Claim | None:
        """Take the seat of an invitation code, if it is one of `among`; this voids the code."""
        with self._lock:
            found = [p for p, each in self._codes.items() if p in among and same(each, code)]
            if not found:
                return None
            player, key = found[0], secrets.token_urlsafe(_KEY_BYTES)
            claim = Claim(player, _digest(key), key)
            self._held[player] = claim.digest
            del self._codes[player]
            self._changes += 1
        return claim

    def prove(self, player: int, key: str) -> Claim | None:
        """Return the claim to a player's seat that a key proves; None for an invalid key."""
        claim = Claim(player, _digest(key))
        return claim if self.holds(claim) else None

    def holds(self, claim: Claim) -> bool:
        """Return whether a claim is still valid."""
        with self._lock:
            return same(self._held.get(claim.player, ""), claim.digest)

    def free(self, player: int) -> None:
        """Free a seat; its key is void from then on."""
        with self._lock:
            if self._held.pop(player, None) is not None:
                self._changes += 1

    def save(self) -> None:
        """Write the file, unless all is saved; for any thread that may wait for the disk."""
        with self._file_lock:
            with self._lock:
                changes, held = self._changes, dict(self._held)
            if changes == self._saved:
                return
            games = self._others | ({self._game: held} if held else {})
            try:
                write_json(self._path, VERSION, {"games": games}, _MODE)
            except OSError as error:
                log.warning(_FAULT, self._path, "written", error.strerror)
            self._saved = changes

    def _read(self) -> dict[str, _Digests]:
        """Read the digest of each player's key, by game."""
        try:
            read = read_json(self._path, VERSION).get("games")
            games = schema.convert(read, dict[str, _Written])
            return {game: {int(p): d for p, d in held.items()} for game, held in games.items()}
        except FileNotFoundError:
            return {}
        except OSError as error:
            log.warning(_FAULT, self._path, "read", error.strerror)
            return {}
        except ValueError as flaw:
            log.warning("seats file %s cannot be used (%s); all seats are free", self._path, flaw)
            return {}


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def open_seats(game: AnyGame, state: State, players: Collection[int]) -> frozenset[int]:
    """Return the players whose seats may be taken or freed now."""
    covering = state.setups.on_board
    laid_out = 0 if covering is None else covering.player
    return frozenset(
        each for each in players if each != laid_out and not _is_set_up(game, state, each)
    )


def refused_set_up(
    game: AnyGame, state: State, player: int, pieces: Mapping[str, str] | None
) -> Message | None:
    """Return why a player may not submit `pieces`, or withdraw them if None; None if they may."""
    position = game.seen_by(state.position, player)
    arranging = state.phase is Phase.ARRANGE and game.arranging(position, player)
    if not arranging or state.level_of(player):
        return say("seat.not_now")
    if pieces is not None:
        try:
            game.arrangement(position, player, pieces)
        except RulesError as error:
            return error.message
    return None


def _is_set_up(game: AnyGame, state: State, player: int) -> bool:
    """Return whether a player's seat shows hidden information now."""
    if state.outcome is not None:
        return False
    return player in state.setups.submitted or game.arranging(state.position, player) is None
