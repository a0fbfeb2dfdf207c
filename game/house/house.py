"""A board that publishes what happens on it, and accepts a few commands, over MQTT.

Messages are checked as a page's are, and without `control` none can change a game in progress.
"""

import json
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Full
from threading import Event, Thread

from game.common import AppError, Words, redact_errors
from game.house import published
from game.house.published import Publishing, Seen
from game.play import Decision, Dimmer, NightMode
from game.remote.mqtt import MqttTopics
from game.rules.base.values import Json
from game.store import StoredGame, past_games
from game.table import State
from game.table.inputs import Asked, Command, Dismissed, Input, Touched
from game.web import (
    FromPage,
    GiveCommand,
    Host,
    Lift,
    MessageError,
    Press,
    PressKey,
    not_allowed,
    parse,
)
from hal.base.errors import HalError

log = logging.getLogger(__name__)

MOST_A_SECOND = 20
"""Most messages accepted; people need no more, and a flood must not slow the board."""
LONGEST_MESSAGE = 4096
RESULTS = 50
"""Results that a board publishes: a long day's games, in less than 64 KB."""
SOURCE = "mqtt"
_NEWEST = 2**31
_FREE = (GiveCommand,)
_CONTROL = (GiveCommand, Dismissed, Press, Lift, PressKey)


class House:
    """Publishes the games of a board; `follow` belongs to the board's thread."""

    def __init__(
        self,
        host: Host,
        where: Publishing,
        dimmer: Dimmer,
        folder: Path,
        words: Words,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to connect; raises AppError where a file of the address cannot be read."""
        self._host, self._where, self._dimmer, self._words = host, where, dimmer, words
        self._clock = clock
        self._folder, self._results = folder, list[StoredGame]()
        self._ends: object = None
        self._seen: Seen | None = None
        self._changed, self._closing = Event(), False
        self._greets = False
        self._said: dict[str, str] = {}
        self._taken: deque[float] = deque(maxlen=MOST_A_SECOND)
        prefix = where.prefix
        topics = published.COMMAND, published.BRIGHTNESS, published.NIGHT
        heard = [f"{prefix}/{topic}" for topic in topics]
        will = (f"{prefix}/{published.AVAILABILITY}", published.OFFLINE)
        self._topics = MqttTopics(where.address, heard, self._hear, self._greet, will)
        self._thread = Thread(target=self._run, name="house", daemon=True)
        self._thread.start()

    def follow(self, _: float = 0.0) -> None:
        """Queue the board's state for publishing, after a step of the board."""
        running = self._host.running
        snapshot = running.page.broadcaster.latest.snapshot
        if snapshot is None:
            return
        lights = self._dimmer.percent, self._dimmer.is_night
        old, journal = self._seen, running.journal
        if old and old.snapshot is snapshot and (old.percent, old.night) == lights:
            return
        number = None if journal is None else journal.number
        self._seen = Seen(snapshot, journal is not None, number, *lights, self._clock())
        self._changed.set()

    def close(self) -> None:
        """Publish that the board is offline, and stop."""
        self._closing = True
        self._changed.set()
        self._thread.join()
        self._topics.close()

    # Publishing, on a thread of its own.

    def _greet(self) -> None:
        self._greets = True
        self._changed.set()

    def _run(self) -> None:
        while not self._closing:
            self._changed.wait()
            self._changed.clear()
            seen = self._seen
            if seen is None:
                continue
            try:
                if self._greets:
                    self._greets, self._said = False, {}
                    self._discover(seen)
                with redact_errors(seen.snapshot.game):
                    self._publish(seen)
            except Exception as error:
                log.error("a change is not published: %.200s", repr(error))

    def _discover(self, seen: Seen) -> None:
        title = f"{self._where.prefix.rpartition('/')[2]} (lifeboard)"
        for topic, entity in published.discovery(self._where.prefix, title, self._words).items():
            self._topics.publish(topic, json.dumps(entity, ensure_ascii=False))
        self._say(published.AVAILABILITY, published.ONLINE)

    def _publish(self, seen: Seen) -> None:
        state = seen.snapshot.state
        self._say(published.STATE, published.state(seen, self._words))
        ends = seen.number, state.outcome is None, state.names
        if ends != self._ends:
            self._ends = ends
            try:
                self._results = past_games(self._folder, _NEWEST, RESULTS)[::-1]
            except AppError as error:
                log.warning("results are not published: %s", error)
        self._say(published.RESULTS, published.results(self._results))

    def _say(self, topic: str, what: Json | str) -> None:
        """Publish a text as it is, and anything else in JSON, unless the topic has it already."""
        payload = what if isinstance(what, str) else json.dumps(what, ensure_ascii=False)
        changed = self._said.get(topic) != payload
        if changed and self._topics.publish(f"{self._where.prefix}/{topic}", payload):
            self._said[topic] = payload

    # Receiving, on the connection's thread.

    def _hear(self, topic: str, payload: bytes, retained: bool) -> None:
        """Handle one message; ignore retained ones, which are outdated."""
        now = self._clock()
        flooded = len(self._taken) == MOST_A_SECOND and now - self._taken[0] < 1
        if retained or flooded:
            return
        self._taken.append(now)
        try:
            if len(payload) > LONGEST_MESSAGE:
                raise MessageError(f"message has {len(payload)} bytes; allowed: {LONGEST_MESSAGE}")
            text = payload.decode(errors="replace").strip()
            self._take(topic.removeprefix(f"{self._where.prefix}/"), text)
        except (MessageError, HalError) as error:
            self._topics.publish(
                f"{self._where.prefix}/{published.ERROR}",
                json.dumps({"version": published.VERSION, "text": str(error)}),
                False,
            )

    def _take(self, topic: str, text: str) -> None:
        if topic == published.BRIGHTNESS:
            least, most = published.LEAST_PERCENT, published.MOST_PERCENT
            if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
                raise not_allowed(topic, text, f"{least} - {most}")
            self._dimmer.percent = int(text)
        elif topic == published.NIGHT:
            if text not in (published.ON, published.OFF):
                raise not_allowed(topic, text, f"{published.ON}, {published.OFF}")
            self._dimmer.mode = NightMode.ON if text == published.ON else NightMode.OFF
        else:
            self._do(parse(text, _CONTROL if self._where.control else _FREE))

    def _do(self, asked: FromPage) -> None:
        page, control = self._host.running.page, self._where.control
        match asked:
            case GiveCommand(command):
                if command is not Command.NEW_GAME and not control:
                    raise not_allowed("name", command.value, f"{Command.NEW_GAME.value} only")
                self._give(Asked(command) if control else _new_game)
            case Dismissed():
                self._give(asked)
            case PressKey(name):
                if name not in page.game.keys:
                    raise not_allowed("key", name, ", ".join(page.game.keys) or "none")
                self._give(Touched(name))
            case Press(pointer, spot):
                if page.hands is None:
                    raise MessageError("press is for a simulated board only")
                page.hands.press(f"{SOURCE}.{pointer}", spot)
            case Lift(pointer) if page.hands is not None:
                page.hands.lift(f"{SOURCE}.{pointer}")

    def _give(self, wish: Input | Decision) -> None:
        # Drop the message if the board cannot keep up.
        with suppress(Full):
            self._host.running.session.give(wish, SOURCE)


def _new_game(state: State) -> Input | None:
    goes_on = state.history and state.outcome is None
    return None if goes_on else Asked(Command.NEW_GAME)
