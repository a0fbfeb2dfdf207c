"""Reports to systemd: readiness, status, and that the loop is alive (sd_notify(3)).

The sign of life comes from the loop that reads the board and from nowhere else: a loop that hangs
gives none, whatever other threads do.
"""

import logging
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

from game.common import Words
from game.play import Snapshot
from game.rules.base.message import Message, say
from game.table import Phase, named

log = logging.getLogger(__name__)

MAX_EXTENSION_S = 300.0
"""Reading a damaged file of thousands of games takes minutes on the smallest Pi."""
MAX_BEAT_S = 1.0
"""Longest time between two signs of life."""
_EXTEND_S = 2.0


class Notifier:
    """Send fields to the service manager, or to nothing where there is none.

    `watchdog_s` is how long the manager waits for a sign of life; None if it does not. `pulse` is
    called once in each round of the loop.
    """

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        self.watchdog_s = watchdog_s
        self._sent = ""
        self._ready = False
        self._beat_due = 0.0
        # The name of an abstract socket begins with a zero byte, written as "@".
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket: socket.socket | None = None
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            # A slow manager must not hold up the board.
            self._socket.setblocking(False)

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int) -> "Notifier":
        """Make the notifier that the environment of process `pid` asks for."""
        address = environment.get("NOTIFY_SOCKET", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        watched = meant and microseconds.isdigit() and int(microseconds) > 0
        return cls(
            address if address[:1] in ("/", "@") else "",
            int(microseconds) / 1e6 if watched else None,
        )

    def tell(self, **fields: str) -> bool:
        """Send fields, such as READY="1", each on one line; return whether they were sent."""
        if self._socket is None:
            return True
        lines = (f"{key}={' '.join(value.splitlines())}" for key, value in fields.items())
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            log.debug("systemd cannot be told: %s", error)
            return False
        return True

    def pulse(self, now: float, status: str, *, ready: bool) -> None:
        """Send changed fields and the sign of life; `now` is in monotonic seconds."""
        fields: dict[str, str] = {}
        if ready and not self._ready:
            fields["READY"] = "1"
        if status != self._sent:
            fields["STATUS"] = status
        if self.watchdog_s is not None and now >= self._beat_due:
            fields["WATCHDOG"] = "1"
        # Unsent fields are sent in the next round.
        if fields and self.tell(**fields):
            self._ready = self._ready or "READY" in fields
            self._sent = status
            if self.watchdog_s is not None and "WATCHDOG" in fields:
                self._beat_due = now + min(self.watchdog_s / 4, MAX_BEAT_S)

    def reloading(self, now: float) -> None:
        """Report that the settings are being read; the next pulse reports that it is done."""
        self._ready = False
        self.tell(RELOADING="1", MONOTONIC_USEC=str(int(now * 1e6)))

    def stopping(self, status: str) -> None:
        self._sent = status
        self.tell(STOPPING="1", STATUS=status)

    @contextmanager
    def extended_timeout(self) -> Iterator[None]:
        """Ask for more time, MAX_EXTENSION_S at most, while no loop runs, as at the start."""
        done = Event()

        def ask() -> None:
            for _ in range(int(MAX_EXTENSION_S / _EXTEND_S)):
                self.tell(WATCHDOG="1", EXTEND_TIMEOUT_USEC=str(int(3 * _EXTEND_S * 1e6)))
                if done.wait(_EXTEND_S):
                    return

        asking = Thread(target=ask, name="extend-timeout", daemon=True)
        asking.start()
        try:
            yield
        finally:
            done.set()
            asking.join()

    def close(self) -> None:
        """Close the socket; later calls of `tell` send nothing."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def status_of(snapshot: Snapshot, words: Words) -> str:
    """Return the state of a game in one line."""
    return words.text(_status(snapshot))


def _status(snapshot: Snapshot) -> Message:
    game, state = snapshot.game, snapshot.state
    if state.faults.reasons:
        return say("status.paused", title=game.title, reason=state.faults.reasons[0])
    if state.outcome is not None:
        how = named(game, state, state.outcome.message)
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
    return named(game, state, playing)
