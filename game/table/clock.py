"""The clocks of a game: how much time is left, and when that changes.

Owns the arithmetic. Whose clock runs, and what follows when its time is up, is decided in
`game.table.table`. Pure: time comes in as `now`, in seconds.
"""

from dataclasses import dataclass, replace

from game.table.agreement import ClockRule

SAVE_S = 10.0
"""How much time of a turn a power cut may give back: the clock is saved as often while it runs."""
STEPS = 20
"""A running clock is read again for the lights after this part of its time."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The seconds `left` to each player when the clock was read; `running` is whose clock runs."""

    rule: ClockRule
    left: tuple[float, ...]
    running: int | None = None
    read_at: float = 0.0
    saved_at: float = 0.0

    @classmethod
    def wound(cls, rule: ClockRule, players: int) -> "Clocks":
        """Return the clocks at the beginning of a game."""
        return cls(rule, (float(rule.seconds),) * players)

    def left_at(self, now: float) -> tuple[float, ...]:
        """Return the seconds left at a time, 0 once they are up."""
        return tuple(
            max(0.0, left - now + self.read_at) if player == self.running else left
            for player, left in enumerate(self.left, start=1)
        )

    def read(self, now: float) -> "Clocks":
        return replace(self, left=self.left_at(now), read_at=now)

    def run_for(self, player: int | None, now: float) -> "Clocks":
        """Stop the clock that runs, and let a player's run, or none."""
        if player == self.running:
            return self
        return replace(self.read(now), running=player, saved_at=now)

    def moved(self, player: int) -> "Clocks":
        """Add what a player gets for a move."""
        rule, left = self.rule, list(self.left)
        left[player - 1] = rule.seconds if rule.anew else left[player - 1] + rule.increment
        return replace(self, left=tuple(left))

    @property
    def due(self) -> float | None:
        """When a running clock is to be read again; None if none runs, or its time is up."""
        if self.running is None or not self.left[self.running - 1]:
            return None
        step_s = min(SAVE_S, max(1.0, self.rule.seconds / STEPS))
        return self.read_at + min(step_s, self.left[self.running - 1])

    @property
    def shares(self) -> tuple[float, ...]:
        """How much of its time each clock has left, from 0 to 1."""
        return tuple(min(1.0, left / self.rule.seconds) for left in self.left)
