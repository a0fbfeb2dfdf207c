"""What a check is, what it examines, and how a table of checks is run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from game.maker.doctor.boot import BootConfig
from game.maker.doctor.findings import Finding
from game.maker.doctor.model import Family, Model
from game.maker.doctor.system import System
from hal.drivers.i2c_search import Buses
from hal.profile import Profile

_SERVICE = ["systemctl", "is-active", "lifeboard"]


@dataclass(frozen=True, slots=True)
class Target:
    """The computer and the board that are examined; `buses` are the I2C buses of a Pi."""

    system: System
    profile: Profile
    model: Model
    buses: Buses | None = None

    @property
    def family(self) -> Family:
        """Give the family of the Pi."""
        return self.model.family

    @property
    def config(self) -> BootConfig:
        """Give what config.txt sets."""
        return self.system.boot_config(self.model.sections)

    def in_use(self) -> bool:
        """Tell whether a running lifeboard uses the board."""
        return self.system.playing() or self.system.run(_SERVICE) in ("active", "activating")


@dataclass(frozen=True, slots=True)
class Check:
    """Examine one thing. `name` is that of the findings that have no name of their own."""

    name: str
    find: Callable[[Target], Finding | Iterable[Finding]]
    applies: Callable[[Target], bool] = lambda _: True


def run_checks(checks: Sequence[Check], target: Target) -> tuple[Finding, ...]:
    """Run the checks that apply, in their order, and give what they find."""
    found: list[Finding] = []
    for check in checks:
        if check.applies(target):
            each = check.find(target)
            given = (each,) if isinstance(each, Finding) else each
            found += (it if it.name else replace(it, name=check.name) for it in given)
    return tuple(found)
