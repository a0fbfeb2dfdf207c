"""The seats of a game with hidden information: who holds each player's seat, also on disk.

Owns invitations, by which a free seat is taken once, the keys of taken seats, their file, and the
messages about them. Only digests of keys are stored. A seat never changes hands during a game while
its side has a set-up or is being laid out under a cover: the new holder would see that. The board's
thread decides this by the table's own state, since what a page was last shown may be outdated.
"""

import hashlib
import logging
import re
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from game.common import own_addresses, read_json, url, write_json
from game.play import Decision
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import Phase, State
from game.table.inputs import Input, SeatsChanged, SubmitSetup
from game.web import server_messages as wire
from game.web.access import Access, AccessLevel, Caller, same
from game.web.broadcaster import Broadcaster, Latest
from game.web.page_messages import Arrange, FreeSeat, LeaveSeat, OfSeat, ReturnToSeat, TakeSeat
from hal.base import schema

NAME = "seats.json"
VERSION = 1

_QUIET = 4
"""Empty modules around a QR code (ISO/IEC 18004)."""
_CODE_BYTES, _KEY_BYTES = 16, 32
_MODE = 0o600
_Digests = dict[int, str]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim to a player's seat; `key` proves it, "" where it is no longer needed."""

    player: int
    digest: str
    key: str = field(default="", repr=False)


