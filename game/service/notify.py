"""Reports to systemd: readiness, status, and that the loop is alive (sd_notify(3)).

The sign of life comes from the loop that reads the board and from nowhere else: a loop that hangs
gives none, whatever other threads do.
"""

import logging
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from game.play import Snapshot
from game.rules.base.message import Message, say
from game.table import Phase, named

log = logging.getLogger(__name__)

LONGEST_OPENING_S = 300
"""Reading a damaged file of thousands of games takes minutes on the smallest Pi."""
BEAT_S = 1.0
"""Time between two signs of life; the unit allows ten of these."""


class Notifier:
    """Send fields to the service manager that an environment names, or to nothing without one.

    `pulse` is called once in each round of the loop.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._watchdog_usec = environment.get("WATCHDOG_USEC", "")
        self._sent: dict[str, str] = {}
        self._beat_due = 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        # A slow manager must not hold up the board.
        self._socket.setblocking(False)
        self.close = self._socket.close

    def tell(self, **fields: str) -> bool:
        """Send fields, such as READY="1", each on one line; return whether they were sent."""
        if not self._address:
            return True
        lines = (f"{key}={' '.join(value.splitlines())}" for key, value in fields.items())
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            log.debug("systemd cannot be told: %s", error)
            return False
        return True

    def pulse(self, now: float, status: str, *, ready: bool) -> None:
        """Send what has changed, and a sign of life; `now` is in monotonic seconds."""
        fields = {"STATUS": status} | ({"READY": "1"} if ready else {})
        # What is not sent now is sent in the next round.
        changed_or_due = fields != self._sent or now >= self._beat_due
        if changed_or_due and self.tell(**fields, WATCHDOG="1"):
            self._sent, self._beat_due = fields, now + BEAT_S

    def reloading(self, now: float) -> None:
        """Report that the settings are being read; the next pulse reports that it is done."""
        self._sent = {}
        self.tell(RELOADING="1", MONOTONIC_USEC=str(int(now * 1e6)))

    def stopping(self, status: str) -> None:
        self.tell(STOPPING="1", STATUS=status)

    @contextmanager
    def extended_timeout(self) -> Iterator[None]:
        """Take up to LONGEST_OPENING_S while no loop runs, as at the start."""
        longest = str(LONGEST_OPENING_S * 10**6)
        self.tell(EXTEND_TIMEOUT_USEC=longest, WATCHDOG_USEC=longest)
        try:
            yield
        finally:
            self.tell(WATCHDOG_USEC=self._watchdog_usec or "0")


def status_of(snapshot: Snapshot) -> Message:
    """Return the state of a game in one line."""
    game, state = snapshot.game, snapshot.state
    if state.faults.reasons:
        return say("status.paused", title=game.title, reason=state.faults.reasons[0])
    if state.outcome is not None:
        how = named(state, state.outcome.message)
        return say("status.over", title=game.title, outcome=how)
    turn = snapshot.scene.turn
    if state.phase is Phase.SET_UP:
        return say("status.set_up", title=game.title)
    if state.arranging and state.phase is not Phase.DRAW:
        return say("status.arrange", title=game.title)
    if state.phase is Phase.DRAW or turn is None:
        return say("status.draw", title=game.title)
    move, player = len(state.history) + 1, game.players[turn - 1]
    playing = say("status.playing", title=game.title, move=move, player=player)
    return named(state, playing)
