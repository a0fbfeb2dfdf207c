"""Clocks of players: how much time each has, and whose time runs. Time comes in as `now`."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ClockRule:
    """Seconds for a game, and an increment after each move; `per_move`: seconds for each move."""

    seconds: int
    increment: int = 0
    per_move: bool = False


SAVE_S = 10.0
"""Interval at which a running clock is saved: a power cut gives back at most this much time."""
SHORT_S = 10.0  # The player to move is short of time when this much or less is left
_ROUNDING_S = 0.001


@dataclass(frozen=True, slots=True)
class Clocks:
    """The seconds `left` to each player at `read_at`; `running` is the player whose clock runs."""

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
        """Stop the running clock, and start a player's, or none."""
        if player == self.running:
            return self
        return replace(self.read(now), running=player, saved_at=now)

    def moved(self, player: int) -> "Clocks":
        """Add the time that a player gets for a move."""
        rule, left = self.rule, list(self.left)
        left[player - 1] = rule.seconds if rule.per_move else left[player - 1] + rule.increment
        return replace(self, left=tuple(left))

    @property
    def due(self) -> float | None:
        """When a running clock must be read again; None if none runs, or its time is up."""
        left = 0.0 if self.running is None else self.left[self.running - 1]
        until_short = left if self.short else left - SHORT_S
        return self.read_at + min(SAVE_S, until_short) if left else None

    @property
    def short(self) -> bool:
        """Whether the time of the running clock was short when it was read."""
        return self.running is not None and self.left[self.running - 1] < SHORT_S + _ROUNDING_S
