"""The board as a device: cells and keys in, colours out. Time comes in, in monotonic seconds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from hal.backends.backend import Backend
from hal.base import schema
from hal.base.events import Event, Fault, FaultReport, Sensed, Trouble
from hal.lights import Frame, Glow, Layer, compose, correct, next_change
from hal.profile import Electrode, Profile
from hal.sensing import TouchAnomalies, TouchFilter

_ODD = {
    Trouble.FLAPPING: "comes and goes faster than any finger",
    Trouble.STUCK: "has been touched for longer than a touch lasts",
}


class Device:
    """Drive one board on one thread."""

    def __init__(self, profile: Profile, backend: Backend) -> None:
        self.profile = profile
        self.backend = backend
        self.masked: frozenset[str] = frozenset()
        self.power = profile.power
        self.faults: tuple[Fault, ...] = ()
        self._touch = TouchFilter(profile.sensing, profile.filter_ms / 1000)
        lasting = profile.cells if profile.sensing.stones else ()
        self._anomalies = TouchAnomalies(frozenset(lasting))
        self._pads = {n for n, key in profile.keys.items() if isinstance(key, Electrode)}
        self._sent: Frame | None = None
        self._cover: Layer = {}
        self._layers: Sequence[Layer] | None = None
        self._polled = False
        self._change_due_s = inf

    def poll(self, now: float) -> list[Event]:
        """Read the board and report what has happened since the last call."""
        self._polled = True
        sensed = self.backend.sense(now)
        cells = sensed.cells - self.masked
        faults = (*sensed.faults, *self._odd(now, cells | (sensed.keys & self._pads)))
        known = tuple(each for fault in faults if (each := self._unmasked(fault)) is not None)
        lost = frozenset().union(self.masked, *(each.cells | each.keys for each in faults))
        events: list[Event] = []
        if _what(known) != _what(self.faults):
            # First, so that a reader knows the faults before it handles the other events.
            events.append(FaultReport(known))
        self.faults = known
        events += self._touch.update(now, Sensed(cells, sensed.keys), lost)
        return events

    @property
    def pressed(self) -> frozenset[str]:
        """The pressed keys; a key that can no longer be sensed counts as released."""
        return self._touch.keys

    @property
    def contacts(self) -> frozenset[str]:
        """The cells with a touch that is not debounced yet, so has no event; they may be lit."""
        return self._touch.contacts

    def mask(self, cells: frozenset[str]) -> None:
        """Set the cells that are ignored from now on."""
        self.masked = cells

    def dim(self, brightness: float) -> None:
        """Set the brightness, 0 to 1; before the first call it is the profile's."""
        if brightness != self.power.brightness:
            self.power = schema.replace(self.power, brightness=brightness)
            self._sent, self._layers = None, None

    def cover(self, glow: Glow | None) -> None:
        """Hide all layers under one glow from the next `paint` on; None shows them again."""
        cover = {} if glow is None else dict.fromkeys(self.profile.pixels, glow)
        if cover != self._cover:
            self._cover, self._layers, self._change_due_s = cover, None, -inf

    def paint(self, layers: Sequence[Layer], now: float) -> bool:
        """Show layers, the first one lowest; return whether a new frame was sent to the strip.

        Pass the same object while the layers stay the same: this costs nothing until `due`.
        """
        if layers is self._layers and now < self._change_due_s:
            return False
        covered = (*layers, self._cover)
        profile = self.profile
        frame = compose(covered, profile.pixels, profile.strip.pixels, now)
        changed = frame != self._sent
        if changed:
            self.backend.light(correct(frame, self.power))
            self._sent = frame
        # Last, so that the next call retries a frame that could not be sent.
        change_s = next_change(covered, now)
        self._change_due_s = inf if change_s is None else change_s
        self._layers = layers
        return changed

    def due(self, now: float) -> float:
        if not self._polled:
            return now
        own = min(self._anomalies.due(now), self._touch.due(), self._change_due_s)
        return max(now, min(self.backend.due(now), own))

    def close(self) -> None:
        self.backend.close()

    def _odd(self, now: float, down: frozenset[str]) -> Iterator[Fault]:
        for spot, trouble in sorted(self._anomalies.update(now, down).items()):
            cells = self.profile.cells.keys() & {spot}
            detail = f"{'cell' if cells else 'key'} {spot} {_ODD[trouble]}"
            yield Fault(trouble, spot, frozenset(cells), frozenset({spot} - cells), detail)

    def _unmasked(self, fault: Fault) -> Fault | None:
        """Remove masked cells; None for faults that play can ignore: a dead key is on pages too."""
        cells = fault.cells - self.masked
        known = cells or fault.trouble in (Trouble.STRIP, Trouble.PIN)
        return replace(fault, cells=cells) if known else None


def _what(faults: tuple[Fault, ...]) -> frozenset[tuple[object, ...]]:
    return frozenset((each.trouble, each.part, each.cells, each.keys) for each in faults)
