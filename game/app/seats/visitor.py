"""One open page at its seat: what it may ask of seats and of its own side, and what it is told.

Owns these messages, both ways, and when a seat may change hands: while its side is set up, or is
being laid out under a cover, and the game is not over nobody new may sit there, since he would see
the faces of it. Must not touch the table: it hands over what a seat asks for. Reads the public
snapshot, but for the seat's own side.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.app.gate.access import Access, Caller, Level
from game.app.gate.addresses import own_addresses, url
from game.app.gate.bounds import Bucket, Rate
from game.app.hub import Hub
from game.app.seats import qr
from game.app.seats.seats import LONGEST, Claim, Seats
from game.app.session import Snapshot
from game.rules.errors import RulesError
from game.rules.game import Json
from game.rules.message import Message, say
from game.table.inputs import Arranged, Input
from game.table.state import Phase

KINDS = "sit, stand, free, arrange"
CLAIMS = Rate(0.5, 20)
"""So many claims to a seat over one websocket: each page makes one as it opens."""
_MOST_CELLS = 200
"""No set-up has more pieces."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """Tell a page which seat it has, why not another, and whose key opens nothing any more."""

    claim: Claim | None
    error: Message | None = None
    void: int | None = None


class Visitor:
    """What one page has of the seats; `give` hands over what it asks of the table.

    `address` is where other devices find the page. All but `news` answer with a reason why not,
    None where nothing is wrong.
    """

    def __init__(
        self,
        seats: Seats,
        hub: Hub,
        give: Callable[[Input], None],
        address: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seats = seats
        self._hub = hub
        self._give = give
        self._address = address
        self._clock = clock
        self._claims = Bucket(CLAIMS, clock())
        self._claim: Claim | None = None
        self._news: list[_Answer] = []
        self._told: Json | None = None

    @property
    def player(self) -> int | None:
        """The player whose seat this page has now."""
        return None if self._claim is None else self._claim.player

    def viewer(self, snapshot: Snapshot) -> int | None:
        """Return the player as whom this page sees the game: nobody while a computer plays him."""
        player = self.player
        return None if player is None or _is_computer(snapshot, player) else player

    def look(self) -> None:
        """Take note of a seat that this page has no longer."""
        if self._claim is not None and not self._seats.holds(self._claim):
            self._news.append(_Answer(None, say("seat.freed"), self._claim.player))
            self._claim = None

    def sit(self, invite: str) -> None:
        """Take the seat to which an invitation leads."""
        self._claimed(
            lambda: self._seats.take(invite, self._open_seats()),
            invite,
            _Answer(None, say("seat.void_invitation")),
        )

    def return_to(self, player: int, key: str) -> None:
        """Come back to a seat with its key."""
        void = _Answer(None, say("seat.void_key"), player)
        self._claimed(lambda: self._seats.prove(player, key), key, void)

    def stand(self) -> Message | None:
        """Give the seat up."""
        if self._claim is None:
            return say("seat.none")
        player, self._claim = self._claim.player, None
        self._news.append(_Answer(None, void=player))
        self._seats.free(player)
        return None

    def free(self, player: int) -> Message | None:
        """Take a seat from whoever has it."""
        snapshot = self._hub.news.snapshot
        if snapshot is None or player not in self._seats.players or _is_set_up(snapshot, player):
            return say("seat.kept")
        self._seats.free(player)
        return None

    def arrange(self, pieces: Mapping[str, str] | None) -> Message | None:
        """Lay out the pieces of this page's own side; None to do it anew."""
        self.look()
        snapshot, player = self._hub.news.snapshot, self.player
        if player is None or snapshot is None:
            return say("seat.none")
        if _is_computer(snapshot, player):
            return say("seat.not_now")
        game, state = snapshot.game, snapshot.of(player).state
        if state.phase is not Phase.ARRANGE or game.arranging(state.position, player) is None:
            return say("seat.not_now")
        if pieces is not None:
            try:
                game.arrangement(state.position, player, pieces)
            except RulesError as error:
                # For this page alone: the table tells everybody that it is so, and not why.
                return error.message
        self._give(Arranged(player, None if pieces is None else dict(pieces)))
        return None

    def news(self, level: Level, say_it: Callable[[Message], str]) -> list[Json]:
        """Give what is to be told, once."""
        told: list[Json] = [
            {
                "type": "seat",
                "player": each.claim.player if each.claim is not None else None,
                "key": (each.claim.key or None) if each.claim is not None else None,
                "error": None if each.error is None else say_it(each.error),
                "void": each.void,
            }
            for each in self._news
        ]
        self._news = []
        if level is Level.NOTHING:
            self._told = None
            return told
        seats = self._of_seats(level)
        if seats != self._told:
            self._told = seats
            told.append(seats)
        return told

    def _claimed(self, claim: Callable[[], Claim | None], secret: str, refusal: "_Answer") -> None:
        """Sit down if a claim is good, or say why not; a page keeps the seat that it has."""
        if not self._claims.take(self._clock()):
            self._news.append(_Answer(self._claim, say("seat.wait")))
            return
        good = claim() if len(secret) <= LONGEST else None
        if good is None:
            self._news.append(replace(refusal, claim=self._claim))
            return
        self._news.append(_Answer(good))
        self._claim = Claim(good.player, good.digest)

    def _open_seats(self) -> frozenset[int]:
        """Return the players whose seats may change hands now."""
        snapshot = self._hub.news.snapshot
        if snapshot is None:
            return frozenset()
        covering = snapshot.state.covering
        laid_out = 0 if covering is None else covering.player
        return frozenset(
            each
            for each in self._seats.players
            if each != laid_out and not _is_set_up(snapshot, each)
        )

    def _of_seats(self, level: Level) -> Json:
        """Describe the seats; links to the free ones are for those who control the board."""
        snapshot, taken = self._hub.news.snapshot, self._seats.taken
        open_seats = self._open_seats()
        seats: list[Json] = []
        for player in self._seats.players:
            told: Json = {"player": player, "taken": player in taken, "link": None, "qr": None}
            computer = snapshot is not None and _is_computer(snapshot, player)
            if level is Level.CONTROL and player in open_seats and not computer:
                code = self._seats.invitation(player)
                if code is not None:
                    link = f"{self._address}#invite={code}"
                    told |= {"link": link, "qr": dict(qr.drawn(link))}
            seats.append(told)
        return {"type": "seats", "seats": seats}


def address_for(access: Access, caller: Caller) -> str:
    """Return where other devices find the page that somebody has opened, if any can.

    Whoever comes from the network knows an address that leads here; this computer's own name for
    itself leads nobody here, but for those who sit at it.
    """
    if caller.local and access.network:
        for each in own_addresses():
            return url(each, caller.port)
    return f"http://{caller.host}/"


def read_pieces(told: Mapping[Any, Any]) -> dict[str, str] | None:
    """Read a set-up from a message; None for what is none."""
    if len(told) > _MOST_CELLS:
        return None
    if not all(isinstance(each, str) for each in (*told.keys(), *told.values())):
        return None
    return dict(told)


def _is_computer(snapshot: Snapshot, player: int) -> bool:
    return any(snapshot.state.computers[player - 1 : player])


def _is_set_up(snapshot: Snapshot, player: int) -> bool:
    """Tell whether something is hidden that a player's seat shows."""
    game, state = snapshot.game, snapshot.state
    if state.outcome is not None:
        return False
    return player in state.sealed or game.arranging(state.position, player) is None
