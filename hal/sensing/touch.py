"""Debouncing: raw touches, sample by sample, become presses, holds, releases, palms and faults.

Pure: time comes in. States of a spot; a spot that is not listed is idle and up.

    rising   down, not debounced: a contact   -> felt after press_s; idle as soon as it is up
    felt     event DOWN; HELD after hold_s    -> idle, with event UP, after release_s of being up
    ignored  part of a palm, or came under it -> idle after release_s of being up
    lost     cannot be sensed now: a fault    -> ignored when it can be sensed again, with no event
                                                 before: it may be an object on the spot,
                                                 not a touch
"""

from collections import deque
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from math import inf

from hal.base.events import CellTouch, Event, KeyTouch, Moment, Palm, Sensed, Standing, Trouble
from hal.profile import Sensing

GATHER_S = 0.060  # how long a palm may take to land
FLICKER_S = 1.0
"""After a contact too short for a touch, the spot shows none for this time: noise would flicker."""
WEIGHED_S = 0.007
"""The shortest press_s: by then a chip's measurement has distinguished a touch from a fault."""
FLAPS = 10
WINDOW_S = 1.0
"""FLAPS touches of one cell within WINDOW_S are not made by a finger (fast ones make seven)."""
QUIET_S = 2.0  # how long after its last touch began a flapping cell, if up, is trusted again
LONG_S = 30.0  # a longer touch is reported as stuck


@dataclass(slots=True)
class _Contact:
    """A spot that is felt or ignored, and since when it is up, if it is."""

    began_s: float
    ignored: bool = False
    palm: bool = False
    held: bool = False
    up_s: float | None = None


@dataclass(slots=True)
class Debouncer:
    """Debounces one kind of spot. `make_event` makes the event of a spot and moment.

    `palm_spots` or more presses within gather_s are a palm; 0 disables palms.
    """

    make_event: Callable[[str, Moment], Event]
    press_s: float
    release_s: float
    hold_s: float
    palm_spots: int = 0
    gather_s: float = 0.0
    _rising: dict[str, float] = field(default_factory=dict)
    _faded: dict[str, float] = field(default_factory=dict)
    _contacts: dict[str, _Contact] = field(default_factory=dict)

    @property
    def pressed(self) -> frozenset[str]:
        """The spots with a DOWN event that are neither UP nor lost."""
        return frozenset(spot for spot, contact in self._contacts.items() if not contact.ignored)

    @property
    def held(self) -> frozenset[str]:
        """The pressed spots that have had a HELD event too."""
        return frozenset(spot for spot, contact in self._contacts.items() if contact.held)

    @property
    def contacts(self) -> frozenset[str]:
        """The spots that are down, and will have a DOWN event if they stay down."""
        return frozenset(
            spot
            for spot, began_s in self._rising.items()
            if began_s >= self._faded.get(spot, -inf) + FLICKER_S
        )

    def update(
        self, now: float, down: frozenset[str], lost: frozenset[str] = frozenset()
    ) -> list[Event]:
        """Take what is `down`, and what is `lost`, at `now`, in seconds, and return the events."""
        events: list[Event] = []
        for spot in lost:
            self._rising.pop(spot, None)
            self._contacts[spot] = _Contact(now, ignored=True)
        for spot, contact in list(self._contacts.items()):
            if spot in down | lost:
                contact.up_s = None
                if not (contact.held or contact.ignored) and now >= contact.began_s + self.hold_s:
                    contact.held = True
                    events.append(self.make_event(spot, Moment.HELD))
                continue
            if contact.up_s is None:
                contact.up_s = now
            if now >= contact.up_s + self.release_s:
                del self._contacts[spot]
                if not contact.ignored:
                    events.append(self.make_event(spot, Moment.UP))
        self._watch_rising(now, down, events)
        return events

    def due(self) -> float:
        """Return when an unchanged board next has an event; infinity for never."""
        times = [self._ripe_s()] if self._rising else []
        for contact in self._contacts.values():
            if contact.up_s is not None:
                times.append(contact.up_s + self.release_s)
            elif not (contact.held or contact.ignored):
                times.append(contact.began_s + self.hold_s)
        return min(times, default=inf)

    def _watch_rising(self, now: float, down: frozenset[str], events: list[Event]) -> None:
        for spot in [each for each in self._rising if each not in down]:
            del self._rising[spot]
            self._faded[spot] = now
        palm = any(contact.palm for contact in self._contacts.values())
        # Sorted, since the order of a set varies between runs.
        for spot in sorted(down - self._contacts.keys() - self._rising.keys()):
            if palm:
                self._contacts[spot] = _Contact(now, ignored=True)
            else:
                self._rising[spot] = now
        if not self._rising or now < self._ripe_s():
            return
        # A palm lands gradually: an earlier press may have been its first part.
        since_s = now - self.gather_s - self.press_s
        felt = {spot for spot in self.pressed if self._contacts[spot].began_s >= since_s}
        if self.palm_spots and len(felt) + len(self._rising) >= self.palm_spots:
            events.append(Palm(frozenset(felt | self._rising.keys())))
            for spot in self._rising:
                self._contacts[spot] = _Contact(now, ignored=True, palm=True)
            self._rising.clear()
            return
        for spot, began_s in list(self._rising.items()):
            if now >= began_s + self.press_s:
                self._contacts[spot] = _Contact(self._rising.pop(spot))
                events.append(self.make_event(spot, Moment.DOWN))

    def _ripe_s(self) -> float:
        """Return when to decide about the present presses: one after press_s, several together.

        While a second finger lands, a third one may follow, so wait a little.
        """
        oldest_s, newest_s = min(self._rising.values()), max(self._rising.values())
        if len(self._rising) < self.palm_spots:
            return min(newest_s, oldest_s + self.gather_s) + self.press_s
        return oldest_s + self.press_s


