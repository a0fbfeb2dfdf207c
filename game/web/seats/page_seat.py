"""The seat of one open page: taking and leaving it, its set-up, and its messages.

Owns the messages about seats. Requests that depend on the game are decided on the board's thread,
and the page gets the result. Must not touch the table.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import groupby

from game.common import own_addresses, url
from game.play import Decision
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table import State
from game.table.inputs import Input, SeatsChanged, SubmitSetup
from game.web import server_messages as wire
from game.web.access import Access, AccessLevel, Caller
from game.web.broadcaster import Broadcaster, Latest
from game.web.page_messages import Arrange, FreeSeat, LeaveSeat, OfSeat, ReturnToSeat, TakeSeat
from game.web.seats.seats import Claim, Seats, open_seats, refused_set_up

_QUIET = 4
"""Empty modules around a QR code (ISO/IEC 18004)."""


class PageSeat:
    """The seat of one page, on the server's thread.

    `decide` queues a decision for the board's thread, and `tell` calls a function on the server's
    thread from there. `share` has the link by which other devices play.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: Seats,
        broadcaster: Broadcaster,
        decide: Callable[[Decision], None],
        tell: Callable[[Callable[[], None]], None],
        share: wire.Share,
    ) -> None:
        self._game = game
        self._seats = seats
        self._broadcaster = broadcaster
        self._decide = decide
        self._tell = tell
        self._play = share["play"]
        self._claim: Claim | None = None
        self._answers: list[dict[str, object]] = []
        self._sent: wire.Seats | None = None

    @property
    def player(self) -> int | None:
        claim = self._claim
        return claim.player if claim is not None and self._seats.holds(claim) else None

    def viewer(self, latest: Latest) -> int | None:
        """Return the player whose view this page gets now; None for the public view.

        A page must hold the seat both in the state shown and now, so as not to see another holder's
        set-up; nor does a seat show a computer's.
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
        self._decide(Decision(partial(self._decided, asked, claim)))
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

    async def saved(self) -> None:
        """Wait until all changes are on disk, or the disk has failed."""
        while self._seats.unsaved:
            await asyncio.to_thread(self._seats.save)

    def pending(
        self, level: AccessLevel, translate: Callable[[Message], str]
    ) -> list[Mapping[str, object]]:
        """Return the messages that the page has not been sent yet; call `saved` before."""
        pending: list[Mapping[str, object]] = [
            {
                name: translate(value) if isinstance(value, Message) else value
                for name, value in answer.items()
            }
            for answer in self._answers
        ]
        self._answers = []
        if level is AccessLevel.NOTHING:
            self._sent = None
        elif (seats := self._describe(level)) != self._sent:
            self._sent = seats
            pending.append(seats)
        return pending

    def _sit(self, refusal: Message, void: int | None, claim: Claim | None) -> None:
        """Sit down if a claim is valid, else say why not; a page keeps its present seat."""
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
        for player in self._seats.players:
            seat: wire.SeatOffer = {"player": player, "taken": False, "link": None, "qr": None}
            seat["taken"] = player in taken
            computer = state is not None and state.level_of(player)
            if self._play and level is AccessLevel.CONTROL and player in free and not computer:
                code = self._seats.invitation(player)
                if code is not None:
                    address = self._play["link"]
                    link = f"{address}{'&' if '#' in address else '#'}invite={code}"
                    seat["link"], seat["qr"] = link, qr_code(link)
            seats.append(seat)
        return {"type": "seats", "seats": seats}


def shared(access: Access, caller: Caller) -> wire.Share:
    """Describe how others find this page: to play, and only to watch.

    `reach` is "none" where only this computer is answered, "pin" where all need the PIN, else
    "open": without the PIN they watch. On this computer the link to play enters the PIN.
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
    """Return the address at which other devices find the page that this client has opened, if any.

    A client from the network has used an address that leads here; a local one may not have.
    """
    if caller.local and access.network:
        for each in own_addresses():
            return url(each, caller.port, secure=access.certificate is not None)
    return f"http{'s' * caller.secure}://{caller.host}/"


@lru_cache(maxsize=8)
def qr_code(link: str) -> wire.QrCode:
    """Draw a link as a QR code: its length in modules, and the dark ones as an SVG path."""
    # Imported late: most games have no seats, and start-up on a small computer is slow.
    import segno

    matrix = segno.make_qr(link, error="m").matrix
    path = []
    for y, row in enumerate(matrix, start=_QUIET):
        x = _QUIET
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return {"size": len(matrix) + 2 * _QUIET, "path": "".join(path)}
