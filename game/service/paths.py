"""Names and paths of the service on a Debian system; the files in `systemd/` agree with them."""

from dataclasses import dataclass
from pathlib import Path

NAME = "lifeboard"
"""The package, the unit, the user, the group and the command."""
UNIT = f"{NAME}.service"
COMMAND = Path("/usr/bin") / NAME
PROGRAM = Path("/usr/lib") / NAME
"""The virtual environment in the package."""
UPGRADES = Path("/var/lib") / f"{NAME}-upgrades"
"""The package from before the last upgrade, and the mark of an upgrade on trial."""
EXIT_CONFIG = 78
"""The settings are wrong (EX_CONFIG of sysexits.h): starting again does not help."""
EXIT_POWER_OFF = 42
"""The shutdown key was held: the unit powers off."""


@dataclass(frozen=True, slots=True)
class ServicePaths:
    """The settings file, which people write, and the data folder: games and learned boards."""

    settings: Path = Path("/etc") / NAME / f"{NAME}.toml"
    data: Path = Path("/var/lib") / NAME

    @property
    def board(self) -> Path:
        """The profile that `learn` writes for the service."""
        return self.data / "board.toml"
