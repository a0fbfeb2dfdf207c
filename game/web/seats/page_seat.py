"""The seat of one open page: taking and leaving it, its set-up, and its messages.

Owns when a seat may change hands: never during a game while its side has a set-up or is being laid
out under a cover, since the new holder would see that. Must not touch the table. Reads the public
snapshot, except for the seat's own side.
"""

from collections.abc import Callable

from game.play.session import Snapshot
from game.rules.base.errors import RulesError
from game.rules.base.hidden import hiding
from game.rules.base.message import Message, say
from game.rules.base.values import Json
from game.table.inputs import Input, SubmitSetup
from game.table.records import Phase
from game.web.access.access import Access, AccessLevel, Caller
from game.web.access.addresses import own_addresses, url
from game.web.broadcaster import Broadcaster
from game.web.page_messages import (
    Arrange,
    FreeSeat,
    LeaveSeat,
    OfSeat,
    ReturnToSeat,
    TakeSeat,
)
from game.web.seats import qr
from game.web.seats.seats import Claim, Seats


class PageSeat:
    """The seat of one page; `give` queues an input for the table.

    `address` is where other devices find the page.
    """

    def __init__(
        self, seats: Seats, broadcaster: Broadcaster, give: Callable[[Input], None], address: str
    ) -> None:
        self._seats = seats
        self._broadcaster = broadcaster
        self._give = give
        self._address = address
        self._claim: Claim | None = None
        self._answers: list[tuple[Claim | None, Message | None, int | None]] = []
        self._told: Json = {}

    @property
    def player(self) -> int | None:
        """The player whose seat this page holds."""
        return None if self._claim is None else self._claim.player

    def viewer(self, snapshot: Snapshot) -> int | None:
        """Return the player whose view this page gets; None if a computer plays it."""
        player = self.player
        return None if player is None or _is_computer(snapshot, player) else player

    def check(self) -> None:
        """Give up a seat that was freed elsewhere."""
        if self._claim is not None and not self._seats.holds(self._claim):
            player, self._claim = self._claim.player, None
            self._answer(say("seat.freed"), void=player)

    def take(self, asked: OfSeat) -> Message | None:
        """Act on a message about seats; return why it is refused."""
        match asked:
            case TakeSeat(invite):
                self._sit(self._seats.take(invite, self._open_seats()), say("seat.void_invitation"))
            case ReturnToSeat(player, key):
                self._sit(self._seats.prove(player, key), say("seat.void_key"), void=player)
            case LeaveSeat():
                if self._claim is None:
                    return say("seat.none")
                player, self._claim = self._claim.player, None
                self._answer(void=player)
                self._seats.free(player)
            case FreeSeat(player):
                snapshot = self._snapshot
                known = snapshot is not None and player in self._seats.players
                if snapshot is None or not known or _is_set_up(snapshot, player):
                    return say("seat.kept")
                self._seats.free(player)
            case Arrange(pieces):
                return self._arrange(pieces)
        return None

    def _arrange(self, pieces: dict[str, str] | None) -> Message | None:
        self.check()
        snapshot, player = self._snapshot, self.player
        if player is None or snapshot is None:
            return say("seat.none")
        if _is_computer(snapshot, player):
            return say("seat.not_now")
        game, state = snapshot.game, snapshot.of(player).state
        if (
            state.phase is not Phase.ARRANGE
            or hiding(game).arranging(state.position, player) is None
        ):
            return say("seat.not_now")
        if pieces is not None:
            try:
                hiding(game).arrangement(state.position, player, pieces)
            except RulesError as error:
                # For this page only: other pages must learn nothing of it.
                return error.message
        self._give(SubmitSetup(player, pieces))
        return None

    def pending(self, level: AccessLevel, translate: Callable[[Message], str]) -> list[Json]:
        """Return the messages that the page has not been sent yet."""
        pending: list[Json] = [
            {
                "type": "seat",
                "player": None if claim is None else claim.player,
                "key": None if claim is None else claim.key or None,
                "error": None if error is None else translate(error),
                "void": void,
            }
            for claim, error, void in self._answers
        ]
        self._answers = []
        if level is AccessLevel.NOTHING:
            self._told = {}
        elif (seats := self._describe(level)) != self._told:
            self._told = seats
            pending.append(seats)
        return pending

    def _sit(self, claim: Claim | None, refusal: Message, void: int | None = None) -> None:
        """Sit down if a claim is valid, else say why not; a page keeps its present seat."""
        if claim is None:
            self._answer(refusal, void=void)
            return
        self._answers.append((claim, None, None))
        self._claim = Claim(claim.player, claim.digest)

    def _answer(self, error: Message | None = None, void: int | None = None) -> None:
        self._answers.append((self._claim, error, void))

    @property
    def _snapshot(self) -> Snapshot | None:
        return self._broadcaster.latest.snapshot

    def _open_seats(self) -> frozenset[int]:
        """Return the players whose seats may change hands now."""
        snapshot = self._snapshot
        if snapshot is None:
            return frozenset()
        covering = snapshot.state.setups.on_board
        laid_out = 0 if covering is None else covering.player
        return frozenset(
            each
            for each in self._seats.players
            if each != laid_out and not _is_set_up(snapshot, each)
        )

    def _describe(self, level: AccessLevel) -> Json:
        """Describe all seats; only pages that control get the links to free ones."""
        snapshot, taken = self._snapshot, self._seats.taken
        open_seats = self._open_seats()
        seats: list[Json] = []
        for player in self._seats.players:
            seat: Json = {"player": player, "taken": player in taken, "link": None, "qr": None}
            computer = snapshot is not None and _is_computer(snapshot, player)
            if level is AccessLevel.CONTROL and player in open_seats and not computer:
                code = self._seats.invitation(player)
                if code is not None:
                    link = f"{self._address}#invite={code}"
                    seat |= {"link": link, "qr": dict(qr.drawn(link))}
            seats.append(seat)
        return {"type": "seats", "seats": seats}


def address_for(access: Access, caller: Caller) -> str:
    """Return the address at which other devices find the page that this client has opened, if any.

    A client from the network has used an address that leads here; a local one may not have.
    """
    if caller.local and access.network:
        for each in own_addresses():
            return url(each, caller.port, secure=access.certificate is not None)
    return f"http{'s' * caller.secure}://{caller.host}/"


def _is_computer(snapshot: Snapshot, player: int) -> bool:
    return any(snapshot.state.computers[player - 1 : player])


def _is_set_up(snapshot: Snapshot, player: int) -> bool:
    """Tell whether a player's seat shows hidden information now."""
    game, state = snapshot.game, snapshot.state
    if state.outcome is not None:
        return False
    return (
        player in state.setups.submitted or hiding(game).arranging(state.position, player) is None
    )