@dataclass(slots=True)
class PresenceFilter:
    """Follows the stones of a board, and accepts a change once all cells were steady for settle_s.

    Cells that cannot be sensed keep their state, and are reported again once they can.
    """

    settle_s: float
    _believed: frozenset[str] = frozenset()
    _seen: frozenset[str] = frozenset()
    _changed_s: float = -inf  # time of the last change of samples
    _reported: bool = False
    _lost: frozenset[str] = frozenset()

    def update(
        self, now: float, down: frozenset[str], lost: frozenset[str] = frozenset()
    ) -> list[Event]:
        """Process the touched cells at `now`; return the stones at first, and if they changed."""
        seen = (down - lost) | (self._believed & lost)
        healed, self._lost = self._lost - lost, lost
        if seen != self._seen or healed or self._changed_s == -inf:
            self._seen, self._changed_s = seen, now
        if healed:
            self._reported = False
        if now < self.due():
            return []
        self._believed, self._reported = seen, True
        return [Standing(seen)]

    def due(self) -> float:
        """Return the time at which the present samples are accepted; infinity for never."""
        known = self._reported and self._seen == self._believed
        return inf if known or self._changed_s == -inf else self._changed_s + self.settle_s


class TouchFilter:
    """Debounces a board whose chips report a touch after `filter_s`: keys, touches or stones."""

    def __init__(self, sensing: Sensing, filter_s: float) -> None:
        press_s, release_s = sensing.press_ms / 1000, sensing.release_ms / 1000
        hold_s = sensing.hold_ms / 1000
        self._cells: Debouncer | PresenceFilter
        if sensing.stones:
            self._cells = PresenceFilter(sensing.settle_ms / 1000)
        else:
            self._cells = Debouncer(
                CellTouch,
                press_s=max(press_s - filter_s, WEIGHED_S),
                release_s=release_s,
                hold_s=hold_s,
                palm_spots=sensing.palm_cells,
                gather_s=GATHER_S,
            )
        self._keys = Debouncer(KeyTouch, press_s=press_s, release_s=release_s, hold_s=hold_s)

    @property
    def keys(self) -> frozenset[str]:
        return self._keys.pressed

    @property
    def contacts(self) -> frozenset[str]:
        """The cells with a touch that is not debounced yet; none in presence sensing."""
        return self._cells.contacts if isinstance(self._cells, Debouncer) else frozenset()

    def update(self, now: float, sensed: Sensed, lost: frozenset[str] = frozenset()) -> list[Event]:
        """Take what is sensed, and what is `lost`, at `now`, in seconds, and return the events."""
        return [
            *self._cells.update(now, sensed.cells - lost, lost),
            *self._keys.update(now, sensed.keys - lost, lost),
        ]

    def due(self) -> float:
        """Return when an unchanged board next has an event; infinity for never."""
        return min(self._cells.due(), self._keys.due())


class TouchAnomalies:
    """Watches raw touches of spots; on `lasting` ones a touch may last, as a stone does."""

    def __init__(self, lasting: Set[str]) -> None:
        self._lasting = lasting
        self._down: dict[str, float] = {}
        self._rises: dict[str, deque[float]] = {}
        self._flapping: dict[str, float] = {}

    def update(self, now: float, down: frozenset[str]) -> dict[str, Trouble]:
        """Process the touched spots at time `now`, in seconds; return those not to be trusted."""
        for spot in down - self._down.keys():
            self._down[spot] = now
            rises = self._rises.setdefault(spot, deque(maxlen=FLAPS))
            rises.append(now)
            if spot in self._flapping or (len(rises) == FLAPS and now - rises[0] <= WINDOW_S):
                self._flapping[spot] = now
        for spot in self._down.keys() - down:
            del self._down[spot]
        for spot, last_s in list(self._flapping.items()):
            if now >= last_s + QUIET_S and spot not in down:
                del self._flapping[spot], self._rises[spot]
        odd = dict.fromkeys(self._flapping, Trouble.FLAPPING)
        for spot in self._down.keys() - self._lasting:
            if now >= self._down[spot] + LONG_S:
                odd.setdefault(spot, Trouble.STUCK)
        return odd

    def due(self, now: float) -> float:
        """Return the next time, after `now`, at which an unchanged board changes its result."""
        times = [last_s + QUIET_S for last_s in self._flapping.values()]
        times += [self._down[spot] + LONG_S for spot in self._down.keys() - self._lasting]
        return min((time for time in times if time > now), default=inf)
