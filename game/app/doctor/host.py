"""The Pi that is examined: its system, its model and what its boot files ask for, read once.

Owns the words in which remedies name the boot files. Must not judge.
"""

from dataclasses import dataclass

from game.app.doctor.boot import BootConfig
from game.app.doctor.model import Model
from game.app.doctor.system import System

_NOTHING = BootConfig({}, {}, ())


@dataclass(frozen=True, slots=True)
class Host:
    """Hold one Pi. `boot` is empty when its config.txt cannot be read."""

    system: System
    model: Model
    boot: BootConfig
    boot_readable: bool

    def in_config(self, *lines: str) -> str:
        """Write the remedy that is a line, or some, of config.txt."""
        wanted = " and ".join(f"`{line}`" for line in lines)
        return f"add {wanted} to {self.config_path}, then restart the Pi"

    @property
    def config_path(self) -> str:
        """Give the path of config.txt."""
        return self.system.boot_file("config.txt")

    def install(self, requirement: str) -> str:
        """Write the command that installs a package where this lifeboard is installed."""
        return f"{self.system.process.executable} -m pip install '{requirement}'"


def host_of(system: System, model: Model) -> Host:
    """Read a Pi's boot files."""
    boot = system.boot_config(model.filters)
    return Host(system, model, boot or _NOTHING, boot is not None)
