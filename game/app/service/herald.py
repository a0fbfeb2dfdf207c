"""Says for the service manager, in one line, what goes on, and that the loop is alive.

Owns those words and when they are told. The sign of life comes from the loop that reads the board
and from nowhere else: a loop that hangs gives none, whatever other threads do.
"""

from game.app.service.notify import Notifier
from game.app.session import Snapshot
from game.app.words import Words
from game.rules.message import Message, say
from game.table.state import Phase

LONGEST_S = 1.0
"""Signs of life are this far apart at most."""


class Herald:
    """Tell a service manager what a loop does; `pulse` is called once in each of its rounds."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._told = ""
        self._ready = False
        self._alive_due = 0.0
        watchdog_s = notifier.watchdog_s
        self._alive_s = None if watchdog_s is None else min(watchdog_s / 4, LONGEST_S)

    def pulse(self, now: float, status: str, *, ready: bool) -> None:
        """Tell what has changed, and that the loop is alive; `now` in monotonic seconds."""
        news: dict[str, str] = {}
        if ready and not self._ready:
            news["READY"] = "1"
        if status != self._told:
            news["STATUS"] = status
        if self._alive_s is not None and now >= self._alive_due:
            news["WATCHDOG"] = "1"
        # What did not go is told again in the next round.
        if news and self._notifier.tell(**news):
            self._ready = self._ready or "READY" in news
            self._told = status
            if self._alive_s is not None and "WATCHDOG" in news:
                self._alive_due = now + self._alive_s

    def reloading(self, now: float) -> None:
        """Tell that the settings are read again; the next pulse tells that it is done."""
        self._ready = False
        self._notifier.tell(RELOADING="1", MONOTONIC_USEC=str(int(now * 1e6)))

    def stopping(self, status: str) -> None:
        """Tell that the service ends by itself or as it was asked to."""
        self._told = status
        self._notifier.tell(STOPPING="1", STATUS=status)


def status_of(snapshot: Snapshot, words: Words) -> str:
    """Say in one line how a game stands."""
    return words.text(_status(snapshot))


def _status(snapshot: Snapshot) -> Message:
    game, state = snapshot.game, snapshot.state
    if state.disturbed:
        return say("status.paused", title=game.title, reason=state.disturbed[0])
    if state.outcome is not None:
        return say("status.over", title=game.title, outcome=state.outcome.message)
    turn = snapshot.scene.turn
    if state.phase is Phase.SET_UP:
        return say("status.set_up", title=game.title)
    if state.arranging(game) and state.phase is not Phase.DRAW:
        return say("status.arrange", title=game.title)
    if state.phase is Phase.DRAW or turn is None:
        return say("status.draw", title=game.title)
    return say(
        "status.playing",
        title=game.title,
        move=len(state.history) + 1,
        player=game.players[turn - 1],
    )
