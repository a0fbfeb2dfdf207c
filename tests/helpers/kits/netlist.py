"""Wires followed with a finger: which pins are one net, whatever the wires are said to carry."""

from collections.abc import Iterable

from hal.profile import Profile
from hardware.kit.computers import computer_of
from hardware.kit.wiring import End, Kind, Wire


class Netlist:
    """Join the ends of all wires; parts with two legs join nothing.

    The pins of ground, and those of 3.3 V, are each one inside of the computer.
    """

    def __init__(self, profile: Profile, wires: Iterable[Wire]) -> None:
        self._leaders: dict[End, End] = {}
        computer = computer_of(profile)
        for pins in (computer.grounds, computer.pins_3v3):
            ends = [End(computer.name, computer.power_pin(pin)) for pin in pins]
            for end in ends:
                self._join(ends[0], end)
        for wire in wires:
            if wire.kind is Kind.PART:
                self.net(wire.start), self.net(wire.end)
            else:
                self._join(wire.start, wire.end)
        self._members: dict[End, set[End]] = {}
        for end in self._leaders:
            self._members.setdefault(self.net(end), set()).add(end)

    def _join(self, one: End, other: End) -> None:
        leader, led = self.net(one), self.net(other)
        self._leaders[led] = leader

    def net(self, end: End) -> End:
        """Give the pin that stands for the net of a pin."""
        self._leaders.setdefault(end, end)
        while self._leaders[end] != end:
            self._leaders[end] = end = self._leaders[self._leaders[end]]
        return end

    def joined(self, *ends: End) -> bool:
        """Tell whether all these pins are one net."""
        return len({self.net(end) for end in ends}) == 1

    def members(self, end: End) -> set[End]:
        """List all pins of the net of a pin."""
        return self._members.get(self.net(end), {end})
