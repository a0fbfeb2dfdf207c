"""A figure: something computed, what it may be, and where that is from.

Owns the comparison and the words for a value that is not allowed. Must not know what is computed.
"""

from dataclasses import dataclass, replace

from hardware.kit.errors import KitError

_NEAR = 1e-9
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold a value with its unit, the least and the most that it may be, and why.

    `source` says how the value is worked out, `rule` whose the limits are. `key` is the key of
    [geometry] that it comes from, where it is one.
    """

    name: str
    value: float
    unit: str
    least: float | None
    most: float | None
    source: str
    rule: str
    digits: int = 2
    key: str = ""

    @property
    def text(self) -> str:
        """Give the value with its unit."""
        return self._said(self.value)

    @property
    def allowed(self) -> str:
        """Say in words what the value may be; empty when there is no limit."""
        if self.least is not None and self.most is not None:
            low = f"{self.least:.{self.digits}f}"
            return f"{low} to {self._said(self.most)}"
        if self.least is not None:
            return f"{self._said(self.least)} and more"
        return "" if self.most is None else f"up to {self._said(self.most)}"

    @property
    def within(self) -> bool:
        """Tell whether the value is allowed; a limit itself is."""
        low = self.least is None or self.value >= self.least - _NEAR
        return low and (self.most is None or self.value <= self.most + _NEAR)

    def checked(self) -> "Figure":
        """Give the figure itself; raise KitError when its value is not allowed."""
        if self.within:
            return self
        # Rounded like that, a value just beyond its limit would look like the limit itself.
        finer = replace(self, digits=self._telling_digits())
        said = f"{self.name} is {finer.text}: allowed is {finer.allowed} ({self.rule})"
        raise KitError(said, self.key)

    def _telling_digits(self) -> int:
        limits = [limit for limit in (self.least, self.most) if limit is not None]
        for digits in range(self.digits, _MOST_DIGITS):
            if all(round(self.value, digits) != round(limit, digits) for limit in limits):
                return digits
        return _MOST_DIGITS

    def _said(self, value: float) -> str:
        return f"{value:.{self.digits}f} {self.unit}".rstrip()
