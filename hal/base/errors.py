"""Every error that `hal` raises on purpose; each is also a builtin error."""


class HalError(Exception):
    """Mark every error that the board device raises on purpose."""


class ProfileError(HalError, ValueError):
    """Report a board profile that cannot be used: file, section, key, value, what is allowed."""


class LightError(HalError, ValueError):
    """Report a frame that does not have one colour per pixel."""


class SpotError(HalError, ValueError):
    """Report a cell, key or light that the board lacks."""


class BackendError(HalError, OSError):
    """Report a backend that cannot be opened, or one that is used after it was closed."""


class MemoryFault(HalError, OSError):
    """Report a file of board measurements that cannot be read or moved."""


class PinInUse(HalError, OSError):
    """Report a pin that something else uses: `pin` names it, and the overlay or program."""

    def __init__(self, pin: str) -> None:
        super().__init__(
            f"{pin} is in use: take that overlay out of /boot/firmware/config.txt and restart the"
            " Pi, or end that program"
        )
        self.pin = pin


class SensorFault(HalError, OSError):
    """Report a sensor chip that does not answer, or gives an impossible answer."""


class LightsFault(HalError, OSError):
    """Report pixels that cannot be driven: what is missing, and how to fix that."""


class LinkFault(BackendError):
    """Report that the processor of the board does not answer, or that its line is gone."""


class WrongFirmware(LinkFault):
    """Report a firmware of another protocol; the message ends with the command that fixes it."""


class UnknownBackend(BackendError):
    """Report a backend's name that neither this version nor any installed package has."""
