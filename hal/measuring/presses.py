"""Measures touches of one cell after the other: the change of each, and which others react.

Pure: readings and time come in. A touch goes TOUCH -> HOLD -> LIFT, back to TOUCH when it was too
short, and after LIFT comes the next spot.
"""

from collections import Counter, deque
from collections.abc import Mapping
from enum import Enum
from statistics import median

from hal.drivers.mpr121_registers import Reading
from hal.measuring.margins import Noise
from hal.profile import Electrode

Readings = Mapping[Electrode, Reading]

_HOLD_SAMPLES = 12
_HOLD_S = 0.5
_LONGEST_HOLD_S = 3.0
_LIFT_SAMPLES = 3
_HINT_SAMPLES = 10
_RISE_SAMPLES = 20
_MORE = 1.5  # a touch after hovering has a fall larger by this factor
_FOLLOW = 1 / 64  # share of each reading in the empty level, which follows temperature and humidity


class Hand(Enum):
    """What the hand at the present spot must do next."""

    TOUCH = "touch"
    HOLD = "hold"
    LIFT = "lift"


class Presses:
    """Asks for a touch of each spot in turn. `noise` is each spot's noise when it is empty."""

    def __init__(self, spots: Mapping[str, Electrode]) -> None:
        self.hand = Hand.TOUCH
        self.mistaken = ""
        """A spot that is touched by mistake."""
        self.changes: dict[str, float | None] = {}
        """The fall of each touched spot, in order; None for skipped ones."""
        self.echoes: dict[str, float] = {}
        """The largest fall of each spot while another was touched."""
        self.left_out: frozenset[str] = frozenset()
        """Spots that are left out, since no touch could be measured there."""
        self._spots = dict(spots)
        self._noise: Mapping[str, Noise] = {}
        self._levels: dict[str, float] = {}
        self._falls: deque[float] = deque(maxlen=_HOLD_SAMPLES)
        self._change = 0.0
        self._held_s = 0.0
        self._lifted = 0
        self._wrong: Counter[str] = Counter()
        self._risen: Counter[str] = Counter()

    @property
    def asked(self) -> str | None:
        """The spot that must be touched or released; None when all are known."""
        done = self.changes.keys() | self.left_out
        return next((spot for spot in self._spots if spot not in done), None)

    @property
    def risen(self) -> tuple[str, ...]:
        """The spots that read higher than empty: they were covered in the empty measurement."""
        return tuple(spot for spot in self._spots if self._risen[spot] >= _RISE_SAMPLES)

    def begin(self, noise: Mapping[str, Noise]) -> None:
        """Take the empty readings of the spots; earlier results are kept."""
        self._noise = noise
        self.left_out = frozenset(spot for spot, each in noise.items() if not each.measurable)
        self._levels = {spot: each.mean for spot, each in noise.items()}
        self._risen.clear()
        self._rest()

    def skip(self) -> None:
        """Skip the present spot, or finish it where only its release is missing."""
        if self.asked is not None:
            self._next(self.asked, self._change if self.hand is Hand.LIFT else None)

    def back(self) -> None:
        if self.changes:
            self.changes.popitem()
            self._rest()

    def fall(self, spot: str, readings: Readings) -> float:
        """Return the fall of a spot's reading below empty; 0 while that is unknown."""
        electrode = self._spots[spot]
        if electrode not in readings or spot not in self._levels:
            return 0.0
        return self._levels[spot] - readings[electrode].raw

    def step(self, readings: Readings, now: float) -> None:
        """Take readings of all spots; those of chips that are silent may be missing."""
        asked = self.asked
        self._follow(readings)
        if asked is None or self._spots[asked] not in readings:
            return
        fall = self.fall(asked, readings)
        self._falls.append(fall)
        match self.hand:
            case Hand.TOUCH:
                self._watch_others(asked, fall, readings)
                if fall >= self._begins(asked):
                    self.hand, self._held_s = Hand.HOLD, now
                    self._falls.clear()
            case Hand.HOLD:
                if fall < self._begins(asked):
                    self._rest()
                elif self._steady(asked, now - self._held_s):
                    self._take(asked, readings)
                    self.hand = Hand.LIFT
            case Hand.LIFT:
                if median(self._falls) > _MORE * self._change and self._steady(asked, _HOLD_S):
                    self._take(asked, readings)
                let_go = fall < max(self._begins(asked), 0.4 * self._change)
                self._lifted = self._lifted + 1 if let_go else 0
                if self._lifted >= _LIFT_SAMPLES:
                    self._next(asked, self._change)

    def _begins(self, spot: str) -> float:
        """Return the fall at which a spot counts as touched, before its thresholds are known."""
        return max(4.0, self._noise[spot].reach + 1.0)

    def _steady(self, spot: str, held_s: float) -> bool:
        """Return whether a touch was held long and steadily enough, or for the longest time."""
        if len(self._falls) < _HOLD_SAMPLES or held_s < _HOLD_S:
            return False
        spread = max(self._falls) - min(self._falls)
        calm = max(0.3 * median(self._falls), self._noise[spot].reach + 4.0)
        return spread <= calm or held_s >= _LONGEST_HOLD_S

    def _take(self, asked: str, readings: Readings) -> None:
        """Record the change of the present spot, and the others' change at the same time."""
        self._change = median(self._falls)
        for spot in self._spots:
            if spot != asked:
                echo = self.fall(spot, readings)
                self.echoes[spot] = max(self.echoes.get(spot, 0.0), echo)

    def _watch_others(self, asked: str, fall: float, readings: Readings) -> None:
        """Find a spot touched by mistake: for some samples it falls more than the asked one."""
        for spot in self._spots:
            other = self.fall(spot, readings)
            wrong = spot != asked and other >= self._begins(spot) and other > 2 * fall
            self._wrong[spot] = self._wrong[spot] + 1 if wrong else 0
        found = [spot for spot in self._spots if self._wrong[spot] >= _HINT_SAMPLES]
        self.mistaken = max(found, key=lambda spot: self.fall(spot, readings), default="")

    def _follow(self, readings: Readings) -> None:
        """Let empty levels follow slow changes, and count how long spots read too high."""
        for spot, electrode in self._spots.items():
            if electrode not in readings:
                continue
            fall, reach = self.fall(spot, readings), self._noise[spot].reach
            if abs(fall) <= max(2.0, reach / 2):
                self._levels[spot] -= _FOLLOW * fall
            rises = -fall > max(8.0, reach + 2.0)
            self._risen[spot] = self._risen[spot] + 1 if rises else 0

    def _next(self, spot: str, change: float | None) -> None:
        self.changes[spot] = change
        self._rest()

    def _rest(self) -> None:
        self.hand, self._lifted, self._change = Hand.TOUCH, 0, 0.0
        self.mistaken = ""
        self._wrong.clear()
        self._falls.clear()
