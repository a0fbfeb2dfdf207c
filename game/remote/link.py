"""Runs one side of a game on two boards: takes requests and messages, saves, then sends.

Owns the order: an entry is on disk before it is shown here or sent to the other board. All of it
happens on a thread of its own, so that neither a slow disk nor a broker delays the board.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf
from threading import Event, Thread
from typing import Protocol

from game.remote.messages import Unreadable, pack, unpack
from game.remote.room_files import RecordFile
from game.remote.shared_game import MOST_ENTRIES, Setting, SharedGame, SideReport
from game.rules.base.message import Message, say
from game.table.inputs import Phrase

log = logging.getLogger(__name__)

BEAT_S = 15.0
"""How often a side repeats its message, to replace a lost one and show that it is present. A disk
that failed is tried again then, or at any event before."""
AWAY_S = 50.0
"""A board counts as away after three beats without a message."""
SAID_S = 40.0
"""How long a phrase is repeated: over two beats to arrive, but not until the next start."""


class BoardChannel(Protocol):
    """What carries messages to the other board; it may lose, double, delay and reorder them.

    `connections` counts those made, and is 0 while there is none; `trouble` is why. `take` returns
    the messages since its last call, and whether a broker had retained each one.
    """

    @property
    def connections(self) -> int: ...
    @property
    def trouble(self) -> Message | None: ...
    def take(self) -> list[tuple[bytes, bool]]: ...
    def send(self, payload: bytes) -> None: ...
    def close(self) -> None: ...


class Link:
    """One side, resumed from its record on disk. `wake` is called when there is something new.

    `open_channel` gets a function that wakes this link. Without a thread, `turn` does all.
    """

    def __init__(
        self,
        setting: Setting,
        record: RecordFile,
        open_channel: Callable[[Callable[[], None]], BoardChannel],
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        threaded: bool = True,
    ) -> None:
        """Go on with the record; raises AppError, or RulesError where it breaks the rules."""
        self._clock, self._wake, self._record = clock, wake, record
        self._game = self._next = SharedGame.opened(setting, record.chain, record.asks)
        self._requests: deque[Callable[[SharedGame], SharedGame]] = deque()
        self._changed, self._closing = Event(), False
        self._heard_at: float | None = None
        self._disk: Message | None = None
        self._unread: Unreadable | None = None
        self._beat_at = clock()
        self._twin_since = self._twin_at = -inf
        self._published: tuple[int, bytes] | None = None
        self._said, self._said_until = (0, ""), 0.0
        self._heard: tuple[str, int] = ("", 0)
        self._phrases: deque[Phrase] = deque(maxlen=1)
        self._seen: tuple[object, ...] = ()
        self._channel = open_channel(self._changed.set)
        self._thread = Thread(target=self._run, name="link", daemon=True) if threaded else None
        if self._thread is not None:
            self._thread.start()

    @property
    def game(self) -> SharedGame:
        """The game as it is on disk."""
        return self._game

    @property
    def trouble(self) -> Message | None:
        """What is wrong now with disk, broker or the other board; the worst comes first."""
        if self._has_twin:
            return say("remote.twin")
        other = self._game.other if self._game.hears else None
        if other is not None and other.game != self._game.setting.game.name:
            return say("remote.other_game", game=other.game)
        if len(self._game.chain) >= MOST_ENTRIES:
            return say("remote.full", most=MOST_ENTRIES)
        unread = self._unread and self._unread.message
        stopped = say("remote.stopped") if other is not None and other.unread else None
        why = self._channel.trouble
        unsent = why and say("remote.unsent", why=why)
        return self._disk or self._game.differs or unread or stopped or unsent

    @property
    def is_away(self) -> bool:
        """Whether no message of the other board has arrived for AWAY_S."""
        return self._heard_at is None or self._clock() - self._heard_at > AWAY_S

    def request(self, change: Callable[[SharedGame], SharedGame]) -> None:
        """Let this side make a change, such as a move; from any thread."""
        self._requests.append(change)
        self._changed.set()

    def say(self, phrase: Phrase) -> None:
        """Send a phrase to the other board, which gets it soon or never; from any thread."""
        self._said = self._said[0] + 1, phrase.value
        self._said_until = self._clock() + SAID_S
        self._changed.set()

    def take_phrase(self) -> Phrase | None:
        """Return the newest phrase of the other board since the last call."""
        return self._phrases.pop() if self._phrases else None

    def close(self) -> None:
        """Stop; what is on disk is sent when this side starts again."""
        self._closing = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join()
        self._channel.close()

    def turn(self) -> None:
        """Handle requests and messages, save what is new, and send it.

        While another program plays as this side nothing is handled, since both would write.
        """
        now, game = self._clock(), self._next
        arrived = [*self._read(now)]
        while self._requests and not self._has_twin:
            game = self._requests.popleft()(game)
        for report, retained in () if self._has_twin else arrived:
            game = game.receive(report)
            if game.hears and not retained:
                self._heard_at = now
                self._listen(report)
        self._next = game
        if game is not self._game:
            self._save(game)
        self._tell(now)
        game = self._game
        seen = game.chain, game.asks, game.their_asks, self.trouble, self.is_away
        if seen != self._seen:
            self._seen = seen
            self._wake()

    def _read(self, now: float) -> Iterator[tuple[SideReport, bool]]:
        """Yield the other side's messages; a retained one does not prove that it is present."""
        setting = self._game.setting
        for payload, retained in self._channel.take():
            try:
                report = unpack(setting.keys, payload)
            except Unreadable as error:
                if self._unread is None and not retained:
                    log.warning("the other board's message cannot be read: %s", error)
                self._unread = self._unread if retained else error
            except ValueError as error:
                log.debug("a message was dropped: %s", error)
            else:
                if report.side != setting.side:
                    self._unread = None
                    yield report, retained
                elif report.session != setting.session and not retained:
                    if now - self._twin_at > AWAY_S:
                        self._twin_since = now
                    self._twin_at = now

    @property
    def _has_twin(self) -> bool:
        # A single message may be a late one that this program sent before its last start.
        lasts = self._twin_at - self._twin_since > BEAT_S / 2
        return lasts and self._clock() - self._twin_at <= AWAY_S

    def _listen(self, report: SideReport) -> None:
        count, phrase = report.said
        heard, before = self._heard
        if count and (heard != report.session or count > before):
            self._heard = report.session, count
            # Another version may have other phrases.
            with suppress(ValueError):
                self._phrases.append(Phrase(phrase))
            self._wake()

    def _save(self, game: SharedGame) -> None:
        try:
            self._record.save(game)
        except OSError as error:
            log.warning("room record %s cannot be written: %s", self._record.file, error)
            self._disk = say("remote.not_saved", why=error.strerror or str(error))
        else:
            self._disk, self._game = None, game

    def _tell(self, now: float) -> None:
        """Send what is on disk if it or the connection is new, or a beat is due."""
        connections = self._channel.connections
        if now >= self._beat_at:
            self._beat_at = now + BEAT_S
            self._published = None
        if not connections:
            return
        setting = self._game.setting
        said = self._said if now < self._said_until else (0, "")
        report = replace(self._game.report(), said=said)
        if self._unread is not None:
            report = replace(report, unread=True, echo=self._unread.session or report.echo)
        payload = pack(setting.keys, report)
        if self._published != (connections, payload):
            self._published = (connections, payload)
            self._channel.send(payload)

    def _run(self) -> None:
        while not self._closing:
            try:
                self.turn()
            except Exception:
                # A message must not end the game on two boards.
                log.exception("link")
            self._changed.wait(max(0.0, self._beat_at - self._clock()))
            self._changed.clear()