class Seats:
    """Keeps the seats of one game, beside those of other games in the same file.

    They are taken and freed on the board's thread alone, and read on any. A change is on disk
    before pages are told of it. Where the file cannot be read or written, seats are valid until the
    program ends; a damaged one is replaced.
    """

    def __init__(self, folder: Path, game: str, players: int) -> None:
        self.players = tuple(range(1, players + 1))
        self._path = folder / NAME
        self._game = game
        self._codes: dict[int, str] = {}
        self._others = self._read()
        held = self._others.pop(game, {})
        self._held = {player: each for player, each in held.items() if player <= players}

    @property
    def taken(self) -> frozenset[int]:
        return frozenset(self._held)

    def holders(self) -> _Digests:
        """Return the digest of each taken seat's key, by player."""
        return dict(self._held)

    def invitation(self, player: int) -> str | None:
        """Return the code by which a free seat can be taken; None for a taken one."""
        if player in self._held:
            return None
        return self._codes.setdefault(player, secrets.token_urlsafe(_CODE_BYTES))

    def take(self, code: str, among: Collection[int]) -> Claim | None:
        """Take the seat of an invitation code, if it is one of `among`; this voids the code."""
        for player in among:
            known = self._codes.get(player)
            # A code that was made meanwhile opens no seat that is taken.
            if known and player not in self._held and same(known, code):
                key = secrets.token_urlsafe(_KEY_BYTES)
                claim = Claim(player, _digest(key), key)
                self._held[player] = claim.digest
                del self._codes[player]
                self._save()
                return claim
        return None

    def prove(self, player: int, key: str) -> Claim | None:
        """Return the claim to a player's seat that a key proves; None for an invalid key."""
        claim = Claim(player, _digest(key))
        return claim if self.holds(claim) else None

    def holds(self, claim: Claim) -> bool:
        return same(self._held.get(claim.player, ""), claim.digest)

    def free(self, player: int) -> None:
        """Free a seat; its key is void from then on."""
        if self._held.pop(player, None):
            self._save()

    def _save(self) -> None:
        games = self._others | ({self._game: self._held} if self._held else {})
        try:
            write_json(self._path, VERSION, {"games": games}, _MODE)
        except OSError as error:
            log.warning("seats hold until the next start: %s", error)

    def _read(self) -> dict[str, _Digests]:
        try:
            read = read_json(self._path, VERSION).get("games")
            games = schema.convert(read, dict[str, dict[str, str]])
            return {game: {int(p): d for p, d in held.items()} for game, held in games.items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as flaw:
            log.warning("seats file %s cannot be used (%s); all seats are free", self._path, flaw)
        return {}


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def open_seats(game: AnyGame, state: State, players: Collection[int]) -> frozenset[int]:
    """Return the players whose seats may be taken or freed now: those that show nothing hidden."""
    setups = state.setups
    laid_out = 0 if setups.on_board is None else setups.on_board.player

    def is_open(player: int) -> bool:
        is_set_up = player in setups.submitted or not game.arranging(state.position, player)
        return player != laid_out and (state.outcome is not None or not is_set_up)

    return frozenset(filter(is_open, players))


def refused_set_up(
    game: AnyGame, state: State, player: int, pieces: Mapping[str, str] | None
) -> Message | None:
    """Return why a player may not submit `pieces` (None: withdraw them); None if they may."""
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


@dataclass(slots=True)
class PageSeat:
    """The seat of one page, on the server's thread.

    `decide` queues a decision for the board's thread, and `tell` calls a function on the server's
    thread from there. `share` has the link by which other devices play.
    """

    _game: AnyGame
    _seats: Seats
    _broadcaster: Broadcaster
    _decide: Callable[[Decision], None]
    _tell: Callable[[Callable[[], None]], None]
    _share: wire.Share
    _claim: Claim | None = None
    _answers: list[dict[str, object]] = field(default_factory=list)
    _sent: wire.Seats | None = None

    @property
    def player(self) -> int | None:
        claim = self._claim
        return claim.player if claim is not None and self._seats.holds(claim) else None

    def viewer(self, latest: Latest) -> int | None:
        """Return the player whose view this page gets now; None for the public view.

        A page must hold the seat both in the state shown and now: else it could see another
        holder's set-up. A seat that a computer plays gets the public view.
        """
        claim = self._claim
        if claim is None or latest.snapshot is None:
            return None
        held = latest.holders.get(claim.player) == claim.digest
        return claim.player if held and not latest.snapshot.state.level_of(claim.player) else None

    def check(self) -> None:
        """Leave a seat that was freed elsewhere."""
        if self._claim is not None and self.player is None:
            player, self._claim = self._claim.player, None
            self._answer(say("seat.freed"), void=player)

    def take(self, asked: OfSeat) -> Message | None:
        """Act on a message about seats; return why it is refused, if that is known at once.

        Raises `queue.Full` if too many inputs of this page wait.
        """
        self.check()
        claim = self._claim
        match asked:
            case ReturnToSeat(player, key):
                self._sit(say("seat.void_key"), player, self._seats.prove(player, key))
                return None
            case LeaveSeat() | Arrange() if claim is None:
                return say("seat.none")
        self._decide(partial(self._decided, asked, claim))
        if isinstance(asked, LeaveSeat) and claim is not None:
            self._claim = None
            self._answer(void=claim.player)
        return None

    def _decided(self, asked: OfSeat, claim: Claim | None, state: State) -> Input | None:
        """Decide on the board's thread, by the table's own state; the answers follow."""
        game, seats = self._game, self._seats
        before = seats.taken
        held = claim is not None and seats.holds(claim)
        may_change = open_seats(game, state, seats.players)
        match asked:
            case TakeSeat(invite):
                taken = seats.take(invite, may_change)
                self._tell(partial(self._sit, say("seat.void_invitation"), None, taken))
            case FreeSeat(player) if player in may_change:
                seats.free(player)
            case FreeSeat():
                self._tell(partial(self._refuse, say("seat.kept")))
            case LeaveSeat() if claim is not None and held:
                seats.free(claim.player)
            case Arrange(pieces) if claim is not None and held:
                # For this page only: other pages must learn nothing of it.
                refusal = refused_set_up(game, state, claim.player, pieces)
                if refusal is None:
                    return SubmitSetup(claim.player, pieces)
                self._tell(partial(self._refuse, refusal))
        if seats.taken == before:
            return None
        self._broadcaster.notify()
        return SeatsChanged(seats.taken)

    def pending(
        self, level: AccessLevel, translate: Callable[[Message], str]
    ) -> list[Mapping[str, object]]:
        """Return the messages that the page has not been sent yet."""
        answers, self._answers = self._answers, []
        pending: list[Mapping[str, object]] = [
            {name: translate(it) if isinstance(it, Message) else it for name, it in answer.items()}
            for answer in answers
        ]
        if level is AccessLevel.NOTHING:
            self._sent = None
        elif (seats := self._describe(level)) != self._sent:
            self._sent = seats
            pending.append(seats)
        return pending

    def _sit(self, refusal: Message, void: int | None, claim: Claim | None) -> None:
        # A page whose claim is not valid keeps its present seat.
        if claim is None:
            self._answer(refusal, void=void)
        else:
            self._claim = Claim(claim.player, claim.digest)
            self._answer(key=claim.key)

    def _answer(self, error: Message | None = None, void: int | None = None, key: str = "") -> None:
        seat = {"player": self._claim and self._claim.player, "key": key or None}
        self._answers.append({"type": "seat", **seat, "error": error, "void": void})

    def _refuse(self, why: Message) -> None:
        self._answers.append({"type": "error", "text": why})

    def _describe(self, level: AccessLevel) -> wire.Seats:
        """Describe all seats; only pages that control get the links to free ones."""
        snapshot, taken = self._broadcaster.latest.snapshot, self._seats.taken
        state = None if snapshot is None else snapshot.state
        # An offer only: who may take a seat is decided when it is taken.
        free = open_seats(self._game, state, self._seats.players) if state else frozenset()
        seats: list[wire.SeatOffer] = []
        play = self._share["play"] if level is AccessLevel.CONTROL else None
        for player in self._seats.players:
            link = None
            if play and state and player in free and not state.level_of(player):
                code, address = self._seats.invitation(player), play["link"]
                link = code and f"{address}{'&' if '#' in address else '#'}invite={code}"
            qr = qr_code(link) if link else None
            seats.append({"player": player, "taken": player in taken, "link": link, "qr": qr})
        return {"type": "seats", "seats": seats}


def shared(access: Access, caller: Caller) -> wire.Share:
    """Describe how others find this page: to play, and only to watch.

    `reach` is "none" where only this computer is answered, "pin" where all need the PIN, else
    "open": without the PIN they watch. On this computer the link to play contains the PIN.
    """
    link, pins, controls = address_for(access, caller), access.pins, AccessLevel.CONTROL
    if pins is None:
        play: wire.Invitation = {"link": link, "qr": None}
        return {"reach": "none", "play": play, "watch": None, "pin": ""}
    may_play, only_watches = access.level(caller) is controls, access.only_watches(caller)
    pin = pins.pin if may_play and caller.local else ""
    return {
        "reach": "open" if access.watching_open else "pin",
        "play": None if only_watches else _invitation(f"{link}#pin={pin}" if pin else link),
        "watch": _invitation(f"{link}?watch={pins.watch_token}")
        if may_play or only_watches
        else None,
        "pin": pin,
    }


def _invitation(link: str) -> wire.Invitation:
    return {"link": link, "qr": qr_code(link)}


def address_for(access: Access, caller: Caller) -> str:
    """Return the address at which other devices, if any may, find the page of this client.

    A client from the network has used an address that leads here; a local one may not have.
    """
    if caller.local and access.network:
        for each in own_addresses():
            return url(each, caller.port, secure=access.certificate is not None)
    return f"http{'s' * caller.secure}://{caller.host}/"


@lru_cache(maxsize=8)
def qr_code(link: str) -> wire.QrCode:
    """Draw a link as a QR code: its length in modules, and the dark ones as an SVG path."""
    # Imported at the first code, since start-up on a small computer is slow.
    import segno

    rows, path = list(segno.make_qr(link, error="m").matrix_iter(border=_QUIET)), ""
    for y, row in enumerate(rows):
        for dark in re.finditer(rb"\x01+", bytes(row)):
            width = len(dark[0])
            path += f"M{dark.start()} {y}h{width}v1h-{width}z"
    return {"size": len(rows), "path": path}
