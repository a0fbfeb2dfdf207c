"""Where the service has its things on a Debian system.

Owns these names and no others do; the files in `systemd/` say the same, and a test compares them.
"""

from dataclasses import dataclass
from pathlib import Path

NAME = "lifeboard"
"""The unit, the user, the group and the command all have this name."""
UNIT = f"{NAME}.service"
ROLLBACK_UNIT = f"{NAME}-rollback.service"
GROUPS = ("dialout", "gpio", "i2c", "spi")
"""The groups that open the devices of a board, and no others."""
EXIT_CONFIG = 78
"""The configuration is wrong (EX_CONFIG of sysexits.h): starting again would not help."""
EXIT_POWER_OFF = 42
"""The shutdown key was held: the unit powers off."""


@dataclass(frozen=True, slots=True)
class Places:
    """Name the places under a root folder, which is another one for tests and images only."""

    root: Path = Path("/")

    @property
    def home(self) -> Path:
        """Where the program is: one folder a release, and links to them."""
        return self.root / "opt" / NAME

    @property
    def releases(self) -> Path:
        """The releases, each a virtual environment."""
        return self.home / "releases"

    @property
    def current(self) -> Path:
        """The link to the release that runs."""
        return self.home / "current"

    @property
    def previous(self) -> Path:
        """The link to the release that ran before, to which one can go back."""
        return self.home / "previous"

    @property
    def settings_folder(self) -> Path:
        """The folder of the configuration."""
        return self.root / "etc" / NAME

    @property
    def settings(self) -> Path:
        """The configuration, which people write."""
        return self.settings_folder / f"{NAME}.toml"

    @property
    def state(self) -> Path:
        """The data folder: games, and what boards have taught."""
        return self.root / "var/lib" / NAME

    @property
    def board(self) -> Path:
        """The profile that `learn` writes for the service."""
        return self.state / "board.toml"

    @property
    def runtime(self) -> Path:
        """What lasts until the next start."""
        return self.root / "run" / NAME

    @property
    def command(self) -> Path:
        """The link by which people call lifeboard."""
        return self.root / "usr/local/bin" / NAME

    @property
    def units(self) -> Path:
        """Where an administrator's units are."""
        return self.root / "etc/systemd/system"
